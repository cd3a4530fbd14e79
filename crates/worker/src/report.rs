//! Makes a report: goes through the shipments or trackings of its period a page at a time, so that
//! a hundred thousand of them need no more memory than a thousand.

mod pages;
mod prices;
mod rows;
mod trackings;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use waybill_domain::document::{DocumentType, Format};
use waybill_domain::event::{Event, EventKind};
use waybill_domain::ids::{EventId, ReportId, TeamId};
use waybill_domain::language::Language;
use waybill_domain::words::Message;
use waybill_engine::app::{self, App};
use waybill_engine::papers::{self, Paper, PapersError, Source};
use waybill_paper::{Dpi, Layout, spreadsheet};
use waybill_store::reports::{self, Report};
use waybill_store::{Error, Tx, documents, events, jobs};

use super::job_outcome::JobOutcome;
use super::lease;
use pages::Pages;
use prices::Prices;
use rows::{Tally, columns, row};

/// The kind of report that is not about shipments.
const TRACKING: &str = "tracking";
/// A report that cannot be made is given up.
const ATTEMPTS_MAX: i64 = 5;

/// Makes the report and ends the job.
pub async fn run(app: &App, claimed: &jobs::Claimed) -> Result<JobOutcome, Error> {
    let Some(team) = claimed.team else { return Ok(JobOutcome::Done) };
    let id = ReportId(claimed.subject);
    let found = app.read(move |tx| reports::find(tx, team, id)).await?;
    let Some(report) = found.filter(|report| report.state == "pending") else {
        return Ok(JobOutcome::Done);
    };
    let language = Language::parse(&report.language).unwrap_or(Language::En);
    let is_given_up = Arc::new(AtomicBool::new(false));
    let maker =
        Maker { app: app.clone(), team, report, language, is_given_up: is_given_up.clone() };
    let made = async {
        let made = tokio::task::spawn_blocking(move || maker.make()).await;
        papers::store(app, made??).await
    };
    let Some(made) = with_lease(app, claimed, made).await else {
        // The thread ends with the page that it is reading.
        is_given_up.store(true, Ordering::Relaxed);
        return Ok(JobOutcome::AlreadyEnded);
    };
    let (papers, state) = match made {
        Ok(papers) => (papers, "ready"),
        Err(why) if claimed.attempt < ATTEMPTS_MAX => {
            return Ok(JobOutcome::Retry(why.to_string()));
        }
        Err(why) => {
            tracing::error!(report = %id, %why, "a report could not be made");
            (Vec::new(), "failed")
        }
    };
    let (now, job) = (app.now(), claimed.clone());
    let source = Source { kind: "report", id: id.into() };
    let papers = papers.into_iter().enumerate();
    let files: Vec<_> =
        papers.map(|(place, paper)| paper.filed(&source, place, now, app)).collect();
    let kind = if state == "ready" { EventKind::ReportReady } else { EventKind::ReportFailed };
    let event = EventId(app.new_uuid());
    let event = Event::new(event, kind, now, ("report_uuid", id.into()));
    let write = move |tx: &mut Tx<'_>| {
        if jobs::finish(tx, &job)? && reports::set_state(tx, team, id, state, now)? {
            events::append(tx, team, &event)?;
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

/// Does what may take longer than the lease, and prolongs the lease meanwhile: else another worker
/// would begin the same report anew. Nothing when another worker has it by now.
async fn with_lease<T>(
    app: &App,
    claimed: &jobs::Claimed,
    work: impl Future<Output = T>,
) -> Option<T> {
    tokio::pin!(work);
    loop {
        if let Ok(done) = tokio::time::timeout(app::lease() / 3, &mut work).await {
            return Some(done);
        }
        let (job, now) = (claimed.clone(), app.now());
        match app.write(move |tx| lease::renew(tx, &job, now)).await {
            Ok(true) => {}
            Ok(false) => return None,
            Err(error) => tracing::warn!(%error, "the lease of a report was not prolonged"),
        }
    }
}

/// Makes the papers of one report.
struct Maker {
    app: App,
    team: TeamId,
    report: Report,
    language: Language,
    /// Whether another worker makes it by now.
    is_given_up: Arc<AtomicBool>,
}

impl Maker {
    fn make(&self) -> Result<Vec<Paper>, PapersError> {
        let formats = self.report.formats.split(' ');
        formats
            .map(|format| match format {
                "xlsx" => self.sheet(),
                _ => self.summary(),
            })
            .collect()
    }

    fn sheet(&self) -> Result<Paper, PapersError> {
        let (app, language) = (&self.app, self.language);
        let title = |key: &'static str| Message::new(key).say(language);
        let bytes = if self.report.kind == TRACKING {
            let mut all = Pages::trackings(self);
            let rows = all.by_ref().map(|tracking| trackings::row(app, &tracking, language));
            let columns = trackings::columns(language);
            let bytes = spreadsheet(&title("report-trackings"), &columns, rows);
            all.finish()?;
            bytes
        } else {
            let prices = Prices::read(app, self.team)?;
            let mut all = Pages::shipments(self);
            let rows = all.by_ref().map(|sent| row(app, &prices, &sent, language));
            let bytes = spreadsheet(&title("report-shipments"), &columns(language), rows);
            all.finish()?;
            bytes
        };
        let bytes = bytes.map_err(PapersError::Render)?;
        Ok(Paper::new(vec![DocumentType::Report], Format::Xlsx, bytes))
    }

    fn summary(&self) -> Result<Paper, PapersError> {
        let (app, report, language) = (&self.app, &self.report, self.language);
        let summary = if report.kind == TRACKING {
            let mut all = Pages::trackings(self);
            let mut tally = trackings::Tally::default();
            all.by_ref().for_each(|tracking| tally.add(&tracking));
            all.finish()?;
            tally.summary(app, report, language)
        } else {
            let mut all = Pages::shipments(self);
            let mut tally = Tally::default();
            all.by_ref().for_each(|sent| tally.add(&sent));
            all.finish()?;
            tally.summary(app, report, language)
        };
        let document = summary.layout(app.renderer()).map_err(PapersError::Layout)?;
        let drawn = app.renderer().render(&document, Format::Pdf, Dpi::Dpi203);
        let drawn = drawn.map_err(PapersError::Render)?;
        Ok(Paper::drawn(DocumentType::Report, Format::Pdf, drawn))
    }
}
