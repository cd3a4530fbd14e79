//! From an event to its deliveries. The transaction of a change writes its event and no more; who
//! hears of it is worked out here, soon after, by any worker and for many events at once. So no
//! change waits for another because both concern the same webhook.
//!
//! Teams take turns, and one whose receivers all fail is served at a pace that nobody notices: so
//! no team's events wait behind those of another. One transaction makes few deliveries, however
//! many teams there are.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use uuid::Uuid;
use waybill_domain::ids::{DeliveryId, IdSource, TeamId, WebhookId};
use waybill_domain::job::JobKind;
use waybill_domain::time::Time;
use waybill_engine::pauses::WebhookPauses;
use waybill_store::events::PendingEvent;
use waybill_store::{Error, Tx, deliveries, events, jobs, webhooks};

/// Teams that are served in one transaction.
const TEAMS_MAX: i64 = 64;
/// Events that are fanned out in one transaction.
const EVENTS_MAX: i64 = 256;
/// Deliveries that are made in one transaction, but for those of a team's last event.
const DELIVERIES_MAX: usize = 256;
/// One to a receiver that is left alone counts as so many: nobody waits for it, and others want to
/// write.
const PAUSED_COST: usize = 8;
/// A team whose receivers are all left alone rests so long for each delivery.
const REST: Duration = Duration::from_micros(2500);

/// Before all others.
const NO_TEAM: TeamId = TeamId(Uuid::nil());

/// Which teams are served next, and which of them rest.
#[derive(Clone)]
pub struct TeamPacing {
    /// The last team that was served, until all had their turn.
    after: TeamId,
    /// Whether one of them has more.
    has_more: bool,
    /// When the rest of a team is over, by the clock that never jumps.
    resting: HashMap<TeamId, Duration>,
    rest: Duration,
}

impl Default for TeamPacing {
    fn default() -> TeamPacing {
        TeamPacing { after: NO_TEAM, has_more: false, resting: HashMap::new(), rest: REST }
    }
}

impl TeamPacing {
    /// Whether a team rests at all; it does not where everything is wanted at once.
    pub fn has_rests(&self) -> bool {
        !self.rest.is_zero()
    }

    /// For one who wants all of it done before going on.
    pub fn without_rest() -> TeamPacing {
        TeamPacing { rest: Duration::ZERO, ..TeamPacing::default() }
    }

    /// The teams whose turn it is, and whether they are the last of all.
    fn next_teams(&mut self, tx: &mut Tx<'_>) -> Result<(Vec<TeamId>, bool), Error> {
        let mut teams = events::any_pending_teams(tx, self.after, TEAMS_MAX)?;
        let is_full = i64::try_from(teams.len()).is_ok_and(|count| count == TEAMS_MAX);
        self.after = teams.last().copied().filter(|_| is_full).unwrap_or(NO_TEAM);
        teams.retain(|team| !self.resting.contains_key(team));
        Ok((teams, !is_full))
    }
}

/// What one transaction made.
pub struct FannedOut {
    /// The webhooks that have something to send.
    pub woken: Vec<Uuid>,
    /// Whether there may be more to do at once.
    pub has_more: bool,
    /// Whether one of them is not left alone for now.
    pub is_urgent: bool,
    /// How long until a team that rests may be served, if there is one.
    pub rest: Option<Duration>,
}

impl FannedOut {
    /// Nothing was done, because the next one begins only after this time.
    pub fn nothing(rest: Duration) -> FannedOut {
        FannedOut { woken: Vec::new(), has_more: false, is_urgent: false, rest: Some(rest) }
    }
}

/// Gives pending events their deliveries and sets the alarms of their webhooks. A receiver that is
/// left alone is told when its pause is over.
pub fn fan_out(
    tx: &mut Tx<'_>,
    ids: &dyn IdSource,
    (now, instant): (Time, Duration),
    pauses: &WebhookPauses,
    pacing: &mut TeamPacing,
) -> Result<FannedOut, Error> {
    pacing.resting.retain(|_, until| *until > instant);
    let (teams, mut are_last) = pacing.next_teams(tx)?;
    let mut fan =
        FanOut { ids, now, instant, pauses, woken: BTreeMap::new(), cost: 0, is_urgent: false };
    let share = teams.len().max(1);
    for (place, team) in teams.iter().copied().enumerate() {
        if fan.cost >= DELIVERIES_MAX {
            // The others come next.
            (are_last, pacing.after) = (false, teams[place - 1]);
            break;
        }
        let served = fan.serve(tx, team, share)?;
        if served.is_resting && pacing.has_rests() {
            let rest = pacing.rest * u32::try_from(served.deliveries).unwrap_or(u32::MAX);
            pacing.resting.insert(team, instant + rest);
        } else {
            pacing.has_more |= served.has_more;
        }
    }
    fan.set_alarms(tx)?;
    let has_more = !are_last || std::mem::take(&mut pacing.has_more);
    let rest = pacing.resting.values().min().map(|until| until.saturating_sub(instant));
    let is_urgent = fan.is_urgent;
    let woken = fan.woken.into_keys().map(Uuid::from).collect();
    Ok(FannedOut { woken, has_more, is_urgent, rest })
}

/// What one transaction makes.
struct FanOut<'a> {
    ids: &'a dyn IdSource,
    now: Time,
    instant: Duration,
    pauses: &'a WebhookPauses,
    /// In the order of their ids, so that two workers never wait for each other.
    woken: BTreeMap<WebhookId, TeamId>,
    /// What it has cost so far, in deliveries.
    cost: usize,
    /// Whether a receiver is not left alone for now.
    is_urgent: bool,
}

/// How a team was served.
struct Served {
    deliveries: usize,
    /// Whether all its receivers are left alone.
    is_resting: bool,
    has_more: bool,
}

impl FanOut<'_> {
    fn pause_left(&self, webhook: WebhookId) -> Duration {
        self.pauses.left(webhook, self.instant)
    }

    /// Serves a team, which has this part of the transaction.
    fn serve(&mut self, tx: &mut Tx<'_>, team: TeamId, share: usize) -> Result<Served, Error> {
        let mut receivers = HashMap::new();
        let all = webhooks::list_active(tx, team, None)?;
        let limit = self.events_max(&all, share);
        receivers.insert(None, all);
        let pending = events::take_pending(tx, team, limit)?;
        let (mut cost, mut deliveries, mut is_resting) = (0, 0, true);
        for event in &pending {
            for webhook in self.receivers(tx, team, event, &mut receivers)? {
                let id = DeliveryId(self.ids.uuid());
                deliveries::insert(tx, team, id, (webhook, event.id), self.now)?;
                self.woken.insert(webhook, team);
                let is_paused = !self.pause_left(webhook).is_zero();
                is_resting &= is_paused;
                cost += if is_paused { PAUSED_COST } else { 1 };
                deliveries += 1;
            }
        }
        self.cost += cost;
        self.is_urgent |= !is_resting;
        let has_more = i64::try_from(pending.len()).is_ok_and(|count| count == limit);
        Ok(Served { deliveries, is_resting: is_resting && deliveries > 0, has_more })
    }

    /// How many events can be told to these webhooks, and to a batch's own, in this part of the
    /// transaction.
    fn events_max(&self, webhooks: &[webhooks::Webhook], share: usize) -> i64 {
        let is_paused = |webhook: &webhooks::Webhook| !self.pause_left(webhook.id).is_zero();
        let cost = |webhook| if is_paused(webhook) { PAUSED_COST } else { 1 };
        let each = 1 + webhooks.iter().map(cost).sum::<usize>();
        let affordable = i64::try_from(DELIVERIES_MAX / share / each).unwrap_or(i64::MAX);
        affordable.min(EVENTS_MAX / i64::try_from(share).unwrap_or(i64::MAX)).max(1)
    }

    /// Who hears of an event. Those of a batch are looked up once.
    fn receivers(
        &self,
        tx: &mut Tx<'_>,
        team: TeamId,
        event: &PendingEvent,
        known: &mut HashMap<Option<Uuid>, Vec<webhooks::Webhook>>,
    ) -> Result<Vec<WebhookId>, Error> {
        let all = match known.entry(event.batch) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(unknown) => unknown.insert(webhooks::list_active(tx, team, event.batch)?),
        };
        let wanting = all.iter().filter(|webhook| webhook.wants(&event.kind));
        Ok(wanting.map(|webhook| webhook.id).collect())
    }

    fn set_alarms(&self, tx: &mut Tx<'_>) -> Result<(), Error> {
        if self.woken.is_empty() {
            return Ok(());
        }
        let due = tx.now(self.now)?;
        for (webhook, team) in &self.woken {
            let at = due.plus(self.pause_left(*webhook));
            jobs::schedule(tx, JobKind::Deliver, (*webhook).into(), Some(*team), at)?;
        }
        Ok(())
    }
}
