//! The sandbox printer: an IPP printer whose papers are files, and which fails as it is told to.
//!
//! A paper is a line in the journal. It is written and synced at the moment at which a printer
//! would put the paper out, and never before: after a crash the journal says what was printed. What
//! the printer was going to print when it ended is gone, as when a printer is switched off.

mod arrival;
mod attributes;
mod http;
mod ids;
mod job;
mod output;
mod printer;
mod queue;
mod request;
mod scenario;
mod status;
mod table;

use std::collections::HashMap;
use std::io;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio::time::timeout;
use waybill_domain::time::Clock;

use ids::Ids;
use output::Output;
pub use output::OutputError;
use printer::SandboxPrinter;
use queue::Shared;

/// A connection that says nothing for so long is closed.
const SILENCE_MAX: Duration = Duration::from_secs(75);
/// When told to stop, answers under way have so long to end.
const STOP_TIME_MAX: Duration = Duration::from_secs(2);

/// How the sandbox printer is run.
#[derive(Clone)]
pub struct PrinterOptions {
    /// Where papers come out.
    pub folder: PathBuf,
    /// Where each paper has a line.
    pub journal: PathBuf,
    /// Where moments come from.
    pub clock: Arc<dyn Clock>,
}

/// Why the sandbox printer does not begin.
#[derive(Debug, thiserror::Error)]
pub enum PrinterError {
    /// The journal or the folder cannot be used.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// The numbers of jobs cannot be had.
    #[error("the numbers of jobs beside {}: {source}", journal.display())]
    Ids {
        /// The journal.
        journal: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The listener has no address.
    #[error("{0}")]
    System(#[source] io::Error),
}

/// Boxed, because a future is compiled once more in each crate that waits for it.
type BoxFuture<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// Opens the journal, and hands back what serves until `stop` is done: whoever starts it in the
/// background knows by then that it can begin.
pub fn prepare(
    listener: TcpListener,
    options: PrinterOptions,
    stop: impl Future<Output = ()> + Send + 'static,
) -> Result<BoxFuture<()>, PrinterError> {
    let authority = listener.local_addr().map_err(PrinterError::System)?.to_string();
    let (output, last) = Output::open(&options.folder, &options.journal)?;
    let ids = Ids::open(&options.journal, last)
        .map_err(|source| PrinterError::Ids { journal: options.journal.clone(), source })?;
    let start = options.clock.monotonic();
    let printer = SandboxPrinter {
        authority,
        shared: Arc::new(Shared { output, clock: options.clock, start }),
        ids: Mutex::new(ids),
        queues: Mutex::new(HashMap::new()),
    };
    Ok(Box::pin(run(listener, Arc::new(printer), Box::pin(stop))))
}

async fn run(listener: TcpListener, printer: Arc<SandboxPrinter>, mut stop: BoxFuture<()>) {
    let graceful = GracefulShutdown::new();
    let mut connections = JoinSet::new();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut stop => break,
        };
        match accepted {
            Ok((stream, _)) => connect(&mut connections, &graceful, stream, &printer),
            Err(error) => {
                tracing::warn!(%error, "the sandbox printer could not accept a connection");
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
        while connections.try_join_next().is_some() {}
    }
    drop(listener);
    // Those that do not end in time are cut off.
    let _ = timeout(STOP_TIME_MAX, graceful.shutdown()).await;
    connections.shutdown().await;
}

fn connect(
    connections: &mut JoinSet<()>,
    graceful: &GracefulShutdown,
    stream: TcpStream,
    printer: &Arc<SandboxPrinter>,
) {
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "the sandbox printer lost a connection");
        return;
    }
    let printer = Arc::clone(printer);
    let service = service_fn(move |request| http::respond(Arc::clone(&printer), request));
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(SILENCE_MAX)
        .serve_connection(TokioIo::new(stream), service);
    let connection = graceful.watch(connection);
    connections.spawn(async move {
        // It ends with an error also when the sandbox breaks it on purpose.
        if let Err(error) = connection.await {
            tracing::trace!(%error, "a connection of the sandbox printer ended");
        }
    });
}
