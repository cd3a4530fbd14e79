//! What things are and which change may follow which. No I/O, no async, no clock.
//!
//! Read the modules in this order.

pub mod access;
pub mod audit;
pub mod batch;
pub mod booking;
pub mod calendar;
pub mod catalog;
pub mod country;
pub mod document;
pub mod endpoint;
pub mod event;
pub mod failures;
pub mod fields;
pub mod idempotency;
pub mod ids;
pub mod job;
pub mod json;
pub mod language;
pub mod legacy;
pub mod measure;
mod named;
pub mod named_list;
pub mod oauth;
pub mod page;
pub mod parcel;
pub mod party;
pub mod password;
pub mod patterns;
pub mod point;
pub mod printing;
pub mod quota;
pub mod rate;
pub mod report;
pub mod retention;
pub mod secret;
pub mod session;
pub mod settings;
pub mod shipment;
pub mod subnet;
pub mod tariff;
pub mod template;
pub mod time;
pub mod token;
pub mod tracking;
pub mod webhook;
pub mod words;
