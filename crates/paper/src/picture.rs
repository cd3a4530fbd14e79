//! A page of a finished file as a picture on a screen: of a PDF file, of a PNG file, or of ZPL with
//! the commands that we write. It shows the bytes of the file and nothing else.
//!
//! PDF files are made by others, and reading them takes what they ask for in time and memory.
//! Whoever draws them does so in a process of its own, with limits (`engine/pictures.rs`).

mod encode;
mod pdf;
mod png;
mod scale;
mod wanted;
mod zpl;

use waybill_domain::document::Format;

use crate::problem::Problem;
pub use wanted::Wanted;
pub use zpl::is_drawable;

/// Draws a page as a PNG file.
pub fn picture(bytes: Vec<u8>, format: Format, wanted: Wanted) -> Result<Vec<u8>, Problem> {
    match format {
        Format::Pdf => pdf::draw(bytes, wanted),
        Format::Png => png::draw(&bytes, wanted),
        Format::Zpl => zpl::draw(&bytes, wanted),
        Format::Xlsx => Err(Problem::file("document-not-drawn")),
    }
}
