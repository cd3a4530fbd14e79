//! Asks carriers for their service points, once a day and when somebody opens an account.

use std::time::Duration;

use super::runner::Next;
use crate::app::App;
use crate::points;

const PERIOD: Duration = Duration::from_hours(24);

/// Refreshes what can be refreshed.
pub async fn run(app: &App) -> Next {
    match points::refresh_all(app).await {
        Ok(()) => Next::In(PERIOD),
        Err(why) => Next::Retry(why),
    }
}
