//! What the server does by itself. `runner` holds the list of everything.

mod agents;
pub mod batch;
mod book;
mod cancel;
pub mod deliver;
pub mod forget;
pub mod gauges;
mod job_outcome;
mod orphans;
mod print;
mod refresh;
mod report;
pub mod restored;
mod retention;
pub mod runner;
pub mod state;
pub mod sweep;
mod track;

use waybill_domain::time::Time;
use waybill_engine::lease;
use waybill_store::{Error, Tx};

/// A moment of ours by the clock of the store, which alarms go by.
fn to_db_time(tx: &mut Tx<'_>, at: Time, now: Time) -> Result<Time, Error> {
    Ok(tx.now(now)?.plus(at.since(now)))
}
