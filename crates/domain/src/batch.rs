//! A set of shipments that are booked one at a time, in the order in which they were added: its
//! states, its counts, and what follows which.

use crate::json::{Json, Number};

macro_rules! states {
    ($($(#[$doc:meta])* $name:ident = $text:literal,)*) => {
        /// Where a batch is.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum BatchState { $($(#[$doc])* $name),* }

        impl BatchState {
            /// Their names, in the API and in the database.
            pub const NAMES: &[&'static str] = &[$($text),*];

            /// Its name.
            pub fn name(self) -> &'static str {
                match self { $(BatchState::$name => $text),* }
            }

            /// Reads the exact name.
            pub fn parse(name: &str) -> Option<BatchState> {
                match name { $($text => Some(BatchState::$name),)* _ => None }
            }
        }
    };
}

states! {
    /// Members may be added.
    Open = "open",
    /// Started; no member is being booked yet.
    Queued = "queued",
    /// A member is being booked.
    Processing = "processing",
    /// Every member has an outcome.
    Completed = "completed",
    /// Asked to stop, while a member is still being booked.
    Stopping = "stopping",
    /// Stopped; members that were not begun are cancelled.
    Stopped = "stopped",
}

impl BatchState {
    /// Whether nothing more will be booked.
    pub fn is_final(self) -> bool {
        matches!(self, BatchState::Completed | BatchState::Stopped)
    }
}

/// What a member counts as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tally {
    /// Not begun.
    Pending,
    /// Being booked.
    Processing,
    /// Booked, whatever became of it later.
    Booked,
    /// Failed; a late success may correct it.
    Failed,
    /// Never begun, because the batch was stopped.
    Cancelled,
}

/// How many members count as what.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    /// Not begun.
    pub pending: i64,
    /// Being booked: one at most.
    pub processing: i64,
    /// Booked.
    pub booked: i64,
    /// Failed.
    pub failed: i64,
    /// Never begun.
    pub cancelled: i64,
}

impl Counts {
    /// Those with an outcome.
    pub fn completed(&self) -> i64 {
        self.booked + self.failed + self.cancelled
    }

    /// All.
    pub fn total(&self) -> i64 {
        self.pending + self.processing + self.completed()
    }

    /// The percentage of members with an outcome, with two decimals; 0 for an empty batch.
    pub fn progress(&self) -> Json {
        let hundredths = match self.total() {
            0 => 0,
            total => self.completed() * 10_000 / total,
        };
        Json::Number(Number::from_thousandths(hundredths * 10))
    }

    /// The same after `count` members changed what they count as.
    #[must_use]
    pub fn moved(mut self, count: i64, from: Option<Tally>, to: Option<Tally>) -> Counts {
        for (tally, change) in [(from, -count), (to, count)] {
            match tally {
                None => {}
                Some(Tally::Pending) => self.pending += change,
                Some(Tally::Processing) => self.processing += change,
                Some(Tally::Booked) => self.booked += change,
                Some(Tally::Failed) => self.failed += change,
                Some(Tally::Cancelled) => self.cancelled += change,
            }
        }
        self
    }
}

/// What to do next with a batch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BatchStep {
    /// Begin the first member that is pending.
    Begin,
    /// It is over, in this state.
    End(BatchState),
    /// Nothing: a member is being booked, or the batch is not started, or it is over.
    Rest,
}

/// What follows, given the state and the counts. One member at a time: nothing is begun while one
/// is being booked.
pub fn decide(state: BatchState, counts: &Counts) -> BatchStep {
    match state {
        BatchState::Open | BatchState::Completed | BatchState::Stopped => BatchStep::Rest,
        _ if counts.processing > 0 => BatchStep::Rest,
        BatchState::Stopping => BatchStep::End(BatchState::Stopped),
        BatchState::Queued | BatchState::Processing if counts.pending > 0 => BatchStep::Begin,
        BatchState::Queued | BatchState::Processing => BatchStep::End(BatchState::Completed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(pending: i64, processing: i64, booked: i64) -> Counts {
        Counts { pending, processing, booked, ..Counts::default() }
    }

    #[test]
    fn members_are_begun_one_at_a_time_until_none_is_left() {
        assert_eq!(decide(BatchState::Queued, &counts(2, 0, 0)), BatchStep::Begin);
        assert_eq!(decide(BatchState::Processing, &counts(1, 1, 0)), BatchStep::Rest);
        assert_eq!(decide(BatchState::Processing, &counts(1, 0, 1)), BatchStep::Begin);
        assert_eq!(
            decide(BatchState::Processing, &counts(0, 0, 2)),
            BatchStep::End(BatchState::Completed)
        );
    }

    #[test]
    fn a_batch_that_stops_begins_nothing_and_ends_with_its_last_member() {
        assert_eq!(decide(BatchState::Stopping, &counts(0, 1, 0)), BatchStep::Rest);
        assert_eq!(
            decide(BatchState::Stopping, &counts(0, 0, 1)),
            BatchStep::End(BatchState::Stopped)
        );
    }

    #[test]
    fn what_is_open_or_over_rests() {
        for state in [BatchState::Open, BatchState::Completed, BatchState::Stopped] {
            assert_eq!(decide(state, &counts(3, 0, 0)), BatchStep::Rest);
        }
    }

    #[test]
    fn counts_add_up_after_every_move_and_progress_is_a_percentage() {
        let counts = Counts::default().moved(8, None, Some(Tally::Pending));
        let counts = counts.moved(1, Some(Tally::Pending), Some(Tally::Processing));
        let counts = counts.moved(2, Some(Tally::Pending), Some(Tally::Booked));
        let counts = counts.moved(1, Some(Tally::Pending), Some(Tally::Failed));
        assert_eq!((counts.total(), counts.completed(), counts.pending), (8, 3, 4));
        assert_eq!(counts.progress().to_string(), "37.5");
        assert_eq!(Counts::default().progress().to_string(), "0");
        let late = counts.moved(1, Some(Tally::Failed), Some(Tally::Booked));
        assert_eq!((late.booked, late.failed, late.total()), (3, 0, 8));
    }

    #[test]
    fn every_state_is_read_by_its_name() {
        for name in BatchState::NAMES {
            assert_eq!(BatchState::parse(name).map(BatchState::name), Some(*name));
        }
        assert_eq!(BatchState::parse("opened"), None);
    }
}
