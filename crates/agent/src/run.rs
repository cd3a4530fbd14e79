//! A running agent, from its start to its end.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Notify, watch};
use waybill_printing::{PrinterNetworks, Printers};

use crate::error::AgentError;
use crate::options::{AgentOptions, ServerUrl};
use crate::queues::Queues;
use crate::registration::identify;
use crate::server::Server;
use crate::session::{self, Caller, Line, flush};
use crate::shared::Shared;
use crate::sources;
use crate::spool::Spool;

/// What a printer is just taking ends within this time, when nothing is begun any more.
const IN_HAND: Duration = Duration::from_secs(10);
/// What came of that is told within this time; else the next start tells it.
const LAST_REPORTS: Duration = Duration::from_secs(2);

/// The spool is closed within this time.
const CLOSING: Duration = Duration::from_secs(5);

/// Runs an agent until it is told to stop, or the server ends it.
pub async fn run(
    options: AgentOptions,
    stop: impl Future<Output = ()> + Send + 'static,
) -> Result<(), AgentError> {
    let now = options.clock.now();
    let (spool, thread) = Spool::open(&options.spool, options.ids.as_ref(), now)?;
    let shared = Arc::new(Shared {
        spool,
        clock: Arc::clone(&options.clock),
        ids: Arc::clone(&options.ids),
        limits: options.limits,
        reports: Notify::new(),
        answered: Notify::new(),
        printers: Notify::new(),
        began: watch::Sender::new(false),
        stopping: watch::Sender::new(false),
    });
    let stopping = Arc::clone(&shared);
    let told = tokio::spawn(async move {
        stop.await;
        stopping.stopping.send_replace(true);
    });
    let ended = run_with(&shared, &options).await;
    told.abort();
    let _stopped = told.await;
    drop(shared);
    // Its file is closed then, so that the next agent finds it free.
    thread.ended(CLOSING).await;
    ended
}

async fn run_with(shared: &Arc<Shared>, options: &AgentOptions) -> Result<(), AgentError> {
    let Some(identity) = identify(shared, options).await? else { return Ok(()) };
    let printers = Printers::new(options.network.clone(), PrinterNetworks::Any, None);
    let queues = Queues::new(Arc::clone(shared), printers.clone());
    sources::begin(shared, &options.sources, &queues).await?;
    let url = ServerUrl::parse(&identity.server, true)?;
    tracing::info!(name = identity.name, server = identity.server, "ready");
    let token = Some(identity.token.clone());
    let server = Server::new(options.network.clone(), url, token);
    let caller = Caller { server, identity, hostname: options.hostname.clone() };
    let following = async {
        match sources::follow(shared, &options.sources, &printers, &queues).await {
            // The session ends by itself, and hands back its line.
            Ok(()) => std::future::pending().await,
            Err(error) => error,
        }
    };
    let speaking = session::run(shared, caller, &queues);
    let (ended, line): (Result<(), AgentError>, Option<Line>) = tokio::select! {
        error = following => (Err(error.into()), None),
        spoken = speaking => match spoken {
            Ok(line) => (Ok(()), line),
            Err(error) => (Err(error), None),
        },
    };
    shared.stopping.send_replace(true);
    queues.end(IN_HAND).await;
    if let Some(line) = line {
        flush(&line, &queues, LAST_REPORTS).await;
    }
    ended
}
