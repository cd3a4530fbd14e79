//! The HTTP API. Start reading at `routes`: it is the whole API on one screen; `shell` is what
//! happens around each handler.

pub mod access_log;
pub mod accounts;
mod batches;
mod beside;
pub mod caller;
pub mod carriers;
pub mod cors;
pub mod dialect;
pub mod dispatch;
pub mod docs;
pub mod documents;
pub mod files;
pub mod heavy;
pub mod limits;
pub mod listen;
pub mod lists;
pub mod manifests;
pub mod memory;
pub mod options;
pub mod probes;
pub mod proxies;
pub mod query;
pub mod quotas;
pub mod rates;
pub mod reply;
pub mod reports;
pub mod request;
pub mod routes;
pub mod service_points;
pub mod settings;
pub mod shipments;
pub mod state;
pub mod teams;
pub mod templates;
pub mod tracking;
pub mod webhooks;
