//! A booking as PostNord wants it. Pure functions; nothing here decides what an answer means.

use jiff::Timestamp;
use waybill_domain::document::Format;
use waybill_domain::fields::FieldErrors;
use waybill_domain::json::Json;
use waybill_domain::parcel::Parcel;
use waybill_domain::shipment::{AddonValue, Order};
use waybill_domain::time::Time;

use super::account::Options;
use super::amounts::{amount, centimetres, count, kilograms};
use super::services::Service;
use super::uncertain::SMALL_PAPER;
use super::{customs, parties};
use crate::booking::{LabelRequest, Plan};
use crate::ends::{Ends, addon, addon_text, has_addon};
use crate::environment::Environment;
use crate::members::object;
use crate::texts::{cut, query};

/// The longest description of goods.
const GOODS_MAX: usize = 35;

/// A request to book: where it goes, without the key, and what it says.
pub struct Booking {
    /// Path and query.
    pub path: String,
    /// The body.
    pub body: Json,
}

/// A booking, or what cannot be said of it.
pub fn booking(plan: &Plan, options: Options<'_>) -> Result<Booking, FieldErrors> {
    let ends = Ends::of(&plan.order, plan.is_return)?;
    let service = Service::of(plan, &ends, options)?;
    let root = if service.is_return() { "/rest/shipment/v3/returns" } else { "/rest/shipment/v3" };
    let printout = match service.is_return() {
        true => vec![("addQRCODE", "true".to_owned()), ("qrCodeFormat", "PNG".to_owned())],
        false => vec![("definePrintout", "onlyLabels".to_owned())],
    };
    let locale = locale(&plan.order);
    let labels = label_query(plan.label.as_ref());
    let kind = ("labelType", options.label_type().to_owned());
    let pairs = [("locale", locale.to_owned()), kind].into_iter().chain(labels).chain(printout);
    let path = format!("{root}/edi/labels/{}?{}", format_name(plan.label.as_ref()), query(pairs));
    let shipment = shipment(plan, &ends, &service, options)?;
    let is_test = Environment::of(options.0).is_test();
    let body = object([
        ("messageDate", moment(plan.now).into()),
        ("messageFunction", "Instruction".into()),
        ("messageId", plan.reference.as_str().into()),
        (
            "application",
            object([
                ("applicationId", options.application_id()),
                ("name", "Waybill".into()),
                ("version", env!("CARGO_PKG_VERSION").into()),
            ]),
        ),
        ("language", locale.to_uppercase().into()),
        ("updateIndicator", "Original".into()),
        ("testIndicator", is_test.then_some(true).into()),
        ("shipment", Json::list([shipment])),
    ]);
    Ok(Booking { path, body })
}

/// The path of a request for the labels of a booking, without the key. The locale is that of the
/// booking, where it is known.
pub fn labels_path(label: Option<&LabelRequest>, locale: Option<&str>) -> String {
    let locale = [("locale", locale.unwrap_or_default().to_owned())];
    let printout = [("definePrintout", "onlyLabels".to_owned())];
    let pairs = locale.into_iter().chain(label_query(label)).chain(printout);
    format!("/rest/shipment/v3/labels/ids/{}?{}", format_name(label), query(pairs))
}

/// What kind of file is asked for.
pub fn format(label: Option<&LabelRequest>) -> Format {
    match label {
        Some(LabelRequest { format: Format::Zpl, .. }) => Format::Zpl,
        _ => Format::Pdf,
    }
}

/// The same, of a path to book at.
pub fn format_of(path: &str) -> Format {
    if path.contains("/labels/zpl?") { Format::Zpl } else { Format::Pdf }
}

fn format_name(label: Option<&LabelRequest>) -> &'static str {
    if format(label) == Format::Zpl { "zpl" } else { "pdf" }
}

fn label_query(label: Option<&LabelRequest>) -> Vec<(&'static str, String)> {
    let mut pairs = Vec::new();
    match format(label) {
        Format::Zpl => {
            pairs.extend([("multiZPL", "true".to_owned()), ("dpmm", "8dpmm".to_owned())]);
        }
        _ => {
            let size = label.map_or("", |label| label.size.as_str());
            pairs.extend(match size {
                "105x148" => Some(("paperSize", SMALL_PAPER.to_owned())),
                "a4" => Some(("paperSize", "A4".to_owned())),
                _ => None,
            });
            pairs.push(("multiPDF", "true".to_owned()));
        }
    }
    pairs
}

/// What people are spoken to in, by their country.
const LOCALES: [(&str, &str); 4] = [("SE", "sv"), ("DK", "da"), ("NO", "no"), ("FI", "fi")];
const OTHER_LOCALE: &str = "en";

/// What people are spoken to in.
pub fn locale(order: &Order) -> &'static str {
    let country = order.customer.address.country.code();
    LOCALES.iter().find(|(code, _)| *code == country).map_or(OTHER_LOCALE, |(_, locale)| locale)
}

/// The same, of a path to book at.
pub fn locale_of(path: &str) -> &'static str {
    let is_told = |locale: &str| path.contains(&format!("?locale={locale}&"));
    LOCALES.iter().find(|(_, locale)| is_told(locale)).map_or(OTHER_LOCALE, |(_, locale)| locale)
}

/// A moment in whole seconds.
fn moment(time: Time) -> String {
    let moment = Timestamp::from_microsecond(time.0).unwrap_or(Timestamp::UNIX_EPOCH);
    format!("{moment:.0}")
}

fn shipment(
    plan: &Plan,
    ends: &Ends,
    service: &Service,
    options: Options<'_>,
) -> Result<Json, FieldErrors> {
    let (order, reference) = (&plan.order, plan.reference.as_str());
    let weights = order.parcels.iter().filter_map(|parcel| parcel.gross_weight);
    let additional = service.additional.iter().map(|code| Json::from(*code));
    let shipment = object([
        ("shipmentIdentification", object([("shipmentId", reference.into())])),
        ("dateAndTimes", object([("loadingDate", moment(plan.now).into())])),
        (
            "service",
            object([
                ("basicServiceCode", service.code.into()),
                ("additionalServiceCode", Json::list(additional)),
            ]),
        ),
        ("references", references(plan, ends, service)),
        ("numberOfPackages", count(order.parcels.len())),
        ("totalGrossWeight", kilograms(weights)),
        ("freeText", free_text(order)),
        ("insurance", insurance(order, ends, options)),
        ("cashOnDelivery", cash_on_delivery(order, reference)),
        ("parties", parties::parties(plan, ends, service, options)),
        ("goodsItem", Json::list([goods(plan, service)])),
    ]);
    let Json::Object(mut members) = shipment else { return Ok(shipment) };
    if plan.is_declared {
        let (name, told) = customs::told(plan, options, service.is_letter())?;
        members.push((name.into(), told));
    }
    Ok(Json::Object(members))
}

fn named(number: &str, kind: &str) -> Json {
    object([("referenceNo", number.into()), ("referenceType", kind.into())])
}

fn references(plan: &Plan, ends: &Ends, service: &Service) -> Json {
    let mut all = vec![named(plan.reference.as_str(), "CU")];
    if service.is_return() && ends.sender.address.country.code() == "NO" {
        all.push(named("post_no", "CN"));
    }
    Json::List(all)
}

fn free_text(order: &Order) -> Json {
    let instructions = order.delivery.instructions.as_deref();
    let texts = instructions.into_iter().chain(addon_text(order, "flex_delivery"));
    let texts = texts.filter(|text| !text.trim().is_empty());
    Json::list(texts.map(|text| object([("usageCode", "DEL".into()), ("text", text.into())])))
}

fn money(order: &Order, code: &str) -> Json {
    match addon(order, code).and_then(|(_, addon)| addon.value.clone()) {
        Some(AddonValue::Money(money)) => amount(money),
        _ => Json::Null,
    }
}

fn insurance(order: &Order, ends: &Ends, options: Options<'_>) -> Json {
    if !has_addon(order, "insurance") {
        return Json::Null;
    }
    let kind = match (options.country(), ends.are_within("DK")) {
        ("DK", true) => Some("DOMESTICDK"),
        ("DK", false) => Some("EUROPE"),
        _ => None,
    };
    object([("typeOfInsurance", kind.into()), ("insuranceAmount", money(order, "insurance"))])
}

fn cash_on_delivery(order: &Order, reference: &str) -> Json {
    match has_addon(order, "cash_on_delivery") {
        true => object([
            ("transactionIdentifier", reference.into()),
            ("codAmount", money(order, "cash_on_delivery")),
        ]),
        false => Json::Null,
    }
}

fn goods(plan: &Plan, service: &Service) -> Json {
    let parcels = &plan.order.parcels;
    let description = parcels.first().and_then(|parcel| parcel.description.as_deref());
    let items = parcels.iter().enumerate().map(|(place, parcel)| item(plan, place, parcel));
    object([
        ("packageTypeCode", service.packaging().into()),
        ("numberOfPackageTypeCodeItems", count(parcels.len())),
        ("goodsDescription", description.map(|text| cut(text, GOODS_MAX)).into()),
        ("items", Json::list(items)),
    ])
}

/// What parcel n of a booking is called, from 1.
pub fn parcel_reference(reference: &str, place: usize) -> String {
    format!("{reference}-{}", place + 1)
}

fn item(plan: &Plan, place: usize, parcel: &Parcel) -> Json {
    let own = parcel.reference.as_deref().or(plan.order.reference.as_deref());
    let own = own.filter(|own| !own.trim().is_empty());
    let age = addon_text(&plan.order, "age_verification");
    let mut references = vec![named(&parcel_reference(plan.reference.as_str(), place), "ACD")];
    references.extend(own.map(|own| named(own, "ZPR")));
    references.extend(age.map(|age| named(age, "ZAG")));
    let dimensions = match (parcel.height, parcel.width, parcel.length) {
        (Some(height), Some(width), Some(length)) => object([
            ("height", centimetres(height)),
            ("width", centimetres(width)),
            ("length", centimetres(length)),
        ]),
        _ => Json::Null,
    };
    object([
        // PostNord chooses the number.
        ("itemIdentification", object([("itemId", "0".into())])),
        ("grossWeight", kilograms(parcel.gross_weight)),
        ("dimensions", dimensions),
        ("references", Json::List(references)),
    ])
}
