//! Where the time comes from, and why it never goes back.
//!
//! Rows are listed by it, buckets refill by it, and an alarm that was set for a moment ago must not
//! come to lie hours ahead: so no process tells a time before one that it has told. When the
//! system's clock is set back, the time here goes on at half its pace until the system's has caught
//! up. It does not stand still, because leases, retries and rates wait for it. A jump forward is
//! followed at once: it breaks no order, and what is due early is only looked at early.
//!
//! Servers that share a database go by the clock of the database, whatever their own says: a
//! deadline that one of them has set is another's to keep.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use waybill_domain::time::{Clock, Time};
use waybill_store::{Error, Store};

/// How often the database is asked for its time.
const FOLLOW_PERIOD: Duration = Duration::from_secs(10);
/// An answer that took longer says too little about the time.
const ANSWER_MAX: Duration = Duration::from_secs(1);

/// A start asks so often for an answer that is exact.
const TRIES_MAX: usize = 5;
/// An answer is exact when it took no longer than this.
const EXACT: Duration = Duration::from_millis(10);

/// A clock that is ahead by no more than this, and a hundredth of what has passed, has not jumped.
const TOLERANCE: Duration = Duration::from_millis(100);

/// What the system's two clocks say: the wall clock and the one that never jumps.
type Source = Box<dyn Fn() -> (Time, Duration) + Send + Sync>;

/// The system's clocks.
pub struct SystemClock {
    source: Source,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// What a shared database has said about its time.
    shared: Option<Answer>,
    /// The last time that was told and was true, and when that was.
    told: Option<(Time, Duration)>,
    steady: Option<Steady>,
}

/// The time of a shared database.
#[derive(Clone, Copy)]
struct Answer {
    time: Time,
    /// How old this process was then.
    at: Duration,
    /// By how much that may be wrong: on a busy machine an answer is long on its way.
    error: Duration,
}

impl Answer {
    fn now(&self, up: Duration) -> Time {
        self.time.plus(up.saturating_sub(self.at))
    }

    /// Whether both cannot be true, because the database's clock was set in between.
    fn contradicts(&self, earlier: &Answer) -> bool {
        let expected = earlier.now(self.at);
        let apart = self.time.since(expected).max(expected.since(self.time));
        apart > self.error + earlier.error
    }
}

/// A time in which the clock went no faster than time goes.
#[derive(Clone, Copy)]
struct Steady {
    since: Time,
    /// What was told when the clock was furthest behind, and when that was. Whoever has gone at
    /// half the pace for a while may not make up for it at once.
    slowest: (Time, Duration),
}

impl Steady {
    /// The same time going on, or another one that begins now.
    fn go_on(self, time: Time, up: Duration) -> Steady {
        let (slowest, at) = self.slowest;
        let passed = up.saturating_sub(at);
        if time <= slowest.plus(passed) {
            return Steady { slowest: (time, up), ..self };
        }
        match time <= slowest.plus(passed + passed / 100 + TOLERANCE) {
            true => self,
            false => Steady { since: time, slowest: (time, up) },
        }
    }
}

impl State {
    /// Between two answers of a shared database the time goes on by the clock that never jumps:
    /// the system's own may be set meanwhile.
    fn truth(&self, wall: Time, up: Duration) -> Time {
        self.shared.map_or(wall, |answer| answer.now(up))
    }

    /// Believes an answer that is at least as exact as the one before, or shows it to be wrong. A
    /// process that believed every slow answer would be apart from the one that it takes over from.
    fn learn(&mut self, answer: Answer) {
        let is_better = |known: &Answer| answer.error <= known.error || answer.contradicts(known);
        if self.shared.as_ref().is_none_or(is_better) {
            self.shared = Some(answer);
        }
    }
}

impl SystemClock {
    /// A clock whose monotonic time begins now.
    #[expect(clippy::disallowed_methods, reason = "this is where time comes from")]
    pub fn start() -> SystemClock {
        let started = Instant::now();
        SystemClock::reading(move || {
            let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
            let micros = i64::try_from(since.as_micros()).unwrap_or(i64::MAX);
            (Time(micros), started.elapsed())
        })
    }

    /// A clock of a system whose own clocks are these.
    pub fn reading(source: impl Fn() -> (Time, Duration) + Send + Sync + 'static) -> SystemClock {
        SystemClock { source: Box::new(source), state: Mutex::default() }
    }

    /// Goes by the clock of a database that is shared, from the first moment on. What was told
    /// before is forgotten: it was not written anywhere yet.
    pub async fn begin_with(&self, store: &Store) -> Result<(), Error> {
        if store.is_shared() {
            for _ in 0..TRIES_MAX {
                if self.compare(store).await? <= EXACT {
                    break;
                }
            }
            self.with(|state| (state.told, state.steady) = (None, None));
        }
        Ok(())
    }

    /// Goes on by the clock of a shared database, for as long as somebody polls this.
    pub async fn follow(self: Arc<Self>, store: Store) {
        while store.is_shared() {
            tokio::time::sleep(FOLLOW_PERIOD).await;
            // While the database is away, the time goes on without it.
            if let Err(error) = self.compare(&store).await {
                tracing::debug!(%error, "the database was not asked for its time");
            }
        }
    }

    /// Compares with the database's clock; how long the answer took.
    async fn compare(&self, store: &Store) -> Result<Duration, Error> {
        let (asked, before) = (self.source)();
        let theirs = store.read(move |tx| tx.now(asked)).await?;
        let took = (self.source)().1.saturating_sub(before);
        if took <= ANSWER_MAX {
            let answer = Answer { time: theirs, at: before + took / 2, error: took / 2 };
            self.with(|state| state.learn(answer));
        }
        Ok(took)
    }

    /// Tells the time, and notes when it has jumped.
    fn tell(&self, state: &mut State) -> Time {
        let (wall, up) = (self.source)();
        let truth = state.truth(wall, up);
        let least = state.told.map(|(told, at)| told.plus(up.saturating_sub(at) / 2));
        let time = match least {
            Some(least) if least > truth => least,
            _ => {
                state.told = Some((truth, up));
                truth
            }
        };
        let first = Steady { since: time, slowest: (time, up) };
        state.steady = Some(state.steady.map_or(first, |steady| steady.go_on(time, up)));
        time
    }

    fn with<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        change(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Clock for SystemClock {
    fn now(&self) -> Time {
        self.with(|state| self.tell(state))
    }

    fn wall(&self) -> Time {
        let (wall, up) = (self.source)();
        self.with(|state| state.truth(wall, up))
    }

    fn monotonic(&self) -> Duration {
        (self.source)().1
    }

    fn certain_since(&self, moment: Time) -> Duration {
        self.with(|state| {
            let now = self.tell(state);
            let steady = state.steady.map_or(now, |steady| steady.since);
            now.since(moment.max(steady))
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicI64, Ordering::SeqCst};

    use super::*;

    const SECOND: i64 = 1_000_000;
    const JUMPS: [i64; 2] = [3600 * SECOND, 48 * 3600 * SECOND];

    /// A clock, its wall time and how long it is up, all in microseconds.
    fn clock() -> (SystemClock, Arc<[AtomicI64; 2]>) {
        let hands = Arc::new([AtomicI64::new(1_763_000_000 * SECOND), AtomicI64::new(0)]);
        let read = hands.clone();
        let clock = SystemClock::reading(move || {
            let up = Duration::from_micros(read[1].load(SeqCst).unsigned_abs());
            (Time(read[0].load(SeqCst)), up)
        });
        (clock, hands)
    }

    fn pass(hands: &[AtomicI64; 2], micros: i64) {
        hands.iter().for_each(|hand| {
            hand.fetch_add(micros, SeqCst);
        });
    }

    #[test]
    fn time_never_goes_back_and_never_stands_still_when_the_clock_is_set_back() {
        for jump in JUMPS {
            let (clock, hands) = clock();
            let first = clock.now();
            hands[0].fetch_sub(jump, SeqCst);
            assert_eq!(clock.now(), first);
            assert_eq!(clock.wall(), Time(first.0 - jump), "others have clocks of their own");
            for _ in 0..10_000 {
                pass(&hands, 1);
                clock.now();
            }
            assert_eq!(clock.now(), Time(first.0 + 5_000));
            pass(&hands, 2 * jump);
            assert_eq!(clock.now(), clock.wall(), "it was caught up with");
        }
    }

    #[test]
    fn a_jump_forward_is_followed_at_once() {
        for jump in JUMPS {
            let (clock, hands) = clock();
            let first = clock.now();
            hands[0].fetch_add(jump, SeqCst);
            assert_eq!(clock.now(), Time(first.0 + jump));
        }
    }

    #[test]
    fn what_a_jump_adds_has_not_passed_for_certain() {
        for jump in JUMPS {
            let (clock, hands) = clock();
            let first = clock.now();
            pass(&hands, 10 * SECOND);
            assert_eq!(clock.certain_since(first), Duration::from_secs(10));
            hands[0].fetch_add(jump, SeqCst);
            assert_eq!(clock.certain_since(first), Duration::ZERO);
            pass(&hands, SECOND);
            assert_eq!(clock.certain_since(first), Duration::from_secs(1));
            hands[0].fetch_sub(jump, SeqCst);
            pass(&hands, SECOND);
            assert_eq!(clock.certain_since(first), Duration::from_millis(1500), "at half its pace");
        }
    }

    #[test]
    fn what_a_slow_clock_makes_up_for_at_once_has_not_passed_for_certain() {
        let (clock, hands) = clock();
        clock.now();
        hands[0].fetch_sub(JUMPS[0], SeqCst);
        pass(&hands, 10 * SECOND);
        let called = clock.now();
        hands[0].fetch_add(JUMPS[0], SeqCst);
        pass(&hands, SECOND);
        assert_eq!(clock.now(), clock.wall());
        assert!(clock.certain_since(called) <= Duration::from_secs(1));
    }

    #[test]
    fn what_was_before_the_start_has_not_passed_for_certain() {
        let (clock, hands) = clock();
        let before = Time(1_762_000_000 * SECOND);
        assert_eq!(clock.certain_since(before), Duration::ZERO);
        pass(&hands, SECOND);
        assert_eq!(clock.certain_since(before), Duration::from_secs(1));
    }

    #[test]
    fn a_slow_answer_of_the_database_changes_nothing_unless_its_clock_was_set() {
        let millis = Duration::from_millis;
        let answer = |time: i64, at: u64, error: u64| Answer {
            time: Time(1_763_000_000 * SECOND + time * 1000),
            at: millis(at),
            error: millis(error),
        };
        let mut state = State::default();
        let told = |state: &State| state.truth(Time(0), millis(20_000)).0 / 1000 % 1_000_000_000;
        state.learn(answer(0, 0, 400));
        state.learn(answer(1_300, 1_000, 5));
        let exact = told(&state);
        // It was on its way back for most of the time.
        state.learn(answer(10_900, 11_000, 490));
        assert_eq!(told(&state), exact);
        state.learn(answer(11_301, 11_000, 5));
        assert_eq!(told(&state), exact + 1, "just as exact, and newer");
        state.learn(answer(3_611_000, 11_000, 490));
        assert_eq!(told(&state), exact + 3_599_700, "it was set an hour ahead");
    }

    #[test]
    fn a_second_back_is_caught_up_with_in_two() {
        let (clock, hands) = clock();
        clock.now();
        hands[0].fetch_sub(SECOND, SeqCst);
        pass(&hands, 2 * SECOND);
        assert_eq!(clock.now(), clock.wall());
    }
}
