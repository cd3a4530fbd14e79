//! Print jobs: making them, and writing down what became of them. What is printed where is said by
//! the team's rules; what may follow what, by `domain::printing`.

mod automatic;
mod choice;
mod counted;

pub use automatic::AutomaticPrints;
pub use choice::{Unprintable, check, choose, described, no_rule, too_large_for_all};

use waybill_domain::document::{Format, SourceKind};
use waybill_domain::ids::{EventId, PrintJobId, ShipmentId, TeamId};
use waybill_domain::job::JobKind;
use waybill_domain::printing::{
    self as machine, Change, PrintFailure, PrintProblem, PrintSource, PrintState, PrintStep, Seen,
};
use waybill_domain::time::Time;
use waybill_store::documents::Document;
use waybill_store::print_jobs::{self, PrintJob, PrintTarget};
use waybill_store::printers::{self, Printer};
use waybill_store::{Error, Tx, jobs};

use self::counted::{count_change, count_new};
use crate::app::App;

/// A job that is to be made.
#[derive(Clone, Copy)]
pub struct NewJob<'a> {
    /// Its id.
    pub id: PrintJobId,
    /// The file.
    pub document: &'a Document,
    /// What asked for it.
    pub source: PrintSource,
    /// The request that did.
    pub request_id: Option<&'a str>,
    /// When.
    pub now: Time,
}

/// Adds a printer, which is looked at from now on. False when the team has another at its address.
pub fn add_printer(
    tx: &mut Tx<'_>,
    team: TeamId,
    printer: &Printer,
    now: Time,
) -> Result<bool, Error> {
    let is_added = printers::insert(tx, team, printer)?;
    if is_added {
        look_at(tx, team, printer, now)?;
    }
    Ok(is_added)
}

/// The printer's queue is worked on from now on. Where an agent has the printer, the agent is told
/// that there may be something for it.
pub fn look_at(tx: &mut Tx<'_>, team: TeamId, printer: &Printer, now: Time) -> Result<(), Error> {
    let now = tx.now(now)?;
    let (kind, subject) = match &printer.agent {
        Some(own) => (JobKind::PrintAgent, own.agent.into()),
        None => (JobKind::Print, printer.id.into()),
    };
    jobs::schedule(tx, kind, subject, Some(team), now)
}

/// Adds a job for this printer. Its queue hears of it when the transaction is over.
pub fn add(
    tx: &mut Tx<'_>,
    app: &App,
    team: TeamId,
    new: NewJob<'_>,
    (printer, copies): (&Printer, i64),
) -> Result<PrintJob, Error> {
    let job = waiting(app, new, (printer, copies));
    print_jobs::insert(tx, team, &job, EventId(app.new_uuid()))?;
    look_at(tx, team, printer, new.now)?;
    count_new(tx, &job);
    Ok(job)
}

/// A job that waits for its printer.
fn waiting(app: &App, new: NewJob<'_>, (printer, copies): (&Printer, i64)) -> PrintJob {
    let size_bytes = choice::size_as_sent(printer, new.document, copies);
    PrintJob { size_bytes, ..make(app, new, Some(printer), copies) }
}

/// A job that failed before anything was sent.
fn failed(
    app: &App,
    new: NewJob<'_>,
    (printer, copies): (Option<&Printer>, i64),
    failure: PrintFailure,
) -> PrintJob {
    PrintJob {
        state: PrintState::Failed,
        step: PrintStep::Over,
        look_at: None,
        failure: Some(failure),
        ..make(app, new, printer, copies)
    }
}

fn make(app: &App, new: NewJob<'_>, printer: Option<&Printer>, copies: i64) -> PrintJob {
    let document = new.document;
    let is_of_shipment = document.source_type == SourceKind::Shipment;
    PrintJob {
        id: new.id,
        document: document.id,
        document_name: document.name.clone(),
        document_types: document.types.clone(),
        document_format: document.format.clone(),
        document_pages: document.page_count,
        shipment: is_of_shipment.then_some(ShipmentId(document.source)),
        target: printer
            .map(|printer| PrintTarget { printer: printer.id, name: printer.name.clone() }),
        copies,
        source: new.source,
        request_id: new.request_id.map(str::to_owned),
        state: PrintState::Pending,
        failure: None,
        step: PrintStep::Ready,
        tries: 0,
        size_bytes: document.size_bytes,
        expires_at: new.now.plus(app.print_jobs_expire()),
        submission: 0,
        printer_job: None,
        sent_at: None,
        is_answered: false,
        silent_since: None,
        look_at: Some(new.now),
        created_at: new.now,
        queued_at: None,
        printed_at: None,
        updated_at: new.now,
        agent: printer.and_then(|printer| printer.agent.as_ref()).map(|own| own.agent),
        spool: None,
        sequence: 0,
    }
}

/// Writes what an observation changes of a job, and what the printer said about it.
pub fn record(
    tx: &mut Tx<'_>,
    app: &App,
    team: TeamId,
    job: &PrintJob,
    (seen, said): (Seen, Option<&str>),
    now: Time,
) -> Result<PrintJob, Error> {
    record_as_of(tx, app, team, job, (seen, said), (now, now))
}

/// The same of something that was seen at another time than it is written: so late was it printed,
/// if it was.
pub(crate) fn record_as_of(
    tx: &mut Tx<'_>,
    app: &App,
    team: TeamId,
    job: &PrintJob,
    (seen, said): (Seen, Option<&str>),
    (seen_at, now): (Time, Time),
) -> Result<PrintJob, Error> {
    let change = machine::record(&job.printing(), seen, now);
    let new = apply(job, &change, said, (seen_at, now));
    if let Some(outcome) = change.submission.filter(|_| job.submission > 0) {
        print_jobs::end(tx, team, job, outcome, said, now)?;
    }
    print_jobs::change(tx, team, (job.state, &new), EventId(app.new_uuid()))?;
    count_change(tx, job, &new);
    Ok(new)
}

/// Commits that a submission begins: from here on an empty job may exist at the printer.
pub fn begin(
    tx: &mut Tx<'_>,
    app: &App,
    team: TeamId,
    job: &PrintJob,
    fence: i64,
    now: Time,
) -> Result<PrintJob, Error> {
    let numbered = PrintJob { submission: job.submission + 1, printer_job: None, ..job.clone() };
    print_jobs::begin(tx, team, job.id, (numbered.submission, fence), now)?;
    record(tx, app, team, &numbered, (Seen::Begun, None), now)
}

/// Commits the number of the empty job, where there is one: from here on the file may leave.
pub fn created(
    tx: &mut Tx<'_>,
    app: &App,
    team: TeamId,
    job: &PrintJob,
    printer_job: Option<i64>,
    now: Time,
) -> Result<PrintJob, Error> {
    let numbered = PrintJob { printer_job, ..job.clone() };
    print_jobs::set_printer_job(tx, team, job.id, (job.submission, printer_job), now)?;
    record(tx, app, team, &numbered, (Seen::Created, None), now)
}

/// Gives up the jobs of a printer, or of a shipment, that cannot have left.
pub fn give_up_unsent(
    tx: &mut Tx<'_>,
    app: &App,
    team: TeamId,
    open: Vec<PrintJob>,
    problem: PrintProblem,
    now: Time,
) -> Result<(), Error> {
    for job in open.into_iter().filter(|job| job.printing().is_unsent()) {
        let Some(job) = print_jobs::lock(tx, team, job.id)? else { continue };
        record(tx, app, team, &job, (Seen::Unwanted(problem), None), now)?;
    }
    Ok(())
}

/// After a restore: a job that waits in the copy may have been printed from the lost database, and
/// printing it once more would be the second time. Agents know their own, so those are offered
/// again. Tells how many are given up.
pub fn hold_back(tx: &mut Tx<'_>, app: &App, now: Time) -> Result<usize, Error> {
    let mut held = 0;
    for (team, id) in print_jobs::any_list_unsettled(tx)? {
        let Some(job) = print_jobs::lock(tx, team, id)? else { continue };
        let new = record(tx, app, team, &job, (Seen::Restored, None), now)?;
        held += usize::from(new.state != job.state);
    }
    Ok(held)
}

/// The job with a change. `updated_at` moves with the state alone.
fn apply(
    job: &PrintJob,
    change: &Change,
    said: Option<&str>,
    (seen_at, now): (Time, Time),
) -> PrintJob {
    let state = change.job.state;
    let has_arrived =
        matches!(state, PrintState::Queued | PrintState::Printing | PrintState::Printed);
    let failure = match (change.problem, state) {
        (Some(problem), _) => Some(PrintFailure::said(problem, said.unwrap_or_default())),
        (None, PrintState::Failed | PrintState::Unknown) => job.failure.clone(),
        _ => None,
    };
    PrintJob {
        state,
        step: change.job.step,
        tries: i64::from(change.job.tries),
        sent_at: change.job.sent_at,
        is_answered: change.job.is_answered,
        silent_since: change.job.silent_since,
        look_at: change.look_at,
        failure,
        queued_at: job.queued_at.or(has_arrived.then_some(now)),
        printed_at: job.printed_at.or((state == PrintState::Printed).then_some(seen_at)),
        updated_at: if state == job.state { job.updated_at } else { now },
        ..job.clone()
    }
}

/// The format of a document, if it is one that this version knows.
pub(crate) fn format_of(document: &Document) -> Option<Format> {
    Format::parse(&document.format)
}
