//! How far the time by which things are forgotten has come, as far as this process can know.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use waybill_domain::time::Time;
use waybill_store::{Error, retention};

use super::state::Worker;

/// Where it was when this process last looked, and when that was.
#[derive(Default)]
pub struct Retention(Mutex<Option<(Time, Duration)>>);

/// The time by which things are forgotten. It is behind the clock by as long as no server ran, and
/// catches up with it by an hour a day: so what is kept for 25 hours is kept for 24 at least.
pub async fn now(worker: &Worker) -> Result<Time, Error> {
    let app = &worker.app;
    let (now, up) = (app.now(), app.monotonic());
    let seen = *worker.retention.seen();
    let at_most = seen.map(|(seen, at)| {
        let passed = up.saturating_sub(at);
        seen.plus(passed + passed / 24)
    });
    let time = app.write(move |tx| retention::any_advance(tx, now, at_most)).await?;
    *worker.retention.seen() = Some((time, up));
    Ok(time)
}

impl Retention {
    fn seen(&self) -> std::sync::MutexGuard<'_, Option<(Time, Duration)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
