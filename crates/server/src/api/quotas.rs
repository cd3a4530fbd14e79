//! Refuses one more of what a team may have only so many of: 409 with the limit and what to do.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use waybill_domain::ids::TeamId;
use waybill_domain::quota::{Quota, Quotas};
use waybill_domain::words::Message;
use waybill_store::{Error, Tx, quotas};

use super::reply::ApiError;

/// Counts what a team has, which nobody else changes before this transaction ends.
type Count = fn(&mut Tx<'_>, TeamId) -> Result<i64, Error>;

/// Fails when the team has as many as it may. To be called by the transaction that adds one.
pub fn check(tx: &mut Tx<'_>, limits: &Quotas, quota: Quota, team: TeamId) -> Result<(), ApiError> {
    let count: Count = match quota {
        Quota::Accounts => quotas::lock_accounts,
        Quota::Webhooks => quotas::lock_webhooks,
        Quota::Templates => quotas::lock_templates,
        Quota::Batches => quotas::lock_batches,
        Quota::Reports => quotas::lock_reports,
        // These are not counted in rows of a team.
        Quota::Tokens | Quota::Streams | Quota::OptionBytes => return Ok(()),
    };
    limits.check(quota, count(tx, team)?).map_err(ApiError::Conflict)
}

/// The streams that this server sends, by team.
#[derive(Default)]
pub struct Streams(Mutex<HashMap<TeamId, i64>>);

/// The right to one stream, until this is dropped.
pub struct Seat {
    streams: Arc<Streams>,
    team: TeamId,
}

impl Streams {
    /// A seat for one more stream of the team.
    pub fn take(self: &Arc<Streams>, limits: &Quotas, team: TeamId) -> Result<Seat, Message> {
        let mut open = self.open();
        let count = open.get(&team).copied().unwrap_or(0);
        limits.check(Quota::Streams, count)?;
        open.insert(team, count + 1);
        Ok(Seat { streams: Arc::clone(self), team })
    }

    /// How many are sent to the team now.
    pub fn count(&self, team: TeamId) -> i64 {
        self.open().get(&team).copied().unwrap_or(0)
    }

    fn open(&self) -> MutexGuard<'_, HashMap<TeamId, i64>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut open = self.streams.open();
        if let Some(count) = open.get_mut(&self.team) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.team);
            }
        }
    }
}
