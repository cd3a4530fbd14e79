//! The papers as files, opened with other people's tools.

mod support;

mod barcodes;
mod carrier;
mod data;
mod files;
mod golden;
mod hostile;
mod refuse;
mod spreadsheet;
