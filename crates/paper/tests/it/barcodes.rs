//! Every barcode of every paper is read from pictures by readers that are not ours: zbar and
//! ZXing's port, in PNG, in PDF as poppler draws it, and in ZPL as two printers draw it.

use rxing::common::HybridBinarizer;
use rxing::{BinaryBitmap, DecodeHints, Luma8LuminanceSource, MultiFormatReader, Reader};
use waybill_domain::document::Format;
use waybill_paper::{Code, Document, Dpi, Mark, Symbology};

use crate::support::{
    PAPERS, PRESS, Picture, document, labelize, page, picture, poppler, scratch, zbar,
};

fn codes(document: &Document) -> impl Iterator<Item = &Code> {
    document.pages.iter().flat_map(|page| page.codes())
}

/// What ZXing's port reads in the area of a barcode.
fn read(picture: &Picture, code: &Code, per_mm: f32) -> Option<String> {
    let dots = |mm: f32| (mm * per_mm).round() as i64;
    let area = code.area;
    let part = picture.crop(
        dots(area.x - 0.5),
        dots(area.y - 0.5),
        dots(area.width + 1.0),
        dots(area.height + 1.0),
    );
    let source = Luma8LuminanceSource::new(part.luma, part.width, part.height).ok()?;
    let mut bitmap = BinaryBitmap::new(HybridBinarizer::new(source));
    let hints = DecodeHints { TryHarder: Some(true), ..DecodeHints::default() };
    let found = MultiFormatReader::default().decode_with_hints(&mut bitmap, &hints).ok()?;
    Some(found.getText().to_owned())
}

#[track_caller]
fn all_read(picture: &Picture, document: &Document, per_mm: f32, what: &str) {
    for code in codes(document) {
        let said = read(picture, code, per_mm).map(|said| said.replace('\u{1d}', ""));
        let content = code.symbol.content.replace('\u{1d}', "");
        assert_eq!(said.as_deref(), Some(content.as_str()), "{what} {}", code.name);
    }
}

#[test]
fn every_symbol_in_a_png_is_read_at_both_resolutions() {
    for (name, _) in PAPERS {
        let document = document(name);
        for index in 0..document.pages.len() {
            let single = page(&document, index);
            for (dpi, per_mm) in [(Dpi::Dpi203, 8.0), (Dpi::Dpi300, 11.811)] {
                let file = PRESS.render(&single, Format::Png, dpi).unwrap();
                all_read(&picture(&file.bytes), &single, per_mm, name);
            }
        }
    }
}

#[test]
fn every_symbol_in_a_pdf_is_read_as_poppler_draws_it() {
    let folder = scratch("barcodes-pdf");
    for (name, _) in PAPERS {
        let document = document(name);
        let file = PRESS.render(&document, Format::Pdf, Dpi::Dpi203).unwrap();
        let path = folder.join(format!("{name}.pdf"));
        std::fs::write(&path, &file.bytes).unwrap();
        let pages = poppler(&path, "203.2");
        assert_eq!(pages.len(), document.pages.len(), "{name}");
        for (index, picture) in pages.iter().enumerate() {
            all_read(picture, &page(&document, index), 8.0, name);
        }
    }
}

#[test]
fn every_symbol_in_zpl_is_read_as_printers_draw_it() {
    for (name, _) in PAPERS.iter().filter(|(name, _)| *name != "a4") {
        let document = document(name);
        let file = PRESS.render(&document, Format::Zpl, Dpi::Dpi203).unwrap();
        let own = PRESS.preview(&file.bytes, Dpi::Dpi203).unwrap();
        let size = (document.pages[0].width, document.pages[0].height);
        let other = labelize(&file.bytes, size, 8);
        assert_eq!((own.len(), other.len()), (document.pages.len(), document.pages.len()));
        for index in 0..document.pages.len() {
            let single = page(&document, index);
            all_read(&picture(&own[index]), &single, 8.0, &format!("own {name}"));
            all_read(&other[index], &single, 8.0, &format!("labelize {name}"));
        }
    }
}

#[test]
fn zbar_reads_bars_and_qr_on_whole_pages() {
    let folder = scratch("zbar");
    for (name, _) in PAPERS {
        let document = document(name);
        let known = codes(&document).filter(|code| {
            matches!(
                code.symbol.symbology,
                Symbology::Code128 | Symbology::Gs1Code128 | Symbology::Qr
            )
        });
        let known: Vec<String> = known.map(|code| code.symbol.content.clone()).collect();
        if known.is_empty() {
            continue;
        }
        let mut read = Vec::new();
        for index in 0..document.pages.len() {
            let single = page(&document, index);
            if codes(&single).next().is_none() {
                continue;
            }
            let file = PRESS.render(&single, Format::Png, Dpi::Dpi203).unwrap();
            let path = folder.join(format!("{name}-{index}.png"));
            std::fs::write(&path, &file.bytes).unwrap();
            read.extend(zbar(&path));
        }
        for content in &known {
            assert!(read.contains(content), "{name}: {content} not in {read:?}");
        }
    }
}

#[test]
fn a_spoiled_file_does_not_pass_the_self_check() {
    // Text across the bars is what a careless layout would do.
    let mut document = document("label");
    let bars = codes(&document).last().unwrap().area;
    let line = waybill_paper::Area::new(bars.x, bars.y + 10.0, bars.width, 1.0);
    document.pages[0].marks.push(Mark::Fill(line));
    assert!(PRESS.render(&document, Format::Png, Dpi::Dpi203).is_err());
}
