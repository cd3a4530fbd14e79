//! The carriers' own files, read into the catalog, and their logos.
//!
//! A carrier is added with one `catalog.toml` and one line in `FILES`. What is wrong with a file is
//! found by the tests; the program reads the same texts at its start.

mod draw;
mod file;
mod read;

use std::sync::LazyLock;

use waybill_domain::catalog::{Carrier, Catalog};

/// The carriers in the order that they are listed.
const FILES: &[&str] = &[
    include_str!("sandbox/catalog.toml"),
    include_str!("bring/catalog.toml"),
    include_str!("postnord/catalog.toml"),
    include_str!("gls/catalog.toml"),
    include_str!("dao/catalog.toml"),
    include_str!("budbee/catalog.toml"),
    include_str!("bifrost/catalog.toml"),
];

static CATALOG: LazyLock<Result<Catalog, String>> = LazyLock::new(|| read::catalog(FILES));

/// Everything that the carriers' files say; an error is words for the log.
pub fn load() -> Result<Catalog, String> {
    CATALOG.clone()
}

/// The same of other files: of carriers that are not listed yet.
pub fn read(files: &[&str]) -> Result<Catalog, String> {
    read::catalog(files)
}

/// Whether we can book with the carrier: it is in the catalog and has an adapter.
pub fn is_bookable(code: &str) -> bool {
    code == "sandbox"
}

/// The carrier's name on its colour, as SVG.
pub fn logo(code: &str) -> Option<String> {
    carrier(code).map(draw::logo)
}

/// The first letter of the carrier's name on its colour, as SVG.
pub fn icon(code: &str) -> Option<String> {
    carrier(code).map(draw::icon)
}

fn carrier(code: &str) -> Option<&'static Carrier> {
    CATALOG.as_ref().ok()?.carrier(code)
}
