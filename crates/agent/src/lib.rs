//! The print agent: a program in a warehouse that prints what a server offers it, on printers that
//! the server cannot reach. It calls the server and is never called.
//!
//! A job becomes the agent's by the server's answer to its report `stored`, and by then the job and
//! its file are in the [`spool`]. Before that answer it prints nothing; after it nobody else does.
//! How a printer gets its jobs is the same code as at the server (`printing::queue`): the spool is
//! its ledger, and gives the same guarantees. So a paper comes out once, whoever is killed when.

mod contact;
mod error;
mod ledger;
mod options;
mod protocol;
mod queue;
mod queues;
mod registration;
mod retry;
mod run;
mod server;
mod session;
mod shared;
mod sources;
pub mod spool;
mod survey;
mod target;

pub use error::AgentError;
pub use options::{AgentOptions, NamedPrinter, OptionsError, ServerUrl, Sources};
pub use run::run;
pub use survey::{Surveyed, survey};
