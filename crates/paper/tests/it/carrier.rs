//! Files that carriers make: measured, split, or refused.

use lopdf::{Document as File, Object, dictionary};
use waybill_domain::document::{CARRIER_FILE_BYTES_MAX, Format};
use waybill_paper::{Dpi, Expected, inspect};

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

#[test]
fn a_picture_that_does_not_say_its_size_has_the_one_that_was_ordered() {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, 832, 1216);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.write_header().unwrap().write_image_data(&vec![255; 832 * 1216]).unwrap();
    assert_eq!(refusal(&bytes, Format::Png), "document-no-size");
    let ordered = Expected { dpi: Dpi::Dpi203, width_mm: Some(105.0), height_mm: Some(148.0) };
    let parts = inspect(&bytes, Format::Png, ordered).unwrap();
    assert_eq!((parts[0].measured.width_mm, parts[0].measured.height_mm), (105.0, 148.0));
}

/// Storage, networks, settings, answers, other prefixes: one of each, and some more.
const MORE: &str = "\
^CC/ ^CT- ^CD; ~CC/ ~CT- ~CD; ^DFR:A.ZPL ^XFR:A.ZPL ^ISR:A.GRF,N ^ILR:A.GRF ^IDR:*.* \
^IDR:A?.GRF ^IDR: ^ID ^IDA.GRF ^IDE:A.GRF ^IDB:A.GRF ^IMR:A.GRF ^XGE:A.GRF,1,1 ^XGA.GRF,1,1 \
~DGE:A.GRF,1,1,00 ~DGB:A.GRF,1,1,00 ~DGA.GRF,1,1,00 ~DGR:A.GRF ~DGR:A.GRF,0,1,00 \
~DGR:A.GRF,99999999,1,00 ~DGR:A.GRF,1,1,\u{80} ~DGR:*.GRF,1,1,00 ~XGR:A.GRF,1,1 ~XA \
^DGR:A.GRF,1,1,00 ^JMB ~JM ~PF ~DYR:A,A,T,1,,00 ~DB ~DS ~DT ~DU ~EG ^EG ^DN \
~DN ^TO ~JR ^JUS ^JUF ~JS ^JZ ^JB ~JC ~JD ~JE ~JG ~JL ~JN ~JO ~JP ~JX ^KN ^KP ^KD ^KL \
^ND ^NI ~NC ~NR ~NT ^NS ~WC ~WL ^WD ~HI ~HM ~HS ^HW ^HZ ^HH ^HF ^HG ^HV ^HT ^SC ^SE ^SL \
^SO ^SP ^SQ ^SR ^SS ^ST ^SX ^SZ ^MP ^CM ^CO ^CV ^FL ^LF ^PQ999 \
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

/// A label of 105 × 190 mm in the shape that carries its length first, opens twice and closes once,
/// names fonts of the printer and says no width.
const OPENED_TWICE: &str = "^XA^LL1520^LH0,0^CI28^PON\n^CWZ,E:TT0003M_.FNT\n^XA\n\
^FO40,60^A@N,30,30,E:TT0003M_.FNT^FDNordic Parcels^FS\n^FO40,120^AZN,28,28^FDAda Jensen^FS\n\
^BY3^FO60,300^BCN,200,N,N,N^FD>;>800370730100000000001^FS\n^XZ\n";
/// A width and no length.
const WITHOUT_LENGTH: &str = "^XA^CF,0,0,0^PR12^MD30^PW800^POI^CI13^LH0,20\n\
^FO12,139^GB753,0,2^FS^FO20,24^A0,30,30^FDSHIP TO^FS\n^FO80,500^BY2,3^B7N,10,5,14^FH^FDdata^FS^XZ";
/// A prologue of settings for one label, and another width.
const WITH_PROLOGUE: &str = "^XA^LRN^MNY^MFN,N^LH10,12^MCY^POI^PW812^CI27\n\
^FO15,10^A0N,20,24^FVAda Jensen^FS\n^FO14,400^BD3^FH^FD003840123450000_1D96^FS\n\
^JMA^PF0^PN1^ZZ5,Y^XZ";
/// A logo that is loaded, drawn and removed.
const WITH_LOGO: &str = "~DGR:LOGO.GRF,8,2,FFFF8001\n8001FFFF\n^XA^PW824^LL1200\n\
^FO30,30^XGR:LOGO.GRF,1,1^FS^FO30,90^A0N,30^FDExpress^FS^XZ\n^XA^IDR:LOGO.GRF^FS^XZ";

#[test]
fn labels_in_the_shapes_that_carriers_send_are_passed_on() {
    let size = |zpl: &str, width_mm, height_mm| {
        let expected = Expected { dpi: Dpi::Dpi203, width_mm, height_mm };
        let parts = inspect(zpl.as_bytes(), Format::Zpl, expected).unwrap();
        assert_eq!(parts[0].bytes, zpl.as_bytes(), "as it came");
        let measured = parts[0].measured;
        (measured.width_mm, measured.height_mm, measured.page_count)
    };
    assert_eq!(size(OPENED_TWICE, Some(105.0), None), (105.0, 190.0, 1));
    assert_eq!(size(WITHOUT_LENGTH, None, Some(152.0)), (100.0, 152.0, 1));
    assert_eq!(size(WITH_PROLOGUE, None, Some(152.4)), (101.5, 152.4, 1));
    assert_eq!(size(WITH_LOGO, None, None), (103.0, 150.0, 1));
}

#[test]
fn a_size_that_the_label_tells_counts_more_than_the_one_that_was_ordered() {
    let expected =
        Expected { dpi: Dpi::Dpi203, width_mm: Some(50.0), height_mm: Some(f64::INFINITY) };
    let parts = inspect(b"^XA^PW800^LL1200^FDx^FS^XZ", Format::Zpl, expected).unwrap();
    assert_eq!((parts[0].measured.width_mm, parts[0].measured.height_mm), (100.0, 150.0));
    let refused = inspect(WITHOUT_LENGTH.as_bytes(), Format::Zpl, expected).unwrap_err();
    assert_eq!(refused.message.key(), "document-no-size");
    assert_eq!(refusal(OPENED_TWICE.as_bytes(), Format::Zpl), "document-no-size");
    assert_eq!(refusal(WITHOUT_LENGTH.as_bytes(), Format::Zpl), "document-no-size");
}

#[test]
fn a_label_that_is_opened_twice_still_has_to_be_closed() {
    let open = OPENED_TWICE.replace("^XZ", "");
    assert_eq!(refusal(open.as_bytes(), Format::Zpl), "document-not-zpl");
}

#[test]
fn a_file_as_large_as_an_answer_may_be_is_taken() {
    let ends = ["^XA^PW800^LL1200^FX", "^FS^FDx^FS^XZ"];
    let said = ends.iter().map(|end| end.len()).sum::<usize>();
    let label = ends.join(&"x".repeat(CARRIER_FILE_BYTES_MAX - said));
    assert_eq!(label.len(), CARRIER_FILE_BYTES_MAX);
    assert_eq!(sizes(label.as_bytes(), Format::Zpl).len(), 1);
}

#[test]
fn bombs_are_refused_quickly() {
    let pages = vec![boxed([0, 0, 283, 425]); 1_001];
    assert_eq!(refusal(&pdf(&pages), Format::Pdf), "document-too-large");
    assert_eq!(refusal(&pdf(&[boxed([0, 0, 1, 1])]), Format::Pdf), "document-no-size");
    assert_eq!(refusal(&pdf(&[boxed([0, 0, 99_999, 99_999])]), Format::Pdf), "document-no-size");
    let endless = vec![b'^'; CARRIER_FILE_BYTES_MAX + 1];
    assert_eq!(refusal(&endless, Format::Zpl), "document-too-large");
    let mut huge = Vec::new();
    let mut encoder = png::Encoder::new(&mut huge, 60_000, 60_000);
    encoder.set_depth(png::BitDepth::One);
    // The header alone claims the size; nothing is unpacked to find out.
    drop(encoder.write_header().unwrap());
    assert_eq!(refusal(&huge, Format::Png), "document-too-large");
}
