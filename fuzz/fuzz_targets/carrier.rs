//! Files of carriers: any bytes are measured or refused, and what is split is measured alike.

#![no_main]

use libfuzzer_sys::fuzz_target;
use waybill_domain::document::Format;
use waybill_fuzz::paper::PRESS;
use waybill_paper::{Dpi, Expected, inspect};

/// What was ordered, for labels that do not say their size.
const EXPECTED: Expected =
    Expected { dpi: Dpi::Dpi203, width_mm: Some(100.0), height_mm: Some(150.0) };

fuzz_target!(|input: &[u8]| {
    for format in [Format::Pdf, Format::Png, Format::Zpl] {
        let Ok(parts) = inspect(input, format, EXPECTED) else { continue };
        assert!(!parts.is_empty());
        for part in &parts {
            assert!(part.measured.page_count > 0 && part.measured.width_mm > 0.0);
            let again = inspect(&part.bytes, format, EXPECTED).expect("still a file");
            assert_eq!(again.len(), 1);
        }
    }
    // A preview draws it or says which command it does not know.
    let _ = PRESS.preview(input, Dpi::Dpi203);
});
