//! What was tried, and what came back.

use uuid::Uuid;
use waybill_domain::ids::{DeliveryId, TeamId, WebhookId};
use waybill_domain::time::Time;
use waybill_domain::webhook::DeliveryState;

use crate::{FromRow, Result, Row, Tx};

/// One attempt to deliver.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Attempt {
    /// Its id.
    pub id: Uuid,
    /// When it began.
    pub attempted_at: Time,
    /// The status of the answer.
    pub status: Option<i64>,
    /// Microseconds until the answer or the failure.
    pub latency_micros: i64,
    /// The beginning of the answer.
    pub response: Option<String>,
    /// The name of what went wrong, when there was no answer.
    pub error: Option<String>,
}

impl FromRow for Attempt {
    fn from_row(row: &mut Row<'_>) -> Result<Attempt> {
        Ok(Attempt {
            id: row.next()?,
            attempted_at: row.next()?,
            status: row.next()?,
            latency_micros: row.next()?,
            response: row.next()?,
            error: row.next()?,
        })
    }
}

/// An attempt with what it was about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AttemptDetails {
    /// The attempt.
    pub attempt: Attempt,
    /// To whom.
    pub webhook: WebhookId,
    /// The address.
    pub url: String,
    /// The name of the event's kind.
    pub kind: String,
    /// The delivery.
    pub delivery: DeliveryId,
}

impl FromRow for AttemptDetails {
    fn from_row(row: &mut Row<'_>) -> Result<AttemptDetails> {
        Ok(AttemptDetails {
            attempt: row.next()?,
            webhook: row.next()?,
            url: row.next()?,
            kind: row.next()?,
            delivery: row.next()?,
        })
    }
}

/// Writes an attempt down, and what becomes of its delivery: taken when `delivered_at` is given,
/// due again when `next_at` is, else given up. One that was given up meanwhile stays so.
pub fn record(
    tx: &mut Tx<'_>,
    team: TeamId,
    delivery: DeliveryId,
    attempt: &Attempt,
    (delivered_at, next_at): (Option<Time>, Option<Time>),
) -> Result<()> {
    tx.exec_one(
        "INSERT INTO delivery_attempt (team, id, delivery, attempted_at, status, latency_micros,
                                       response, error)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        &[
            team.into(),
            attempt.id.into(),
            delivery.into(),
            attempt.attempted_at.into(),
            attempt.status.into(),
            attempt.latency_micros.into(),
            attempt.response.as_deref().into(),
            attempt.error.as_deref().into(),
        ],
    )?;
    let state = match (delivered_at, next_at) {
        (Some(_), _) => DeliveryState::Delivered,
        (None, Some(_)) => DeliveryState::Pending,
        (None, None) => DeliveryState::Failed,
    };
    tx.exec_later(
        "UPDATE delivery SET state = $3, next_at = $4, delivered_at = $5,
                started_at = COALESCE(started_at, $6)
          WHERE team = $1 AND id = $2 AND state = 'pending'",
        &[
            team.into(),
            delivery.into(),
            state.name().into(),
            next_at.filter(|_| delivered_at.is_none()).into(),
            delivered_at.into(),
            attempt.attempted_at.into(),
        ],
    )
}

/// The attempts of a delivery, oldest first.
pub fn list_attempts(tx: &mut Tx<'_>, team: TeamId, delivery: DeliveryId) -> Result<Vec<Attempt>> {
    tx.all(
        "SELECT id, attempted_at, status, latency_micros, response, error
           FROM delivery_attempt WHERE team = $1 AND delivery = $2 ORDER BY id",
        &[team.into(), delivery.into()],
    )
}

/// The team's attempts that were written down after this one, oldest first.
pub fn list_tried(
    tx: &mut Tx<'_>,
    team: TeamId,
    after: Uuid,
    limit: i64,
) -> Result<Vec<AttemptDetails>> {
    tx.all(
        "SELECT a.id, a.attempted_at, a.status, a.latency_micros, a.response, a.error,
                webhook.id, webhook.url, event.kind, delivery.id
           FROM delivery_attempt a
           JOIN delivery ON delivery.team = a.team AND delivery.id = a.delivery
           JOIN webhook ON webhook.team = a.team AND webhook.id = delivery.webhook
           JOIN event ON event.team = a.team AND event.id = delivery.event
          WHERE a.team = $1 AND a.id > $2 ORDER BY a.id LIMIT $3",
        &[team.into(), after.into(), limit.into()],
    )
}
