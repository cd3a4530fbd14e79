//! Barcodes as modules, and modules read back as text.
//!
//! A symbol is made by one encoder and read by another reader before it is ever drawn; the back
//! ends draw its modules, and the self-check reads them from the drawn file again.

pub(crate) mod code128;
pub mod gs1;

use anyd::codes::aztec::{AztecDecoder, AztecEncoder};
use anyd::codes::qr::{EcLevel, QrDecoder, QrEncoder};
use anyd::output::{BitMatrix, Encoding};
use anyd::segment::Segment;
use anyd::traits::Encode;
use datamatrix::{DataMatrix, SymbolList};
use fast_qr::{ECL, QRBuilder};
use waybill_domain::words::Message;

/// A kind of barcode.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Symbology {
    /// Bars, for printable ASCII.
    Code128,
    /// Bars, for GS1 element strings such as `(00)357…`.
    Gs1Code128,
    /// A square that telephones read.
    Qr,
    /// A small square.
    DataMatrix,
    /// A small square, for GS1 element strings.
    Gs1DataMatrix,
    /// A square without a quiet zone.
    Aztec,
}

impl Symbology {
    /// Every spelling there is.
    pub const NAMES: &[&str] =
        &["code128", "gs1_128", "qr", "data_matrix", "gs1_data_matrix", "aztec"];

    /// Reads the exact spelling.
    pub fn parse(text: &str) -> Option<Symbology> {
        Some(match text {
            "code128" => Symbology::Code128,
            "gs1_128" => Symbology::Gs1Code128,
            "qr" => Symbology::Qr,
            "data_matrix" => Symbology::DataMatrix,
            "gs1_data_matrix" => Symbology::Gs1DataMatrix,
            "aztec" => Symbology::Aztec,
            _ => return None,
        })
    }

    /// What the standard calls it.
    pub fn title(self) -> &'static str {
        match self {
            Symbology::Code128 => "Code 128",
            Symbology::Gs1Code128 => "GS1-128",
            Symbology::Qr => "QR Code",
            Symbology::DataMatrix => "Data Matrix",
            Symbology::Gs1DataMatrix => "GS1 DataMatrix",
            Symbology::Aztec => "Aztec",
        }
    }

    pub(crate) fn is_linear(self) -> bool {
        matches!(self, Symbology::Code128 | Symbology::Gs1Code128)
    }

    /// White modules that must be left on each side.
    pub(crate) fn quiet(self) -> u32 {
        match self {
            Symbology::Code128 | Symbology::Gs1Code128 => 10,
            Symbology::Qr => 4,
            Symbology::DataMatrix | Symbology::Gs1DataMatrix => 2,
            Symbology::Aztec => 1,
        }
    }
}

/// How a QR code says that what follows is UTF-8: readers guess otherwise, and not always well.
const UTF8: u32 = 26;
/// The longest content of a matrix symbol on our papers.
const MATRIX_MAX: usize = 600;
/// The longest content of a linear symbol: more would not fit on any paper.
const LINEAR_MAX: usize = 80;

/// A barcode: what it says, and its modules.
#[derive(Clone, PartialEq, Debug)]
pub struct Symbol {
    /// Its kind.
    pub symbology: Symbology,
    /// What a scanner gives; `\u{1d}` stands for a separator of GS1 elements.
    pub content: String,
    pub(crate) modules: Modules,
}

/// Black and white, `true` is black. A linear symbol is one row.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Modules {
    pub width: u32,
    pub bits: Vec<bool>,
}

impl Modules {
    pub fn height(&self) -> u32 {
        (self.bits.len() as u32).checked_div(self.width).unwrap_or(0)
    }

    /// The black runs of each row: column, row, length.
    pub fn runs(&self) -> impl Iterator<Item = (u32, u32, u32)> + '_ {
        let rows = self.bits.chunks(self.width.max(1) as usize).enumerate();
        rows.flat_map(|(y, row)| {
            let mut x = 0;
            row.chunk_by(|a, b| a == b).filter_map(move |run| {
                let start = x;
                x += run.len() as u32;
                run.first().copied()?.then_some((start, y as u32, run.len() as u32))
            })
        })
    }
}

impl Symbol {
    /// Makes the modules, and reads them back. GS1 content has its identifiers in parentheses.
    pub fn new(symbology: Symbology, content: &str) -> Result<Symbol, Message> {
        let content = match symbology {
            Symbology::Gs1Code128 | Symbology::Gs1DataMatrix => gs1::joined(content)?,
            _ => content.to_owned(),
        };
        let longest = if symbology.is_linear() { LINEAR_MAX } else { MATRIX_MAX };
        if content.is_empty() || content.len() > longest {
            return Err(Message::new("no-barcode"));
        }
        let modules = encode(symbology, &content).ok_or_else(|| Message::new("no-barcode"))?;
        if decode(symbology, &modules).as_deref() != Some(content.as_str()) {
            return Err(Message::new("no-barcode"));
        }
        Ok(Symbol { symbology, content, modules })
    }

    /// How many modules it is wide and high, quiet zones included.
    pub(crate) fn size(&self) -> (u32, u32) {
        let quiet = 2 * self.symbology.quiet();
        (self.modules.width + quiet, self.modules.height() + quiet)
    }
}

fn encode(symbology: Symbology, content: &str) -> Option<Modules> {
    match symbology {
        Symbology::Code128 => code128::modules(&code128::values(content, false)?),
        Symbology::Gs1Code128 => code128::modules(&code128::values(content, true)?),
        Symbology::Qr if !content.is_ascii() => {
            let bytes = Segment::byte(content.as_bytes());
            let encoder = QrEncoder::new();
            let symbol = encoder.build(vec![Segment::eci(UTF8), bytes], EcLevel::M).ok()?;
            cells(encoder.encode(&symbol).ok()?)
        }
        Symbology::Qr => {
            let qr = QRBuilder::new(content).ecl(ECL::M).build().ok()?;
            let bits = (0..qr.size).flat_map(|y| (0..qr.size).map(move |x| (x, y)));
            let bits = bits.map(|(x, y)| qr[y].get(x).is_some_and(|module| module.value()));
            Some(Modules { width: qr.size as u32, bits: bits.collect() })
        }
        Symbology::DataMatrix => grid(DataMatrix::encode(content.as_bytes(), squares()).ok()?),
        Symbology::Gs1DataMatrix => {
            grid(DataMatrix::encode_gs1(content.as_bytes(), squares()).ok()?)
        }
        Symbology::Aztec => {
            let encoder = AztecEncoder::new();
            let symbol = encoder.build_text(content).ok()?;
            cells(encoder.encode(&symbol).ok()?)
        }
    }
}

fn cells(encoding: Encoding) -> Option<Modules> {
    let Encoding::Matrix(matrix) = encoding else { return None };
    let cells = (0..matrix.height()).flat_map(|y| (0..matrix.width()).map(move |x| (x, y)));
    let bits = cells.map(|(x, y)| matrix.get(x, y)).collect();
    Some(Modules { width: matrix.width() as u32, bits })
}

fn squares() -> SymbolList {
    SymbolList::default().enforce_square()
}

fn grid(matrix: DataMatrix) -> Option<Modules> {
    let bitmap = matrix.bitmap();
    Some(Modules { width: bitmap.width() as u32, bits: bitmap.bits().to_vec() })
}

/// What the modules say, if they are a whole symbol of this kind.
pub(crate) fn decode(symbology: Symbology, modules: &Modules) -> Option<String> {
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).ok();
    match symbology {
        Symbology::Code128 => code128::text(&code128::read(modules)?, false),
        Symbology::Gs1Code128 => code128::text(&code128::read(modules)?, true),
        Symbology::Qr => {
            text(QrDecoder::new().decode_matrix(&matrix(modules)?).ok()?.payload_bytes())
        }
        Symbology::Aztec => {
            text(AztecDecoder::new().decode_matrix(&matrix(modules)?).ok()?.payload_bytes())
        }
        Symbology::DataMatrix | Symbology::Gs1DataMatrix => {
            let bytes = DataMatrix::decode(&modules.bits, modules.width as usize).ok()?;
            text(bytes)
        }
    }
}

fn matrix(modules: &Modules) -> Option<BitMatrix> {
    let (width, height) = (modules.width as usize, modules.height() as usize);
    if width == 0 || width * height != modules.bits.len() {
        return None;
    }
    let mut matrix = BitMatrix::new(width, height, 0);
    for (index, bit) in modules.bits.iter().enumerate() {
        matrix.set(index % width, index / width, *bit);
    }
    Some(matrix)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_reads_back_what_it_says() {
        let plain =
            ["A", "00370123456789012345", "JJFI-6433 0000 1", "https://example.com/?a=b&c=d"];
        let elements = ["(00)357012340000000014", "(01)05712345678909(10)AB-12(21)99"];
        for symbology in
            [Symbology::Code128, Symbology::Qr, Symbology::DataMatrix, Symbology::Aztec]
        {
            for content in plain {
                let symbol = Symbol::new(symbology, content).unwrap();
                assert_eq!(symbol.content, content, "{symbology:?}");
            }
        }
        for symbology in [Symbology::Gs1Code128, Symbology::Gs1DataMatrix] {
            for content in elements {
                Symbol::new(symbology, content).unwrap();
            }
        }
    }

    #[test]
    fn what_a_barcode_cannot_say_is_refused() {
        for (symbology, content) in [
            (Symbology::Code128, ""),
            (Symbology::Code128, "Ærø"),
            (Symbology::Code128, "a\nb"),
            (Symbology::Gs1Code128, "357012340000000014"),
        ] {
            assert!(Symbol::new(symbology, content).is_err(), "{content:?}");
        }
        assert!(Symbol::new(Symbology::Code128, &"7".repeat(10_000)).is_err());
        assert!(Symbol::new(Symbology::Qr, &"7".repeat(10_000)).is_err());
    }

    #[test]
    fn a_wrong_module_is_noticed() {
        let symbol = Symbol::new(Symbology::Code128, "PARCEL 1").unwrap();
        for index in 0..symbol.modules.bits.len() {
            let mut modules = symbol.modules.clone();
            modules.bits[index] ^= true;
            assert_ne!(decode(Symbology::Code128, &modules).as_deref(), Some("PARCEL 1"));
        }
    }
}
