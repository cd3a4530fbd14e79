//! A label as the older API shows it.

use axum::http::StatusCode;
use waybill_domain::document::SourceKind;
use waybill_domain::ids::{DocumentId, ShipmentId, TeamId};
use waybill_domain::json::{Json, MemberName};
use waybill_engine::papers::{JoinError, LabelPdf};
use waybill_store::documents::Document;
use waybill_store::legacy::{self, LegacyBooking};
use waybill_store::shipments::{Filter, Shipment, Sort};
use waybill_store::{Error, Tx, documents, shipments};

use super::booking::conclude;
use super::pdf::{Shows, of_parcel, of_shipment, shown, told};
use super::site::Site;
use crate::reply::{ApiError, Reply};
use crate::request::Request;
use crate::shipments::load;

/// `GET …/shipments/{shipment}/labels`: the label again, with links that begin to live now.
pub async fn again(request: Request, site: Site) -> Result<Reply, ApiError> {
    let id = request.id("shipment", ShipmentId::parse)?;
    let (shipment, files) = load(&request, site.member, id).await?.ok_or(ApiError::NotFound)?;
    reply(&request, &site, &shipment, &files).await
}

/// `GET /api/v1/shipments/tracking/{code}/labels`: of the newest shipment with this number.
pub async fn by_tracking_code(request: Request, site: Site) -> Result<Reply, ApiError> {
    let number = Some(request.parameter("code")?.to_owned());
    let (team, filter) =
        (site.member.team, Filter { tracking_number: number, ..Filter::default() });
    let find = move |tx: &mut Tx<'_>| {
        let newest = shipments::list(tx, team, &filter, Sort::CreatedDescending, None, 1)?;
        let Some(shipment) = newest.into_iter().next() else { return Ok::<_, Error>(None) };
        let files = documents::list_of(tx, team, SourceKind::Shipment, shipment.id.into())?;
        Ok(Some((shipment, files)))
    };
    let (shipment, files) = request.read(find).await?.ok_or(ApiError::NotFound)?;
    request.concerns(shipment.id);
    reply(&request, &site, &shipment, &files).await
}

/// The label of a shipment, or why it has none.
async fn reply(
    request: &Request,
    site: &Site,
    shipment: &Shipment,
    files: &[Document],
) -> Result<Reply, ApiError> {
    if of_shipment(shipment, files).is_some() {
        let body = Json::object([("data", view(request, site, shipment, files).await?)]);
        return Ok(Reply::json(StatusCode::OK, body).private());
    }
    // Who reads has sent no body whose members could be named.
    conclude(request, site, None, shipment, files).await
}

/// The label of a shipment that has one.
pub async fn view(
    request: &Request,
    site: &Site,
    shipment: &Shipment,
    files: &[Document],
) -> Result<Json, ApiError> {
    let (team, id) = (site.member.team, shipment.id);
    let whole = of_shipment(shipment, files).ok_or(ApiError::NotFound)?;
    let kept = request.read_grouped(move |tx| legacy::find(tx, team, id)).await?;
    let named = (DocumentId(id.0), Shows::Shipment);
    let own = (1..=shipment.parcels.len()).map(|number| of_parcel(shipment, files, number));
    // One parcel with nothing for customs: it is the same file.
    let own = own.map(|own| own.map(|own| (own != whole).then_some(own))).collect::<Vec<_>>();
    let pdf = shown(request, team, named, whole).await.map_err(told)?;
    let mut parcels = parcels_of(request, shipment, kept.as_ref())?;
    for (number, (parcel, own)) in (1..).zip(parcels.iter_mut().zip(own)) {
        let own = match own {
            Some(None) => pdf.clone(),
            Some(Some(own)) => of_one(request, team, (id, number), own).await?,
            None => Json::Null,
        };
        if let Json::Object(members) = parcel {
            members.push(("pdf".into(), own));
        }
    }
    let mut label = vec![("type".into(), "label".into())];
    label.extend(head(request, shipment, kept.as_ref()));
    label.extend([("pdf".into(), pdf), ("parcels".into(), Json::List(parcels))]);
    Ok(Json::Object(label))
}

/// The file of a parcel; null where the carrier's file cannot be taken apart.
async fn of_one(
    request: &Request,
    team: TeamId,
    (id, number): (ShipmentId, usize),
    own: LabelPdf,
) -> Result<Json, ApiError> {
    let named = (DocumentId(id.0), Shows::Parcel(number));
    match shown(request, team, named, own).await {
        Err(JoinError::At(..)) => Ok(Json::Null),
        shown => shown.map_err(told),
    }
}

/// What a label says of its shipment.
pub fn head(
    request: &Request,
    shipment: &Shipment,
    kept: Option<&LegacyBooking>,
) -> Vec<(MemberName, Json)> {
    let (code, name) = carrier(request, shipment, kept);
    vec![
        ("shipment_id".into(), Json::text(shipment.id)),
        ("shipment_internal_id".into(), shipment.identifier.as_deref().into()),
        ("shipment_internal_reference".into(), shipment.reference.as_deref().into()),
        ("carrier_code".into(), code.into()),
        ("carrier_name".into(), name.into()),
    ]
}

/// The carrier that was asked for: on demo paths that is not the one that has it.
fn carrier<'a>(
    request: &'a Request,
    shipment: &'a Shipment,
    kept: Option<&'a LegacyBooking>,
) -> (&'a str, &'a str) {
    let code = kept.map_or(shipment.carrier_code.as_str(), |kept| kept.carrier.as_str());
    let known = request.app.catalog().carrier(code);
    (code, known.map_or(code, |carrier| carrier.name.as_str()))
}

/// What a label says of each parcel, without its file.
pub fn parcels_of(
    request: &Request,
    shipment: &Shipment,
    kept: Option<&LegacyBooking>,
) -> Result<Vec<Json>, ApiError> {
    let order = shipment.read_order()?;
    let (code, name) = carrier(request, shipment, kept);
    let parcels = order.parcels.iter().zip(&shipment.parcels).map(|(ordered, known)| {
        Json::object([
            ("parcel_id", Json::text(known.id)),
            ("parcel_internal_id", ordered.identifier.as_deref().into()),
            ("parcel_internal_reference", ordered.reference.as_deref().into()),
            ("carrier_code", code.into()),
            ("carrier_name", name.into()),
            ("tracking_code", known.tracking_number.as_deref().into()),
            ("tracking_link", known.tracking_url.as_deref().into()),
        ])
    });
    Ok(parcels.collect())
}
