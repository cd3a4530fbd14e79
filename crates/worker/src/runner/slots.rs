//! Slots for jobs by their kind, so that none keeps another kind waiting, and whose turn it is
//! where few slots are shared by all teams.

use std::sync::Arc;

use tokio::sync::Semaphore;
use waybill_domain::ids::TeamId;
use waybill_domain::job::JobKind;

use crate::deliver::QUEUES_MAX;
use crate::print;

/// How many jobs run at once: most of them wait for a carrier.
const JOBS_MAX: usize = 1024;
/// How many members of batches are booked at once. They have slots of their own, so that no single
/// booking waits behind a batch.
const MEMBERS_MAX: usize = 256;
/// How many accounts are asked about their parcels at once: carriers that do not answer never keep
/// a booking waiting.
const TRACKS_MAX: usize = 64;
/// How many reports are made at once: each takes a core and much memory for a while.
const REPORTS_MAX: usize = 2;
/// How many jobs are taken at once.
pub const CLAIM_MAX: usize = 64;
/// More teams than this are not remembered: the longest ago served are as good as new.
const TEAMS_MAX: usize = 1000;

/// The slots for jobs.
pub struct Slots {
    jobs: Arc<Semaphore>,
    members: Arc<Semaphore>,
    webhooks: Arc<Semaphore>,
    tracks: Arc<Semaphore>,
    printers: Arc<Semaphore>,
    reports: Arc<Semaphore>,
}

impl Default for Slots {
    fn default() -> Slots {
        let semaphore = |count| Arc::new(Semaphore::new(count));
        Slots {
            jobs: semaphore(JOBS_MAX),
            members: semaphore(MEMBERS_MAX),
            webhooks: semaphore(QUEUES_MAX),
            tracks: semaphore(TRACKS_MAX),
            printers: semaphore(print::QUEUES_MAX),
            reports: semaphore(REPORTS_MAX),
        }
    }
}

/// What there is room for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FreeSlots {
    /// Jobs of these kinds.
    pub kinds: Vec<JobKind>,
    /// How many of them.
    pub count: usize,
    /// And so many reports, which teams get in turn.
    pub reports: usize,
}

impl FreeSlots {
    /// As much as may be taken at once, of any kind.
    pub fn anything() -> FreeSlots {
        FreeSlots { kinds: JobKind::ALL.to_vec(), count: CLAIM_MAX, reports: 0 }
    }

    /// The kinds that are taken.
    pub fn all_kinds(&self) -> Vec<JobKind> {
        let reports = (self.reports > 0).then_some(JobKind::Report);
        self.kinds.iter().copied().chain(reports).collect()
    }
}

impl Slots {
    /// The slots for a kind of job.
    pub fn of(&self, kind: JobKind) -> &Arc<Semaphore> {
        match kind {
            JobKind::Deliver => &self.webhooks,
            JobKind::BookMember => &self.members,
            JobKind::Track => &self.tracks,
            JobKind::Print => &self.printers,
            JobKind::Report => &self.reports,
            _ => &self.jobs,
        }
    }

    /// What there is room for.
    pub fn free(&self) -> FreeSlots {
        let free = |kind: JobKind| self.of(kind).available_permits();
        let mut kinds = JobKind::ALL.to_vec();
        kinds.retain(|kind| *kind != JobKind::Report && free(*kind) > 0);
        let count = kinds.iter().map(|kind| free(*kind)).min().unwrap_or(0);
        FreeSlots { kinds, count: count.min(CLAIM_MAX), reports: free(JobKind::Report) }
    }

    /// Whether there is room for a kind for which there was none.
    pub fn has_opened(&self, before: &FreeSlots) -> bool {
        self.free().all_kinds().len() > before.all_kinds().len()
    }
}

/// Who was served, the longest ago first.
#[derive(Clone, Default, Debug)]
pub struct TeamRotation(Vec<TeamId>);

impl TeamRotation {
    /// The team of those who wait whose turn is next: the one that was served longest ago, and of
    /// those that were not, the first.
    pub fn next(&self, waiting: &[TeamId]) -> Option<TeamId> {
        let served = |team: &TeamId| self.0.iter().position(|other| other == team);
        waiting.iter().copied().min_by_key(|team| served(team).map_or(0, |place| place + 1))
    }

    /// Notes that a team was served.
    pub fn serve(&mut self, team: TeamId) {
        self.0.retain(|other| *other != team);
        self.0.push(team);
        if self.0.len() > TEAMS_MAX {
            self.0.remove(0);
        }
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn two_reports_are_made_at_once_and_hold_up_nothing_else() {
        let slots = Slots::default();
        let free = slots.free();
        assert_eq!((free.reports, free.count), (2, CLAIM_MAX));
        let semaphore = slots.of(JobKind::Report).clone();
        let held: Vec<_> = (0..2).map(|_| semaphore.clone().try_acquire_owned().unwrap()).collect();
        let full = slots.free();
        assert_eq!((full.reports, full.count), (0, CLAIM_MAX));
        assert_eq!(full.kinds, free.kinds);
        assert!(!slots.has_opened(&full));
        drop(held);
        assert!(slots.has_opened(&full));
    }

    #[test]
    fn teams_take_turns_however_much_one_of_them_wants() {
        let [a, b, c] = [1, 2, 3].map(|number| TeamId(Uuid::from_u128(number)));
        let mut rotation = TeamRotation::default();
        let mut order = Vec::new();
        for waiting in [&[a, b][..], &[a, b], &[a, b, c], &[a, b, c], &[a, b], &[a], &[a]] {
            let team = rotation.next(waiting).unwrap();
            rotation.serve(team);
            order.push(team);
        }
        assert_eq!(order, [a, b, c, a, b, a, a]);
        assert_eq!(rotation.next(&[]), None);
    }
}
