//! The labels of a booking: 100 x 150 mm, one for each parcel that was taken.

use waybill_domain::document::Format;

use crate::code128;
use crate::pdf::{self, Font, Page};
use crate::record::Record;

/// What stands on one label.
struct Label<'a> {
    record: &'a Record,
    number: String,
    count: String,
}

/// The labels in this format; nothing when the sandbox does not make it.
pub fn make(record: &Record, format: Format) -> Option<Vec<u8>> {
    let all = record.parcels.len();
    let numbered = record.parcels.iter().enumerate();
    let labels = numbered.filter_map(|(index, number)| {
        let count = format!("{} of {all}", index + 1);
        Some(Label { record, number: number.clone()?, count })
    });
    match format {
        Format::Pdf => Some(pdf::file(&labels.map(|label| page(&label)).collect::<Vec<_>>())),
        Format::Zpl => Some(labels.map(|label| zpl(&label)).collect::<String>().into_bytes()),
        Format::Png | Format::Xlsx => None,
    }
}

fn page(label: &Label) -> Page {
    let record = label.record;
    let mut page = Page::new(1000, 1500);
    let mut line = |font, size, y, text: &str| page.text(font, size, (60.0, y), 880.0, text);
    line(Font::Bold, 80.0, 1380.0, "SANDBOX");
    line(Font::Plain, 28.0, 1325.0, "A test label. It moves no parcel.");
    line(Font::Bold, 44.0, 1250.0, &format!("Service: {}", record.service));
    line(Font::Plain, 28.0, 1180.0, "From");
    for (text, size, y) in rows(&record.from, (1145.0, 965.0), 28.0) {
        line(Font::Plain, size, y, text);
    }
    line(Font::Plain, 28.0, 905.0, "To");
    for (text, size, y) in rows(&record.to, (855.0, 590.0), 42.0) {
        line(Font::Bold, size, y, text);
    }
    line(Font::Plain, 30.0, 520.0, &format!("Reference: {}", record.reference));
    let customer = record.customer_reference.as_deref().unwrap_or("none");
    line(Font::Plain, 30.0, 480.0, &format!("Customer reference: {customer}"));
    line(Font::Bold, 44.0, 415.0, &label.count);
    line(Font::Bold, 44.0, 60.0, &label.number);
    for y in [1300.0, 950.0, 570.0, 390.0] {
        page.bar(40.0, y, 920.0, 3.0);
    }
    barcode(&mut page, &label.number);
    page
}

/// Rows of an address from one height down to another, in letters of this size or smaller ones when
/// there are many, with the size and the height of each.
fn rows(
    texts: &[String],
    (top, bottom): (f32, f32),
    size: f32,
) -> impl Iterator<Item = (&str, f32, f32)> {
    let gaps = f32::from(u16::try_from(texts.len()).unwrap_or(u16::MAX)) - 1.0;
    let pitch = (size * 1.18).min((top - bottom) / gaps.max(1.0));
    let heights = std::iter::successors(Some(top), move |y| Some(y - pitch));
    texts.iter().zip(heights).map(move |(text, y)| (text.as_str(), size.min(pitch / 1.1), y))
}

/// The number as bars, half a millimetre to the module, in the middle of the page.
fn barcode(page: &mut Page, number: &str) {
    const MODULE: f32 = 5.0;
    let widths = code128::widths(number).unwrap_or_default();
    let modules: u16 = widths.iter().map(|width| u16::from(*width)).sum();
    let mut left = (1000.0 - f32::from(modules) * MODULE) / 2.0;
    for (index, width) in widths.iter().enumerate() {
        let width = f32::from(*width) * MODULE;
        if index % 2 == 0 {
            page.bar(left, 130.0, width, 230.0);
        }
        left += width;
    }
}

/// The same for a Zebra printer with 8 dots to the millimetre.
fn zpl(label: &Label) -> String {
    let record = label.record;
    let mut zpl = "^XA^CI28^PW800^LL1200\n".to_owned();
    let mut line = |y: u16, size: u16, text: &str| {
        let text: String = text.chars().map(printable).collect();
        zpl.push_str(&format!("^FO48,{y}^A0N,{size},{size}^FD{text}^FS\n"));
    };
    line(40, 64, "SANDBOX");
    line(110, 26, "A test label. It moves no parcel.");
    line(160, 36, &format!("Service: {}", record.service));
    line(230, 24, "From");
    for (text, y) in record.from.iter().zip((258u16..).step_by(27)) {
        line(y, 24, text);
    }
    line(450, 24, "To");
    for (text, y) in record.to.iter().zip((480u16..).step_by(42)) {
        line(y, 36, text);
    }
    line(760, 26, &format!("Reference: {}", record.reference));
    let customer = record.customer_reference.as_deref().unwrap_or("none");
    line(792, 26, &format!("Customer reference: {customer}"));
    line(830, 36, &label.count);
    zpl.push_str(&format!("^FO90,890^BY4^BCN,190,Y,N,N,A^FD{}^FS\n^XZ\n", label.number));
    zpl
}

/// What a printer would take for a command is a question mark.
fn printable(c: char) -> char {
    if c.is_control() || matches!(c, '^' | '~') { '?' } else { c }
}

#[cfg(test)]
mod tests {
    use super::*;
    use waybill_domain::time::Time;

    #[test]
    fn every_row_of_a_long_address_is_on_the_label_above_the_next_rule() {
        let texts: Vec<String> = (1..=11).map(|row| format!("Row {row}")).collect();
        let set: Vec<_> = rows(&texts, (855.0, 590.0), 42.0).collect();
        assert_eq!(set.len(), 11);
        assert!(set.iter().all(|(_, size, y)| *y >= 589.9 && *size < 42.0 && *size > 20.0));
        let few: Vec<_> = rows(&texts[..5], (855.0, 590.0), 42.0).collect();
        assert_eq!(few[0], ("Row 1", 42.0, 855.0));
    }

    #[test]
    fn text_cannot_command_the_printer() {
        let record = Record {
            sequence: 1,
            reference: "R".to_owned(),
            customer_reference: Some("^XZ~JA\u{1e}XZ\u{10}JA\u{1f}\n".to_owned()),
            at: Time(0),
            service: "home".to_owned(),
            from: vec!["^FS^XZ".to_owned()],
            to: Vec::new(),
            parcels: vec![Some("SBX0000000000017".to_owned()), None],
        };
        let zpl = String::from_utf8(make(&record, Format::Zpl).unwrap()).unwrap();
        assert!(zpl.contains("Customer reference: ?XZ?JA?XZ?JA??^FS"), "{zpl}");
        assert_eq!(zpl.matches("^XA").count(), 1);
        assert_eq!(zpl.matches("^XZ").count(), 1);
    }
}
