//! Why a command did not end well: one line for the operator. What belongs to one command alone is
//! told by an enum beside it.

use std::io;
use std::process::ExitCode;

use waybill_carriers::catalog::CatalogError;
use waybill_carriers::registry;
use waybill_domain::ids::ShipmentId;
use waybill_engine::files::FilesError;
use waybill_outbound::{ProxyError, TlsError};
use waybill_store::OpenError;
use waybill_store::backup::BackupError;

use super::admin::AdminError;
use super::agent::AgentCommandError;
use super::carrier::CarrierCommandError;
use super::demo::DemoError;
use super::file_error::FileError;
use super::import::ImportError;
use super::key::KeyError;
use super::render::RenderError;
use super::serve::ServeError;
use crate::config::ConfigError;
use crate::logs::LogsError;

/// What a command says when it ends well.
pub type Outcome = Result<ExitCode, CliError>;

/// What kept a command from doing what it was asked to.
#[derive(Debug, thiserror::Error)]
pub enum CliError {
    /// No command was named.
    #[error("say what to do; `waybill --help` lists the commands")]
    NoCommand,
    /// A command that has several parts was named without one.
    #[error("say what")]
    NoVerb,
    /// `waybill import` without what.
    #[error("say what to import")]
    NothingToImport,
    /// `waybill webhooks` without what.
    #[error("say what to do: `waybill webhooks tail --team TEAM`")]
    NothingToWatch,
    /// The settings are wrong.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The database cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The database does not answer.
    #[error(transparent)]
    Store(#[from] waybill_store::Error),
    /// A file cannot be used.
    #[error(transparent)]
    File(#[from] FileError),
    /// There is no runtime, port or address to be had.
    #[error("{0}")]
    System(#[source] io::Error),
    /// The runtime of a server, or of a check of all files.
    #[error("the runtime does not start: {0}")]
    Runtime(#[source] io::Error),
    /// Nothing can be logged.
    #[error(transparent)]
    Logs(#[from] LogsError),
    /// The way to carriers does not open.
    #[error(transparent)]
    Network(#[from] TlsError),
    /// The proxy of the environment is none.
    #[error(transparent)]
    Proxy(#[from] ProxyError),
    /// The carriers cannot be used.
    #[error(transparent)]
    Carriers(#[from] registry::OpenError),
    /// The catalog of the carriers cannot be read.
    #[error(transparent)]
    Catalog(#[from] CatalogError),
    /// A PostgreSQL database cannot be copied by us.
    #[error(
        "a PostgreSQL database is backed up with pg_dump: pg_dump --format=custom --file=FILE URL"
    )]
    BackUpElsewhere,
    /// Nor can it be restored.
    #[error(
        "a PostgreSQL database is restored with pg_restore: pg_restore --clean --if-exists \
         --no-owner --single-transaction --dbname=URL FILE"
    )]
    RestoreElsewhere,
    /// There is no copy, or it was not put in place.
    #[error(transparent)]
    Backup(#[from] BackupError),
    /// The place of documents does not answer, so nothing is known of them.
    #[error("the bytes of documents cannot be looked at: {0}")]
    Files(#[source] FilesError),
    /// No team has this domain or UUID.
    #[error("there is no team \"{0}\"")]
    NoTeam(String),
    /// No shipment is called so.
    #[error("there is no shipment \"{0}\", or it was deleted")]
    NoShipment(String),
    /// It was found, and then it was gone.
    #[error("the shipment {0} was just deleted")]
    JustDeleted(ShipmentId),
    /// The journal of the sandbox carrier is in use.
    #[error(
        "the sandbox carrier runs inside the server: stop the server first, or give \
         --sandbox-carrier-url"
    )]
    SandboxInside,
    /// The sandbox carrier ended.
    #[error(transparent)]
    Sandbox(#[from] waybill_sandbox::ServeError),
    /// The sandbox printer cannot begin.
    #[error(transparent)]
    SandboxPrinter(#[from] waybill_sandbox_printer::PrinterError),
    /// The replay carrier cannot begin.
    #[error(transparent)]
    Replay(#[from] waybill_replay::ReplayError),
    /// No conversation with a carrier can be recorded.
    #[error(transparent)]
    Record(#[from] waybill_replay::RecordError),
    /// `waybill carrier`.
    #[error(transparent)]
    Carrier(#[from] CarrierCommandError),
    /// `waybill agent`.
    #[error(transparent)]
    Agent(#[from] AgentCommandError),
    /// `waybill user`, `waybill team`, `waybill token`.
    #[error(transparent)]
    Admin(#[from] AdminError),
    /// `waybill import`.
    #[error(transparent)]
    Import(#[from] ImportError),
    /// The secret keys.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// `waybill render`.
    #[error(transparent)]
    Render(#[from] RenderError),
    /// `waybill serve`.
    #[error(transparent)]
    Serve(#[from] ServeError),
    /// The demo of `waybill serve`.
    #[error(transparent)]
    Demo(#[from] DemoError),
}
