//! Whose a print job is, model-checked in every order in which things can happen.
//!
//! A server with the row of one job, and two programs that work as the same agent, each with a
//! spool of its own: the second is what follows when the disk of the first is replaced, or when its
//! spool comes back. Calls and answers are lost, come late and come twice; programs crash at any
//! point and keep their spool. `record`, `receive` and `Custody` are the real ones; `server.rs`
//! follows `waybill_engine::agents`, and `program.rs` is what every agent must do.
//!
//! How a program prints is the other model's: here it prints once, and does not know whether it did
//! when it crashes meanwhile.

mod flaws;
mod program;
mod server;

use stateright::{Model, Property};
use waybill_domain::printing::PrintState;

use crate::check;
use flaws::Flaw;
use program::{Program, Stored};
use server::{Call, Server};

const SESSIONS_MAX: u8 = 4;
const LOSSES_MAX: u8 = 2;
const CRASHES_MAX: u8 = 2;

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct World {
    server: Server,
    programs: [Program; 2],
    /// Calls on their way to the server, of which nobody waits for an answer any more.
    late: Vec<(usize, Call)>,
    papers: u8,
    losses: u8,
    crashes: u8,
    /// Whether somebody was told that it is not printed any more.
    is_given_up: bool,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Action {
    /// A program calls, and hears the answer.
    Call(usize, Call),
    /// A program calls, and the answer is lost.
    CallInVain(usize, Call),
    /// A program calls, and the call arrives when nobody waits for the answer any more.
    CallLate(usize, Call),
    /// Such a call arrives.
    Arrive(usize),
    /// A program begins to print, and is done.
    Begin(usize),
    Finish(usize),
    /// A program crashes. While it prints the paper may have come out.
    Crash {
        program: usize,
        comes_out: bool,
    },
    /// Somebody does not want the job any more.
    GiveUp,
    /// The agent was not heard for a while.
    Silence,
}

struct Protocol {
    flaw: Option<Flaw>,
}

impl Model for Protocol {
    type State = World;
    type Action = Action;

    fn init_states(&self) -> Vec<World> {
        vec![World {
            server: Server::new(),
            programs: [Program::default(), Program::default()],
            late: Vec::new(),
            papers: 0,
            losses: 0,
            crashes: 0,
            is_given_up: false,
        }]
    }

    fn actions(&self, world: &World, actions: &mut Vec<Action>) {
        for (number, program) in world.programs.iter().enumerate() {
            if let Some(call) = program.call() {
                actions.push(Action::Call(number, call.clone()));
                if world.losses < LOSSES_MAX {
                    actions.push(Action::CallInVain(number, call.clone()));
                    actions.push(Action::CallLate(number, call));
                }
            }
            if program.may_print(self.flaw) {
                actions.push(Action::Begin(number));
            }
            if program.stored == Stored::Printing {
                actions.push(Action::Finish(number));
            }
            if world.crashes < CRASHES_MAX && program.is_running() {
                actions.push(Action::Crash { program: number, comes_out: false });
                if program.stored == Stored::Printing {
                    actions.push(Action::Crash { program: number, comes_out: true });
                }
            }
        }
        actions.extend((0..world.late.len()).map(Action::Arrive));
        if !world.is_given_up && world.server.is_unsent() {
            actions.push(Action::GiveUp);
        }
        if !world.server.was_silent && world.server.is_held() {
            actions.push(Action::Silence);
        }
    }

    fn next_state(&self, before: &World, action: Action) -> Option<World> {
        let mut world = before.clone();
        match action {
            Action::Call(number, call) => {
                let answer = world.server.answer(number, &call, self.flaw)?;
                world.programs[number].hear(answer);
            }
            Action::CallInVain(number, call) => {
                world.losses += 1;
                world.server.answer(number, &call, self.flaw)?;
            }
            Action::CallLate(number, call) => {
                world.losses += 1;
                world.late.push((number, call));
            }
            Action::Arrive(place) => {
                let (number, call) = world.late.remove(place);
                world.server.answer(number, &call, self.flaw)?;
            }
            Action::Begin(number) => world.programs[number].stored = Stored::Printing,
            Action::Finish(number) => {
                world.papers += 1;
                world.programs[number].stored = Stored::Printed;
            }
            Action::Crash { program, comes_out } => {
                world.crashes += 1;
                world.papers += u8::from(comes_out);
                world.programs[program].crash();
            }
            Action::GiveUp => world.is_given_up = world.server.give_up(),
            Action::Silence => world.server.fall_silent(),
        }
        (world != *before).then_some(world)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![
            Property::always("nothing is printed twice", |_, world: &World| world.papers <= 1),
            Property::always("printed means that it was", |_, world: &World| {
                world.server.state() != PrintState::Printed || world.papers == 1
            }),
            Property::always("failed means that it was not", |_, world: &World| {
                world.server.state() != PrintState::Failed || world.papers == 0
            }),
            Property::always("what was given up is not printed", |_, world: &World| {
                !world.is_given_up || world.papers == 0
            }),
            Property::sometimes("it is printed", |_, world: &World| {
                world.server.state() == PrintState::Printed
            }),
            Property::sometimes("it is printed after a lost answer", |_, world: &World| {
                world.losses > 0 && world.server.state() == PrintState::Printed
            }),
            Property::sometimes("it is not known", |_, world: &World| {
                world.server.state() == PrintState::Unknown
            }),
            Property::sometimes("a silent agent's word counts again", |_, world: &World| {
                world.server.was_silent && world.server.state() == PrintState::Printed
            }),
        ]
    }
}

#[test]
fn a_job_is_printed_by_one_agent_once_whatever_happens() {
    check(Protocol { flaw: None }, 10_000);
}
