//! Pick lists and packing slips of a request: documents like all others, which go after a while.

use axum::http::{StatusCode, header};
use uuid::Uuid;
use waybill_domain::document::WarehousePaper;
use waybill_domain::fields::{FieldErrors, Fields, each, one_of, read};
use waybill_domain::ids::FulfilmentId;
use waybill_domain::json::{Json, parse};
use waybill_domain::settings::Settings;
use waybill_domain::shipment::{Reading, Template, template_of};
use waybill_domain::template::TemplateShipment;
use waybill_domain::wms::{Line, RequestInput, booking_input};
use waybill_domain::words::Message;
use waybill_engine::papers::{self, PapersError, WarehouseInputs, WarehouseLine};
use waybill_engine::timings::Part;
use waybill_paper::PaperSize;
use waybill_store::documents::{Content, Document};
use waybill_store::idempotency::KeyClaim;
use waybill_store::wms::fulfilments::{self, Fulfilment};
use waybill_store::wms::{items, papers as stored};
use waybill_store::{Error, Tx, teams, templates};

use crate::caller::Member;
use crate::documents::view_with_source;
use crate::reply::{ApiError, Reply};
use crate::request::{Idempotent, Request, find_claim, run_idempotent};

/// The sizes of paper that warehouses print on.
const SIZES: &[&str] = &["a4", "100x150"];

/// Which papers a caller wants.
struct PapersInput {
    types: Vec<WarehousePaper>,
    size: PaperSize,
}

impl PapersInput {
    fn read(fields: &Fields) -> Option<PapersInput> {
        let names = || one_of(WarehousePaper::NAMES);
        let types = fields.list("types", 1..=WarehousePaper::NAMES.len());
        let types = types.then(|rows| each(&rows, |row| row.parsed(WarehousePaper::parse, names)));
        let types = types.required();
        for (index, kind) in types.iter().flatten().enumerate() {
            if types.iter().flatten().take(index).any(|other| other == kind) {
                fields.refuse(&format!("types.{index}"), Message::new("duplicate-value"));
            }
        }
        let known = |text: &str| SIZES.contains(&text).then(|| PaperSize::parse(text)).flatten();
        let size = fields.parsed("size", known, || one_of(SIZES)).required();
        Some(PapersInput { types: types?, size: size? })
    }
}

/// `POST …/fulfilment-requests/{request}/documents`
pub async fn create(mut request: Request, member: Member) -> Result<Reply, ApiError> {
    let id = request.id("request", FulfilmentId::parse)?;
    let (body, claim, errors) = request.idempotent_body().await?;
    if let Some(claim) = claim.clone() {
        let before = request.read(move |tx| find_claim(tx, member.team, &claim)).await?;
        if let Some(before) = before {
            return Ok(made(&request, member, before).await?.replayed());
        }
    }
    let found = request.read(move |tx| find(tx, member, id)).await?;
    let found = found.ok_or(ApiError::NotFound)?;
    let input = errors.or(read(&body, PapersInput::read))?;
    let is_allocated = found.fulfilment.lines.iter().any(|line| !line.takes.is_empty());
    if input.types.contains(&WarehousePaper::PickList) && !is_allocated {
        return Err(ApiError::Conflict(Message::new("wms-nothing-to-pick")));
    }
    let files = draw(&request, member, found.inputs(&request)?, input).await?;
    let set = request.app.new_uuid();
    match write(&request, member, (set, id), files, claim).await? {
        Idempotent::Executed => made(&request, member, set).await,
        Idempotent::Replayed(before, _) => Ok(made(&request, member, before).await?.replayed()),
    }
}

/// What papers are made from, as it is stored.
struct Found {
    fulfilment: Fulfilment,
    names: Vec<Option<String>>,
    settings: String,
    template: Option<TemplateShipment>,
    shipment: Json,
}

fn find(tx: &mut Tx<'_>, member: Member, id: FulfilmentId) -> Result<Option<Found>, Error> {
    let Some(fulfilment) = fulfilments::find(tx, member.team, id)? else { return Ok(None) };
    let mut names = Vec::with_capacity(fulfilment.lines.len());
    for line in &fulfilment.lines {
        names.push(items::find(tx, member.team, line.item)?.map(|found| found.item.name));
    }
    let Some((settings, _)) = teams::find_settings(tx, member.team)? else { return Ok(None) };
    let shipment = parse(fulfilment.input.as_bytes());
    let unreadable = |_| Error::Broken(format!("the stored shipment of {id} cannot be read"));
    let shipment = shipment.map_err(unreadable)?;
    let template = template_of(&shipment).ok().flatten();
    let template = template.map(|id| templates::find(tx, member.team, id)).transpose()?.flatten();
    let template = template.and_then(|found| {
        let json = parse(found.shipment.as_bytes()).ok()?;
        TemplateShipment::parse(&json).ok()
    });
    Ok(Some(Found { fulfilment, names, settings, template, shipment }))
}

impl Found {
    fn inputs(self, request: &Request) -> Result<WarehouseInputs, ApiError> {
        let Found { fulfilment, names, settings, template, shipment } = self;
        let settings = parse(settings.as_bytes()).ok();
        let settings = settings.and_then(|settings| Settings::parse(&settings).ok());
        let settings = settings
            .ok_or_else(|| ApiError::Internal("stored settings cannot be read".to_owned()))?;
        // What customers get is told by our own lines: the booking is read for its people alone.
        let input = RequestInput {
            identifier: fulfilment.identifier.clone(),
            reference: fulfilment.reference.clone(),
            lines: Vec::<Line>::new(),
            shipment,
        };
        let body = booking_input(&input, &[], template.as_ref()).body;
        let template = template.as_ref().map_or(Template::None, Template::Known);
        let reading = Reading::new(&body, template)?;
        let mut order = reading.order().clone();
        order.merchant = order.merchant.or_else(|| settings.merchant(false).cloned());
        let lines = fulfilment.lines.into_iter().zip(names).map(|(line, name)| WarehouseLine {
            name: name.unwrap_or_else(|| line.sku.clone()),
            sku: line.sku,
            quantity: line.quantity,
            parcel: i64::try_from(line.parcel).unwrap_or(0) + 1,
            takes: line.takes,
        });
        Ok(WarehouseInputs {
            id: fulfilment.id,
            identifier: input.identifier,
            reference: input.reference,
            lines: lines.collect(),
            order,
            settings,
            now: request.now,
        })
    }
}

/// Draws the papers, and puts their bytes where they belong. Teams take turns.
async fn draw(
    request: &Request,
    member: Member,
    inputs: WarehouseInputs,
    wanted: PapersInput,
) -> Result<Vec<(Document, Content)>, ApiError> {
    let app = request.app.clone();
    let turn = app.drawing_turn(member.team, true).await;
    let (drawer, about) = (app.clone(), (inputs.id, inputs.now));
    let drawing = tokio::task::spawn_blocking(move || {
        papers::draw_warehouse(&drawer, &inputs, &wanted.types, wanted.size)
    });
    let drawn = request.timed(Part::Render, drawing).await;
    let drawn = drawn.map_err(PapersError::from)?;
    let (kinds, drawn): (Vec<_>, Vec<_>) = drawn.map_err(explain)?.into_iter().unzip();
    let stored = papers::store(&app, drawn).await?;
    drop(turn);
    Ok(papers::warehouse_files(&app, about, kinds.into_iter().zip(stored).collect()))
}

/// A list that has no room on paper is refused, and anything else is ours.
fn explain(error: PapersError) -> ApiError {
    match error {
        PapersError::Layout(found) => {
            let first = found.iter().find_map(|(_, messages)| messages.first().cloned());
            let message = first.unwrap_or_else(|| Message::new("no-room-on-paper"));
            ApiError::Invalid(FieldErrors::one("size", message))
        }
        other => other.into(),
    }
}

/// Stores the documents, with their key.
async fn write(
    request: &Request,
    member: Member,
    (set, id): (Uuid, FulfilmentId),
    files: Vec<(Document, Content)>,
    claim: Option<KeyClaim>,
) -> Result<Idempotent, ApiError> {
    let now = request.now;
    let write = move |tx: &mut Tx<'_>| {
        run_idempotent(tx, member, claim.as_ref(), now, (set, 201), |tx| {
            // Papers are numbered one after another.
            fulfilments::lock(tx, member.team, id)?.ok_or(ApiError::NotFound)?;
            Ok(stored::insert(tx, member.team, (set, id), &files, now)?)
        })
    };
    request.write(write).await
}

/// The documents that were made at once.
async fn made(request: &Request, member: Member, set: Uuid) -> Result<Reply, ApiError> {
    let read = move |tx: &mut Tx<'_>| {
        let Some(set) = stored::find(tx, member.team, set)? else { return Ok(None) };
        let files = stored::files(tx, member.team, &set)?;
        Ok::<_, Error>(Some((set, files)))
    };
    let (set, files) = request.read(read).await?.ok_or(ApiError::NotFound)?;
    let shown = Json::list(files.iter().map(|file| view_with_source(request, file)));
    let url = request.url();
    let all = url.split("/wms/").next().unwrap_or(&url);
    let found =
        format!("{all}/documents?source_type=fulfilment_request&source_uuid={}", set.fulfilment);
    let body = Json::object([("data", shown)]);
    Ok(Reply::json(StatusCode::CREATED, body).header(header::LOCATION, found).private())
}
