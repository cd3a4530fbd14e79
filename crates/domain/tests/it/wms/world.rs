//! The rows, and what the carrier really has.

use waybill_domain::wms::{Level, RequestState};

use super::server::End;

/// How many items there are, and what each request wants of them: more than there is for both.
pub const ITEMS: usize = 2;
pub const REQUESTS: usize = 2;
pub const WANTED: [[i64; ITEMS]; REQUESTS] = [[2, 1], [1, 1]];
/// The item and the location of each level.
pub const LEVELS: [(usize, &str); 3] = [(0, "A-1"), (0, "A-2"), (1, "A-1")];
const AT_FIRST: [i64; LEVELS.len()] = [1, 1, 2];
/// More of these bring nothing new.
pub const ADJUSTMENTS_MAX: u8 = 1;
pub const SHIPMENTS_MAX: usize = 2;

/// A level with what the ledger has of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Stock {
    pub level: Level,
    /// The sum of its lines.
    pub adjusted: i64,
    /// What of it was taken for each request.
    pub taken: [i64; REQUESTS],
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Request {
    pub state: RequestState,
    pub allocations: [i64; LEVELS.len()],
    pub missing: [i64; ITEMS],
    pub shipment: Option<usize>,
}

/// How a shipment is, as the database has it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fate {
    /// It is being booked.
    Processing,
    /// It failed, and no carrier has it.
    Failed,
    /// It failed at its deadline: the carrier may have it.
    Unclear,
    /// It failed without documents: the carrier has it.
    Held,
    Booked,
    /// The carrier had it, and does not any more.
    Cancelled {
        was_booked: bool,
    },
    Deleted,
}

impl Fate {
    /// Whether it is booked, or may still become so.
    pub fn is_live(self) -> bool {
        matches!(self, Fate::Processing | Fate::Unclear | Fate::Held | Fate::Booked)
    }

    /// Whether it was booked, whatever came later.
    pub fn was_booked(self) -> bool {
        matches!(self, Fate::Booked | Fate::Cancelled { was_booked: true })
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Shipment {
    pub request: usize,
    pub fate: Fate,
    /// Whether the carrier took it, once that is decided there.
    pub is_taken: Option<bool>,
}

impl Shipment {
    /// Whether this can be seen of it now.
    pub fn may_end(&self, end: End) -> bool {
        let is_taken = self.is_taken.is_none_or(|known| known == end.is_taken());
        let follows = match self.fate {
            Fate::Processing => true,
            Fate::Unclear => !matches!(end, End::Unclear { .. }),
            Fate::Held => end == End::Booked,
            Fate::Failed | Fate::Booked | Fate::Cancelled { .. } | Fate::Deleted => false,
        };
        is_taken && follows
    }
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Data {
    pub stock: [Stock; LEVELS.len()],
    pub requests: [Request; REQUESTS],
    pub shipments: Vec<Shipment>,
    pub adjustments: u8,
}

impl Data {
    pub fn new() -> Data {
        let stock = |on_hand| Stock {
            level: Level { on_hand, reserved: 0 },
            adjusted: on_hand,
            taken: [0; REQUESTS],
        };
        let request = Request {
            state: RequestState::Received,
            allocations: [0; LEVELS.len()],
            missing: [0; ITEMS],
            shipment: None,
        };
        Data {
            stock: AT_FIRST.map(stock),
            requests: [request; REQUESTS],
            shipments: Vec::new(),
            adjustments: 0,
        }
    }

    /// How the shipment is that a request names.
    pub fn fate(&self, request: usize) -> Option<Fate> {
        self.requests[request].shipment.map(|shipment| self.shipments[shipment].fate)
    }

    /// The shipments that were made for a request.
    pub fn shipments_of(&self, request: usize) -> impl Iterator<Item = &Shipment> {
        self.shipments.iter().filter(move |shipment| shipment.request == request)
    }
}
