//! Begins a batch that was started, when its team's turn has come. From then on each member that
//! ends begins the next.

use waybill_domain::ids::BatchId;
use waybill_engine::app::App;
use waybill_engine::batching;
use waybill_store::{Error, Tx, jobs};

use super::job_outcome::JobOutcome;

/// One attempt.
pub async fn run(app: &App, claimed: &jobs::Claimed) -> Result<JobOutcome, Error> {
    let (Some(team), id) = (claimed.team, BatchId(claimed.subject)) else {
        return Ok(JobOutcome::Done);
    };
    let (job, now, parts) = (claimed.clone(), app.now(), app.clone());
    let write = move |tx: &mut Tx<'_>| {
        if !jobs::finish(tx, &job)? {
            return Ok(None);
        }
        batching::advance(tx, &parts, team, id, now)
    };
    let handed = app.write(write).await?;
    app.hand_over_or_wake(handed);
    app.wake_everywhere(id.into());
    Ok(JobOutcome::AlreadyEnded)
}
