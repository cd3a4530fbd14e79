//! Looks after print agents: tells them that there is something for them, and sees whether they are
//! still heard.

use waybill_domain::ids::PrintAgentId;
use waybill_engine::agents;
use waybill_engine::app::App;
use waybill_store::{Error, Tx, jobs};

use super::job_outcome::JobOutcome;
use super::to_db_time;

/// Wakes whoever asks for jobs in the name of this agent, and looks after it.
pub async fn run(app: &App, claimed: &jobs::Claimed) -> Result<JobOutcome, Error> {
    let (Some(team), id) = (claimed.team, PrintAgentId(claimed.subject)) else {
        return Ok(JobOutcome::Done);
    };
    app.wake_everywhere(id.into());
    let (writer, claimed, now) = (app.clone(), claimed.clone(), app.now());
    let look = move |tx: &mut Tx<'_>| {
        let next = agents::look_after(tx, &writer, team, id, now)?.next;
        // As a time and not as a pause: what passes until the commit is part of the silence.
        match next {
            None => jobs::finish(tx, &claimed),
            Some(pause) => {
                let alarm = to_db_time(tx, now.plus(pause), now)?;
                jobs::wait_until(tx, &claimed, alarm)
            }
        }
    };
    app.write(look).await?;
    app.wake_runner();
    Ok(JobOutcome::AlreadyEnded)
}
