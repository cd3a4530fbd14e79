//! What things are and which change may follow which. No I/O, no async, no clock.
//!
//! Read the modules in this order.

pub mod ids;
pub mod time;
