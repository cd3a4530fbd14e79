//! The sandbox carrier itself: an HTTP service that books, remembers, and fails as it is told to.
//!
//! Nothing is acknowledged before it is in the journal, and a booking that has begun is finished
//! even when the caller hangs up, as with any carrier. A look-up says of such a booking that it is
//! being processed, so a miss means that the request had not arrived.

mod api;
mod code128;
mod journal;
mod label;
mod ledger;
mod memory;
mod pdf;
mod points;
mod quote;
mod record;
mod reply;
mod request;
mod scenario;
mod turns;
mod walk;

use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::timeout;
use waybill_domain::ids::IdSource;
use waybill_domain::time::Clock;

use api::SandboxApi;
pub use journal::{JournalError, LineError};
use ledger::Ledger;
pub use ledger::LedgerError;
pub use points::COUNT as POINTS;
use turns::Turns;

/// A connection that says nothing for so long is closed; longer than our own lines are kept.
const SILENCE_MAX: Duration = Duration::from_secs(75);
/// When told to stop, answers under way have so long to end.
const STOP_TIME_MAX: Duration = Duration::from_secs(2);
/// A booking must be found well within the second that the adapter gives it.
const VISIBLE_AFTER_MAX: Duration = Duration::from_millis(800);

/// How the sandbox carrier is run.
#[derive(Clone)]
pub struct ServiceOptions {
    /// Where bookings are written. Without it they are kept in memory only.
    pub journal: Option<PathBuf>,
    /// How long a booking is hidden from look-ups, 800 ms at most.
    pub visible_after: Duration,
    /// How many service points it has; [`POINTS`] for the usual ones.
    pub points: usize,
    /// Where moments come from.
    pub clock: Arc<dyn Clock>,
    /// Where randomness comes from.
    pub ids: Arc<dyn IdSource>,
}

/// Why the sandbox carrier does not begin, or did not end well.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The bookings cannot be had.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// The end of the journal's writer could not be waited for.
    #[error("{0}")]
    Unknown(#[source] tokio::task::JoinError),
    /// The journal's writer panicked.
    #[error("the journal's writer failed")]
    Writer,
}

/// Serves until `stop` is done. Everything it acknowledged is in the journal when it returns.
pub async fn serve(
    listener: TcpListener,
    options: ServiceOptions,
    stop: impl Future<Output = ()> + Send + 'static,
) -> Result<(), ServeError> {
    prepare(listener, options, stop)?.await
}

/// Opens the journal, and hands back what serves: whoever starts it in the background knows by then
/// that it can begin.
pub fn prepare(
    listener: TcpListener,
    options: ServiceOptions,
    stop: impl Future<Output = ()> + Send + 'static,
) -> Result<BoxFuture<Result<(), ServeError>>, ServeError> {
    let opened = Ledger::open(options.journal.as_deref(), &*options.ids)?;
    Ok(boxed(listener, options, opened, Box::pin(stop)))
}

fn boxed(
    listener: TcpListener,
    options: ServiceOptions,
    opened: (Ledger, Option<JoinHandle<()>>),
    stop: BoxFuture<()>,
) -> BoxFuture<Result<(), ServeError>> {
    Box::pin(run(listener, options, opened, stop))
}

/// Boxed, because a future is compiled once more in each crate that waits for it.
type BoxFuture<T> = Pin<Box<dyn Future<Output = T> + Send>>;

async fn run(
    listener: TcpListener,
    options: ServiceOptions,
    (ledger, writer): (Ledger, Option<JoinHandle<()>>),
    mut stop: BoxFuture<()>,
) -> Result<(), ServeError> {
    let (stopping, is_stopping) = watch::channel(false);
    let visible_after = options.visible_after.min(VISIBLE_AFTER_MAX);
    let api = Arc::new(SandboxApi {
        ledger,
        clock: options.clock,
        visible_after,
        is_stopping,
        points: options.points,
        turns: Turns::default(),
    });
    let graceful = GracefulShutdown::new();
    let mut connections = JoinSet::new();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut stop => break,
        };
        match accepted {
            Ok((stream, _)) => connect(&mut connections, &graceful, stream, &api),
            Err(error) => {
                tracing::warn!(%error, "the sandbox carrier could not accept a connection");
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
        while connections.try_join_next().is_some() {}
    }
    drop(listener);
    stopping.send_replace(true);
    // Those that do not end in time are cut off.
    let _ = timeout(STOP_TIME_MAX, graceful.shutdown()).await;
    connections.shutdown().await;
    drop(api);
    let Some(writer) = writer else { return Ok(()) };
    let ended = tokio::task::spawn_blocking(move || writer.join()).await;
    ended.map_err(ServeError::Unknown)?.map_err(|_| ServeError::Writer)
}

fn connect(
    connections: &mut JoinSet<()>,
    graceful: &GracefulShutdown,
    stream: TcpStream,
    api: &Arc<SandboxApi>,
) {
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "the sandbox carrier lost a connection");
        return;
    }
    let api = Arc::clone(api);
    let service = service_fn(move |request| api::answer(Arc::clone(&api), request));
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(SILENCE_MAX)
        .serve_connection(TokioIo::new(stream), service);
    let connection = graceful.watch(connection);
    connections.spawn(async move {
        // It ends with an error also when the sandbox breaks it on purpose.
        if let Err(error) = connection.await {
            tracing::trace!(%error, "a connection of the sandbox carrier ended");
        }
    });
}
