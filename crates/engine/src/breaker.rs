//! Leaves a carrier's account alone for a while when one booking after the other fails there. What
//! was not sent yet waits. What was sent goes on as ever: it is asked about, sent again, cancelled.
//!
//! This holds for one process, and nothing of it is stored: a booking that waits is one that was
//! not begun. It fails at its deadline, as it would have.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use metrics::gauge;
use waybill_domain::ids::{AccountId, ShipmentId};
use waybill_domain::time::Time;

/// So many shipments must fail, one after the other.
const FAILURES: usize = 5;
/// The first pause; each that follows is twice as long.
const PAUSE: Duration = Duration::from_secs(10);
const PAUSE_MAX: Duration = Duration::from_secs(60);
/// A call may hang for minutes. After this time another one is tried beside it.
const PROBE_MAX: Duration = Duration::from_secs(30);
/// Those that wait look again this often: another booking may have got through.
const LOOK_AGAIN: Duration = Duration::from_secs(5);
/// Failures are forgotten when nothing was heard for so long. The account may be gone.
const FORGOTTEN: Duration = Duration::from_mins(10);

const OPEN: &str = "waybill_carrier_breaker_open";

/// The accounts at which something failed last.
#[derive(Default)]
pub struct Breakers(Mutex<HashMap<AccountId, Breaker>>);

struct Breaker {
    carrier: &'static str,
    /// The shipments that failed one after the other.
    failed: Vec<ShipmentId>,
    heard_at: Time,
    pause: Option<Pause>,
}

struct Pause {
    length: Duration,
    until: Time,
    /// The one that is tried after the pause, before the others, and until when they wait for it.
    probe: Option<(ShipmentId, Time)>,
}

/// A pause of an account, as a booking meets it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Paused {
    /// When the booking is to ask again.
    pub look_at: Time,
    /// Until when the carrier is not asked, unless another booking gets through before.
    pub until: Time,
}

/// The right to try whether the carrier works again, until this is dropped.
pub struct Probe {
    breakers: Arc<Breakers>,
    account: AccountId,
    shipment: ShipmentId,
}

impl Breakers {
    /// Whether bookings wait at this account.
    pub fn is_open(&self, account: AccountId) -> bool {
        self.all().get(&account).is_some_and(|breaker| breaker.pause.is_some())
    }

    /// Lets the first booking after a pause through. The others are told when to ask again.
    pub fn enter(
        self: &Arc<Breakers>,
        account: AccountId,
        shipment: ShipmentId,
        now: Time,
    ) -> Result<Option<Probe>, Paused> {
        let mut all = self.all();
        let pause = all.get_mut(&account).and_then(|breaker| breaker.pause.as_mut());
        let Some(pause) = pause else { return Ok(None) };
        let soon = now.plus(LOOK_AGAIN);
        let until = pause.probe.map_or(pause.until, |(_, until)| until);
        if now < until {
            return Err(Paused { look_at: soon.min(until), until });
        }
        pause.probe = Some((shipment, now.plus(PROBE_MAX)));
        Ok(Some(Probe { breakers: Arc::clone(self), account, shipment }))
    }

    /// The carrier answered as a carrier does, be it with a refusal.
    pub fn worked(&self, account: AccountId) {
        let closed = self.all().remove(&account).filter(|breaker| breaker.pause.is_some());
        if let Some(breaker) = closed {
            gauge!(OPEN, "carrier" => breaker.carrier).decrement(1.0);
            tracing::info!(carrier = breaker.carrier, %account, "a carrier takes bookings again");
        }
    }

    /// The first attempt to book this shipment failed, and not by a refusal.
    pub fn failed(
        &self,
        carrier: &'static str,
        account: AccountId,
        shipment: ShipmentId,
        now: Time,
    ) {
        let mut all = self.all();
        let breaker = all.entry(account).or_insert_with(|| {
            let (failed, pause) = (Vec::new(), None);
            Breaker { carrier, failed, heard_at: now, pause }
        });
        breaker.heard_at = now;
        match &mut breaker.pause {
            Some(pause) if pause.is_tried_by(shipment) => {
                let length = (pause.length * 2).min(PAUSE_MAX);
                *pause = Pause { length, until: now.plus(length), probe: None };
            }
            // It was under way already.
            Some(_) => {}
            None if breaker.failed.contains(&shipment) => {}
            None => {
                breaker.failed.push(shipment);
                if breaker.failed.len() >= FAILURES {
                    let (length, until) = (PAUSE, now.plus(PAUSE));
                    breaker.pause = Some(Pause { length, until, probe: None });
                    gauge!(OPEN, "carrier" => carrier).increment(1.0);
                    tracing::warn!(carrier, %account, "a carrier keeps failing: bookings wait");
                }
            }
        }
    }

    /// Forgets what nothing was heard of for long.
    pub fn forget(&self, now: Time) {
        self.all().retain(|_, breaker| {
            let is_kept = now.since(breaker.heard_at) < FORGOTTEN;
            if !is_kept && breaker.pause.is_some() {
                gauge!(OPEN, "carrier" => breaker.carrier).decrement(1.0);
            }
            is_kept
        });
    }

    fn all(&self) -> MutexGuard<'_, HashMap<AccountId, Breaker>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Pause {
    fn is_tried_by(&self, shipment: ShipmentId) -> bool {
        self.probe.is_some_and(|(probe, _)| probe == shipment)
    }
}

impl Drop for Probe {
    /// Nothing may have been learnt: then another one tries.
    fn drop(&mut self) {
        let mut all = self.breakers.all();
        let pause = all.get_mut(&self.account).and_then(|breaker| breaker.pause.as_mut());
        if let Some(pause) = pause.filter(|pause| pause.is_tried_by(self.shipment)) {
            pause.probe = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    const ACCOUNT: AccountId = AccountId(Uuid::nil());

    fn shipment(number: u128) -> ShipmentId {
        ShipmentId(Uuid::from_u128(number))
    }

    fn at(seconds: i64) -> Time {
        Time(seconds * 1_000_000)
    }

    fn fail(breakers: &Breakers, number: u128, seconds: i64) {
        breakers.failed("sandbox", ACCOUNT, shipment(number), at(seconds));
    }

    /// When a shipment that is not let through asks again, and until when the pause is.
    fn waits(breakers: &Arc<Breakers>, number: u128, seconds: i64) -> (Time, Time) {
        let entered = breakers.enter(ACCOUNT, shipment(number), at(seconds));
        entered.err().map(|it| (it.look_at, it.until)).unwrap()
    }

    fn opened() -> Arc<Breakers> {
        let breakers = Arc::new(Breakers::default());
        (1..=5).for_each(|number| fail(&breakers, number, 0));
        breakers
    }

    #[test]
    fn five_different_shipments_in_a_row_open_it() {
        let breakers = Breakers::default();
        for number in [1, 2, 3, 4, 4, 4] {
            fail(&breakers, number, 0);
        }
        assert!(!breakers.is_open(ACCOUNT));
        breakers.worked(ACCOUNT);
        (5..9).for_each(|number| fail(&breakers, number, 0));
        assert!(!breakers.is_open(ACCOUNT), "one that worked begins the row anew");
        fail(&breakers, 9, 0);
        assert!(breakers.is_open(ACCOUNT));
        assert!(!breakers.is_open(AccountId(Uuid::max())));
    }

    #[test]
    fn after_each_pause_one_is_let_through_and_the_pauses_double_up_to_a_minute() {
        let breakers = opened();
        let mut now = 0;
        for pause in [10, 20, 40, 60, 60] {
            let end = at(now + pause);
            assert_eq!(waits(&breakers, 6, now + pause - 1), (end, end));
            assert_eq!(waits(&breakers, 6, now), (at(now + 5), end));
            now += pause;
            let probe = breakers.enter(ACCOUNT, shipment(6), at(now)).unwrap();
            assert!(probe.is_some());
            assert_eq!(waits(&breakers, 7, now), (at(now + 5), at(now + 30)));
            fail(&breakers, 8, now);
            fail(&breakers, 6, now);
        }
    }

    #[test]
    fn one_that_hangs_is_not_waited_for_too_long() {
        let breakers = opened();
        let _hangs = breakers.enter(ACCOUNT, shipment(6), at(10)).unwrap();
        assert_eq!(waits(&breakers, 7, 39), (at(40), at(40)));
        assert!(breakers.enter(ACCOUNT, shipment(7), at(40)).unwrap().is_some());
    }

    #[test]
    fn one_that_works_lets_all_through_and_one_that_learnt_nothing_lets_another_try() {
        let breakers = opened();
        drop(breakers.enter(ACCOUNT, shipment(6), at(10)).unwrap());
        let probe = breakers.enter(ACCOUNT, shipment(7), at(10)).unwrap();
        breakers.worked(ACCOUNT);
        drop(probe);
        assert!(breakers.enter(ACCOUNT, shipment(8), at(10)).unwrap().is_none());
    }

    #[test]
    fn what_nothing_was_heard_of_is_forgotten() {
        let breakers = opened();
        breakers.forget(at(599));
        assert!(breakers.is_open(ACCOUNT));
        breakers.forget(at(600));
        assert!(!breakers.is_open(ACCOUNT));
    }
}
