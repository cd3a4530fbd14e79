//! What was sent to a webhook, and sending it again.

use std::time::Duration;

use axum::http::StatusCode;
use waybill_domain::audit::{Action, Changes};
use waybill_domain::event::Event;
use waybill_domain::fields::read;
use waybill_domain::ids::{DeliveryId, EventId, WebhookId};
use waybill_domain::job::JobKind;
use waybill_domain::json::Json;
use waybill_domain::page::{CursorScope, Page};
use waybill_domain::time::Time;
use waybill_domain::webhook::DeliveryState;
use waybill_domain::words::Message;
use waybill_store::deliveries::{self, Attempt, Delivery};
use waybill_store::webhooks::Webhook;
use waybill_store::{Error, Tx, epochs, events, jobs};

use super::{find, find_own, note, view};
use crate::caller::Member;
use crate::lists::{CursorQuery, cursor_envelope, render_within_limit};
use crate::reply::{ApiError, Reply};
use crate::request::Request;

/// Events that are queued again in one transaction.
const CHUNK: i64 = 500;

/// `GET …/webhooks/{webhook}/deliveries`, newest first.
pub async fn list(request: Request, member: Member) -> Result<Reply, ApiError> {
    let webhook = find(&request, member).await?.id;
    let mut query = request.query.knowing(&["state", "cursor", "per_page"]);
    let state = query.choice("state", DeliveryState::NAMES).and_then(DeliveryState::parse);
    let shown = request.query.without("cursor");
    // A cursor of one webhook is none of another's.
    let filters = format!("{webhook}&{}", request.query.filters(&[]));
    let scope = CursorScope { list: "listWebhookDeliveries", team: member.team, filters: &filters };
    let from = CursorQuery::read(&request, scope, query)?;
    let (cursor, wanted) = (from.cursor, from.per_page);
    let rows = request.read(move |tx| {
        let rows = deliveries::list(tx, member.team, (webhook, state), cursor, wanted)?;
        rows.into_iter().map(|row| with_attempts(tx, member, row)).collect::<Result<Vec<_>, _>>()
    });
    let rows = rows.await?;
    let view = |(row, attempts): &(Delivery, Vec<Attempt>)| view::delivery(&request, row, attempts);
    let (rows, count) = render_within_limit(rows, wanted, |row| Ok(view(row)))?;
    let page = Page::new(rows, count, cursor, |((row, _), _)| (0, row.id.into()));
    let body = cursor_envelope(&request, scope, page, wanted, &shown);
    Ok(Reply::json(StatusCode::OK, body).private())
}

/// `POST …/webhooks/{webhook}/test`: for this webhook alone, also when it is not active.
pub async fn test(mut request: Request, member: Member) -> Result<Reply, ApiError> {
    let webhook = find(&request, member).await?.id;
    request.query.knowing(&[]).finish()?;
    request.no_body().await?;
    let (event, id) = (EventId(request.app.new_uuid()), DeliveryId(request.app.new_uuid()));
    let (event, now) = (Event::test(event, request.now, webhook.into()), request.now);
    let queued = request.write(move |tx| {
        if find_own(tx, member, webhook)?.is_none() {
            return Ok(None);
        }
        events::append_fanned_out(tx, member.team, &event)?;
        deliveries::insert(tx, member.team, id, (webhook, event.id), now)?;
        queue(tx, member, webhook, id, now)
    });
    accepted(&request, queued.await?.ok_or(ApiError::NotFound)?)
}

/// `POST …/webhooks/{webhook}/deliveries/{delivery}/retry`: the same event again, whatever became
/// of it.
pub async fn retry(mut request: Request, member: Member) -> Result<Reply, ApiError> {
    let webhook = find(&request, member).await?;
    request.query.knowing(&[]).finish()?;
    let (id, now) = (request.id("delivery", DeliveryId::parse)?, request.now);
    let found = request.read(move |tx| deliveries::find(tx, member.team, webhook.id, id)).await?;
    found.ok_or(ApiError::NotFound)?;
    request.no_body().await?;
    must_be_active(&webhook)?;
    let queued = request.write(move |tx| {
        deliveries::set_due(tx, member.team, id, now)?;
        queue(tx, member, webhook.id, id, now)
    });
    accepted(&request, queued.await?.ok_or(ApiError::NotFound)?)
}

/// `POST …/webhooks/{webhook}/replay`: every event since a time, whether or not it was delivered.
pub async fn replay(mut request: Request, member: Member) -> Result<Reply, ApiError> {
    let webhook = find(&request, member).await?;
    let (body, errors) = request.json_body().await?;
    let since = errors.or(read(&body, |fields| fields.time("since").required()))?;
    if since > request.now {
        return Err(ApiError::invalid("since", Message::new("not-in-the-past")));
    }
    must_be_active(&webhook)?;
    let lost = request.read(move |tx| epochs::find_lost(tx, since, Duration::ZERO)).await?;
    if let Some(span) = lost {
        return Err(ApiError::Lost(span));
    }
    let act = request.act();
    let (mut count, mut after) = (0, Some((since, EventId(uuid::Uuid::nil()))));
    while let Some(from) = after {
        let (app, webhook, now) = (request.app.clone(), webhook.clone(), request.now);
        let act = Some(act.clone()).filter(|_| from.1.0.is_nil());
        let queued = request.write(move |tx| {
            if let Some(act) = &act {
                let changes = Changes::none().and("since", Json::Null, Json::text(since));
                note(tx, member, (Action::WebhookReplayed, act), &webhook, &changes)?;
            }
            let chunk = events::list_since(tx, member.team, from, CHUNK)?;
            let mut queued = 0;
            for event in chunk.iter().filter(|event| webhook.wants(&event.kind)) {
                let id = DeliveryId(app.new_uuid());
                deliveries::insert_again(tx, member.team, id, (webhook.id, event.id), now)?;
                queued += 1;
            }
            let due = tx.now(now)?;
            jobs::schedule(tx, JobKind::Deliver, webhook.id.into(), Some(member.team), due)?;
            Ok::<_, Error>((queued, chunk.last().map(|last| (last.occurred_at, last.id))))
        });
        let (queued, last) = queued.await?;
        (count, after) = (count + queued, last);
    }
    wake(&request, webhook.id);
    let data = Json::object([("since", Json::text(since)), ("event_count", count.into())]);
    let body = Json::object([("data", data)]);
    Ok(Reply::json(StatusCode::ACCEPTED, body).private())
}

fn must_be_active(webhook: &Webhook) -> Result<(), ApiError> {
    match webhook.is_active {
        true => Ok(()),
        false => Err(ApiError::Conflict(Message::new("webhook-not-active"))),
    }
}

fn with_attempts(
    tx: &mut Tx<'_>,
    member: Member,
    row: Delivery,
) -> Result<(Delivery, Vec<Attempt>), Error> {
    let attempts = deliveries::list_attempts(tx, member.team, row.id)?;
    Ok((row, attempts))
}

/// Sets the alarm of the webhook's queue.
fn queue(
    tx: &mut Tx<'_>,
    member: Member,
    webhook: WebhookId,
    id: DeliveryId,
    now: Time,
) -> Result<Option<(Delivery, Vec<Attempt>)>, Error> {
    let due = tx.now(now)?;
    jobs::schedule(tx, JobKind::Deliver, webhook.into(), Some(member.team), due)?;
    let found = deliveries::find(tx, member.team, webhook, id)?;
    found.map(|row| with_attempts(tx, member, row)).transpose()
}

fn wake(request: &Request, webhook: WebhookId) {
    // Whoever asks wants it tried now, however its receiver fares.
    request.app.pauses().end(webhook);
    // The queue may be under way, or may have to be started.
    request.app.wake(webhook.into());
    request.app.wake_runner();
}

fn accepted(
    request: &Request,
    (row, attempts): (Delivery, Vec<Attempt>),
) -> Result<Reply, ApiError> {
    wake(request, row.webhook);
    let data = view::delivery(request, &row, &attempts);
    let body = Json::object([("data", data)]);
    Ok(Reply::json(StatusCode::ACCEPTED, body).private())
}
