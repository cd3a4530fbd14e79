//! Why an agent does not get what it asks for.

use waybill_domain::words::Message;
use waybill_store::Error;

/// Why an agent does not get what it asks for.
#[derive(Debug, thiserror::Error)]
pub enum AgentError {
    /// It was removed, or its token was replaced.
    #[error("the agent is not known by this token")]
    Unknown,
    /// Another session has begun.
    #[error("another session of the agent has begun")]
    SessionOver,
    /// The team has as many printers as it may have.
    #[error("the team has too many printers")]
    NoRoom(Message),
    /// The store failed.
    #[error("{0}")]
    Store(#[from] Error),
}
