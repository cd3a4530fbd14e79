//! A transaction of a server: rows are locked one after the other, and written together. What a
//! statement says of other rows was committed when it was read.

use std::hash::{DefaultHasher, Hash, Hasher};

use waybill_domain::wms::Action;

use super::commit::commit;
use super::flaws::Flaw;
use super::world::{Data, Fate, ITEMS, LEVELS, WANTED};

/// A row that is locked.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Row {
    Shipment(usize),
    Request(usize),
    /// An item, with all its levels.
    Item(usize),
}

/// What a booking came to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum End {
    Booked,
    /// No carrier has it.
    Refused,
    /// Nobody knows at the deadline whether the carrier has it.
    Unclear {
        is_taken: bool,
    },
    /// The carrier has it, and there are no papers.
    WithoutDocuments,
}

impl End {
    pub const ALL: [End; 5] = [
        End::Booked,
        End::Refused,
        End::Unclear { is_taken: true },
        End::Unclear { is_taken: false },
        End::WithoutDocuments,
    ];

    pub fn fate(self) -> Fate {
        match self {
            End::Booked => Fate::Booked,
            End::Refused => Fate::Failed,
            End::Unclear { .. } => Fate::Unclear,
            End::WithoutDocuments => Fate::Held,
        }
    }

    pub fn is_taken(self) -> bool {
        match self {
            End::Booked | End::WithoutDocuments => true,
            End::Refused => false,
            End::Unclear { is_taken } => is_taken,
        }
    }
}

/// What a server does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Task {
    Adjust {
        level: usize,
        delta: i64,
    },
    /// What a caller does with a request.
    Act(Action, usize),
    /// The worker writes what became of a booking that it read like this.
    Report {
        shipment: usize,
        from: Fate,
        end: End,
    },
    /// A shipment that failed is deleted.
    Delete(usize),
    /// A shipment that the carrier has is cancelled there, and now here.
    CancelShipment {
        shipment: usize,
        from: Fate,
    },
    /// With a flaw alone: the request follows its booked shipment, in a commit of its own.
    Follow(usize),
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Server {
    task: Option<Task>,
    has_begun: bool,
    /// In the order in which they were locked.
    pub held: Vec<Row>,
    /// What was read of the request's shipment when the request was locked: its own row is not.
    pub fate: Option<Fate>,
    /// With a flaw alone: what was read before anything was locked.
    pub stale: Option<Stale>,
}

/// What is reserved of each level.
pub type Stale = [i64; LEVELS.len()];

impl Server {
    pub fn new(task: Task) -> Server {
        Server { task: Some(task), ..Server::default() }
    }

    pub fn is_idle(&self) -> bool {
        self.task.is_none()
    }

    /// Any order, so that two servers the other way round are the same ones.
    pub fn order(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.hash(&mut hasher);
        hasher.finish()
    }

    /// Locks the next row, or commits when all are locked. Not while somebody else has the row.
    pub fn step(&mut self, data: &mut Data, others: &[Row], flaw: Option<Flaw>) -> bool {
        let Some(task) = self.task else { return false };
        if !self.has_begun {
            self.has_begun = true;
            self.begin(task, data, flaw);
            // What was read outside of the transaction may be another by then.
            if matches!(task, Task::Report { .. }) || self.stale.is_some() {
                return true;
            }
        }
        match self.next_row(data, flaw) {
            Some(row) if others.contains(&row) => return false,
            Some(row) => self.lock(row, data),
            None => return self.end(task, data, flaw),
        }
        // One row is written as soon as it is locked: nobody can come between.
        let is_short = matches!(
            task,
            Task::Adjust { .. }
                | Task::Act(Action::Pick | Action::Pack, _)
                | Task::CancelShipment { .. }
        );
        !is_short || self.end(task, data, flaw)
    }

    fn end(&mut self, task: Task, data: &mut Data, flaw: Option<Flaw>) -> bool {
        commit(self, task, data, flaw);
        *self = Server::default();
        true
    }

    /// Whether this can go on only when that one has ended.
    pub fn waits_for(&self, data: &Data, other: &Server, flaw: Option<Flaw>) -> bool {
        self.next_row(data, flaw).is_some_and(|row| other.held.contains(&row))
    }

    /// What comes before the transaction.
    fn begin(&mut self, task: Task, data: &mut Data, flaw: Option<Flaw>) {
        match (task, flaw) {
            // The carrier has its say before the worker can write it.
            (Task::Report { shipment, end, .. }, _) => {
                data.shipments[shipment].is_taken = Some(end.is_taken());
            }
            (Task::Act(Action::Allocate, _), Some(Flaw::Unguarded)) => {
                self.stale = Some(data.stock.map(|stock| stock.level.reserved));
            }
            (Task::Act(Action::Ship, request), Some(Flaw::ShippedUnlocked)) => {
                self.stale = Some([0; LEVELS.len()]);
                self.fate = data.fate(request);
            }
            _ => {}
        }
    }

    fn lock(&mut self, row: Row, data: &Data) {
        self.held.push(row);
        if let Row::Request(request) = row {
            self.fate = data.fate(request);
        }
    }

    fn next_row(&self, data: &Data, flaw: Option<Flaw>) -> Option<Row> {
        let rows = self.task.map(|task| rows(task, data, flaw)).unwrap_or_default();
        rows.into_iter().find(|row| !self.held.contains(row))
    }
}

/// The rows that a task needs, as far as that is known, in the order of the locks.
fn rows(task: Task, data: &Data, flaw: Option<Flaw>) -> Vec<Row> {
    match task {
        Task::Adjust { level, .. } => vec![Row::Item(LEVELS[level].0)],
        Task::Act(Action::Allocate, request) => {
            let mut items: Vec<usize> =
                (0..ITEMS).filter(|item| WANTED[request][*item] > 0).collect();
            match flaw {
                Some(Flaw::Unguarded) => items.clear(),
                Some(Flaw::AnyOrder) if request > 0 => items.reverse(),
                _ => {}
            }
            let items = items.into_iter().map(Row::Item);
            std::iter::once(Row::Request(request)).chain(items).collect()
        }
        Task::Act(Action::Ship, _) if flaw == Some(Flaw::ShippedUnlocked) => Vec::new(),
        Task::Act(Action::Cancel, request) => with_items(data, request),
        Task::Act(_, request) => vec![Row::Request(request)],
        Task::Report { shipment, end, .. } => {
            let mut rows = vec![Row::Shipment(shipment)];
            if end == End::Booked && flaw != Some(Flaw::ShippedApart) {
                rows.extend(with_items(data, data.shipments[shipment].request));
            }
            rows
        }
        Task::Follow(shipment) => with_items(data, data.shipments[shipment].request),
        Task::Delete(shipment) => {
            vec![Row::Shipment(shipment), Row::Request(data.shipments[shipment].request)]
        }
        Task::CancelShipment { shipment, .. } => vec![Row::Shipment(shipment)],
    }
}

/// A request, and the items that it has something of.
fn with_items(data: &Data, request: usize) -> Vec<Row> {
    let row = &data.requests[request];
    let mut rows = vec![Row::Request(request)];
    if row.state.holds_stock() {
        let has = |item: &usize| {
            let mut levels = LEVELS.iter().zip(row.allocations);
            levels.any(|((of, _), count)| of == item && count > 0)
        };
        rows.extend((0..ITEMS).filter(has).map(Row::Item));
    }
    rows
}
