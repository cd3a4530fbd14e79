//! Makes a report: goes through the shipments or trackings of its period a page at a time, so that
//! a hundred thousand of them need no more memory than a thousand.

mod prices;
mod rows;
mod trackings;

use uuid::Uuid;
use waybill_domain::document::{DocumentType, Format};
use waybill_domain::event::{Event, EventKind};
use waybill_domain::ids::{EventId, ReportId, TeamId};
use waybill_domain::language::Language;
use waybill_domain::time::Time;
use waybill_domain::words::Message;
use waybill_engine::app::{App, lease};
use waybill_engine::papers::{self, Paper, PapersError, Source};
use waybill_paper::{Dpi, Layout, spreadsheet};
use waybill_store::reports::{self, Report};
use waybill_store::trackings::{self as store_trackings, Tracking};
use waybill_store::{Error, Tx, documents, events, jobs, shipments};

use super::next::Next;
use prices::Prices;
use rows::{Sent, Tally, columns, row};

/// The kind of report that is not about shipments.
const TRACKING: &str = "tracking";
/// Rows read at once.
const PAGE: i64 = 500;
/// A report that cannot be made is given up.
const ATTEMPTS_MAX: i64 = 5;

/// Makes the report and ends the job.
pub async fn run(app: &App, claimed: &jobs::Claimed) -> Result<Next, Error> {
    let Some(team) = claimed.team else { return Ok(Next::Done) };
    let id = ReportId(claimed.subject);
    let found = app.read(move |tx| reports::find(tx, team, id)).await?;
    let Some(report) = found.filter(|report| report.state == "pending") else {
        return Ok(Next::Done);
    };
    let maker = app.clone();
    let made = async {
        let made = tokio::task::spawn_blocking(move || make(&maker, team, &report)).await;
        papers::keep(app, made??).await
    };
    let Some(made) = keeping(app, claimed, made).await else { return Ok(Next::Settled) };
    let (papers, state) = match made {
        Ok(papers) => (papers, "ready"),
        Err(why) if claimed.attempt < ATTEMPTS_MAX => return Ok(Next::Retry(why.to_string())),
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
    Ok(Next::Settled)
}

/// Does what may take longer than the lease, and prolongs the lease meanwhile: else another worker
/// would begin the same report anew. Nothing when another worker has it by now.
async fn keeping<T>(
    app: &App,
    claimed: &jobs::Claimed,
    work: impl Future<Output = T>,
) -> Option<T> {
    tokio::pin!(work);
    loop {
        if let Ok(done) = tokio::time::timeout(lease() / 3, &mut work).await {
            return Some(done);
        }
        let (job, now) = (claimed.clone(), app.now());
        let kept = app.write(move |tx| {
            let until = tx.now(now)?.plus(lease());
            jobs::renew(tx, &job, until)
        });
        match kept.await {
            Ok(true) => {}
            Ok(false) => return None,
            Err(error) => tracing::warn!(%error, "the lease of a report was not prolonged"),
        }
    }
}

fn make(app: &App, team: TeamId, report: &Report) -> Result<Vec<Paper>, PapersError> {
    let language = Language::parse(&report.language).unwrap_or(Language::En);
    let mut papers = Vec::new();
    for format in report.formats.split(' ') {
        papers.push(match format {
            "xlsx" => sheet(app, team, report, language)?,
            _ => summary(app, team, report, language)?,
        });
    }
    Ok(papers)
}

fn sheet(
    app: &App,
    team: TeamId,
    report: &Report,
    language: Language,
) -> Result<Paper, PapersError> {
    let title = |key: &'static str| Message::new(key).say(language);
    let bytes = if report.kind == TRACKING {
        let mut all = Rows::trackings(app, team, report);
        let rows = all.by_ref().map(|tracking| trackings::row(app, &tracking, language));
        let bytes = spreadsheet(&title("report-trackings"), &trackings::columns(language), rows);
        all.finish()?;
        bytes
    } else {
        let prices = Prices::read(app, team)?;
        let mut all = Rows::shipments(app, team, report);
        let rows = all.by_ref().map(|sent| row(app, &prices, &sent, language));
        let bytes = spreadsheet(&title("report-shipments"), &columns(language), rows);
        all.finish()?;
        bytes
    };
    let bytes = bytes.map_err(PapersError::Render)?;
    Ok(Paper::new(vec![DocumentType::Report], Format::Xlsx, bytes))
}

fn summary(
    app: &App,
    team: TeamId,
    report: &Report,
    language: Language,
) -> Result<Paper, PapersError> {
    let summary = if report.kind == TRACKING {
        let mut all = Rows::trackings(app, team, report);
        let mut tally = trackings::Tally::default();
        all.by_ref().for_each(|tracking| tally.add(&tracking));
        all.finish()?;
        tally.summary(app, report, language)
    } else {
        let mut all = Rows::shipments(app, team, report);
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

/// Reads rows of a period after one of them, the oldest first.
type Read<T> = fn(&mut Tx<'_>, TeamId, (Time, Time), (Time, Uuid), i64) -> Result<Vec<T>, Error>;

/// The rows of a period, the oldest first, read a page at a time. A failure ends them and is told
/// by `finish`.
struct Rows<'a, T> {
    app: &'a App,
    team: TeamId,
    period: (Time, Time),
    after: (Time, Uuid),
    page: std::vec::IntoIter<T>,
    is_last: bool,
    failure: Option<Error>,
    read: Read<T>,
    key: fn(&T) -> (Time, Uuid),
}

impl<'a> Rows<'a, Sent> {
    fn shipments(app: &'a App, team: TeamId, report: &Report) -> Rows<'a, Sent> {
        let key = |sent: &Sent| (sent.shipment.created_at, sent.shipment.id.into());
        Rows::new(app, team, report, list_sent, key)
    }
}

/// Shipments with what is known of their parcels.
fn list_sent(
    tx: &mut Tx<'_>,
    team: TeamId,
    period: (Time, Time),
    after: (Time, Uuid),
    limit: i64,
) -> Result<Vec<Sent>, Error> {
    let mut all = Vec::new();
    for shipment in shipments::list_created(tx, team, period, after, limit)? {
        let trackings = match shipment.booked_at {
            Some(_) => store_trackings::list_of(tx, team, shipment.id)?,
            None => Vec::new(),
        };
        let order = shipment.read_order()?;
        all.push(Sent { shipment, order, trackings });
    }
    Ok(all)
}

impl<'a> Rows<'a, Tracking> {
    fn trackings(app: &'a App, team: TeamId, report: &Report) -> Rows<'a, Tracking> {
        let key = |tracking: &Tracking| (tracking.created_at, tracking.id.into());
        Rows::new(app, team, report, store_trackings::list_created, key)
    }
}

impl<'a, T: Send + 'static> Rows<'a, T> {
    fn new(
        app: &'a App,
        team: TeamId,
        report: &Report,
        read: Read<T>,
        key: fn(&T) -> (Time, Uuid),
    ) -> Rows<'a, T> {
        Rows {
            app,
            team,
            period: (report.from_at, report.to_at),
            after: (Time(i64::MIN), Uuid::nil()),
            page: Vec::new().into_iter(),
            is_last: false,
            failure: None,
            read,
            key,
        }
    }

    fn finish(self) -> Result<(), Error> {
        self.failure.map_or(Ok(()), Err)
    }

    fn turn(&mut self) {
        let (team, period, after, read) = (self.team, self.period, self.after, self.read);
        let read = move |tx: &mut Tx<'_>| read(tx, team, period, after, PAGE);
        match self.app.store().blocking_read(read) {
            Ok(page) => {
                self.is_last = page.len() < PAGE as usize;
                self.page = page.into_iter();
            }
            Err(error) => (self.failure, self.is_last) = (Some(error), true),
        }
    }
}

impl<T: Send + 'static> Iterator for Rows<'_, T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        if self.page.len() == 0 && !self.is_last {
            self.turn();
        }
        let row = self.page.next()?;
        self.after = (self.key)(&row);
        Some(row)
    }
}
