//! From a request body to a shipment that may be stored: everything is checked here, up front, and
//! all that later changes could touch is resolved and snapshotted.

use std::collections::HashMap;

use uuid::Uuid;
use waybill_domain::booking::{DEADLINE, RECONCILE, Step};
use waybill_domain::catalog::{Carrier, Service};
use waybill_domain::fields::FieldErrors;
use waybill_domain::ids::{AccountId, ShipmentId, TemplateId};
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
    templates: HashMap<TemplateId, TemplateShipment>,
    accounts: Vec<(String, AccountId)>,
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
pub async fn accept(call: &Call, ground: &Team, body: &Json) -> Result<Shipment, ApiError> {
    let (mut order, mut errors) = read_order(call, ground, body)?;
    let service = ground.service(call, &order.delivery.service_code);
    let (carrier, service, account) = match service {
        Ok(found) => found,
        Err(message) => {
            errors.add("delivery.service_code", message);
            return Err(ApiError::Invalid(errors));
        }
    };
    if order.merchant.is_none() {
        order.merchant = ground.settings.merchant(service.is_return).cloned();
    }
    let near = match service.is_pickup {
        true => look_around(call, carrier, &order).await?,
        false => Near::default(),
    };
    let point = pickup_point(service, &order, &near, &mut errors);
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
    let (errors, label) = judge(call, &case, errors);
    let (Some(label), true) = (label, errors.is_empty()) else {
        return Err(ApiError::Invalid(errors));
    };
    // Last mile follows the parcel: to the customer, or for a return to the merchant.
    let end = if service.is_return { order.merchant.as_ref() } else { Some(&order.customer) };
    let last_mile = end.and_then(|party| service.last_mile.carrier(party.address.country));
    let snapshot = Json::object([
        ("label_format", label.format.name().into()),
        ("label_size", label.size.into()),
        ("label_dpi", ground.settings.label.dpi.into()),
        ("last_mile", last_mile.into()),
        ("language", Json::text(ground.settings.language)),
        ("pickup_point", point),
    ]);
    Ok(shipment(call, &order, input, snapshot, carrier, account))
}

impl Team {
    /// The service of this name, with the team's account for it.
    fn service<'a>(
        &self,
        call: &'a Call,
        code: &str,
    ) -> Result<(&'a Carrier, &'a Service, AccountId), Message> {
        let found = call.app.catalog.service(code);
        let (carrier, service) = found.ok_or_else(|| Message::new("unknown-service"))?;
        let account = self.accounts.iter().find(|(code, _)| *code == carrier.code);
        let (_, account) =
            account.ok_or_else(|| Message::new("no-account").text("carrier", &carrier.name))?;
        Ok((carrier, service, *account))
    }
}

/// The order, and what is wrong with its units. One that can not be read is told with all that can
/// be told without: a template that is not there, and a service that can not be had.
fn read_order(
    call: &Call,
    ground: &Team,
    body: &Json,
) -> Result<(Order, FieldErrors), FieldErrors> {
    let template = match find_template(ground, body) {
        Ok(template) => template,
        Err(mut errors) => {
            if let Err(others) = Order::parse(body, None) {
                // What is missing may be in the template.
                errors.extend(others.without("required"));
            }
            return Err(errors);
        }
    };
    Order::parse_mixed(body, template).map_err(|mut errors| {
        let code = body.member("delivery").and_then(|delivery| delivery.member("service_code"));
        if let Some(Json::Text(code)) = code
            && let Err(message) = ground.service(call, code)
            && !errors.has("delivery.service_code")
        {
            errors.add("delivery.service_code", message);
        }
        errors
    })
}

fn find_template<'a>(
    ground: &'a Team,
    body: &Json,
) -> Result<Option<&'a TemplateShipment>, FieldErrors> {
    let Some(id) = template_of(body)? else { return Ok(None) };
    let unknown = || FieldErrors::one("template_uuid", Message::new("unknown-template"));
    ground.templates.get(&id).map(Some).ok_or_else(unknown)
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
        request_id: Some(call.request_id.clone()),
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

/// The points that an order may go to.
async fn look_around(call: &Call, carrier: &Carrier, order: &Order) -> Result<Near, ApiError> {
    let address = &order.customer.address;
    let closest = near(call, &carrier.code, address, ALTERNATIVES).await?;
    let Some(code) = order.delivery.pickup_point.clone() else {
        return Ok(Near { named: None, closest });
    };
    let set = Set { carrier: carrier.code.clone(), country: address.country };
    let named = call.read(move |tx| service_points::find(tx, &set, &code)).await?;
    Ok(Near { named, closest })
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
pub fn stored<T>(
    text: &str,
    read: impl FnOnce(&Json) -> Result<T, FieldErrors>,
) -> Result<T, ApiError> {
    let json = parse(text.as_bytes()).map_err(|fault| ApiError::Internal(format!("{fault:?}")))?;
    read(&json).map_err(|errors| ApiError::Internal(format!("stored: {errors:?}")))
}
