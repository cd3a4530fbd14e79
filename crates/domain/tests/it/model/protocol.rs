//! The bounds, the ways to get it wrong, and what may happen when.

use stateright::{Model, Property};
use waybill_domain::booking::{Booking, CarrierKind, Ending, Held};

use super::properties;
use super::world::{Point, Request, Row, Tick, Todo, World, moment, ticks};

/// How long after the intent the first byte may leave.
pub const BUDGET: Tick = 1;
/// How long a request is under way at most; a booking that was not made by then never is.
pub const TRAVEL: Tick = 1;
/// A miss is believed from the first tick at which nothing can be under way any more.
pub const SETTLE: Tick = BUDGET + TRAVEL + 1;
/// As short as the budget, so that a worker which is given up can still send.
pub const LEASE: Tick = 1;
pub const DEADLINE: Tick = 7;
pub const GIVE_UP: Tick = 9;
const HORIZON: Tick = 10;

/// A way to get the protocol wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flaw {
    /// The intent is written together with the outcome.
    NoIntent,
    /// An unclear answer counts as nothing sent.
    RetryUnclear,
    /// Outcomes are written without a look at the fence.
    NoFence,
    /// Nobody looks at the clock between the intent and the first byte.
    NoBudget,
    /// The settle time is the longest that a request can be under way, and not a moment more.
    SettleTooShort,
    /// A miss is believed however early it is.
    NoSettle,
    /// A miss is believed when the carrier finds nothing at all.
    NoCanary,
    /// Nobody knows that the clock was set ahead.
    TrustedClock,
    /// A miss counts as of when it is written, not as of when it was asked for.
    LateMiss,
    /// What was turned away when it was sent again counts as never sent at all.
    RepeatNotSent,
    /// Whoever refuses us when it is sent again is taken to have nothing at all.
    RepeatDenied,
    /// A miss after the caller was told opens the way to another call.
    NoDeadline,
    /// What was not sent is ready to be sent again, though the caller was told.
    ReadyAfterTold,
    /// A booking without documents is made again.
    RebookForDocuments,
    /// Nobody is told that nothing was booked after all.
    SilentMiss,
    /// A cancellation is written from the step that was read before the carrier was asked.
    CancelByCopy,
    /// Documents are asked for with a copy from before a cancellation.
    RecoverByCopy,
}

/// The protocol with a carrier of one kind.
#[derive(Clone, Debug)]
pub struct Protocol {
    pub kind: CarrierKind,
    pub flaw: Option<Flaw>,
    /// Whether it is about what follows an acceptance, where callers have their say.
    pub is_after: bool,
    /// Whether the carrier took only some of the parcels.
    pub is_part: bool,
}

impl Protocol {
    fn of(kind: CarrierKind) -> Protocol {
        Protocol { kind, flaw: None, is_after: false, is_part: false }
    }

    /// From an acceptance on. How it came to that does not count any more: the carrier is not
    /// called again, and what a worker without the lease knows is refused.
    pub fn after_acceptance() -> Protocol {
        Protocol { is_after: true, ..Protocol::lookup() }
    }

    /// From an acceptance of some of the parcels on.
    pub fn after_partial_acceptance() -> Protocol {
        Protocol { is_part: true, ..Protocol::after_acceptance() }
    }

    pub fn idempotent() -> Protocol {
        Protocol::of(CarrierKind::Idempotent)
    }

    pub fn lookup() -> Protocol {
        Protocol::of(CarrierKind::Lookup { settle: ticks(SETTLE) })
    }

    pub fn blind() -> Protocol {
        Protocol::of(CarrierKind::Blind)
    }

    pub fn with(self, flaw: Flaw) -> Protocol {
        let kind = match (self.kind, flaw) {
            (CarrierKind::Lookup { .. }, Flaw::SettleTooShort) => {
                CarrierKind::Lookup { settle: ticks(SETTLE - 1) }
            }
            (CarrierKind::Lookup { .. }, Flaw::NoSettle) => {
                CarrierKind::Lookup { settle: ticks(0) }
            }
            (kind, _) => kind,
        };
        Protocol { kind, flaw: Some(flaw), ..self }
    }

    pub fn has(&self, flaw: Flaw) -> bool {
        self.flaw == Some(flaw)
    }

    /// The row as the machine sees it.
    pub fn booking(&self, row: &Row) -> Booking {
        let forgets = self.has(Flaw::NoDeadline) && row.is_failed();
        Booking {
            step: row.step,
            kind: self.kind,
            deadline: moment(if forgets { HORIZON + 1 } else { DEADLINE }),
            give_up_at: moment(GIVE_UP),
            called_at: row.called_at.map(moment),
            is_failed: row.is_failed() && !forgets,
            held: match row.is_held && !row.is_cancelled {
                true if self.is_part => Held::Part,
                true => Held::All,
                false => Held::Nothing,
            },
            tries: u32::from(row.tries),
        }
    }

    /// What a worker may do, or have done to it.
    fn of_worker(&self, world: &World, who: usize, actions: &mut Vec<Action>) {
        let worker = &world.workers[who];
        if worker.at == Point::Idle {
            let is_due = world.job.run_at.is_some_and(|at| at <= world.now);
            // Idle workers are all alike: the first one goes.
            if is_due && !world.workers[..who].iter().any(|other| other.at == Point::Idle) {
                actions.push(Action::Claim(who));
            }
            return;
        }
        actions.push(Action::Crash(who));
        match &worker.at {
            Point::Idle | Point::Refused => {}
            Point::Claimed => actions.push(Action::Decide(who)),
            Point::Decided(Todo::Ask, _) => {
                actions.extend([Action::Find(who), Action::AskInVain(who)]);
                actions.extend([Action::Miss(who), Action::FindAhead(who)]);
            }
            Point::Decided(Todo::Documents, _) => {
                actions.extend([Action::Fetch(who), Action::FetchInVain(who)]);
            }
            Point::Decided(Todo::Call | Todo::CallAgain, _) => {
                actions.extend([Action::Perform(who), Action::DialInVain(who)]);
                actions.push(Action::BarAtDial(who));
            }
            Point::Decided(..) => actions.push(Action::Perform(who)),
            Point::Permitted { .. } => {
                actions.extend([Action::Send(who), Action::TurnAway(who)]);
            }
            Point::Waiting { .. } => {
                actions.extend([Action::Renew(who), Action::Answer(who)]);
                actions.push(Action::AnswerWithDocuments(who));
                actions.extend([Action::TurnAway(who), Action::Bar(who), Action::TimeOut(who)]);
            }
            Point::Saw { .. } => actions.push(Action::Write(who)),
        }
    }
}

/// Something that happens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    Tick,
    /// The request arrives: the carrier books, or answers with the booking it has made.
    Arrive(usize),
    /// The request arrives and the carrier does not want it.
    Refuse(usize),
    /// The request is lost on its way.
    Lose(usize),
    /// The worker is gone, with all that it knew; or it learns that it has lost the lease. This may
    /// happen any number of times.
    Crash(usize),
    Claim(usize),
    /// The worker reads the row and asks `decide`.
    Decide(usize),
    /// What takes one transaction: ending the lease, telling the caller, committing the intent.
    Perform(usize),
    DialInVain(usize),
    /// The carrier refuses us before anything is sent.
    BarAtDial(usize),
    /// The budget is checked and the first byte leaves.
    Send(usize),
    /// The carrier turns the request away unread.
    TurnAway(usize),
    /// The carrier refuses us, and does not read what we sent.
    Bar(usize),
    /// The lease is renewed while the carrier is waited for; at the deadline the caller is told.
    Renew(usize),
    Answer(usize),
    /// An answer that has the documents too.
    AnswerWithDocuments(usize),
    /// No answer that can be read.
    TimeOut(usize),
    /// The carrier looks the open call up.
    Find(usize),
    AskInVain(usize),
    /// The carrier finds nothing, whatever there is, nor the canary.
    Miss(usize),
    /// The carrier looks the open call up, and our clock was set ahead.
    FindAhead(usize),
    Fetch(usize),
    FetchInVain(usize),
    /// What was seen is recorded.
    Write(usize),
    /// A caller asks for the documents again.
    WishDocuments,
    /// A caller asks to cancel, and the carrier does.
    CancelThere,
    /// The cancellation is written down.
    CancelHere,
}

impl Model for Protocol {
    type State = World;
    type Action = Action;

    fn init_states(&self) -> Vec<World> {
        match self.is_after {
            false => vec![World::new()],
            true if self.is_part => vec![World::partly_accepted()],
            true => vec![World::accepted(&[]), World::accepted(&[Ending::Deadline])],
        }
    }

    fn actions(&self, world: &World, actions: &mut Vec<Action>) {
        let must_arrive = |request: &Request| request.sent_at + TRAVEL <= world.now;
        if world.now < HORIZON && !world.wire.iter().any(must_arrive) {
            actions.push(Action::Tick);
        }
        for request in 0..world.wire.len() {
            let arrivals = [Action::Arrive, Action::Refuse, Action::Lose];
            actions.extend(arrivals.map(|action| action(request)));
        }
        for who in 0..world.workers.len() {
            self.of_worker(world, who, actions);
        }
        if self.is_after {
            actions.extend([Action::WishDocuments, Action::CancelThere, Action::CancelHere]);
        }
    }

    fn next_state(&self, world: &World, action: Action) -> Option<World> {
        let mut next = world.clone();
        self.happen(&mut next, action);
        self.merge(&mut next);
        (next != *world).then_some(next)
    }

    fn properties(&self) -> Vec<Property<Protocol>> {
        match self.is_after {
            false => properties::all(self.kind),
            true if self.is_part => properties::after_part(),
            true => properties::after(),
        }
    }
}
