//! PNG: the size comes from the dots and from how many of them the file says are in a metre.

use std::io::Cursor;

use super::measured::{Expected, Measured, measured};
use crate::bitmap::{Bitmap, DOTS_MAX};
use crate::problem::Problem;

/// Memory that unpacking may take.
const LIMIT: usize = 64 * 1024 * 1024;

type Reader<'a> = png::Reader<Cursor<&'a [u8]>>;

fn open(bytes: &[u8]) -> Result<Reader<'_>, Problem> {
    let limits = png::Limits { bytes: LIMIT };
    let wrong = |_| Problem::file("document-not-png");
    let mut decoder = png::Decoder::new_with_limits(Cursor::new(bytes), limits);
    let info = decoder.read_header_info().map_err(wrong)?;
    if u64::from(info.width) * u64::from(info.height) > DOTS_MAX {
        return Err(Problem::file("document-too-large"));
    }
    let reader = decoder.read_info().map_err(wrong)?;
    // Animated PNGs are rejected.
    if reader.info().is_animated() {
        return Err(Problem::file("document-not-png"));
    }
    Ok(reader)
}

fn size(info: &png::Info, expected: Option<Expected>) -> Result<Measured, Problem> {
    let per_metre = info.pixel_dims.filter(|dims| dims.unit == png::Unit::Meter);
    let ordered = || expected.and_then(|size| size.width_mm.zip(size.height_mm));
    let side = |dots: u32, per_metre: u32| f64::from(dots) * 1000.0 / f64::from(per_metre);
    let sides = per_metre.map(|dims| (side(info.width, dims.xppu), side(info.height, dims.yppu)));
    let (width, height) =
        sides.or_else(ordered).ok_or_else(|| Problem::file("document-no-size"))?;
    measured(width, height, 1)
}

/// Measures a picture after unpacking all of it, so that a broken one is noticed.
pub(super) fn measure(bytes: &[u8], expected: Expected) -> Result<Measured, Problem> {
    let mut reader = open(bytes)?;
    while reader.next_row().map_err(|_| Problem::file("document-not-png"))?.is_some() {}
    size(reader.info(), Some(expected))
}

/// Reads a picture of our own: one bit a dot.
pub(crate) fn read(bytes: &[u8]) -> Result<(Bitmap, Measured), Problem> {
    let wrong = || Problem::file("document-self-check");
    let mut reader = open(bytes)?;
    let size = size(reader.info(), None)?;
    let mut rows = vec![0; reader.output_buffer_size().ok_or_else(wrong)?];
    let frame = reader.next_frame(&mut rows).map_err(|_| wrong())?;
    if (frame.color_type, frame.bit_depth) != (png::ColorType::Grayscale, png::BitDepth::One) {
        return Err(wrong());
    }
    rows.truncate(frame.buffer_size());
    rows.iter_mut().for_each(|byte| *byte = !*byte);
    Ok((Bitmap::from_rows(frame.width, rows).ok_or_else(wrong)?, size))
}
