//! What the parts of a PDF file have in common.

use flate2::Compression;
use flate2::write::ZlibEncoder;
use pdf_writer::types::SystemInfo;
use pdf_writer::{Name, Str};

/// Points in a millimetre.
pub(super) const POINTS: f32 = 72.0 / 25.4;
/// The name of black in a page.
pub(super) const GRAY: Name = Name(b"G");
/// How a font numbers its glyphs.
pub(super) const SYSTEM: SystemInfo =
    SystemInfo { registry: Str(b"Adobe"), ordering: Str(b"Identity"), supplement: 0 };

/// A stream, compressed.
pub(super) fn packed(bytes: &[u8]) -> Vec<u8> {
    use std::io::Write;
    let mut encoder = ZlibEncoder::new(Vec::with_capacity(bytes.len() / 2), Compression::new(5));
    // Writing to memory does not fail.
    let _ = encoder.write_all(bytes);
    encoder.finish().unwrap_or_default()
}
