//! The papers as files, opened with other people's tools.

mod support;
mod draw;
