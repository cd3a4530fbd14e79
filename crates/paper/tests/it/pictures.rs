//! Pages as pictures for screens: what is on the page is in the picture, and readers that are not
//! ours read its bars.

use waybill_domain::document::Format;
use waybill_paper::{Document, Dpi, Joiner, Symbology, Wanted, is_drawable, picture as drawn};

use crate::support::{PAPERS, PRESS, Picture, document, page, picture, poppler, scratch, zbar};

fn wanted(page: u32, width: u32) -> Wanted {
    Wanted { page, width, size_mm: None }
}

/// The bars that zbar knows.
fn bars(document: &Document) -> Vec<String> {
    let known = [Symbology::Code128, Symbology::Gs1Code128, Symbology::Qr];
    let codes = document.pages.iter().flat_map(|page| page.codes());
    let codes = codes.filter(|code| known.contains(&code.symbol.symbology));
    codes.map(|code| code.symbol.content.clone()).collect()
}

#[test]
fn the_bars_of_every_paper_are_read_in_a_picture_of_800_dots() {
    let folder = scratch("pictures");
    for (name, _) in PAPERS {
        let document = document(name);
        for format in [Format::Pdf, Format::Zpl, Format::Png] {
            for index in 0..document.pages.len() {
                let single = page(&document, index);
                let whole = if format == Format::Png { &single } else { &document };
                let number = if format == Format::Png { 1 } else { index as u32 + 1 };
                let file = PRESS.render(whole, format, Dpi::Dpi203).unwrap().bytes;
                let bytes = drawn(file, format, wanted(number, 800)).unwrap();
                assert_eq!(picture(&bytes).width, 800, "{name} {format:?}");
                let path = folder.join(format!("{name}-{index}-{}.png", format.name()));
                std::fs::write(&path, &bytes).unwrap();
                let expected = bars(&single);
                let read = if expected.is_empty() { Vec::new() } else { zbar(&path) };
                for content in expected {
                    assert!(
                        read.contains(&content),
                        "{name} {format:?}: {content} not in {read:?}"
                    );
                }
            }
        }
    }
}

/// How much ink is in each of so many fields of a picture, from 0 to 1.
fn ink(picture: &Picture, across: u32, down: u32) -> Vec<f64> {
    let mut fields = vec![(0.0, 0.0); (across * down) as usize];
    for (index, luma) in (0_u32..).zip(&picture.luma) {
        let (x, y) = (index % picture.width, index / picture.width);
        let field = (y * down / picture.height) * across + x * across / picture.width;
        let (ink, dots) = &mut fields[field as usize];
        *ink += 1.0 - f64::from(*luma) / 255.0;
        *dots += 1.0;
    }
    fields.into_iter().map(|(ink, dots)| ink / dots).collect()
}

#[test]
fn a_page_of_a_pdf_file_looks_as_poppler_draws_it() {
    let folder = scratch("pictures-poppler");
    for name in ["label", "handling", "cn23", "commercial_invoice", "scripts", "manifest"] {
        let file = PRESS.render(&document(name), Format::Pdf, Dpi::Dpi203).unwrap().bytes;
        let path = folder.join(format!("{name}.pdf"));
        std::fs::write(&path, &file).unwrap();
        for (number, theirs) in (1..).zip(poppler(&path, "150")) {
            let bytes = drawn(file.clone(), Format::Pdf, wanted(number, theirs.width)).unwrap();
            let ours = picture(&bytes);
            assert!(ours.height.abs_diff(theirs.height) <= 1, "{name}");
            let fields = ink(&ours, 20, 30).into_iter().zip(ink(&theirs, 20, 30));
            for (field, (ours, theirs)) in fields.enumerate() {
                assert!((ours - theirs).abs() < 0.06, "{name} {field}: {ours} {theirs}");
            }
        }
    }
}

#[test]
fn a_page_beyond_the_last_and_what_is_not_a_file_have_no_picture() {
    for format in [Format::Pdf, Format::Zpl] {
        let file = PRESS.render(&document("label"), format, Dpi::Dpi203).unwrap().bytes;
        assert!(drawn(file, format, wanted(2, 100)).is_err(), "{format:?}");
    }
    for format in [Format::Pdf, Format::Zpl, Format::Png, Format::Xlsx] {
        assert!(drawn(b"nothing".to_vec(), format, wanted(1, 100)).is_err(), "{format:?}");
        assert!(drawn(Vec::new(), format, wanted(1, 100)).is_err(), "{format:?}");
    }
}

#[test]
fn each_label_of_joined_zpl_is_found_by_its_number() {
    let names = ["label", "return", "handling"];
    let mut joiner = Joiner::new(Format::Zpl).unwrap();
    let files = names.map(|name| PRESS.render(&document(name), Format::Zpl, Dpi::Dpi203).unwrap());
    files.iter().for_each(|file| joiner.add(&file.bytes, file.page_count, 1 << 20).unwrap());
    let (joined, count) = joiner.finish();
    let mut number = 0;
    for file in &files {
        for page in 1..=file.page_count {
            number += 1;
            let alone = drawn(file.bytes.clone(), Format::Zpl, wanted(page, 300)).unwrap();
            assert_eq!(drawn(joined.clone(), Format::Zpl, wanted(number, 300)).unwrap(), alone);
        }
    }
    assert_eq!(number, count);
}

#[test]
fn a_carriers_zpl_has_a_picture_when_all_of_it_can_be_drawn() {
    let drawable = |zpl: &str, size| is_drawable(&PRESS, zpl.as_bytes(), size);
    let ours = PRESS.render(&document("label"), Format::Zpl, Dpi::Dpi300).unwrap().bytes;
    assert!(is_drawable(&PRESS, &ours, None));
    let plain = "^XA^FO40,40^A0N,30,30^FDhello^FS^XZ";
    assert!(!drawable(plain, None), "nobody knows its size");
    assert!(drawable(plain, Some((100.0, 150.0))));
    let sized = Wanted { page: 1, width: 400, size_mm: Some((100.0, 150.0)) };
    let bytes = drawn(plain.as_bytes().to_vec(), Format::Zpl, sized).unwrap();
    assert_eq!((picture(&bytes).width, picture(&bytes).height), (400, 600));
    for strange in [
        "^XA^PW800^LL1200^FO1,1^B7N,5,5^FDx^FS^XZ",
        "~DGR:LOGO.GRF,8,2,FFFF8001^XA^PW800^LL1200^FO1,1^XGR:LOGO.GRF,1,1^FS^XZ",
        "^XA^PW800^LL1200^FO1,1^A0N,30^FDx^FS^XZ^XA^PW800^LL1200^FWR^FO1,1^FDx^FS^XZ",
    ] {
        assert!(!drawable(strange, Some((100.0, 150.0))), "{strange}");
    }
}

#[test]
fn pictures_of_every_kind_of_png_keep_their_colours() {
    use png::{BitDepth, ColorType};
    let file = |kind: ColorType, depth: BitDepth, data: &[u8], palette: Option<&[u8]>| {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, 2, 1);
        encoder.set_color(kind);
        encoder.set_depth(depth);
        if let Some(palette) = palette {
            encoder.set_palette(palette.to_vec());
        }
        encoder.write_header().unwrap().write_image_data(data).unwrap();
        drawn(bytes, Format::Png, wanted(1, 50)).unwrap()
    };
    let ends = |bytes: &[u8]| {
        let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
        let mut data = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut data).unwrap();
        let samples = info.color_type.samples();
        let row = &data[..info.line_size];
        (row[..samples].to_vec(), row[row.len() - samples..].to_vec())
    };
    let grey = |one: u8, other: u8| (vec![one], vec![other]);
    let (one, eight) = (BitDepth::One, BitDepth::Eight);
    assert_eq!(ends(&file(ColorType::Grayscale, one, &[0b0100_0000], None)), grey(0, 255));
    assert_eq!(ends(&file(ColorType::Grayscale, eight, &[9, 200], None)), grey(9, 200));
    let sixteen = file(ColorType::Grayscale, BitDepth::Sixteen, &[9, 0, 200, 0], None);
    assert_eq!(ends(&sixteen), grey(9, 200));
    // What is transparent is white paper.
    let alpha = file(ColorType::GrayscaleAlpha, eight, &[0, 0, 50, 255], None);
    assert_eq!(ends(&alpha), grey(255, 50));
    let red_and_blue = (vec![255, 0, 0], vec![0, 0, 255]);
    let rgb = file(ColorType::Rgb, eight, &[255, 0, 0, 0, 0, 255], None);
    assert_eq!(ends(&rgb), red_and_blue);
    let rgba = file(ColorType::Rgba, eight, &[255, 0, 0, 255, 0, 0, 255, 255], None);
    assert_eq!(ends(&rgba), red_and_blue);
    let palette: &[u8] = &[255, 0, 0, 0, 0, 255];
    assert_eq!(ends(&file(ColorType::Indexed, one, &[0b0100_0000], Some(palette))), red_and_blue);
}
