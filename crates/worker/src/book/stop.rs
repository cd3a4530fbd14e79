//! Why there is nothing to wait for from the carrier.

use waybill_carriers::booking::Why;
use waybill_domain::booking::Seen;
use waybill_domain::time::Time;
use waybill_store::Error;

use super::observed::Observed;

/// Why an action ends before a carrier has answered.
pub enum Stop {
    /// Something was seen that is to be written.
    Seen(Box<Observed>),
    /// It waits until then.
    Wait(Time),
    /// The same, with the rest of the account, for what is noted.
    Paused(Time, String),
    /// Time has passed: decide again.
    DecideAgain,
    /// Nothing is left to do.
    Finished,
    /// Another worker has the job.
    Lost,
    /// The store failed.
    Store(Error),
}

impl Stop {
    /// This was seen, for this reason.
    pub fn because(seen: Seen, why: impl Into<Why>) -> Stop {
        Stop::from(Observed::because(seen, why))
    }
}

impl From<Observed> for Stop {
    fn from(observed: Observed) -> Stop {
        Stop::Seen(Box::new(observed))
    }
}

impl From<Error> for Stop {
    fn from(error: Error) -> Stop {
        Stop::Store(error)
    }
}
