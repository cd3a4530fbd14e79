//! How many bytes requests and answers may hold at once: in all, and for one caller. Without it a
//! few who send half a body, or read no answer, take all memory there is.

use std::collections::HashMap;
use std::convert::Infallible;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http_body_util::Full;
use hyper::body::{Body, Frame, SizeHint};
use tokio::sync::Notify;

/// What is smaller is not counted: open connections bound it.
pub const SMALL: usize = 16 * 1024;

/// Bytes that may be held.
pub struct Memory {
    total_max: usize,
    each_max: usize,
    held: Mutex<Held>,
    freed: Notify,
}

#[derive(Default)]
struct Held {
    total: usize,
    by_caller: HashMap<IpAddr, usize>,
}

/// Bytes that are held until this is dropped.
pub struct Share {
    memory: Arc<Memory>,
    caller: IpAddr,
    bytes: usize,
}

impl Memory {
    /// So many bytes in all, of which one caller may hold so many.
    pub fn new(total_max: usize, each_max: usize) -> Arc<Memory> {
        let (held, freed) = (Mutex::default(), Notify::new());
        Arc::new(Memory { total_max, each_max, held, freed })
    }

    /// Holds so many bytes for this caller, when there is room. Who holds nothing may have any
    /// number, else what is larger than the bound could never be had.
    pub fn take(self: &Arc<Memory>, caller: IpAddr, bytes: usize) -> Option<Share> {
        let mut held = self.held();
        let of_caller = held.by_caller.get(&caller).copied().unwrap_or(0);
        let fits = |held: usize, max: usize| held == 0 || held + bytes <= max;
        if !fits(of_caller, self.each_max) || !fits(held.total, self.total_max) {
            return None;
        }
        held.total += bytes;
        held.by_caller.insert(caller, of_caller + bytes);
        Some(Share { memory: Arc::clone(self), caller, bytes })
    }

    /// The same, and waits a while for room.
    pub async fn wait_for(
        self: &Arc<Memory>,
        caller: IpAddr,
        bytes: usize,
        timeout: Duration,
    ) -> Option<Share> {
        let wait = async {
            loop {
                let freed = self.freed.notified();
                if let Some(share) = self.take(caller, bytes) {
                    return share;
                }
                freed.await;
            }
        };
        tokio::time::timeout(timeout, wait).await.ok()
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Share {
    /// A body of these bytes that holds them until it is sent.
    pub fn with(self, bytes: Bytes) -> Kept {
        Kept { bytes: Full::new(bytes), _share: self }
    }
}

/// A body with its share.
pub struct Kept {
    bytes: Full<Bytes>,
    _share: Share,
}

impl Body for Kept {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Pin::new(&mut self.bytes).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.bytes.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.bytes.size_hint()
    }
}

impl std::fmt::Debug for Share {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} bytes of {}", self.bytes, self.caller)
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        let mut held = self.memory.held();
        held.total -= self.bytes;
        if let Some(of_caller) = held.by_caller.get_mut(&self.caller) {
            *of_caller -= self.bytes;
            if *of_caller == 0 {
                held.by_caller.remove(&self.caller);
            }
        }
        drop(held);
        self.memory.freed.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(127, 0, 0, 1));
    const OTHER: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(127, 0, 0, 2));

    #[test]
    fn one_caller_leaves_room_for_the_others() {
        let memory = Memory::new(100, 40);
        let held = memory.take(ONE, 40);
        assert!(held.is_some() && memory.take(ONE, 1).is_none());
        let other = memory.take(OTHER, 30);
        assert!(other.is_some());
        drop(held);
        assert!(memory.take(ONE, 40).is_some());
        let all: Vec<Share> = (0..4_u8)
            .filter_map(|number| memory.take(IpAddr::from([10, 0, 0, number]), 30))
            .collect();
        assert_eq!(all.len(), 2, "the bound in all");
    }

    #[test]
    fn what_is_larger_than_every_bound_is_had_alone() {
        let memory = Memory::new(100, 40);
        let large = memory.take(ONE, 1000);
        assert!(large.is_some() && memory.take(OTHER, 1).is_none());
    }

    #[tokio::test]
    async fn who_waits_gets_what_others_let_go() {
        let memory = Memory::new(100, 40);
        let held = memory.take(ONE, 40);
        let soon = Duration::from_millis(20);
        assert!(memory.wait_for(ONE, 40, soon).await.is_none());
        let patient = Arc::clone(&memory);
        let waiting =
            tokio::spawn(async move { patient.wait_for(ONE, 40, Duration::from_mins(1)).await });
        tokio::time::sleep(soon).await;
        drop(held);
        assert!(waiting.await.unwrap().is_some());
    }
}
