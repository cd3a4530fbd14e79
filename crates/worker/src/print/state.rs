//! Whether a printer takes jobs, and what it says of itself.

use std::time::Duration;

use waybill_domain::time::Time;
use waybill_printing::{LinkError, PrinterReport};
use waybill_store::printers::{self, Printer};
use waybill_store::{Error, Tx};

use super::PrinterQueue;

/// A printer that nobody waits for is looked at so often.
const LOOK: Duration = Duration::from_secs(30);
/// It is asked for all that it says of itself so often, and when it comes back.
const ASK: Duration = Duration::from_mins(15);
/// So many looks in vain, one after the other, and it is offline.
const MISSES_MAX: i64 = 2;

/// When the printer is looked at again.
pub(super) fn next_look(printer: &Printer) -> Time {
    printer.looked_at.plus(LOOK)
}

impl PrinterQueue {
    /// Asks the printer, and writes what it said when that is news. Why it takes no jobs now;
    /// nothing when it does.
    pub(super) async fn ask_why_not(&mut self) -> Result<Option<String>, Error> {
        let report = match self.link().await {
            Ok(link) => link.attributes().await,
            Err(error) => Err(error),
        };
        let why_not = match &report {
            Ok(report) if report.is_accepting && !report.is_stopped => None,
            Ok(report) => Some(report.words()),
            Err(error) => Some(error.to_string()),
        };
        if report.is_err() {
            self.link = None;
        }
        // While somebody waits, one miss is enough.
        self.note(&report, 1).await?;
        Ok(why_not)
    }

    /// Looks at a printer that nobody waits for.
    pub(super) async fn look_at_printer(&mut self) -> Result<(), Error> {
        let report = match self.link().await {
            Ok(link) => link.attributes().await,
            Err(error) => Err(error),
        };
        if report.is_err() {
            self.link = None;
        }
        self.note(&report, MISSES_MAX).await
    }

    async fn note(
        &mut self,
        report: &Result<PrinterReport, LinkError>,
        misses_max: i64,
    ) -> Result<(), Error> {
        let (team, now, old) = (self.team, self.app.now(), self.printer.clone());
        let new = after(&old, report, misses_max, now);
        let is_news = new.is_online != old.is_online || new.abilities != old.abilities;
        self.printer = new.clone();
        // A printer is written when there is news, and else not more often than it is looked at.
        if !is_news && now.since(old.looked_at) < LOOK / 2 {
            self.printer.looked_at = old.looked_at;
            return Ok(());
        }
        self.app.write(move |tx: &mut Tx<'_>| printers::set_state(tx, team, &new)).await.map(drop)
    }
}

/// The printer after a look at it.
fn after(
    old: &Printer,
    report: &Result<PrinterReport, LinkError>,
    misses_max: i64,
    now: Time,
) -> Printer {
    let mut new = Printer { looked_at: now, ..old.clone() };
    match report {
        Ok(report) => {
            new.misses = 0;
            new.is_online = report.is_accepting && !report.is_stopped;
            if now.since(old.asked_at) >= ASK || (new.is_online && !old.is_online) {
                new.abilities = report.abilities.clone();
                new.asked_at = now;
            }
        }
        Err(_) => {
            new.misses += 1;
            new.is_online = old.is_online && new.misses < misses_max;
        }
    }
    if new.is_online != old.is_online || new.abilities != old.abilities {
        new.updated_at = now;
    }
    new
}
