//! Changes of stock: what comes in, what goes out, and the ledger of both.

use axum::http::StatusCode;
use waybill_domain::ids::{AdjustmentId, FulfilmentId};
use waybill_domain::json::Json;
use waybill_domain::wms::{Adjustment, LEVEL_MAX, LevelFault};
use waybill_domain::words::Message;
use waybill_store::Error;
use waybill_store::wms::ledger::{self, Filter, LedgerLine};
use waybill_store::wms::levels as stored_levels;
use waybill_store::wms::stock::{self, Unadjusted};

use super::levels;
use crate::caller::Member;
use crate::lists::NewestFirst;
use crate::reply::{ApiError, Reply};
use crate::request::{Idempotent, Request, run_idempotent};

const PARAMETERS: &[&str] = &["sku", "location", "fulfilment_request_uuid", "cursor", "per_page"];

/// `GET …/inventory-adjustments`, newest first.
pub async fn list(request: Request, member: Member) -> Result<Reply, ApiError> {
    let mut query = request.query.knowing(PARAMETERS);
    let not_an_id = || Message::new("not-a-uuid");
    let filter = Filter {
        sku: query.filled("sku"),
        location: query.filled("location"),
        fulfilment: query.parsed("fulfilment_request_uuid", FulfilmentId::parse, not_an_id),
    };
    let page = NewestFirst::of(&request, member, "listInventoryAdjustments", query)?;
    let (cursor, wanted) = page.wanted();
    let rows = request.read(move |tx| ledger::list(tx, member.team, &filter, cursor, wanted));
    let body =
        page.envelope(&request, member, rows.await?, |row| row.id.into(), |row| view(row, None))?;
    Ok(Reply::json(StatusCode::OK, body).private())
}

/// `POST …/inventory-adjustments`
pub async fn create(mut request: Request, member: Member) -> Result<Reply, ApiError> {
    let (body, claim, errors) = request.idempotent_body().await?;
    let wish = errors.or(Adjustment::parse(&body))?;
    let (id, now) = (AdjustmentId(request.app.new_uuid()), request.now);
    let level = request.app.new_uuid();
    let done = request.write(move |tx| {
        run_idempotent(tx, member, claim.as_ref(), now, (id.into(), 201), |tx| {
            let adjusted = stock::adjust(tx, member.team, &wish, (id, level), now)?;
            adjusted.map(drop).map_err(refusal)
        })
    });
    let (id, is_replayed) = match done.await? {
        Idempotent::Executed => (id, false),
        Idempotent::Replayed(id, _) => (AdjustmentId(id), true),
    };
    let found = request.read(move |tx| {
        let Some(line) = ledger::find(tx, member.team, id)? else { return Ok(None) };
        let level = stored_levels::find(tx, member.team, line.item, &line.location)?;
        Ok::<_, Error>(level.map(|level| (line, level)))
    });
    let (line, level) = found.await?.ok_or(ApiError::NotFound)?;
    let shown = view(&line, Some(levels::view(&level)));
    let body = Json::object([("data", shown)]);
    let reply = Reply::json(StatusCode::CREATED, body).private();
    Ok(if is_replayed { reply.replayed() } else { reply })
}

fn refusal(why: Unadjusted) -> ApiError {
    match why {
        Unadjusted::UnknownSku => ApiError::invalid("sku", Message::new("wms-unknown-sku")),
        Unadjusted::Refused(LevelFault::TooFew { available }) => {
            ApiError::Conflict(Message::new("wms-too-few").text("available", available))
        }
        Unadjusted::Refused(LevelFault::TooMany { on_hand }) => {
            let message = Message::new("wms-too-many").text("on_hand", on_hand);
            ApiError::Conflict(message.text("max", LEVEL_MAX))
        }
    }
}

/// A line of the ledger as it is shown: whoever made it is told of the level too.
fn view(line: &LedgerLine, level: Option<Json>) -> Json {
    let mut shown = vec![
        ("uuid".into(), Json::text(line.id)),
        ("sku".into(), line.sku.as_str().into()),
        ("location".into(), line.location.as_str().into()),
        ("delta".into(), line.delta.into()),
        ("reason".into(), line.reason.as_deref().into()),
        ("fulfilment_request_uuid".into(), line.fulfilment.map(Json::text).into()),
    ];
    shown.extend(level.map(|level| ("level".into(), level)));
    shown.push(("created_at".into(), Json::text(line.created_at)));
    Json::Object(shown)
}
