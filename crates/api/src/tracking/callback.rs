//! Where carriers tell by themselves what happened to parcels. The path names the account, and the
//! message must prove in the carrier's own way that it comes from the carrier.

use waybill_carriers::follow::{Callback, Refused};
use waybill_domain::ids::{AccountId, TeamId};
use waybill_domain::json::Json;
use waybill_domain::tracking::{Look, Standing};
use waybill_domain::words::Message;
use waybill_engine::ingest;
use waybill_store::carrier_accounts::{self, Account};
use waybill_store::trackings::Tracking;

use crate::limits::Bucket;
use crate::reply::{ApiError, Reply};
use crate::request::Call;

/// `POST /carriers/{code}/callbacks/{account}`: answered when everything is stored.
pub async fn receive(mut call: Call) -> Result<Reply, ApiError> {
    call.query.knowing(&[]).finish()?;
    let id = call.id("account", AccountId::parse)?;
    let carrier = call.app.carriers.get(call.parameter("code")?).ok_or(ApiError::NotFound)?;
    let following = carrier.following().ok_or(ApiError::NotFound)?;
    let found = call.read(move |tx| carrier_accounts::any_find(tx, id)).await?;
    let is_theirs = |(_, row): &(TeamId, Account)| row.carrier_code == carrier.code();
    let body = call.whole_body().await?;
    // As for a wrong signature: whoever cannot sign does not learn which accounts there are.
    let stranger = ApiError::Unauthenticated { is_malformed: false };
    let (team, row) = found.filter(is_theirs).ok_or(stranger)?;
    let account = call.app.vault.account(&row).map_err(ApiError::Internal)?;
    let callback = Callback { headers: &call.headers, body: &body };
    let snapshots = following.hear(&account, &callback).map_err(|refused| match refused {
        Refused::Unauthenticated => ApiError::Unauthenticated { is_malformed: false },
        Refused::Unreadable => ApiError::invalid("body", Message::new("callback-unreadable")),
    })?;
    let app = call.app.clone();
    let (_standing, within) =
        call.api.limits.take(&app.store, Bucket::Callbacks(team), call.now).await;
    within?;
    let _turn = call.api.callback_turns.take(team).await;
    for part in ingest::in_parts(snapshots) {
        let (app, now) = (app.clone(), call.now);
        let write = move |tx: &mut waybill_store::Tx<'_>| {
            ingest::ingest(tx, app.ids.as_ref(), (team, id), &part, now, look)
        };
        ingest::count(&call.write(write).await?);
    }
    app.work_arrived.notify_one();
    Ok(Reply::json(axum::http::StatusCode::OK, Json::object([("status", "ok".into())])))
}

/// What a carrier tells by itself does not change when it is asked, but for the end.
fn look(tracking: &Tracking, standing: &Standing) -> Look {
    match tracking.look_at {
        Some(at) if !standing.is_over() => Look::At(at),
        _ => Look::Never,
    }
}
