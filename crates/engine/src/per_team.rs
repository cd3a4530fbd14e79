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
    /// One more for the team, unless the check of how many it has refuses.
    pub fn take<E>(
        self: &Arc<PerTeam>,
        team: TeamId,
        check: impl FnOnce(i64) -> Result<(), E>,
    ) -> Result<TeamSlot, E> {
        let mut counts = self.counts();
        let count = counts.get(&team).copied().unwrap_or(0);
        check(count)?;
        counts.insert(team, count + 1);
        Ok(TeamSlot { all: Arc::clone(self), team })
    }

    /// How many the team has.
    pub fn count(&self, team: TeamId) -> i64 {
        self.counts().get(&team).copied().unwrap_or(0)
    }

    /// How many of so many the team may have, so that the others who have some, and one who comes
    /// next, may have as many.
    pub fn fair_share(&self, team: TeamId, all: i64) -> i64 {
        let counts = self.counts();
        let others = counts.keys().filter(|other| **other != team).count();
        all / i64::try_from(others + 2).unwrap_or(i64::MAX)
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

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn there_is_always_a_share_for_one_who_comes_next() {
        let (all, team) = (Arc::new(PerTeam::default()), |n| TeamId(Uuid::from_u128(n)));
        assert_eq!(all.fair_share(team(1), 256), 128);
        let free = |_| Ok::<_, ()>(());
        let held: Vec<_> = (1..=5).map(|n| all.take(team(n), free).unwrap()).collect();
        assert_eq!(all.fair_share(team(1), 256), 42);
        assert_eq!(all.fair_share(team(6), 256), 36);
        drop(held);
        assert_eq!(all.fair_share(team(1), 256), 128);
    }
}
