//! Papers to draw, and other people's tools to look at them with.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use waybill_domain::fields::read_object;
use waybill_paper::{AnyPaper, Document, Layout, Renderer};

/// One press for all tests, as in the server.
pub static PRESS: LazyLock<Renderer> = LazyLock::new(Renderer::new);

/// Every paper there is, one at least of each kind.
pub const PAPERS: &[(&str, &str)] = &[
    ("label", include_str!("papers/label.json")),
    ("return", include_str!("papers/return.json")),
    ("pickup", include_str!("papers/pickup.json")),
    ("scripts", include_str!("papers/scripts.json")),
    ("handling", include_str!("papers/handling.json")),
    ("maximal", include_str!("papers/maximal.json")),
    ("a4", include_str!("papers/a4.json")),
    ("cn22", include_str!("papers/cn22.json")),
    ("cn23", include_str!("papers/cn23.json")),
    ("commercial_invoice", include_str!("papers/commercial_invoice.json")),
    ("proforma_invoice", include_str!("papers/proforma_invoice.json")),
    ("packing_list", include_str!("papers/packing_list.json")),
    ("pick_list", include_str!("papers/pick_list.json")),
    ("pick_list_label", include_str!("papers/pick_list_label.json")),
    ("packing_slip", include_str!("papers/packing_slip.json")),
    ("packing_slip_label", include_str!("papers/packing_slip_label.json")),
    ("manifest", include_str!("papers/manifest.json")),
    ("qr", include_str!("papers/qr.json")),
    ("report", include_str!("papers/report.json")),
];

pub fn source(name: &str) -> &'static str {
    PAPERS.iter().find(|(known, _)| *known == name).unwrap().1
}

pub fn paper(text: &str) -> AnyPaper {
    let json = read_object(text.as_bytes()).unwrap();
    AnyPaper::from_json(&json).unwrap_or_else(|errors| panic!("{errors:?}"))
}

pub fn document(name: &str) -> Document {
    paper(source(name)).layout(&PRESS).unwrap_or_else(|errors| panic!("{name}: {errors:?}"))
}

/// The document with one of its pages alone.
pub fn page(document: &Document, index: usize) -> Document {
    Document { pages: vec![document.pages[index].clone()], ..document.clone() }
}

/// A directory of its own for a test.
pub fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Runs a tool and gives what it prints. A missing tool fails the test: nothing is skipped.
pub fn tool(name: &str, arguments: &[&str]) -> String {
    let output = Command::new(name).args(arguments).output();
    let output = output.unwrap_or_else(|error| {
        panic!("{name} could not be started ({error}): ./tools installs what the tests need")
    });
    assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// What zbar reads in a picture.
pub fn zbar(picture: &Path) -> Vec<String> {
    let said = tool("zbarimg", &["-q", "--raw", picture.to_str().unwrap()]);
    said.lines().map(str::to_owned).collect()
}

/// A grey picture: its bytes, width and height.
pub struct Picture {
    pub luma: Vec<u8>,
    pub width: u32,
    pub height: u32,
}

/// Unpacks a PNG file of any depth.
pub fn picture(bytes: &[u8]) -> Picture {
    let mut decoder = png::Decoder::new(std::io::Cursor::new(bytes));
    decoder.set_transformations(png::Transformations::EXPAND | png::Transformations::STRIP_16);
    let mut reader = decoder.read_info().unwrap();
    let mut data = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut data).unwrap();
    let samples = info.color_type.samples();
    let luma = data[..info.buffer_size()].chunks(samples).map(|dot| dot[0]).collect();
    Picture { luma, width: info.width, height: info.height }
}

impl Picture {
    /// A part of it, cut off at the edges.
    pub fn crop(&self, x: i64, y: i64, width: i64, height: i64) -> Picture {
        let across = x.max(0)..(x + width).min(i64::from(self.width));
        let down = y.max(0)..(y + height).min(i64::from(self.height));
        let luma = down.clone().flat_map(|y| across.clone().map(move |x| (x, y)));
        let luma = luma.map(|(x, y)| self.luma[(y * i64::from(self.width) + x) as usize]);
        Picture {
            luma: luma.collect(),
            width: (across.end - across.start) as u32,
            height: (down.end - down.start) as u32,
        }
    }
}

/// Every page of a PDF file as a picture, drawn by poppler.
pub fn poppler(pdf: &Path, dpi: &str) -> Vec<Picture> {
    let stem = pdf.with_extension("");
    tool("pdftoppm", &["-r", dpi, "-png", pdf.to_str().unwrap(), stem.to_str().unwrap()]);
    let name = format!("{}-", stem.file_name().unwrap().to_str().unwrap());
    let mut pages: Vec<PathBuf> = std::fs::read_dir(pdf.parent().unwrap())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "png"))
        .filter(|path| path.file_name().unwrap().to_str().unwrap().starts_with(&name))
        .collect();
    pages.sort();
    pages.iter().map(|page| picture(&std::fs::read(page).unwrap())).collect()
}

/// Every label of a ZPL file as a picture, drawn by a printer of somebody else.
pub fn labelize(zpl: &[u8], (width, height): (f32, f32), per_mm: i32) -> Vec<Picture> {
    let labels = labelize::ZplParser::new().parse(zpl).unwrap();
    let draw = |label| {
        let mut file = std::io::Cursor::new(Vec::new());
        let options = labelize::DrawerOptions {
            label_width_mm: f64::from(width),
            label_height_mm: f64::from(height),
            dpmm: per_mm,
            ..Default::default()
        };
        labelize::Renderer::new().draw_label_as_png(label, &mut file, options).unwrap();
        picture(&file.into_inner())
    };
    labels.iter().map(draw).collect()
}
