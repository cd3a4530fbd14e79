//! Frames of HTTP/2 that ask for nothing, such as pings and priorities, cost a peer next to nothing
//! and us some work each. A peer may send some at once and a few all the time; whoever sends more
//! means no good, and its connection ends.

use std::time::Duration;

use tokio::time::Instant;

const HEAD: usize = 9;
const DATA: u8 = 0;
const HEADERS: u8 = 1;
const CONTINUATION: u8 = 9;
/// Data in smaller pieces than this counts too.
const PIECE_MIN: usize = 64;

/// One is free so often. A large answer is confirmed in a few hundred.
const PACE: Duration = Duration::from_millis(5);
/// And so many at once.
const BURST: u32 = 5000;

/// Follows the frames that one peer sends.
pub struct Frames {
    head: [u8; HEAD],
    /// How much of the head has come.
    seen: usize,
    /// How much of the frame behind it is still to come.
    left: usize,
    /// When all that has come would have come at the usual pace.
    paid_until: Option<Instant>,
}

impl Frames {
    /// For a connection that has just begun.
    pub fn new() -> Frames {
        Frames { head: [0; HEAD], seen: 0, left: 0, paid_until: None }
    }

    /// Takes the bytes that come next. False when there were too many idle frames.
    pub fn pass(&mut self, mut bytes: &[u8]) -> bool {
        let now = Instant::now();
        while !bytes.is_empty() {
            if self.left > 0 {
                let taken = self.left.min(bytes.len());
                (self.left, bytes) = (self.left - taken, &bytes[taken..]);
                continue;
            }
            let taken = (HEAD - self.seen).min(bytes.len());
            self.head[self.seen..self.seen + taken].copy_from_slice(&bytes[..taken]);
            (self.seen, bytes) = (self.seen + taken, &bytes[taken..]);
            if self.seen == HEAD && !self.begin(now) {
                return false;
            }
        }
        true
    }

    /// A frame begins. False when it is one too many.
    fn begin(&mut self, now: Instant) -> bool {
        let [high, middle, low, kind, ..] = self.head;
        self.left = usize::from(high) << 16 | usize::from(middle) << 8 | usize::from(low);
        self.seen = 0;
        match kind {
            HEADERS | CONTINUATION => return true,
            DATA if self.left >= PIECE_MIN => return true,
            _ => {}
        }
        let paid = self.paid_until.map_or(now, |paid| paid.max(now)) + PACE;
        self.paid_until = Some(paid);
        paid.duration_since(now) <= PACE * BURST
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PING: u8 = 6;

    fn frame(kind: u8, length: usize) -> Vec<u8> {
        let size = u32::try_from(length).unwrap().to_be_bytes();
        let head = [size[1], size[2], size[3], kind, 0, 0, 0, 0, 0];
        [&head[..], &vec![0; length]].concat()
    }

    #[test]
    fn some_pings_are_taken_at_once_however_they_are_cut_and_no_more() {
        for part in [1, 7, 17, 16_384] {
            let sent = frame(PING, 8).repeat(BURST as usize);
            let mut frames = Frames::new();
            assert!(sent.chunks(part).all(|part| frames.pass(part)), "{part}");
            // Time has passed meanwhile, and some are free again.
            assert!(!frames.pass(&frame(PING, 8).repeat(BURST as usize)), "{part}");
        }
    }

    #[test]
    fn requests_and_their_bodies_are_not_counted_but_crumbs_are() {
        let mut frames = Frames::new();
        let useful = [frame(HEADERS, 30), frame(DATA, 1000), frame(CONTINUATION, 5)].concat();
        assert!((0..20_000).all(|_| frames.pass(&useful)));
        assert!(!(0..20_000).all(|_| frames.pass(&frame(DATA, 1))));
    }

    #[test]
    fn a_few_may_be_sent_all_the_time() {
        let mut frames = Frames::new();
        for _ in 0..20_000 {
            assert!(frames.pass(&frame(PING, 8)));
            frames.paid_until = frames.paid_until.map(|paid| paid - PACE);
        }
    }
}
