//! What each server counts for its own `/metrics`: with several of them, any may be asked.

use std::time::Duration;

use waybill_engine::app::App;
use waybill_engine::telemetry::{self, PrintingCounts};
use waybill_store::{Error, Tx, print_agents, print_jobs, printers};

/// How often. All that is read is in an index.
const PERIOD: Duration = Duration::from_secs(15);

/// Counts for as long as the server runs.
pub async fn count_regularly(app: App) {
    while !app.is_stopping() {
        if let Err(error) = count(&app).await {
            tracing::debug!(%error, "printers could not be counted");
        }
        tokio::time::sleep(PERIOD).await;
    }
}

/// Counts print agents, printers, and the jobs that wait for them.
pub async fn count(app: &App) -> Result<(), Error> {
    let count = |tx: &mut Tx<'_>| {
        Ok::<_, Error>(PrintingCounts {
            agents: print_agents::any_count(tx)?,
            printers: printers::any_count(tx)?,
            waiting: print_jobs::any_count_waiting(tx)?,
        })
    };
    telemetry::note_printing(&app.read(count).await?);
    Ok(())
}
