//! Files joined into one, looked at with poppler, zbar and our own reader.

use lopdf::content::{Content, Operation};
use lopdf::{Dictionary, Document as File, Object, Stream, dictionary};
use waybill_domain::document::Format;
use waybill_paper::{AnyPaper, Dpi, Joiner, Layout, inspect};

use crate::support::{PRESS, document, paper, poppler, scratch, source, tool, zbar};

const MAX: usize = 64 * 1024 * 1024;

/// A label for the receiver with this number.
fn label(number: usize, format: Format) -> Vec<u8> {
    let AnyPaper::Labels(mut labels) = paper(source("label")) else { panic!() };
    labels.labels[0].receiver.contact.name = format!("Receiver {number:04}");
    let document = labels.layout(&PRESS).unwrap();
    PRESS.draw(&document, format, Dpi::Dpi203).unwrap()
}

fn joined(format: Format, files: &[Vec<u8>]) -> (Vec<u8>, u32) {
    let mut joiner = Joiner::new(format, MAX).unwrap();
    files.iter().for_each(|file| joiner.add(file, 1).unwrap());
    joiner.finish()
}

#[test]
fn labels_follow_each_other_as_pages_whose_text_is_text() {
    let files: Vec<Vec<u8>> = (0..30).map(|number| label(number, Format::Pdf)).collect();
    let (bytes, pages) = joined(Format::Pdf, &files);
    assert_eq!(pages, 30);
    let whole: usize = files.iter().map(Vec::len).sum();
    assert!(bytes.len() * 3 < whole, "fonts are there once: {} of {whole}", bytes.len());
    let path = scratch("merge").join("labels.pdf");
    std::fs::write(&path, &bytes).unwrap();
    let text = tool("pdftotext", &[path.to_str().unwrap(), "-"]);
    let read: Vec<&str> = text.split('\u{c}').filter(|page| !page.trim().is_empty()).collect();
    assert_eq!(read.len(), 30);
    for (number, page) in read.iter().enumerate() {
        assert!(page.contains(&format!("Receiver {number:04}")), "{number}: {page}");
    }
    let fonts = tool("pdffonts", &[path.to_str().unwrap()]);
    assert!(fonts.lines().skip(2).all(|row| row.contains("yes yes yes")), "{fonts}");
    let parts = inspect(&bytes, Format::Pdf, Dpi::Dpi203).unwrap();
    assert_eq!((parts.len(), parts[0].measured.page_count), (1, 30));
}

#[test]
fn a_page_that_was_joined_looks_as_before_and_its_bars_are_read() {
    let folder = scratch("merge-looks");
    let papers = ["label", "maximal", "cn23", "a4"];
    let files = papers.map(|name| {
        let file = PRESS.render(&document(name), Format::Pdf, Dpi::Dpi203).unwrap().bytes;
        let path = folder.join(format!("before-{name}.pdf"));
        std::fs::write(&path, &file).unwrap();
        (file, path)
    });
    let before: Vec<_> = files.iter().flat_map(|(_, path)| poppler(path, "100")).collect();
    let (bytes, _) = joined(Format::Pdf, &files.map(|(file, _)| file));
    let path = folder.join("joined.pdf");
    std::fs::write(&path, bytes).unwrap();
    let after = poppler(&path, "100");
    assert_eq!(before.len(), after.len());
    for (index, (before, after)) in before.iter().zip(&after).enumerate() {
        assert!(before.luma == after.luma, "page {index}");
    }
    let stem = folder.join("bars");
    let (path, stem) = (path.to_str().unwrap(), stem.to_str().unwrap());
    tool("pdftoppm", &["-r", "203.2", "-png", "-singlefile", path, stem]);
    assert!(!zbar(&folder.join("bars.png")).is_empty());
}

#[test]
fn labels_of_zpl_stay_the_bytes_that_they_were() {
    let files = [label(1, Format::Zpl), b"^XA^PW800^LL1200^FO1,1^A0N,30^FDx^FS^XZ".to_vec()];
    let (bytes, labels) = joined(Format::Zpl, &files);
    assert_eq!((bytes, labels), (files.concat(), 2));
}

#[test]
fn pictures_and_spreadsheets_are_not_joined() {
    assert!(Joiner::new(Format::Png, MAX).is_none());
    assert!(Joiner::new(Format::Xlsx, MAX).is_none());
}

#[test]
fn what_becomes_too_large_is_refused_at_the_file_that_is_too_much() {
    for format in [Format::Pdf, Format::Zpl] {
        let file = label(1, format);
        let mut joiner = Joiner::new(format, file.len() + 3000).unwrap();
        joiner.add(&file, 1).unwrap();
        let mut added = 1;
        let refused = loop {
            match joiner.add(&label(1 + added, format), 1) {
                Ok(()) if added < 50 => added += 1,
                other => break other.unwrap_err(),
            }
        };
        assert_eq!(refused.message.key(), "merge-too-large");
    }
}

/// A file whose one page inherits everything, in a chain of nodes, and refers to itself and back.
fn knotted() -> Vec<u8> {
    let mut file = File::with_version("1.5");
    let (tree, node, page) = (file.new_object_id(), file.new_object_id(), file.new_object_id());
    let font = file.add_object(dictionary! {
        "Type" => "Font", "Subtype" => "Type1", "BaseFont" => "Helvetica",
    });
    let show = Content {
        operations: vec![
            Operation::new("BT", vec![]),
            Operation::new("Tf", vec!["F (1)".into(), 24.into()]),
            Operation::new("Td", vec![40.into(), 100.into()]),
            Operation::new("Tj", vec![Object::string_literal("knotted ( \\ ) text")]),
            Operation::new("ET", vec![]),
        ],
    };
    let stream = Stream::new(Dictionary::new(), show.encode().unwrap());
    let contents = file.add_object(stream);
    let note = file.new_object_id();
    let other = file.add_object(dictionary! { "Back" => note, "Page" => page, "Tree" => tree });
    file.objects.insert(
        note,
        Object::Dictionary(dictionary! {
            "Type" => "Annot", "Subtype" => "Link",
            "Rect" => vec![0.into(), 0.into(), 9.into(), 9.into()],
            "P" => page, "Self" => note, "Other" => other,
        }),
    );
    let page_entries = dictionary! {
        "Type" => "Page", "Parent" => node, "Contents" => contents, "Annots" => vec![note.into()],
    };
    file.objects.insert(page, Object::Dictionary(page_entries));
    file.objects.insert(
        node,
        Object::Dictionary(dictionary! {
            "Type" => "Pages", "Parent" => tree, "Kids" => vec![page.into()], "Count" => 1,
            "Resources" => dictionary! { "Font" => dictionary! { "F (1)" => font } },
        }),
    );
    file.objects.insert(
        tree,
        Object::Dictionary(dictionary! {
            "Type" => "Pages", "Kids" => vec![node.into()], "Count" => 1,
            "MediaBox" => vec![0.into(), 0.into(), 283.into(), 425.into()], "Rotate" => 90,
        }),
    );
    let catalog = file.add_object(dictionary! { "Type" => "Catalog", "Pages" => tree });
    file.trailer.set("Root", catalog);
    let mut bytes = Vec::new();
    file.save_to(&mut bytes).unwrap();
    bytes
}

#[test]
fn what_a_page_inherits_goes_with_it_and_knots_are_no_trap() {
    let (bytes, pages) = joined(Format::Pdf, &[knotted(), knotted()]);
    assert_eq!(pages, 2);
    let path = scratch("merge").join("knotted.pdf");
    std::fs::write(&path, &bytes).unwrap();
    let text = tool("pdftotext", &[path.to_str().unwrap(), "-"]);
    assert_eq!(text.matches("knotted ( \\ ) text").count(), 2, "{text}");
    let parts = inspect(&bytes, Format::Pdf, Dpi::Dpi203).unwrap();
    let size = parts[0].measured;
    assert!(size.width_mm > 149.0 && size.height_mm < 101.0, "turned as before: {size:?}");
}

#[test]
fn a_file_that_cannot_be_read_is_refused_and_a_long_chain_is_no_matter() {
    let mut joiner = Joiner::new(Format::Pdf, MAX).unwrap();
    assert!(joiner.add(b"%PDF-1.7 and no more", 1).is_err());
    assert!(joiner.add(b"", 1).is_err());
    let mut file = File::load_mem(&knotted()).unwrap();
    let mut last = file.add_object(Object::Null);
    for _ in 0..50_000 {
        last = file.add_object(dictionary! { "Next" => last });
    }
    let page = file.page_iter().next().unwrap();
    file.get_dictionary_mut(page).unwrap().set("Chain", last);
    let mut bytes = Vec::new();
    file.save_to(&mut bytes).unwrap();
    joiner.add(&bytes, 1).unwrap();
    assert_eq!(joiner.finish().1, 1);
}

#[test]
fn a_thousand_labels_are_joined_at_once() {
    let files: Vec<Vec<u8>> = (0..1000).map(|number| label(number, Format::Pdf)).collect();
    let (bytes, pages) = joined(Format::Pdf, &files);
    assert_eq!(pages, 1000);
    assert!(bytes.len() < 10 * 1024 * 1024, "{}", bytes.len());
    let path = scratch("merge").join("thousand.pdf");
    std::fs::write(&path, &bytes).unwrap();
    let text = tool("pdftotext", &[path.to_str().unwrap(), "-"]);
    let read = text.lines().filter_map(|line| line.trim().strip_prefix("Receiver "));
    let read: Vec<usize> = read.map(|number| number.parse().unwrap()).collect();
    assert_eq!(read, (0..1000).collect::<Vec<_>>());
}
