//! Why no carrier was asked.

use waybill_domain::time::Time;
use waybill_store::{Error, OpenError};

use crate::cli::error::CliError;
use crate::config::ConfigError;

/// What kept `waybill reconcile` from comparing.
#[derive(Debug, thiserror::Error)]
pub enum ReconcileError {
    /// `--since` cannot be read.
    #[error("--since {0}: write a time such as 2026-11-16T08:00:00+01:00")]
    NotATime(String),
    /// `--since` has not been yet.
    #[error("--since {0} is in the future: nothing can be booked yet")]
    Future(Time),
    /// `--not-booked` names nothing that there can be.
    #[error("--not-booked {0}: write the shipment's UUID, or \"all\"")]
    NotAShipment(String),
    /// Without `--since` nobody knows from when on.
    #[error(
        "no restore of this database was noticed, which does not prove that there was none: with \
         --since TIME carriers are asked for what they have from then on"
    )]
    NoRestore,
    /// The settings are wrong.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The database cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The database does not answer.
    #[error(transparent)]
    Store(#[from] Error),
    /// There is no way to ask the carriers.
    #[error(transparent)]
    Cli(#[from] CliError),
}

impl ReconcileError {
    /// Whether it was not told what it needs.
    pub fn is_misuse(&self) -> bool {
        use ReconcileError::*;
        match self {
            NotATime(_) | Future(_) | NotAShipment(_) | NoRestore | Config(_) => true,
            Open(_) | Store(_) | Cli(_) => false,
        }
    }
}
