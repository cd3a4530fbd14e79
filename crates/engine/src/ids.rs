//! Where ids and randomness come from: the only place that asks the system for them.

use std::sync::{Arc, Mutex, PoisonError};

use uuid::Uuid;
use waybill_domain::ids::IdSource;
use waybill_domain::time::Clock;

/// Version 7 UUIDs that grow strictly within a process, and the system's randomness.
pub struct SystemIds {
    clock: Arc<dyn Clock>,
    last: Mutex<u128>,
}

impl SystemIds {
    /// Ids with the time of this clock.
    pub fn new(clock: Arc<dyn Clock>) -> SystemIds {
        SystemIds { clock, last: Mutex::new(0) }
    }
}

impl IdSource for SystemIds {
    fn uuid(&self) -> Uuid {
        let mut random = [0; 10];
        self.fill(&mut random);
        let millis = self.clock.now().0.max(0).unsigned_abs() / 1000;
        let fresh = uuid::Builder::from_unix_timestamp_millis(millis, &random).into_uuid();
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        // Within one millisecond, or after the clock went back, count on from the last one.
        *last = if fresh.as_u128() > *last { fresh.as_u128() } else { *last + 1 };
        Uuid::from_u128(*last)
    }

    #[expect(clippy::disallowed_methods, reason = "this is where randomness comes from")]
    fn fill(&self, buffer: &mut [u8]) {
        getrandom::fill(buffer).expect("the operating system gives randomness");
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use waybill_domain::time::Time;

    use super::*;

    struct Stopped;

    impl Clock for Stopped {
        fn now(&self) -> Time {
            Time(1_763_000_000_000_000)
        }
        fn monotonic(&self) -> Duration {
            Duration::ZERO
        }
    }

    #[test]
    fn ids_are_version_seven_and_grow_even_when_the_clock_stands_still() {
        let ids = SystemIds::new(Arc::new(Stopped));
        let made: Vec<Uuid> = (0..1000).map(|_| ids.uuid()).collect();
        assert!(made.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(made.iter().all(|id| id.get_version_num() == 7));
    }
}
