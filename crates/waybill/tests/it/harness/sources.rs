//! Time that moves only when told, and ids that count.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

use uuid::Uuid;
use waybill_domain::ids::IdSource;
use waybill_domain::time::{Clock, Time};
use waybill_engine::clock::SystemClock;

const START: i64 = 1_763_200_000_000_000;

pub struct FakeClock {
    moved: AtomicI64,
    /// How much of that is time that has passed for a clock that goes on by itself.
    passed: AtomicI64,
    /// When it was last set by somebody.
    set_at: AtomicI64,
    /// Goes on by itself, as the real one does.
    real: Option<SystemClock>,
}

impl Default for FakeClock {
    fn default() -> FakeClock {
        FakeClock { moved: AtomicI64::new(START), ..FakeClock::at(None) }
    }
}

impl FakeClock {
    /// The real time, which a test can still move on.
    pub fn running() -> FakeClock {
        FakeClock::at(Some(SystemClock::start()))
    }

    fn at(real: Option<SystemClock>) -> FakeClock {
        let (moved, passed) = (AtomicI64::new(0), AtomicI64::new(0));
        FakeClock { moved, passed, set_at: AtomicI64::new(i64::MIN), real }
    }

    /// Lets time pass, for all clocks.
    pub fn pass(&self, by: Duration) {
        self.age(by);
        self.advance(by);
    }

    /// Lets time pass for the clock that never jumps.
    pub fn age(&self, by: Duration) {
        self.passed.fetch_add(i64::try_from(by.as_micros()).unwrap(), Ordering::SeqCst);
    }

    /// Sets the clock ahead, as somebody does with that of a running system.
    pub fn set_ahead(&self, by: Duration) {
        self.advance(by);
        self.set_at.store(self.now().0, Ordering::SeqCst);
    }

    /// The time without what a running clock was moved on: alarms were set by it.
    pub fn unmoved(&self) -> Time {
        match &self.real {
            Some(real) => real.now(),
            None => self.now(),
        }
    }

    /// Sets the clock back.
    pub fn set_back(&self, by: Duration) {
        self.moved.fetch_sub(i64::try_from(by.as_micros()).unwrap(), Ordering::SeqCst);
    }

    pub fn advance(&self, by: Duration) {
        self.moved.fetch_add(i64::try_from(by.as_micros()).unwrap(), Ordering::SeqCst);
    }
}

impl Clock for FakeClock {
    fn now(&self) -> Time {
        let real = self.real.as_ref().map_or(0, |real| real.now().0);
        Time(real + self.moved.load(Ordering::SeqCst))
    }

    fn monotonic(&self) -> Duration {
        match &self.real {
            // When the wall clock jumps, this one does not.
            Some(real) => {
                let passed = self.passed.load(Ordering::SeqCst).unsigned_abs();
                real.monotonic() + Duration::from_micros(passed)
            }
            None => Duration::from_micros((self.now().0 - START).max(0).unsigned_abs()),
        }
    }

    fn certain_since(&self, moment: Time) -> Duration {
        self.now().since(moment.max(Time(self.set_at.load(Ordering::SeqCst))))
    }
}

#[derive(Default)]
pub struct CountingIds(AtomicU64);

impl CountingIds {
    pub fn starting_at(first: u64) -> CountingIds {
        CountingIds(AtomicU64::new(first))
    }

    fn next(&self) -> u64 {
        self.0.fetch_add(1, Ordering::SeqCst) + 1
    }
}

impl IdSource for CountingIds {
    fn uuid(&self) -> Uuid {
        Uuid::from_u128(0x0000_0000_0000_7000_8000_0000_0000_0000 + u128::from(self.next()))
    }

    fn fill(&self, buffer: &mut [u8]) {
        let seed = self.next();
        for (index, byte) in buffer.iter_mut().enumerate() {
            // SplitMix64: seeds that follow each other must not give bytes that do.
            let mut mixed = (seed << 16 | index as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            *byte = (mixed ^ (mixed >> 31)).to_be_bytes()[0];
        }
    }
}
