//! What may go after a while goes by itself, in bites that nobody notices: a few rows in each
//! transaction, and as much rest between two of them as a bite took.

use std::time::Duration;

use tokio::time::Instant;
use waybill_domain::retention::Kept;
use waybill_domain::time::Time;
use waybill_store::oauth::{access, clients, codes, grants};
use waybill_store::retention::SweepPosition;
use waybill_store::{
    Error, Tx, attempts, audit, deliveries, failures, feed, idempotency, legacy, merges,
    print_agents, printers, reports, sessions, trackings, wms,
};

use super::job_outcome::JobOutcome;
use super::retention;
use super::state::Worker;

/// Keys are kept at least 24 hours from acceptance. See [`retention::now`] for the hour more.
const KEY_LIFE: Duration = Duration::from_hours(25);
const DAY: Duration = Duration::from_hours(24);
const PERIOD_SHORT: Duration = Duration::from_mins(10);
const PERIOD_LONG: Duration = Duration::from_hours(1);

const KEYS: i64 = 1000;
/// Each has attempts, and an answer with each attempt.
const DELIVERIES: i64 = 200;
const ATTEMPTS: i64 = 200;
/// Their files may be large.
const REPORTS: i64 = 10;
const MERGES: i64 = 10;
const QUARANTINED: i64 = 500;
const REMOVED: i64 = 200;
const AUDIT: i64 = 500;
const SIGN_INS: i64 = 500;
const TOKENS: i64 = 500;
/// Each has the refresh tokens of up to a year.
const FAMILIES: i64 = 20;
const FEEDS: i64 = 20;
/// Entries of one feed, which are read and not written.
const ENTRIES: i64 = 1000;

/// Others may write for at least this long after a bite, and for no longer than that.
const REST_MIN: Duration = Duration::from_millis(5);
const REST_MAX: Duration = Duration::from_secs(1);
/// A sweep that takes longer goes on later: its slot is for others too, and its lease ends.
const RUN_MAX: Duration = Duration::from_secs(10);
const GO_ON: Duration = Duration::from_secs(1);

/// What is forgotten.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Forgotten {
    /// Idempotency keys that have served their time, and combined labels whose links have.
    Keys,
    /// Printers and print agents that were removed, and that no job names.
    Removed,
    /// Browser sessions, and failures to sign in.
    SignIns,
    /// Codes and tokens of apps, and their families with all that is known of them.
    OAuth,
    /// What the operator chooses the time for.
    Kept(Kept),
}

impl Forgotten {
    /// How often it is looked for.
    fn period(self) -> Duration {
        match self {
            Forgotten::Keys | Forgotten::Kept(Kept::Deliveries) => PERIOD_SHORT,
            Forgotten::Removed | Forgotten::SignIns | Forgotten::OAuth | Forgotten::Kept(_) => {
                PERIOD_LONG
            }
        }
    }

    /// Forgets a bounded number of rows from before this time. Tells where to go on; none when
    /// nothing is left.
    fn bite(
        self,
        tx: &mut Tx<'_>,
        before: Time,
        from: SweepPosition,
    ) -> Result<Option<SweepPosition>, Error> {
        let (count, limit) = match self {
            Forgotten::Keys => {
                let keys = idempotency::any_delete_expired(tx, before, KEYS)?;
                let labels = legacy::any_delete_expired_combinations(tx, before, KEYS)?;
                (keys.max(labels), KEYS)
            }
            Forgotten::Removed => {
                // An agent after its printers, which name it.
                let printers = printers::any_delete_removed(tx, before, REMOVED)?;
                (printers + print_agents::any_delete_removed(tx, before, REMOVED)?, REMOVED)
            }
            Forgotten::SignIns => {
                let ended = sessions::any_delete_old(tx, before, SIGN_INS)?;
                (ended.max(failures::any_delete_old(tx, before, SIGN_INS)?), SIGN_INS)
            }
            Forgotten::OAuth => return forget_tokens(tx, before, from),
            Forgotten::Kept(Kept::Deliveries) => {
                (deliveries::any_delete_old(tx, before, DELIVERIES)?, DELIVERIES)
            }
            Forgotten::Kept(Kept::Reports) => {
                (reports::any_delete_old(tx, before, REPORTS)?, REPORTS)
            }
            Forgotten::Kept(Kept::Merges) => {
                let merged = merges::any_delete_old(tx, before, MERGES)?;
                (merged.max(wms::papers::any_delete_old(tx, before, MERGES)?), MERGES)
            }
            Forgotten::Kept(Kept::Quarantine) => {
                (trackings::any_delete_quarantined(tx, before, QUARANTINED)?, QUARANTINED)
            }
            Forgotten::Kept(Kept::Audit) => (audit::any_delete_old(tx, before, AUDIT)?, AUDIT),
            Forgotten::Kept(Kept::Attempts) => {
                return attempts::any_delete_old(tx, before, from, ATTEMPTS);
            }
            Forgotten::Kept(Kept::Feed) => return trim_feeds(tx, before, from),
        };
        // What is gone is not found again, so it goes on from the same position.
        Ok((count >= limit.unsigned_abs()).then_some(from))
    }
}

/// Forgets what apps had, until of each kind fewer are left than are forgotten at once.
fn forget_tokens(
    tx: &mut Tx<'_>,
    before: Time,
    from: SweepPosition,
) -> Result<Option<SweepPosition>, Error> {
    let tokens = access::any_delete_old(tx, before, TOKENS)?;
    let codes = codes::any_delete_old(tx, before, TOKENS)?;
    let families = grants::any_delete_old(tx, before, FAMILIES)?;
    // A client after everything that names it.
    let removed = clients::any_delete_removed(tx, before, REMOVED)?;
    let is_full = |count: u64, limit: i64| count >= limit.unsigned_abs();
    let is_more = [tokens, codes].into_iter().any(|count| is_full(count, TOKENS))
        || is_full(families, FAMILIES)
        || is_full(removed, REMOVED);
    Ok(is_more.then_some(from))
}

/// Lets entries expire, feed by feed.
fn trim_feeds(
    tx: &mut Tx<'_>,
    before: Time,
    from: SweepPosition,
) -> Result<Option<SweepPosition>, Error> {
    let teams = feed::any_teams(tx, from.team, FEEDS)?;
    let mut position = from;
    for team in &teams {
        if feed::raise_floor(tx, *team, before, ENTRIES)? {
            // The same feed again.
            return Ok(Some(position));
        }
        position.team = *team;
    }
    Ok((position != from).then_some(position))
}

/// Forgets what is old, bite by bite.
pub async fn forget(worker: &Worker, what: Forgotten) -> JobOutcome {
    let app = &worker.app;
    let life = match what {
        // A session that was not heard of for 25 hours ended a day ago.
        Forgotten::Keys | Forgotten::Removed | Forgotten::SignIns => KEY_LIFE,
        Forgotten::OAuth => DAY,
        Forgotten::Kept(kept) => app.retention().life(kept),
    };
    let before = match retention::now(worker).await {
        Ok(now) => now.minus(life),
        Err(error) => return JobOutcome::Retry(error.to_string()),
    };
    let (begun, mut from) = (Instant::now(), SweepPosition::START);
    loop {
        let bitten = Instant::now();
        match app.write(move |tx| what.bite(tx, before, from)).await {
            Ok(Some(position)) => from = position,
            Ok(None) => return JobOutcome::In(what.period()),
            Err(error) => return JobOutcome::Retry(error.to_string()),
        }
        if app.is_stopping() || begun.elapsed() > RUN_MAX {
            return JobOutcome::In(GO_ON);
        }
        tokio::time::sleep(bitten.elapsed().clamp(REST_MIN, REST_MAX)).await;
    }
}
