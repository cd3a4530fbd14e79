//! Events on their way to webhooks: one delivery for each event and webhook, with every attempt.
//!
//! A delivery that waits has a time at which it is due; who may send it is decided by the lease on
//! its webhook's job.

mod attempts;

use uuid::Uuid;
use waybill_domain::ids::{DeliveryId, EventId, TeamId, WebhookId};
use waybill_domain::page::{Cursor, Direction};
use waybill_domain::time::Time;
use waybill_domain::webhook::DeliveryState;

use crate::{FromRow, Result, Row, Tx};

pub use attempts::{Attempt, AttemptDetails, list_attempts, list_tried, record};

/// One event for one webhook.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Delivery {
    /// Its id.
    pub id: DeliveryId,
    /// To whom.
    pub webhook: WebhookId,
    /// Of what.
    pub event: EventId,
    /// The name of the event's kind.
    pub kind: String,
    /// How far it is.
    pub state: DeliveryState,
    /// When it is tried next.
    pub next_at: Option<Time>,
    /// When it was made.
    pub created_at: Time,
    /// When a receiver took it.
    pub delivered_at: Option<Time>,
}

impl FromRow for Delivery {
    fn from_row(row: &mut Row<'_>) -> Result<Delivery> {
        let id: DeliveryId = row.next()?;
        Ok(Delivery {
            id,
            webhook: row.next()?,
            event: row.next()?,
            kind: row.next()?,
            state: row.word(("delivery", id.into()), "state", DeliveryState::parse)?,
            next_at: row.next()?,
            created_at: row.next()?,
            delivered_at: row.next()?,
        })
    }
}

/// A delivery that is due, with what is to be sent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DueDelivery {
    /// Its id.
    pub id: DeliveryId,
    /// When the first attempt began since it was last sent anew.
    pub started_at: Option<Time>,
    /// The event.
    pub event: EventId,
    /// The name of its kind.
    pub kind: String,
    /// When it happened.
    pub occurred_at: Time,
    /// The ids of its envelope, JSON.
    pub ids: String,
}

impl FromRow for DueDelivery {
    fn from_row(row: &mut Row<'_>) -> Result<DueDelivery> {
        Ok(DueDelivery {
            id: row.next()?,
            started_at: row.next()?,
            event: row.next()?,
            kind: row.next()?,
            occurred_at: row.next()?,
            ids: row.next()?,
        })
    }
}

/// Adds a delivery that is due now, unless the webhook has one of this event. False when it has.
pub fn insert(
    tx: &mut Tx<'_>,
    team: TeamId,
    id: DeliveryId,
    (webhook, event): (WebhookId, EventId),
    now: Time,
) -> Result<bool> {
    let rows = tx.exec(
        "INSERT INTO delivery (team, id, webhook, event, state, next_at, created_at)
         VALUES ($1, $2, $3, $4, 'pending', $5, $5)
         ON CONFLICT (team, event, webhook) DO NOTHING",
        &[team.into(), id.into(), webhook.into(), event.into(), now.into()],
    )?;
    Ok(rows == 1)
}

/// Adds a delivery, or lets the one that is there begin anew: due now, with a window of its own.
pub fn insert_again(
    tx: &mut Tx<'_>,
    team: TeamId,
    id: DeliveryId,
    (webhook, event): (WebhookId, EventId),
    now: Time,
) -> Result<()> {
    tx.exec(
        "INSERT INTO delivery (team, id, webhook, event, state, next_at, created_at)
         VALUES ($1, $2, $3, $4, 'pending', $5, $5)
         ON CONFLICT (team, event, webhook) DO UPDATE SET
           state = 'pending', next_at = $5, started_at = NULL, delivered_at = NULL",
        &[team.into(), id.into(), webhook.into(), event.into(), now.into()],
    )?;
    Ok(())
}

/// A delivery of this webhook.
pub fn find(
    tx: &mut Tx<'_>,
    team: TeamId,
    webhook: WebhookId,
    id: DeliveryId,
) -> Result<Option<Delivery>> {
    tx.one(
        "SELECT delivery.id, webhook, event, kind, state, next_at, created_at, delivered_at
           FROM delivery JOIN event ON event.team = delivery.team AND event.id = delivery.event
          WHERE delivery.team = $1 AND delivery.id = $2 AND webhook = $3",
        &[team.into(), id.into(), webhook.into()],
    )
}

/// One delivery more than `wanted` from the cursor on, newest first.
pub fn list(
    tx: &mut Tx<'_>,
    team: TeamId,
    (webhook, state): (WebhookId, Option<DeliveryState>),
    cursor: Option<Cursor>,
    wanted: usize,
) -> Result<Vec<Delivery>> {
    let forth = "SELECT delivery.id, webhook, event, kind, state, next_at, created_at, delivered_at
           FROM delivery JOIN event ON event.team = delivery.team AND event.id = delivery.event
          WHERE delivery.team = $1 AND webhook = $2 AND delivery.id < $3
            AND (CAST($5 AS TEXT) IS NULL OR state = $5) ORDER BY delivery.id DESC LIMIT $4";
    let back = "SELECT delivery.id, webhook, event, kind, state, next_at, created_at, delivered_at
           FROM delivery JOIN event ON event.team = delivery.team AND event.id = delivery.event
          WHERE delivery.team = $1 AND webhook = $2 AND delivery.id > $3
            AND (CAST($5 AS TEXT) IS NULL OR state = $5) ORDER BY delivery.id LIMIT $4";
    let (statement, id) = match cursor {
        None => (forth, Uuid::max()),
        Some(Cursor { direction: Direction::Next, id, .. }) => (forth, id),
        Some(Cursor { direction: Direction::Previous, id, .. }) => (back, id),
    };
    let limit = i64::try_from(wanted + 1).unwrap_or(i64::MAX);
    let state = state.map(DeliveryState::name);
    tx.all(statement, &[team.into(), webhook.into(), id.into(), limit.into(), state.into()])
}

/// The deliveries of one event, in the order of their webhooks.
pub fn list_of_event(tx: &mut Tx<'_>, team: TeamId, event: EventId) -> Result<Vec<Delivery>> {
    tx.all(
        "SELECT delivery.id, webhook, event, kind, state, next_at, created_at, delivered_at
           FROM delivery JOIN event ON event.team = delivery.team AND event.id = delivery.event
          WHERE delivery.team = $1 AND event = $2 ORDER BY webhook",
        &[team.into(), event.into()],
    )
}

/// What is due for a webhook, the longest due first.
pub fn list_due(
    tx: &mut Tx<'_>,
    team: TeamId,
    webhook: WebhookId,
    now: Time,
    limit: i64,
) -> Result<Vec<DueDelivery>> {
    tx.all(
        "SELECT delivery.id, started_at, event, kind, occurred_at, ids
           FROM delivery JOIN event ON event.team = delivery.team AND event.id = delivery.event
          WHERE delivery.team = $1 AND webhook = $2 AND next_at <= $3
          ORDER BY next_at, delivery.id LIMIT $4",
        &[team.into(), webhook.into(), now.into(), limit.into()],
    )
}

/// When something is due for a webhook.
pub fn next_due(tx: &mut Tx<'_>, team: TeamId, webhook: WebhookId) -> Result<Option<Time>> {
    tx.one(
        "SELECT next_at FROM delivery WHERE team = $1 AND webhook = $2 AND next_at IS NOT NULL
          ORDER BY next_at LIMIT 1",
        &[team.into(), webhook.into()],
    )
}

/// Makes a delivery due now. One that had ended begins anew.
pub fn set_due(tx: &mut Tx<'_>, team: TeamId, id: DeliveryId, now: Time) -> Result<()> {
    tx.exec(
        "UPDATE delivery SET next_at = $3, delivered_at = NULL, state = 'pending',
                started_at = CASE WHEN state = 'pending' THEN started_at ELSE NULL END
          WHERE team = $1 AND id = $2",
        &[team.into(), id.into(), now.into()],
    )?;
    Ok(())
}

/// Gives up what waits for a webhook that was switched off or deleted.
pub fn fail_pending(tx: &mut Tx<'_>, team: TeamId, webhook: WebhookId) -> Result<u64> {
    tx.exec(
        "UPDATE delivery SET state = 'failed', next_at = NULL
          WHERE team = $1 AND webhook = $2 AND next_at IS NOT NULL",
        &[team.into(), webhook.into()],
    )
}

/// Gives up one delivery.
pub fn fail(tx: &mut Tx<'_>, team: TeamId, id: DeliveryId) -> Result<()> {
    tx.exec(
        "UPDATE delivery SET state = 'failed', next_at = NULL WHERE team = $1 AND id = $2",
        &[team.into(), id.into()],
    )?;
    Ok(())
}

/// Forgets up to `limit` deliveries that ended and were made before this time, with their attempts.
/// Tells how many.
pub fn any_delete_old(tx: &mut Tx<'_>, before: Time, limit: i64) -> Result<u64> {
    let old: Vec<(TeamId, DeliveryId)> = tx.all(
        "SELECT team, id FROM delivery WHERE next_at IS NULL AND created_at < $1
          ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED",
        &[before.into(), limit.into()],
    )?;
    let mut count = 0;
    for (team, id) in old {
        tx.exec(
            "DELETE FROM delivery_attempt WHERE team = $1 AND delivery = $2",
            &[team.into(), id.into()],
        )?;
        let gone = "DELETE FROM delivery WHERE team = $1 AND id = $2";
        count += tx.exec(gone, &[team.into(), id.into()])?;
    }
    Ok(count)
}
