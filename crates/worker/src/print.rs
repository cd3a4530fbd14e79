//! Prints. Each printer has a queue of its own, which is its job; while this process has it, it
//! does what `printing::queue` says. A printer that does not answer holds up its own queue and
//! nobody else's.

mod ledger;

use std::time::Duration;

use waybill_domain::ids::PrinterId;
use waybill_domain::time::Time;
use waybill_engine::lease;
use waybill_printing::queue::PrinterQueue;
use waybill_store::{Error, Tx, jobs, print_jobs, printers};

use super::job_outcome::JobOutcome;
use super::state::Worker;
use super::to_db_time;
use ledger::{StoreLedger, queue_printer};

/// Printers that are spoken to at once.
pub const QUEUES_MAX: usize = 128;
/// Printers of one team that are spoken to at once: those of other teams find slots too.
const TEAM_QUEUES_MAX: i64 = 32;
/// One that is too many waits so long.
const TEAM_PAUSE: Duration = Duration::from_secs(2);

/// Prints until nothing is due.
pub async fn run(worker: &Worker, claimed: &jobs::Claimed) -> Result<JobOutcome, Error> {
    let app = worker.app.clone();
    let (Some(team), id) = (claimed.team, PrinterId(claimed.subject)) else {
        return Ok(JobOutcome::Done);
    };
    // A team takes no more slots than it leaves to others, so that there is one for whoever comes.
    let free = i64::try_from(QUEUES_MAX).unwrap_or(i64::MAX) - worker.printers.total();
    let Some(_slot) = worker.printers.take(team, free.clamp(1, TEAM_QUEUES_MAX)) else {
        return Ok(JobOutcome::In(TEAM_PAUSE));
    };
    let found = app.read(move |tx| printers::find_with_removed(tx, team, id)).await?;
    let Some(printer) = found else { return Ok(JobOutcome::Done) };
    let (known, signal) = (queue_printer(&printer), app.listen(id.into()));
    let ledger = StoreLedger { app: app.clone(), claimed: claimed.clone(), team, printer, signal };
    let queue = PrinterQueue::new(ledger, app.printers().clone(), known);
    // When another worker has the queue by then, it goes on with what the rows say.
    let ended = lease::keep(&app, claimed, drive(queue)).await;
    ended.unwrap_or(Ok(JobOutcome::AlreadyEnded))
}

async fn drive(mut queue: PrinterQueue<StoreLedger>) -> Result<JobOutcome, Error> {
    queue.drive().await?;
    let look = queue.next_look();
    end(&queue.into_ledger(), look).await
}

/// Ends the lease until something is due, or the printer is looked at again.
async fn end(ledger: &StoreLedger, look: Option<Time>) -> Result<JobOutcome, Error> {
    let (team, id, claimed) = (ledger.team, ledger.printer.id, ledger.claimed.clone());
    let now = ledger.app.now();
    let end = move |tx: &mut Tx<'_>| {
        let next = print_jobs::next_look(tx, team, id)?;
        match next.into_iter().chain(look).min() {
            None => jobs::finish(tx, &claimed),
            Some(at) => {
                let alarm = to_db_time(tx, at, now)?;
                jobs::wait_until(tx, &claimed, alarm)
            }
        }
    };
    ledger.app.write(end).await?;
    ledger.app.wake_runner();
    Ok(JobOutcome::AlreadyEnded)
}
