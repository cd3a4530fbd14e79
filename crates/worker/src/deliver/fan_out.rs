//! From an event to its deliveries. The transaction of a change writes its event and no more; who
//! hears of it is worked out here, soon after, by any worker and for many events at once. So no
//! change waits for another because both concern the same webhook.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use uuid::Uuid;
use waybill_domain::ids::{DeliveryId, IdSource, TeamId, WebhookId};
use waybill_domain::job::JobKind;
use waybill_domain::time::Time;
use waybill_store::webhooks::Webhook;
use waybill_store::{Error, Tx, deliveries, events, jobs, webhooks};

/// Events that are told in one transaction.
const CHUNK: i64 = 256;
/// Deliveries that are made in one transaction, but for those of its last event.
const DELIVERIES_MAX: usize = 256;
/// One to a receiver that is left alone counts as so many: nobody waits for it, and others want to
/// write.
const PAUSED_COST: usize = 4;

/// What became of a round.
pub struct FannedOut {
    /// The webhooks that have something to send.
    pub woken: Vec<Uuid>,
    /// Whether there may be more.
    pub has_more: bool,
    /// Whether one of them is not left alone for now.
    pub is_urgent: bool,
}

/// Gives pending events their deliveries and sets the alarms of their webhooks. A receiver that is
/// left alone is told when its pause is over.
pub fn fan_out(
    tx: &mut Tx<'_>,
    ids: &dyn IdSource,
    now: Time,
    pause_left: &dyn Fn(WebhookId) -> Duration,
) -> Result<FannedOut, Error> {
    let pending = events::any_pending(tx, CHUNK)?;
    let mut receivers: HashMap<(TeamId, Option<Uuid>), Vec<Webhook>> = HashMap::new();
    // In the order of their ids, so that two workers never wait for each other.
    let mut woken: BTreeMap<WebhookId, TeamId> = BTreeMap::new();
    let (mut events_fanned_out, mut deliveries_made) = (0, 0);
    for event in &pending {
        if deliveries_made >= DELIVERIES_MAX {
            break;
        }
        let all = match receivers.entry((event.team, event.batch)) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(unknown) => {
                unknown.insert(webhooks::list_active(tx, event.team, event.batch)?)
            }
        };
        for webhook in all.iter().filter(|webhook| webhook.wants(&event.kind)) {
            let id = DeliveryId(ids.uuid());
            deliveries::insert(tx, event.team, id, (webhook.id, event.id), now)?;
            woken.insert(webhook.id, event.team);
            let is_paused = !pause_left(webhook.id).is_zero();
            deliveries_made += if is_paused { PAUSED_COST } else { 1 };
        }
        events::set_fanned_out(tx, event.team, event.id)?;
        events_fanned_out += 1;
    }
    if !woken.is_empty() {
        let due = tx.now(now)?;
        for (webhook, team) in &woken {
            let at = due.plus(pause_left(*webhook));
            jobs::schedule(tx, JobKind::Deliver, (*webhook).into(), Some(*team), at)?;
        }
    }
    let is_full = i64::try_from(pending.len()).is_ok_and(|count| count == CHUNK);
    let has_more = is_full || events_fanned_out < pending.len();
    let is_urgent = woken.keys().any(|webhook| pause_left(*webhook).is_zero());
    Ok(FannedOut { woken: woken.into_keys().map(Uuid::from).collect(), has_more, is_urgent })
}
