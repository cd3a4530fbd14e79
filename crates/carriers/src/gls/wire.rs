//! A booking as GLS wants it. Pure functions; nothing here decides what an answer means.

use waybill_domain::document::Format;
use waybill_domain::fields::FieldErrors;
use waybill_domain::json::Json;
use waybill_domain::parcel::Parcel;
use waybill_domain::party::Party;
use waybill_domain::words::Message;

use super::account::Options;
use super::plain;
use super::services::{Product, check_email, of_parcel, of_shipment};
use super::weights;
use crate::booking::{LabelRequest, Plan};
use crate::ends::{business_name, customer};
use crate::members::object;
use crate::texts::{cut, phone, postal_code};

/// Where everything of ShipIT is.
pub const BASE: &str = "/shipit-farm/v1/backend/rs";
/// The longest name.
const NAME_MAX: usize = 40;
/// The longest note.
const NOTE_MAX: usize = 50;
/// A person with a shorter name is not told as one.
const PERSON_MIN: usize = 6;

/// The body of a request to book, or what GLS cannot be told.
pub fn booking(plan: &Plan, options: Options<'_>) -> Result<Json, FieldErrors> {
    let order = &plan.order;
    let Some(merchant) = &order.merchant else {
        return Err(FieldErrors::one("parties.merchant", Message::new("no-merchant")));
    };
    let product = Product::of(order)?;
    check_email(order)?;
    let services = of_shipment(plan, product)?;
    // On a return, too: GLS exchanges the two by itself.
    let consignee = address(&customer(order), "parties.customer")?;
    // A return goes to nobody else, whatever stands on other labels.
    let is_named = product == Product::Return || options.has_alternative_shipper();
    let shipper = match is_named {
        true => address(merchant, "parties.merchant")?,
        false => Json::Null,
    };
    let units = order.parcels.iter().enumerate().map(|(place, parcel)| unit(plan, place, parcel));
    let references = [Some(plan.reference.as_str()), order.reference.as_deref()];
    let shipment = object([
        ("ShipmentReference", texts(references)),
        ("ShippingDate", Json::text(plan.local_time(options.0).date())),
        ("IncotermCode", incoterm(plan, merchant).into()),
        ("Identifier", "Waybill".into()),
        ("Middleware", options.middleware().into()),
        ("Product", "PARCEL".into()),
        ("Consignee", object([("Category", product.category().into()), ("Address", consignee)])),
        (
            "Shipper",
            object([
                ("ContactID", options.contact_id().into()),
                ("AlternativeShipperAddress", shipper),
            ]),
        ),
        ("ShipmentUnit", Json::list(units)),
        ("Service", Json::list(services)),
    ]);
    let body = object([("Shipment", shipment), ("PrintingOptions", printing(plan.label.as_ref()))]);
    Ok(plain::body(body))
}

/// What parcel n of a booking is called, from 1.
pub fn parcel_reference(reference: &str, place: usize) -> String {
    format!("{reference}-{}", place + 1)
}

/// What kind of label is made.
pub fn printing(label: Option<&LabelRequest>) -> Json {
    let (template, format) = match label.map(|label| label.format) {
        Some(Format::Zpl) => ("ZPL_200", "ZEBRA"),
        Some(Format::Png) => ("NONE", "PNG"),
        _ => ("NONE", "PDF"),
    };
    object([(
        "ReturnLabels",
        object([("TemplateSet", template.into()), ("LabelFormat", format.into())]),
    )])
}

fn texts<'a>(texts: impl IntoIterator<Item = Option<&'a str>>) -> Json {
    Json::list(texts.into_iter().flatten().map(Json::from))
}

/// Who pays duties, when it goes to another country.
fn incoterm(plan: &Plan, merchant: &Party) -> Option<&'static str> {
    let customer = &plan.order.customer.address;
    if merchant.address.country == customer.country && !plan.is_declared {
        return None;
    }
    let agreed = plan.order.customs.as_ref().and_then(|customs| customs.incoterm.as_deref());
    Some(if agreed == Some("DDP") { "10" } else { "20" })
}

fn unit(plan: &Plan, place: usize, parcel: &Parcel) -> Json {
    let ours = parcel_reference(plan.reference.as_str(), place);
    let note = |text: Option<&str>| Json::from(text.map(|text| cut(text, NOTE_MAX)));
    object([
        ("ShipmentUnitReference", texts([Some(ours.as_str()), parcel.reference.as_deref()])),
        ("Weight", Json::Number(weights::of_parcel(parcel).number())),
        ("Note1", note(parcel.description.as_deref())),
        ("Note2", note(plan.order.delivery.instructions.as_deref())),
        ("Service", Json::list(of_parcel(plan, place, parcel))),
    ])
}

/// An address. Its further lines have one field together, which holds less than they may have.
fn address(party: &Party, path: &str) -> Result<Json, FieldErrors> {
    let (contact, address) = (&party.contact, &party.address);
    let is_company = business_name(party) != contact.name;
    let person = Some(contact.name.as_str());
    let more = address.lines.get(1..).unwrap_or_default().join(" ");
    if more.chars().count() > NAME_MAX {
        let message = Message::new("too-long").count("max", 40);
        return Err(FieldErrors::one(format!("{path}.address.address_lines.1"), message));
    }
    check_needed(party, path)?;
    let phone = contact.phone.as_deref().map(phone);
    Ok(object([
        ("Name1", business_name(party).into()),
        ("Name2", person.filter(|_| is_company).into()),
        ("Name3", more.into()),
        ("CountryCode", Json::text(address.country)),
        ("Province", address.administrative_area.as_deref().into()),
        ("ZIPCode", postal_code(address).into()),
        ("City", address.city.as_str().into()),
        ("Street", street(party).into()),
        ("eMail", contact.email.as_deref().into()),
        (
            "ContactPerson",
            person.filter(|name| plain::text(name).chars().count() >= PERSON_MIN).into(),
        ),
        ("FixedLinePhonenumber", phone.clone().into()),
        ("MobilePhoneNumber", phone.into()),
    ]))
}

fn street(party: &Party) -> &str {
    party.address.lines.first().map_or("", String::as_str)
}

/// What GLS takes no address without.
fn check_needed(party: &Party, path: &str) -> Result<(), FieldErrors> {
    let is_company = business_name(party) != party.contact.name;
    let name = if is_company { "contact.company" } else { "contact.name" };
    let mut errors = FieldErrors::default();
    for (text, place) in [
        (business_name(party), name),
        (street(party), "address.address_lines.0"),
        (party.address.city.as_str(), "address.city"),
    ] {
        plain::check(text, format!("{path}.{place}"), &mut errors);
    }
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}
