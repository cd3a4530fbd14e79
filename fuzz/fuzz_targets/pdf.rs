//! PDF: the objects of a label with any text are those of a label with harmless text.

#![no_main]

use libfuzzer_sys::fuzz_target;
use waybill_domain::document::Format;
use waybill_fuzz::paper::{PRESS, harmless, hostile};
use waybill_fuzz::pdf::shapes;
use waybill_paper::Dpi;

fuzz_target!(|input: &[u8]| {
    let text = String::from_utf8_lossy(input);
    let Some(document) = hostile(&text) else { return };
    let draw = |document| PRESS.draw(document, Format::Pdf, Dpi::Dpi203).expect("drawn");
    assert_eq!(shapes(&draw(&document)), shapes(&draw(&harmless(&document))), "{text:?}");
});
