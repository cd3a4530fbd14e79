//! The oracles: slow second opinions, written from the standards and not from the code they check.

pub mod bytes;
pub mod lookup;
pub mod merge;
pub mod mirror;
pub mod number;
#[cfg(feature = "paper")]
pub mod paper;
pub mod pdf;
pub mod respell;
pub mod rfc3339;
