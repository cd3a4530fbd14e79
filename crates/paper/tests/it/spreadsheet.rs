//! Spreadsheets, opened by a reader that is not ours, and looked into.

use std::io::{Cursor, Read};

use calamine::{Data, Reader, Xlsx};
use waybill_domain::measure::{Currency, Money};
use waybill_paper::{Cell, Column, ColumnKind, SpreadsheetWriter};

const KINDS: [ColumnKind; 5] = [
    ColumnKind::Text,
    ColumnKind::Integer,
    ColumnKind::Decimal,
    ColumnKind::Money,
    ColumnKind::Moment,
];

fn columns() -> [Column; 5] {
    KINDS.map(|kind| Column { name: format!("{kind:?}"), kind, width: 18 })
}

fn row(text: &str) -> Vec<Cell> {
    let dkk = Currency::parse("DKK").unwrap();
    vec![
        Cell::Text(text.to_owned()),
        Cell::Integer(42),
        Cell::Decimal(2_450),
        Cell::Money(Money { minor: 12_345, currency: dkk }),
        Cell::Moment(jiff::civil::datetime(2026, 11, 15, 6, 0, 0, 0)),
    ]
}

fn spreadsheet(name: &str, rows: &[Vec<Cell>]) -> Vec<u8> {
    let mut sheet = SpreadsheetWriter::begin(name, &columns()).unwrap();
    rows.iter().for_each(|row| sheet.add_row(row).unwrap());
    sheet.finish().unwrap()
}

fn open(bytes: &[u8]) -> Xlsx<Cursor<&[u8]>> {
    Xlsx::new(Cursor::new(bytes)).unwrap()
}

#[test]
fn cells_keep_their_types() {
    let bytes = spreadsheet("Shipments", &[row("Åsa")]);
    let range = open(&bytes).worksheet_range("Shipments").unwrap();
    assert_eq!(range.get((0, 0)), Some(&Data::String("Text".to_owned())));
    assert_eq!(range.get((1, 0)), Some(&Data::String("Åsa".to_owned())));
    assert_eq!(range.get((1, 1)), Some(&Data::Float(42.0)));
    assert_eq!(range.get((1, 2)), Some(&Data::Float(2.45)));
    assert_eq!(range.get((1, 3)), Some(&Data::Float(123.45)));
    let Some(Data::DateTime(moment)) = range.get((1, 4)) else { panic!("{range:?}") };
    assert_eq!(moment.as_f64(), 46_341.25);
}

#[test]
fn no_text_becomes_a_formula_a_link_or_markup() {
    let hostile = [
        "=1+1",
        "+1",
        "-1",
        "@SUM(A1)",
        "\t=1",
        "\r=1",
        "=cmd|'/c calc'!A1",
        "=HYPERLINK(\"http://x\")",
        "http://example.com",
        "mailto:a@b.c",
        "]]><f>1</f>",
        "<&>\"'",
        "\u{1}\u{ffff}\u{b}",
        "_x0041_",
        "=\u{feff}1",
    ];
    let mut rows: Vec<_> = hostile.iter().map(|text| row(text)).collect();
    rows.push(row(&"=".repeat(40_000)));
    let bytes = spreadsheet("=1+1[]:*?/\\", &rows);
    let mut book = open(&bytes);
    let name = book.sheet_names()[0].clone();
    assert_eq!(book.worksheet_formula(&name).unwrap().used_cells().count(), 0);
    let range = book.worksheet_range(&name).unwrap();
    assert_eq!(range.get((1, 0)), Some(&Data::String("=1+1".to_owned())));
    assert_eq!(range.get((14, 0)), Some(&Data::String("_x0041_".to_owned())));
    let mut archive = zip::ZipArchive::new(Cursor::new(&bytes)).unwrap();
    for index in 0..archive.len() {
        let mut text = String::new();
        let mut part = archive.by_index(index).unwrap();
        part.read_to_string(&mut text).unwrap();
        for bad in ["<f>", "<f ", "TargetMode=\"External\"", "<hyperlink", "<!DOCTYPE"] {
            assert!(!text.contains(bad), "{bad} in part {index}");
        }
    }
}

#[test]
fn a_sheet_keeps_as_much_of_its_name_as_fits() {
    for (name, kept) in [("x".repeat(40), "x".repeat(31)), ("🚚".repeat(20), "🚚".repeat(15))] {
        let bytes = spreadsheet(&name, &[row("x")]);
        assert_eq!(open(&bytes).sheet_names(), [kept]);
    }
}

#[test]
fn the_head_stays_and_every_column_has_a_filter() {
    let bytes = spreadsheet("Shipments", &vec![row("x"); 50]);
    let mut archive = zip::ZipArchive::new(Cursor::new(&bytes)).unwrap();
    let mut sheet = String::new();
    archive.by_name("xl/worksheets/sheet1.xml").unwrap().read_to_string(&mut sheet).unwrap();
    assert!(sheet.contains("state=\"frozen\""));
    assert!(sheet.contains("<autoFilter ref=\"A1:E51\""), "{}", &sheet[sheet.len() - 300..]);
}

#[test]
fn a_text_stays_a_text_when_somebody_edits_it() {
    let bytes = spreadsheet("Shipments", &[row("=1+1")]);
    let mut archive = zip::ZipArchive::new(Cursor::new(&bytes)).unwrap();
    let mut styles = String::new();
    archive.by_name("xl/styles.xml").unwrap().read_to_string(&mut styles).unwrap();
    assert!(styles.contains("quotePrefix=\"1\""), "{styles}");
}

#[test]
fn the_same_rows_give_the_same_bytes() {
    let make = || spreadsheet("Shipments", &vec![row("x"); 9]);
    assert!(make() == make());
}
