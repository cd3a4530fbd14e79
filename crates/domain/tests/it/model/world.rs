//! What there is: the clock, the rows, the network, the carrier, and two workers.
//!
//! Time goes by in ticks of ten minutes, longer than every pause of the machine: whatever it puts
//! off is due at the next tick, so that counting tries in a step does not multiply the states. The
//! machine itself is called with the moments that the ticks stand for.

use std::hash::{Hash, Hasher};
use std::time::Duration;

use waybill_domain::booking::{CallEnd, Change, Ending, Miss, Seen, Step};
use waybill_domain::time::Time;

/// So often a caller asks for documents.
pub const WISHES: u8 = 2;

/// A moment, in ticks since the shipment was accepted.
pub type Tick = u8;

/// More tries than this change nothing any more.
const TRIES_MAX: u8 = 4;
const TICK: Duration = Duration::from_mins(10);

/// The moment that a tick stands for.
pub fn moment(tick: Tick) -> Time {
    Time(0).plus(ticks(tick))
}

/// The span that a number of ticks stands for.
pub fn ticks(count: Tick) -> Duration {
    TICK * u32::from(count)
}

/// The first tick that is not before this moment.
pub fn tick_of(time: Time) -> Tick {
    let tick = time.since(Time(0)).as_micros().div_ceil(TICK.as_micros());
    Tick::try_from(tick).unwrap()
}

/// Everything, at one moment.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct World {
    pub now: Tick,
    pub job: Job,
    pub row: Row,
    /// The log of intents; a call's place in it is its reference.
    pub calls: Vec<Option<End>>,
    /// Requests that have left and have not arrived.
    pub wire: Vec<Request>,
    /// What the carrier knows of each reference.
    pub carrier: Vec<Verdict>,
    pub workers: [Worker; 2],
    /// How far somebody is who cancels.
    pub cancel: Cancel,
    /// How often a caller may still ask for documents.
    pub wishes: u8,
    /// Whether an acceptance was ever committed.
    pub was_accepted: bool,
    /// Whether a first call was committed after the caller had been told.
    pub was_called_late: bool,
}

/// The job's row. Fences are compared with the job's alone, so a worker remembers only whether its
/// own is still that one.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Job {
    pub run_at: Option<Tick>,
    pub is_leased: bool,
    /// Whether it was set again while it was leased.
    pub is_wanted: bool,
}

/// What the shipment's row says of its booking.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Row {
    pub step: Step,
    pub called_at: Option<Tick>,
    pub tries: u8,
    /// What the caller was told, in order; the last is the public state.
    pub told: Vec<Ending>,
    /// Whether the deadline was told while an attempt was open.
    pub was_told_open: bool,
    /// Whether the carrier is known to have it.
    pub is_held: bool,
    /// Whether the documents are tried again: the public state is `processing`.
    pub is_reopened: bool,
    pub is_cancelled: bool,
}

/// How far a cancellation is. Whoever asks may die after any of it and is followed by another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Cancel {
    /// Nobody has asked for it.
    No,
    /// The carrier has cancelled; nothing is written yet. The step is the one that was read.
    Made(Step),
    /// It is written down, or what was written came to nothing.
    Written,
}

impl Row {
    pub fn new() -> Row {
        Row {
            step: Step::Ready,
            called_at: None,
            tries: 0,
            told: Vec::new(),
            was_told_open: false,
            is_held: false,
            is_reopened: false,
            is_cancelled: false,
        }
    }

    /// Brings it to where a change leads.
    pub fn apply(&mut self, change: &Change) {
        self.step = change.step;
        self.tries = u8::try_from(change.tries).map_or(TRIES_MAX, |tries| tries.min(TRIES_MAX));
        self.called_at = change.called_at.map(tick_of);
        self.told.extend(change.ending);
        self.is_cancelled |= change.is_cancelled;
    }

    pub fn is_booked(&self) -> bool {
        self.told.last() == Some(&Ending::Booked)
    }

    pub fn is_failed(&self) -> bool {
        !self.told.is_empty() && !self.is_booked()
    }
}

/// A request to book, under way.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Request {
    pub reference: usize,
    pub sent_at: Tick,
}

/// What a carrier made of a reference.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Verdict {
    /// It never arrived.
    Nothing,
    /// That many labels were bought.
    Booked(u8),
    Refused,
}

/// A worker: it may stop between any two actions for as long as it likes.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Worker {
    /// Whether the fence it was given is still the job's.
    pub holds: bool,
    pub at: Point,
}

impl Worker {
    /// Whether it has seen something, or may without another write.
    pub fn may_see(&self) -> bool {
        matches!(self.at, Point::Permitted { .. } | Point::Waiting { .. } | Point::Saw { .. })
    }
}

/// Where a worker is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Point {
    Idle,
    /// It does not know yet that it has lost the lease, and can do no more than find out.
    Refused,
    /// The job is leased to it; it has read nothing yet.
    Claimed,
    /// It has read the row and knows what to do.
    Decided(Todo, Row),
    /// The intent is committed. The first byte must leave within the budget, or never.
    Permitted {
        row: Row,
        reference: usize,
        since: Option<Tick>,
    },
    /// The request is out.
    Waiting {
        row: Row,
        reference: usize,
    },
    /// Something was seen; nothing is written yet.
    Saw {
        row: Row,
        seen: Seen,
    },
}

/// What `decide` said.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Todo {
    Finish,
    Sleep(Tick),
    Fail(Ending),
    Call,
    CallAgain,
    Ask,
    Documents,
}

/// Nothing was sent. Later attempts wait longer, and every pause is over at the next tick: they
/// may all be told to be the first.
pub const NOT_SENT: Seen = Seen::NotSent { call: Some(1) };
/// The carrier finds nothing, and this speaks for its word and against it.
pub fn absent(asked_at: Tick, is_time_certain: bool, is_confirmed: bool) -> Seen {
    Seen::Absent(Miss {
        call: 1,
        asked_at: moment(asked_at),
        certain_age: if is_time_certain { Duration::MAX } else { Duration::ZERO },
        is_confirmed,
        may_be_lost: false,
    })
}

/// The end of a call that can be hashed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct End(pub CallEnd);

impl Hash for End {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::mem::discriminant(&self.0).hash(state);
    }
}

impl World {
    /// A shipment that was just accepted; its job is due.
    pub fn new() -> World {
        let idle = Worker { holds: false, at: Point::Idle };
        World {
            now: 0,
            job: Job { run_at: Some(0), is_leased: false, is_wanted: false },
            row: Row::new(),
            calls: Vec::new(),
            wire: Vec::new(),
            carrier: Vec::new(),
            workers: [idle.clone(), idle],
            cancel: Cancel::No,
            wishes: 0,
            was_accepted: false,
            was_called_late: false,
        }
    }

    /// A shipment that the carrier has just accepted, perhaps after this was told.
    pub fn accepted(told: &[Ending]) -> World {
        let mut world = World::new();
        (world.row.step, world.row.is_held, world.was_accepted) = (Step::Accepted, true, true);
        world.row.told.extend(told);
        world.row.was_told_open = !told.is_empty();
        world.calls.push(Some(End(CallEnd::Accepted)));
        world.carrier.push(Verdict::Booked(1));
        world.wishes = WISHES;
        world
    }

    /// A shipment of which the carrier has some parcels, and whose caller was told.
    pub fn partly_accepted() -> World {
        let mut world = World::accepted(&[Ending::Technical]);
        (world.row.step, world.row.was_told_open, world.job.run_at) = (Step::Done, false, None);
        world
    }

    /// How many labels were bought.
    pub fn bookings(&self) -> u32 {
        let bought = self.carrier.iter().map(|verdict| match verdict {
            Verdict::Booked(count) => u32::from(*count),
            Verdict::Nothing | Verdict::Refused => 0,
        });
        bought.sum()
    }

    /// The call that may be booked: open or unknown.
    pub fn open_call(&self) -> Option<usize> {
        let is_open = |end: &Option<End>| matches!(end, None | Some(End(CallEnd::Unknown)));
        self.calls.iter().position(is_open)
    }

    /// How many calls the index `one_live_call` covers.
    pub fn live_calls(&self) -> usize {
        let is_live = |end: &&Option<End>| {
            matches!(end, None | Some(End(CallEnd::Unknown | CallEnd::Accepted)))
        };
        self.calls.iter().filter(is_live).count()
    }

    pub fn has_accepted_call(&self) -> bool {
        self.calls.contains(&Some(End(CallEnd::Accepted)))
    }

    /// Whether nobody will look at the shipment again.
    pub fn is_at_rest(&self) -> bool {
        self.job.run_at.is_none()
    }
}
