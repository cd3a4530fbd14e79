//! Whether a caller has taken an answer. That all of it was handed to the system says little: it
//! keeps what a caller who is gone will never read. What comes back tells: the next request on the
//! connection, its orderly end, or that the caller's system has all of it and the connection still
//! holds a while later. A caller that goes away in the middle ends it otherwise.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What is done once an answer was taken. It travels with the response, and clones are one.
#[derive(Clone)]
pub struct WhenTaken(Arc<Mutex<Option<Act>>>);

type Act = Box<dyn FnOnce() + Send + Sync>;

impl WhenTaken {
    /// Does this, once at most.
    pub fn new(act: impl FnOnce() + Send + Sync + 'static) -> WhenTaken {
        WhenTaken(Arc::new(Mutex::new(Some(Box::new(act)))))
    }

    /// It was taken.
    pub fn tell(&self) {
        let act = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(act) = act {
            act();
        }
    }
}

impl fmt::Debug for WhenTaken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WhenTaken")
    }
}

/// Answers of one connection that somebody wants to know the fate of.
#[derive(Clone, Default)]
pub struct Untaken(Arc<Mutex<Waiting>>);

#[derive(Default)]
struct Waiting {
    /// Handed over to their last byte.
    handed_over: Vec<Answer>,
    /// And given to the system.
    sent: Vec<Answer>,
    /// And something came after that, which may be the next request.
    followed: Vec<Answer>,
    /// How many answers there were.
    count: u64,
}

struct Answer {
    when_taken: WhenTaken,
    /// Its place among those of the connection.
    number: u64,
    /// Whether others share its connection: then only the end of that tells.
    is_stream: bool,
}

impl Untaken {
    /// The last byte of an answer was handed to the library.
    pub fn hand_over(&self, when_taken: WhenTaken, is_stream: bool) {
        let mut waiting = self.waiting();
        waiting.count += 1;
        let number = waiting.count;
        waiting.handed_over.push(Answer { when_taken, number, is_stream });
    }

    /// All that was handed to the library was given to the system. The number of the last answer of
    /// which that is new.
    pub fn note_sent(&self) -> Option<u64> {
        let mut waiting = self.waiting();
        let handed_over = std::mem::take(&mut waiting.handed_over);
        let last = handed_over.last().map(|answer| answer.number);
        waiting.sent.extend(handed_over);
        last
    }

    /// The caller's system has all answers up to this number, and the connection holds.
    pub fn note_arrived(&self, last: u64) {
        let arrived: Vec<Answer> = {
            let mut waiting = self.waiting();
            let Waiting { sent, followed, .. } = &mut *waiting;
            let has_arrived = |answer: &mut Answer| answer.number <= last;
            let sent = sent.extract_if(.., has_arrived);
            sent.chain(followed.extract_if(.., has_arrived)).collect()
        };
        arrived.iter().for_each(|answer| answer.when_taken.tell());
    }

    /// Something comes after it. A line end alone says nothing.
    pub fn note_bytes(&self) {
        let mut waiting = self.waiting();
        if !waiting.sent.is_empty() {
            let followed: Vec<Answer> =
                waiting.sent.extract_if(.., |answer| !answer.is_stream).collect();
            waiting.followed.extend(followed);
        }
    }

    /// A request has begun: what it follows was read. One that was here before the answer is none.
    pub fn note_request(&self) {
        let followed = std::mem::take(&mut self.waiting().followed);
        followed.iter().for_each(|answer| answer.when_taken.tell());
    }

    /// The caller has come to its end.
    pub fn note_end(&self) {
        let ended = {
            let mut waiting = self.waiting();
            let mut ended = std::mem::take(&mut waiting.sent);
            ended.append(&mut waiting.followed);
            ended
        };
        ended.iter().for_each(|answer| answer.when_taken.tell());
    }

    /// The caller is gone.
    pub fn forget(&self) {
        let mut waiting = self.waiting();
        *waiting = Waiting { count: waiting.count, ..Waiting::default() };
    }

    /// Whether there is an answer that was sent and of which nothing was heard.
    pub fn is_waiting(&self) -> bool {
        let waiting = self.waiting();
        !waiting.sent.is_empty() || !waiting.followed.is_empty()
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn an_answer_is_taken_when_something_is_heard_after_all_of_it_was_sent() {
        let count = Arc::new(AtomicUsize::new(0));
        let counting = count.clone();
        let answer = WhenTaken::new(move || {
            counting.fetch_add(1, Ordering::Relaxed);
        });
        let untaken = Untaken::default();
        let hear = || {
            untaken.note_bytes();
            untaken.note_request();
        };
        untaken.note_sent();
        untaken.hand_over(answer.clone(), false);
        hear();
        assert_eq!(count.load(Ordering::Relaxed), 0, "it was not sent yet");
        untaken.note_sent();
        untaken.note_request();
        assert_eq!(count.load(Ordering::Relaxed), 0, "that request was here before");
        untaken.note_bytes();
        assert_eq!(count.load(Ordering::Relaxed), 0, "that may be no request");
        assert!(untaken.is_waiting());
        hear();
        hear();
        answer.tell();
        assert_eq!(count.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn an_answer_that_shares_its_connection_is_taken_at_the_end_of_that() {
        let is_taken = Arc::new(AtomicUsize::new(0));
        let counting = is_taken.clone();
        let act = move || {
            counting.fetch_add(1, Ordering::Relaxed);
        };
        let untaken = Untaken::default();
        untaken.hand_over(WhenTaken::new(act), true);
        untaken.note_sent();
        untaken.note_bytes();
        untaken.note_request();
        assert_eq!(is_taken.load(Ordering::Relaxed), 0, "that may be of another stream");
        untaken.note_end();
        assert_eq!(is_taken.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn an_answer_is_taken_when_it_has_arrived_on_a_line_that_holds() {
        let count = Arc::new(AtomicUsize::new(0));
        let answer = || {
            let count = Arc::clone(&count);
            WhenTaken::new(move || {
                count.fetch_add(1, Ordering::Relaxed);
            })
        };
        let untaken = Untaken::default();
        untaken.hand_over(answer(), true);
        let first = untaken.note_sent().unwrap();
        assert_eq!(untaken.note_sent(), None);
        untaken.hand_over(answer(), false);
        let second = untaken.note_sent().unwrap();
        untaken.note_arrived(first);
        assert_eq!(count.load(Ordering::Relaxed), 1, "the second may be on its way");
        untaken.note_arrived(second);
        assert_eq!(count.load(Ordering::Relaxed), 2);
        assert!(!untaken.is_waiting());
    }

    #[test]
    fn an_answer_whose_caller_is_gone_is_not_taken() {
        let untaken = Untaken::default();
        untaken.hand_over(WhenTaken::new(|| panic!("nobody has it")), false);
        untaken.note_sent();
        untaken.forget();
        untaken.note_end();
    }
}
