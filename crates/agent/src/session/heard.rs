//! When the server was heard. It takes an agent for gone that it does not hear for a while. Then
//! nothing is known there of what the agent has, until a new session tells it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use waybill_domain::printing::AGENT_SILENCE_MAX;
use waybill_domain::time::{Clock, Time};

/// A moment by both clocks: one stands still while the machine sleeps, the other one may be set.
#[derive(Clone, Copy)]
pub struct Moment(Time, Duration);

impl Moment {
    fn since(self, earlier: Moment) -> Duration {
        self.0.since(earlier.0).max(self.1.saturating_sub(earlier.1))
    }
}

/// When the server was heard.
pub struct Heard {
    clock: Arc<dyn Clock>,
    /// When the last call began that was answered, and when it was answered.
    last: Mutex<(Moment, Moment)>,
    was_silent: Notify,
}

impl Heard {
    /// It was heard just now.
    pub fn new(clock: Arc<dyn Clock>) -> Heard {
        let now = Moment(clock.now(), clock.monotonic());
        Heard { clock, last: Mutex::new((now, now)), was_silent: Notify::new() }
    }

    /// This moment.
    pub fn now(&self) -> Moment {
        Moment(self.clock.now(), self.clock.monotonic())
    }

    /// A call was answered that began then.
    pub fn answered(&self, began: Moment) {
        let mut last = self.lock();
        if began.since(last.0) >= AGENT_SILENCE_MAX {
            self.was_silent.notify_one();
        }
        let latest = if began.1 > last.0.1 { began } else { last.0 };
        *last = (latest, self.now());
    }

    /// How long ago it was heard.
    pub fn silence(&self) -> Duration {
        let (_, answered) = *self.lock();
        self.now().since(answered)
    }

    /// Done when the server is heard after it may have taken the agent for gone.
    pub async fn was_silent(&self) {
        self.was_silent.notified().await;
    }

    fn lock(&self) -> MutexGuard<'_, (Moment, Moment)> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::timeout;

    use super::*;

    /// A clock that is set by hand, in seconds.
    struct Hands(Mutex<u64>);

    impl Hands {
        fn seconds(&self) -> Duration {
            Duration::from_secs(*self.0.lock().unwrap())
        }
    }

    impl Clock for Hands {
        fn now(&self) -> Time {
            Time(0).plus(self.seconds())
        }
        fn monotonic(&self) -> Duration {
            self.seconds()
        }
    }

    #[tokio::test]
    async fn a_session_begins_again_when_no_call_was_heard_for_as_long_as_the_server_waits() {
        let hands = Arc::new(Hands(Mutex::new(0)));
        let heard = Heard::new(Arc::clone(&hands) as Arc<dyn Clock>);
        // Each call is answered after twenty seconds.
        for (begins, is_silent) in [(0, false), (44, false), (70, false), (115, true), (140, false)]
        {
            *hands.0.lock().unwrap() = begins;
            let began = heard.now();
            *hands.0.lock().unwrap() = begins + 20;
            heard.answered(began);
            let silent = timeout(Duration::ZERO, heard.was_silent()).await;
            assert_eq!(silent.is_ok(), is_silent, "{begins}");
            assert_eq!(heard.silence(), Duration::ZERO);
        }
        *hands.0.lock().unwrap() = 190;
        assert_eq!(heard.silence(), Duration::from_secs(30));
    }
}
