//! A row of the registry.

use std::sync::Arc;

use crate::carrier::Carrier;
use crate::connector::Connector;

/// What is known of a carrier before it is spoken to.
#[derive(Clone, Copy)]
pub struct Row {
    /// Its stable code.
    pub code: &'static str,
    /// Its services, as TOML.
    pub catalog: &'static str,
    /// Makes its adapter; none when we cannot book with it yet.
    pub adapter: Option<fn(Connector) -> Arc<dyn Carrier>>,
}

/// A row of the table.
pub const fn row(
    code: &'static str,
    catalog: &'static str,
    adapter: Option<fn(Connector) -> Arc<dyn Carrier>>,
) -> Row {
    Row { code, catalog, adapter }
}
