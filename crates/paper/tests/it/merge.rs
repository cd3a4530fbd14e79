//! Files joined into one, looked at with poppler, zbar and our own reader.

use lopdf::content::{Content, Operation};
use lopdf::{Dictionary, Document as File, Object, Stream, dictionary};
use sha2::{Digest, Sha256};
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
    let mut joiner = Joiner::new(format).unwrap();
    files.iter().for_each(|file| joiner.add(file, 1, MAX).unwrap());
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
    assert!(Joiner::new(Format::Png).is_none());
    assert!(Joiner::new(Format::Xlsx).is_none());
}

#[test]
fn what_becomes_too_large_is_refused_at_the_file_that_is_too_much() {
    for format in [Format::Pdf, Format::Zpl] {
        let file = label(1, format);
        let bytes_max = file.len() + 3000;
        let mut joiner = Joiner::new(format).unwrap();
        joiner.add(&file, 1, bytes_max).unwrap();
        let mut added = 1;
        let refused = loop {
            match joiner.add(&label(1 + added, format), 1, bytes_max) {
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
    let mut joiner = Joiner::new(Format::Pdf).unwrap();
    assert!(joiner.add(b"%PDF-1.7 and no more", 1, MAX).is_err());
    assert!(joiner.add(b"", 1, MAX).is_err());
    let mut file = File::load_mem(&knotted()).unwrap();
    let mut last = file.add_object(Object::Null);
    for _ in 0..50_000 {
        last = file.add_object(dictionary! { "Next" => last });
    }
    let page = file.page_iter().next().unwrap();
    file.get_dictionary_mut(page).unwrap().set("Chain", last);
    let mut bytes = Vec::new();
    file.save_to(&mut bytes).unwrap();
    joiner.add(&bytes, 1, MAX).unwrap();
    assert_eq!(joiner.finish().1, 1);
}

/// A file of so many pages that have nothing of their own, and inherit these resources. Each page
/// is listed as often as is said.
fn heirs(resources: Dictionary, pages: usize, times: usize) -> Vec<u8> {
    let mut file = File::with_version("1.5");
    let tree = file.new_object_id();
    let page = dictionary! { "Type" => "Page", "Parent" => tree };
    let ids: Vec<_> = (0..pages).map(|_| file.add_object(page.clone())).collect();
    let kids = (0..times).flat_map(|_| &ids).map(|id| Object::from(*id)).collect::<Vec<_>>();
    let tree_entries = dictionary! {
        "Type" => "Pages", "Count" => kids.len() as i64, "Kids" => kids, "Resources" => resources,
        "MediaBox" => vec![0.into(), 0.into(), 283.into(), 425.into()],
    };
    file.objects.insert(tree, Object::Dictionary(tree_entries));
    let catalog = file.add_object(dictionary! { "Type" => "Catalog", "Pages" => tree });
    file.trailer.set("Root", catalog);
    let mut bytes = Vec::new();
    file.save_to(&mut bytes).unwrap();
    bytes
}

#[test]
fn a_small_file_whose_pages_inherit_much_is_refused_before_that_is_written() {
    let much = Object::string_literal("x".repeat(100_000));
    let file = heirs(dictionary! { "Much" => much }, 200, 1);
    let bytes_max = 1_000_000;
    let mut joiner = Joiner::new(Format::Pdf).unwrap();
    let refused = joiner.add(&file, 1, bytes_max).unwrap_err();
    assert_eq!(refused.message.key(), "merge-too-large");
    assert!(joiner.size() <= bytes_max, "{} bytes were written", joiner.size());
}

#[test]
fn the_table_of_objects_counts_and_there_are_only_so_many() {
    let file = |first: i64| {
        let mut file = File::load_mem(&heirs(dictionary! {}, 1, 1)).unwrap();
        let many = (first..first + 90_000).map(|number| file.add_object(number).into()).collect();
        let page = file.page_iter().next().unwrap();
        file.get_dictionary_mut(page).unwrap().set("Many", Object::Array(many));
        let mut bytes = Vec::new();
        file.save_to(&mut bytes).unwrap();
        bytes
    };
    let mut joiner = Joiner::new(Format::Pdf).unwrap();
    let mut add = |number: i64| joiner.add(&file(1_000_000 + 90_000 * number), 1, MAX);
    (0..5).for_each(|number| add(number).unwrap());
    assert_eq!(add(5).unwrap_err().message.key(), "merge-objects");
    let size = joiner.size();
    let made = joiner.finish().0.len();
    assert!(size <= made && made < size + 1000, "{size} became {made}");
}

#[test]
fn a_page_that_is_listed_twice_is_there_twice_and_nothing_is_missing() {
    let (bytes, pages) = joined(Format::Pdf, &[heirs(dictionary! {}, 2, 2)]);
    let file = File::load_mem(&bytes).unwrap();
    assert_eq!(file.page_iter().count(), pages as usize);
    assert!(!bytes.windows(20).any(|row| row == b"0000000000 00000 n\r\n"));
}

#[test]
fn a_file_whose_layers_are_not_all_printed_is_not_joined() {
    let layers = |usual: Dictionary| {
        let mut file = File::load_mem(&knotted()).unwrap();
        let layer = file.add_object(dictionary! {
            "Type" => "OCG", "Name" => Object::string_literal("Draft"),
            "Usage" => dictionary! { "Print" => dictionary! { "PrintState" => "OFF" } },
        });
        let mut usual = usual;
        for (key, entry) in [(&b"OFF"[..], "OFF"), (b"AS", "AS")] {
            if usual.has(key) {
                let rule = dictionary! { "Event" => "Print", "OCGs" => vec![layer.into()] };
                let item = if key == b"AS" { Object::from(rule) } else { layer.into() };
                let list = file.add_object(vec![item]);
                usual.set(entry, list);
            }
        }
        let usual = file.add_object(usual);
        let all = dictionary! { "OCGs" => vec![layer.into()], "D" => usual };
        file.catalog_mut().unwrap().set("OCProperties", all);
        let mut bytes = Vec::new();
        file.save_to(&mut bytes).unwrap();
        Joiner::new(Format::Pdf).unwrap().add(&bytes, 1, MAX)
    };
    for off in [
        dictionary! { "OFF" => Object::Null },
        dictionary! { "AS" => Object::Null },
        dictionary! { "BaseState" => "OFF" },
    ] {
        assert_eq!(layers(off).unwrap_err().message.key(), "merge-layers");
    }
    for on in [dictionary! {}, dictionary! { "BaseState" => "ON" }] {
        layers(on).unwrap();
    }
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

#[test]
fn one_page_of_a_file_is_taken_alone() {
    let three: Vec<Vec<u8>> = (0..3).map(|number| label(number, Format::Pdf)).collect();
    let (bytes, _) = joined(Format::Pdf, &three);
    let mut joiner = Joiner::new(Format::Pdf).unwrap();
    joiner.add_page(&bytes, 1, MAX).unwrap();
    assert!(joiner.add_page(&bytes, 3, MAX).is_err(), "there is no fourth page");
    let mut joiner = Joiner::new(Format::Pdf).unwrap();
    joiner.add_page(&bytes, 1, MAX).unwrap();
    let (one, pages) = joiner.finish();
    assert_eq!(pages, 1);
    let path = scratch("merge-one").join("label.pdf");
    std::fs::write(&path, one).unwrap();
    let text = tool("pdftotext", &[path.to_str().unwrap(), "-"]);
    assert!(text.contains("Receiver 0001"), "{text}");
    assert!(!text.contains("Receiver 0000") && !text.contains("Receiver 0002"), "{text}");
    assert!(Joiner::new(Format::Zpl).unwrap().add_page(b"^XA^XZ", 0, MAX).is_err());
}

/// Links that shops keep name what their file hashes to, and the file is made anew when one is
/// opened. Where this changes, links that were given away lead to nothing: then the way in which
/// files were joined before has to stay beside the new one for a year.
#[test]
fn what_is_joined_is_the_same_bytes_in_every_release() {
    let files = ["one.pdf", "two.pdf"].map(|name| {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/links/");
        std::fs::read(format!("{path}{name}")).unwrap()
    });
    let mut joiner = Joiner::new(Format::Pdf).unwrap();
    joiner.add(&files[0], 1, MAX).unwrap();
    joiner.add_page(&files[1], 1, MAX).unwrap();
    joiner.add(&files[1], 1, MAX).unwrap();
    let (bytes, pages) = joiner.finish();
    assert_eq!(pages, 4);
    let digest = Sha256::digest(&bytes);
    let digest: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(digest, "8d608f810c239e4c8b3e1801a62b591e88250f84ffcbd8263213ae0816a60846");
}
