//! What we remember: the only SQL, one text for two databases.
//!
//! A transaction is a closure that cannot await, so no network call ever happens inside one. An
//! answer of `Ok` means that the work is durable; any error means that nothing of it was kept, but
//! for a connection that breaks during the commit.
//!
//! Read `sql` first, then any resource, such as [`templates`].

mod dialect;
mod error;
mod migrate;
mod postgresql;
mod queue;
mod sql;
mod sqlite;
mod stopwatch;
mod store;
mod task;
mod value;
mod writing;

pub mod attempts;
pub mod audit;
pub mod backup;
pub mod batches;
pub mod carrier_accounts;
pub mod carrier_calls;
pub mod check;
pub mod deliveries;
pub mod documents;
pub mod epochs;
pub mod events;
pub mod failures;
pub mod feed;
pub mod hints;
pub mod idempotency;
pub mod invitations;
pub mod jobs;
pub mod legacy;
pub mod manifests;
pub mod members;
pub mod merges;
pub mod meta;
pub mod oauth;
pub mod passwords;
pub mod plans;
pub mod print_agents;
pub mod print_jobs;
pub mod printers;
pub mod quotas;
pub mod rates;
pub mod reports;
pub mod retention;
pub mod sealed;
pub mod service_points;
pub mod sessions;
pub mod setup_links;
pub mod shipments;
pub mod statistics;
pub mod tariffs;
pub mod team_deletion;
pub mod teams;
pub mod templates;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod tokens;
pub mod trackings;
pub mod user_deletion;
pub mod users;
pub mod webhooks;
pub mod wms;

pub use error::{Error, OpenError, Result, TlsError, UrlError};
pub use sql::Tx;
pub use store::{Options, Store, check_url, sqlite_path};
pub use value::{Cell, Column, FromRow, Param, Row};
