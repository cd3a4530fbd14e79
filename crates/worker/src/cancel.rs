//! Asks again about a cancellation whose outcome was unclear, until the carrier says yes or no.

use waybill_carriers::Cancelled;
use waybill_domain::audit::Act;
use waybill_domain::ids::ShipmentId;
use waybill_domain::shipment::ShipmentState;
use waybill_engine::app::App;
use waybill_engine::cancellation;
use waybill_store::shipments::{self, Shipment};
use waybill_store::{Error, Tx, jobs};

use super::job_outcome::JobOutcome;

/// With the longest pause between attempts this is a week.
const ATTEMPTS_MAX: i64 = 2000;

/// One attempt.
pub async fn run(app: &App, claimed: &jobs::Claimed) -> Result<JobOutcome, Error> {
    let (Some(team), id) = (claimed.team, ShipmentId(claimed.subject)) else {
        return Ok(JobOutcome::Done);
    };
    let found = app.read(move |tx| shipments::find(tx, team, id)).await?;
    // The carrier may have cancelled it when it was first asked: whatever became of the shipment
    // since, it is asked again, unless somebody has written the answer down.
    let is_open = |shipment: &Shipment| {
        shipment.state != ShipmentState::Cancelled && shipment.carrier_reference.is_some()
    };
    let Some(shipment) = found.filter(is_open) else { return Ok(JobOutcome::Done) };
    let settled = match cancellation::ask(app, team, &shipment, claimed.request_id.as_deref())
        .await?
    {
        Cancelled::Done => None,
        Cancelled::Refused(words) => Some(words),
        Cancelled::NotSent(why) | Cancelled::Unknown(why) if claimed.attempt >= ATTEMPTS_MAX => {
            tracing::error!(shipment = %id, why, "a cancellation stays unclear: ask the carrier");
            return Ok(JobOutcome::Done);
        }
        Cancelled::NotSent(why) | Cancelled::Unknown(why) => return Ok(JobOutcome::Retry(why)),
    };
    if let Some(words) = &settled {
        tracing::info!(shipment = %id, words, "a cancellation was refused after all");
    }
    let (job, now, server) = (claimed.clone(), app.now(), app.clone());
    let act = Act::by_system(app.new_uuid(), now, claimed.request_id.clone());
    let write = move |tx: &mut Tx<'_>| {
        match jobs::finish(tx, &job)? {
            true if settled.is_none() => {
                cancellation::confirm(tx, &server, team, id, &act)?;
            }
            true => cancellation::refuse(tx, &server, team, id, now)?,
            false => {}
        }
        Ok::<_, Error>(())
    };
    app.write(write).await?;
    app.wake_runner();
    Ok(JobOutcome::AlreadyEnded)
}
