//! What requests, background work and the command line share: the state of the running service, and
//! everything that is done to shipments, batches, tracking and documents whoever asks for it.
//!
//! `waybill-api` and `waybill-worker` both stand on this and know nothing of each other: they meet
//! in the store.

pub mod agents;
pub mod app;
pub mod batching;
pub mod booking;
pub mod bound_carrier;
pub mod breaker;
pub mod cancellation;
pub mod change_password;
pub mod clock;
pub mod closing;
pub mod delete_user;
pub mod failures;
pub mod fair_queue;
pub mod files;
pub mod forms;
pub mod fulfilment;
pub mod handoff;
pub mod hints;
pub mod ids;
pub mod ingest;
pub mod keys;
pub mod lease;
mod lease_times;
pub mod new_team;
pub mod not_booked;
pub mod papers;
pub mod passwords;
pub mod pauses;
pub mod per_team;
pub mod pictures;
pub mod planted;
pub mod points;
pub mod printing;
pub mod rates;
pub mod seed;
pub mod sign_in;
pub mod signing;
pub mod telemetry;
pub mod timings;
pub mod vault;
pub mod wake;

pub use waybill_outbound::failpoint;
