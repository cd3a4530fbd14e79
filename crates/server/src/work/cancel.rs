//! Asks again about a cancellation whose outcome was unclear, until the carrier says yes or no.

use waybill_carriers::Cancelled;
use waybill_domain::ids::ShipmentId;
use waybill_store::{Error, Tx, jobs, shipments};

use super::runner::Next;
use crate::app::App;
use crate::desk;

/// With the longest pause between attempts this is a week.
const ATTEMPTS_MAX: i64 = 2000;

/// One attempt.
pub async fn run(app: &App, claimed: &jobs::Claimed) -> Result<Next, Error> {
    let (Some(team), id) = (claimed.team, ShipmentId(claimed.subject)) else {
        return Ok(Next::Done);
    };
    let found = app.store.read(move |tx| shipments::find(tx, team, id)).await?;
    let Some(shipment) = found.filter(|shipment| shipment.state == "booked") else {
        return Ok(Next::Done);
    };
    match desk::cancel(app, team, &shipment, claimed.request_id.as_deref()).await? {
        Cancelled::Done => {
            let (job, now, desk_app) = (claimed.clone(), app.clock.now(), app.clone());
            let write = move |tx: &mut Tx<'_>| {
                let is_ours = jobs::finish(tx, &job)?;
                if is_ours {
                    desk::set_cancelled(tx, &desk_app, team, &shipment, now)?;
                }
                Ok::<_, Error>(())
            };
            app.store.write(write).await?;
            app.work_arrived.notify_one();
            Ok(Next::Settled)
        }
        Cancelled::Refused(words) => {
            tracing::info!(shipment = %id, words, "a cancellation was refused after all");
            Ok(Next::Done)
        }
        Cancelled::Unknown(why) if claimed.attempt >= ATTEMPTS_MAX => {
            tracing::error!(shipment = %id, why, "a cancellation stays unclear: ask the carrier");
            Ok(Next::Done)
        }
        Cancelled::Unknown(why) => Ok(Next::Retry(why)),
    }
}
