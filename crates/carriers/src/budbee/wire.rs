//! An order as Budbee wants it. The sender does not stand in it: parcels are fetched where the
//! account's collection point is.

use waybill_domain::booking::Reference;
use waybill_domain::fields::FieldErrors;
use waybill_domain::json::{Json, parse};
use waybill_domain::measure::{Length, LengthUnit, Weight};
use waybill_domain::parcel::{Item, Parcel};
use waybill_domain::party::{Address, Party};
use waybill_domain::shipment::Order;
use waybill_domain::words::Message;

use crate::booking::Plan;
use crate::ends::{addon, addon_text, business_name, customer, has_addon};
use crate::members::{list, object, text};
use crate::texts::postal_code;

/// The service that brings parcels to a locker.
const BOX: &str = "budbee:box";
/// What Budbee calls it.
const BOX_PRODUCT: &str = "DLVBOX";

/// An article of which nothing is known but its price.
const NAMELESS: &str = "Goods";

/// The body of a request to book.
pub fn booking(plan: &Plan, options: &Json) -> Result<Json, FieldErrors> {
    let order = &plan.order;
    let is_box = order.delivery.service_code == BOX;
    let (age, is_signed) = (age(order)?, has_addon(order, "signature"));
    let products = is_box.then(|| Json::list([BOX_PRODUCT.into()]));
    let named = shipment_ids(order, &plan.reference).into_iter();
    let parcels = order.parcels.iter().zip(named).map(|(it, name)| parcel(it, name));
    Ok(object([
        ("collectionId", options.member("collection_id").cloned().unwrap_or(Json::Null)),
        ("cart", cart(plan)),
        ("delivery", delivery(plan, age == 0 && !is_signed)),
        ("requireSignature", is_signed.into()),
        ("additionalServices", additional_services(age)),
        ("productCodes", products.into()),
        ("boxDelivery", if is_box { object([("selectedBox", chosen(plan)?)]) } else { Json::Null }),
        ("parcels", Json::list(parcels)),
    ]))
}

fn age(order: &Order) -> Result<i64, FieldErrors> {
    let Some((path, _)) = addon(order, "age_verification") else { return Ok(0) };
    let age = addon_text(order, "age_verification").and_then(|age| age.parse().ok());
    age.ok_or_else(|| FieldErrors::one(path, Message::new("not-an-integer")))
}

fn chosen(plan: &Plan) -> Result<Json, FieldErrors> {
    let agreed = plan.pickup_point.as_ref().map(|point| point.code.clone());
    let code = agreed.or_else(|| plan.order.delivery.pickup_point.clone());
    let missing = || FieldErrors::one("delivery.pickup_point.code", Message::new("required"));
    code.map(Json::Text).ok_or_else(missing)
}

fn additional_services(age: i64) -> Json {
    Json::object([
        ("identificationCheckRequired", (age > 0).into()),
        ("recipientMinimumAge", age.into()),
        ("recipientMustMatchEndCustomer", false.into()),
        ("fraudDetection", false.into()),
    ])
}

/// What is bought, as far as it has a price.
fn cart(plan: &Plan) -> Json {
    object([
        ("cartId", plan.reference.as_str().into()),
        ("articles", Json::list(plan.order.parcels.iter().flat_map(articles))),
    ])
}

fn articles(parcel: &Parcel) -> impl Iterator<Item = Json> {
    parcel.items.iter().filter_map(|item| article(item, parcel))
}

fn article(item: &Item, parcel: &Parcel) -> Option<Json> {
    let price = item.unit_price?;
    let sku = item.sku.as_deref().filter(|sku| !sku.trim().is_empty());
    Some(object([
        ("name", article_name(item, parcel).into()),
        ("reference", sku.into()),
        ("quantity", item.quantity.into()),
        ("unitPrice", price.minor.into()),
        ("currency", price.currency.code().into()),
    ]))
}

/// Budbee takes no article without a name: the first of what is known of it, in the order in which
/// people would know it again.
fn article_name<'a>(item: &'a Item, parcel: &'a Parcel) -> &'a str {
    let names =
        [&item.description, &item.sku, &item.identifier, &parcel.description, &item.hs_code];
    let said = names.into_iter().flatten().find(|name| !name.trim().is_empty());
    said.map_or(NAMELESS, String::as_str)
}

fn delivery(plan: &Plan, may_stay_outside: bool) -> Json {
    let receiver = customer(&plan.order);
    let name = business_name(&receiver).to_owned();
    let person = (name != receiver.contact.name).then(|| receiver.contact.name.clone());
    object([
        ("name", name.into()),
        ("referencePerson", person.into()),
        ("telephoneNumber", receiver.contact.phone.as_deref().into()),
        ("email", receiver.contact.email.as_deref().into()),
        ("address", address(&receiver)),
        ("outsideDoor", may_stay_outside.into()),
        ("additionalInfo", plan.order.delivery.instructions.as_deref().into()),
    ])
}

fn address(party: &Party) -> Json {
    let Address { lines, city, country, .. } = &party.address;
    object([
        ("street", lines.first().map(String::as_str).into()),
        ("street2", lines.get(1..).unwrap_or_default().join(", ").into()),
        ("postalCode", postal_code(&party.address).into()),
        ("city", city.as_str().into()),
        ("country", country.code().into()),
    ])
}

/// What the parcels of an order are called: two may have the same name.
pub fn shipment_ids(order: &Order, reference: &Reference) -> Vec<String> {
    let name = |parcel: &Parcel| {
        let names = [parcel.reference.as_deref(), order.reference.as_deref()];
        let own = names.into_iter().flatten().find(|name| !name.trim().is_empty());
        own.unwrap_or(reference.as_str()).to_owned()
    };
    order.parcels.iter().map(name).collect()
}

fn parcel(parcel: &Parcel, name: String) -> Json {
    let dimensions = dimensions(parcel).unwrap_or(Json::Null);
    object([("shipmentId", name.into()), ("dimensions", dimensions)])
}

/// What the parcels of a request to book are called.
pub fn sent_ids(body: &[u8]) -> Vec<String> {
    let body = parse(body).unwrap_or(Json::Null);
    let named = list(&body, "parcels").iter().filter_map(|entry| text(entry, "shipmentId"));
    named.map(str::to_owned).collect()
}

/// Nothing unless all sides are known.
fn dimensions(parcel: &Parcel) -> Option<Json> {
    let whole = |side: Option<Length>| side?.in_unit(LengthUnit::Centimetre, 0).whole();
    let (width, height) = (whole(parcel.width)?, whole(parcel.height)?);
    let length = whole(parcel.length)?;
    let volume = width.checked_mul(height).and_then(|area| area.checked_mul(length));
    Some(object([
        ("width", width.into()),
        ("height", height.into()),
        ("length", length.into()),
        ("weight", parcel.gross_weight.map(Weight::grams).into()),
        ("volume", volume.into()),
    ]))
}
