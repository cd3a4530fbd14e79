//! What PostNord tells customs: an invoice for parcels, and a declaration of its own for letters.

use waybill_domain::fields::FieldErrors;
use waybill_domain::json::Json;
use waybill_domain::measure::{Money, Weight};
use waybill_domain::parcel::{Item, Parcel};
use waybill_domain::party::Party;
use waybill_domain::shipment::{Customs, Order};
use waybill_domain::words::Message;

use super::account::Options;
use super::amounts::{amount, count, kilograms, sum};
use super::parties::customer;
use crate::booking::Plan;
use crate::ends;
use crate::members::object;
use crate::texts::{phone, postal_code};

const TERMS: [&str; 3] = ["DAP", "DDP", "EXW"];
/// Why goods leave for good.
const PERMANENT: &str = "1000";
/// Why goods go back.
const RETURNED: &str = "1040";

/// The categories of a letter's contents, by ours.
const CATEGORIES: &[(&str, &str)] = &[
    ("commercial_goods", "SALE OF GOODS"),
    ("commercial_sample", "COMMERCIAL SAMPLE"),
    ("gift", "GIFT"),
    ("documents", "DOCUMENT"),
    ("returned_goods", "RETURNED GOODS"),
    ("other", "OTHER"),
];

/// The name and the value of the member that customs are told with.
pub fn told(
    plan: &Plan,
    options: Options<'_>,
    is_letter: bool,
) -> Result<(&'static str, Json), FieldErrors> {
    let merchant = plan.order.merchant.clone().unwrap_or_default();
    match is_letter {
        true => Ok(("customsDeclarationCN22", letter(plan, &merchant)?)),
        false => Ok(("customsInvoice", invoice(plan, &merchant, options)?)),
    }
}

fn number<'a>(party: &'a Party, kind: &str) -> Option<&'a str> {
    party.numbers().find(|(its, _)| *its == kind).map(|(_, number)| number)
}

fn content_type(order: &Order) -> &str {
    let customs = order.customs.as_ref();
    customs.and_then(|customs| customs.content_type.as_deref()).unwrap_or("other")
}

fn items(order: &Order) -> impl Iterator<Item = &Item> {
    order.parcels.iter().flat_map(|parcel| &parcel.items)
}

fn gross(order: &Order) -> impl Iterator<Item = Weight> {
    order.parcels.iter().filter_map(|parcel: &Parcel| parcel.gross_weight)
}

fn value(item: &Item) -> Option<Money> {
    item.unit_price?.times(item.quantity)
}

fn weight(item: &Item) -> Option<Weight> {
    item.net_weight?.times(item.quantity)
}

fn shipping_cost(order: &Order) -> Option<Money> {
    order.customs.as_ref()?.shipping_cost
}

/// The invoice of parcels, for which the merchant is known by its number for VAT.
fn invoice(plan: &Plan, merchant: &Party, options: Options<'_>) -> Result<Json, FieldErrors> {
    let order = &plan.order;
    let buyer = ends::customer(order);
    let mut errors = FieldErrors::default();
    for (is_missing, path) in [
        (number(merchant, "vat").is_none(), "parties.merchant.identifiers.vat"),
        (merchant.contact.phone.is_none(), "parties.merchant.contact.phone"),
        (buyer.contact.phone.is_none(), "parties.customer.contact.phone"),
    ] {
        if is_missing {
            errors.add(path, Message::new("required-by-customs"));
        }
    }
    errors.extend(ends::undescribed(order));
    if !errors.is_empty() {
        return Err(errors);
    }
    let kind = if content_type(order) == "commercial_goods" { "COMMERCIAL" } else { "PROFORMA" };
    let total = sum(items(order).filter_map(value).chain(shipping_cost(order)));
    Ok(object([
        ("declarationType", "invoiceExportDeclaration".into()),
        ("type", kind.into()),
        ("voec", number(merchant, "voec").into()),
        ("ioss", number(merchant, "ioss").into()),
        ("seller", trader(merchant, customer(options))),
        ("buyer", trader(&buyer, Json::Null)),
        ("invoice", invoice_head(plan, options)),
        ("detailedDescription", Json::list(items(order).map(line))),
        ("totalNetWeight", kilograms(items(order).filter_map(weight))),
        ("totalGrossWeight", kilograms(gross(order))),
        ("totalNumberOfPackages", count(order.parcels.len())),
        ("freightCost", shipping_cost(order).map(amount).into()),
        ("invoiceTotal", total.map(amount).into()),
    ]))
}

fn invoice_head(plan: &Plan, options: Options<'_>) -> Json {
    let (order, customs) = (&plan.order, plan.order.customs.as_ref());
    let of = |get: fn(&Customs) -> &Option<String>| customs.and_then(|it| get(it).clone());
    let own = order.reference.clone().filter(|reference| !reference.trim().is_empty());
    let invoice = of(|customs| &customs.invoice_number).filter(|number| !number.trim().is_empty());
    let today = || plan.local_time(options.0).date().to_string();
    let reason = if content_type(order) == "returned_goods" { RETURNED } else { PERMANENT };
    let terms = of(|customs| &customs.incoterm).filter(|term| TERMS.contains(&term.as_str()));
    object([
        ("invoiceNo", invoice.or(own).unwrap_or_else(|| plan.reference.to_string()).into()),
        ("shippingDate", of(|customs| &customs.invoice_date).unwrap_or_else(today).into()),
        ("reasonForExportation", reason.into()),
        ("termsOfSale", terms.into()),
    ])
}

fn trader(party: &Party, identification: Json) -> Json {
    let (contact, address) = (&party.contact, &party.address);
    object([
        ("partyIdentification", identification),
        ("vatNo", number(party, "vat").into()),
        ("name", ends::business_name(party).into()),
        ("streets", Json::list(address.lines.iter().map(Json::text))),
        ("city", address.city.as_str().into()),
        ("postalCode", postal_code(address).into()),
        ("countryCode", Json::text(address.country)),
        (
            "contacts",
            object([
                ("name", contact.name.as_str().into()),
                ("phoneNo", contact.phone.as_deref().map(phone).into()),
                ("emailAddress", contact.email.as_deref().into()),
            ]),
        ),
        ("eoriNo", number(party, "eori").into()),
    ])
}

fn line(item: &Item) -> Json {
    object([
        ("quantity", item.quantity.into()),
        ("hsTariffNumber", item.hs_code.as_deref().into()),
        ("content", item.description.as_deref().into()),
        ("countryOfOrigin", item.country_of_origin.map(Json::text).into()),
        ("netWeight", kilograms(weight(item))),
        ("itemValue", value(item).map(amount).into()),
        ("articleNumber", item.sku.as_deref().into()),
    ])
}

/// The declaration of a letter, for which the merchant has one number at least.
fn letter(plan: &Plan, merchant: &Party) -> Result<Json, FieldErrors> {
    let order = &plan.order;
    let mut errors = ends::undescribed(order);
    if ["eori", "voec", "ioss"].iter().all(|kind| number(merchant, kind).is_none()) {
        let message = Message::new("identifier-required").text("fields", "eori, voec, ioss");
        errors.add("parties.merchant.identifiers", message);
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let category = CATEGORIES.iter().find(|(ours, _)| *ours == content_type(order));
    let category = category.map_or("OTHER", |(_, theirs)| theirs);
    Ok(object([
        ("EORIorPersonalIdNumber", number(merchant, "eori").into()),
        ("voec", number(merchant, "voec").into()),
        ("ioss", number(merchant, "ioss").into()),
        ("categoryOfItem", object([("categoryType", Json::list([category.into()]))])),
        ("detailedDescription", Json::list(items(order).map(letter_line))),
        ("totalGrossWeight", kilograms(gross(order))),
        ("totalValue", sum(items(order).filter_map(value)).map(amount).into()),
        ("postalCharges", shipping_cost(order).map(amount).into()),
    ]))
}

fn letter_line(item: &Item) -> Json {
    object([
        ("content", item.description.as_deref().into()),
        ("quantity", object([("value", item.quantity.into())])),
        ("grossWeight", kilograms(weight(item))),
        ("value", value(item).map(amount).into()),
        ("hsTariffNumber", item.hs_code.as_deref().into()),
        ("countryCode", item.country_of_origin.map(Json::text).into()),
    ])
}
