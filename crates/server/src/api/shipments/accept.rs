//! From a request body to a shipment that may be stored: everything is checked here, up front, and
//! all that later changes could touch is resolved and snapshotted.

use std::time::Duration;

use uuid::Uuid;
use waybill_domain::booking::Step;
use waybill_domain::catalog::{Carrier, Catalog, Service};
use waybill_domain::fields::FieldErrors;
use waybill_domain::ids::{AccountId, ShipmentId};
use waybill_domain::json::{Json, parse};
use waybill_domain::settings::Settings;
use waybill_domain::shipment::{Order, template_of};
use waybill_domain::template::TemplateShipment;
use waybill_domain::words::Message;
use waybill_store::service_points::{self, Set, Stored};
use waybill_store::shipments::Shipment;
use waybill_store::{carrier_accounts, idempotency, teams, templates};

use super::judge::{Case, judge};
use crate::api::caller::Member;
use crate::api::reply::ApiError;
use crate::api::request::{Call, find_claim};
use crate::api::service_points::near;
use crate::points;

/// The caller is told after this time, whatever the carrier does.
pub const DEADLINE: Duration = Duration::from_secs(120);
/// An unclear outcome is asked for this long.
const RECONCILE: Duration = Duration::from_hours(7 * 24);
/// So many points are told in place of one that is not there.
const ALTERNATIVES: usize = 3;

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
    template: Option<TemplateShipment>,
    accounts: Vec<(String, AccountId)>,
    /// What the carrier has near the customer, for a service with pickup points.
    near: Near,
}

/// Points that a shipment may go to.
#[derive(Default)]
struct Near {
    /// The one that the request names, when it is there.
    named: Option<Stored>,
    /// The closest to the customer, the closest first.
    closest: Vec<Stored>,
}

/// Checks a request completely and makes the shipment of it. Nothing is stored.
pub fn accept(call: &Call, ground: &Team, body: &Json) -> Result<Shipment, ApiError> {
    let mut order = Order::parse(body, ground.template.as_ref())?;
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
    let point = pickup_point(service, &order, &ground.near, &mut errors);
    if let Some(point) = &point {
        order.delivery.pickup_point = Some(point.code.clone());
    }
    let input = order.to_json();
    let point = point.map_or(Json::Null, points::snapshot);
    let case = Case {
        settings: &ground.settings,
        carrier,
        service,
        order: &order,
        input: &input,
        pickup_point: &point,
    };
    let (errors, format) = judge(call, &case, errors);
    let (Some(format), true) = (format, errors.is_empty()) else {
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
        batch: None::<Uuid>,
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
fn pickup_point<'a>(
    service: &Service,
    order: &Order,
    near: &'a Near,
    errors: &mut FieldErrors,
) -> Option<&'a Stored> {
    if !service.is_pickup {
        return None;
    }
    if order.delivery.pickup_point.is_none() {
        if near.closest.is_empty() {
            errors.add("delivery.pickup_point", Message::new("no-pickup-point"));
        }
        return near.closest.first();
    }
    if near.named.is_none() {
        let others = near.closest.iter().map(|point| format!("{} ({})", point.code, point.name));
        let message = match near.closest.is_empty() {
            true => Message::new("no-pickup-point"),
            false => Message::new("unknown-pickup-point")
                .text("near", others.collect::<Vec<_>>().join(", ")),
        };
        errors.add("delivery.pickup_point.code", message);
    }
    near.named.as_ref()
}

/// The points that an order may go to. Nothing when it can not be read: then nobody needs them.
async fn look_around(
    call: &Call,
    body: &Json,
    template: Option<&TemplateShipment>,
) -> Result<Near, ApiError> {
    let Some((carrier, order)) = pickup_order(&call.app.catalog, body, template) else {
        return Ok(Near::default());
    };
    let address = &order.customer.address;
    let closest = near(call, &carrier.code, address, ALTERNATIVES).await?;
    let Some(code) = order.delivery.pickup_point else {
        return Ok(Near { named: None, closest });
    };
    let set = Set { carrier: carrier.code.clone(), country: address.country };
    let named = call.read(move |tx| service_points::find(tx, &set, &code)).await?;
    Ok(Near { named, closest })
}

/// The order and its carrier, when it is for a service with pickup points.
fn pickup_order<'a>(
    catalog: &'a Catalog,
    body: &Json,
    template: Option<&TemplateShipment>,
) -> Option<(&'a Carrier, Order)> {
    let order = Order::parse(body, template).ok()?;
    let (carrier, service) = catalog.service(&order.delivery.service_code)?;
    service.is_pickup.then_some((carrier, order))
}

/// Reads all that a booking depends on in one go: the key's past, the settings, the template that
/// the body names, and the accounts.
pub async fn ground(
    call: &Call,
    member: Member,
    body: &Json,
    claim: Option<&idempotency::Request>,
) -> Result<Ground, ApiError> {
    let (wanted, claim) = (template_of(body), claim.cloned());
    let team = member.team;
    let read = call
        .read(move |tx| {
            let before = claim.as_ref().map(|claim| find_claim(tx, team, claim)).transpose()?;
            if let Some(before) = before.flatten() {
                return Ok((Some(before), None));
            }
            let wanted = wanted.clone()?;
            let template = wanted.map(|id| templates::find(tx, team, id)).transpose()?;
            let settings = teams::find_settings(tx, team)?.ok_or(ApiError::NotFound)?;
            let accounts = carrier_accounts::list(tx, team)?;
            Ok::<_, ApiError>((None, Some((settings.0, template, accounts))))
        })
        .await?;
    let (settings, template, accounts) = match read {
        (Some(before), _) => return Ok(Ground::Before(before)),
        (None, Some(found)) => found,
        (None, None) => return Err(ApiError::NotFound),
    };
    let template = match template {
        None => None,
        Some(None) => {
            return Err(ApiError::invalid("template_uuid", Message::new("unknown-template")));
        }
        Some(Some(row)) => Some(stored(&row.shipment, TemplateShipment::parse)?),
    };
    let accounts = accounts.into_iter().filter(|account| account.is_active);
    let accounts = accounts.map(|account| (account.carrier_code, account.id)).collect();
    let settings = stored(&settings, Settings::parse)?;
    let near = look_around(call, body, template.as_ref()).await?;
    Ok(Ground::New(Box::new(Team { settings, template, accounts, near })))
}

/// Reads what we stored ourselves.
pub fn stored<T>(
    text: &str,
    read: impl FnOnce(&Json) -> Result<T, FieldErrors>,
) -> Result<T, ApiError> {
    let json = parse(text.as_bytes()).map_err(|fault| ApiError::Internal(format!("{fault:?}")))?;
    read(&json).map_err(|errors| ApiError::Internal(format!("stored: {errors:?}")))
}
