//! Who holds how many connections. When there are too many, one on which nothing is under way makes
//! room: the oldest of the address that holds most. So nobody can keep others out by holding
//! connections, from however many addresses, and no request is cut off.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::Instant;

use crate::proxies::network;

/// The last bytes of an answer need a moment after it was handed over.
const MOMENT: Duration = Duration::from_secs(1);
/// Whoever has just come sends a request by then.
const FRESH: Duration = Duration::from_millis(250);

/// In place of a number of requests: the connection is to be closed.
const CLOSED: usize = usize::MAX;

/// All slots.
#[derive(Clone)]
pub struct ConnectionSlots(Arc<Inner>);

struct Inner {
    in_all: usize,
    per_address: usize,
    held: Mutex<Held>,
    freed: Notify,
}

#[derive(Default)]
struct Held {
    count: usize,
    next: u64,
    by_address: HashMap<IpAddr, BTreeMap<u64, Arc<Usage>>>,
    /// How many each address holds, the most last.
    counts: BTreeSet<(usize, IpAddr)>,
}

/// Why there is no slot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refused {
    /// Its address holds too many, and all of them are in use.
    Address,
    /// All slots are in use.
    All,
}

impl ConnectionSlots {
    /// So many slots in all, and so many for one address.
    pub fn new(in_all: usize, per_address: usize) -> ConnectionSlots {
        let (held, freed) = (Mutex::default(), Notify::new());
        ConnectionSlots(Arc::new(Inner { in_all, per_address, held, freed }))
    }

    /// A slot for a connection from this address, or from this network of IPv6.
    pub fn take(&self, address: IpAddr) -> Result<ConnectionSlot, Refused> {
        let address = network(address);
        let mut held = self.held();
        if held.count_of(address) >= self.0.per_address && !held.close_one_of(address) {
            return Err(Refused::Address);
        }
        if held.count >= self.0.in_all && !held.close_one() {
            return Err(Refused::All);
        }
        let (number, usage) = held.add(address);
        Ok(ConnectionSlot { slots: self.clone(), address, number, usage })
    }

    /// Closes a connection on which nothing is under way, for when there are no files left.
    pub fn make_room(&self) -> bool {
        self.held().close_one()
    }

    /// Closes all on which nothing was ever sent, because the server stops.
    pub fn close_silent(&self) {
        let held = self.held();
        let all = held.by_address.values().flat_map(BTreeMap::values);
        all.filter(|usage| usage.is_silent.load(Ordering::Relaxed)).for_each(|usage| {
            usage.closed.notify_one();
        });
    }

    /// Waits until somebody gives a slot back, or a while.
    pub async fn freed(&self) {
        let _either = tokio::time::timeout(MOMENT / 10, self.0.freed.notified()).await;
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        self.0.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Held {
    fn count_of(&self, address: IpAddr) -> usize {
        self.by_address.get(&address).map_or(0, BTreeMap::len)
    }

    fn add(&mut self, address: IpAddr) -> (u64, Arc<Usage>) {
        let (number, usage) = (self.next, Arc::new(Usage::new()));
        (self.next, self.count) = (number + 1, self.count + 1);
        let all = self.by_address.entry(address).or_default();
        self.counts.remove(&(all.len(), address));
        all.insert(number, usage.clone());
        self.counts.insert((all.len(), address));
        (number, usage)
    }

    /// Closes one of the address that holds most, or else of the next that has one.
    fn close_one(&mut self) -> bool {
        let most = self.counts.last().map(|(_, address)| *address);
        if most.is_some_and(|address| self.close_one_of(address)) {
            return true;
        }
        let others: Vec<(usize, IpAddr)> = self.counts.iter().rev().skip(1).copied().collect();
        others.into_iter().any(|(_, address)| self.close_one_of(address))
    }

    /// Closes the oldest connection of this address on which nothing is under way.
    fn close_one_of(&mut self, address: IpAddr) -> bool {
        let Some(all) = self.by_address.get(&address) else { return false };
        let now = Instant::now();
        let found = all.iter().find(|(_, usage)| usage.close(now)).map(|(number, _)| *number);
        found.is_some_and(|number| self.remove(address, number))
    }

    fn remove(&mut self, address: IpAddr, number: u64) -> bool {
        let Some(all) = self.by_address.get_mut(&address) else { return false };
        let before = all.len();
        if all.remove(&number).is_none() {
            return false;
        }
        self.counts.remove(&(before, address));
        if all.is_empty() {
            self.by_address.remove(&address);
        } else {
            self.counts.insert((before - 1, address));
        }
        self.count -= 1;
        true
    }
}

/// The slot of a connection. It is given back at its end.
pub struct ConnectionSlot {
    slots: ConnectionSlots,
    address: IpAddr,
    number: u64,
    usage: Arc<Usage>,
}

impl ConnectionSlot {
    /// What is under way on the connection.
    pub fn usage(&self) -> Arc<Usage> {
        self.usage.clone()
    }
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        self.slots.held().remove(self.address, self.number);
        self.slots.0.freed.notify_one();
    }
}

/// What is under way on a connection.
pub struct Usage {
    requests: AtomicUsize,
    is_silent: AtomicBool,
    idle_since: Mutex<Instant>,
    closed: Notify,
}

impl Usage {
    fn new() -> Usage {
        let (requests, closed, now) = (AtomicUsize::new(0), Notify::new(), Instant::now());
        let idle_since = Mutex::new(now.checked_sub(MOMENT - FRESH).unwrap_or(now));
        Usage { requests, is_silent: AtomicBool::new(true), idle_since, closed }
    }

    /// Something was sent.
    pub fn speak(&self) {
        self.is_silent.store(false, Ordering::Relaxed);
    }

    /// A request begins; nothing when the connection is to be closed.
    pub fn begin(self: &Arc<Usage>) -> Option<UnderWay> {
        let more = |count: usize| (count != CLOSED).then(|| count + 1);
        let begun = self.requests.fetch_update(Ordering::AcqRel, Ordering::Acquire, more);
        begun.is_ok().then(|| UnderWay(self.clone()))
    }

    /// Waits until the connection is to be closed.
    pub async fn closed(&self) {
        self.closed.notified().await;
    }

    fn idle_since(&self) -> MutexGuard<'_, Instant> {
        self.idle_since.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Has it closed if nothing is under way.
    fn close(&self, now: Instant) -> bool {
        if now.saturating_duration_since(*self.idle_since()) < MOMENT {
            return false;
        }
        let closed = self.requests.compare_exchange(0, CLOSED, Ordering::AcqRel, Ordering::Acquire);
        if closed.is_ok() {
            self.closed.notify_one();
        }
        closed.is_ok()
    }
}

/// A request that is under way.
pub struct UnderWay(Arc<Usage>);

impl Drop for UnderWay {
    fn drop(&mut self) {
        *self.0.idle_since() = Instant::now();
        self.0.requests.fetch_sub(1, Ordering::AcqRel);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(last: u8) -> IpAddr {
        IpAddr::from([127, 0, 0, last])
    }

    fn grow_old(slot: &ConnectionSlot) {
        *slot.usage.idle_since() -= MOMENT;
    }

    #[test]
    fn an_address_gets_its_slots_back() {
        let slots = ConnectionSlots::new(100, 2);
        let held = [slots.take(address(1)).unwrap(), slots.take(address(1)).unwrap()];
        assert_eq!(slots.take(address(1)).err(), Some(Refused::Address));
        assert!(slots.take(address(2)).is_ok());
        drop(held);
        assert!(slots.take(address(1)).is_ok());
    }

    #[test]
    fn a_network_of_ipv6_has_the_slots_of_one_address() {
        let slots = ConnectionSlots::new(100, 2);
        let six = |last: u16| IpAddr::from([0x2001, 0xdb8, 0, 7, 0, 0, 0, last]);
        let _held = [slots.take(six(1)).unwrap(), slots.take(six(2)).unwrap()];
        assert_eq!(slots.take(six(3)).err(), Some(Refused::Address));
        assert!(slots.take("2001:db8:0:8::1".parse().unwrap()).is_ok());
        assert!(slots.take("::ffff:127.0.0.1".parse().unwrap()).is_ok());
    }

    #[tokio::test]
    async fn who_holds_most_makes_room_with_its_oldest_connection_that_is_not_in_use() {
        let slots = ConnectionSlots::new(4, 4);
        let lone = slots.take(address(1)).unwrap();
        let many: Vec<ConnectionSlot> = (0..3).map(|_| slots.take(address(2)).unwrap()).collect();
        let _under_way = many[0].usage().begin().unwrap();
        many.iter().for_each(grow_old);
        let _fifth = slots.take(address(3)).unwrap();
        many[1].usage().closed().await;
        assert!(many[1].usage().begin().is_none());
        assert!(lone.usage().begin().is_some() && many[2].usage().begin().is_some());
    }

    #[test]
    fn a_connection_that_is_in_use_or_was_just_now_is_not_closed() {
        let slots = ConnectionSlots::new(1, 1);
        let slot = slots.take(address(1)).unwrap();
        let under_way = slot.usage().begin().unwrap();
        grow_old(&slot);
        assert_eq!(slots.take(address(2)).err(), Some(Refused::All));
        drop(under_way);
        assert_eq!(slots.take(address(2)).err(), Some(Refused::All));
        grow_old(&slot);
        let second = slots.take(address(2)).unwrap();
        // The first one is given back late, and counts only once.
        drop(slot);
        assert_eq!(slots.held().count, 1);
        drop(second);
        assert!(slots.held().count == 0);
        assert!(slots.held().by_address.is_empty() && slots.held().counts.is_empty());
    }
}
