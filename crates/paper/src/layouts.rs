//! The papers: plain data on one side, pages on the other.

mod any;
pub(crate) mod customs;
pub(crate) mod invoice;
pub(crate) mod items;
pub(crate) mod label;
mod layout;
pub(crate) mod manifest;
pub(crate) mod packing;
mod paper_size;
pub(crate) mod party;
pub(crate) mod picking;
pub(crate) mod qr;
pub(crate) mod slip;
pub(crate) mod table;

pub use any::AnyPaper;
pub use layout::Layout;
pub use paper_size::PaperSize;
