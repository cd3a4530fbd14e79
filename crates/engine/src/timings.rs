//! How long the parts of a request took. Whoever does a part notes it: the request itself, and the
//! worker that its caller waits for. The caller is told in `Server-Timing`.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use waybill_domain::time::Clock;

/// A part of a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// Waiting for the store.
    Db,
    /// Waiting for a carrier.
    Carrier,
    /// Drawing and measuring papers.
    Render,
    /// Waiting for a worker.
    Queue,
}

impl Part {
    const ALL: [Part; 4] = [Part::Db, Part::Carrier, Part::Render, Part::Queue];

    fn name(self) -> &'static str {
        match self {
            Part::Db => "db",
            Part::Carrier => "carrier",
            Part::Render => "render",
            Part::Queue => "queue",
        }
    }
}

/// Microseconds for each part.
#[derive(Default, Debug)]
pub struct Timings([AtomicU64; Part::ALL.len()]);

/// A caller who waits for a job, and since when.
pub struct Waiting {
    /// Where the job notes what it took.
    pub timings: Arc<Timings>,
    /// When it was handed over, by the clock that only goes forward.
    pub since: Duration,
}

impl Timings {
    /// Adds to a part.
    pub fn note(&self, part: Part, spent: Duration) {
        let micros = u64::try_from(spent.as_micros()).unwrap_or(u64::MAX);
        self.0[part as usize].fetch_add(micros, Ordering::Relaxed);
    }

    /// Does a part, and notes how long it took.
    pub async fn during<T>(
        &self,
        clock: &dyn Clock,
        part: Part,
        work: impl Future<Output = T>,
    ) -> T {
        let started = clock.monotonic();
        let done = work.await;
        self.note(part, clock.monotonic().saturating_sub(started));
        done
    }

    /// `Server-Timing`: the whole, and the parts that were not nothing.
    pub fn header(&self, total: u64) -> String {
        let mut text = format!("total;dur={}", millis(total));
        for part in Part::ALL {
            let micros = self.0[part as usize].load(Ordering::Relaxed);
            if micros > 0 {
                text += &format!(", {};dur={}", part.name(), millis(micros));
            }
        }
        text
    }
}

fn millis(micros: u64) -> String {
    format!("{}.{:03}", micros / 1000, micros % 1000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_add_up_and_those_that_did_not_happen_are_left_out() {
        let timings = Timings::default();
        assert_eq!(timings.header(90), "total;dur=0.090");
        timings.note(Part::Render, Duration::from_micros(1_500));
        timings.note(Part::Db, Duration::from_micros(7));
        timings.note(Part::Db, Duration::from_micros(3));
        assert_eq!(timings.header(2_000), "total;dur=2.000, db;dur=0.010, render;dur=1.500");
    }
}
