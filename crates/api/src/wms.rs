//! The warehouse: a catalog of items, what of them lies where, and requests to send it.

pub mod actions;
pub mod adjustments;
pub mod fulfilments;
pub mod items;
pub mod levels;
pub mod papers;
pub mod ship;
mod validate;
