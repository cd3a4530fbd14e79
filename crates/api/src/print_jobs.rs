//! Attempts to print a document.

use axum::http::StatusCode;
use waybill_domain::fields::{FieldErrors, Fields, read_knowing};
use waybill_domain::ids::{DocumentId, PrintJobId, PrinterId};
use waybill_domain::json::Json;
use waybill_domain::printing::{COPIES_MAX, PrintProblem, PrintSource, PrintState, Seen};
use waybill_domain::words::Message;
use waybill_engine::printing::{self, NewJob, Unprintable};
use waybill_store::documents::{self, Document};
use waybill_store::print_jobs::{self, Filter, PrintJob};
use waybill_store::printers;
use waybill_store::{Tx, teams};

use super::caller::Member;
use super::lists::NewestFirst;
use super::reply::{ApiError, Reply};
use super::request::{Idempotent, Request, run_idempotent};
use super::settings;

const PARAMETERS: &[&str] = &["document_uuid", "printer_uuid", "state", "cursor", "per_page"];

/// `GET …/print-jobs`, newest first.
pub async fn list(request: Request, member: Member) -> Result<Reply, ApiError> {
    let mut query = request.query.knowing(PARAMETERS);
    let not_an_id = || Message::new("not-a-uuid");
    let filter = Filter {
        document: query.parsed("document_uuid", DocumentId::parse, not_an_id),
        printer: query.parsed("printer_uuid", PrinterId::parse, not_an_id),
        state: query.choice("state", PrintState::NAMES).and_then(PrintState::parse),
    };
    let page = NewestFirst::of(&request, member, "listPrintJobs", query)?;
    let (cursor, wanted) = page.wanted();
    let rows =
        request.read(move |tx| print_jobs::list(tx, member.team, filter, cursor, wanted)).await?;
    let body =
        page.envelope(&request, member, rows, |row| row.id.into(), |row| view(&request, row))?;
    Ok(Reply::json(StatusCode::OK, body).private())
}

/// `GET …/print-jobs/{job}`
pub async fn show(request: Request, member: Member) -> Result<Reply, ApiError> {
    let job = find(&request, member, request.id("job", PrintJobId::parse)?).await?;
    request.query.knowing(&[]).finish()?;
    Ok(Reply::data(view(&request, &job)).private())
}

/// `POST …/print-jobs`
pub async fn create(mut request: Request, member: Member) -> Result<Reply, ApiError> {
    let (body, claim, errors) = request.idempotent_body().await?;
    let refused = unknown_ids(&request, member, &body).await?;
    let input = errors.or(read_knowing(&body, refused, PrintJobInput::read))?;
    let id = PrintJobId(request.app.new_uuid());
    let (app, now, request_id) = (request.app.clone(), request.now, request.request_id.clone());
    let done = request
        .write(move |tx| {
            run_idempotent(tx, member, claim.as_ref(), now, (id.into(), 201), |tx| {
                let (document, target, copies) = choose(tx, member, &input)?;
                let new = NewJob {
                    id,
                    document: &document,
                    source: PrintSource::Api,
                    request_id: Some(&request_id),
                    now,
                };
                printing::add(tx, &app, member.team, new, (&target, copies))?;
                Ok(())
            })
        })
        .await?;
    let (id, is_replayed) = match done {
        Idempotent::Executed => (id, false),
        Idempotent::Replayed(id, _) => (PrintJobId(id), true),
    };
    let job = find(&request, member, id).await?;
    if let Some(target) = job.target.as_ref().filter(|_| !is_replayed) {
        match job.agent {
            Some(agent) => request.app.wake_everywhere(agent.into()),
            None => request.app.wake(target.printer.into()),
        }
        request.app.wake_runner();
    }
    let location = format!("{}/{}", request.url(), job.id);
    let reply = Reply::created(location, view(&request, &job)).private();
    Ok(if is_replayed { reply.replayed() } else { reply })
}

/// `POST …/print-jobs/{job}/cancel`: while nothing can have left.
pub async fn cancel(mut request: Request, member: Member) -> Result<Reply, ApiError> {
    let id = find(&request, member, request.id("job", PrintJobId::parse)?).await?.id;
    request.query.knowing(&[]).finish()?;
    request.no_body().await?;
    let (app, now) = (request.app.clone(), request.now);
    let cancelled = request
        .write(move |tx| {
            let Some(job) = print_jobs::lock(tx, member.team, id)? else {
                return Err(ApiError::NotFound);
            };
            let problem = PrintProblem::Cancelled;
            if job.failure.as_ref().is_some_and(|failure| failure.problem == problem) {
                return Ok(job);
            }
            if !job.printing().is_unsent() {
                return Err(ApiError::Conflict(Message::new("print-job-not-cancellable")));
            }
            let seen = (Seen::Unwanted(problem), None);
            Ok(printing::record(tx, &app, member.team, &job, seen, now)?)
        })
        .await?;
    request.app.wake_runner();
    Ok(Reply::data(view(&request, &cancelled)).private())
}

async fn find(request: &Request, member: Member, id: PrintJobId) -> Result<PrintJob, ApiError> {
    let found = request.read(move |tx| print_jobs::find(tx, member.team, id)).await?;
    found.ok_or(ApiError::NotFound)
}

/// What is named in the body and is not there: told beside everything else that is wrong.
async fn unknown_ids(
    request: &Request,
    member: Member,
    body: &Json,
) -> Result<FieldErrors, ApiError> {
    let document = body.member_text("document_uuid").and_then(DocumentId::parse);
    let printer = body.member_text("printer_uuid").and_then(PrinterId::parse);
    let team = member.team;
    let found = request.read(move |tx| {
        let document = document.map(|id| documents::find(tx, team, id)).transpose()?.flatten();
        let printer = printer.map(|id| printers::find(tx, team, id)).transpose()?.flatten();
        Ok::<_, ApiError>((document, printer.is_some()))
    });
    let (found, has_printer) = found.await?;
    let mut errors = FieldErrors::default();
    if document.is_some() && found.is_none() {
        errors.add("document_uuid", Message::new("unknown-document"));
    }
    if let Some(message) = found.as_ref().and_then(printing::too_large_for_all) {
        errors.add("document_uuid", message);
    }
    if printer.is_some() && !has_printer {
        errors.add("printer_uuid", Message::new("unknown-printer"));
    }
    Ok(errors)
}

/// What a caller wants printed.
struct PrintJobInput {
    document: DocumentId,
    printer: Option<PrinterId>,
    copies: Option<i64>,
}

impl PrintJobInput {
    fn read(fields: &Fields) -> Option<PrintJobInput> {
        let not_an_id = || Message::new("not-a-uuid");
        let document = fields.parsed("document_uuid", DocumentId::parse, not_an_id).required();
        let printer = fields.parsed("printer_uuid", PrinterId::parse, not_an_id).optional();
        let copies = fields.integer("copies", 1..=COPIES_MAX).optional();
        Some(PrintJobInput { document: document?, printer, copies })
    }
}

/// The document, the printer and the number of copies, or everything that is wrong with the wish.
fn choose(
    tx: &mut Tx<'_>,
    member: Member,
    input: &PrintJobInput,
) -> Result<(Document, printers::Printer, i64), ApiError> {
    let mut errors = FieldErrors::default();
    let document = documents::find_to_print(tx, member.team, input.document)?;
    if document.is_none() {
        errors.add("document_uuid", Message::new("unknown-document"));
    }
    let named = match input.printer {
        None => None,
        Some(id) => {
            let printer = printers::find(tx, member.team, id)?;
            if printer.is_none() {
                errors.add("printer_uuid", Message::new("unknown-printer"));
            }
            printer
        }
    };
    let Some(document) = document.filter(|_| errors.is_empty()) else {
        return Err(ApiError::Invalid(errors));
    };
    let (printer, copies) = match named {
        Some(printer) => (printer, input.copies.unwrap_or(1)),
        None => {
            let settings = teams::find_settings(tx, member.team)?;
            let (text, _) = settings.ok_or(ApiError::NotFound)?;
            let printing = settings::load(&text)?.printing;
            let chosen = printing::choose(tx, member.team, &printing, &document)?;
            let Some((printer, copies)) = chosen else {
                let file = printing::described(&document);
                let message = Message::new("no-print-rule").text("file", file);
                return Err(ApiError::invalid("printer_uuid", message));
            };
            (printer, input.copies.unwrap_or(copies))
        }
    };
    match printing::check(tx, member.team, &printer, &document, copies)? {
        Ok(()) => Ok((document, printer, copies)),
        Err(Unprintable::Format(message)) => Err(ApiError::invalid("printer_uuid", message)),
        Err(Unprintable::Copies(message)) => Err(ApiError::invalid("copies", message)),
        Err(Unprintable::Full(message)) => Err(ApiError::Conflict(message)),
    }
}

/// A job as it is shown.
pub fn view(request: &Request, job: &PrintJob) -> Json {
    let printer = job.target.as_ref().map(|target| {
        Json::object([("uuid", Json::text(target.printer)), ("name", target.name.as_str().into())])
    });
    let failure = job
        .failure
        .as_ref()
        .map(|failure| Json::object([("message", failure.message().say(request.language).into())]));
    let document = Json::object([
        ("name", job.document_name.as_str().into()),
        ("types", Json::list(job.document_types.split(' ').map(Json::text))),
        ("format", job.document_format.as_str().into()),
        ("page_count", job.document_pages.into()),
    ]);
    let time = |at: Option<waybill_domain::time::Time>| at.map_or(Json::Null, Json::text);
    Json::object([
        ("uuid", Json::text(job.id)),
        ("state", job.state.name().into()),
        ("document_uuid", Json::text(job.document)),
        ("document", document),
        ("printer", printer.into()),
        ("copies", job.copies.into()),
        ("source", job.source.name().into()),
        ("failure", failure.into()),
        ("created_at", Json::text(job.created_at)),
        ("queued_at", time(job.queued_at)),
        ("printed_at", time(job.printed_at)),
        ("updated_at", Json::text(job.updated_at)),
    ])
}
