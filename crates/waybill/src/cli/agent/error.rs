//! Why a print agent does not begin or go on.

use std::io;
use std::path::PathBuf;

use waybill_agent::spool::SpoolError;
use waybill_agent::{AgentError, OptionsError};
use waybill_outbound::AuthorityError;

use crate::logs::LogsError;

/// What kept `waybill agent` from running.
#[derive(Debug, thiserror::Error)]
pub enum AgentCommandError {
    /// A flag cannot be used.
    #[error("{place}: {problem}")]
    Option {
        /// The flag, or the variable of the environment.
        place: String,
        /// Why.
        problem: OptionsError,
    },
    /// A switch of the environment is neither on nor off.
    #[error("{0}: write true or false")]
    Switch(String),
    /// A file of authorities cannot be read.
    #[error("{place}: {}: {source}", path.display())]
    Trust {
        /// The flag, or the variable of the environment.
        place: String,
        /// The file.
        path: PathBuf,
        /// Why.
        source: TrustError,
    },
    /// The filter of the log cannot be read.
    #[error("{place}: {source}")]
    Log {
        /// The flag, or the variable of the environment.
        place: String,
        /// Why.
        source: LogsError,
    },
    /// Nothing comes from standard input.
    #[error("the code on standard input: {0}")]
    Input(#[source] io::Error),
    /// There is no status to show.
    #[error(transparent)]
    Spool(#[from] SpoolError),
    /// The agent ended.
    #[error(transparent)]
    Agent(AgentError),
}

/// Why a file of authorities cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TrustError {
    /// It cannot be read.
    #[error(transparent)]
    File(#[from] io::Error),
    /// It has something else in it.
    #[error(transparent)]
    Authority(#[from] AuthorityError),
}
