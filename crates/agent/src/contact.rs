//! Whether the server answers, for whoever asks for the status.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use waybill_domain::time::Time;

use crate::shared::Shared;
use crate::spool::{Fact, rows};

/// A line that is well costs one write in this time.
const NOTED: Duration = Duration::from_secs(10);

/// How it is with the line.
pub struct Contact {
    shared: Arc<Shared>,
    last: Mutex<Last>,
}

#[derive(Default)]
struct Last {
    noted_at: Option<Time>,
    has_trouble: bool,
}

impl Contact {
    /// Nothing is known yet.
    pub fn new(shared: Arc<Shared>) -> Contact {
        Contact { shared, last: Mutex::default() }
    }

    /// The server has answered.
    pub async fn good(&self) {
        let now = self.shared.clock.now();
        {
            let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
            let is_fresh = last.noted_at.is_some_and(|at| now.since(at) < NOTED);
            if is_fresh && !last.has_trouble {
                return;
            }
            if last.has_trouble {
                tracing::info!("the server answers again");
            }
            *last = Last { noted_at: Some(now), has_trouble: false };
        }
        self.note(Some(now), String::new()).await;
    }

    /// It has not.
    pub async fn lost(&self, why: &str) {
        {
            let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
            if last.has_trouble {
                return;
            }
            last.has_trouble = true;
        }
        tracing::warn!(why, "the server does not answer; what is held here is printed");
        self.note(None, why.to_owned()).await;
    }

    async fn note(&self, good_at: Option<Time>, trouble: String) {
        let noted = self.shared.spool.run(move |tx| {
            if let Some(at) = good_at {
                rows::set_fact(tx, Fact::ContactAt, &at.to_string())?;
            }
            rows::set_fact(tx, Fact::Trouble, &trouble)
        });
        if let Err(error) = noted.await {
            tracing::warn!(%error, "the state of the line was not noted");
        }
    }
}
