//! What the sandbox carrier knows without reading its journal: little for each booking, so that
//! millions fit.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

use waybill_domain::ids::IdSource;
use waybill_domain::json::Json;
use waybill_domain::time::Time;

use crate::journal::{LineError, Span};
use crate::record::{Record, SEQUENCE_MAX};

/// So many bookings are kept when there is no journal.
const KEPT_MAX: usize = 1_000_000;
/// They are kept this long when there is no journal.
const KEPT_TIME_MAX: Duration = Duration::from_hours(24);

/// What is known without reading the journal.
#[derive(Default)]
pub struct Memory {
    /// By the number of the first parcel.
    pub rows: BTreeMap<u64, Row>,
    /// The hash of a reference with each booking that may have it.
    pub by_reference: BTreeSet<(u64, u64)>,
    /// References that are being booked, and how many times.
    pub processing: HashMap<String, usize>,
    /// The number of the next parcel.
    pub next: u64,
}

/// What is kept of a booking.
pub struct Row {
    /// Its line.
    pub text: Text,
    /// The hash of its reference.
    reference: u64,
    /// When it was booked.
    pub at: Time,
    /// When a look-up finds it, by the monotonic clock.
    pub visible_at: Duration,
    /// Whether it was cancelled.
    pub is_cancelled: bool,
    /// Whether its documents were asked for.
    pub is_asked: bool,
}

/// The line of a booking.
pub enum Text {
    /// Kept here.
    Here(Box<str>),
    /// In the journal.
    There(Span),
}

impl Row {
    /// A booking that nothing has become of yet.
    pub fn new(text: Text, record: &Record, visible_at: Duration) -> Row {
        Row {
            text,
            reference: hash(&record.reference),
            at: record.at,
            visible_at,
            is_cancelled: false,
            is_asked: false,
        }
    }
}

impl Memory {
    /// Empty, with numbers that begin anywhere in the lower half, so that a sandbox without a
    /// journal does not give the numbers of the one before it again.
    pub fn new(ids: &dyn IdSource) -> Memory {
        let mut bytes = [0; 8];
        ids.fill(&mut bytes);
        let next = u64::from_le_bytes(bytes) % (SEQUENCE_MAX / 2);
        Memory { next, ..Memory::default() }
    }

    /// Takes in a line of the journal.
    pub fn tell(&mut self, line: &Json, span: Span) -> Result<(), LineError> {
        let record = Record::from_line(line).ok_or(LineError::NotOurs)?;
        match line.member("type") {
            Some(Json::Text(kind)) if kind == "booked" => {
                let row = Row::new(Text::There(span), &record, Duration::ZERO);
                let parcels = u64::try_from(record.parcels.len()).unwrap_or(u64::MAX);
                // Numbers go on from the highest.
                let after = record.sequence.saturating_add(parcels);
                self.next = if self.rows.is_empty() { after } else { self.next.max(after) };
                self.insert(record.sequence, row);
            }
            Some(Json::Text(kind)) if kind == "cancelled" => {
                if let Some(row) = self.rows.get_mut(&record.sequence) {
                    row.is_cancelled = true;
                }
            }
            _ => return Err(LineError::UnknownType),
        }
        Ok(())
    }

    /// Takes in a booking.
    pub fn insert(&mut self, sequence: u64, row: Row) {
        self.by_reference.insert((row.reference, sequence));
        self.rows.insert(sequence, row);
    }

    /// Forgets what is too old or too much.
    pub fn forget(&mut self, now: Time) {
        let oldest = now.minus(KEPT_TIME_MAX);
        let is_over =
            |rows: &BTreeMap<u64, Row>, row: &Row| row.at < oldest || rows.len() > KEPT_MAX;
        while self.rows.first_key_value().is_some_and(|(_, row)| is_over(&self.rows, row)) {
            if let Some((sequence, row)) = self.rows.pop_first() {
                self.by_reference.remove(&(row.reference, sequence));
            }
        }
    }
}

/// A reference in eight bytes. Two may share it: who looks one up compares the whole.
pub fn hash(reference: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    reference.hash(&mut hasher);
    hasher.finish()
}
