//! The command line and the settings: the only crate that knows all others.

pub mod cli;
pub mod config;
pub mod logs;
