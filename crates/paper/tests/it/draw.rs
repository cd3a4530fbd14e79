//! tmp
use crate::support::*;
use waybill_domain::document::Format;
use waybill_paper::Dpi;
#[test]
fn tmp() {
    for (name, _) in PAPERS {
        let d = document(name);
        let pdf =
            PRESS.render(&d, Format::Pdf, Dpi::Dpi203).unwrap_or_else(|e| panic!("{name} {e:?}"));
        std::fs::write(format!("/tmp/scratch/out/{name}.pdf"), &pdf.bytes).unwrap();
        let zpl =
            PRESS.render(&d, Format::Zpl, Dpi::Dpi203).unwrap_or_else(|e| panic!("{name} {e:?}"));
        println!("{name} pages {} pdf {} zpl {}", pdf.page_count, pdf.bytes.len(), zpl.bytes.len());
        for i in 0..d.pages.len() {
            for dpi in [Dpi::Dpi203, Dpi::Dpi300] {
                let png = PRESS
                    .render(&page(&d, i), Format::Png, dpi)
                    .unwrap_or_else(|e| panic!("{name} {e:?}"));
                std::fs::write(format!("/tmp/scratch/out/{name}-{i}-{dpi:?}.png"), &png.bytes)
                    .unwrap();
            }
        }
    }
}
