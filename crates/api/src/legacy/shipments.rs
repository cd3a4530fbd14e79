//! Shipments as the older API shows them, wherever they came from.

use waybill_domain::fields::FieldErrors;
use waybill_domain::ids::ShipmentId;
use waybill_domain::json::Json;
use waybill_domain::legacy::shipment::{Shown, view};
use waybill_store::legacy::{self, LegacyBooking};
use waybill_store::shipments::{self, Shipment};
use waybill_store::{Error, Tx};

use super::page::{PER_PAGE, page_of, read_page};
use super::site::Site;
use crate::reply::{ApiError, Reply};
use crate::request::Request;

/// `GET …/shipments`: newest first.
pub async fn list(request: Request, site: Site) -> Result<Reply, ApiError> {
    let mut errors = FieldErrors::default();
    let page = read_page(&request, &mut errors);
    if !errors.is_empty() {
        return Err(ApiError::Invalid(errors));
    }
    let team = site.member.team;
    let read = move |tx: &mut Tx<'_>| {
        let rows = shipments::list_numbered(tx, team, page.offset(), PER_PAGE)?;
        let ids: Vec<ShipmentId> = rows.iter().map(|row| row.id).collect();
        Ok::<_, Error>((rows, legacy::list_of(tx, team, &ids)?, shipments::count(tx, team)?))
    };
    let (rows, kept, total) = request.read(read).await?;
    let shown = rows.iter().map(|row| {
        let kept = kept.iter().find(|kept| kept.shipment == row.id);
        shown(row, kept)
    });
    let shown = shown.collect::<Result<Vec<Json>, ApiError>>()?;
    Ok(page_of(&request, page, shown, total).private())
}

/// `GET …/shipments/{shipment}`: a list with the one.
pub async fn show(request: Request, site: Site) -> Result<Reply, ApiError> {
    let id = request.id("shipment", ShipmentId::parse)?;
    let mut errors = FieldErrors::default();
    let page = read_page(&request, &mut errors);
    let team = site.member.team;
    let read = move |tx: &mut Tx<'_>| {
        let Some(row) = shipments::find(tx, team, id)? else { return Ok::<_, Error>(None) };
        Ok(Some((row, legacy::find(tx, team, id)?)))
    };
    let (row, kept) = request.read(read).await?.ok_or(ApiError::NotFound)?;
    if !errors.is_empty() {
        return Err(ApiError::Invalid(errors));
    }
    let rows = page.of(vec![shown(&row, kept.as_ref())?]);
    Ok(page_of(&request, page, rows, 1).private())
}

fn shown(shipment: &Shipment, kept: Option<&LegacyBooking>) -> Result<Json, ApiError> {
    let order = shipment.read_order()?;
    Ok(view(&Shown {
        id: shipment.id,
        parcels: &shipment.parcels,
        order: &order,
        pickup_point: shipment.snapshot.pickup_point.as_ref(),
        asked: kept.map(|kept| (kept.carrier.as_str(), kept.method.as_str())),
        kept: kept.map(|kept| &kept.kept),
    }))
}
