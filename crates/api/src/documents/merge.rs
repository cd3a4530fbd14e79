//! Documents joined into one for each format and page size: a thousand labels that are printed as
//! one file.

mod choice;
mod input;

use axum::http::{StatusCode, header};
use waybill_domain::document::SourceKind;
use waybill_domain::fields::FieldErrors;
use waybill_domain::ids::{MergeId, ShipmentId};
use waybill_domain::json::Json;
use waybill_domain::words::Message;
use waybill_engine::files::ReadError;
use waybill_engine::papers::{self, DocumentOwner, JoinError, Paper};
use waybill_engine::timings::Part;
use waybill_store::documents::{self, Document};
use waybill_store::merges::{self, Merge};
use waybill_store::{Error, Tx};

use super::view_with_source;
use crate::caller::Member;
use crate::reply::{ApiError, Reply};
use crate::request::{Idempotent, Request, find_claim, run_idempotent};
use choice::{Choice, choose};
use input::MergeInput;

/// `POST …/documents/merge`
pub async fn merge(mut request: Request, member: Member) -> Result<Reply, ApiError> {
    let (body, claim, errors) = request.idempotent_body().await?;
    if let Some(claim) = claim.clone() {
        let before = request.read(move |tx| find_claim(tx, member.team, &claim)).await?;
        if let Some(before) = before {
            return Ok(made(&request, member, MergeId(before)).await?.replayed());
        }
    }
    let input = errors.or(MergeInput::parse(&body))?;
    let Choice { files, places, skipped } = choose(&request, member, &input).await?;
    if files.is_empty() {
        return Err(ApiError::Conflict(Message::new("nothing-to-merge")));
    }
    // With those who draw: a caller who hangs up does not make room for the next one.
    let turn = request.app.drawing_turn(member.team, true).await;
    let joined = request.timed(Part::Render, papers::join(&request.app, files)).await;
    let joined = match joined {
        Ok(joined) => joined,
        Err(error) => {
            // What went meanwhile is told as what was never there.
            choose(&request, member, &input).await?;
            return Err(explain(error, &places));
        }
    };
    let stored = papers::store(&request.app, joined).await?;
    let id = MergeId(request.app.new_uuid());
    let done = write(&request, member, (id, skipped, stored), claim).await?;
    drop(turn);
    match done {
        Idempotent::Executed => made(&request, member, id).await,
        Idempotent::Replayed(id, _) => Ok(made(&request, member, MergeId(id)).await?.replayed()),
    }
}

/// Stores what was joined, with its key.
async fn write(
    request: &Request,
    member: Member,
    (id, skipped, papers): (MergeId, Vec<ShipmentId>, Vec<Paper>),
    claim: Option<waybill_store::idempotency::KeyClaim>,
) -> Result<Idempotent, ApiError> {
    let now = request.now;
    let (row, owner) = (Merge { id, skipped, created_at: now }, DocumentOwner::merge(id));
    let filed = papers.into_iter().enumerate();
    let files: Vec<_> =
        filed.map(|(place, paper)| paper.filed(&owner, place, now, &request.app)).collect();
    let write = move |tx: &mut Tx<'_>| {
        run_idempotent(tx, member, claim.as_ref(), now, (id.into(), 201), |tx| {
            merges::insert(tx, member.team, &row)?;
            for (document, content) in &files {
                documents::insert(tx, member.team, document, content)?;
            }
            Ok(())
        })
    };
    request.write(write).await
}

/// What keeps a document from being joined is told at its place.
fn explain(error: JoinError, places: &[String]) -> ApiError {
    match error {
        JoinError::At(index, problem) => {
            let place = places.get(index).map_or("document_uuids", String::as_str);
            ApiError::Invalid(FieldErrors::one(place, problem.message))
        }
        JoinError::Read(ReadError::Unreachable(cause)) => ApiError::Unavailable(cause.to_string()),
        JoinError::Store(error) => error.into(),
        broken => ApiError::Internal(broken.to_string()),
    }
}

/// The documents that were made, and what was left out.
async fn made(request: &Request, member: Member, id: MergeId) -> Result<Reply, ApiError> {
    let read = move |tx: &mut Tx<'_>| {
        let row = merges::find(tx, member.team, id)?;
        Ok::<_, Error>((row, documents::list_of(tx, member.team, SourceKind::Merge, id.into())?))
    };
    let (row, files): (Option<Merge>, Vec<Document>) = request.read(read).await?;
    let skipped = row.map(|row| row.skipped).unwrap_or_default();
    let body = Json::object([
        ("data", Json::list(files.iter().map(|file| view_with_source(request, file)))),
        (
            "meta",
            Json::object([("skipped_shipment_uuids", Json::list(skipped.iter().map(Json::text)))]),
        ),
    ]);
    let all = request.url();
    let all = all.strip_suffix("/merge").unwrap_or(&all);
    let found = format!("{all}?source_type=merge&source_uuid={id}");
    Ok(Reply::json(StatusCode::CREATED, body).header(header::LOCATION, found).private())
}
