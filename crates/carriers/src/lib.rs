//! How to speak to each carrier. Knows nothing of the HTTP API or the database.
//!
//! A carrier is one folder, its `mod` line here, and one row in `registry`.

pub mod account;
pub mod answers;
mod base_url;
pub mod booking;
mod carrier;
pub mod catalog;
pub mod closing;
mod connector;
pub mod ends;
pub mod environment;
pub mod error;
pub mod links;
pub mod members;
pub mod moments;
pub mod plausible;
mod redact;
mod redacting_carrier;
pub mod registry;
mod row;
pub mod session;
pub mod texts;
pub mod throttle;
pub mod tokens;
pub mod tracking;
pub mod urls;

pub mod bring;
pub mod budbee;
pub mod dao;
pub mod gls;
pub mod postnord;
pub mod sandbox;

pub use account::{Account, IssuedTokens, Verdict};
pub use carrier::{
    Cancelled, Cancelling, Carrier, CarrierBooking, ListBookings, Pricing, ServicePoints,
};
pub use error::CarrierError;
pub use registry::Carriers;
pub use session::{DialFailure, Session};
pub use urls::CarrierUrls;
