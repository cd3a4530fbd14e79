//! Printers, asked over real sockets.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod faults;
mod printers;
mod second_opinion;
