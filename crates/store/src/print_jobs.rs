//! Attempts to print a file, newest last. Each belongs to a document, which shows how far the
//! newest is.

mod of_agents;
mod reports;
mod row;
mod submissions;

pub use of_agents::{list_expired, list_held, list_offered, next_expiry};
pub use reports::{Report, add as add_report, list as list_reports};
pub use row::{PrintJob, PrintTarget};
pub use submissions::{
    Submission, begin, end, is_left_behind, list as list_submissions, set_printer_job,
};

use uuid::Uuid;
use waybill_domain::event::{Event, EventKind};
use waybill_domain::ids::{DocumentId, EventId, PrintJobId, PrinterId, ShipmentId, TeamId};
use waybill_domain::page::{Cursor, Direction};
use waybill_domain::printing::PrintState;
use waybill_domain::time::Time;

use crate::{Param, Result, Tx, events};

macro_rules! select {
    ($($rest:literal),+ $(,)?) => {
        concat!(
            "SELECT id, document, document_name, document_types, document_format, document_pages,
                    shipment, printer, printer_name, copies, source, request_id, state, problem,
                    said, step, tries, size_bytes, expires_at, submission, printer_job, sent_at,
                    is_answered, silent_since, look_at, created_at, queued_at, printed_at,
                    updated_at, agent, spool, sequence
               FROM print_job ",
            $($rest),+
        )
    };
}

use select;

/// Adds a job, and tells of it. Its document shows it from now on.
pub fn insert(tx: &mut Tx<'_>, team: TeamId, job: &PrintJob, event: EventId) -> Result<()> {
    insert_shown(tx, team, job, event)?;
    tx.exec_one(
        "UPDATE document SET print_job = $3, print_status = $4, updated_at = $5
          WHERE team = $1 AND id = $2",
        &[
            team.into(),
            job.document.into(),
            job.id.into(),
            job.state.name().into(),
            job.created_at.into(),
        ],
    )?;
    Ok(())
}

/// The same of a job whose document was added with it, and shows it.
pub fn insert_shown(tx: &mut Tx<'_>, team: TeamId, job: &PrintJob, event: EventId) -> Result<()> {
    row::insert(tx, team, job)?;
    tell(tx, team, job, event, job.created_at)
}

/// Writes what changed of a job. When its state did, that is told, and its document shows it if no
/// newer job is there.
pub fn change(
    tx: &mut Tx<'_>,
    team: TeamId,
    (old, new): (PrintState, &PrintJob),
    event: EventId,
) -> Result<()> {
    row::update(tx, team, new)?;
    if old == new.state {
        return Ok(());
    }
    tx.exec(
        "UPDATE document SET print_status = $4, updated_at = $5
          WHERE team = $1 AND id = $2 AND print_job = $3",
        &[
            team.into(),
            new.document.into(),
            new.id.into(),
            new.state.name().into(),
            new.updated_at.into(),
        ],
    )?;
    tell(tx, team, new, event, new.updated_at)
}

fn tell(tx: &mut Tx<'_>, team: TeamId, job: &PrintJob, event: EventId, at: Time) -> Result<()> {
    let about = ("print_job_uuid", job.id.into());
    let event = Event::new(event, EventKind::PrintJobUpdated, at, about);
    let mut event = event.with("document_uuid", job.document.into());
    if let Some(shipment) = job.shipment {
        event = event.with("shipment_uuid", shipment.into());
    }
    events::append(tx, team, &event)
}

/// The team's job.
pub fn find(tx: &mut Tx<'_>, team: TeamId, id: PrintJobId) -> Result<Option<PrintJob>> {
    tx.one(select!("WHERE team = $1 AND id = $2"), &[team.into(), id.into()])
}

/// The team's job, which nobody else changes before this transaction ends.
pub fn lock(tx: &mut Tx<'_>, team: TeamId, id: PrintJobId) -> Result<Option<PrintJob>> {
    tx.one(select!("WHERE team = $1 AND id = $2 FOR UPDATE"), &[team.into(), id.into()])
}

/// What a list is limited to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Filter {
    /// Attempts to print this document.
    pub document: Option<DocumentId>,
    /// At this printer.
    pub printer: Option<PrinterId>,
    /// In this state.
    pub state: Option<PrintState>,
}

macro_rules! page {
    ($path:literal, $from:literal, $order:literal) => {
        select!(
            "WHERE team = $1 ",
            $path,
            " AND (CAST($2 AS UUID) IS NULL OR document = $2)
              AND (CAST($3 AS UUID) IS NULL OR printer = $3)
              AND (CAST($4 AS TEXT) IS NULL OR state = $4) ",
            $from,
            $order,
            " LIMIT $5"
        )
    };
}

/// One job more than `wanted` from the cursor on, newest first.
pub fn list(
    tx: &mut Tx<'_>,
    team: TeamId,
    filter: Filter,
    cursor: Option<Cursor>,
    wanted: usize,
) -> Result<Vec<PrintJob>> {
    // With the other end of the team: else PostgreSQL may look for the jobs of a small team in the
    // order of all ids.
    let (direction, id, bound) = Cursor::between(cursor);
    macro_rules! pages {
        ($path:literal) => {
            match direction {
                Direction::Next => {
                    page!(
                        $path,
                        "AND (team, id) > ($1, $7) AND (team, id) < ($1, $6) AND id < $6",
                        " ORDER BY id DESC"
                    )
                }
                Direction::Previous => {
                    page!(
                        $path,
                        "AND (team, id) < ($1, $7) AND (team, id) > ($1, $6) AND id > $6",
                        " ORDER BY id"
                    )
                }
            }
        };
    }
    // The narrowest filter chooses the index; the others look at what it finds.
    let statement = match filter {
        Filter { document: Some(_), .. } => pages!("AND document = $2"),
        Filter { printer: Some(_), .. } => pages!("AND printer = $3"),
        Filter { state: Some(state), .. } if state != PrintState::Printed => {
            pages!("AND state = $4 AND state <> 'printed'")
        }
        _ => pages!(""),
    };
    tx.all(
        statement,
        &[
            team.into(),
            filter.document.into(),
            filter.printer.into(),
            filter.state.map(PrintState::name).into(),
            i64::try_from(wanted + 1).unwrap_or(i64::MAX).into(),
            id.into(),
            bound.into(),
        ],
    )
}

/// The jobs of a period after a position in their order, the oldest first.
pub fn list_created(
    tx: &mut Tx<'_>,
    team: TeamId,
    (from, to): (Time, Time),
    (after, after_id): (Time, Uuid),
    limit: i64,
) -> Result<Vec<PrintJob>> {
    tx.all(
        select!(
            "WHERE team = $1 AND created_at >= $2 AND created_at < $3
               AND (created_at, id) > ($4, $5)
             ORDER BY created_at, id LIMIT $6"
        ),
        &[team.into(), from.into(), to.into(), after.into(), after_id.into(), limit.into()],
    )
}

/// All jobs of a printer that somebody looks at again: those that wait to be sent, and then those
/// that may have been. One that moves on meanwhile is among both rather than among none.
pub fn list_open(tx: &mut Tx<'_>, team: TeamId, printer: PrinterId) -> Result<Vec<PrintJob>> {
    let of_printer = [team.into(), printer.into()];
    let mut open: Vec<PrintJob> = tx.all(
        select!("WHERE team = $1 AND printer = $2 AND step = 'ready' ORDER BY id"),
        &of_printer,
    )?;
    open.extend(tx.all::<PrintJob>(
        select!(
            "WHERE team = $1 AND printer = $2 AND look_at IS NOT NULL AND step <> 'ready'
             ORDER BY look_at, id"
        ),
        &of_printer,
    )?);
    Ok(open)
}

/// The job whose turn it is at a printer. One that may have been sent is looked at when that is
/// due; of those that wait to be sent it is the oldest, and the others wait behind it.
pub fn find_due(
    tx: &mut Tx<'_>,
    team: TeamId,
    printer: PrinterId,
    now: Time,
) -> Result<Option<PrintJob>> {
    let sent = tx.one(
        select!(
            "WHERE team = $1 AND printer = $2 AND look_at <= $3
               AND look_at IS NOT NULL AND step <> 'ready'
             ORDER BY look_at, id LIMIT 1"
        ),
        &[team.into(), printer.into(), now.into()],
    )?;
    match sent {
        Some(sent) => Ok(Some(sent)),
        None => Ok(find_ready(tx, team, printer)?.filter(|job| job.look_at <= Some(now))),
    }
}

/// When somebody looks at a job of a printer again.
pub fn next_look(tx: &mut Tx<'_>, team: TeamId, printer: PrinterId) -> Result<Option<Time>> {
    let sent: Option<Time> = tx.one(
        "SELECT look_at FROM print_job
          WHERE team = $1 AND printer = $2 AND look_at IS NOT NULL AND step <> 'ready'
          ORDER BY look_at LIMIT 1",
        &[team.into(), printer.into()],
    )?;
    let ready = find_ready(tx, team, printer)?.and_then(|job| job.look_at);
    Ok([sent, ready].into_iter().flatten().min())
}

/// The oldest job that waits to be sent.
fn find_ready(tx: &mut Tx<'_>, team: TeamId, printer: PrinterId) -> Result<Option<PrintJob>> {
    tx.one(
        select!("WHERE team = $1 AND printer = $2 AND step = 'ready' ORDER BY id LIMIT 1"),
        &[team.into(), printer.into()],
    )
}

/// The jobs for documents of a shipment that somebody looks at again.
pub fn list_open_of_shipment(
    tx: &mut Tx<'_>,
    team: TeamId,
    shipment: ShipmentId,
) -> Result<Vec<PrintJob>> {
    tx.all(
        select!("WHERE team = $1 AND shipment = $2 AND look_at IS NOT NULL ORDER BY id"),
        &[team.into(), shipment.into()],
    )
}

/// How many jobs of a printer are open, counted up to a limit.
pub fn count_open(tx: &mut Tx<'_>, team: TeamId, printer: PrinterId, limit: i64) -> Result<i64> {
    let count = tx.one(
        "SELECT (SELECT count(*) FROM (SELECT id FROM print_job
                    WHERE team = $1 AND printer = $2 AND step = 'ready' LIMIT $3) AS unsent)
              + (SELECT count(*) FROM (SELECT id FROM print_job
                    WHERE team = $1 AND printer = $2
                      AND look_at IS NOT NULL AND step <> 'ready' LIMIT $3) AS sent)",
        &[team.into(), printer.into(), limit.into()],
    )?;
    Ok(count.unwrap_or(0))
}

/// The jobs of all teams that were not sent, or may have been, at printers that servers call
/// themselves.
pub fn any_list_unsettled(tx: &mut Tx<'_>) -> Result<Vec<(TeamId, PrintJobId)>> {
    tx.all(
        "SELECT team, id FROM print_job
          WHERE agent IS NULL AND step IN ('ready', 'creating', 'sending') ORDER BY team, id",
        &[],
    )
}

/// How many jobs wait to be sent, over all teams.
pub fn any_count_waiting(tx: &mut Tx<'_>) -> Result<i64> {
    let count = tx.one("SELECT count(*) FROM print_job WHERE step = 'ready'", &[])?;
    Ok(count.unwrap_or(0))
}

/// Removes the attempts to print files of a source that goes after a while; its kind is as
/// documents store it.
pub(crate) fn delete_of(
    tx: &mut Tx<'_>,
    team: TeamId,
    source_type: &str,
    source: Uuid,
) -> Result<()> {
    let of_source: [Param<'_>; 3] = [team.into(), source_type.into(), source.into()];
    tx.exec(
        "DELETE FROM print_report WHERE team = $1 AND print_job IN (
           SELECT job.id FROM print_job AS job JOIN document AS file
               ON file.team = job.team AND file.id = job.document
            WHERE file.team = $1 AND file.source_type = $2 AND file.source = $3)",
        &of_source,
    )?;
    tx.exec(
        "DELETE FROM print_submission WHERE team = $1 AND print_job IN (
           SELECT job.id FROM print_job AS job JOIN document AS file
               ON file.team = job.team AND file.id = job.document
            WHERE file.team = $1 AND file.source_type = $2 AND file.source = $3)",
        &of_source,
    )?;
    tx.exec(
        "DELETE FROM print_job WHERE team = $1 AND document IN (
           SELECT id FROM document WHERE team = $1 AND source_type = $2 AND source = $3)",
        &of_source,
    )?;
    Ok(())
}
