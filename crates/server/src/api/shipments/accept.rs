//! From a request body to a shipment that may be stored: everything is checked here, up front, and
//! all that later changes could touch is resolved and snapshotted.

use std::collections::HashMap;

use uuid::Uuid;
use waybill_carriers::points;
use waybill_domain::booking::{DEADLINE, RECONCILE, Step};
use waybill_domain::catalog::customs::{customs_problems, is_declared};
use waybill_domain::catalog::{Carrier, Service};
use waybill_domain::document::negotiate;
use waybill_domain::fields::FieldErrors;
use waybill_domain::ids::{AccountId, ShipmentId, TemplateId};
use waybill_domain::json::{Json, parse};
use waybill_domain::settings::Settings;
use waybill_domain::shipment::{Order, template_of};
use waybill_domain::template::TemplateShipment;
use waybill_domain::words::Message;
use waybill_paper::PaperSize;
use waybill_store::shipments::Shipment;
use waybill_store::{carrier_accounts, idempotency, teams, templates};

use crate::api::caller::Member;
use crate::api::reply::ApiError;
use crate::api::request::{Call, find_claim};
use crate::papers::{self, Matter};

/// What the store knows before anything is decided.
pub enum Ground {
    /// The same request came before, and made this.
    Before(Uuid),
    /// The team's side of a new booking.
    New(Box<Team>),
}

/// The team's side of a booking.
pub struct Team {
    settings: Settings,
    templates: HashMap<TemplateId, TemplateShipment>,
    accounts: Vec<(String, AccountId)>,
}

/// Checks a request completely and makes the shipment of it. Nothing is stored.
pub fn accept(call: &Call, ground: &Team, body: &Json) -> Result<Shipment, ApiError> {
    let template = match template_of(body)? {
        None => None,
        Some(id) => {
            let unknown = || ApiError::invalid("template_uuid", Message::new("unknown-template"));
            Some(ground.templates.get(&id).ok_or_else(unknown)?)
        }
    };
    let mut order = Order::parse(body, template)?;
    let code = order.delivery.service_code.clone();
    let Some((carrier, service)) = call.app.catalog.service(&code) else {
        return Err(ApiError::invalid("delivery.service_code", Message::new("unknown-service")));
    };
    let account = ground.accounts.iter().find(|(carrier_code, _)| *carrier_code == carrier.code);
    let Some((_, account)) = account else {
        let message = Message::new("no-account").text("carrier", &carrier.name);
        return Err(ApiError::invalid("delivery.service_code", message));
    };
    if order.merchant.is_none() {
        order.merchant = ground.settings.merchant(service.is_return).cloned();
    }
    let mut errors = FieldErrors::default();
    if order.merchant.is_none() {
        errors.add("parties.merchant", Message::new("no-merchant"));
    }
    let point = pickup_point(carrier, service, &order, &mut errors);
    if let Some(point) = &point {
        order.delivery.pickup_point = Some(point.code.clone());
    }
    let input = order.to_json();
    for found in [service.problems(&input), customs_problems(&input)] {
        errors.extend(found);
    }
    let format = negotiate(&ground.settings.label_formats(), &service.label_formats);
    let format = format.map_err(|message| errors.add("delivery.service_code", message));
    let size = ground.settings.label_size();
    if !service.label_sizes.iter().any(|offered| offered == size) {
        let message = Message::new("no-size").text("wanted", size);
        let message = message.text("offered", service.label_sizes.join(", "));
        errors.add("delivery.service_code", message);
    }
    let point = point.map_or(Json::Null, |point| point.to_json());
    if errors.is_empty() {
        let matter = Matter {
            order: &order,
            carrier,
            service,
            language: ground.settings.language,
            size: PaperSize::parse(size).unwrap_or(PaperSize::Label100x150),
            pickup_point: point.clone(),
            date: papers::day(call.now),
            is_declared: is_declared(&input),
        };
        errors.extend(papers::problems(&call.app.press, &matter));
    }
    let (Ok(format), true) = (format, errors.is_empty()) else {
        return Err(ApiError::Invalid(errors));
    };
    // Last mile follows the parcel: to the customer, or for a return to the merchant.
    let end = if service.is_return { order.merchant.as_ref() } else { Some(&order.customer) };
    let last_mile = end.and_then(|party| service.last_mile.carrier(party.address.country));
    let snapshot = Json::object([
        ("label_format", format.name().into()),
        ("label_size", ground.settings.label_size().into()),
        ("last_mile", last_mile.into()),
        ("language", Json::text(ground.settings.language)),
        ("pickup_point", point),
    ]);
    Ok(shipment(call, &order, input, snapshot, carrier, *account))
}

fn shipment(
    call: &Call,
    order: &Order,
    input: Json,
    snapshot: Json,
    carrier: &Carrier,
    account: AccountId,
) -> Shipment {
    let ids = &call.app.ids;
    let parcels = order.parcels.iter().map(|_| {
        Json::object([
            ("uuid", Json::text(ids.uuid())),
            ("tracking_uuid", Json::text(ids.uuid())),
            ("tracking_number", Json::Null),
            ("tracking_url", Json::Null),
        ])
    });
    Shipment {
        parcels: Json::list(parcels).to_string(),
        id: ShipmentId(ids.uuid()),
        state: "processing".to_owned(),
        step: Step::Ready,
        ending: None,
        identifier: order.identifier.clone(),
        reference: order.reference.clone(),
        carrier_code: carrier.code.clone(),
        service_code: order.delivery.service_code.clone(),
        account,
        input: input.to_string(),
        snapshot: snapshot.to_string(),
        codes: None,
        failure: None,
        carrier_reference: None,
        batch: None,
        batch_position: None,
        deadline_at: call.now.plus(DEADLINE),
        give_up_at: call.now.plus(RECONCILE),
        called_at: None,
        tries: 0,
        created_at: call.now,
        updated_at: call.now,
        accepted_at: None,
        booked_at: None,
        cancelled_at: None,
    }
}

/// The point that was asked for, or the nearest one when a pickup service names none.
fn pickup_point(
    carrier: &Carrier,
    service: &Service,
    order: &Order,
    errors: &mut FieldErrors,
) -> Option<points::Point> {
    if !service.is_pickup {
        return None;
    }
    let address = &order.customer.address;
    let near = points::nearest(&carrier.code, address.country.code(), &address.postal_code);
    match &order.delivery.pickup_point {
        None => {
            if near.is_empty() {
                errors.add("delivery.pickup_point", Message::new("no-pickup-point"));
            }
            near.into_iter().next()
        }
        Some(code) => {
            let found = near.iter().find(|point| point.code == *code).cloned();
            if found.is_none() {
                let others = near.iter().take(3).map(|p| format!("{} ({})", p.code, p.name));
                let message = Message::new("unknown-pickup-point")
                    .text("near", others.collect::<Vec<_>>().join(", "));
                errors.add("delivery.pickup_point.code", message);
            }
            found
        }
    }
}

/// Reads all that bookings depend on in one go: the key's past, the settings, the templates that
/// the bodies name, and the accounts.
pub async fn ground<'a>(
    call: &Call,
    member: Member,
    bodies: impl Iterator<Item = &'a Json>,
    claim: Option<&idempotency::Request>,
) -> Result<Ground, ApiError> {
    // A body whose template can not be read is told so when it is accepted.
    let mut wanted: Vec<TemplateId> =
        bodies.filter_map(|body| template_of(body).ok().flatten()).collect();
    wanted.sort_unstable();
    wanted.dedup();
    let (team, claim) = (member.team, claim.cloned());
    let read = call
        .read(move |tx| {
            let before = claim.as_ref().map(|claim| find_claim(tx, team, claim)).transpose()?;
            if let Some(before) = before.flatten() {
                return Ok((Some(before), None));
            }
            let mut templates = Vec::with_capacity(wanted.len());
            for id in &wanted {
                templates.extend(templates::find(tx, team, *id)?.map(|row| (*id, row)));
            }
            let settings = teams::find_settings(tx, team)?.ok_or(ApiError::NotFound)?;
            let accounts = carrier_accounts::list(tx, team)?;
            Ok::<_, ApiError>((None, Some((settings.0, templates, accounts))))
        })
        .await?;
    let (settings, rows, accounts) = match read {
        (Some(before), _) => return Ok(Ground::Before(before)),
        (None, Some(found)) => found,
        (None, None) => return Err(ApiError::NotFound),
    };
    let mut templates = HashMap::with_capacity(rows.len());
    for (id, row) in rows {
        templates.insert(id, stored(&row.shipment, TemplateShipment::parse)?);
    }
    let accounts = accounts.into_iter().filter(|account| account.is_active);
    let accounts = accounts.map(|account| (account.carrier_code, account.id)).collect();
    let settings = stored(&settings, Settings::parse)?;
    Ok(Ground::New(Box::new(Team { settings, templates, accounts })))
}

/// Reads what we stored ourselves.
fn stored<T>(
    text: &str,
    read: impl FnOnce(&Json) -> Result<T, FieldErrors>,
) -> Result<T, ApiError> {
    let json = parse(text.as_bytes()).map_err(|fault| ApiError::Internal(format!("{fault:?}")))?;
    read(&json).map_err(|errors| ApiError::Internal(format!("stored: {errors:?}")))
}
