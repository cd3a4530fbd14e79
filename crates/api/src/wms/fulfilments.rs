//! Requests to send what lies in a warehouse.

use axum::http::StatusCode;
use waybill_domain::fields::FieldErrors;
use waybill_domain::ids::{EventId, FulfilmentId};
use waybill_domain::json::Json;
use waybill_domain::page::{CursorScope, Page};
use waybill_domain::time::Time;
use waybill_domain::wms::{Line, RequestLine, RequestReading, RequestState};
use waybill_domain::words::Message;
use waybill_store::Error;
use waybill_store::wms::fulfilments::{self, Filter, Fulfilment};

use super::validate::{ValidRequest, validate};
use crate::caller::Member;
use crate::lists::{CursorQuery, cursor_envelope, render_within_limit};
use crate::reply::{ApiError, Reply};
use crate::request::{Idempotent, Request, run_idempotent};
use crate::shipments::{Intake, load_intake};

const PARAMETERS: &[&str] = &["state", "identifier", "reference", "cursor", "per_page"];

/// `GET …/fulfilment-requests`, newest first.
pub async fn list(request: Request, member: Member) -> Result<Reply, ApiError> {
    let mut query = request.query.knowing(PARAMETERS);
    let filter = Filter {
        state: query.choice("state", RequestState::NAMES).and_then(RequestState::parse),
        identifier: query.filled("identifier"),
        reference: query.filled("reference"),
    };
    let (filters, shown) = (request.query.filters(&[]), request.query.without("cursor"));
    let list = "listFulfilmentRequests";
    let scope = CursorScope { list, team: member.team, filters: &filters };
    let from = CursorQuery::read(&request, scope, query)?;
    let (cursor, wanted) = (from.cursor, from.per_page);
    let read = request.read(move |tx| {
        let count = fulfilments::room(tx, member.team, &filter, cursor, wanted)?;
        Ok::<_, Error>((fulfilments::list(tx, member.team, &filter, cursor, count)?, count))
    });
    let (rows, count) = read.await?;
    let (rows, count) = render_within_limit(rows, count, |row| Ok(view(row)))?;
    let page = Page::new(rows, count, cursor, |(row, _)| (0, row.id.into()));
    let body = cursor_envelope(&request, scope, page, wanted, &shown);
    Ok(Reply::json(StatusCode::OK, body).private())
}

/// `GET …/fulfilment-requests/{request}`
pub async fn show(request: Request, member: Member) -> Result<Reply, ApiError> {
    let id = request.id("request", FulfilmentId::parse)?;
    let found = find(&request, member, id).await?;
    request.query.knowing(&[]).finish()?;
    Ok(Reply::data(view(&found)).private())
}

/// `POST …/fulfilment-requests`: checked as its booking will be, so that it does not fail when the
/// parcel is packed. No stock is touched.
pub async fn create(mut request: Request, member: Member) -> Result<Reply, ApiError> {
    let (body, claim, errors) = request.idempotent_body().await?;
    let RequestReading { input, errors: found } = RequestReading::new(&body);
    let shipment = std::iter::once(&input.shipment);
    let team = match load_intake(&request, member, shipment, claim.as_ref()).await? {
        Intake::Replayed(id) => return replay(&request, member, FulfilmentId(id)).await,
        Intake::New(team) => team,
    };
    let ValidRequest { items, .. } =
        errors.or(validate(&request, member, &team, &input, found).await)?;
    let line = |(line, item): (&Line, _)| RequestLine {
        item,
        sku: line.sku.clone(),
        quantity: line.quantity,
        parcel: line.parcel,
        missing: 0,
        takes: Vec::new(),
    };
    let new = Fulfilment {
        id: FulfilmentId(request.app.new_uuid()),
        state: RequestState::Received,
        identifier: input.identifier.clone(),
        reference: input.reference.clone(),
        lines: input.lines.iter().zip(items).map(line).collect(),
        input: input.shipment.to_string(),
        shipment: None,
        request_id: Some(request.request_id.clone()),
        created_at: request.now,
        updated_at: request.now,
        allocated_at: None,
        packed_at: None,
        shipped_at: None,
        cancelled_at: None,
    };
    let (fresh, now) = (new.clone(), request.now);
    let event = EventId(request.app.new_uuid());
    let done = request.write(move |tx| {
        run_idempotent(tx, member, claim.as_ref(), now, (fresh.id.into(), 201), |tx| {
            match fulfilments::insert(tx, member.team, &fresh, event)? {
                true => Ok(()),
                // Removed from the catalog at this moment.
                false => Err(ApiError::Invalid(FieldErrors::one(
                    "lines.0.sku",
                    Message::new("wms-unknown-sku"),
                ))),
            }
        })
    });
    match done.await? {
        Idempotent::Executed => {
            request.app.wake_runner();
            Ok(created(&request, &new))
        }
        Idempotent::Replayed(id, _) => replay(&request, member, FulfilmentId(id)).await,
    }
}

async fn replay(request: &Request, member: Member, id: FulfilmentId) -> Result<Reply, ApiError> {
    let found = find(request, member, id).await?;
    Ok(created(request, &found).replayed())
}

/// A request as it is stored.
pub async fn find(
    request: &Request,
    member: Member,
    id: FulfilmentId,
) -> Result<Fulfilment, ApiError> {
    let found = request.read(move |tx| fulfilments::find(tx, member.team, id)).await?;
    found.ok_or(ApiError::NotFound)
}

fn created(request: &Request, made: &Fulfilment) -> Reply {
    Reply::created(format!("{}/{}", request.url(), made.id), view(made)).private()
}

/// A request as it is shown.
pub fn view(stored: &Fulfilment) -> Json {
    let time = |at: Option<Time>| at.map_or(Json::Null, Json::text);
    Json::object([
        ("uuid", Json::text(stored.id)),
        ("state", stored.state.name().into()),
        ("identifier", stored.identifier.as_deref().into()),
        ("reference", stored.reference.as_deref().into()),
        ("lines", Json::list(stored.lines.iter().map(RequestLine::to_json))),
        ("shipment", Json::Written(stored.input.clone())),
        ("shipment_uuid", stored.shipment.map(Json::text).into()),
        ("created_at", Json::text(stored.created_at)),
        ("updated_at", Json::text(stored.updated_at)),
        ("allocated_at", time(stored.allocated_at)),
        ("packed_at", time(stored.packed_at)),
        ("shipped_at", time(stored.shipped_at)),
        ("cancelled_at", time(stored.cancelled_at)),
    ])
}
