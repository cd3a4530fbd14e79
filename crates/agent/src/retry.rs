//! When a call is tried again: at random moments, so that agents which lost their server together
//! do not come back together.

use std::sync::Arc;
use std::time::Duration;

use waybill_domain::ids::IdSource;

const FIRST: Duration = Duration::from_millis(500);
const MOST: Duration = Duration::from_secs(30);

/// How often something failed in a row.
pub struct Retry {
    ids: Arc<dyn IdSource>,
    tries: u32,
}

impl Retry {
    /// Nothing has failed yet.
    pub fn new(ids: Arc<dyn IdSource>) -> Retry {
        Retry { ids, tries: 0 }
    }

    /// It went well.
    pub fn reset(&mut self) {
        self.tries = 0;
    }

    /// How long to wait after one more failure: full jitter, up to a bound that doubles.
    pub fn pause(&mut self) -> Duration {
        self.tries = self.tries.saturating_add(1);
        let bound = (FIRST * 2u32.pow(self.tries.min(8))).min(MOST);
        let mut random = [0; 4];
        self.ids.fill(&mut random);
        let share = f64::from(u32::from_le_bytes(random)) / f64::from(u32::MAX);
        FIRST + (bound - FIRST).mul_f64(share)
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    struct Byte(u8);

    impl IdSource for Byte {
        fn uuid(&self) -> Uuid {
            Uuid::nil()
        }
        fn fill(&self, buffer: &mut [u8]) {
            buffer.fill(self.0);
        }
    }

    #[test]
    fn pauses_are_random_between_half_a_second_and_a_bound_that_doubles_to_thirty() {
        let (mut least, mut most) =
            (Retry::new(Arc::new(Byte(0))), Retry::new(Arc::new(Byte(255))));
        let seconds: Vec<f64> = (0..8).map(|_| most.pause().as_secs_f64()).collect();
        assert_eq!(seconds, [1.0, 2.0, 4.0, 8.0, 16.0, 30.0, 30.0, 30.0]);
        assert!((0..8).all(|_| least.pause() == FIRST));
        most.reset();
        assert_eq!(most.pause(), Duration::from_secs(1));
    }
}
