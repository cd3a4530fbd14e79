//! Reports: asked for here, made by the worker, and read as documents.

use std::time::Duration;

use axum::http::{StatusCode, header};
use waybill_domain::fields::{FieldErrors, Fields, each, one_of, read_knowing};
use waybill_domain::ids::ReportId;
use waybill_domain::job::JobKind;
use waybill_domain::json::Json;
use waybill_domain::quota::Quota;
use waybill_domain::time::Time;
use waybill_domain::words::Message;
use waybill_store::documents::Document;
use waybill_store::jobs;
use waybill_store::reports::{self, Report};

use super::caller::Member;
use super::documents::{self as files, Producer};
use super::quotas;
use super::reply::{ApiError, Reply};
use super::request::{Idempotent, Request, run_idempotent};

const KINDS: &[&str] = &["shipments", "tracking"];
const FORMATS: &[&str] = &["xlsx", "pdf"];
/// The longest period of one report, in days.
const DAYS_MAX: u64 = 366;

/// What a caller wants to know.
struct ReportInput {
    kind: String,
    from: Time,
    to: Time,
    formats: Vec<String>,
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
        let word = |choices: &'static [&'static str]| {
            move |text: &str| choices.contains(&text).then(|| text.to_owned())
        };
        let kind = fields.parsed("type", word(KINDS), || one_of(KINDS)).required();
        let (from, to) = (fields.time("from").required(), fields.time("to").required());
        let formats = fields
            .list("formats", 1..=FORMATS.len())
            .then(|rows| each(&rows, |value| value.parsed(word(FORMATS), || one_of(FORMATS))));
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
        formats: input.formats.join(" "),
        language: request.language.to_string(),
        state: "pending".to_owned(),
        created_at: request.now,
        updated_at: request.now,
    };
    let (id, now, app) = (report.id, request.now, request.app.clone());
    let done = request
        .write(move |tx| {
            run_idempotent(tx, member, claim.as_ref(), now, (id.into(), 202), |tx| {
                quotas::check(tx, app.quotas(), Quota::Reports, member.team)?;
                reports::insert(tx, member.team, &report)?;
                let due = tx.now(now)?;
                Ok(jobs::schedule(tx, JobKind::Report, id.into(), Some(member.team), due)?)
            })
        })
        .await?;
    request.app.wake_runner();
    match done {
        Idempotent::Executed => accepted(&request, member, id).await,
        Idempotent::Replayed(id, _) => {
            Ok(accepted(&request, member, ReportId(id)).await?.replayed())
        }
    }
}

const PRODUCER: Producer<Report> =
    Producer { list: "listReports", source: "report", id: |report| report.id.into(), view };

async fn accepted(request: &Request, member: Member, id: ReportId) -> Result<Reply, ApiError> {
    let body = Json::object([("data", find(request, member, id).await?)]);
    Ok(Reply::json(StatusCode::ACCEPTED, body)
        .private()
        .header(header::LOCATION, format!("{}/{id}", request.url()))
        .header(header::RETRY_AFTER, "5"))
}

async fn find(request: &Request, member: Member, id: ReportId) -> Result<Json, ApiError> {
    PRODUCER.find(request, member, move |tx| reports::find(tx, member.team, id)).await
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
    PRODUCER.page(&request, member, reports::list).await
}

fn view(request: &Request, report: &Report, papers: &[Document]) -> Json {
    let failed = || Message::new("report-failed").say(request.language);
    let failure = (report.state == "failed").then(|| Json::object([("message", failed().into())]));
    Json::object([
        ("uuid", Json::text(report.id)),
        ("state", report.state.as_str().into()),
        ("type", report.kind.as_str().into()),
        ("from", Json::text(report.from_at)),
        ("to", Json::text(report.to_at)),
        ("formats", Json::list(report.formats.split(' ').map(Json::text))),
        ("documents", Json::list(papers.iter().map(|paper| files::view(request, paper)))),
        ("failure", failure.into()),
        ("created_at", Json::text(report.created_at)),
        ("updated_at", Json::text(report.updated_at)),
    ])
}
