//! Labels and papers: one layout drawn as PDF, ZPL and PNG; spreadsheets; and files that carriers
//! make, measured.
//!
//! Data (`Labels`, `CustomsForm`, `Invoice` …) is laid out into a `Document` of pages, which the
//! `Renderer` draws in any format and reads back before anyone stores it. Whatever cannot be
//! printed is a problem at the path of its field, found by `layout` alone, before anything is
//! booked. There is no I/O and no clock here, the same input gives the same bytes, and no input
//! panics.

mod bitmap;
mod check;
mod code;
mod dpi;
mod font;
mod fonts;
mod inspect;
mod layouts;
mod merge;
mod numbers;
mod page;
mod pdf;
mod picture;
mod problem;
mod raster;
mod read;
mod renderer;
mod report;
mod sheet;
mod symbol;
mod text;
mod zpl;

pub use bitmap::Bitmap;
pub use code::qr_picture;
pub use dpi::Dpi;
pub use inspect::{Expected, Measured, Part, inspect};
pub use layouts::customs::{CustomsForm, CustomsKind};
pub use layouts::invoice::{Invoice, InvoiceKind};
pub use layouts::label::{Barcode, Label, LabelKind, Labels, PickupPoint};
pub use layouts::manifest::{Manifest, ManifestLine};
pub use layouts::packing::PackingList;
pub use layouts::party::party_problems;
pub use layouts::picking::{PickLine, PickList};
pub use layouts::qr::QrPage;
pub use layouts::slip::{PackingSlip, SlipLine};
pub use layouts::{AnyPaper, Layout, PaperSize};
pub use merge::Joiner;
pub use page::{Align, Area, Block, Code, Document, Line, Mark, Page, Role, Weight};
pub use picture::{Wanted, is_drawable, picture};
pub use problem::Problem;
pub use renderer::{Rendered, Renderer};
pub use report::summary::{Bar, Chart, Summary};
pub use report::table::{Cell, Column, ColumnKind, SpreadsheetWriter};
pub use symbol::gs1::check_digit;
pub use symbol::{Symbol, Symbology};
