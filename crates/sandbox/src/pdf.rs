//! A PDF of pages with text and filled rectangles, nothing more: enough for a label.

use std::io::Write;

/// Points in a tenth of a millimetre.
const TENTH_MM: f32 = 72.0 / 254.0;

/// A page that is drawn on. Places are tenths of a millimetre from the lower left corner.
pub struct Page {
    content: Vec<u8>,
    width: u16,
    height: u16,
}

/// The two fonts that every reader has.
#[derive(Clone, Copy)]
pub enum Font {
    /// Helvetica.
    Plain,
    /// Helvetica-Bold.
    Bold,
}

impl Page {
    /// An empty page of this size in tenths of a millimetre.
    pub fn new(width: u16, height: u16) -> Page {
        Page { content: Vec::with_capacity(4096), width, height }
    }

    /// Fills a rectangle with black.
    pub fn bar(&mut self, left: f32, bottom: f32, width: f32, height: f32) {
        let [left, bottom, width, height] = [left, bottom, width, height].map(|v| v * TENTH_MM);
        self.draw(format_args!("{left:.2} {bottom:.2} {width:.2} {height:.2} re f\n"));
    }

    /// Writes a line of text of this height, smaller when it would be wider than `width`.
    pub fn text(&mut self, font: Font, size: f32, at: (f32, f32), width: f32, text: &str) {
        let name = match font {
            Font::Plain => "F1",
            Font::Bold => "F2",
        };
        // Helvetica's letters are about 0.56 of their size wide; capitals in bold 0.7.
        let letters = text.chars().count().max(1);
        let letters = f32::from(u16::try_from(letters).unwrap_or(u16::MAX));
        let size = (size * TENTH_MM).min(width * TENTH_MM / (letters * 0.6));
        let (x, y) = (at.0 * TENTH_MM, at.1 * TENTH_MM);
        self.draw(format_args!("BT /{name} {size:.2} Tf {x:.2} {y:.2} Td ("));
        self.content.extend(text.chars().flat_map(encoded));
        self.content.extend_from_slice(b") Tj ET\n");
    }

    fn draw(&mut self, operators: std::fmt::Arguments) {
        // Writing to memory cannot fail.
        let _ = self.content.write_fmt(operators);
    }
}

/// A character in WinAnsi, where it agrees with Latin-1; anything else is a question mark.
fn encoded(c: char) -> impl Iterator<Item = u8> {
    let byte = u8::try_from(u32::from(c)).unwrap_or(b'?');
    let byte = if matches!(byte, 0x20..=0x7E | 0xA0..) { byte } else { b'?' };
    let escape = matches!(byte, b'(' | b')' | b'\\').then_some(b'\\');
    escape.into_iter().chain([byte])
}

/// The file with these pages.
pub fn file(pages: &[Page]) -> Vec<u8> {
    let mut file = File { bytes: Vec::new(), offsets: Vec::new() };
    file.bytes.extend_from_slice(b"%PDF-1.4\n%\xE2\xE3\xCF\xD3\n");
    file.object(b"<< /Type /Catalog /Pages 2 0 R >>");
    let kids: Vec<String> =
        (0..pages.len()).map(|index| format!("{} 0 R", 5 + index * 2)).collect();
    let (kids, count) = (kids.join(" "), pages.len());
    file.object(format!("<< /Type /Pages /Count {count} /Kids [{kids}] >>").as_bytes());
    for name in ["Helvetica", "Helvetica-Bold"] {
        let font = format!(
            "<< /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding /WinAnsiEncoding >>"
        );
        file.object(font.as_bytes());
    }
    for (index, page) in pages.iter().enumerate() {
        let [width, height] = [page.width, page.height].map(|side| f32::from(side) * TENTH_MM);
        let dictionary = format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width:.2} {height:.2}] \
             /Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> /Contents {} 0 R >>",
            6 + index * 2
        );
        file.object(dictionary.as_bytes());
        let mut stream = format!("<< /Length {} >>\nstream\n", page.content.len()).into_bytes();
        stream.extend_from_slice(&page.content);
        stream.extend_from_slice(b"\nendstream");
        file.object(&stream);
    }
    file.finish()
}

struct File {
    bytes: Vec<u8>,
    /// Where each object begins.
    offsets: Vec<usize>,
}

impl File {
    fn object(&mut self, body: &[u8]) {
        self.offsets.push(self.bytes.len());
        self.bytes.extend_from_slice(format!("{} 0 obj\n", self.offsets.len()).as_bytes());
        self.bytes.extend_from_slice(body);
        self.bytes.extend_from_slice(b"\nendobj\n");
    }

    fn finish(mut self) -> Vec<u8> {
        let start = self.bytes.len();
        let size = self.offsets.len() + 1;
        let mut end = format!("xref\n0 {size}\n0000000000 65535 f \n");
        for offset in &self.offsets {
            end.push_str(&format!("{offset:010} 00000 n \n"));
        }
        end.push_str(&format!(
            "trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n"
        ));
        self.bytes.extend_from_slice(end.as_bytes());
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_says_where_each_object_begins() {
        let mut page = Page::new(1000, 1500);
        page.text(Font::Plain, 30.0, (0.0, 0.0), 900.0, "(Ærø \\ 日本)");
        let bytes = file(&[page, Page::new(1000, 1500)]);
        let find = |what: &[u8]| bytes.windows(what.len()).position(|window| window == what);
        let table = find(b"xref\n0 9\n").unwrap();
        let entries = bytes[table..].split(|byte| *byte == b'\n').skip(3);
        for (number, entry) in (1..=8).zip(entries) {
            let offset: usize = std::str::from_utf8(&entry[..10]).unwrap().parse().unwrap();
            assert!(bytes[offset..].starts_with(format!("{number} 0 obj\n").as_bytes()));
        }
        assert!(find(b"(\\(\xC6r\xF8 \\\\ ??\\)) Tj").is_some());
        assert!(find(format!("startxref\n{table}\n").as_bytes()).is_some());
    }
}
