//! `POST …/shipments/labels/combine`: the labels of many shipments as one file.

use std::collections::HashSet;

use waybill_domain::document::SourceKind;
use waybill_domain::fields::FieldErrors;
use waybill_domain::ids::{DocumentId, ShipmentId, TeamId};
use waybill_domain::json::Json;
use waybill_domain::words::Message;
use waybill_engine::papers::{self, JoinError, LabelPdf, MERGE_BYTES_MAX};
use waybill_store::documents::Document;
use waybill_store::legacy::{self, Combination, LegacyBooking};
use waybill_store::shipments::Shipment;
use waybill_store::{Error, Tx, documents, shipments};

use super::label::{head, parcels_of};
use super::pdf::{Shows, of_shipment, shown, told};
use super::site::Site;
use crate::reply::{ApiError, Reply};
use crate::request::Request;

/// The most labels at once.
const COUNT_MAX: usize = 100;

/// One of the shipments.
struct Labelled {
    shipment: Shipment,
    kept: Option<LegacyBooking>,
    files: Vec<Document>,
}

/// Combines the labels.
pub async fn combine(mut request: Request, site: Site) -> Result<Reply, ApiError> {
    let (body, errors) = request.json_body().await?;
    let (wanted, wrong) = errors.or(read(&body))?;
    let ids: Vec<ShipmentId> = wanted.iter().map(|(_, id)| *id).collect();
    let (team, asked) = (site.member.team, ids.clone());
    let found = request.read(move |tx| load(tx, team, &asked)).await?;
    let places = wanted.into_iter().map(|(place, _)| place);
    let (labelled, pdfs) = choose(places.zip(found), wrong)?;
    let pdf = papers::combined(pdfs);
    if pdf.source_bytes() > MERGE_BYTES_MAX {
        return Err(ApiError::invalid("shipments", Message::new("merge-too-large")));
    }
    let id = request.app.new_uuid();
    if pdf.document().is_none() {
        let expires_at = request.now.plus(request.api.legacy_link_life());
        let row = Combination { id, team, shipments: ids, expires_at };
        request.write(move |tx| legacy::insert_combination(tx, &row)).await?;
    }
    let named = (DocumentId(id), Shows::Combination);
    let pdf = shown(&request, team, named, pdf).await.map_err(unjoined)?;
    let mut rows = Vec::with_capacity(labelled.len());
    for Labelled { shipment, kept, .. } in &labelled {
        let mut row = head(&request, shipment, kept.as_ref());
        let parcels = parcels_of(&request, shipment, kept.as_ref())?;
        row.push(("parcels".into(), Json::List(parcels)));
        rows.push(Json::Object(row));
    }
    let label = Json::object([
        ("type", "combined_label".into()),
        ("shipments", Json::List(rows)),
        ("pdf", pdf),
    ]);
    Ok(Reply::data(label).private())
}

fn place(index: usize) -> String {
    format!("shipments.{index}.shipment_id")
}

/// What cannot be joined is a problem of the request, not of ours.
fn unjoined(error: JoinError) -> ApiError {
    match error {
        JoinError::At(_, problem) => ApiError::invalid("shipments", problem.message),
        other => told(other),
    }
}

/// The ids of a body with their places, and what is wrong with the others. What else stands in it
/// is ignored.
fn read(body: &Json) -> Result<(Vec<(usize, ShipmentId)>, FieldErrors), FieldErrors> {
    let wrong = |message| FieldErrors::one("shipments", message);
    let wanted = match body.member("shipments") {
        None | Some(Json::Null) => return Err(wrong(Message::new("required"))),
        Some(Json::List(wanted)) if wanted.is_empty() => {
            return Err(wrong(Message::new("too-few").count("min", 1)));
        }
        Some(Json::List(wanted)) if wanted.len() > COUNT_MAX => {
            return Err(wrong(Message::new("too-many").count("max", 100)));
        }
        Some(Json::List(wanted)) => wanted,
        Some(_) => return Err(wrong(Message::new("not-a-list"))),
    };
    let (mut errors, mut seen, mut ids) = (FieldErrors::default(), HashSet::new(), Vec::new());
    for (index, entry) in wanted.iter().enumerate() {
        let problem = match entry.member("shipment_id") {
            None | Some(Json::Null) => "required",
            // Numbers are the ids of long ago.
            Some(Json::Text(text)) if text.is_empty() => "required",
            Some(Json::Text(text)) => match ShipmentId::parse(text) {
                Some(id) if seen.insert(id) => {
                    ids.push((index, id));
                    continue;
                }
                Some(_) => "duplicate-value",
                None => "merge-unknown-shipment",
            },
            Some(_) => "merge-unknown-shipment",
        };
        errors.add(place(index), Message::new(problem));
    }
    Ok((ids, errors))
}

fn load(tx: &mut Tx<'_>, team: TeamId, ids: &[ShipmentId]) -> Result<Vec<Option<Labelled>>, Error> {
    let mut kept = legacy::list_of(tx, team, ids)?;
    let mut found = Vec::with_capacity(ids.len());
    for id in ids {
        let Some(shipment) = shipments::find(tx, team, *id)? else {
            found.push(None);
            continue;
        };
        let files = documents::list_of(tx, team, SourceKind::Shipment, (*id).into())?;
        let own = kept.iter().position(|kept| kept.shipment == *id);
        found.push(Some(Labelled { shipment, kept: own.map(|own| kept.swap_remove(own)), files }));
    }
    Ok(found)
}

/// Those that have a label, when all of them have.
fn choose(
    found: impl Iterator<Item = (usize, Option<Labelled>)>,
    mut errors: FieldErrors,
) -> Result<(Vec<Labelled>, Vec<LabelPdf>), ApiError> {
    let (mut all, mut pdfs) = (Vec::new(), Vec::new());
    for (index, labelled) in found {
        match labelled {
            None => errors.add(place(index), Message::new("merge-unknown-shipment")),
            Some(labelled) => match of_shipment(&labelled.shipment, &labelled.files) {
                None => errors.add(place(index), Message::new("legacy-no-label")),
                Some(pdf) => {
                    pdfs.push(pdf);
                    all.push(labelled);
                }
            },
        }
    }
    if errors.is_empty() { Ok((all, pdfs)) } else { Err(ApiError::Invalid(errors)) }
}
