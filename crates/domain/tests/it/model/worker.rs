//! What each action changes: the worker of `waybill_worker::book`, the statements of the store, the
//! network and the carrier, each as small as what cannot be interrupted.

use waybill_domain::booking::{
    Booking, CallEnd, CarrierKind, Change, Ending, Miss, Next, Seen, Step, decide, fail, record,
};

use super::protocol::{Action, BUDGET, Flaw, Protocol};
use super::rows;
use super::world::{
    End, NOT_SENT, Point, Request, Row, Tick, Todo, Verdict, World, moment, tick_of,
};

impl Protocol {
    /// Does it. What is not possible changes nothing.
    pub fn happen(&self, world: &mut World, action: Action) {
        match action {
            Action::Tick => world.now += 1,
            Action::Arrive(request) => self.arrive(world, request, true),
            Action::Refuse(request) => self.arrive(world, request, false),
            Action::Lose(request) => drop(world.wire.remove(request)),
            Action::Crash(who) => rows::leave(world, who),
            Action::Claim(who) => rows::claim(world, who),
            Action::Decide(who) => self.decide(world, who),
            Action::Perform(who) => self.perform(world, who),
            Action::DialInVain(who) => rows::dial_in_vain(world, who),
            Action::BarAtDial(who) => rows::saw(world, who, Seen::Unsendable),
            Action::Send(who) => self.send(world, who),
            Action::TurnAway(who) => self.turn_away(world, who, NOT_SENT),
            Action::Bar(who) => self.turn_away(world, who, Seen::Unsendable),
            Action::Renew(who) => self.renew(world, who),
            Action::Answer(who) => rows::answer(world, who, Seen::Accepted),
            Action::AnswerWithDocuments(who) => rows::answer(world, who, Seen::Booked),
            Action::TimeOut(who) => rows::saw(world, who, Seen::Unclear),
            Action::Find(who) => rows::find(world, who),
            Action::AskInVain(who) => rows::saw(world, who, Seen::NoAnswer),
            Action::Miss(who) => rows::miss(world, who, self.has(Flaw::NoCanary)),
            Action::FindAhead(who) => rows::find_ahead(world, who, self.has(Flaw::TrustedClock)),
            Action::Fetch(who) => rows::saw(world, who, Seen::DocumentsReady),
            Action::FetchInVain(who) => rows::saw(world, who, Seen::DocumentsFailed),
            Action::Write(who) => self.write(world, who),
            Action::WishDocuments => self.wish_documents(world),
            Action::CancelThere => self.cancel_there(world),
            Action::CancelHere => self.cancel_here(world),
        }
    }

    /// The carrier books whatever arrives, or refuses it for good. An idempotent one keeps to what
    /// it first made of a reference.
    fn arrive(&self, world: &mut World, request: usize, is_wanted: bool) {
        let Request { reference, .. } = world.wire[request];
        let verdict = &mut world.carrier[reference];
        let next = match *verdict {
            Verdict::Nothing if is_wanted => Verdict::Booked(1),
            Verdict::Nothing => Verdict::Refused,
            // It has an answer already; the second outcome would be the same one again.
            _ if !is_wanted => return,
            same if self.kind == CarrierKind::Idempotent => same,
            Verdict::Booked(count) => Verdict::Booked(count + 1),
            Verdict::Refused => Verdict::Booked(1),
        };
        *verdict = next;
        world.wire.remove(request);
    }

    fn decide(&self, world: &mut World, who: usize) {
        let todo = match decide(&self.booking(&world.row), moment(world.now)) {
            Next::Rest => Todo::Finish,
            Next::Wait(until) => Todo::Sleep(tick_of(until)),
            Next::Fail(ending) => Todo::Fail(ending),
            Next::TakeOver => {
                let seen = Seen::TakenOver;
                world.workers[who].at = Point::Saw { row: world.row.clone(), seen };
                return;
            }
            Next::Call => Todo::Call,
            Next::CallAgain => Todo::CallAgain,
            Next::Ask => Todo::Ask,
            Next::Documents => Todo::Documents,
        };
        world.workers[who].at = Point::Decided(todo, world.row.clone());
    }

    fn perform(&self, world: &mut World, who: usize) {
        let Point::Decided(todo, row) = world.workers[who].at.clone() else { return };
        if !world.workers[who].holds {
            return rows::leave(world, who);
        }
        match todo {
            Todo::Finish => rows::end_lease(world, who, None),
            Todo::Sleep(until) => rows::end_lease(world, who, Some(until)),
            Todo::Fail(ending) => match self.tell(world, row, ending) {
                Some(Change { look_at: Some(_), .. }) => world.workers[who].at = Point::Claimed,
                Some(_) => rows::end_lease(world, who, None),
                None => rows::leave(world, who),
            },
            Todo::Call => self.commit_intent(world, who, row),
            Todo::CallAgain => {
                rows::keep(world);
                let Some(reference) = world.open_call() else { return rows::leave(world, who) };
                world.workers[who].at = Point::Permitted { row, reference, since: None };
            }
            Todo::Ask | Todo::Documents => {}
        }
    }

    /// From `Ready` only, while the caller was told nothing, and under the index `one_live_call`.
    fn commit_intent(&self, world: &mut World, who: usize, mut row: Row) {
        let now = world.now;
        let is_told = world.row.is_failed() && !self.has(Flaw::NoDeadline);
        if world.row.step != Step::Ready || is_told || world.live_calls() > 0 {
            return rows::leave(world, who);
        }
        rows::keep(world);
        (row.step, row.called_at) = (Step::Calling, Some(now));
        let reference = world.carrier.len();
        world.carrier.push(Verdict::Nothing);
        world.calls.push(None);
        world.was_called_late |= !world.row.told.is_empty();
        (world.row.step, world.row.called_at) = (Step::Calling, Some(now));
        if self.has(Flaw::NoIntent) {
            world.calls.pop();
            (world.row.step, world.row.called_at) = (Step::Ready, None);
        }
        world.workers[who].at = Point::Permitted { row, reference, since: Some(now) };
    }

    fn send(&self, world: &mut World, who: usize) {
        let Point::Permitted { row, reference, since } = world.workers[who].at.clone() else {
            return;
        };
        let is_late = since.is_some_and(|since| world.now - since > BUDGET);
        if is_late && !self.has(Flaw::NoBudget) {
            return rows::saw(world, who, NOT_SENT);
        }
        world.wire.push(Request { reference, sent_at: world.now });
        world.workers[who].at = Point::Waiting { row, reference };
    }

    /// The carrier gives the request back unread. An earlier one with the same reference, as an
    /// idempotent carrier gets them, goes on.
    fn turn_away(&self, world: &mut World, who: usize, seen: Seen) {
        if let Point::Waiting { row, reference } = &world.workers[who].at
            && (self.kind != CarrierKind::Idempotent || row.step == Step::Calling)
        {
            let is_it = |request: &Request| request.reference == *reference;
            let Some(request) = world.wire.iter().position(is_it) else { return };
            world.wire.remove(request);
        }
        rows::saw(world, who, seen);
    }

    fn renew(&self, world: &mut World, who: usize) {
        let Point::Waiting { row, reference } = world.workers[who].at.clone() else { return };
        if !world.workers[who].holds {
            return rows::leave(world, who);
        }
        if !self.booking(&row).is_late(moment(world.now)) {
            return rows::keep(world);
        }
        if self.tell(world, row, Ending::Deadline).is_none() {
            return rows::leave(world, who);
        }
        world.workers[who].at = Point::Waiting { row: world.row.clone(), reference };
    }

    /// Tells the caller. Nothing when the shipment has moved on.
    fn tell(&self, world: &mut World, mut row: Row, ending: Ending) -> Option<Change> {
        rows::keep(world);
        if world.row.step != row.step {
            return None;
        }
        row.was_told_open |= row.step.is_open();
        let change = fail(&self.booking(&row), ending, moment(world.now));
        row.apply(&change);
        world.row = row;
        Some(change)
    }

    fn write(&self, world: &mut World, who: usize) {
        let Point::Saw { row, seen } = world.workers[who].at.clone() else { return };
        let (booking, seen) = self.misread(self.booking(&row), seen, world.now);
        let mut change = record(&booking, seen, moment(world.now));
        if self.has(Flaw::SilentMiss) && booking.is_failed && matches!(seen, Seen::Absent(_)) {
            change.ending = None;
        }
        if !world.workers[who].holds && !self.has(Flaw::NoFence) {
            return rows::leave(world, who);
        }
        if self.has(Flaw::NoIntent) && row.step == Step::Calling && world.row.step == Step::Ready {
            world.calls.resize(world.carrier.len(), Some(End(CallEnd::NotSent)));
            *world.calls.last_mut().unwrap() = None;
            world.row.step = Step::Calling;
        }
        let look_at = change.look_at.map(tick_of);
        let is_soon = look_at.is_some_and(|at| at <= world.now);
        world.workers[who].at = Point::Claimed;
        match is_soon {
            true => rows::keep(world),
            false => rows::end_lease(world, who, look_at),
        }
        if world.row.step != row.step {
            return rows::leave(world, who);
        }
        world.row = after(row, &change);
        if let Some(end) = change.call {
            rows::set_outcome(world, end);
        }
    }

    /// What a flawed worker makes of an observation.
    fn misread(&self, booking: Booking, seen: Seen, now: Tick) -> (Booking, Seen) {
        match (self.flaw, seen) {
            (Some(Flaw::LateMiss), Seen::Absent(miss)) => {
                (booking, Seen::Absent(Miss { asked_at: moment(now), ..miss }))
            }
            (Some(Flaw::RetryUnclear), Seen::Unclear) => (booking, NOT_SENT),
            (Some(Flaw::RepeatNotSent), Seen::NotSent { .. })
            | (Some(Flaw::RepeatDenied), Seen::Unsendable) => {
                (Booking { step: Step::Calling, ..booking }, seen)
            }
            (Some(Flaw::ReadyAfterTold), Seen::NotSent { .. }) => {
                (Booking { is_failed: false, ..booking }, seen)
            }
            (Some(Flaw::RebookForDocuments), Seen::DocumentsFailed) => {
                let (step, kind) = (Step::Calling, CarrierKind::Blind);
                (Booking { step, kind, is_failed: false, ..booking }, NOT_SENT)
            }
            _ => (booking, seen),
        }
    }
}

/// The row that an observation leads to.
fn after(mut row: Row, change: &Change) -> Row {
    row.apply(change);
    row.is_held |= change.call == Some(CallEnd::Accepted);
    row.is_reopened &= change.ending.is_none();
    row
}
