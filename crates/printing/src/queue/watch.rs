//! Whether a printer takes jobs, and what it says of itself.

use std::time::Duration;

use waybill_domain::time::Time;

use super::{Ledger, PrinterQueue, QueuePrinter};
use crate::error::LinkError;
use crate::report::PrinterReport;

/// A printer that nobody waits for is looked at so often.
const LOOK: Duration = Duration::from_secs(30);
/// It is asked for all that it says of itself so often, and when it comes back.
const ASK: Duration = Duration::from_mins(15);
/// So many looks in vain, one after the other, and it is offline.
const MISSES_MAX: i64 = 2;

/// When the printer is looked at again.
pub(super) fn next_look(printer: &QueuePrinter) -> Time {
    printer.looked_at.plus(LOOK)
}

impl<L: Ledger> PrinterQueue<L> {
    /// Asks the printer, and writes what it said when that is news. Why it takes no jobs now;
    /// nothing when it does.
    pub(super) async fn ask_why_not(&mut self) -> Result<Option<String>, L::Error> {
        let report = self.report().await;
        let why_not = match &report {
            Ok(report) => report.why_not(),
            Err(error) => Some(error.to_string()),
        };
        // While somebody waits, one miss is enough.
        self.note(&report, 1).await?;
        Ok(why_not)
    }

    /// Looks at a printer that nobody waits for, and removes what was left there: a worker that was
    /// frozen may have made an empty job after another had cleaned up behind it.
    pub(super) async fn look_at_printer(&mut self) -> Result<(), L::Error> {
        let report = self.report().await;
        self.note(&report, MISSES_MAX).await?;
        match report {
            Ok(_) => self.cancel_left_behind().await,
            Err(_) => Ok(()),
        }
    }

    async fn report(&mut self) -> Result<PrinterReport, LinkError> {
        let report = self.ask().await;
        if report.is_err() {
            self.link = None;
        }
        report
    }

    async fn ask(&mut self) -> Result<PrinterReport, LinkError> {
        let mut report = self.link().await?.attributes().await?;
        if is_snapshot_due(&self.printer, &report, self.ledger.now()) {
            let formats = self.printer.formats.clone();
            let link = self.link().await?;
            link.learn_copies(&mut report.abilities, formats.as_deref()).await?;
        }
        Ok(report)
    }

    async fn note(
        &mut self,
        report: &Result<PrinterReport, LinkError>,
        misses_max: i64,
    ) -> Result<(), L::Error> {
        let (now, old) = (self.ledger.now(), self.printer.clone());
        self.printer = after(&old, report, misses_max, now);
        let is_news = self.printer.is_online != old.is_online
            || self.printer.why_offline != old.why_offline
            || self.printer.abilities != old.abilities;
        // A printer is written when there is news, and else not more often than it is looked at.
        if !is_news && now.since(old.looked_at) < LOOK / 2 {
            self.printer.looked_at = old.looked_at;
            return Ok(());
        }
        self.ledger.note(&self.printer).await
    }
}

/// Whether all that the printer says of itself is kept from now on.
fn is_snapshot_due(old: &QueuePrinter, report: &PrinterReport, now: Time) -> bool {
    now.since(old.asked_at) >= ASK || (report.is_ready() && !old.is_online)
}

/// The printer after a look at it.
fn after(
    old: &QueuePrinter,
    report: &Result<PrinterReport, LinkError>,
    misses_max: i64,
    now: Time,
) -> QueuePrinter {
    let mut new = QueuePrinter { looked_at: now, ..old.clone() };
    match report {
        Ok(report) => {
            new.misses = 0;
            new.is_online = report.is_ready();
            if is_snapshot_due(old, report, now) {
                new.abilities = report.abilities.clone();
                new.asked_at = now;
            }
        }
        Err(_) => {
            new.misses += 1;
            new.is_online = old.is_online && new.misses < misses_max;
        }
    }
    new.why_offline = match report {
        _ if new.is_online => None,
        Ok(report) => Some(report.words()),
        Err(error) => Some(error.to_string()),
    };
    new
}
