//! Dots of three colours as a PNG file; grey ones when nothing in the picture has a colour.

use png::{BitDepth, ColorType, Compression, Encoder};

use crate::problem::Problem;

/// Writes rows of red, green and blue.
pub(super) fn png(width: u32, height: u32, colours: &[u8]) -> Result<Vec<u8>, Problem> {
    let is_grey = colours.chunks_exact(3).all(|dot| dot[0] == dot[1] && dot[1] == dot[2]);
    let grey: Vec<u8>;
    let (kind, dots) = match is_grey {
        true => {
            grey = colours.iter().copied().step_by(3).collect();
            (ColorType::Grayscale, grey.as_slice())
        }
        false => (ColorType::Rgb, colours),
    };
    let mut bytes = Vec::with_capacity(32 * 1024);
    let mut encoder = Encoder::new(&mut bytes, width, height);
    encoder.set_color(kind);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(Compression::Balanced);
    let written = encoder.write_header().and_then(|mut writer| {
        writer.write_image_data(dots)?;
        writer.finish()
    });
    written.map_err(|_| Problem::file("document-not-drawn"))?;
    Ok(bytes)
}
