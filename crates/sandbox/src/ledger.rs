//! Every booking of the sandbox carrier. With a journal it never forgets one, and keeps only where
//! each is written; without one it keeps them in memory, the latest million for a day.
//!
//! It books whatever it is asked to book, also the same reference twice: it has to show mistakes.

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use waybill_domain::ids::IdSource;
use waybill_domain::json::parse;
use waybill_domain::time::Time;

use crate::journal::{Journal, JournalError};
use crate::memory::{Memory, Row, Text, hash};
use crate::record::{Record, parcel_sequence, sequence};

/// So many bookings can be cancelled at once.
const LOCKS: usize = 64;

/// The bookings.
pub struct Ledger {
    memory: Arc<Mutex<Memory>>,
    journal: Option<Journal>,
    /// Who cancels a booking holds its lock, one of these: a server that was killed may have asked
    /// for it a moment before the one that follows it.
    cancelling: [tokio::sync::Mutex<()>; LOCKS],
}

/// A booking and what became of it.
pub struct Entry {
    /// The booking.
    pub record: Record,
    /// Whether it was cancelled.
    pub is_cancelled: bool,
}

/// Why a booking is not in the ledger, or cannot be had from it.
#[derive(Debug, thiserror::Error)]
pub enum LedgerError {
    /// The journal cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// What we know of a booking is where it is written, and there is no journal.
    #[error("a booking is in no journal")]
    NoJournal,
    /// Its line is not what was written.
    #[error("a booking in the journal cannot be read")]
    Unreadable,
}

/// What a look-up finds.
pub enum Sought {
    /// These bookings, the oldest first; none when there are none.
    Found(Vec<Entry>),
    /// It is being booked at this moment.
    Processing,
}

/// Marks a reference as being booked until it is dropped.
pub struct Processing {
    memory: Arc<Mutex<Memory>>,
    reference: String,
}

impl Ledger {
    /// Opens the ledger, with all that its journal holds. The thread writes the journal; it ends
    /// after the ledger is dropped.
    pub fn open(
        path: Option<&Path>,
        ids: &dyn IdSource,
    ) -> Result<(Ledger, Option<JoinHandle<()>>), LedgerError> {
        let mut memory = Memory::new(ids);
        let Some(path) = path else {
            return Ok((Ledger::new(memory, None), None));
        };
        let (journal, thread) = Journal::open(path, |line, place| memory.tell(&line, place))?;
        Ok((Ledger::new(memory, Some(journal)), Some(thread)))
    }

    fn new(memory: Memory, journal: Option<Journal>) -> Ledger {
        let cancelling = std::array::from_fn(|_| tokio::sync::Mutex::default());
        Ledger { memory: Arc::new(Mutex::new(memory)), journal, cancelling }
    }

    /// Numbers for that many parcels.
    pub fn numbers(&self, count: u64) -> u64 {
        let mut memory = lock(&self.memory);
        let first = memory.next;
        memory.next += count;
        first
    }

    /// Marks the reference as being booked.
    pub fn processing(&self, reference: &str) -> Processing {
        *lock(&self.memory).processing.entry(reference.to_owned()).or_default() += 1;
        Processing { memory: Arc::clone(&self.memory), reference: reference.to_owned() }
    }

    /// Books. When this returns, it is in the journal.
    pub async fn book(&self, record: &Record, visible_at: Duration) -> Result<(), LedgerError> {
        let line = record.line("booked");
        let Some(journal) = &self.journal else {
            let row = Row::new(Text::Here(line.into()), record, visible_at);
            let mut memory = lock(&self.memory);
            memory.insert(record.sequence, row);
            memory.forget(record.at);
            return Ok(());
        };
        let (memory, booked) = (Arc::clone(&self.memory), record.clone());
        let safe = move |place| {
            let row = Row::new(Text::There(place), &booked, visible_at);
            lock(&memory).insert(booked.sequence, row);
        };
        Ok(journal.append(line, safe).await?)
    }

    /// Cancels a booking, once. True for the one who did.
    pub async fn cancel(&self, record: &Record, now: Time) -> Result<bool, LedgerError> {
        let sequence = record.sequence;
        let _held = self.cancelling[sequence as usize % LOCKS].lock().await;
        if lock(&self.memory).rows.get(&sequence).is_some_and(|row| row.is_cancelled) {
            return Ok(false);
        }
        let memory = Arc::clone(&self.memory);
        let mark = move || {
            if let Some(row) = lock(&memory).rows.get_mut(&sequence) {
                row.is_cancelled = true;
            }
        };
        let line = Record { at: now, ..record.clone() }.line("cancelled");
        match &self.journal {
            None => mark(),
            Some(journal) => journal.append(line, move |_| mark()).await?,
        }
        Ok(true)
    }

    /// The booking with this id.
    pub fn by_id(&self, id: &str) -> Result<Option<Entry>, LedgerError> {
        sequence(id).map_or(Ok(None), |sequence| self.entry(sequence))
    }

    /// The booking that has the parcel with this tracking number.
    pub fn by_number(&self, number: &str) -> Result<Option<Entry>, LedgerError> {
        let Some(parcel) = parcel_sequence(number) else { return Ok(None) };
        // A booking is known by the number of its first parcel.
        let first = {
            let memory = lock(&self.memory);
            memory.rows.range(..=parcel).next_back().map(|(sequence, _)| *sequence)
        };
        let entry = first.map_or(Ok(None), |sequence| self.entry(sequence))?;
        let has = |entry: &Entry| entry.record.parcels.iter().flatten().any(|its| its == number);
        Ok(entry.filter(has))
    }

    /// The first booking with this reference, also one that look-ups do not show yet.
    pub fn first_with(&self, reference: &str) -> Result<Option<Entry>, LedgerError> {
        let sequences = self.sequences(reference, |_| true);
        for sequence in sequences {
            let entry = self.entry(sequence)?.filter(|it| it.record.reference == reference);
            if entry.is_some() {
                return Ok(entry);
            }
        }
        Ok(None)
    }

    fn sequences(&self, reference: &str, is_wanted: impl Fn(&Row) -> bool) -> Vec<u64> {
        let memory = lock(&self.memory);
        let hash = hash(reference);
        let with_hash = memory.by_reference.range((hash, 0)..=(hash, u64::MAX));
        let sequences = with_hash.map(|(_, sequence)| *sequence);
        sequences.filter(|sequence| memory.rows.get(sequence).is_some_and(&is_wanted)).collect()
    }

    /// The bookings with this reference that can be seen at this time.
    pub fn by_reference(
        &self,
        reference: &str,
        monotonic: Duration,
    ) -> Result<Sought, LedgerError> {
        if lock(&self.memory).processing.contains_key(reference) {
            return Ok(Sought::Processing);
        }
        let sequences = self.sequences(reference, |row| row.visible_at <= monotonic);
        let mut found = Vec::new();
        for sequence in sequences {
            found.extend(self.entry(sequence)?.filter(|it| it.record.reference == reference));
        }
        Ok(Sought::Found(found))
    }

    /// Bookings after this one, in their order, that were made since a time or are cancelled, and
    /// the id of the last when there are more.
    pub fn list(
        &self,
        since: Time,
        after: Option<u64>,
        limit: usize,
    ) -> Result<(Vec<Entry>, Option<String>), LedgerError> {
        let from = after.map_or(0, |after| after + 1);
        let sequences: Vec<u64> = {
            let memory = lock(&self.memory);
            let rows = memory.rows.range(from..);
            let wanted = rows.filter(|(_, row)| row.is_cancelled || row.at >= since);
            wanted.map(|(sequence, _)| *sequence).take(limit + 1).collect()
        };
        let mut entries = Vec::new();
        for sequence in sequences.iter().take(limit) {
            entries.extend(self.entry(*sequence)?);
        }
        let last = entries.last().map(|entry| entry.record.id());
        Ok((entries, last.filter(|_| sequences.len() > limit)))
    }

    /// Whether the documents of this booking are asked for the first time.
    pub fn is_first_asked(&self, sequence: u64) -> bool {
        let mut memory = lock(&self.memory);
        memory
            .rows
            .get_mut(&sequence)
            .is_some_and(|row| !std::mem::replace(&mut row.is_asked, true))
    }

    fn entry(&self, sequence: u64) -> Result<Option<Entry>, LedgerError> {
        let (line, is_cancelled) = match lock(&self.memory).rows.get(&sequence) {
            None => return Ok(None),
            Some(Row { text: Text::Here(line), is_cancelled, .. }) => {
                (Ok(line.to_string()), *is_cancelled)
            }
            Some(Row { text: Text::There(place), is_cancelled, .. }) => {
                (Err(*place), *is_cancelled)
            }
        };
        let line = match (line, &self.journal) {
            (Ok(line), _) => line,
            (Err(place), Some(journal)) => journal.line(place)?,
            (Err(_), None) => return Err(LedgerError::NoJournal),
        };
        let record = parse(line.as_bytes()).ok().and_then(|line| Record::from_line(&line));
        let record = record.ok_or(LedgerError::Unreadable)?;
        Ok(Some(Entry { record, is_cancelled }))
    }
}

impl Drop for Processing {
    fn drop(&mut self) {
        let mut memory = lock(&self.memory);
        match memory.processing.get_mut(&self.reference) {
            Some(count) if *count > 1 => *count -= 1,
            _ => drop(memory.processing.remove(&self.reference)),
        }
    }
}

fn lock(memory: &Mutex<Memory>) -> MutexGuard<'_, Memory> {
    memory.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Ids;

    impl IdSource for Ids {
        fn uuid(&self) -> uuid::Uuid {
            uuid::Uuid::nil()
        }

        fn fill(&self, buffer: &mut [u8]) {
            buffer.fill(7);
        }
    }

    #[tokio::test]
    async fn a_booking_is_cancelled_once_however_many_ask_at_once() {
        let path = std::env::temp_dir().join(format!("ledger-{}.jsonl", std::process::id()));
        let (ledger, _thread) = Ledger::open(Some(&path), &Ids).unwrap();
        let record = Record {
            sequence: 1,
            reference: "R".to_owned(),
            customer_reference: None,
            at: Time(0),
            service: "home".to_owned(),
            from: Vec::new(),
            to: Vec::new(),
            parcels: vec![Some("SBX0000000000017".to_owned())],
        };
        ledger.book(&record, Duration::ZERO).await.unwrap();
        let ask = || ledger.cancel(&record, record.at);
        let (one, two, three) = tokio::join!(ask(), ask(), ask());
        let journal = std::fs::read_to_string(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        assert_eq!([one.unwrap(), two.unwrap(), three.unwrap()], [true, false, false]);
        assert_eq!(journal.matches("\"type\":\"cancelled\"").count(), 1, "{journal}");
    }
}
