//! End-of-day manifests: what is handed to a carrier, on one paper that the driver signs. A carrier
//! that wants its day closed is told before anything is stored.

use std::collections::HashSet;
use std::sync::Arc;

use axum::http::StatusCode;
use tracing::Instrument;
use waybill_domain::country::Country;
use waybill_domain::document::SourceKind;
use waybill_domain::event::{Event, EventKind};
use waybill_domain::fields::{FieldErrors, Fields, Text, each, read_knowing};
use waybill_domain::ids::{EventId, ManifestId, ShipmentId};
use waybill_domain::json::{Json, parse};
use waybill_domain::settings::Settings;
use waybill_domain::shipment::ShipmentState;
use waybill_domain::words::Message;
use waybill_engine::closing::{ClosingDraft, NotClosed};
use waybill_engine::papers::{self, DocumentOwner, ManifestDraft, Paper, PapersError};
use waybill_engine::timings::Part;
use waybill_store::documents::{Content, Document};
use waybill_store::manifests::{self, Manifest};
use waybill_store::shipments::Shipment;
use waybill_store::{Error, Tx, documents, events, idempotency, shipments, teams};

use super::caller::Member;
use super::documents as files;
use super::lists::NewestFirst;
use super::reply::{ApiError, Reply};
use super::request::{Idempotent, Request, find_claim, run_idempotent};
use super::shipments::carrier_entry;

/// The most shipments on one manifest; what is over goes on the next.
const SHIPMENTS_MAX: i64 = 10_000;
/// So many parcels are enough for one.
const PARCELS_MAX: usize = 20_000;
/// Shipments that are read at once: each may be large.
const READ_MAX: usize = 50;

/// What a caller wants to close.
struct ManifestInput {
    carrier_code: String,
    shipments: Option<Vec<ShipmentId>>,
}

impl ManifestInput {
    fn read(fields: &Fields) -> Option<ManifestInput> {
        let carrier_code = fields.text("carrier_code", Text::filled(50)).required();
        let shipments = fields.list("shipment_uuids", 1..=SHIPMENTS_MAX as usize).then(|rows| {
            each(&rows, |value| value.parsed(ShipmentId::parse, || Message::new("not-a-uuid")))
        });
        let shipments = shipments.optional();
        Some(ManifestInput { carrier_code: carrier_code?, shipments })
    }
}

/// `POST …/manifests`
pub async fn create(mut request: Request, member: Member) -> Result<Reply, ApiError> {
    let (body, claim, errors) = request.idempotent_body().await?;
    if let Some(claim) = claim.clone() {
        let before = request.read(move |tx| find_claim(tx, member.team, &claim)).await?;
        if let Some(before) = before {
            return Ok(made(&request, member, ManifestId(before)).await?.replayed());
        }
    }
    let mut others = FieldErrors::default();
    if let Some(Json::Text(code)) = body.member("carrier_code")
        && request.app.catalog().carrier(code).is_none()
    {
        others.add("carrier_code", Message::new("unknown-carrier"));
    }
    let input = errors.or(read_knowing(&body, others, ManifestInput::read))?;
    let drawn = draw(&request, member, input).await?;
    // On its own: a caller who hangs up must not leave a day that is closed without its manifest.
    let finished = finish(request, member, drawn, claim).in_current_span();
    let died = |_| ApiError::Internal("making a manifest panicked".to_owned());
    tokio::spawn(finished).await.map_err(died)?
}

/// Closes the day with the carrier, and stores the manifest.
async fn finish(
    request: Request,
    member: Member,
    drawn: Drawn,
    claim: Option<idempotency::KeyClaim>,
) -> Result<Reply, ApiError> {
    let drawn = drawn.close(&request, member).await?;
    let (id, now) = (drawn.manifest.id, request.now);
    let event = EventId(request.app.new_uuid());
    let event = Event::new(event, EventKind::ManifestCreated, now, ("manifest_uuid", id.into()));
    let done = request
        .write(move |tx| {
            run_idempotent(tx, member, claim.as_ref(), now, (id.into(), 201), |tx| {
                drawn.write(tx, member)?;
                Ok(events::append(tx, member.team, &event)?)
            })
        })
        .await?;
    request.app.wake_runner();
    match done {
        Idempotent::Executed => made(&request, member, id).await,
        Idempotent::Replayed(id, _) => Ok(made(&request, member, ManifestId(id)).await?.replayed()),
    }
}

/// A manifest with its paper, not yet stored.
struct Drawn {
    manifest: Manifest,
    shipments: Vec<ShipmentId>,
    paper: Paper,
    closing: ClosingDraft,
    /// Where the team is.
    country: Option<Country>,
}

/// A manifest whose day is closed, with all its papers.
struct Closed {
    manifest: Manifest,
    shipments: Vec<ShipmentId>,
    files: Vec<(Document, Content)>,
}

impl Drawn {
    /// Closes the day with the carrier, and puts the bytes of all papers where they belong.
    async fn close(self, request: &Request, member: Member) -> Result<Closed, ApiError> {
        let (app, now) = (&request.app, request.now);
        let closing = self.closing.close(app, member.team, self.country, now);
        let theirs = request.timed(Part::Carrier, closing).await;
        let theirs = theirs.map_err(|error| match error {
            NotClosed::Carrier(error) => {
                ApiError::NotClosed { why: error.to_string(), words: error.words() }
            }
            NotClosed::Store(error) => ApiError::from(error),
        })?;
        let papers = std::iter::once(self.paper).chain(theirs).collect();
        let papers = papers::store(app, papers).await?;
        let owner = DocumentOwner::manifest(self.manifest.id);
        let filed = papers.into_iter().enumerate();
        let files = filed.map(|(place, paper)| paper.filed(&owner, place, now, app)).collect();
        Ok(Closed { manifest: self.manifest, shipments: self.shipments, files })
    }
}

impl Closed {
    fn write(&self, tx: &mut Tx<'_>, member: Member) -> Result<(), ApiError> {
        manifests::insert(tx, member.team, &self.manifest)?;
        if !manifests::put_on(tx, member.team, self.manifest.id, &self.shipments)? {
            // Somebody else closed one meanwhile, or it was cancelled.
            return Err(ApiError::Conflict(Message::new("manifest-raced")));
        }
        for (document, content) in &self.files {
            documents::insert(tx, member.team, document, content)?;
        }
        Ok(())
    }
}

/// Finds what is to be closed and draws it, before any transaction.
async fn draw(request: &Request, member: Member, input: ManifestInput) -> Result<Drawn, ApiError> {
    let (app, code) = (request.app.clone(), input.carrier_code.clone());
    let named = input.shipments.clone();
    let (settings, ids) = request
        .read(move |tx| {
            let settings = teams::find_settings(tx, member.team)?.ok_or(ApiError::NotFound)?;
            let all =
                |tx: &mut Tx<'_>| manifests::list_to_close(tx, member.team, &code, SHIPMENTS_MAX);
            let ids = named.clone().map_or_else(|| all(tx), Ok)?;
            Ok::<_, ApiError>((settings.0, ids))
        })
        .await?;
    if ids.is_empty() {
        return Err(ApiError::Conflict(Message::new("nothing-to-manifest")));
    }
    let settings = parse(settings.as_bytes()).ok();
    let settings = settings.and_then(|settings| Settings::parse(&settings).ok());
    let settings =
        settings.ok_or_else(|| ApiError::Internal("stored settings cannot be read".to_owned()))?;
    let settings = Arc::new(settings);
    // With those who draw: a caller who hangs up does not make room for the next one.
    let turn = app.drawing_turn(member.team, true).await;
    let (mut draft, closing) = draft(request, member, &input, ids, &settings).await?;
    let (id, now, carrier_code) = (ManifestId(app.new_uuid()), request.now, input.carrier_code);
    let country = settings.merchant(false).map(|merchant| merchant.address.country);
    let drawn = tokio::task::spawn_blocking(move || {
        let _turn = turn;
        let parcels = i64::try_from(draft.parcel_count()).unwrap_or(i64::MAX);
        let paper = draft.draw(&app, &settings, &carrier_code, id, now)?;
        let manifest = Manifest {
            id,
            carrier_code,
            shipment_count: i64::try_from(draft.shipments.len()).unwrap_or(i64::MAX),
            parcel_count: parcels,
            created_at: now,
        };
        Ok::<_, PapersError>(Drawn {
            manifest,
            shipments: draft.shipments,
            paper,
            closing,
            country,
        })
    });
    let drawn = request.timed(Part::Render, drawn).await;
    let drawn = drawn.map_err(|error| ApiError::Internal(error.to_string()))?;
    Ok(drawn?)
}

/// Reads the shipments, a few at a time, and notes what the manifest and the carrier say of them.
async fn draft(
    request: &Request,
    member: Member,
    input: &ManifestInput,
    ids: Vec<ShipmentId>,
    settings: &Arc<Settings>,
) -> Result<(ManifestDraft, ClosingDraft), ApiError> {
    let (mut draft, mut errors) = (ManifestDraft::default(), FieldErrors::default());
    let mut closing = ClosingDraft::new(&input.carrier_code);
    let mut before = HashSet::new();
    for (part, some) in ids.chunks(READ_MAX).enumerate() {
        // What is over goes on the next one, but for what was asked for.
        if input.shipments.is_none() && draft.parcel_count() > PARCELS_MAX {
            break;
        }
        let (code, some) = (input.carrier_code.clone(), some.to_vec());
        let found = request.read(move |tx| find_all(tx, member, &code, &some)).await?;
        let mut rows = Vec::new();
        for (index, row) in found.into_iter().enumerate() {
            let at = format!("shipment_uuids.{}", part * READ_MAX + index);
            match row {
                Ok(row) if !before.insert(row.id) => {
                    errors.add(at, Message::new("duplicate-value"))
                }
                Ok(row) => rows.push(row),
                Err(message) => errors.add(at, message),
            }
        }
        closing.add(&request.app, member.team, &rows).await?;
        let (app, settings) = (request.app.clone(), Arc::clone(settings));
        let added = tokio::task::spawn_blocking(move || {
            draft.add(&app, &settings, &rows)?;
            Ok::<_, PapersError>(draft)
        });
        let added = added.await.map_err(|error| ApiError::Internal(error.to_string()))?;
        draft = added?;
    }
    if errors.is_empty() { Ok((draft, closing)) } else { Err(ApiError::Invalid(errors)) }
}

/// Each of these shipments, or why it cannot be on the manifest.
fn find_all(
    tx: &mut Tx<'_>,
    member: Member,
    carrier_code: &str,
    ids: &[ShipmentId],
) -> Result<Vec<Result<Shipment, Message>>, ApiError> {
    let mut all = Vec::with_capacity(ids.len());
    for id in ids {
        let found = shipments::find(tx, member.team, *id)?;
        let fits =
            |row: &Shipment| row.carrier_code == carrier_code && row.state == ShipmentState::Booked;
        all.push(match found.filter(fits) {
            None => Err(Message::new("not-for-manifest")),
            Some(_) if manifests::find_of(tx, member.team, *id)?.flatten().is_some() => {
                Err(Message::new("on-a-manifest"))
            }
            Some(row) => Ok(row),
        });
    }
    Ok(all)
}

async fn made(request: &Request, member: Member, id: ManifestId) -> Result<Reply, ApiError> {
    let shown = find(request, member, id).await?;
    Ok(Reply::created(format!("{}/{id}", request.url()), shown).private())
}

async fn find(request: &Request, member: Member, id: ManifestId) -> Result<Json, ApiError> {
    let read = move |tx: &mut Tx<'_>| {
        let Some(row) = manifests::find(tx, member.team, id)? else { return Ok::<_, Error>(None) };
        Ok(Some((row, documents::list_of(tx, member.team, SourceKind::Manifest, id.into())?)))
    };
    let (row, files) = request.read(read).await?.ok_or(ApiError::NotFound)?;
    Ok(view(request, &row, &files))
}

/// `GET …/manifests/{manifest}`
pub async fn show(request: Request, member: Member) -> Result<Reply, ApiError> {
    let id = request.id("manifest", ManifestId::parse)?;
    let manifest = find(&request, member, id).await?;
    request.query.knowing(&[]).finish()?;
    Ok(Reply::data(manifest).private())
}

/// `GET …/manifests`, newest first.
pub async fn list(request: Request, member: Member) -> Result<Reply, ApiError> {
    let newest = NewestFirst::read(&request, member, "listManifests")?;
    let (cursor, wanted) = newest.wanted();
    let read = move |tx: &mut Tx<'_>| {
        let rows = manifests::list(tx, member.team, cursor, wanted)?;
        files::with_files(tx, member.team, SourceKind::Manifest, rows, |row| row.id.into())
    };
    let rows = request.read(read).await?;
    let id = |(row, _): &(Manifest, _)| row.id.into();
    let body =
        newest.envelope(&request, member, rows, id, |(row, files)| view(&request, row, files))?;
    Ok(Reply::json(StatusCode::OK, body).private())
}

fn view(request: &Request, manifest: &Manifest, papers: &[Document]) -> Json {
    Json::object([
        ("uuid", Json::text(manifest.id)),
        ("carrier", carrier_entry(request, &manifest.carrier_code)),
        ("shipment_count", manifest.shipment_count.into()),
        ("parcel_count", manifest.parcel_count.into()),
        ("created_at", Json::text(manifest.created_at)),
        ("documents", files::view_all(request, papers)),
    ])
}
