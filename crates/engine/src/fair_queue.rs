//! A queue for what costs much: only so many at once in all, and fewer for each team. A team that
//! wants much waits for itself, and leaves a slot to the others.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use waybill_domain::ids::TeamId;

/// The slots, and who waits for one.
pub struct FairQueue {
    slots: Arc<Semaphore>,
    slots_of_team: usize,
    teams: Mutex<HashMap<TeamId, Arc<Semaphore>>>,
}

/// A turn, until it is dropped.
pub struct Turn {
    queue: Arc<FairQueue>,
    team: TeamId,
    /// Both are given back before the team is forgotten.
    held: Option<(OwnedSemaphorePermit, OwnedSemaphorePermit)>,
}

impl FairQueue {
    /// So many at once, of which one team has so many.
    pub fn new(slots: usize, slots_of_team: usize) -> Arc<FairQueue> {
        let slots = Arc::new(Semaphore::new(slots));
        Arc::new(FairQueue { slots, slots_of_team, teams: Mutex::default() })
    }

    /// Waits for the team's turn.
    pub async fn take(self: &Arc<FairQueue>, team: TeamId) -> Turn {
        let own = self.own(team);
        self.wait(team, own).await
    }

    /// The same, or none when more than `waiting_max` of the team have a turn or wait for one.
    pub async fn take_within(
        self: &Arc<FairQueue>,
        team: TeamId,
        waiting_max: usize,
    ) -> Option<Turn> {
        let own = self.own(team);
        // Each of them holds a reference; two more are ours and the map's.
        if Arc::strong_count(&own) > waiting_max + 2 {
            return None;
        }
        Some(self.wait(team, own).await)
    }

    fn own(&self, team: TeamId) -> Arc<Semaphore> {
        let new = || Arc::new(Semaphore::new(self.slots_of_team));
        Arc::clone(self.teams().entry(team).or_insert_with(new))
    }

    async fn wait(self: &Arc<FairQueue>, team: TeamId, own: Arc<Semaphore>) -> Turn {
        let mut turn = Turn { queue: Arc::clone(self), team, held: None };
        // They are never closed; if they were, nobody would have to wait.
        if let Ok(own) = own.acquire_owned().await
            && let Ok(slot) = Arc::clone(&self.slots).acquire_owned().await
        {
            turn.held = Some((own, slot));
        }
        turn
    }

    fn teams(&self) -> MutexGuard<'_, HashMap<TeamId, Arc<Semaphore>>> {
        self.teams.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.held = None;
        let mut teams = self.queue.teams();
        // Whoever holds or waits for the team's turn has a share of it.
        if teams.get(&self.team).is_some_and(|own| Arc::strong_count(own) == 1) {
            teams.remove(&self.team);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use uuid::Uuid;

    use super::*;

    async fn is_at_once(queue: &Arc<FairQueue>, team: TeamId) -> Option<Turn> {
        tokio::time::timeout(Duration::from_millis(50), queue.take(team)).await.ok()
    }

    #[tokio::test]
    async fn a_team_has_one_turn_at_a_time_and_others_find_a_slot() {
        let queue = FairQueue::new(2, 1);
        let [one, other, third] = [1, 2, 3].map(|number| TeamId(Uuid::from_u128(number)));
        let first = is_at_once(&queue, one).await.unwrap();
        assert!(is_at_once(&queue, one).await.is_none());
        let second = is_at_once(&queue, other).await.unwrap();
        assert!(is_at_once(&queue, third).await.is_none(), "there are two slots");
        drop(first);
        assert!(is_at_once(&queue, one).await.is_some());
        drop(second);
        let all = [queue.take_within(one, 1).await, queue.take_within(other, 1).await];
        let second = tokio::spawn({
            let queue = Arc::clone(&queue);
            async move { queue.take_within(one, 1).await.is_some() }
        });
        tokio::time::sleep(Duration::from_millis(20)).await;
        assert!(queue.take_within(one, 1).await.is_none(), "one waits already");
        drop(all);
        assert!(second.await.unwrap());
        assert!(queue.teams().is_empty(), "nobody is remembered");
    }
}
