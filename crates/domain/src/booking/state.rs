//! How a booking stands: what `decide` and `record` need to know of it.

use std::time::Duration;

use crate::time::Time;

/// Where a booking is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Step {
    /// No attempt is open: the carrier may be called.
    Ready,
    /// An attempt is committed: its bytes may be out. Whoever committed it waits for the answer.
    Calling,
    /// The attempt's answer was unclear: it may be booked.
    Unknown,
    /// The carrier has the booking; documents are due. Nothing leads back from here.
    Accepted,
    /// Nothing is left to do, except what a caller asks for.
    Done,
}

impl Step {
    /// Every step.
    pub const ALL: [Step; 5] =
        [Step::Ready, Step::Calling, Step::Unknown, Step::Accepted, Step::Done];

    /// The stored spelling.
    pub fn name(self) -> &'static str {
        match self {
            Step::Ready => "ready",
            Step::Calling => "calling",
            Step::Unknown => "unknown",
            Step::Accepted => "accepted",
            Step::Done => "done",
        }
    }

    /// Whether an attempt is open: it may be booked.
    pub fn is_open(self) -> bool {
        matches!(self, Step::Calling | Step::Unknown)
    }

    /// Reads the stored spelling.
    pub fn parse(text: &str) -> Option<Step> {
        Step::ALL.into_iter().find(|step| step.name() == text)
    }
}

/// Whether the carrier can be asked afterwards.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CarrierKind {
    /// The same attempt may be sent again: the carrier books a reference once.
    Idempotent,
    /// A reference can be looked up; a miss is believed only `settle` after the call.
    Lookup {
        /// The longest that a booking takes to be found.
        settle: Duration,
    },
    /// The carrier cannot be asked.
    Blind,
}

/// What the carrier is known to have of a booking.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Held {
    /// Nothing that we know of: it was not accepted, or it was cancelled.
    Nothing,
    /// Some of its parcels.
    Part,
    /// All of it.
    All,
}

/// What `decide` and `record` need to know of a booking.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Booking {
    /// Where it is.
    pub step: Step,
    /// Whether the carrier can be asked.
    pub kind: CarrierKind,
    /// When the caller is told that it failed, at the latest.
    pub deadline: Time,
    /// When we stop asking.
    pub give_up_at: Time,
    /// When the open attempt was committed.
    pub called_at: Option<Time>,
    /// Whether the caller was told that it failed. That stays true while documents are tried again.
    pub is_failed: bool,
    /// What the carrier has of it.
    pub held: Held,
    /// How often something was tried in this step, for the pause before the next try.
    pub tries: u32,
}

impl Booking {
    /// Whether the carrier is asked about an attempt that is open.
    pub fn is_asked(&self, now: Time) -> bool {
        self.step.is_open() && self.kind != CarrierKind::Blind && now < self.give_up_at
    }

    /// Whether the caller waits for longer than the deadline, and is to be told.
    pub fn is_late(&self, now: Time) -> bool {
        now >= self.deadline && !self.is_failed
    }

    /// Whether the carrier may have it and nobody will know by asking. A call whose answer nobody
    /// has seen may still be under way.
    pub fn is_undecided(&self, now: Time) -> bool {
        let is_answered = self.step == Step::Unknown || now >= self.give_up_at;
        self.is_failed && self.step.is_open() && is_answered && !self.is_asked(now)
    }
}

/// How a booking ended, as the caller sees it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ending {
    /// 201
    Booked,
    /// 424
    Rejected,
    /// 502
    Technical,
    /// 504
    Deadline,
}

impl Ending {
    /// Every one of them.
    pub const ALL: [Ending; 4] =
        [Ending::Booked, Ending::Rejected, Ending::Technical, Ending::Deadline];

    /// The stored spelling; for a failure also its public reason.
    pub fn name(self) -> &'static str {
        match self {
            Ending::Booked => "booked",
            Ending::Rejected => "rejected",
            Ending::Technical => "technical",
            Ending::Deadline => "deadline",
        }
    }

    /// Reads the stored spelling.
    pub fn parse(text: &str) -> Option<Ending> {
        Ending::ALL.into_iter().find(|ending| ending.name() == text)
    }

    /// The status that a create is answered with.
    pub fn status(self) -> u16 {
        match self {
            Ending::Booked => 201,
            Ending::Rejected => 424,
            Ending::Technical => 502,
            Ending::Deadline => 504,
        }
    }
}

/// How an attempt ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CallEnd {
    /// The carrier has it.
    Accepted,
    /// The carrier refused it.
    Rejected,
    /// Nothing was sent.
    NotSent,
    /// It was asked for later and is not there.
    Absent,
    /// Still open: it may be booked.
    Unknown,
}
