//! The way out, against real sockets.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod line;
mod tls;
