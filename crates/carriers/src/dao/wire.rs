//! A booking as dao wants it: a query. The credentials, which stand there too, are added when it is
//! sent, so that what is kept of a request has none.

use waybill_domain::fields::FieldErrors;
use waybill_domain::json::Json;
use waybill_domain::measure::{Length, LengthUnit, Weight};
use waybill_domain::parcel::Parcel;
use waybill_domain::party::{Address, Party};
use waybill_domain::words::Message;

use super::uncertain::{AGE_PARAMETER, SHOP_TO_HOME_PATH, SHOP_TO_SHOP_PATH};
use crate::booking::Plan;
use crate::ends::{Ends, addon_text, business_name};
use crate::environment::Environment;
use crate::texts::{postal_code, query};

type Pairs = Vec<(&'static str, String)>;

/// Where each service is booked.
const PATHS: &[(&str, &str)] = &[
    ("dao:home", "/DAODirekte/leveringsordre.php"),
    ("dao:shop", "/DAOPakkeshop/leveringsordre.php"),
    ("dao:shop2home", SHOP_TO_HOME_PATH),
    ("dao:shop2shop", SHOP_TO_SHOP_PATH),
    ("dao:return", "/DAOPakkeshop/returordre.php"),
];

/// Path and query of a request to book, without credentials.
pub fn booking(plan: &Plan, options: &Json) -> Result<String, FieldErrors> {
    let service = plan.order.delivery.service_code.as_str();
    let Some((_, path)) = PATHS.iter().find(|(code, _)| *code == service) else {
        let message = Message::new("unknown-service");
        return Err(FieldErrors::one("delivery.service_code", message));
    };
    let ends = Ends::of(&plan.order, plan.is_return)?;
    let mut pairs = match plan.is_return {
        true => returned(&ends),
        false => delivered(plan, &ends, options)?,
    };
    pairs.push(("faktura", plan.reference.as_str().to_owned()));
    if Environment::of(options).is_test() {
        pairs.push(("test", "1".to_owned()));
    }
    Ok(format!("{path}?{}", query(pairs)))
}

fn delivered(plan: &Plan, ends: &Ends, options: &Json) -> Result<Pairs, FieldErrors> {
    let (sender, receiver) = (&ends.sender, &ends.receiver);
    let mut pairs = vec![
        ("postnr", postal_code(&receiver.address)),
        ("adresse", street(&receiver.address)),
        ("navn", name(receiver)),
        ("mobil", phone(receiver)),
        ("email", email(receiver)),
        ("afsender_navn", business_name(sender).to_owned()),
        ("afsender_adresse", street(&sender.address)),
        ("afsender_postnr", postal_code(&sender.address)),
        ("afsender_mobil", phone(sender)),
        ("afsender_email", email(sender)),
        ("afsenderid", options.member_text("sender_id").unwrap_or_default().to_owned()),
    ];
    pairs.extend(plan.order.parcels.first().map(measures).into_iter().flatten());
    let service = plan.order.delivery.service_code.as_str();
    if matches!(service, "dao:shop" | "dao:shop2shop") {
        pairs.push(("shopid", shop(plan)?));
    }
    if let Some(age) = addon_text(&plan.order, "age_verification") {
        pairs.push((AGE_PARAMETER, age.to_owned()));
    }
    Ok(pairs)
}

/// A return goes to the merchant, and is handed in by the customer. It has no weight.
fn returned(ends: &Ends) -> Pairs {
    let (customer, merchant) = (&ends.sender, &ends.receiver);
    vec![
        ("type", "withlabel".to_owned()),
        ("navn", name(merchant)),
        ("adresse", street(&merchant.address)),
        ("postnr", postal_code(&merchant.address)),
        ("afsender", customer.contact.name.clone()),
        ("afs_mobil", phone(customer)),
        ("afs_email", email(customer)),
    ]
}

fn shop(plan: &Plan) -> Result<String, FieldErrors> {
    let agreed = plan.pickup_point.as_ref().map(|point| point.code.clone());
    agreed
        .or_else(|| plan.order.delivery.pickup_point.clone())
        .ok_or_else(|| FieldErrors::one("delivery.pickup_point.code", Message::new("required")))
}

/// The person, or the person and the company.
fn name(party: &Party) -> String {
    let company = party.contact.company.as_deref().unwrap_or_default();
    format!("{} {company}", party.contact.name).trim().to_owned()
}

fn street(address: &Address) -> String {
    address.lines.join(" ")
}

fn email(party: &Party) -> String {
    party.contact.email.clone().unwrap_or_default()
}

/// A Danish number as its eight digits, any other one as it is.
fn phone(party: &Party) -> String {
    let number = party.contact.phone.as_deref().unwrap_or_default();
    let rest = number.strip_prefix("+45").or_else(|| number.strip_prefix("0045"));
    let is_danish = |rest: &&str| rest.len() == 8 && rest.bytes().all(|b| b.is_ascii_digit());
    rest.filter(is_danish).unwrap_or(number).to_owned()
}

fn measures(parcel: &Parcel) -> Pairs {
    let centimetres = |side: Option<Length>| {
        side.map(|side| side.in_unit(LengthUnit::Centimetre, 0).to_string()).unwrap_or_default()
    };
    let grams = parcel.gross_weight.map(Weight::grams);
    vec![
        ("vaegt", grams.map(|grams| grams.to_string()).unwrap_or_default()),
        ("l", centimetres(parcel.length)),
        ("h", centimetres(parcel.height)),
        ("b", centimetres(parcel.width)),
    ]
}

/// A path with its query, and in front of it who asks.
pub fn signed(path: &str, credentials: &Json) -> String {
    let told = |name| credentials.member_text(name).unwrap_or_default().to_owned();
    let who = query([
        ("kundeid", told("customer_id")),
        ("kode", told("code")),
        ("format", "json".to_owned()),
    ]);
    match path.split_once('?') {
        Some((path, rest)) => format!("{path}?{who}&{rest}"),
        None => format!("{path}?{who}"),
    }
}
