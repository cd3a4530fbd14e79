//! ZPL: the commands of a label with any text are those of a label with harmless text, and what
//! is written draws, measures and reads back.

#![no_main]

use libfuzzer_sys::fuzz_target;
use waybill_domain::document::Format;
use waybill_fuzz::paper::{PRESS, commands, harmless, hostile};
use waybill_paper::{Dpi, inspect};

fuzz_target!(|input: &[u8]| {
    let text = String::from_utf8_lossy(input);
    let Some(document) = hostile(&text) else { return };
    let dpi = if input.len() % 2 == 0 { Dpi::Dpi203 } else { Dpi::Dpi300 };
    let file = PRESS.render(&document, Format::Zpl, dpi).expect("what is laid out is drawn");
    let plain = PRESS.draw(&harmless(&document), Format::Zpl, dpi).expect("harmless");
    assert_eq!(commands(&file.bytes), commands(&plain), "{text:?}");
    assert!(file.bytes.iter().all(|byte| byte.is_ascii_graphic() || b" \n".contains(byte)));
    let parts = inspect(&file.bytes, Format::Zpl, dpi).expect("our own ZPL only draws");
    assert_eq!(parts.len(), 1);
});
