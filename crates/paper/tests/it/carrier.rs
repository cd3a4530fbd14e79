//! Files that carriers make: measured, split, or refused.

use lopdf::{Document as File, Object, dictionary};
use waybill_domain::document::Format;
use waybill_paper::{Dpi, inspect};

use crate::support::{PRESS, document, page};

fn sizes(bytes: &[u8], format: Format) -> Vec<(f64, f64, u32)> {
    let parts = inspect(bytes, format, Dpi::Dpi203).unwrap();
    let size = |part: &waybill_paper::Part| {
        (part.measured.width_mm, part.measured.height_mm, part.measured.page_count)
    };
    parts.iter().map(size).collect()
}

fn refusal(bytes: &[u8], format: Format) -> &'static str {
    inspect(bytes, format, Dpi::Dpi203).unwrap_err().message.key()
}

/// A PDF file with pages of these boxes.
fn pdf(pages: &[lopdf::Dictionary]) -> Vec<u8> {
    let mut file = File::with_version("1.5");
    let tree = file.new_object_id();
    let kids: Vec<Object> = pages
        .iter()
        .map(|page| {
            let mut page = page.clone();
            page.set("Type", "Page");
            page.set("Parent", tree);
            file.add_object(page).into()
        })
        .collect();
    let count = kids.len() as i64;
    let inherited = vec![0.into(), 0.into(), 300.into(), 400.into()];
    let mut node = dictionary! { "Type" => "Pages", "Kids" => kids, "Count" => count };
    node.set("MediaBox", inherited);
    file.objects.insert(tree, node.into());
    let catalog = file.add_object(dictionary! { "Type" => "Catalog", "Pages" => tree });
    file.trailer.set("Root", catalog);
    let mut bytes = Vec::new();
    file.save_to(&mut bytes).unwrap();
    bytes
}

fn boxed(sides: [i64; 4]) -> lopdf::Dictionary {
    dictionary! { "MediaBox" => sides.iter().map(|side| (*side).into()).collect::<Vec<Object>>() }
}

#[test]
fn pages_are_measured_in_finished_orientation() {
    let mut turned = boxed([0, 0, 283, 425]);
    turned.set("Rotate", 90);
    assert_eq!(sizes(&pdf(&[turned]), Format::Pdf), [(149.93, 99.84, 1)]);
    let mut cropped = boxed([0, 0, 595, 842]);
    cropped.set("CropBox", vec![0.into(), 0.into(), 283.into(), 425.into()]);
    assert_eq!(sizes(&pdf(&[cropped]), Format::Pdf), [(99.84, 149.93, 1)]);
    let bare = dictionary! {};
    assert_eq!(sizes(&pdf(&[bare]), Format::Pdf), [(105.83, 141.11, 1)]);
}

#[test]
fn a_file_with_different_page_sizes_is_split() {
    let (label, a4) = (boxed([0, 0, 283, 425]), boxed([0, 0, 595, 842]));
    let bytes = pdf(&[label.clone(), a4.clone(), label]);
    let parts = inspect(&bytes, Format::Pdf, Dpi::Dpi203).unwrap();
    assert_eq!(sizes(&bytes, Format::Pdf), [(99.84, 149.93, 2), (209.9, 297.04, 1)]);
    for part in parts {
        let again = inspect(&part.bytes, Format::Pdf, Dpi::Dpi203).unwrap();
        assert_eq!(again.len(), 1);
        assert_eq!(again[0].measured, part.measured);
    }
}

#[test]
fn our_own_files_are_measured_like_any_other() {
    let document = document("scripts");
    for format in [Format::Pdf, Format::Zpl] {
        let file = PRESS.render(&document, format, Dpi::Dpi203).unwrap();
        let size = (file.width_mm, file.height_mm, file.page_count);
        assert_eq!(sizes(&file.bytes, format), [size]);
    }
    let file = PRESS.render(&page(&document, 0), Format::Png, Dpi::Dpi300).unwrap();
    assert_eq!(sizes(&file.bytes, Format::Png).len(), 1);
}

#[test]
fn a_file_that_is_not_what_it_says_is_refused() {
    let png = PRESS.render(&document("label"), Format::Png, Dpi::Dpi203).unwrap().bytes;
    let pdf = PRESS.render(&document("label"), Format::Pdf, Dpi::Dpi203).unwrap().bytes;
    let zpl = PRESS.render(&document("label"), Format::Zpl, Dpi::Dpi203).unwrap().bytes;
    assert_eq!(refusal(&png, Format::Pdf), "document-not-pdf");
    assert_eq!(refusal(&zpl, Format::Pdf), "document-not-pdf");
    assert_eq!(refusal(b"<html>error</html>", Format::Pdf), "document-not-pdf");
    assert_eq!(refusal(&pdf, Format::Png), "document-not-png");
    assert_eq!(refusal(&png[..png.len() / 2], Format::Png), "document-not-png");
    assert_eq!(refusal(&pdf, Format::Zpl), "document-not-zpl");
    assert_eq!(refusal(b"", Format::Zpl), "document-not-zpl");
    assert_eq!(refusal(b"^XA^PW800^LL1200^FDno end^FS", Format::Zpl), "document-not-zpl");
    assert_eq!(refusal(b"^XA^FDno size^FS^XZ", Format::Zpl), "document-no-size");
}

/// Storage, networks, settings, answers, other prefixes: one of each, and some more.
const MORE: &str = "\
^CC/ ^CT- ^CD; ~CC/ ~CT- ~CD; ^DFR:A.ZPL ^XFR:A.ZPL ^ISR:A.GRF,N ^ILR:A.GRF ^IDR:*.* \
^IMR:A.GRF ^XGR:A.GRF,1,1 ~DGR:A.GRF,1,1,00 ~DYR:A,A,T,1,,00 ~DB ~DS ~DT ~DU ~EG ^EG ^DN \
~DN ^TO ~JR ^JUS ^JUF ~JS ^JZ ^JB ~JC ~JD ~JE ~JG ~JL ~JN ~JO ~JP ~JX ^KN ^KP ^KD ^KL \
^ND ^NI ~NC ~NR ~NT ^NS ~WC ~WL ^WD ~HI ~HM ~HS ^HW ^HZ ^HH ^HF ^HG ^HV ^HT ^SC ^SE ^SL \
^SO ^SP ^SQ ^SR ^SS ^ST ^SX ^SZ ^MP ^CM ^CO ^CV ^CW ^FL ^LF ^A@N,30,30,E:A.TTF ^PQ999 \
^GFB,1,1,1,x ^RF ^WT ^RS";
/// Those with spaces or control characters in them.
const ODD: [&str; 4] = ["! U1 setvar \"x\" \"y\"", "^FS! U1 do", "\x10JR", "\x1eDFR:A"];

#[test]
fn zpl_that_does_more_than_draw_is_refused() {
    for command in MORE.split(' ').chain(ODD) {
        let zpl = format!("^XA^PW800^LL1200{command}^FO1,1^FDx^FS^XZ");
        let refused = inspect(zpl.as_bytes(), Format::Zpl, Dpi::Dpi203);
        assert!(refused.is_err(), "{command}");
    }
    for gap in ["! U1 do \"x\"^XA", "text^XA"] {
        let zpl = format!("{gap}^PW800^LL1200^FO1,1^FDx^FS^XZ");
        assert_eq!(refusal(zpl.as_bytes(), Format::Zpl), "document-not-zpl", "{gap}");
    }
}

#[test]
fn bombs_are_refused_quickly() {
    let pages = vec![boxed([0, 0, 283, 425]); 1_001];
    assert_eq!(refusal(&pdf(&pages), Format::Pdf), "document-too-large");
    assert_eq!(refusal(&pdf(&[boxed([0, 0, 1, 1])]), Format::Pdf), "document-no-size");
    assert_eq!(refusal(&pdf(&[boxed([0, 0, 99_999, 99_999])]), Format::Pdf), "document-no-size");
    assert_eq!(refusal(&vec![b'^'; 21 * 1024 * 1024], Format::Zpl), "document-too-large");
    let mut huge = Vec::new();
    let mut encoder = png::Encoder::new(&mut huge, 60_000, 60_000);
    encoder.set_depth(png::BitDepth::One);
    // The header alone claims the size; nothing is unpacked to find out.
    drop(encoder.write_header().unwrap());
    assert_eq!(refusal(&huge, Format::Png), "document-too-large");
}
