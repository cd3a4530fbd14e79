//! Offers whose files did not come. They are put off for a while, each for itself, so that the
//! others are not kept waiting.

use std::collections::HashMap;
use std::time::Duration;

use uuid::Uuid;

use crate::spool::Offered;

const FIRST: Duration = Duration::from_secs(5);
const MOST: Duration = Duration::from_secs(120);

/// What is put off.
#[derive(Default)]
pub struct PutOff(HashMap<Uuid, (u32, Duration)>);

impl PutOff {
    /// Whether this is put off still.
    pub fn has(&self, id: Uuid, now: Duration) -> bool {
        self.0.get(&id).is_some_and(|(_, until)| now < *until)
    }

    /// Puts it off, for longer each time.
    pub fn add(&mut self, id: Uuid, now: Duration) {
        let (tries, until) = self.0.entry(id).or_default();
        *until = now + (FIRST * 2u32.pow((*tries).min(8))).min(MOST);
        *tries += 1;
    }

    /// What is not offered any more is not kept in mind.
    pub fn keep(&mut self, offers: &[Offered]) {
        self.0.retain(|id, _| offers.iter().any(|offered| offered.id == *id));
    }

    /// Whether nothing is put off.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_did_not_come_is_put_off_for_longer_each_time_and_for_itself() {
        let (one, other) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let (mut put_off, mut now) = (PutOff::default(), Duration::from_secs(1000));
        for seconds in [5, 10, 20, 40, 80, 120, 120] {
            put_off.add(one, now);
            assert!(!put_off.has(other, now));
            now += Duration::from_secs(seconds - 1);
            assert!(put_off.has(one, now));
            now += Duration::from_secs(1);
            assert!(!put_off.has(one, now));
        }
        put_off.keep(&[]);
        assert!(put_off.is_empty());
    }
}
