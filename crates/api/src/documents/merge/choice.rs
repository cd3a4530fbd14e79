//! Which documents are joined, found in the order in which they are wanted, and everything that
//! keeps one of them from it, each at its place.

use uuid::Uuid;
use waybill_domain::document::{DocumentType, Format, SourceKind};
use waybill_domain::fields::FieldErrors;
use waybill_domain::ids::{BatchId, DocumentId, ShipmentId, TeamId};
use waybill_domain::words::Message;
use waybill_engine::papers::MERGE_BYTES_MAX;
use waybill_store::documents::{self, Document};
use waybill_store::{Error, Tx, batches, manifests, merges};

use super::input::MergeInput;
use crate::caller::Member;
use crate::reply::ApiError;
use crate::request::Request;

/// Rows that are found at once: others read in between.
const READ_MAX: usize = 64;

/// What is joined.
#[derive(Default)]
pub(super) struct Choice {
    pub files: Vec<Document>,
    /// Where each of them was asked for.
    pub places: Vec<String>,
    /// Members of a batch that have no such document.
    pub skipped: Vec<ShipmentId>,
}

/// A choice that is being made.
#[derive(Default)]
struct Choosing {
    choice: Choice,
    errors: FieldErrors,
    bytes: usize,
}

pub(super) async fn choose(
    request: &Request,
    member: Member,
    input: &MergeInput,
) -> Result<Choice, ApiError> {
    let mut choosing = Choosing::default();
    match input {
        MergeInput::Documents(ids) => choosing.of_documents(request, member, ids).await?,
        MergeInput::Shipments(ids, types) => {
            let place = |index: usize| format!("shipment_uuids.{index}");
            for (part, some) in ids.chunks(READ_MAX).enumerate() {
                let found = of_shipments(request, member, some, types).await?;
                for (index, (shipment, files)) in (part * READ_MAX..).zip(found) {
                    match files {
                        None => choosing.refuse(&place(index), "merge-unknown-shipment"),
                        Some(files) if files.is_empty() => {
                            choosing.refuse(&place(index), "merge-no-document");
                        }
                        Some(files) => choosing.add(&place(index), files),
                    }
                    request.concerns(shipment);
                }
            }
        }
        MergeInput::Batch(batch, range, types) => {
            let members = members(request, member, *batch, *range).await?;
            for some in members.chunks(READ_MAX) {
                for (shipment, files) in of_shipments(request, member, some, types).await? {
                    match files.filter(|files| !files.is_empty()) {
                        None => choosing.choice.skipped.push(shipment),
                        Some(files) => choosing.add("batch_uuid", files),
                    }
                }
            }
        }
    }
    match choosing.errors.is_empty() {
        true => Ok(choosing.choice),
        false => Err(ApiError::Invalid(choosing.errors)),
    }
}

impl Choosing {
    async fn of_documents(
        &mut self,
        request: &Request,
        member: Member,
        ids: &[DocumentId],
    ) -> Result<(), ApiError> {
        for (part, some) in ids.chunks(READ_MAX).enumerate() {
            let asked = some.to_vec();
            let find = move |tx: &mut Tx<'_>| {
                let found = asked.iter().map(|id| documents::find(tx, member.team, *id));
                found.collect::<Result<Vec<_>, Error>>()
            };
            for (index, found) in (part * READ_MAX..).zip(request.read(find).await?) {
                let place = format!("document_uuids.{index}");
                match found {
                    None => self.refuse(&place, "unknown-document"),
                    Some(file) => self.add(&place, vec![file]),
                }
            }
        }
        Ok(())
    }

    fn refuse(&mut self, place: &str, key: &'static str) {
        // Many documents of one batch are refused for one reason.
        if !self.errors.has(place) {
            self.errors.add(place, Message::new(key));
        }
    }

    fn add(&mut self, place: &str, files: Vec<Document>) {
        for file in files {
            if !matches!(Format::parse(&file.format), Some(Format::Pdf | Format::Zpl)) {
                self.refuse(place, "merge-format");
                continue;
            }
            let was_full = self.bytes > MERGE_BYTES_MAX;
            self.bytes += usize::try_from(file.size_bytes).unwrap_or(MERGE_BYTES_MAX);
            if self.bytes <= MERGE_BYTES_MAX {
                self.choice.places.push(place.to_owned());
                self.choice.files.push(file);
            } else if !was_full {
                // All that follow would be too much as well.
                self.refuse(place, "merge-too-large");
            }
        }
    }
}

/// A shipment with its documents; none where it is not the team's.
type ShipmentFiles = (ShipmentId, Option<Vec<Document>>);

/// The documents of these kinds of each shipment, in their order.
async fn of_shipments(
    request: &Request,
    member: Member,
    ids: &[ShipmentId],
    types: &[DocumentType],
) -> Result<Vec<ShipmentFiles>, ApiError> {
    let (asked, types) = (ids.to_vec(), types.to_vec());
    let find = move |tx: &mut Tx<'_>| find_of_shipments(tx, member.team, &asked, &types);
    Ok(request.read(find).await?)
}

fn find_of_shipments(
    tx: &mut Tx<'_>,
    team: TeamId,
    ids: &[ShipmentId],
    types: &[DocumentType],
) -> Result<Vec<ShipmentFiles>, Error> {
    let sources: Vec<Uuid> = ids.iter().map(|id| Uuid::from(*id)).collect();
    let files = documents::list_of_all(tx, team, SourceKind::Shipment, &sources)?;
    let is_wanted = |file: &Document| {
        file.types.split(' ').filter_map(DocumentType::parse).any(|kind| types.contains(&kind))
    };
    let mut found = Vec::with_capacity(ids.len());
    for id in ids {
        let of_this = |file: &&Document| file.source == Uuid::from(*id);
        let own: Vec<Document> =
            files.iter().filter(of_this).filter(|file| is_wanted(file)).cloned().collect();
        // Only of one that has nothing it is asked whether it is there at all.
        let is_there = !own.is_empty() || manifests::find_of(tx, team, *id)?.is_some();
        found.push((*id, is_there.then_some(own)));
    }
    Ok(found)
}

/// The members of a batch from one position to another.
async fn members(
    request: &Request,
    member: Member,
    batch: BatchId,
    range: (i64, i64),
) -> Result<Vec<ShipmentId>, ApiError> {
    let find = move |tx: &mut Tx<'_>| {
        let Some(batch) = batches::find(tx, member.team, batch)? else { return Ok(None) };
        merges::list_members(tx, member.team, batch.id, range).map(Some)
    };
    let found: Option<Vec<ShipmentId>> = request.read::<_, Error, _>(find).await?;
    found.ok_or_else(|| ApiError::invalid("batch_uuid", Message::new("merge-unknown-batch")))
}
