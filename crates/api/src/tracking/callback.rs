//! Where carriers tell by themselves what happened to parcels. The path names the account, and the
//! message must prove in the carrier's own way that it comes from the carrier.

use waybill_carriers::tracking::{Callback, Refused};
use waybill_domain::ids::{AccountId, TeamId};
use waybill_domain::json::Json;
use waybill_domain::tracking::Trigger;
use waybill_domain::words::Message;
use waybill_engine::ingest::ingest;
use waybill_engine::timings::Part;
use waybill_store::carrier_accounts::{self, Account};

use crate::limits::Bucket;
use crate::reply::{ApiError, Reply};
use crate::request::Request;

/// `POST /carriers/{code}/callbacks/{account}`: answered when everything is stored.
pub async fn receive(mut request: Request) -> Result<Reply, ApiError> {
    request.query.knowing(&[]).finish()?;
    let id = request.id("account", AccountId::parse)?;
    let carrier =
        request.app.carriers().get(request.parameter("code")?).ok_or(ApiError::NotFound)?;
    let tracking = carrier.tracking().ok_or(ApiError::NotFound)?;
    let found = request.read(move |tx| carrier_accounts::any_find(tx, id)).await?;
    // The credentials of a team that was deleted are gone.
    let is_theirs = |(_, row): &(TeamId, Account)| {
        row.carrier_code == carrier.code() && !row.credentials.is_empty()
    };
    let body = request.whole_body().await?;
    // As for a wrong signature: whoever cannot sign does not learn which accounts there are.
    let (team, row) = found.filter(is_theirs).ok_or(ApiError::NotFromCarrier)?;
    let account = request.app.vault().account(&row);
    let account = account.map_err(|error| ApiError::Internal(error.to_string()))?;
    let callback = Callback { headers: &request.headers, body: &body };
    let answers =
        tracking.parse_callback(&account, &callback).map_err(|refused| match refused {
            Refused::Unauthenticated => ApiError::NotFromCarrier,
            Refused::Unreadable => ApiError::invalid("body", Message::new("callback-unreadable")),
        })?;
    let app = request.app.clone();
    let (_rate_limit, within) =
        request.api.limits().take(app.store(), Bucket::Callbacks(team), request.now).await;
    within?;
    let _turn = request.api.callback_queue().take(team).await;
    let written = ingest(&app, (team, id), Trigger::Callback, None, answers);
    // The team may have been deleted since its account was read.
    request.timed(Part::Db, written).await?.ok_or(ApiError::NotFromCarrier)?;
    Ok(Reply::json(axum::http::StatusCode::OK, Json::object([("status", "ok".into())])))
}
