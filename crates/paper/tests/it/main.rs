//! The papers as files, opened with other people's tools.

mod draw;
mod support;
