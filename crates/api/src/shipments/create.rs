//! Creating a shipment: accept durably, start booking, wait up to ten seconds, answer from the
//! store.

use std::time::Duration;

use axum::http::{StatusCode, header};
use tracing::Instrument;
use waybill_domain::ids::ShipmentId;
use waybill_domain::job::JobKind;
use waybill_domain::json::Json;
use waybill_domain::shipment::ShipmentState;
use waybill_domain::time::Time;
use waybill_engine::failpoint;
use waybill_engine::handoff::HandedJob;
use waybill_engine::timings::Waiting;
use waybill_engine::wake::Waiter;
use waybill_store::documents::Document;
use waybill_store::idempotency;
use waybill_store::shipments;
use waybill_store::shipments::Shipment;

use super::accept::{Intake, accept, load_intake};
use super::load::load;
use super::view;
use crate::caller::Member;
use crate::reply::{ApiError, Reply};
use crate::request::{Idempotent, Request, run_idempotent};
use crate::writer::Writer;

/// The longest that a caller waits for the whole booking.
const WAIT: Duration = Duration::from_secs(10);
/// Where another process may do the booking, its hint may be lost.
const LOOK: Duration = Duration::from_millis(250);

/// `POST …/shipments`
pub async fn create(mut request: Request, member: Member) -> Result<Reply, ApiError> {
    let (body, claim, errors) = request.idempotent_body().await?;
    let team = match load_intake(&request, member, std::iter::once(&body), claim.as_ref()).await? {
        // A replay is answered before today's settings and catalog have a say.
        Intake::Replayed(id) => return replay(&request, member, ShipmentId(id)).await,
        Intake::New(team) => team,
    };
    let shipment = errors.or(accept(&request, &team, &body).await)?;
    let id = shipment.id;
    let waiter = request.app.listen(id.into());
    failpoint::hit("accepting");
    // On its own: a caller who hangs up between the commit and the hand-over delays nothing.
    let begun = begin(request.writer(), request.now, member, claim, shipment).in_current_span();
    let died = |_| ApiError::Internal("accepting a shipment panicked".to_owned());
    match tokio::spawn(begun).await.map_err(died)?? {
        Idempotent::Replayed(id, _) => replay(&request, member, ShipmentId(id)).await,
        Idempotent::Executed => {
            request.concerns(id);
            wait(&request, member, id, waiter).await
        }
    }
}

/// Stores the shipment with its key and its job, and hands the job over.
async fn begin(
    writer: Writer,
    now: Time,
    member: Member,
    claim: Option<idempotency::KeyClaim>,
    shipment: Shipment,
) -> Result<Idempotent, ApiError> {
    let (id, at_hand) = (shipment.id, Box::new(shipment.clone()));
    let starter = writer.app.clone();
    let stored = writer.write_grouped(move |tx| {
        let mut leased = None;
        let done = run_idempotent(tx, member, claim.as_ref(), now, (id.into(), 201), |tx| {
            shipments::insert(tx, member.team, &shipment)?;
            leased = starter.start_job(tx, JobKind::Book, id.into(), member.team, now)?;
            Ok(())
        })?;
        Ok::<_, ApiError>((done, leased))
    });
    let (done, leased) = stored.await?;
    failpoint::hit("accepted-by-us");
    if done == Idempotent::Executed {
        let Writer { app, timings, .. } = writer;
        let waiting = Some(Waiting { timings, since: app.monotonic() });
        let leased = leased.map(|job| HandedJob { job, shipment: Some(at_hand), waiting });
        app.hand_over_or_wake(leased);
    }
    Ok(done)
}

/// Waits for the booking to end, and answers with what the store says then. A team with very many
/// who wait is answered at once.
async fn wait(
    request: &Request,
    member: Member,
    id: ShipmentId,
    mut waiter: Waiter,
) -> Result<Reply, ApiError> {
    let (api, start) = (&request.api, request.app.monotonic());
    let slot = api.waiting_bookings().take(member.team, api.waiting_bookings_max());
    let until = slot.as_ref().map_or(start, |_| start + WAIT);
    loop {
        let left = until.saturating_sub(request.app.monotonic());
        let pause = if request.app.store().is_shared() { left.min(LOOK) } else { left };
        let _signal_or_time = tokio::time::timeout(pause, waiter.wait()).await;
        // Who booked it in this process has it at hand.
        if let Some(done) = waiter.news().filter(|news| news.shipment.ending.is_some()) {
            return answer(request, &done.shipment, &done.files);
        }
        let (shipment, files) = load(request, member, id).await?.ok_or(ApiError::NotFound)?;
        let is_over = request.app.monotonic() >= until;
        if shipment.ending.is_some() || is_over {
            return answer(request, &shipment, &files);
        }
    }
}

/// The status says how the booking ended; while it has not, where to look.
fn answer(request: &Request, shipment: &Shipment, files: &[Document]) -> Result<Reply, ApiError> {
    let body = Json::object([("data", view::view(request, shipment, files)?)]);
    let location = format!("{}/{}", request.url(), shipment.id);
    // Documents that are tried again go on like the booking itself.
    let ending = shipment.ending.filter(|_| shipment.state != ShipmentState::Processing);
    let Some(ending) = ending else {
        let reply = Reply::json(StatusCode::ACCEPTED, body).private();
        return Ok(reply.header(header::LOCATION, location).header(header::RETRY_AFTER, "5"));
    };
    let status = StatusCode::from_u16(ending.status()).unwrap_or(StatusCode::BAD_GATEWAY);
    Ok(Reply::json(status, body).private().header(header::LOCATION, location))
}

/// The same request again: the outcome of the first, shown as the shipment is now.
async fn replay(request: &Request, member: Member, id: ShipmentId) -> Result<Reply, ApiError> {
    request.concerns(id);
    let Some((shipment, files)) = load(request, member, id).await? else {
        let is_deleted = request.read(move |tx| shipments::is_deleted(tx, member.team, id)).await?;
        return Err(if is_deleted { ApiError::Deleted } else { ApiError::NotFound });
    };
    if shipment.ending.is_none() {
        return Err(ApiError::Processing(Some(format!("{}/{id}", request.url()))));
    }
    Ok(answer(request, &shipment, &files)?.replayed())
}
