//! The steps of a booking and what may follow which.

use std::time::Duration;

use super::miss::{Doubt, Miss};
use super::pauses::{
    ASK_PAUSE_MAX, CALL_PAUSE, PAUSE_MAX, call_at, doubled, pause, pause_until_settled,
};
use super::state::{Booking, CallEnd, CarrierKind, Ending, Held, Step};
use crate::time::Time;

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
    /// Get the documents. There is no permit to book here.
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
    /// The carrier has the booking, and every document that came with the answer is made. They are
    /// stored with what this changes.
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
    /// Every document is made. They are stored with what this changes.
    DocumentsReady,
    /// Documents could not be had.
    DocumentsFailed,
    /// The caller asks for the documents of a booking that failed for lack of them.
    DocumentsWanted,
    /// The carrier has cancelled what it had.
    Cancelled,
}

/// What an observation changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Change {
    /// The step from here on.
    pub step: Step,
    /// How often something was tried in that step.
    pub tries: u32,
    /// When the attempt was committed that is open, or was the last one.
    pub called_at: Option<Time>,
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
    Change { step, ending: Some(ending), look_at, ..unchanged(booking) }
}

/// Everything stays as it is.
fn unchanged(booking: &Booking) -> Change {
    Change {
        step: booking.step,
        tries: booking.tries,
        called_at: booking.called_at,
        call: None,
        ending: None,
        is_cancelled: false,
        look_at: None,
        doubt: None,
    }
}

/// What an observation changes. What does not fit the step changes nothing.
pub fn record(booking: &Booking, seen: Seen, now: Time) -> Change {
    let mut change = observe(booking, seen, now);
    let is_same = change.step == booking.step && !change.is_cancelled;
    change.tries = if is_same { booking.tries.saturating_add(1) } else { 0 };
    if change.step == Step::Ready {
        change.called_at = None;
    }
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
    let look_at = Some(now.plus(pause(booking, PAUSE_MAX)));
    let stay = Change { look_at, ..unchanged(booking) };
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

#[cfg(test)]
mod tests;
