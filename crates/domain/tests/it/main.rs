//! The protocols of booking and printing, checked in every order in which things can happen.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod model;
mod printing;
