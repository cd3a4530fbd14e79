//! The steps of a booking and what may follow which.

use std::time::Duration;

use super::miss::{Doubt, Miss};
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

/// What to do next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Next {
    /// Dial, commit the intent, send.
    Call,
    /// Note that nobody has seen the answer: whoever made the open attempt is gone.
    TakeOver,
    /// Send the open attempt again under its own reference: the carrier books it once.
    CallAgain,
    /// Ask the carrier about the open attempt.
    Ask,
    /// Get the documents. No carrier that can book is in reach here.
    Documents,
    /// Nothing before this time.
    Wait(Time),
    /// Tell the caller that it failed. An attempt that is open is still asked about.
    Fail(Ending),
    /// Nothing, ever.
    Rest,
}

/// What was seen after doing it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Seen {
    /// Provably nothing was sent, or it was turned away unread.
    NotSent {
        /// The number of the open attempt, from one on. Nothing when it did not come to one.
        call: Option<u32>,
    },
    /// The open attempt is somebody else's, who is gone.
    TakenOver,
    /// The carrier has the booking.
    Accepted,
    /// The carrier has the booking, and every document that came with the answer is stored.
    Booked,
    /// The carrier has a part of it and refused the rest.
    Partial,
    /// The carrier refused it: nothing was created.
    Rejected,
    /// The carrier refused us, or there is no way to speak to it: nothing was sent, and nothing
    /// will be.
    Unsendable,
    /// The answer was unclear.
    Unclear,
    /// The carrier was asked and knows no such reference.
    Absent(Miss),
    /// The carrier was asked and gave no answer to rely on.
    NoAnswer,
    /// Somebody looked at what the carrier has, after asking ended: it is not there.
    NotListed,
    /// Every document is stored.
    DocumentsReady,
    /// Documents could not be had.
    DocumentsFailed,
    /// The caller asks for the documents of a booking that failed for lack of them.
    DocumentsWanted,
    /// The carrier has cancelled what it had.
    Cancelled,
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

/// What an observation changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Change {
    /// The step from here on.
    pub step: Step,
    /// What becomes of the open attempt, if that is decided now.
    pub call: Option<CallEnd>,
    /// What everyone is told now. The same ending again means that more is known of it.
    pub ending: Option<Ending>,
    /// Whether it is cancelled from now on. How the booking ended stays as it was told.
    pub is_cancelled: bool,
    /// When to look again; nothing when there is nothing left to do.
    pub look_at: Option<Time>,
    /// Why a miss was not believed.
    pub doubt: Option<Doubt>,
}

/// Documents are tried this often before the caller is told; then only when asked.
const DOCUMENT_TRIES: u32 = 5;
/// After the deadline the carrier is asked at least this often.
const ASK_PAUSE_MAX: Duration = Duration::from_mins(10);
const PAUSE_MAX: Duration = Duration::from_secs(30);
/// After a second attempt in vain the carrier is left alone for so long, and longer each time.
const CALL_PAUSE: Duration = Duration::from_secs(3);
/// However long the pauses are by then, one attempt is made so shortly before the deadline.
const LAST_CHANCE: Duration = Duration::from_secs(10);

/// What to do next with a booking.
pub fn decide(booking: &Booking, now: Time) -> Next {
    match (booking.step, booking.kind) {
        (Step::Done, _) => Next::Rest,
        (Step::Accepted, _) => Next::Documents,
        (Step::Ready, _) if now >= booking.deadline => Next::Fail(Ending::Deadline),
        (Step::Ready, _) => Next::Call,
        // From here on an attempt is open. The caller waits no longer than the deadline.
        _ if booking.is_late(now) => Next::Fail(Ending::Deadline),
        (Step::Calling, _) => Next::TakeOver,
        (_, CarrierKind::Blind) if booking.is_failed => Next::Rest,
        (_, CarrierKind::Blind) => Next::Wait(booking.deadline),
        _ if now >= booking.give_up_at => Next::Rest,
        (_, CarrierKind::Idempotent) => Next::CallAgain,
        (_, CarrierKind::Lookup { .. }) => Next::Ask,
    }
}

/// What it changes that the caller is told of a failure. An attempt that is open stays so, and is
/// asked about; without one nothing follows.
pub fn fail(booking: &Booking, ending: Ending, now: Time) -> Change {
    let (step, look_at) = match booking.step {
        Step::Ready => (Step::Done, None),
        step => (step, Some(now)),
    };
    Change { step, call: None, ending: Some(ending), is_cancelled: false, look_at, doubt: None }
}

/// What an observation changes. What does not fit the step changes nothing.
pub fn record(booking: &Booking, seen: Seen, now: Time) -> Change {
    let mut change = observe(booking, seen, now);
    let is_waited_for = !booking.is_failed
        && change.ending.is_none()
        && matches!(change.step, Step::Ready | Step::Calling | Step::Unknown);
    if is_waited_for {
        // Nobody sleeps past the deadline before the caller is told.
        change.look_at = change.look_at.map(|at| at.min(booking.deadline).max(now));
    }
    change
}

fn observe(booking: &Booking, seen: Seen, now: Time) -> Change {
    let stay = Change {
        step: booking.step,
        call: None,
        ending: None,
        is_cancelled: false,
        look_at: Some(now.plus(pause(booking, PAUSE_MAX))),
        doubt: None,
    };
    let rest = Change { step: Step::Done, look_at: None, ..stay };
    let is_open = booking.step.is_open();
    match seen {
        Seen::Accepted if is_open => Change {
            step: Step::Accepted,
            call: Some(CallEnd::Accepted),
            look_at: Some(now),
            ..stay
        },
        Seen::Booked if is_open => {
            Change { call: Some(CallEnd::Accepted), ending: Some(Ending::Booked), ..rest }
        }
        Seen::Partial if is_open => {
            Change { call: Some(CallEnd::Accepted), ending: Some(Ending::Technical), ..rest }
        }
        Seen::TakenOver if booking.step == Step::Calling => {
            Change { step: Step::Unknown, call: Some(CallEnd::Unknown), look_at: Some(now), ..stay }
        }
        // It was sent again: whatever became of that says nothing of the attempt before it, which
        // may have been booked.
        Seen::Rejected | Seen::Unsendable | Seen::NotSent { .. }
            if booking.step == Step::Unknown && booking.kind == CarrierKind::Idempotent =>
        {
            unclear(booking, now, stay)
        }
        Seen::Rejected if is_open => {
            Change { call: Some(CallEnd::Rejected), ending: Some(Ending::Rejected), ..rest }
        }
        Seen::Unsendable if matches!(booking.step, Step::Ready | Step::Calling) => {
            unsendable(booking, stay, rest)
        }
        // Only who holds the permit can know this: `Calling` is its own attempt, because whoever
        // takes over goes on in `Unknown`.
        Seen::NotSent { call } if booking.step == Step::Calling => {
            not_sent(booking, call, now, stay)
        }
        Seen::Unclear if is_open => unclear(booking, now, stay),
        Seen::Absent(miss) if is_open => absent(booking, &miss, now, stay),
        Seen::NoAnswer if is_open => no_answer(booking, now, stay),
        Seen::NotListed if booking.is_undecided(now) => not_listed(booking, now, stay),
        Seen::DocumentsReady if booking.step == Step::Accepted => {
            // Labels for some of the parcels do not make it booked: the others are still refused.
            let is_part = booking.held == Held::Part;
            let ending = if is_part { Ending::Technical } else { Ending::Booked };
            Change { ending: Some(ending), ..rest }
        }
        Seen::DocumentsFailed if booking.step == Step::Accepted => documents_failed(booking, stay),
        Seen::DocumentsWanted if may_recover(booking) => {
            Change { step: Step::Accepted, look_at: Some(now), ..stay }
        }
        Seen::Cancelled if may_be_cancelled(booking) => Change { is_cancelled: true, ..rest },
        _ => stay,
    }
}

/// Documents are tried again only of what the carrier has, once the booking ended in a failure.
fn may_recover(booking: &Booking) -> bool {
    booking.step == Step::Done && booking.is_failed && booking.held != Held::Nothing
}

/// Whatever the carrier has can be cancelled, once the caller was told how the booking ended. While
/// it is still being booked for the first time, nobody has been asked to cancel it.
pub fn may_be_cancelled(booking: &Booking) -> bool {
    let is_told = booking.step == Step::Done || booking.is_failed;
    let is_over = matches!(booking.step, Step::Accepted | Step::Done);
    is_told && is_over && booking.held != Held::Nothing
}

/// Another attempt may follow, unless the caller was told.
fn not_sent(booking: &Booking, call: Option<u32>, now: Time, stay: Change) -> Change {
    let before = call.unwrap_or(1).saturating_sub(1);
    let call = Some(CallEnd::NotSent);
    if booking.is_failed {
        return nothing_booked(call, stay);
    }
    let pause = doubled(Duration::from_millis(500), before);
    Change { step: Step::Ready, call, look_at: Some(call_at(booking, now, pause)), ..stay }
}

/// Nothing was sent and it is not tried again: the caller is told at once, unless that happened.
fn unsendable(booking: &Booking, stay: Change, rest: Change) -> Change {
    let call = booking.step.is_open().then_some(CallEnd::NotSent);
    match booking.is_failed {
        false => Change { call, ending: Some(Ending::Technical), ..rest },
        true if booking.step.is_open() => nothing_booked(call, stay),
        true => rest,
    }
}

/// The attempt may be booked. It stays open, and is looked up when a miss can be believed.
fn unclear(booking: &Booking, now: Time, stay: Change) -> Change {
    let look_at = match booking.kind {
        CarrierKind::Blind => booking.deadline,
        CarrierKind::Idempotent => now.plus(pause(booking, PAUSE_MAX)),
        CarrierKind::Lookup { .. } => now.plus(pause(booking, Duration::from_secs(2))),
    };
    let look_at = Some(look_at.max(now));
    Change { step: Step::Unknown, call: Some(CallEnd::Unknown), look_at, ..stay }
}

/// The carrier was asked in vain.
fn no_answer(booking: &Booking, now: Time, stay: Change) -> Change {
    let look_at = Some(now.plus(pause(booking, ASK_PAUSE_MAX)));
    Change { step: Step::Unknown, call: Some(CallEnd::Unknown), look_at, ..stay }
}

/// The carrier does not know the reference. Another attempt follows only if that is believed.
fn absent(booking: &Booking, miss: &Miss, now: Time, stay: Change) -> Change {
    match booking.doubt(miss) {
        Some(Doubt::TooEarly) => {
            let doubt = Some(Doubt::TooEarly);
            let look_at = Some(now.plus(pause_until_settled(booking, miss)));
            return Change { look_at, doubt, ..no_answer(booking, now, stay) };
        }
        Some(doubt) => return Change { doubt: Some(doubt), ..no_answer(booking, now, stay) },
        None => {}
    }
    let call = Some(CallEnd::Absent);
    if booking.is_failed || now >= booking.deadline {
        // The caller was told that it failed, and may have shipped otherwise: it is not sent again.
        return nothing_booked(call, stay);
    }
    // After the first at once: one request may get lost. After others the carrier may be failing.
    let pause = match miss.call {
        0 | 1 => Duration::ZERO,
        call => doubled(CALL_PAUSE, call - 2),
    };
    Change { step: Step::Ready, call, look_at: Some(call_at(booking, now, pause)), ..stay }
}

/// Whoever looked for it did not find it. That counts only when what was booked must be there.
fn not_listed(booking: &Booking, now: Time, stay: Change) -> Change {
    let is_settled = match (booking.kind, booking.called_at) {
        (CarrierKind::Lookup { settle }, Some(called_at)) => now >= called_at.plus(settle),
        _ => true,
    };
    match is_settled {
        true => nothing_booked(Some(CallEnd::Absent), stay),
        false => stay,
    }
}

/// After the deadline it is known that the carrier has nothing. Whoever was told that it may have
/// it, and not to book again, is told that too.
fn nothing_booked(call: Option<CallEnd>, stay: Change) -> Change {
    Change { step: Step::Done, call, ending: Some(Ending::Deadline), look_at: None, ..stay }
}

/// Documents are tried again by themselves a few times; the booking itself is never repeated.
/// Everyone is told each time that it was in vain: somebody asked for it, or waits for a late
/// success.
fn documents_failed(booking: &Booking, stay: Change) -> Change {
    if booking.tries.saturating_add(1) < DOCUMENT_TRIES {
        return stay;
    }
    Change { step: Step::Done, ending: Some(Ending::Technical), look_at: None, ..stay }
}

/// As long as a miss would be too early, but neither always at once nor much more than a minute.
fn pause_until_settled(booking: &Booking, miss: &Miss) -> Duration {
    let least = pause(booking, Duration::from_secs(2));
    let left = booking.settled_at().since(miss.asked_at);
    left.clamp(least, least + Duration::from_secs(60))
}

/// Half a second, doubled with each try.
fn pause(booking: &Booking, max: Duration) -> Duration {
    (Duration::from_millis(500) * 2u32.pow(booking.tries.min(12))).min(max)
}

/// This time, doubled so often.
fn doubled(time: Duration, times: u32) -> Duration {
    (time * 2u32.pow(times.min(8))).min(PAUSE_MAX)
}

/// When the next attempt is made: after the pause, which grows while a carrier fails, but not so
/// late that a carrier which recovers in time would have no chance.
fn call_at(booking: &Booking, now: Time, pause: Duration) -> Time {
    let last = booking.deadline.minus(LAST_CHANCE);
    let at = now.plus(pause);
    if at <= last { at } else { last.max(now.plus(pause.min(CALL_PAUSE))) }
}

#[cfg(test)]
mod tests;
