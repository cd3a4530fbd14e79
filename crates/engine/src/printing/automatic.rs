//! Documents of a booking that are printed by themselves, in the commit that makes them visible.

use waybill_domain::ids::{EventId, PrintJobId, PrinterId, TeamId};
use waybill_domain::printing::{PrintSource, PrintingSettings};
use waybill_domain::time::Time;
use waybill_store::documents::{Content, Document};
use waybill_store::print_jobs::{self, PrintJob};
use waybill_store::printers::{self, Printer};
use waybill_store::{Error, Tx, documents};

use super::choice::{file_of, fits, no_rule};
use super::counted::count_new;
use super::{NewJob, failed, look_at, waiting};
use crate::app::App;

/// Documents with their jobs, before anything of them is written: each row is written once, and
/// each printer is read and told once, however many documents go there.
pub struct AutomaticPrints {
    documents: Vec<Document>,
    jobs: Vec<PrintJob>,
    printers: Vec<(PrinterId, Option<Printer>)>,
    now: Time,
}

impl AutomaticPrints {
    /// Works out a job for each of these documents, in their order, as the shipment's snapshot of
    /// the settings says. What no rule fits, or its printer cannot take, is a job that failed: a
    /// person finds the reason there. The documents show it.
    pub fn plan(
        tx: &mut Tx<'_>,
        app: &App,
        team: TeamId,
        settings: &PrintingSettings,
        documents: Vec<Document>,
        (request_id, now): (Option<&str>, Time),
    ) -> Result<AutomaticPrints, Error> {
        let (jobs, printers) = (Vec::with_capacity(documents.len()), Vec::new());
        let mut prints = AutomaticPrints { documents, jobs, printers, now };
        for place in 0..prints.documents.len() {
            let document = &prints.documents[place];
            let id = PrintJobId(app.new_uuid());
            let source = PrintSource::Booking;
            let new = NewJob { id, document, source, request_id, now };
            let job = match choose(tx, team, settings, document, &mut prints.printers)? {
                None => failed(app, new, (None, 1), no_rule(document)),
                Some((printer, copies)) => match fits(printer, document, copies) {
                    Ok(()) => waiting(app, new, (printer, copies)),
                    Err(failure) => failed(app, new, (Some(printer), copies), failure),
                },
            };
            prints.documents[place].print_status = Some(job.state);
            prints.jobs.push(job);
        }
        Ok(prints)
    }

    /// Writes the documents, each with its content, and their jobs. The queues of the printers hear
    /// of it when the transaction is over.
    pub fn write<'a>(
        &self,
        tx: &mut Tx<'_>,
        app: &App,
        team: TeamId,
        contents: impl Iterator<Item = &'a Content>,
    ) -> Result<(), Error> {
        for ((document, job), content) in self.documents.iter().zip(&self.jobs).zip(contents) {
            documents::insert_printed(tx, team, document, content, job.id)?;
            print_jobs::insert_shown(tx, team, job, EventId(app.new_uuid()))?;
            count_new(tx, job);
        }
        for printer in self.printers.iter().filter_map(|(_, printer)| printer.as_ref()) {
            let is_waited_for = |job: &PrintJob| {
                let target = job.target.as_ref().filter(|_| job.look_at.is_some());
                target.is_some_and(|target| target.printer == printer.id)
            };
            if self.jobs.iter().any(is_waited_for) {
                look_at(tx, team, printer, self.now)?;
            }
        }
        Ok(())
    }

    /// The documents as they were written.
    pub fn into_documents(self) -> Vec<Document> {
        self.documents
    }
}

/// The printer and the number of copies that the first fitting rule says. What was read of printers
/// is kept.
fn choose<'a>(
    tx: &mut Tx<'_>,
    team: TeamId,
    settings: &PrintingSettings,
    document: &Document,
    known: &'a mut Vec<(PrinterId, Option<Printer>)>,
) -> Result<Option<(&'a Printer, i64)>, Error> {
    let Some(file) = file_of(document) else { return Ok(None) };
    for rule in settings.rules_for(file) {
        let id = PrinterId(rule.printer);
        let place = match known.iter().position(|(other, _)| *other == id) {
            Some(place) => place,
            None => {
                known.push((id, printers::find(tx, team, id)?));
                known.len() - 1
            }
        };
        // A rule of a printer that is gone fits nothing.
        if known[place].1.is_some() {
            return Ok(known[place].1.as_ref().map(|printer| (printer, rule.copies)));
        }
    }
    Ok(None)
}
