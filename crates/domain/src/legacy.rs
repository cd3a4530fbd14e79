//! The first version of the API, for clients that are in the field: what a body of it
//! means, and how a shipment is shown to them.
//!
//! A v1 body becomes the body of a v2 shipment, which is then checked by the same rules as any
//! other. What is wrong is told at the v1 name that the value came from.

mod addons;
mod body;
mod customs;
mod kept;
mod lenient;
pub mod methods;
mod names;
mod parcel;
mod party;
pub mod phone;
pub mod shipment;
mod translation;

pub use names::Names;
pub use translation::{Context, Translation, translate};

#[cfg(test)]
mod tests;
