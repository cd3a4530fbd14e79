//! Cancelling what the carrier has.

use std::time::Duration;

use waybill_carriers::Cancelled;
use waybill_domain::audit::Act;
use waybill_domain::ids::ShipmentId;
use waybill_domain::job::JobKind;
use waybill_domain::shipment::ShipmentState;
use waybill_domain::time::Time;
use waybill_domain::words::Message;
use waybill_engine::app::{App, lease};
use waybill_engine::cancellation;
use waybill_engine::failpoint;
use waybill_engine::planted;
use waybill_engine::timings::Part;
use waybill_store::shipments::{self, Shipment};
use waybill_store::{Tx, idempotency, jobs};

use super::load::load;
use super::{unknown, view};
use crate::caller::Member;
use crate::reply::{ApiError, Reply};
use crate::request::{Idempotent, Request, run_idempotent};

/// How soon an unclear cancellation is asked for again.
const ASK_AGAIN: Duration = Duration::from_secs(2);

/// `POST …/shipments/{shipment}/cancel`: cancelling again is harmless, and two at once are one
/// call: whoever has the lease of the shipment's cancellation asks. An outcome that stays unclear
/// is asked for again by the worker, which has that lease then.
pub async fn cancel(mut request: Request, member: Member) -> Result<Reply, ApiError> {
    let id = request.id("shipment", ShipmentId::parse)?;
    let (shipment, files) = load(&request, member, id).await?.ok_or(ApiError::NotFound)?;
    request.query.knowing(&[]).finish()?;
    let claim = request.idempotent_no_body().await?;
    if shipment.state == ShipmentState::Cancelled {
        let is_replay = is_replay(&request, member, claim, id).await?;
        let reply = Reply::data(view::view(&request, &shipment, &files)?).private();
        return Ok(if is_replay { reply.replayed() } else { reply });
    }
    let Some(job) = take_lease(&request, member, id).await? else {
        is_replay(&request, member, claim, id).await?;
        let (shipment, files) = load(&request, member, id).await?.ok_or(ApiError::NotFound)?;
        return Ok(Reply::data(view::view(&request, &shipment, &files)?).private());
    };
    failpoint::hit("cancelling");
    let asked = cancellation::ask(&request.app, member.team, &shipment, Some(&request.request_id));
    let outcome = request.timed(Part::Carrier, asked).await?;
    failpoint::hit("cancelled");
    match outcome {
        Cancelled::Done => write_done(&request, member, claim, job, id).await?,
        Cancelled::Refused(words) => {
            return Err(write_refused(&request, member, id, job, words).await);
        }
        Cancelled::NotSent(why) | Cancelled::Unknown(why) => {
            return Err(write_unclear(&request, job, why).await);
        }
    }
    let (shipment, files) = load(&request, member, id).await?.ok_or(ApiError::NotFound)?;
    Ok(Reply::data(view::view(&request, &shipment, &files)?).private())
}

/// Why a shipment cannot be cancelled, or not now.
fn why_not(app: &App, shipment: &Shipment, now: Time) -> Message {
    match shipment.state {
        ShipmentState::Processing if shipment.ending.is_some() => {
            Message::new("cancel-while-documents")
        }
        ShipmentState::Processing => Message::new("cancel-too-early"),
        _ => {
            unknown::why_not(app, shipment, now).unwrap_or_else(|| Message::new("not-cancellable"))
        }
    }
}

/// The lease of the shipment's cancellation; none when somebody has cancelled it since it was read.
/// Whoever loses the lease by a crash is followed by a worker.
async fn take_lease(
    request: &Request,
    member: Member,
    id: ShipmentId,
) -> Result<Option<jobs::Claimed>, ApiError> {
    let (now, team, app) = (request.now, member.team, request.app.clone());
    let request_id = request.request_id.clone();
    let location = request.url().trim_end_matches("/cancel").to_owned();
    let take = move |tx: &mut Tx<'_>| {
        let now = tx.now(now)?;
        // The job before the shipment, as its worker locks them.
        let job = jobs::claim_one(tx, JobKind::Cancel, id.into(), Some(team), now, lease())?;
        // As it is now: somebody may have asked for its documents since it was read.
        let shipment = shipments::lock(tx, team, id)?.ok_or(ApiError::NotFound)?;
        if shipment.state == ShipmentState::Cancelled {
            job.map(|job| jobs::finish(tx, &job)).transpose()?;
            return Ok(None);
        }
        if !cancellation::is_possible(&app, &shipment) {
            return Err(ApiError::Conflict(why_not(&app, &shipment, now)));
        }
        let job = job.ok_or_else(|| ApiError::Processing(Some(location.clone())))?;
        jobs::set_request(tx, JobKind::Cancel, id.into(), &request_id)?;
        Ok(Some(job))
    };
    request.write(take).await
}

async fn write_done(
    request: &Request,
    member: Member,
    claim: Option<idempotency::KeyClaim>,
    job: jobs::Claimed,
    id: ShipmentId,
) -> Result<(), ApiError> {
    // The carrier was asked in between: it was not cancelled when the request came.
    let (now, app) = (request.now, request.app.clone());
    let act = Act { at: request.app.now(), ..request.act() };
    request
        .write(move |tx| {
            jobs::finish(tx, &job)?;
            run_idempotent(tx, member, claim.as_ref(), now, (id.into(), 200), |tx| {
                cancellation::confirm(tx, &app, member.team, id, &act)?;
                Ok(())
            })
        })
        .await?;
    request.app.wake_runner();
    Ok(())
}

/// Nothing changed. Who was told before that it may be cancelled is told that, too.
async fn write_refused(
    request: &Request,
    member: Member,
    id: ShipmentId,
    job: jobs::Claimed,
    words: String,
) -> ApiError {
    let (now, app) = (request.app.now(), request.app.clone());
    let written = request.write(move |tx| {
        let was_unclear = job.attempt > 1;
        if jobs::finish(tx, &job)? && was_unclear {
            cancellation::refuse(tx, &app, member.team, id, now)?;
        }
        Ok::<_, ApiError>(())
    });
    match written.await {
        Ok(()) => {
            request.app.wake_runner();
            ApiError::Conflict(Message::new("cancel-refused").text("words", words))
        }
        Err(error) => error,
    }
}

/// It may be cancelled. The worker asks until that is known.
async fn write_unclear(request: &Request, job: jobs::Claimed, why: String) -> ApiError {
    let now = request.now;
    let again = move |tx: &mut Tx<'_>| {
        if planted::is("forget-cancel") {
            return jobs::finish(tx, &job);
        }
        let soon = tx.now(now)?.plus(ASK_AGAIN);
        jobs::retry_at(tx, &job, soon, "the outcome is unclear")
    };
    match request.write(again).await {
        Ok(_) => {
            let location = request.url().trim_end_matches("/cancel").to_owned();
            ApiError::CancelUnclear { why, location }
        }
        Err(error) => ApiError::from(error),
    }
}

/// Whether this key has cancelled the shipment before. If not, the key is bound to it from now on:
/// there is nothing to cancel.
async fn is_replay(
    request: &Request,
    member: Member,
    claim: Option<idempotency::KeyClaim>,
    id: ShipmentId,
) -> Result<bool, ApiError> {
    let Some(claim) = claim else { return Ok(false) };
    let now = request.now;
    let bind = move |tx: &mut Tx<'_>| {
        run_idempotent(tx, member, Some(&claim), now, (id.into(), 200), |_| Ok(()))
    };
    Ok(matches!(request.write(bind).await?, Idempotent::Replayed(..)))
}
