//! From a request body to a shipment that may be stored: everything is checked here, up front, and
//! all that later changes could touch is resolved and snapshotted.

use std::collections::{BTreeSet, HashMap};

use uuid::Uuid;
use waybill_domain::booking::{BOOKING_TIME_MAX, GIVE_UP_AFTER, Step};
use waybill_domain::catalog::Carrier;
use waybill_domain::catalog::customs::customs_problems;
use waybill_domain::fields::FieldErrors;
use waybill_domain::ids::{AccountId, ShipmentId, TemplateId, TrackingId};
use waybill_domain::json::{Json, parse};
use waybill_domain::party::Party;
use waybill_domain::settings::Settings;
use waybill_domain::shipment::{
    Order, Reading, ShipmentParcel, ShipmentState, Snapshot, StoredOrder, Template, template_of,
};
use waybill_domain::template::TemplateShipment;
use waybill_domain::words::Message;
use waybill_engine::app::App;
use waybill_engine::points;
use waybill_store::shipments::Shipment;
use waybill_store::{carrier_accounts, idempotency, teams, templates};

use super::point::pickup_point;
pub use super::validate::LabelWish;
use super::validate::{BookingContext, prepare_problems, validate_booking};
use crate::caller::Member;
use crate::reply::ApiError;
use crate::request::{Request, find_claim};

/// What the store knows before anything is decided.
pub enum Intake {
    /// The same request came before, and made this.
    Replayed(Uuid),
    /// The team's side of a new booking.
    New(Box<BookingTeam>),
}

/// The team's side of a booking.
pub struct BookingTeam {
    settings: Settings,
    templates: HashMap<TemplateId, TemplateShipment>,
    accounts: Vec<BookingAccount>,
}

/// The account that a booking with a carrier uses.
struct BookingAccount {
    carrier: String,
    id: AccountId,
    options: Json,
}

/// Checks a request completely and makes the shipment of it. Nothing is stored.
pub async fn accept(
    request: &Request,
    team: &BookingTeam,
    body: &Json,
    label: LabelWish,
) -> Result<Shipment, ApiError> {
    let mut reading = Reading::new(body, team.template(body))?;
    reading.check_time(request.now);
    let found = request.app.catalog().service(&reading.order().delivery.service_code);
    let Some((carrier, service)) = found else {
        return Err(ApiError::Invalid(problems_without_service(request, team, reading)));
    };
    let account = team.account(carrier);
    let is_bookable = request.app.carriers().get(&carrier.code).is_some();
    if account.is_none() || !is_bookable {
        let why = if is_bookable { "no-account" } else { "carrier-not-bookable" };
        let message = Message::new(why).text("carrier", &carrier.name);
        reading.note(FieldErrors::one("delivery.service_code", message));
    }
    reading.set_merchant(team.settings.merchant(service.is_return));
    // Who cannot book with a carrier is not told about its points.
    let point = match service.is_pickup && is_bookable {
        true => pickup_point(request, carrier, &mut reading).await?,
        false => None,
    };
    if !service.is_pickup {
        reading.refuse_template_point();
    }
    let point = point.as_ref().map(points::snapshot).transpose()?;
    let context = BookingContext {
        settings: &team.settings,
        carrier,
        service,
        order: reading.order(),
        input: reading.input(),
        pickup_point: point.as_ref(),
        label,
    };
    let (errors, snapshot) = validate_booking(request, &context, FieldErrors::default());
    let told = account.zip(snapshot.as_ref()).filter(|_| errors.is_empty());
    let unprepared = told
        .map(|(account, snapshot)| prepare_problems(request, &context, &account.options, snapshot));
    reading.note(errors);
    reading.note_elsewhere(unprepared.unwrap_or_default());
    let order = reading.finish()?;
    let (Some(snapshot), Some(account)) = (snapshot, account) else {
        return Err(ApiError::Internal("a shipment was accepted without a label".to_owned()));
    };
    Ok(shipment(request, &order, snapshot, carrier, account.id))
}

impl BookingTeam {
    /// The template that a request names.
    pub fn template(&self, body: &Json) -> Template<'_> {
        match template_of(body) {
            Ok(None) => Template::None,
            Ok(Some(id)) => self.templates.get(&id).map_or(Template::Unknown, Template::Known),
            Err(_) => Template::Unknown,
        }
    }

    /// The team as a merchant: who sends, or who gets a return.
    pub fn merchant(&self, is_return: bool) -> Option<&Party> {
        self.settings.merchant(is_return)
    }

    /// The account that a booking with this carrier uses.
    fn account(&self, carrier: &Carrier) -> Option<&BookingAccount> {
        self.accounts.iter().find(|account| account.carrier == carrier.code)
    }
}

/// What is wrong with a request for a service that is not known: all that does not depend on one.
fn problems_without_service(
    request: &Request,
    team: &BookingTeam,
    mut reading: Reading,
) -> FieldErrors {
    let unknown = Message::new("unknown-service");
    reading.note(FieldErrors::one("delivery.service_code", unknown));
    // Whether it is a return is not known either, so only a merchant of both ways is.
    let (there, back) = (team.settings.merchant(false), team.settings.merchant(true));
    reading.set_merchant(there.filter(|_| there == back));
    reading.note(request.app.catalog().problems_anywhere(reading.input()));
    reading.note(customs_problems(reading.input()));
    reading.finish().err().unwrap_or_default()
}

fn shipment(
    request: &Request,
    order: &Order,
    snapshot: Snapshot,
    carrier: &Carrier,
    account: AccountId,
) -> Shipment {
    let ids = &request.app.ids();
    let parcel = |_| ShipmentParcel::new(ids.uuid(), TrackingId(ids.uuid()));
    Shipment {
        parcels: order.parcels.iter().map(parcel).collect(),
        id: ShipmentId(ids.uuid()),
        state: ShipmentState::Processing,
        step: Step::Ready,
        ending: None,
        identifier: order.identifier.clone(),
        reference: order.reference.clone(),
        carrier_code: carrier.code.clone(),
        service_code: order.delivery.service_code.clone(),
        account,
        order: StoredOrder::new(order),
        snapshot,
        codes: None,
        failure: None,
        carrier_reference: None,
        carrier_data: None,
        batch: None,
        batch_position: None,
        deadline_at: request.now.plus(BOOKING_TIME_MAX),
        give_up_at: request.now.plus(GIVE_UP_AFTER),
        called_at: None,
        tries: 0,
        created_at: request.now,
        updated_at: request.now,
        accepted_at: None,
        booked_at: None,
        cancelled_at: None,
        request_id: Some(request.request_id.clone()),
        fulfilment: None,
    }
}

/// Reads all that bookings depend on in one go: the key's past, the settings, the templates that
/// the bodies name, and the accounts with the carriers whose services bodies and templates name.
pub async fn load_intake<'a>(
    request: &Request,
    member: Member,
    bodies: impl Iterator<Item = &'a Json>,
    claim: Option<&idempotency::KeyClaim>,
) -> Result<Intake, ApiError> {
    let (mut wanted, mut carriers) = (Vec::new(), BTreeSet::new());
    for body in bodies {
        // A body whose template cannot be read is told so when it is accepted.
        wanted.extend(template_of(body).ok().flatten());
        carriers.extend(carrier_of(&request.app, body));
    }
    wanted.sort_unstable();
    wanted.dedup();
    let (team, claim, app) = (member.team, claim.cloned(), request.app.clone());
    let read = request
        .read_grouped(move |tx| {
            let before = claim.as_ref().map(|claim| find_claim(tx, team, claim)).transpose()?;
            if let Some(before) = before.flatten() {
                return Ok((Some(before), None));
            }
            let (mut templates, mut carriers) = (HashMap::new(), carriers.clone());
            for id in &wanted {
                let Some(row) = templates::find(tx, team, *id)? else { continue };
                let template = stored(&row.shipment, TemplateShipment::parse)?;
                carriers.extend(carrier_of(&app, &template.to_json()));
                templates.insert(*id, template);
            }
            let settings = teams::find_settings(tx, team)?.ok_or(ApiError::NotFound)?;
            let mut accounts = Vec::new();
            for carrier in carriers {
                let account = carrier_accounts::find_active(tx, team, &carrier)?;
                let Some(row) = account else { continue };
                let options = row.read_options()?;
                accounts.push(BookingAccount { carrier, id: row.id, options });
            }
            Ok::<_, ApiError>((None, Some((settings.0, templates, accounts))))
        })
        .await?;
    let (settings, templates, accounts) = match read {
        (Some(before), _) => return Ok(Intake::Replayed(before)),
        (None, Some(found)) => found,
        (None, None) => return Err(ApiError::NotFound),
    };
    let settings = stored(&settings, Settings::parse)?;
    Ok(Intake::New(Box::new(BookingTeam { settings, templates, accounts })))
}

/// The carrier whose service a request or a template names.
fn carrier_of(app: &App, body: &Json) -> Option<String> {
    let code = body.member("delivery").and_then(|delivery| delivery.member("service_code"));
    let Some(Json::Text(code)) = code else { return None };
    app.catalog().service(code).map(|(carrier, _)| carrier.code.clone())
}

/// Reads what we stored ourselves.
pub fn stored<T>(
    text: &str,
    read: impl FnOnce(&Json) -> Result<T, FieldErrors>,
) -> Result<T, ApiError> {
    let json = parse(text.as_bytes()).map_err(|fault| ApiError::Internal(format!("{fault:?}")))?;
    read(&json).map_err(|errors| ApiError::Internal(format!("stored: {errors:?}")))
}
