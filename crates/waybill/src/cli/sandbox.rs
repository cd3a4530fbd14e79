//! The sandbox carrier: as a process of its own, or inside the server.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use waybill_domain::ids::IdSource;
use waybill_domain::time::Clock;
use waybill_engine::clock::SystemClock;
use waybill_engine::ids::SystemIds;
use waybill_sandbox::{POINTS, ServiceOptions, prepare};

use super::error::{CliError, Outcome};
use super::runtime::block_on;
use super::serve::ServeError;
use super::signals::wait_for_signal;
use crate::logs;

/// The code of the sandbox carrier.
pub const CODE: &str = "sandbox";

/// The journal of a sandbox carrier inside the server, beside its database.
pub const JOURNAL: &str = "sandbox-carrier.jsonl";

/// `waybill sandbox-carrier`
pub fn run(listen: &str, journal: Option<PathBuf>) -> Outcome {
    let _flushed = logs::start("info")?;
    let clock: Arc<dyn Clock> = Arc::new(SystemClock::start());
    let ids: Arc<dyn IdSource> = Arc::new(SystemIds::new(clock.clone()));
    let runtime = tokio::runtime::Runtime::new().map_err(CliError::System)?;
    block_on(&runtime, async {
        let bound = TcpListener::bind(listen).await;
        let listener = bound.map_err(|source| {
            let (place, address) = ("--listen".to_owned(), listen.to_owned());
            ServeError::Listen { place, address, source }
        })?;
        let address = listener.local_addr().map_err(CliError::System)?;
        let options =
            ServiceOptions { journal, visible_after: visible_after(), points: POINTS, clock, ids };
        let signalled = wait_for_signal()?;
        let serving = prepare(listener, options, signalled)?;
        tracing::info!(base_url = format!("http://{address}"), "ready");
        serving.await?;
        Ok(ExitCode::SUCCESS)
    })
}

/// Look-ups find a booking at once, or with `WAYBILL_SANDBOX_VISIBLE_AFTER_MS` after that time.
fn visible_after() -> Duration {
    let given = std::env::var("WAYBILL_SANDBOX_VISIBLE_AFTER_MS").ok();
    Duration::from_millis(given.and_then(|text| text.parse().ok()).unwrap_or(0))
}

/// Starts one inside this process, on a loopback port, and tells its address.
pub async fn embed(
    journal: Option<PathBuf>,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn IdSource>,
) -> Result<String, CliError> {
    let listener = TcpListener::bind("127.0.0.1:0").await.map_err(CliError::System)?;
    let address = listener.local_addr().map_err(CliError::System)?;
    let options =
        ServiceOptions { journal, visible_after: Duration::ZERO, points: POINTS, clock, ids };
    let serving = prepare(listener, options, std::future::pending::<()>())?;
    tokio::spawn(async move {
        if let Err(error) = serving.await {
            tracing::error!(%error, "the sandbox carrier has stopped");
        }
    });
    Ok(format!("http://{address}"))
}
