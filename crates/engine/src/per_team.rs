//! How many things of a kind each team has under way in this process.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use waybill_domain::ids::TeamId;

/// The counts.
#[derive(Default)]
pub struct PerTeam(Mutex<HashMap<TeamId, i64>>);

/// One of them, until this is dropped.
pub struct TeamSlot {
    all: Arc<PerTeam>,
    team: TeamId,
}

impl PerTeam {
    /// One more for the team, unless it has as many as it may have.
    pub fn take(self: &Arc<PerTeam>, team: TeamId, max: i64) -> Option<TeamSlot> {
        let mut counts = self.counts();
        let count = counts.get(&team).copied().unwrap_or(0);
        if count >= max {
            return None;
        }
        counts.insert(team, count + 1);
        Some(TeamSlot { all: Arc::clone(self), team })
    }

    /// How many the team has.
    pub fn count(&self, team: TeamId) -> i64 {
        self.counts().get(&team).copied().unwrap_or(0)
    }

    /// How many of these all teams have together.
    pub fn total(&self) -> i64 {
        self.counts().values().sum()
    }

    fn counts(&self) -> MutexGuard<'_, HashMap<TeamId, i64>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for TeamSlot {
    fn drop(&mut self) {
        let mut counts = self.all.counts();
        if let Some(count) = counts.get_mut(&self.team) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.team);
            }
        }
    }
}
