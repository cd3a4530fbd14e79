//! A label makes room: a full address fits on every size, whatever else stands there, and what does
//! not fit is named.

use waybill_domain::document::Format;
use waybill_domain::language::Language;
use waybill_paper::{AnyPaper, Dpi, LabelKind, Labels, Layout, PaperSize};

use crate::support::{PRESS, paper, poppler, scratch, source, tool};

const SIZES: [PaperSize; 4] =
    [PaperSize::Label100x150, PaperSize::Label102x152, PaperSize::Label105x148, PaperSize::A4];

fn labels(name: &str) -> Labels {
    match paper(source(name)) {
        AnyPaper::Labels(labels) => labels,
        other => panic!("{other:?}"),
    }
}

/// The rows that a full address has: name, company, four lines, area, and a phone number.
fn fill(party: &mut waybill_domain::party::Party) {
    party.contact.name = "Maximiliane Wolkenstein-Trostburg".to_owned();
    party.contact.company = Some("Nordisk Boghandel og Antikvariat ApS".to_owned());
    party.contact.phone = Some("+45 30 27 47 35".to_owned());
    party.address.lines = ["c/o Jensen", "Islands Brygge 39", "Bygning 4, port B", "2. th"]
        .map(str::to_owned)
        .to_vec();
    party.address.administrative_area = Some("Region Hovedstaden".to_owned());
}

fn full(name: &str, paper: PaperSize) -> Labels {
    let mut labels = labels(name);
    labels.paper = paper;
    for label in &mut labels.labels {
        fill(&mut label.sender);
        fill(&mut label.receiver);
    }
    labels
}

/// What poppler reads on the page.
fn text(labels: &Labels, name: &str) -> String {
    let document = labels.layout(&PRESS).unwrap_or_else(|errors| panic!("{name}: {errors:?}"));
    let bytes = PRESS.render(&document, Format::Pdf, Dpi::Dpi203).unwrap().bytes;
    let path = scratch("room").join(format!("{name}.pdf"));
    std::fs::write(&path, bytes).unwrap();
    tool("pdftotext", &["-layout", path.to_str().unwrap(), "-"])
}

#[test]
fn a_full_address_with_its_phone_number_fits_on_every_size() {
    for name in ["label", "pickup", "return"] {
        for (index, size) in SIZES.into_iter().enumerate() {
            let labels = full(name, size);
            let read = text(&labels, &format!("{name}-{index}"));
            for row in [
                "Maximiliane Wolkenstein-Trostburg",
                "Nordisk Boghandel og Antikvariat ApS",
                "c/o Jensen",
                "Islands Brygge 39",
                "Bygning 4, port B",
                "Region Hovedstaden",
            ] {
                let count = read.matches(row).count();
                assert_eq!(count, 2 * labels.labels.len(), "{name} {size:?}: {row}\n{read}");
            }
            assert!(read.contains("+45 30 27 47 35"), "{name} {size:?}: {read}");
        }
    }
}

#[test]
fn a_phone_number_stays_on_the_label_of_the_widest_address() {
    let mut labels = full("pickup", PaperSize::Label100x150);
    let wide = "WWWWWWWW MMMMMMMM WWWWWWWW ".repeat(3).trim().to_owned();
    for label in &mut labels.labels {
        label.matrix = None;
        for party in [&mut label.sender, &mut label.receiver] {
            party.contact.name = wide.clone();
            party.contact.company = Some(format!("{wide}."));
            party.address.lines = vec![wide.clone(); 5];
        }
    }
    let read = text(&labels, "wide");
    assert_eq!(read.matches("+45 30 27 47 35").count(), labels.labels.len(), "{read}");
    assert_eq!(read.matches("MMMMMMMM").count(), 2 * 7 * 3, "{read}");
}

#[test]
fn what_does_not_fit_is_named_and_not_what_stands_last() {
    let mut labels = full("pickup", PaperSize::Label100x150);
    labels.labels[0].receiver.address.lines[2] = "Wordy street ".repeat(300);
    let errors = labels.layout(&PRESS).unwrap_err();
    let paths: Vec<&str> = errors.iter().map(|(path, _)| path).collect();
    assert_eq!(paths, ["labels.0.receiver.address.address_lines.2"]);
    labels.labels[0].instructions = Some("Wordy instructions ".repeat(50));
    assert!(labels.layout(&PRESS).unwrap_err().has("labels.0.instructions"));
}

/// What a driver needs at the door.
fn handled(language: Language) -> Labels {
    let mut labels = labels("handling");
    labels.language = language;
    labels
}

#[test]
fn what_the_driver_needs_stands_on_the_label_in_six_languages() {
    let cases = [
        (Language::En, "Cash on", "DKK 1,499.00", "Leave at: Bag carporten", "do not ship"),
        (Language::Da, "Efterkrav", "DKK 1.499,00", "Må stilles: Bag", "må ikke sendes"),
        (Language::Sv, "Postförskott", "DKK 1 499,00", "Får lämnas: Bag", "får inte skickas"),
        (Language::Nb, "Postoppkrav", "DKK 1 499,00", "Kan settes igjen: Bag", "skal ikke sendes"),
        (Language::Fi, "Postiennakko", "DKK 1 499,00", "Saa jättää: Bag", "ei lähetettäväksi"),
        (Language::De, "Nachnahme", "DKK 1.499,00", "Abstellort: Bag", "nicht versenden"),
    ];
    for (language, cash, amount, place, test) in cases {
        let read = text(&handled(language), "handling").replace('\u{a0}', " ");
        for wanted in [cash, amount, place, test, "18+", "UN1263", "UN1950 2.1"] {
            assert!(read.contains(wanted), "{language:?}: {wanted}\n{read}");
        }
    }
}

#[test]
fn a_label_says_with_which_parcel_the_amount_is_collected_in_six_languages() {
    let cases = [
        (Language::En, "Cash on delivery is collected with parcel 1/3"),
        (Language::Da, "Efterkrav opkræves med pakke 1/3"),
        (Language::Sv, "Postförskott tas ut med paket 1/3"),
        (Language::Nb, "Postoppkrav kreves inn med pakke 1/3"),
        (Language::Fi, "Postiennakko peritään paketin 1/3 yhteydessä"),
        (Language::De, "Nachnahme wird mit Paket 1/3 kassiert"),
    ];
    for (language, wanted) in cases {
        let mut labels = handled(language);
        let label = &mut labels.labels[0];
        (label.cash_on_delivery, label.cash_with_parcel) = (None, Some(1));
        (label.number, label.count) = (2, 3);
        let document = labels.layout(&PRESS).unwrap();
        let bytes = PRESS.render(&document, Format::Pdf, Dpi::Dpi203).unwrap().bytes;
        let path = scratch("room").join(format!("collected-{language:?}.pdf"));
        std::fs::write(&path, bytes).unwrap();
        let read = tool("pdftotext", &[path.to_str().unwrap(), "-"]);
        let read = read.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(read.contains(wanted) && !read.contains("DKK"), "{language:?}: {read}");
    }
}

/// A printer's dots, poppler's and ours show the mark of limited quantities: black above and below,
/// white between.
#[test]
fn limited_quantities_have_their_mark_in_every_format() {
    let mut labels = handled(Language::En);
    let shown = PRESS.render(&labels.layout(&PRESS).unwrap(), Format::Png, Dpi::Dpi203).unwrap();
    labels.labels[0].dangerous_goods.clear();
    let plain = PRESS.render(&labels.layout(&PRESS).unwrap(), Format::Png, Dpi::Dpi203).unwrap();
    assert_ne!(shown.bytes, plain.bytes);
    let document = handled(Language::En).layout(&PRESS).unwrap();
    let mark = document.pages[0].marks.iter().find_map(|mark| match mark {
        waybill_paper::Mark::Picture(area, _) => Some(*area),
        _ => None,
    });
    let area = mark.unwrap();
    let pdf = PRESS.render(&document, Format::Pdf, Dpi::Dpi203).unwrap().bytes;
    let path = scratch("room").join("limited.pdf");
    std::fs::write(&path, pdf).unwrap();
    let zpl = PRESS.render(&document, Format::Zpl, Dpi::Dpi203).unwrap().bytes;
    let pictures = [
        crate::support::picture(&shown.bytes),
        poppler(&path, "203.2").remove(0),
        crate::support::picture(&PRESS.preview(&zpl, Dpi::Dpi203).unwrap()[0]),
    ];
    for picture in pictures {
        let at = |down: f32| {
            let (x, y) = (area.x + area.width / 2.0, area.y + area.height * down);
            picture.luma[(y * 8.0) as usize * picture.width as usize + (x * 8.0) as usize]
        };
        assert!(at(0.2) < 100 && at(0.8) < 100 && at(0.5) > 200);
    }
}

#[test]
fn a_label_for_real_does_not_say_that_it_is_a_test() {
    assert!(!text(&labels("label"), "real").contains("do not ship"));
    assert_eq!(labels("return").labels[0].kind, LabelKind::Return);
}
