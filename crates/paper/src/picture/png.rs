//! A PNG file in another size. Its one page is itself.

use std::io::Cursor;

use png::{ColorType, Decoder, Limits, Transformations};

use super::encode;
use super::scale::Scaler;
use super::wanted::{Wanted, fit};
use crate::bitmap::DOTS_MAX;
use crate::problem::Problem;

/// Memory that unpacking may take.
const LIMIT: usize = 64 * 1024 * 1024;

pub(super) fn draw(bytes: &[u8], wanted: Wanted) -> Result<Vec<u8>, Problem> {
    let wrong = || Problem::file("document-not-png");
    let mut decoder = Decoder::new_with_limits(Cursor::new(bytes), Limits { bytes: LIMIT });
    decoder.set_transformations(Transformations::EXPAND | Transformations::STRIP_16);
    let mut reader = decoder.read_info().map_err(|_| wrong())?;
    let (width, height) = reader.info().size();
    if u64::from(width) * u64::from(height) > DOTS_MAX {
        return Err(Problem::file("document-too-large"));
    }
    let size = fit(f64::from(width), f64::from(height), wanted.width)?;
    let (kind, _) = reader.output_color_type();
    let mut scaler = Scaler::new((width, height), size);
    if reader.info().interlaced {
        let mut whole = vec![0; reader.output_buffer_size().ok_or_else(wrong)?];
        let frame = reader.next_frame(&mut whole).map_err(|_| wrong())?;
        let rows = whole.chunks_exact(frame.line_size).take(height as usize);
        rows.for_each(|row| scaler.push(&colours(row, kind)));
    } else {
        while let Some(row) = reader.next_row().map_err(|_| wrong())? {
            scaler.push(&colours(row.data(), kind));
        }
    }
    encode::png(size.0, size.1, &scaler.finish())
}

/// A row as red, green and blue, over white paper.
fn colours(row: &[u8], kind: ColorType) -> Vec<u8> {
    let over_white = |shade: u8, alpha: u8| {
        let (shade, alpha) = (u32::from(shade), u32::from(alpha));
        ((shade * alpha + 255 * (255 - alpha)) / 255) as u8
    };
    match kind {
        ColorType::Rgb => row.to_vec(),
        ColorType::Rgba => row
            .chunks_exact(4)
            .flat_map(|dot| [0, 1, 2].map(|index| over_white(dot[index], dot[3])))
            .collect(),
        ColorType::GrayscaleAlpha => {
            row.chunks_exact(2).flat_map(|dot| [over_white(dot[0], dot[1]); 3]).collect()
        }
        // Palettes are unfolded by the reader.
        ColorType::Grayscale | ColorType::Indexed => {
            row.iter().flat_map(|shade| [*shade; 3]).collect()
        }
    }
}
