//! The way out, against real sockets.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod headers;
mod http2;
mod line;
mod tls;
