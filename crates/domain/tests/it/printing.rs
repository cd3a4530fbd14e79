//! The printing protocol, model-checked in every order in which things can happen.
//!
//! Two workers, a queue with a fence, the job's row, and a printer that loses answers, cuts
//! documents, forgets, numbers its jobs anew and takes a second document, or knows no jobs without
//! their document. A worker can stop between any two actions for as long as it likes, or crash
//! while what it sent is still on its way. `decide` and `record` are the real ones; `worker.rs`
//! follows `waybill_printing::queue`.
//!
//! Time is not in here: what may arrive late arrives at any time.

mod flaws;
mod printer;
mod worker;

use std::time::Duration;

use stateright::{Model, Property};
use waybill_domain::printing::{PrintProblem, PrintState, PrintStep, Printing, Seen, record};
use waybill_domain::time::Time;

use crate::check;
use flaws::Flaw;
use printer::{Kind, Printer, Request};
use worker::Worker;

/// When things are sent, and when somebody looks: by then everything has arrived that ever does.
const NOW: Time = Time(1_000_000_000_000_000);
const LATER: Time = Time(NOW.0 + 1_800_000_000);

/// The row of the job.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Row {
    printing: Printing,
    submission: u32,
    printer_job: Option<u32>,
    /// Whose lease it is.
    fence: u32,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct World {
    row: Row,
    workers: [Worker; 2],
    printer: Printer,
    /// What workers that are gone have sent.
    in_flight: Vec<Request>,
    crashes: u8,
    losses: u8,
    restarts: u8,
    /// Whether somebody was told that it is not printed any more.
    is_given_up: bool,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Action {
    /// A worker takes the queue over: whoever had it is given up.
    Claim(usize),
    /// A worker does its next step; its answer may be lost.
    Step { worker: usize, is_lost: bool },
    /// A worker ends, and what it was about to send may still arrive.
    Crash { worker: usize, arrives: bool },
    /// Something arrives that was on its way.
    Arrive(usize),
    /// The printer finishes what it has.
    Print,
    /// A document is cut while it comes in.
    Cut,
    /// The printer is started anew: it forgets, and begins to number at one.
    Restart,
    /// Somebody does not want it any more, while nothing can have left.
    GiveUp,
}

struct Protocol {
    printer: Kind,
    flaw: Option<Flaw>,
}

impl Model for Protocol {
    type State = World;
    type Action = Action;

    fn init_states(&self) -> Vec<World> {
        let printing = Printing {
            state: PrintState::Pending,
            step: PrintStep::Ready,
            tries: 0,
            size: 1000,
            expires_at: NOW.plus(Duration::from_hours(1)),
            sent_at: None,
            is_answered: false,
            silent_since: None,
        };
        vec![World {
            row: Row { printing, submission: 0, printer_job: None, fence: 0 },
            workers: [Worker::default(), Worker::default()],
            printer: Printer::new(self.printer),
            in_flight: Vec::new(),
            crashes: 0,
            losses: 0,
            restarts: 0,
            is_given_up: false,
        }]
    }

    fn actions(&self, world: &World, actions: &mut Vec<Action>) {
        for (number, worker) in world.workers.iter().enumerate() {
            if worker.is_idle() {
                if world.row.printing.step != PrintStep::Over {
                    actions.push(Action::Claim(number));
                }
                continue;
            }
            actions.push(Action::Step { worker: number, is_lost: false });
            if world.losses < 2 && worker.asks() {
                actions.push(Action::Step { worker: number, is_lost: true });
            }
            if world.crashes < 2 {
                actions.push(Action::Crash { worker: number, arrives: false });
                if worker.asks() {
                    actions.push(Action::Crash { worker: number, arrives: true });
                }
            }
        }
        actions.extend((0..world.in_flight.len()).map(Action::Arrive));
        if world.printer.can_print() {
            actions.push(Action::Print);
        }
        if world.printer.is_receiving() {
            actions.push(Action::Cut);
        }
        if world.restarts < 1 {
            actions.push(Action::Restart);
        }
        if !world.is_given_up && world.row.printing.is_unsent() {
            actions.push(Action::GiveUp);
        }
    }

    fn next_state(&self, before: &World, action: Action) -> Option<World> {
        let mut world = before.clone();
        match action {
            Action::Claim(number) => {
                world.row.fence += 1;
                // Two changes of hands are enough to have every order.
                if world.row.fence > 4 {
                    return None;
                }
                world.workers[number] = Worker::claim(&world.row);
            }
            Action::Step { worker, is_lost } => {
                world.losses += u8::from(is_lost);
                let mut one = world.workers[worker].clone();
                one.step(&mut world.row, &mut world.printer, is_lost, self.flaw);
                world.workers[worker] = one;
            }
            Action::Crash { worker, arrives } => {
                world.crashes += 1;
                let gone = std::mem::take(&mut world.workers[worker]);
                world.in_flight.extend(gone.request().filter(|_| arrives));
            }
            Action::Arrive(place) => {
                let request = world.in_flight.remove(place);
                world.printer.answer(&request);
            }
            Action::Print => world.printer.print(),
            Action::Cut => world.printer.cut(),
            Action::Restart => {
                world.restarts += 1;
                world.printer.restart();
            }
            Action::GiveUp => {
                let unwanted = Seen::Unwanted(PrintProblem::Cancelled);
                let given_up = record(&world.row.printing, unwanted, NOW).job;
                world.is_given_up = given_up.state == PrintState::Failed;
                world.row.printing = Printing { tries: 0, ..given_up };
            }
        }
        Some(world)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![
            Property::always("nothing is printed twice", |_, world: &World| {
                world.printer.papers <= 1
            }),
            Property::always("printed means that the whole file was", |_, world: &World| {
                world.row.printing.state != PrintState::Printed || world.printer.whole_papers == 1
            }),
            Property::always("failed means that nothing was", |_, world: &World| {
                world.row.printing.state != PrintState::Failed || world.printer.papers == 0
            }),
            Property::always("what was given up is not printed", |_, world: &World| {
                !world.is_given_up || world.printer.papers == 0
            }),
            Property::sometimes("it is printed", |_, world: &World| {
                world.row.printing.state == PrintState::Printed
            }),
            Property::sometimes("it is submitted again after a crash", |_, world: &World| {
                world.row.submission > 1 && world.row.printing.state == PrintState::Printed
            }),
            Property::sometimes("it is not known", |_, world: &World| {
                world.row.printing.state == PrintState::Unknown
            }),
        ]
    }
}

/// Drops what is cut, and takes a second document.
const CUPS: Kind = Kind { drops_what_is_cut: true, takes_second: true, prints_whole_jobs: false };
/// Prints what is cut.
const HALVES: Kind =
    Kind { drops_what_is_cut: false, takes_second: false, prints_whole_jobs: false };
/// Knows no jobs without their document, and prints what is cut or drops it.
const WHOLE_JOBS: Kind = Kind { prints_whole_jobs: true, ..HALVES };
const WHOLE_JOBS_OR_NOTHING: Kind = Kind { drops_what_is_cut: true, ..WHOLE_JOBS };

#[test]
fn cups_prints_once_whatever_happens() {
    check(Protocol { printer: CUPS, flaw: None }, 10_000);
}

#[test]
fn a_printer_that_prints_halves_prints_once_whatever_happens() {
    check(Protocol { printer: HALVES, flaw: None }, 10_000);
}

#[test]
fn a_printer_without_empty_jobs_prints_once_whatever_happens() {
    check(Protocol { printer: WHOLE_JOBS, flaw: None }, 10_000);
    check(Protocol { printer: WHOLE_JOBS_OR_NOTHING, flaw: None }, 10_000);
}
