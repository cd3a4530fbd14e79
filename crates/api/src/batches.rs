//! Batches: filled, started, stopped, and watched while their members are booked one at a time.

mod members;
mod stream;

use axum::http::{StatusCode, header};
use waybill_domain::audit::{Act, Action, Changes, Subject};
use waybill_domain::batch::{BatchState, Counts};
use waybill_domain::event::EventKind;
use waybill_domain::fields::{Fields, Text, read_knowing};
use waybill_domain::ids::BatchId;
use waybill_domain::job::JobKind;
use waybill_domain::json::Json;
use waybill_domain::quota::Quota;
use waybill_domain::words::Message;
use waybill_engine::batching;
use waybill_engine::signing::Secrets;
use waybill_store::batches::{self, Batch};
use waybill_store::{Error, Tx, audit, jobs, webhooks};

use super::caller::Member;
use super::lists::NewestFirst;
use super::quotas;
use super::reply::{ApiError, Reply};
use super::request::{Idempotent, Request, run_idempotent};
use super::webhooks::{make, read_kinds, url_problems};

pub use members::{add, list as list_members};

/// A batch as a caller describes it.
struct BatchInput {
    identifier: Option<String>,
    reference: Option<String>,
    callback: Option<(String, String)>,
}

impl BatchInput {
    fn read(fields: &Fields) -> Option<BatchInput> {
        let identifier = fields.text("identifier", Text::filled(255)).optional();
        let reference = fields.text("reference", Text::filled(255)).optional();
        let callback = fields.object("callback").then(|callback| {
            let url = callback.text("url", Text::filled(2048)).required();
            let kinds = callback.list("events", 1..=EventKind::ALL.len());
            let kinds = kinds.then(|values| read_kinds(&values)).required();
            url.zip(kinds)
        });
        Some(BatchInput { identifier, reference, callback: callback.optional() })
    }
}

/// `POST …/booking-batches`
pub async fn create(mut request: Request, member: Member) -> Result<Reply, ApiError> {
    let (body, claim, errors) = request.idempotent_body().await?;
    let url = body.member("callback").and_then(|callback| callback.member("url"));
    let refused = url_problems(&request, "callback.url", url).await;
    let input = errors.or(read_knowing(&body, refused, BatchInput::read))?;
    let (id, now) = (BatchId(request.app.new_uuid()), request.now);
    let batch = Batch {
        id,
        state: BatchState::Open,
        identifier: input.identifier,
        reference: input.reference,
        member_count: 0,
        counts: Counts::default(),
        created_at: now,
        updated_at: now,
        started_at: None,
        finished_at: None,
        callback: input.callback.clone(),
    };
    let callback = input.callback.map(|(url, kinds)| make(&request, url, kinds, Some(id.into())).0);
    let app = request.app.clone();
    let write = move |tx: &mut Tx<'_>| {
        run_idempotent(tx, member, claim.as_ref(), now, (id.into(), 201), |tx| {
            quotas::check(tx, app.quotas(), Quota::Batches, member.team)?;
            batches::insert(tx, member.team, &batch)?;
            if let Some(callback) = &callback {
                webhooks::insert(tx, member.team, callback)?;
            }
            Ok(())
        })
    };
    match request.write(write).await? {
        Idempotent::Executed => made(&request, member, id).await,
        Idempotent::Replayed(id, _) => Ok(made(&request, member, BatchId(id)).await?.replayed()),
    }
}

/// The answer to the request that made it: the only one with the secret of its callback.
async fn made(request: &Request, member: Member, id: BatchId) -> Result<Reply, ApiError> {
    let found = request.read(move |tx| {
        let callback = webhooks::find_callback(tx, member.team, id)?;
        Ok::<_, Error>(batches::find(tx, member.team, id)?.zip(Some(callback)))
    });
    let (batch, callback) = found.await?.ok_or(ApiError::NotFound)?;
    let mut shown = view(&batch);
    if let Some(callback) = callback {
        let secrets = Secrets::open(request.app.vault(), callback.id.into(), &callback.secrets);
        let broken = || ApiError::Internal("the secrets cannot be opened".to_owned());
        let secret = secrets.ok_or_else(broken)?.current().expose().as_str().into();
        shown.merge(&Json::object([("callback", Json::object([("secret", secret)]))]));
    }
    Ok(Reply::created(format!("{}/{id}", request.url()), shown).private())
}

/// `GET …/booking-batches`, newest first.
pub async fn list(request: Request, member: Member) -> Result<Reply, ApiError> {
    let mut query = request.query.knowing(&["state", "cursor", "per_page"]);
    let state = query.choice("state", BatchState::NAMES);
    let page = NewestFirst::of(&request, member, "listBookingBatches", query)?;
    let (cursor, wanted) = page.wanted();
    let rows =
        request.read(move |tx| batches::list(tx, member.team, state, cursor, wanted)).await?;
    let body = page.envelope(&request, member, rows, |row| row.id.into(), view)?;
    Ok(Reply::json(StatusCode::OK, body).private())
}

/// `GET …/booking-batches/{batch}`: as it is now, or as it goes on.
pub async fn show(request: Request, member: Member) -> Result<Reply, ApiError> {
    let batch = find(&request, member).await?;
    request.query.knowing(&[]).finish()?;
    let accept = request.header(header::ACCEPT).unwrap_or_default();
    if wants_stream(accept) {
        return stream::watch(&request, member, batch);
    }
    Ok(Reply::data(view(&batch)).private())
}

/// Whether a stream is wanted, and nothing else as much.
fn wants_stream(accept: &str) -> bool {
    let weight = |wanted: &str| {
        accept.split(',').find_map(|range| {
            let mut parts = range.split(';').map(str::trim);
            let is_it = parts.next()?.eq_ignore_ascii_case(wanted);
            let quality = parts.find_map(|part| part.strip_prefix("q=")?.parse::<f32>().ok());
            is_it.then(|| quality.unwrap_or(1.0))
        })
    };
    let json = weight("application/json").or_else(|| weight("*/*")).unwrap_or(0.0);
    weight("text/event-stream").is_some_and(|stream| stream > 0.0 && stream >= json)
}

/// `POST …/booking-batches/{batch}/start`: durable before it is answered.
pub async fn start(mut request: Request, member: Member) -> Result<Reply, ApiError> {
    let (app, now, request_id) = (request.app.clone(), request.now, request.request_id.clone());
    let done = request.act();
    // Only the first start has something left to do.
    let status = |batch: &Batch| if batch.state == BatchState::Open { 202 } else { 200 };
    act(&mut request, member, status, move |tx, batch| match batch.state {
        BatchState::Queued | BatchState::Processing | BatchState::Completed => Ok(()),
        BatchState::Stopping | BatchState::Stopped => Err(conflict("batch-stopped")),
        BatchState::Open if batch.counts.pending == 0 => Err(conflict("batch-empty")),
        BatchState::Open => {
            (batch.state, batch.started_at, batch.updated_at) =
                (BatchState::Queued, Some(now), now);
            batches::set(tx, member.team, batch)?;
            batching::tell(tx, &app, member.team, batch.id, EventKind::BatchStarted, now)?;
            note(tx, member, (Action::BatchStarted, &done), batch.id)?;
            let due = tx.now(now)?;
            jobs::schedule(tx, JobKind::Batch, batch.id.into(), Some(member.team), due)?;
            Ok(jobs::set_request(tx, JobKind::Batch, batch.id.into(), &request_id)?)
        }
    })
    .await
}

/// `POST …/booking-batches/{batch}/stop`: what is not begun is cancelled.
pub async fn stop(mut request: Request, member: Member) -> Result<Reply, ApiError> {
    let (app, now, done) = (request.app.clone(), request.now, request.act());
    // A member in hand is finished first.
    let status = |batch: &Batch| if batch.state == BatchState::Processing { 202 } else { 200 };
    act(&mut request, member, status, move |tx, batch| match batch.state {
        BatchState::Open => Err(conflict("batch-not-started")),
        BatchState::Completed => Err(conflict("batch-completed")),
        BatchState::Stopping | BatchState::Stopped => Ok(()),
        BatchState::Queued | BatchState::Processing => {
            batching::stop(tx, &app, member.team, batch.clone(), now)?;
            note(tx, member, (Action::BatchStopped, &done), batch.id)
        }
    })
    .await
}

/// Writes down that somebody started or stopped a batch.
fn note(
    tx: &mut Tx<'_>,
    member: Member,
    (action, act): (Action, &Act),
    id: BatchId,
) -> Result<(), ApiError> {
    let done = (action, &Subject::unnamed("booking_batch", id));
    Ok(audit::insert(tx, member.team, act, done, &Changes::none())?)
}

fn conflict(key: &'static str) -> ApiError {
    ApiError::Conflict(Message::new(key))
}

/// Does something with a batch once, and answers with the status that its state before calls for.
async fn act(
    request: &mut Request,
    member: Member,
    status: fn(&Batch) -> u16,
    mut change: impl FnMut(&mut Tx<'_>, &mut Batch) -> Result<(), ApiError> + Send + 'static,
) -> Result<Reply, ApiError> {
    let (id, now) = (find(request, member).await?.id, request.now);
    request.query.knowing(&[]).finish()?;
    let claim = request.idempotent_no_body().await?;
    let write = move |tx: &mut Tx<'_>| {
        let mut batch = batches::lock(tx, member.team, id)?.ok_or(ApiError::NotFound)?;
        let status = status(&batch);
        let done = run_idempotent(tx, member, claim.as_ref(), now, (id.into(), status), |tx| {
            change(tx, &mut batch)
        })?;
        let batch = batches::find(tx, member.team, id)?.ok_or(ApiError::NotFound)?;
        Ok::<_, ApiError>((done, status, batch))
    };
    let (done, status, batch) = request.write(write).await?;
    request.app.wake_runner();
    request.app.wake_everywhere(id.into());
    let (status, is_replay) = match done {
        Idempotent::Executed => (status, false),
        Idempotent::Replayed(_, status) => (status, true),
    };
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::OK);
    let reply = Reply::json(status, Json::object([("data", view(&batch))])).private();
    Ok(if is_replay { reply.replayed() } else { reply })
}

async fn find(request: &Request, member: Member) -> Result<Batch, ApiError> {
    let id = request.id("batch", BatchId::parse)?;
    let found = request.read(move |tx| batches::find(tx, member.team, id)).await?;
    found.ok_or(ApiError::NotFound)
}

fn view(batch: &Batch) -> Json {
    let counts = &batch.counts;
    let callback = batch.callback.as_ref().map(|(url, kinds)| {
        let kinds = Json::list(kinds.split(' ').map(Json::text));
        Json::object([("url", url.as_str().into()), ("events", kinds)])
    });
    Json::object([
        ("uuid", Json::text(batch.id)),
        ("state", batch.state.name().into()),
        ("identifier", batch.identifier.as_deref().into()),
        ("reference", batch.reference.as_deref().into()),
        ("total_count", counts.total().into()),
        ("pending_count", counts.pending.into()),
        ("processing_count", counts.processing.into()),
        ("booked_count", counts.booked.into()),
        ("failed_count", counts.failed.into()),
        ("cancelled_count", counts.cancelled.into()),
        ("completed_count", counts.completed().into()),
        ("progress", counts.progress()),
        ("callback", callback.into()),
        ("created_at", Json::text(batch.created_at)),
        ("updated_at", Json::text(batch.updated_at)),
        ("started_at", batch.started_at.map(Json::text).into()),
        ("finished_at", batch.finished_at.map(Json::text).into()),
    ])
}
