//! Why an agent does not run, or does not go on.

use waybill_outbound::TlsError;

use crate::options::OptionsError;
use crate::spool::SpoolError;

/// Why an agent does not run, or does not go on.
#[derive(Debug, thiserror::Error)]
pub enum AgentError {
    /// Its flags are wrong.
    #[error(transparent)]
    Options(#[from] OptionsError),
    /// It cannot remember anything.
    #[error(transparent)]
    Spool(#[from] SpoolError),
    /// It cannot call anybody.
    #[error(transparent)]
    Network(#[from] TlsError),
    /// It does not know its server yet.
    #[error("say where the server is: --server https://…")]
    NoServer,
    /// It is not registered, and has nothing to register with.
    #[error(
        "this agent is not registered yet: give the code that was shown when it was added, with \
         --code, in WAYBILL_AGENT_CODE or on standard input"
    )]
    NoCode,
    /// A code was given, and it needs none.
    #[error(
        "this agent is registered already, as \"{0}\": leave out --code, or begin anew with \
         another --spool"
    )]
    Registered(String),
    /// The server does not take the code.
    #[error(
        "the server does not take the code: it is wrong, was used or has expired; ask an \
         administrator for a new one"
    )]
    CodeRefused,
    /// The server does not take the agent's call.
    #[error("the server refuses this agent (status {status}): {message}")]
    Refused {
        /// The status.
        status: u16,
        /// What the server says.
        message: String,
    },
    /// It is not known to the server any more.
    #[error("this agent was removed, or another machine has registered in its place")]
    Removed,
    /// Another program is the agent from now on.
    #[error("another program has begun a session as this agent: this one stops")]
    SessionOver,
}
