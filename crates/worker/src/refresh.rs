//! Asks carriers for their service points, once a day and when somebody opens an account. A country
//! that fails is asked for again, alone.

use std::time::Duration;

use waybill_engine::points;

use super::job_outcome::JobOutcome;
use super::state::Worker;

/// What failed so often is asked for again after this time: lists of points are long.
const SLOW: Duration = Duration::from_hours(1);
const SOON_MAX: i64 = 3;

/// Refreshes what is due.
pub async fn run(worker: &Worker, attempt: i64) -> JobOutcome {
    let (app, times) = (&worker.app, &worker.point_times);
    match points::refresh_all(app, times).await {
        Ok(()) => JobOutcome::In(times.next_in(app.now())),
        Err(_) if attempt > SOON_MAX => JobOutcome::In(SLOW),
        Err(why) => JobOutcome::Retry(why.to_string()),
    }
}
