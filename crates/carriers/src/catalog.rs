//! The carriers' own files, read into the catalog, and their logos.
//!
//! What is wrong with a file is found by the tests; the program reads the same texts at its start.

mod draw;
mod error;
mod file;
mod read;

use std::sync::LazyLock;

pub use draw::{icon, logo};
pub use error::{CatalogError, Fault};
use waybill_domain::catalog::Catalog;

use crate::registry::CARRIERS;
use crate::row::Row;

static CATALOG: LazyLock<Result<Catalog, CatalogError>> = LazyLock::new(|| read_rows(CARRIERS));

/// Everything that the carriers' files say.
pub fn load() -> Result<Catalog, CatalogError> {
    CATALOG.clone()
}

/// Everything that the files of these rows say.
pub fn read_rows(rows: &[Row]) -> Result<Catalog, CatalogError> {
    let files: Vec<&str> = rows.iter().map(|row| row.catalog).collect();
    read(&files)
}

/// Everything that these files say.
pub fn read(files: &[&str]) -> Result<Catalog, CatalogError> {
    read::catalog(files)
}
