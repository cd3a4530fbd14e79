//! Reports: asked for here, made by the worker, and read as documents.

use std::time::Duration;

use axum::http::{StatusCode, header};
use waybill_domain::document::SourceKind;
use waybill_domain::fields::{FieldErrors, Fields, each, one_of, read_knowing};
use waybill_domain::ids::ReportId;
use waybill_domain::job::JobKind;
use waybill_domain::json::Json;
use waybill_domain::quota::Quota;
use waybill_domain::report::{ReportFormat, ReportKind, ReportState};
use waybill_domain::time::Time;
use waybill_domain::words::Message;
use waybill_store::documents::Document;
use waybill_store::reports::{self, Report};
use waybill_store::{Error, Tx, documents, jobs};

use super::caller::Member;
use super::documents as files;
use super::lists::NewestFirst;
use super::quotas;
use super::reply::{ApiError, Reply};
use super::request::{Idempotent, Request, run_idempotent};

/// The longest period of one report, in days.
const DAYS_MAX: u64 = 366;

/// What a caller wants to know.
struct ReportInput {
    kind: ReportKind,
    from: Time,
    to: Time,
    formats: Vec<ReportFormat>,
}

impl ReportInput {
    fn parse(body: &Json) -> Result<ReportInput, ApiError> {
        let mut others = FieldErrors::default();
        let text = |name| match body.member(name) {
            Some(Json::Text(text)) => Some(text.as_str()),
            _ => None,
        };
        let time = |name| text(name).and_then(Time::parse);
        if let (Some(from), Some(to)) = (time("from"), time("to")) {
            if to <= from {
                others.add("to", Message::new("not-after-from"));
            } else if to.since(from) > Duration::from_hours(24 * DAYS_MAX) {
                others.add("to", Message::new("period-too-long").text("max", DAYS_MAX));
            }
        }
        Ok(read_knowing(body, others, ReportInput::read)?)
    }

    fn read(fields: &Fields) -> Option<ReportInput> {
        let kind = fields.parsed("type", ReportKind::parse, || one_of(ReportKind::NAMES));
        let kind = kind.required();
        let (from, to) = (fields.time("from").required(), fields.time("to").required());
        let names = || one_of(ReportFormat::NAMES);
        let formats = fields
            .list("formats", 1..=ReportFormat::ALL.len())
            .then(|rows| each(&rows, |value| value.parsed(ReportFormat::parse, names)));
        let mut formats = formats.required()?;
        formats.dedup();
        Some(ReportInput { kind: kind?, from: from?, to: to?, formats })
    }
}

/// `POST …/reports`
pub async fn create(mut request: Request, member: Member) -> Result<Reply, ApiError> {
    let (body, claim, errors) = request.idempotent_body().await?;
    let input = errors.or(ReportInput::parse(&body))?;
    let report = Report {
        id: ReportId(request.app.new_uuid()),
        kind: input.kind,
        from_at: input.from,
        to_at: input.to,
        formats: input.formats,
        language: request.language,
        state: ReportState::Pending,
        created_at: request.now,
        updated_at: request.now,
    };
    let (id, now, app, row) = (report.id, request.now, request.app.clone(), report.clone());
    let request_id = request.request_id.clone();
    let done = request
        .write(move |tx| {
            run_idempotent(tx, member, claim.as_ref(), now, (id.into(), 202), |tx| {
                quotas::check(tx, app.quotas(), Quota::Reports, member.team)?;
                reports::insert(tx, member.team, &row)?;
                let due = tx.now(now)?;
                jobs::schedule(tx, JobKind::Report, id.into(), Some(member.team), due)?;
                Ok(jobs::set_request(tx, JobKind::Report, id.into(), &request_id)?)
            })
        })
        .await?;
    request.app.wake_runner();
    match done {
        Idempotent::Executed => Ok(accepted(&request, id, view(&request, &report, &[]))),
        Idempotent::Replayed(id, _) => {
            let id = ReportId(id);
            let before = find(&request, member, id).await?;
            Ok(accepted(&request, id, before).replayed())
        }
    }
}

fn accepted(request: &Request, id: ReportId, report: Json) -> Reply {
    Reply::json(StatusCode::ACCEPTED, Json::object([("data", report)]))
        .private()
        .header(header::LOCATION, format!("{}/{id}", request.url()))
        .header(header::RETRY_AFTER, "5")
}

async fn find(request: &Request, member: Member, id: ReportId) -> Result<Json, ApiError> {
    let read = move |tx: &mut Tx<'_>| {
        let Some(row) = reports::find(tx, member.team, id)? else { return Ok::<_, Error>(None) };
        Ok(Some((row, documents::list_of(tx, member.team, SourceKind::Report, id.into())?)))
    };
    let (row, files) = request.read(read).await?.ok_or(ApiError::NotFound)?;
    Ok(view(request, &row, &files))
}

/// `GET …/reports/{report}`
pub async fn show(request: Request, member: Member) -> Result<Reply, ApiError> {
    let id = request.id("report", ReportId::parse)?;
    let report = find(&request, member, id).await?;
    request.query.knowing(&[]).finish()?;
    Ok(Reply::data(report).private())
}

/// `GET …/reports`, newest first.
pub async fn list(request: Request, member: Member) -> Result<Reply, ApiError> {
    let newest = NewestFirst::read(&request, member, "listReports")?;
    let (cursor, wanted) = newest.wanted();
    let read = move |tx: &mut Tx<'_>| {
        let rows = reports::list(tx, member.team, cursor, wanted)?;
        files::with_files(tx, member.team, SourceKind::Report, rows, |row| row.id.into())
    };
    let rows = request.read(read).await?;
    let id = |(row, _): &(Report, _)| row.id.into();
    let body =
        newest.envelope(&request, member, rows, id, |(row, files)| view(&request, row, files))?;
    Ok(Reply::json(StatusCode::OK, body).private())
}

fn view(request: &Request, report: &Report, papers: &[Document]) -> Json {
    let failed = || Message::new("report-failed").say(request.language);
    let failure =
        (report.state == ReportState::Failed).then(|| Json::object([("message", failed().into())]));
    Json::object([
        ("uuid", Json::text(report.id)),
        ("state", report.state.name().into()),
        ("type", report.kind.name().into()),
        ("from", Json::text(report.from_at)),
        ("to", Json::text(report.to_at)),
        ("formats", Json::list(report.formats.iter().map(|format| format.name().into()))),
        ("documents", files::view_all(request, papers)),
        ("failure", failure.into()),
        ("created_at", Json::text(report.created_at)),
        ("updated_at", Json::text(report.updated_at)),
    ])
}
