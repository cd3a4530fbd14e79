//! What was found out about names, for a moment: long enough that a burst of events asks once,
//! short enough that a name which moves is followed. Whoever uses an address checks it again.

use std::collections::HashMap;
use std::io;
use std::net::IpAddr;
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::Instant;

/// The addresses of a name, or why there are none.
pub type Answer = Result<Vec<IpAddr>, io::ErrorKind>;

/// How long addresses are believed.
const FOUND_LIFE: Duration = Duration::from_secs(30);
/// How long it is believed that there are none.
const FAILED_LIFE: Duration = Duration::from_secs(5);
/// So many names are remembered.
const NAMES_MAX: usize = 1000;
/// A name that took longer than this to answer may take all the time in the world next.
const SWIFT: Duration = Duration::from_secs(1);

/// What is known about names.
#[derive(Default)]
pub struct Cache {
    names: HashMap<String, Entry>,
}

#[derive(Default)]
struct Entry {
    answer: Option<(Answer, Instant)>,
    /// Whether it answered swiftly when it was last asked for.
    is_proven: bool,
    /// Those who wait, while it is being looked up.
    waiting: Option<Vec<oneshot::Sender<Answer>>>,
}

/// What is known about a name.
pub enum Known {
    /// This, and it still counts.
    Answer(Answer),
    /// It is being looked up.
    Pending,
    /// It is to be looked up.
    Nothing {
        /// Whether it answered swiftly when it was last asked for.
        is_proven: bool,
    },
}

impl Cache {
    pub fn find(&self, name: &str, now: Instant) -> Known {
        let Some(entry) = self.names.get(name) else { return Known::Nothing { is_proven: false } };
        match &entry.answer {
            _ if entry.waiting.is_some() => Known::Pending,
            Some((answer, until)) if *until > now => Known::Answer(answer.clone()),
            _ => Known::Nothing { is_proven: entry.is_proven },
        }
    }

    /// Waits for the answer to a name that is being looked up from now on.
    pub fn wait(&mut self, name: &str) -> oneshot::Receiver<Answer> {
        if !self.names.contains_key(name) && self.names.len() >= NAMES_MAX {
            self.names.retain(|_, entry| entry.waiting.is_some());
        }
        let (sender, receiver) = oneshot::channel();
        let entry = self.names.entry(name.to_owned()).or_default();
        let waiting = entry.waiting.get_or_insert_default();
        waiting.retain(|waiter| !waiter.is_closed());
        waiting.push(sender);
        receiver
    }

    /// Notes what was found out and tells everyone who waits for it.
    pub fn settle(&mut self, name: &str, answer: &Answer, started: Instant, now: Instant) {
        let life = if answer.is_ok() { FOUND_LIFE } else { FAILED_LIFE };
        let entry = self.names.entry(name.to_owned()).or_default();
        entry.is_proven = answer.is_ok() && now.duration_since(started) < SWIFT;
        entry.answer = Some((answer.clone(), now + life));
        for waiter in entry.waiting.take().unwrap_or_default() {
            // Who has gone meanwhile does not need it.
            let _gone = waiter.send(answer.clone());
        }
    }

    #[cfg(test)]
    pub fn expire(&mut self) {
        self.names.values_mut().for_each(|entry| entry.answer = None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_known(cache: &Cache, name: &str, at: Instant) -> bool {
        matches!(cache.find(name, at), Known::Answer(_))
    }

    #[test]
    fn addresses_are_believed_for_half_a_minute_and_their_lack_for_five_seconds() {
        let (mut cache, now) = (Cache::default(), Instant::now());
        cache.settle("a", &Ok(vec![IpAddr::from([192, 0, 2, 1])]), now, now);
        cache.settle("b", &Err(io::ErrorKind::NotFound), now, now);
        let at = |seconds| now + Duration::from_secs(seconds);
        assert!(is_known(&cache, "a", at(29)) && !is_known(&cache, "a", at(30)));
        assert!(is_known(&cache, "b", at(4)) && !is_known(&cache, "b", at(5)));
        assert!(matches!(cache.find("a", at(30)), Known::Nothing { is_proven: true }));
        assert!(matches!(cache.find("b", at(5)), Known::Nothing { is_proven: false }));
    }

    #[test]
    fn no_more_than_a_thousand_names_are_remembered() {
        let (mut cache, now) = (Cache::default(), Instant::now());
        for number in 0..5000 {
            let name = number.to_string();
            drop(cache.wait(&name));
            cache.settle(&name, &Ok(Vec::new()), now, now);
            assert!(cache.names.len() <= NAMES_MAX);
        }
    }
}
