//! The server's tests: the real router on a real database, every answer held against the contract.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod administration;
mod bad_input;
mod batches;
mod circles;
mod clock;
mod connections;
mod contract;
mod dispatch;
mod documents;
mod extra_carrier;
mod files;
mod harness;
mod largest;
mod laws;
mod legacy;
mod limits;
mod lists;
mod oauth;
mod options;
mod points;
mod printing;
mod program;
mod queries;
mod quotas;
mod rates;
mod reports;
mod retention;
mod rfc9700;
mod schemas;
mod settings;
mod shipments;
mod sign_in;
mod teams;
mod templates;
mod tidy;
mod tracking;
mod webhooks;
mod wms;
mod work;
