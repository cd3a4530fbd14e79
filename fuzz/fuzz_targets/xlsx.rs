//! Spreadsheets: whatever a cell says, there is no formula, no link and no broken XML.

#![no_main]

use std::io::{Cursor, Read};

use libfuzzer_sys::fuzz_target;
use waybill_paper::{Cell, Column, ColumnKind, SpreadsheetWriter};

fuzz_target!(|input: &[u8]| {
    let text = String::from_utf8_lossy(input);
    let columns = ["a", "b"].map(|name| Column {
        name: format!("{name}{text}"),
        kind: ColumnKind::Text,
        width: 9,
    });
    let mut sheet = SpreadsheetWriter::begin(&text, &columns).expect("any text can be written");
    for part in text.split('|') {
        let cell = Cell::Text(part.to_owned());
        sheet.add_row(&[cell.clone(), cell]).expect("any text can be written");
    }
    let bytes = sheet.finish().expect("any text can be written");
    let mut archive = zip::ZipArchive::new(Cursor::new(&bytes)).expect("a whole archive");
    for index in 0..archive.len() {
        let mut part = String::new();
        archive.by_index(index).expect("a part").read_to_string(&mut part).expect("UTF-8");
        for bad in ["<f>", "<f ", "TargetMode=\"External\"", "<hyperlink", "<!"] {
            assert!(!part.contains(bad), "{bad} of {text:?}");
        }
        let is_control = |c: char| c.is_control() && !"\r\n\t".contains(c);
        assert!(!part.contains(is_control), "{text:?}");
        let opened = part.matches('<').count();
        assert_eq!(opened, part.matches('>').count(), "{text:?}");
    }
});
