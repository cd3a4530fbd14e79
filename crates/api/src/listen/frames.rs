//! Frames of HTTP/2 that ask for nothing, such as pings and priorities, cost a peer next to nothing
//! and us some work each. A peer may send some at once, a few all the time, and some more with each
//! request. The connection of one that sends more is closed.

use std::time::Duration;

use tokio::time::Instant;

const HEAD: usize = 9;
const DATA: u8 = 0;
const HEADERS: u8 = 1;
const WINDOW_UPDATE: u8 = 8;
const CONTINUATION: u8 = 9;
/// What a frame that gives us more to send says: how much.
const INCREMENT: usize = 4;
/// Data in smaller pieces than this counts too.
const PIECE_MIN: usize = 64;
/// So does leave to send less than this. Usual clients give it for 4 KiB and more.
const INCREMENT_MIN: u32 = 1024;

/// One is free so often.
const PACE: Duration = Duration::from_millis(5);
/// And so many at once.
const BURST: u32 = 500;
/// And so many with a request: the end of its body, leave to answer, a reset.
const WITH_REQUEST: u32 = 4;

/// Follows the frames that one peer sends.
pub struct Frames {
    /// The head of a frame, and the increment if it has one.
    head: [u8; HEAD + INCREMENT],
    /// How much of that has come.
    seen: usize,
    /// How much of the frame behind it is still to come.
    left: usize,
    /// When all that has come would have come at the usual pace.
    paid_until: Option<Instant>,
}

impl Frames {
    /// For a connection that has just begun.
    pub fn new() -> Frames {
        Frames { head: [0; HEAD + INCREMENT], seen: 0, left: 0, paid_until: None }
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
            let wanted = if self.seen < HEAD { HEAD } else { HEAD + INCREMENT };
            let taken = (wanted - self.seen).min(bytes.len());
            self.head[self.seen..self.seen + taken].copy_from_slice(&bytes[..taken]);
            (self.seen, bytes) = (self.seen + taken, &bytes[taken..]);
            if self.is_head_whole() && !self.begin(now) {
                return false;
            }
        }
        true
    }

    fn kind(&self) -> u8 {
        self.head[3]
    }

    fn length(&self) -> usize {
        let [high, middle, low, ..] = self.head;
        usize::from(high) << 16 | usize::from(middle) << 8 | usize::from(low)
    }

    fn is_head_whole(&self) -> bool {
        let has_increment = self.kind() == WINDOW_UPDATE && self.length() == INCREMENT;
        self.seen == if self.seen >= HEAD && has_increment { HEAD + INCREMENT } else { HEAD }
    }

    /// A frame begins. False when it is one too many.
    fn begin(&mut self, now: Instant) -> bool {
        self.left = HEAD + self.length() - self.seen;
        self.seen = 0;
        let paid = self.paid_until.map_or(now, |paid| paid.max(now));
        let [.., a, b, c, d] = self.head;
        match self.kind() {
            HEADERS => {
                self.paid_until = paid.checked_sub(PACE * WITH_REQUEST);
                true
            }
            CONTINUATION => true,
            DATA if self.left >= PIECE_MIN => true,
            WINDOW_UPDATE if u32::from_be_bytes([a, b, c, d]) >= INCREMENT_MIN => true,
            _ => {
                self.paid_until = Some(paid + PACE);
                paid + PACE <= now + PACE * BURST
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RESET: u8 = 3;
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
    fn requests_and_their_bodies_are_not_counted_but_tiny_pieces_are() {
        let mut frames = Frames::new();
        let useful = [frame(HEADERS, 30), frame(DATA, 1000), frame(CONTINUATION, 5)].concat();
        assert!((0..20_000).all(|_| frames.pass(&useful)));
        assert!(!(0..20_000).all(|_| frames.pass(&frame(DATA, 1))));
    }

    #[test]
    fn leave_to_send_much_is_not_counted_and_leave_to_send_a_byte_is() {
        let mut frames = Frames::new();
        let update = |by: u32| {
            let head = [0, 0, 4, WINDOW_UPDATE, 0, 0, 0, 0, 0];
            [&head[..], &by.to_be_bytes()].concat()
        };
        assert!((0..20_000).all(|_| update(4096).chunks(5).all(|part| frames.pass(part))));
        assert!(!(0..20_000).all(|_| frames.pass(&update(1))));
    }

    #[test]
    fn each_request_may_have_a_small_body_and_some_frames_of_its_own() {
        let mut frames = Frames::new();
        let request = [frame(HEADERS, 30), frame(DATA, 2), frame(DATA, 0), frame(RESET, 4)];
        assert!((0..20_000).all(|_| frames.pass(&request.concat())));
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
