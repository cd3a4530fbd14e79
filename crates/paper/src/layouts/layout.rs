//! From data to pages.

use waybill_domain::fields::FieldErrors;

use crate::page::Document;
use crate::renderer::Renderer;

/// Data that has a layout.
pub trait Layout {
    /// Lays the data out, or says of every field what keeps it from being printed. This draws
    /// nothing, so it is also the check before a booking; what is not known by then, such as the
    /// tracking number, is stood in for by a value of the same length.
    fn layout(&self, renderer: &Renderer) -> Result<Document, FieldErrors>;
}
