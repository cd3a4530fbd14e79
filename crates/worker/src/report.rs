//! Makes a report: goes through the shipments, trackings or print jobs of its period a page at a
//! time, so that a hundred thousand of them need no more memory than a thousand.

mod cells;
mod charts;
mod content;
mod pages;
mod prices;
mod print_jobs;
mod shipments;
mod trackings;
mod writer;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use waybill_domain::event::{Event, EventKind};
use waybill_domain::ids::{EventId, ReportId, TeamId};
use waybill_domain::report::ReportState;
use waybill_engine::app::App;
use waybill_engine::papers::{self, DocumentOwner, Paper};
use waybill_store::{Error, Tx, documents, jobs, reports, teams};

use super::job_outcome::JobOutcome;
use super::lease;
use writer::ReportWriter;

/// A report that cannot be made is given up.
const ATTEMPTS_MAX: i64 = 5;

/// Makes the report and ends the job.
pub async fn run(app: &App, claimed: &jobs::Claimed) -> Result<JobOutcome, Error> {
    let Some(team) = claimed.team else { return Ok(JobOutcome::Done) };
    let id = ReportId(claimed.subject);
    let found = app.read(move |tx| {
        Ok::<_, Error>((reports::find(tx, team, id)?, teams::is_deleted(tx, team)?))
    });
    let (found, is_team_deleted) = found.await?;
    let Some(report) = found.filter(|report| report.state == ReportState::Pending) else {
        return Ok(JobOutcome::Done);
    };
    if is_team_deleted {
        // Nobody could read it.
        return end(app, claimed, (team, id), Vec::new(), ReportState::Failed).await;
    }
    let is_cancelled = Arc::new(AtomicBool::new(false));
    let writer =
        ReportWriter { app: app.clone(), team, report, is_cancelled: is_cancelled.clone() };
    let made = async {
        let made = tokio::task::spawn_blocking(move || writer.write()).await;
        papers::store(app, made??).await
    };
    let Some(made) = lease::keep(app, claimed, made).await else {
        // The thread ends with the page that it is reading.
        is_cancelled.store(true, Ordering::Relaxed);
        return Ok(JobOutcome::AlreadyEnded);
    };
    let (papers, state) = match made {
        Ok(papers) => (papers, ReportState::Ready),
        Err(why) if claimed.attempt < ATTEMPTS_MAX => {
            return Ok(JobOutcome::Retry(why.to_string()));
        }
        Err(why) => {
            tracing::error!(report = %id, %why, "a report could not be made");
            (Vec::new(), ReportState::Failed)
        }
    };
    end(app, claimed, (team, id), papers, state).await
}

/// Writes down how a report ended, and tells webhooks so.
async fn end(
    app: &App,
    claimed: &jobs::Claimed,
    (team, id): (TeamId, ReportId),
    papers: Vec<Paper>,
    state: ReportState,
) -> Result<JobOutcome, Error> {
    let kind = match state {
        ReportState::Ready => EventKind::ReportReady,
        ReportState::Pending | ReportState::Failed => EventKind::ReportFailed,
    };
    let (now, job) = (app.now(), claimed.clone());
    let owner = DocumentOwner::report(id);
    let papers = papers.into_iter().enumerate();
    let files: Vec<_> = papers.map(|(place, paper)| paper.filed(&owner, place, now, app)).collect();
    let event = EventId(app.new_uuid());
    let event = Event::new(event, kind, now, ("report_uuid", id.into()));
    let write = move |tx: &mut Tx<'_>| {
        if jobs::finish(tx, &job)? && reports::end(tx, team, id, state, &event)? {
            for (document, content) in &files {
                documents::insert(tx, team, document, content)?;
            }
        }
        Ok::<_, Error>(())
    };
    app.write(write).await?;
    app.wake_runner();
    Ok(JobOutcome::AlreadyEnded)
}
