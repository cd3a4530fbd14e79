//! The sandbox printer over real connections.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod answers;
mod client;
mod harness;
mod ipptool;
mod jobs;
mod restarts;
mod scenarios;
