//! Asks carriers for their service points, once a day and when somebody opens an account.

use std::time::Duration;

use waybill_engine::app::App;
use waybill_engine::points;

use super::job_outcome::JobOutcome;

const PERIOD: Duration = Duration::from_hours(24);

/// Refreshes what can be refreshed.
pub async fn run(app: &App) -> JobOutcome {
    match points::refresh_all(app).await {
        Ok(()) => JobOutcome::In(PERIOD),
        Err(why) => JobOutcome::Retry(why.to_string()),
    }
}
