//! The papers as files, opened with other people's tools.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

mod barcodes;
mod carrier;
mod data;
mod files;
mod golden;
mod hostile;
mod merge;
mod pictures;
mod refuse;
mod room;
mod spreadsheet;
mod warehouse;
