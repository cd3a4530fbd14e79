//! Carriers that want no more than so many calls in a second: each account waits for its turn.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::{Instant, sleep_until};
use waybill_domain::ids::AccountId;

use crate::Account;

const SECOND: Duration = Duration::from_secs(1);

/// At most so many calls of an account in any second. Those who wait are let through in the order
/// in which they came.
pub struct Throttle {
    calls_max: usize,
    /// When the last calls were, or will be made, from the oldest to the newest.
    calls: Mutex<HashMap<AccountId, VecDeque<Instant>>>,
}

impl Throttle {
    /// At most so many calls in a second.
    pub fn new(calls_max: usize) -> Throttle {
        Throttle { calls_max, calls: Mutex::default() }
    }

    /// Waits until the account may call.
    pub async fn wait(&self, account: &Account) {
        let turn = self.turn(account.id, Instant::now());
        sleep_until(turn).await;
    }

    fn turn(&self, account: AccountId, now: Instant) -> Instant {
        let mut calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        let calls = calls.entry(account).or_default();
        let is_full = calls.len() >= self.calls_max;
        let oldest = if is_full { calls.pop_front() } else { None };
        let turn = oldest.map_or(now, |oldest| now.max(oldest + SECOND));
        calls.push_back(turn);
        turn
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[tokio::test]
    async fn no_second_has_more_calls_and_other_accounts_do_not_wait() {
        let (throttle, begun) = (Throttle::new(2), Instant::now());
        let account = |number| AccountId(Uuid::from_u128(number));
        let turns: Vec<u128> = (0..5)
            .map(|_| throttle.turn(account(1), begun).duration_since(begun))
            .map(|it| it.as_millis())
            .collect();
        assert_eq!(turns, [0, 0, 1000, 1000, 2000]);
        assert_eq!(throttle.turn(account(2), begun), begun);
        let later = begun + Duration::from_millis(3500);
        assert_eq!(throttle.turn(account(1), later), later);
    }
}
