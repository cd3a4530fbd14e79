//! Addresses that are told of events: a team's webhooks, and the callbacks of its batches. Secrets
//! are sealed before they come here.

use uuid::Uuid;
use waybill_domain::ids::{BatchId, TeamId, WebhookId};
use waybill_domain::page::{Cursor, Direction};
use waybill_domain::time::Time;
use waybill_domain::webhook::DisabledReason;

use crate::{FromRow, Result, Row, Tx};

/// An address with what it wants to hear.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Webhook {
    /// Its id.
    pub id: WebhookId,
    /// Where events are sent.
    pub url: String,
    /// The names of the kinds it wants, separated by spaces.
    pub kinds: String,
    /// Whether anything is sent.
    pub is_active: bool,
    /// Why we switched it off.
    pub disabled_reason: Option<DisabledReason>,
    /// The sealed signing secrets.
    pub secrets: Vec<u8>,
    /// The batch whose callback it is.
    pub batch: Option<Uuid>,
    /// Since when every attempt has failed.
    pub failing_since: Option<Time>,
    /// When it was added.
    pub created_at: Time,
    /// When it last changed.
    pub updated_at: Time,
}

impl Webhook {
    /// Whether it wants to hear of events of this kind.
    pub fn wants(&self, kind: &str) -> bool {
        self.kinds.split(' ').any(|wanted| wanted == kind)
    }
}

impl FromRow for Webhook {
    fn from_row(row: &mut Row<'_>) -> Result<Webhook> {
        let id: WebhookId = row.next()?;
        Ok(Webhook {
            id,
            url: row.next()?,
            kinds: row.next()?,
            is_active: row.next()?,
            disabled_reason: row.optional_word(
                ("webhook", id.into()),
                "disabled reason",
                DisabledReason::parse,
            )?,
            secrets: row.next()?,
            batch: row.next()?,
            failing_since: row.next()?,
            created_at: row.next()?,
            updated_at: row.next()?,
        })
    }
}

/// Adds a webhook.
pub fn insert(tx: &mut Tx<'_>, team: TeamId, webhook: &Webhook) -> Result<()> {
    tx.exec(
        "INSERT INTO webhook (team, id, url, kinds, is_active, secrets, batch, created_at,
                              updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        &[
            team.into(),
            webhook.id.into(),
            (&webhook.url).into(),
            (&webhook.kinds).into(),
            webhook.is_active.into(),
            webhook.secrets.as_slice().into(),
            webhook.batch.into(),
            webhook.created_at.into(),
            webhook.updated_at.into(),
        ],
    )?;
    Ok(())
}

/// The team's webhook, or the callback of one of its batches.
pub fn find(tx: &mut Tx<'_>, team: TeamId, id: WebhookId) -> Result<Option<Webhook>> {
    tx.one(
        "SELECT id, url, kinds, is_active, disabled_reason, secrets, batch, failing_since,
                created_at, updated_at
           FROM webhook WHERE team = $1 AND id = $2 AND deleted_at IS NULL",
        &[team.into(), id.into()],
    )
}

/// One webhook more than `wanted` from the cursor on, newest first. Callbacks are not listed.
pub fn list(
    tx: &mut Tx<'_>,
    team: TeamId,
    cursor: Option<Cursor>,
    wanted: usize,
) -> Result<Vec<Webhook>> {
    let forth = "SELECT id, url, kinds, is_active, disabled_reason, secrets, batch, failing_since,
                        created_at, updated_at
                   FROM webhook WHERE team = $1 AND id < $2 AND batch IS NULL
                    AND deleted_at IS NULL ORDER BY id DESC LIMIT $3";
    let back = "SELECT id, url, kinds, is_active, disabled_reason, secrets, batch, failing_since,
                       created_at, updated_at
                  FROM webhook WHERE team = $1 AND id > $2 AND batch IS NULL
                   AND deleted_at IS NULL ORDER BY id LIMIT $3";
    let (statement, id) = match cursor {
        None => (forth, Uuid::max()),
        Some(Cursor { direction: Direction::Next, id, .. }) => (forth, id),
        Some(Cursor { direction: Direction::Previous, id, .. }) => (back, id),
    };
    let limit = i64::try_from(wanted + 1).unwrap_or(i64::MAX);
    tx.all(statement, &[team.into(), id.into(), limit.into()])
}

/// Everyone who may be told of what happened in this batch, or in none: the team's webhooks, and
/// the batch's own callback.
pub fn list_active(tx: &mut Tx<'_>, team: TeamId, batch: Option<Uuid>) -> Result<Vec<Webhook>> {
    tx.all(
        "SELECT id, url, kinds, is_active, disabled_reason, secrets, batch, failing_since,
                created_at, updated_at
           FROM webhook WHERE team = $1 AND is_active = $2 AND deleted_at IS NULL
            AND (batch IS NULL OR batch = $3) ORDER BY id",
        &[team.into(), true.into(), batch.into()],
    )
}

/// The callback of a batch.
pub fn find_callback(tx: &mut Tx<'_>, team: TeamId, batch: BatchId) -> Result<Option<Webhook>> {
    tx.one(
        "SELECT id, url, kinds, is_active, disabled_reason, secrets, batch, failing_since,
                created_at, updated_at
           FROM webhook WHERE team = $1 AND batch = $2",
        &[team.into(), batch.into()],
    )
}

/// Changes where it is and what it wants. False when there is none.
pub fn set_subscription(
    tx: &mut Tx<'_>,
    team: TeamId,
    id: WebhookId,
    (url, kinds): (&str, &str),
    now: Time,
) -> Result<bool> {
    let rows = tx.exec(
        "UPDATE webhook SET url = $3, kinds = $4, updated_at = $5
          WHERE team = $1 AND id = $2 AND deleted_at IS NULL",
        &[team.into(), id.into(), url.into(), kinds.into(), now.into()],
    )?;
    Ok(rows == 1)
}

/// Switches it on, with a clean slate, or off, with our reason when it is ours.
pub fn set_active(
    tx: &mut Tx<'_>,
    team: TeamId,
    id: WebhookId,
    (is_active, disabled_reason): (bool, Option<DisabledReason>),
    now: Time,
) -> Result<()> {
    let reason = disabled_reason.map(DisabledReason::name);
    tx.exec(
        "UPDATE webhook SET is_active = $3, disabled_reason = $4, updated_at = $5,
                failing_since = CASE WHEN is_active = $3 THEN failing_since ELSE NULL END
          WHERE team = $1 AND id = $2",
        &[team.into(), id.into(), is_active.into(), reason.into(), now.into()],
    )?;
    Ok(())
}

/// Replaces the sealed secrets. False when there is none, or somebody else replaced them first.
pub fn set_secrets(
    tx: &mut Tx<'_>,
    team: TeamId,
    id: WebhookId,
    (old, new): (&[u8], &[u8]),
    now: Time,
) -> Result<bool> {
    let rows = tx.exec(
        "UPDATE webhook SET secrets = $3, updated_at = $5
          WHERE team = $1 AND id = $2 AND secrets = $4 AND deleted_at IS NULL",
        &[team.into(), id.into(), new.into(), old.into(), now.into()],
    )?;
    Ok(rows == 1)
}

/// Notes that an attempt failed at this time. The first of several dates them.
pub fn set_failing(tx: &mut Tx<'_>, team: TeamId, id: WebhookId, at: Time) -> Result<()> {
    tx.exec(
        "UPDATE webhook SET failing_since = $3
          WHERE team = $1 AND id = $2 AND failing_since IS NULL",
        &[team.into(), id.into(), at.into()],
    )?;
    Ok(())
}

/// Notes that an attempt did not fail.
pub fn clear_failing(tx: &mut Tx<'_>, team: TeamId, id: WebhookId) -> Result<()> {
    tx.exec_later(
        "UPDATE webhook SET failing_since = NULL
          WHERE team = $1 AND id = $2 AND failing_since IS NOT NULL",
        &[team.into(), id.into()],
    )
}

/// Hides the webhook and forgets its secrets; what was delivered stays known. False when there is
/// none.
pub fn delete(tx: &mut Tx<'_>, team: TeamId, id: WebhookId, now: Time) -> Result<bool> {
    let rows = tx.exec(
        "UPDATE webhook SET is_active = $4, secrets = $5, deleted_at = $3, updated_at = $3
          WHERE team = $1 AND id = $2 AND batch IS NULL AND deleted_at IS NULL",
        &[team.into(), id.into(), now.into(), false.into(), Vec::new().into()],
    )?;
    Ok(rows == 1)
}
