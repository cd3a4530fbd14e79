//! The queue of one printer. A printer that speaks IPP has the queue of `printing`; one that takes
//! bytes as they are, and a folder, have a [`Device`].

mod device;
mod error;
mod folder;
mod raw;

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::{sleep, timeout};
use waybill_domain::printing::Uri;
use waybill_domain::time::Time;
use waybill_printing::Printers;
use waybill_printing::queue::{Ledger, PrinterQueue, QueuePrinter};

use crate::ledger::SpoolLedger;
use crate::shared::Shared;
use crate::spool::SpoolError;
use crate::target::Target;
pub use device::Device;
use device::Queue;
pub use folder::Folder;
pub use raw::Raw;

/// A queue whose spool failed begins again after this.
const AFTER_ERROR: Duration = Duration::from_secs(2);
/// Clocks are set: nothing is waited for longer than this.
const WAIT_MAX: Duration = Duration::from_secs(30);
/// Nor for less: what a turn did not change is not tried again at once.
const WAIT_MIN: Duration = Duration::from_millis(20);
/// A printer that was never reached is looked for so often.
const LOOK_FOR: Duration = Duration::from_secs(10);

/// Prints until nothing is begun any more.
pub async fn run(
    shared: &Arc<Shared>,
    printers: &Printers,
    (target, is_wanted): (Target, bool),
    (mut ledger, signal): (SpoolLedger, Arc<Notify>),
) {
    shared.first_word().await;
    while !shared.is_stopping() {
        let turned = match &target {
            Target::Ipp(uri) => {
                let (back, turned) = drive(ledger, printers, uri).await;
                ledger = back;
                turned
            }
            Target::Raw(host, port) => {
                let raw = Raw { host: host.clone(), port: *port };
                Queue { ledger: &mut ledger, device: raw }.drive().await
            }
            Target::Folder(path) => {
                let folder = Folder { path: path.clone() };
                Queue { ledger: &mut ledger, device: folder }.drive().await
            }
        };
        let next = match turned {
            Ok(look) => ledger.next_look().await.map(|due| due.into_iter().chain(look).min()),
            Err(error) => Err(error),
        };
        let pause = match next {
            // Nothing is left of a printer that is not wanted.
            Ok(None) if !is_wanted => return,
            Ok(at) => at.map_or(WAIT_MAX, |at| at.since(ledger.now()).clamp(WAIT_MIN, WAIT_MAX)),
            Err(error) => {
                tracing::error!(%error, "the queue of a printer stopped; it begins again");
                AFTER_ERROR
            }
        };
        tokio::select! {
            _ = timeout(pause, signal.notified()) => {}
            () = shared.stopped() => {}
        }
    }
}

/// The queue of a printer that speaks IPP, until nothing is due.
async fn drive(
    mut ledger: SpoolLedger,
    printers: &Printers,
    uri: &Uri,
) -> (SpoolLedger, Result<Option<Time>, SpoolError>) {
    let known = match ledger.printer().await {
        Ok(known) => known.map(|printer| printer.seen),
        Err(error) => return (ledger, Err(error)),
    };
    let mut known = known.unwrap_or_else(|| QueuePrinter::unseen(uri.text.clone()));
    let is_met = known.key.is_some() || known.asked_at > Time(0);
    if uri.endpoint.is_https && !is_met {
        known = match meet(&mut ledger, printers, (uri, known)).await {
            Ok(Some(known)) => known,
            Ok(None) => {
                let at = ledger.now().plus(LOOK_FOR);
                return (ledger, Ok(Some(at)));
            }
            Err(error) => return (ledger, Err(error)),
        };
    }
    let mut queue = PrinterQueue::new(ledger, printers.clone(), known);
    let driven = queue.drive().await;
    let look = queue.next_look();
    (queue.into_ledger(), driven.map(|()| look))
}

/// Meets a printer with TLS for the first time: whoever is there is believed, and known again by
/// its key. Nothing when nobody is there.
async fn meet(
    ledger: &mut SpoolLedger,
    printers: &Printers,
    (uri, known): (&Uri, QueuePrinter),
) -> Result<Option<QueuePrinter>, SpoolError> {
    let now = ledger.now();
    let seen = match printers.probe(uri, None).await {
        Ok((report, key)) => QueuePrinter {
            key,
            is_online: report.is_ready(),
            why_offline: report.why_not(),
            abilities: report.abilities,
            looked_at: now,
            asked_at: now,
            ..known
        },
        Err(error) => QueuePrinter {
            why_offline: Some(error.to_string()),
            is_online: false,
            looked_at: now,
            ..known
        },
    };
    ledger.load().await?;
    ledger.note(&seen).await?;
    Ok(Some(seen).filter(|seen| seen.asked_at > Time(0)))
}

/// Waits for a moment, or less when nothing is begun any more.
pub async fn pause(shared: &Shared, time: Duration) {
    tokio::select! {
        () = sleep(time) => {}
        () = shared.stopped() => {}
    }
}
