//! Asks carriers for their service points, once a day and when somebody opens an account.

use std::time::Duration;

use waybill_engine::app::App;
use waybill_engine::points;

use super::job_outcome::JobOutcome;

const PERIOD: Duration = Duration::from_hours(24);

/// What failed so often is asked for again after this time: lists of points are long.
const SLOW: Duration = Duration::from_hours(1);
const SOON_MAX: i64 = 3;

/// Refreshes what can be refreshed.
pub async fn run(app: &App, attempt: i64) -> JobOutcome {
    match points::refresh_all(app).await {
        Ok(()) => JobOutcome::In(PERIOD),
        Err(_) if attempt > SOON_MAX => JobOutcome::In(SLOW),
        Err(why) => JobOutcome::Retry(why.to_string()),
    }
}
