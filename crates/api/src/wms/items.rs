//! The catalog.

use axum::http::StatusCode;
use waybill_domain::ids::CatalogItemId;
use waybill_domain::json::Json;
use waybill_domain::wms::CatalogItem;
use waybill_domain::words::Message;
use waybill_store::wms::items::{self, Filter, InUse, StoredItem};

use crate::caller::Member;
use crate::lists::NewestFirst;
use crate::reply::{ApiError, Reply};
use crate::request::{Idempotent, Request, run_idempotent};

const PARAMETERS: &[&str] = &["sku", "barcode", "cursor", "per_page"];

/// `GET …/catalog-items`, newest first.
pub async fn list(request: Request, member: Member) -> Result<Reply, ApiError> {
    let mut query = request.query.knowing(PARAMETERS);
    let filter = Filter { sku: query.filled("sku"), barcode: query.filled("barcode") };
    let page = NewestFirst::of(&request, member, "listCatalogItems", query)?;
    let (cursor, wanted) = page.wanted();
    let rows = request.read(move |tx| items::list(tx, member.team, &filter, cursor, wanted));
    let body = page.envelope(&request, member, rows.await?, |row| row.id.into(), view)?;
    Ok(Reply::json(StatusCode::OK, body).private())
}

/// `POST …/catalog-items`
pub async fn create(mut request: Request, member: Member) -> Result<Reply, ApiError> {
    let (body, claim, errors) = request.idempotent_body().await?;
    let item = errors.or(CatalogItem::parse(&body))?;
    let (id, now) = (CatalogItemId(request.app.new_uuid()), request.now);
    let new = StoredItem { id, item, created_at: now, updated_at: now };
    let fresh = new.clone();
    let done =
        request.write(move |tx| {
            run_idempotent(tx, member, claim.as_ref(), now, (id.into(), 201), |tx| {
                match items::insert(tx, member.team, &fresh)? {
                    true => Ok(()),
                    false => Err(ApiError::invalid("sku", Message::new("wms-sku-taken"))),
                }
            })
        });
    match done.await? {
        Idempotent::Executed => Ok(created(&request, &new)),
        Idempotent::Replayed(id, _) => {
            let item = find_made(&request, member, CatalogItemId(id)).await?;
            Ok(created(&request, &item).replayed())
        }
    }
}

/// `GET …/catalog-items/{item}`
pub async fn show(request: Request, member: Member) -> Result<Reply, ApiError> {
    let item = find(&request, member, request.id("item", CatalogItemId::parse)?).await?;
    request.query.knowing(&[]).finish()?;
    Ok(Reply::data(view(&item)).private())
}

/// `PATCH …/catalog-items/{item}`: a merge patch.
pub async fn update(mut request: Request, member: Member) -> Result<Reply, ApiError> {
    let id = find(&request, member, request.id("item", CatalogItemId::parse)?).await?.id;
    let (body, errors) = request.json_body().await?;
    let now = request.now;
    let patched = request.write(move |tx| {
        let old = items::lock(tx, member.team, id)?.ok_or(ApiError::NotFound)?;
        let item = errors.clone().or(old.item.patched(&body))?;
        if item == old.item {
            return Ok(old);
        }
        let new = StoredItem { item, updated_at: now, ..old };
        items::change(tx, member.team, &new)?;
        Ok::<_, ApiError>(new)
    });
    Ok(Reply::data(view(&patched.await?)).private())
}

/// `DELETE …/catalog-items/{item}`: unless it is in stock, or somebody waits for it.
pub async fn delete(request: Request, member: Member) -> Result<Reply, ApiError> {
    let id = find(&request, member, request.id("item", CatalogItemId::parse)?).await?.id;
    request.query.knowing(&[]).finish()?;
    let now = request.now;
    let removed = request.write(move |tx| {
        items::lock(tx, member.team, id)?.ok_or(ApiError::NotFound)?;
        match items::find_use(tx, member.team, id)? {
            Some(InUse::Stocked(on_hand)) => {
                let message = Message::new("wms-item-in-stock").text("on_hand", on_hand);
                Err(ApiError::Conflict(message))
            }
            Some(InUse::Wanted) => Err(ApiError::Conflict(Message::new("wms-item-wanted"))),
            None => Ok(items::delete(tx, member.team, id, now)?),
        }
    });
    removed.await?;
    Ok(Reply::nothing())
}

async fn find(
    request: &Request,
    member: Member,
    id: CatalogItemId,
) -> Result<StoredItem, ApiError> {
    let found = request.read(move |tx| items::find(tx, member.team, id)).await?;
    found.ok_or(ApiError::NotFound)
}

/// What the same request made before, unless it was removed since.
async fn find_made(
    request: &Request,
    member: Member,
    id: CatalogItemId,
) -> Result<StoredItem, ApiError> {
    match find(request, member, id).await {
        Err(ApiError::NotFound) => {
            let is_deleted = request.read(move |tx| items::is_deleted(tx, member.team, id)).await?;
            Err(if is_deleted { ApiError::Deleted } else { ApiError::NotFound })
        }
        found => found,
    }
}

fn created(request: &Request, item: &StoredItem) -> Reply {
    Reply::created(format!("{}/{}", request.url(), item.id), view(item)).private()
}

fn view(stored: &StoredItem) -> Json {
    let mut shown = Json::object([("uuid", Json::text(stored.id))]);
    let times = Json::object([
        ("created_at", Json::text(stored.created_at)),
        ("updated_at", Json::text(stored.updated_at)),
    ]);
    for part in [stored.item.to_json(), times] {
        if let (Json::Object(members), Json::Object(more)) = (&mut shown, part) {
            members.extend(more);
        }
    }
    shown
}
