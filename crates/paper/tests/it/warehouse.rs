//! Papers of a warehouse: whatever things are called there, everything stands inside the page and
//! beside everything else, and scanners read the true numbers.

use waybill_domain::document::Format;
use waybill_paper::{
    AnyPaper, Document, Dpi, Layout, Mark, PackingSlip, Page, PaperSize, PickLine, PickList,
    SlipLine,
};

use crate::support::{PRESS, paper, scratch, source, tool};

const SIZES: [PaperSize; 4] =
    [PaperSize::Label100x150, PaperSize::Label102x152, PaperSize::Label105x148, PaperSize::A4];

fn pick_list(paper_size: PaperSize) -> PickList {
    match paper(source("pick_list")) {
        AnyPaper::PickList(list) => PickList { paper: paper_size, ..list },
        other => panic!("{other:?}"),
    }
}

fn slip(paper_size: PaperSize) -> PackingSlip {
    match paper(source("packing_slip")) {
        AnyPaper::PackingSlip(slip) => PackingSlip { paper: paper_size, ..slip },
        other => panic!("{other:?}"),
    }
}

/// Names as people have them, and as they should not.
fn awkward() -> Vec<String> {
    let word = |letter: &str, count: usize| letter.repeat(count);
    vec![
        word("W", 64),
        word("i", 64),
        word("漢", 64),
        word("😀", 64),
        word("7", 64),
        "שלום עולם, זהו שם ארוך של מוצר במחסן שלנו".to_owned(),
        "مرحبا بالعالم".to_owned(),
        "a b".to_owned(),
        "^XZ~JR\\& %>:>0".to_owned(),
        "e\u{301}\u{301}\u{301}".to_owned(),
        "\u{202e}gnp.eman".to_owned(),
        "Ω".to_owned(),
    ]
}

fn names() -> Vec<String> {
    let mut names = vec!["W".repeat(200), "Wordy ".repeat(33), "ש".repeat(200), "W".repeat(255)];
    names.extend(awkward());
    names
}

/// Every combination of what may stand in a line.
fn lines() -> Vec<PickLine> {
    let (codes, names) = (awkward(), names());
    let line = |index: usize| PickLine {
        location: codes[index % codes.len()].clone(),
        sku: codes[index / codes.len() % codes.len()].clone(),
        name: names[index % names.len()].clone(),
        quantity: if index.is_multiple_of(2) { 99_999 } else { 1 },
        parcel: index as i64 % 99 + 1,
    };
    (0..codes.len() * codes.len()).map(line).collect()
}

type Rectangle = (f32, f32, f32, f32);

/// Where every line of text and every barcode stands: left, upper, right, lower.
fn places(page: &Page) -> Vec<(String, Rectangle)> {
    let mut places = Vec::new();
    for mark in &page.marks {
        match mark {
            Mark::Text(block) => {
                for line in &block.lines {
                    let left = block.left_of(line);
                    let upper = line.baseline - block.em * 0.75;
                    let place = (left, upper, left + line.width, line.baseline);
                    places.push((line.text.clone(), place));
                }
            }
            Mark::Code(code) => {
                let area = code.area;
                let place = (area.x, area.y, area.x + area.width, area.y + area.height);
                places.push((format!("code {}", code.symbol.content), place));
            }
            _ => {}
        }
    }
    places
}

/// Nothing is over the edge of its page, and nothing is over anything else.
#[track_caller]
fn everything_has_its_place(document: &Document) {
    for (number, page) in document.pages.iter().enumerate() {
        let places = places(page);
        for (index, (what, (left, upper, right, lower))) in places.iter().enumerate() {
            let is_inside = *left >= 3.0
                && *upper >= 3.0
                && *right <= page.width - 3.0
                && *lower <= page.height - 3.0;
            assert!(is_inside, "page {number}: {what} at {left} {upper} {right} {lower}");
            for (other, place) in &places[index + 1..] {
                let is_apart = place.0 >= right - 0.01
                    || place.2 <= left + 0.01
                    || place.1 >= lower - 0.01
                    || place.3 <= upper + 0.01;
                assert!(is_apart, "page {number}: {what} is over {other}");
            }
        }
    }
}

/// What poppler reads in a document.
fn text(document: &Document, name: &str) -> String {
    let bytes = PRESS.render(document, Format::Pdf, Dpi::Dpi203).unwrap().bytes;
    let path = scratch("warehouse").join(format!("{name}.pdf"));
    std::fs::write(&path, bytes).unwrap();
    tool("pdftotext", &["-layout", path.to_str().unwrap(), "-"])
}

#[test]
fn whatever_things_are_called_everything_on_a_pick_list_has_its_place_and_its_barcode() {
    for size in SIZES {
        let list = PickList {
            number: "W".repeat(255),
            reference: Some("שלום ".repeat(51)),
            lines: lines(),
            ..pick_list(size)
        };
        let document = list.layout(&PRESS).unwrap_or_else(|errors| panic!("{size:?} {errors:?}"));
        everything_has_its_place(&document);
        let codes = document.pages.iter().flat_map(Page::codes);
        let mut said: Vec<&str> = codes.map(|code| code.symbol.content.as_str()).collect();
        let lines = list.lines.iter().flat_map(|line| [line.location.as_str(), line.sku.as_str()]);
        let mut wanted: Vec<&str> = lines.chain(list.code.as_deref()).collect();
        said.sort_unstable();
        wanted.sort_unstable();
        assert_eq!(said, wanted, "{size:?}");
        PRESS.render(&document, Format::Pdf, Dpi::Dpi203).unwrap();
    }
}

#[test]
fn whatever_things_are_called_everything_on_a_packing_slip_has_its_place() {
    for size in SIZES {
        let mut slip = PackingSlip { number: "W".repeat(255), ..slip(size) };
        slip.reference = Some("Wordy ".repeat(42));
        slip.lines = lines().into_iter().map(of_slip).collect();
        slip.parcel_count = 99;
        everything_has_its_place(&slip.layout(&PRESS).unwrap());
        for party in [slip.sender.as_mut().unwrap(), &mut slip.customer] {
            party.contact.name = "W".repeat(255);
            party.contact.company = Some("ש".repeat(255));
            party.address.lines = vec!["M".repeat(255); 6];
            party.address.city = "W".repeat(255);
            party.address.administrative_area = Some("W".repeat(255));
        }
        let document = slip.layout(&PRESS).unwrap_or_else(|errors| panic!("{size:?} {errors:?}"));
        everything_has_its_place(&document);
        PRESS.render(&document, Format::Pdf, Dpi::Dpi203).unwrap();
    }
}

fn of_slip(line: PickLine) -> SlipLine {
    let PickLine { sku, name, quantity, parcel, .. } = line;
    SlipLine { parcel, sku, name, quantity }
}

#[test]
fn a_pick_list_has_the_order_of_its_locations_and_says_every_quantity() {
    for size in [PaperSize::Label100x150, PaperSize::A4] {
        let list = PickList { language: waybill_domain::language::Language::En, ..pick_list(size) };
        let read = text(&list.layout(&PRESS).unwrap(), &format!("order-{size:?}"));
        let sorted =
            ["A-01-12", "A-01-3", "A-03-1", "B-02-11", "C-14-2", "D-1", "Hylde 7", "MEZZANINE"];
        let places: Vec<usize> = sorted
            .iter()
            .map(|location| read.find(location).unwrap_or_else(|| panic!("{location}: {read}")))
            .collect();
        assert!(places.is_sorted(), "{places:?}\n{read}");
        for wanted in ["99,999", "NL-2040", "Beeswax candle", "4521", "ORDER-4521", "Pick list"] {
            assert!(read.contains(wanted), "{size:?}: {wanted}\n{read}");
        }
    }
}

#[test]
fn a_packing_slip_has_the_order_of_its_parcels_and_shows_the_customer() {
    for size in [PaperSize::Label100x150, PaperSize::A4] {
        let read = text(&slip(size).layout(&PRESS).unwrap(), &format!("parcels-{size:?}"));
        let numbers: Vec<&str> =
            read.split_whitespace().filter(|word| ["1/2", "2/2"].contains(word)).collect();
        assert_eq!(numbers, ["1/2", "1/2", "1/2", "1/2", "1/2", "2/2", "2/2", "2/2"], "{read}");
        for wanted in ["Åsa Lindström", "Östra Storgatan 17 B", "211 34", "Nordlys Handel ApS"] {
            assert!(read.contains(wanted), "{size:?}: {wanted}\n{read}");
        }
        assert!(!read.contains("DK12345678"), "{read}");
    }
}

#[test]
fn a_thousand_lines_go_over_many_pages_each_with_its_head_and_number() {
    for (size, format) in [(PaperSize::A4, Format::Pdf), (PaperSize::Label100x150, Format::Zpl)] {
        let line = |index: i64| PickLine {
            location: format!("A-{index:04}"),
            sku: format!("SKU-{index}"),
            name: format!("Thing number {index}"),
            quantity: index,
            parcel: 1,
        };
        let list = PickList { lines: (1..=1000).map(line).collect(), ..pick_list(size) };
        let document = list.layout(&PRESS).unwrap();
        everything_has_its_place(&document);
        let codes = document.pages.iter().flat_map(Page::codes).count();
        assert_eq!(codes, 2001);
        let pages = document.pages.len();
        assert!((60..400).contains(&pages), "{pages}");
        for (index, page) in document.pages.iter().enumerate() {
            let says = |text: &str| places(page).iter().any(|(line, _)| line == text);
            assert!(says("Lokation"), "page {index} has no head");
            assert!(says(&format!("Side {} af {pages}", index + 1)), "page {index} has no number");
        }
        let file = PRESS.render(&document, format, Dpi::Dpi203).unwrap();
        assert_eq!(file.page_count as usize, pages);
    }
}

#[test]
fn letters_that_no_font_has_leave_a_mark_and_the_rest_is_read() {
    let mut list = pick_list(PaperSize::A4);
    list.lines.truncate(1);
    list.lines[0].name = "Tea 茶 50 g".to_owned();
    let read = text(&list.layout(&PRESS).unwrap(), "letters");
    assert!(read.contains("Tea ? 50 g"), "{read}");
}

#[test]
fn a_list_that_nobody_can_carry_is_refused_and_not_cut() {
    let line = pick_list(PaperSize::Label100x150).lines[0].clone();
    let list = PickList { lines: vec![line; 4_000], ..pick_list(PaperSize::Label100x150) };
    assert!(list.layout(&PRESS).unwrap_err().has("document"));
}
