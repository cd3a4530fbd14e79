//! The warehouse, model-checked in every order in which things can happen.
//!
//! Two servers that share a database, two items at three places, two requests that want more than
//! there is, and a carrier that takes a shipment or does not. A server can stop between any two
//! locks of a transaction for as long as it likes, or crash; what it wrote is gone then. The
//! functions of `waybill_domain::wms` are the real ones. `server.rs` and `commit.rs` are what the
//! store adds: which rows a transaction locks, in which order, and what it looks at once more
//! before it writes.
//!
//! How a booking comes to its outcome is the other model's; here it has one, in any order: booked,
//! refused, unclear and settled later, without documents and recovered later.

mod commit;
mod flaws;
mod properties;
mod rules;
mod server;
mod world;

use stateright::{Model, Property};
use waybill_domain::wms as domain;

use crate::check;
use commit::is_wanted;
use flaws::Flaw;
use server::{End, Server, Task};
use world::{ADJUSTMENTS_MAX, Data, Fate, REQUESTS, SHIPMENTS_MAX};

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct World {
    data: Data,
    /// In some order: which server is which makes no difference.
    servers: [Server; 2],
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Action {
    /// A server takes up a task and locks the first row.
    Start(usize, Task),
    /// A server locks the next row, or commits.
    Step(usize),
    /// A server ends before its commit.
    Crash(usize),
}

#[derive(Clone, Default)]
struct Warehouse {
    flaw: Option<Flaw>,
}

impl Warehouse {
    fn has(&self, flaw: Flaw) -> bool {
        self.flaw == Some(flaw)
    }

    /// Everything that somebody may want now, where it changes something.
    fn tasks(&self, data: &Data) -> Vec<Task> {
        let mut tasks = Vec::new();
        if data.adjustments < ADJUSTMENTS_MAX {
            let deltas = [(0, 1), (0, -1), (2, -1)];
            tasks.extend(deltas.map(|(level, delta)| Task::Adjust { level, delta }));
        }
        for request in 0..REQUESTS {
            let may_ship = data.shipments.len() < SHIPMENTS_MAX;
            let possible = domain::Action::ALL
                .iter()
                .filter(|action| may_ship || **action != domain::Action::Ship);
            tasks.extend(possible.map(|action| Task::Act(*action, request)));
        }
        for (shipment, known) in data.shipments.iter().enumerate() {
            let from = known.fate;
            let ends = End::ALL.into_iter().filter(|end| known.may_end(*end));
            tasks.extend(ends.map(|end| Task::Report { shipment, from, end }));
            let is_unclear = from == Fate::Unclear && self.has(Flaw::DeletedUnclear);
            if from == Fate::Failed || is_unclear {
                tasks.push(Task::Delete(shipment));
            }
            if matches!(from, Fate::Booked | Fate::Held) {
                tasks.push(Task::CancelShipment { shipment, from });
            }
            if self.has(Flaw::ShippedApart) && from == Fate::Booked {
                tasks.push(Task::Follow(shipment));
            }
        }
        tasks.retain(|task| is_wanted(*task, data, self.flaw));
        tasks
    }
}

impl Model for Warehouse {
    type State = World;
    type Action = Action;

    fn init_states(&self) -> Vec<World> {
        vec![World { data: Data::new(), servers: [Server::default(), Server::default()] }]
    }

    fn actions(&self, world: &World, actions: &mut Vec<Action>) {
        // Two idle servers are the same one.
        let idle = world.servers.iter().position(Server::is_idle);
        if let Some(idle) = idle {
            let tasks = self.tasks(&world.data).into_iter();
            actions.extend(tasks.map(|task| Action::Start(idle, task)));
        }
        for (number, server) in world.servers.iter().enumerate() {
            if !server.is_idle() {
                actions.extend([Action::Step(number), Action::Crash(number)]);
            }
        }
    }

    fn next_state(&self, before: &World, action: Action) -> Option<World> {
        let World { mut data, mut servers } = before.clone();
        let number = match action {
            Action::Start(number, task) => {
                servers[number] = Server::new(task);
                number
            }
            Action::Step(number) => number,
            Action::Crash(number) => {
                servers[number] = Server::default();
                servers.sort_by_key(Server::order);
                return Some(World { data, servers });
            }
        };
        let held_by_other = servers[1 - number].held.clone();
        if !servers[number].step(&mut data, &held_by_other, self.flaw) {
            return None;
        }
        servers.sort_by_key(Server::order);
        Some(World { data, servers })
    }

    fn properties(&self) -> Vec<Property<Self>> {
        properties::all()
    }
}

#[test]
fn stock_leaves_once_for_what_is_booked_whatever_happens() {
    check(Warehouse::default(), 100_000);
}
