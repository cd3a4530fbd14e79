//! Takes points in, a batch at a time, so that an import of any size needs little memory and never
//! keeps others from writing for long.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use uuid::Uuid;
use waybill_domain::ids::IdSource;
use waybill_domain::point::Point;
use waybill_domain::time::Time;
use waybill_store::service_points::{self, Set};
use waybill_store::{Error, Store, Tx};

/// Points written in one transaction.
const BATCH: usize = 512;
/// Points let go in one transaction.
const RETIRE: i64 = 500;

/// An import under way. It blocks, so it has a thread of its own.
pub struct Intake {
    store: Store,
    ids: Arc<dyn IdSource>,
    /// When it began, which is also its number.
    now: Time,
    batch: Vec<(Uuid, Point)>,
    /// Where in the batch a point is.
    places: HashMap<(Set, String), usize>,
    sums: HashMap<Set, i64>,
}

/// What became of one set.
#[derive(Clone, PartialEq, Debug)]
pub struct Taken {
    /// Which.
    pub set: Set,
    /// How many points it has now.
    pub points: i64,
    /// How many were let go.
    pub retired: u64,
}

impl Intake {
    /// Begins an import.
    pub fn new(store: Store, ids: Arc<dyn IdSource>, now: Time) -> Intake {
        let (batch, places, sums) = (Vec::new(), HashMap::new(), HashMap::new());
        Intake { store, ids, now, batch, places, sums }
    }

    /// Takes a point. Of two with the same code the later one stays.
    pub fn add(&mut self, point: Point) -> Result<(), Error> {
        let set = Set { carrier: point.carrier.clone(), country: point.country() };
        let sum = self.sums.entry(set.clone()).or_insert(0);
        *sum = sum.wrapping_add(point.digest());
        match self.places.entry((set, point.code.clone())) {
            Entry::Occupied(place) => self.batch[*place.get()].1 = point,
            Entry::Vacant(place) => {
                place.insert(self.batch.len());
                self.batch.push((self.ids.uuid(), point));
            }
        }
        if self.batch.len() >= BATCH { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<(), Error> {
        self.places.clear();
        let (batch, import) = (std::mem::take(&mut self.batch), self.now.0);
        self.store.blocking_write(move |tx: &mut Tx<'_>| service_points::put(tx, &batch, import))
    }

    /// Ends the import: from now on searches find what it brought. When it was whole, points of the
    /// same carriers and countries that it did not have are let go.
    pub fn finish(mut self, is_whole: bool) -> Result<Vec<Taken>, Error> {
        self.flush()?;
        let mut all = Vec::new();
        for (set, sum) in std::mem::take(&mut self.sums) {
            let retired = if is_whole { self.retire(&set)? } else { 0 };
            // What is left of earlier imports has its share in no sum.
            let digest = if is_whole { sum } else { 0 };
            let (wanted, now) = (set.clone(), self.now);
            let finish = move |tx: &mut Tx<'_>| service_points::finish(tx, &wanted, digest, now);
            let points = self.store.blocking_write(finish)?;
            all.push(Taken { set, points, retired });
        }
        all.sort_by(|one, two| {
            let key = |taken: &Taken| (taken.set.carrier.clone(), taken.set.country.to_string());
            key(one).cmp(&key(two))
        });
        Ok(all)
    }

    fn retire(&self, set: &Set) -> Result<u64, Error> {
        let mut sum = 0;
        loop {
            let (set, import) = (set.clone(), self.now.0);
            let some = move |tx: &mut Tx<'_>| service_points::retire(tx, &set, import, RETIRE);
            let retired = self.store.blocking_write(some)?;
            sum += retired;
            if retired < RETIRE.unsigned_abs() {
                return Ok(sum);
            }
        }
    }
}
