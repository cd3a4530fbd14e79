//! PDF files of the older API: in the answer itself, and behind a link that shops keep in their
//! orders for weeks. What is behind a link is made anew each time. Its name says what the bytes
//! hash to, so it is never anything else than what was in the answer.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};
use waybill_domain::document::SourceKind;
use waybill_domain::ids::{DocumentId, ShipmentId, TeamId};
use waybill_domain::json::Json;
use waybill_domain::shipment::ShipmentState;
use waybill_engine::files::ReadError;
use waybill_engine::papers::{self, JoinError, LabelPdf};
use waybill_engine::timings::Part;
use waybill_store::documents::Document;
use waybill_store::shipments::Shipment;
use waybill_store::{Error, Tx, documents, legacy, shipments};

use crate::reply::ApiError;
use crate::request::Request;

/// What a file shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shows {
    /// Everything of a shipment.
    Shipment,
    /// The label of its parcel with this number, from 1.
    Parcel(usize),
    /// Everything of several shipments.
    Combination,
}

impl Shows {
    /// The name of the file with these bytes.
    fn filename(self, bytes: &[u8]) -> String {
        let digest = digest(bytes);
        match self {
            Shows::Shipment => format!("labels-{digest}.pdf"),
            Shows::Parcel(number) => format!("label-{number}-{digest}.pdf"),
            Shows::Combination => format!("combined-{digest}.pdf"),
        }
    }

    /// Reads such a name: what it shows, and what it hashes to.
    fn parse(filename: &str) -> Option<(Shows, &str)> {
        let (kind, digest) = filename.strip_suffix(".pdf")?.rsplit_once('-')?;
        let shows = match kind {
            "labels" => Shows::Shipment,
            "combined" => Shows::Combination,
            other => Shows::Parcel(other.strip_prefix("label-")?.parse().ok()?),
        };
        Some((shows, digest))
    }
}

/// A part of the hash of a file.
fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes)[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A file of something with this id, as answers have it.
pub async fn shown(
    request: &Request,
    team: TeamId,
    (id, shows): (DocumentId, Shows),
    pdf: LabelPdf,
) -> Result<Json, JoinError> {
    let stored = pdf.document().map(|document| (document.id, document.filename.clone()));
    let bytes = make(request, team, pdf).await?;
    let (id, filename) = stored.unwrap_or_else(|| (id, shows.filename(&bytes)));
    let life = request.api.legacy_link_life();
    let (path, _) = request.app.signer().sign_for(id, &filename, request.now, life);
    Ok(Json::object([
        ("link", format!("{}{path}", request.app.base_url()).into()),
        ("base_64_encoded", STANDARD.encode(&bytes).into()),
    ]))
}

/// Makes a file when it is the team's turn; one that is stored as it is needs none.
pub async fn make(request: &Request, team: TeamId, pdf: LabelPdf) -> Result<Vec<u8>, JoinError> {
    let _turn = match pdf.document() {
        Some(_) => None,
        None => Some(request.app.drawing_turn(team, pdf.part_count() > FEW).await),
    };
    request.timed(Part::Render, pdf.make(&request.app)).await
}

/// Files of so few parts do not wait for larger ones.
const FEW: usize = 8;

/// An error of ours, as callers are told.
pub fn told(error: JoinError) -> ApiError {
    match error {
        JoinError::Read(ReadError::Unreachable(cause)) => ApiError::Unavailable(cause.to_string()),
        JoinError::Store(error) => error.into(),
        broken => ApiError::Internal(broken.to_string()),
    }
}

/// The file behind a link, whose signature was checked: its bytes. The signature stands for the
/// team.
pub async fn linked(
    request: &Request,
    id: DocumentId,
    filename: &str,
) -> Result<Option<Vec<u8>>, ApiError> {
    let Some((shows, promised)) = Shows::parse(filename) else { return Ok(None) };
    let found = request.read(move |tx| find(tx, id, shows)).await?;
    let (team, pdf) = found.ok_or(ApiError::NotFound)?;
    let bytes = make(request, team, pdf).await.map_err(told)?;
    match digest(&bytes) == promised {
        true => Ok(Some(bytes)),
        // Never other bytes than those that were promised.
        false => Err(ApiError::Internal(format!("{filename} is not what it was"))),
    }
}

fn find(
    tx: &mut Tx<'_>,
    id: DocumentId,
    shows: Shows,
) -> Result<Option<(TeamId, LabelPdf)>, Error> {
    if shows == Shows::Combination {
        let Some(row) = legacy::any_find_combination(tx, id.0)? else { return Ok(None) };
        let mut all = Vec::with_capacity(row.shipments.len());
        for shipment in row.shipments {
            let Some((_, files)) = load(tx, row.team, shipment)? else { return Ok(None) };
            let Some(pdf) = papers::whole(&files) else { return Ok(None) };
            all.push(pdf);
        }
        return Ok(Some((row.team, papers::combined(all))));
    }
    let id = ShipmentId(id.0);
    let Some(team) = shipments::any_find_team(tx, id)? else { return Ok(None) };
    let Some((shipment, files)) = load(tx, team, id)? else { return Ok(None) };
    let pdf = match shows {
        Shows::Parcel(number) => of_parcel(&shipment, &files, number),
        _ => papers::whole(&files),
    };
    Ok(pdf.map(|pdf| (team, pdf)))
}

fn load(
    tx: &mut Tx<'_>,
    team: TeamId,
    id: ShipmentId,
) -> Result<Option<(Shipment, Vec<Document>)>, Error> {
    let Some(shipment) = shipments::find(tx, team, id)? else { return Ok(None) };
    let files = documents::list_of(tx, team, SourceKind::Shipment, id.into())?;
    Ok(Some((shipment, files)))
}

/// The label of the parcel with this number, from 1. Parcels that the carrier did not take have
/// none, and are not counted.
pub fn of_parcel(shipment: &Shipment, files: &[Document], number: usize) -> Option<LabelPdf> {
    let parcels = &shipment.parcels;
    let is_taken = |place: &usize| parcels[*place].tracking_number.is_some();
    let taken: Vec<usize> = (0..parcels.len()).filter(is_taken).collect();
    let place = taken.iter().position(|place| place + 1 == number)?;
    papers::of_parcel(files, taken.len(), place)
}

/// Everything of a shipment that has been booked, if it has a label that is a PDF file.
pub fn of_shipment(shipment: &Shipment, files: &[Document]) -> Option<LabelPdf> {
    let is_booked = matches!(shipment.state, ShipmentState::Booked | ShipmentState::Cancelled);
    papers::whole(files).filter(|_| is_booked)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_file_says_what_it_shows() {
        for shows in [Shows::Shipment, Shows::Parcel(12), Shows::Combination] {
            let name = shows.filename(b"%PDF");
            assert_eq!(Shows::parse(&name), Some((shows, digest(b"%PDF").as_str())));
        }
        for other in ["label-01a1.pdf", "qr-1.png", "label-.pdf", "labels.pdf", "label-x-1.pdf"] {
            assert_eq!(Shows::parse(other), None, "{other}");
        }
    }
}
