//! A shipment as v1 shows it, with every key always there: as it was sent, when it came through v1,
//! else translated from the order.

use sha1::{Digest, Sha1};
use uuid::{Builder, Uuid};

use super::kept::{agent, item, major, members, parcel, party, told_addons};
use super::methods::method_of;
use crate::ids::ShipmentId;
use crate::json::{Json, MemberName};
use crate::measure::{LengthUnit, WeightUnit};
use crate::parcel::{Item, Parcel};
use crate::party::{Address, Party};
use crate::shipment::{Order, PickupPoint, ShipmentParcel};

/// What is known of a shipment that is to be shown.
pub struct Shown<'a> {
    /// Its id.
    pub id: ShipmentId,
    /// Its parcels, in order.
    pub parcels: &'a [ShipmentParcel],
    /// What was ordered, with its merchant.
    pub order: &'a Order,
    /// The point that was chosen.
    pub pickup_point: Option<&'a PickupPoint>,
    /// Carrier and method that were asked for, when it came through v1.
    pub asked: Option<(&'a str, &'a str)>,
    /// What is kept of the body that it came with, when it came through v1 and is not erased.
    pub kept: Option<&'a Json>,
}

/// What stands after the parcels, in this order.
const TOTALS: [&str; 9] = [
    "subtotal_price_excluding_tax",
    "subtotal_price_including_tax",
    "shipping_price_excluding_tax",
    "shipping_price_including_tax",
    "total_price_excluding_tax",
    "total_price_including_tax",
    "total_tax_amount",
    "currency",
    "addons",
];

/// The shipment.
pub fn view(shown: &Shown<'_>) -> Json {
    let translated = shown.kept.is_none().then(|| of_order(shown.order));
    let body = shown.kept.or(translated.as_ref()).unwrap_or(&Json::Null);
    let (own_carrier, own_method) = service_names(shown.order);
    let (carrier, method) = shown.asked.unwrap_or((own_carrier, own_method));
    let receiver = body.member("receiver").map_or(Json::Null, party);
    let sender = match body.member("sender") {
        Some(sender @ Json::Object(_)) if super::party::is_said(sender) => party(sender),
        _ => shown.order.merchant.as_ref().map_or(Json::Null, of_party),
    };
    let point =
        shown.pickup_point.map_or(Json::Null, |point| of_point(point, body.member("agent")));
    let head = [("id".into(), Json::text(shown.id)), ("type".into(), "shipment".into())];
    let middle = [
        ("shipping_carrier".into(), carrier.into()),
        ("shipping_method".into(), method.into()),
        ("receiver".into(), receiver),
        ("sender".into(), sender),
        ("agent".into(), point),
        ("parcels".into(), parcels(body.member("parcels"), shown.parcels)),
    ];
    let named = members(body, &["internal_id", "internal_reference"]);
    let shipment = head.into_iter().chain(named).chain(middle).chain(members(body, &TOTALS));
    Json::Object(shipment.collect())
}

/// Carrier and method of a service.
fn service_names(order: &Order) -> (&str, &str) {
    let code = order.delivery.service_code.as_str();
    (code.split_once(':').map_or(code, |(carrier, _)| carrier), method_of(code))
}

fn parcels(bodies: Option<&Json>, known: &[ShipmentParcel]) -> Json {
    let Some(Json::List(bodies)) = bodies else { return Json::List(Vec::new()) };
    Json::list(bodies.iter().zip(known).map(|(body, known)| {
        let mut shown = identified(known.id, "parcel");
        for (name, value) in parcel(body) {
            let value = if name == "items" { items(&value, known.id) } else { value };
            shown.push((name, value));
        }
        Json::Object(shown)
    }))
}

fn items(bodies: &Json, parcel: Uuid) -> Json {
    let Json::List(bodies) = bodies else { return Json::List(Vec::new()) };
    Json::list(bodies.iter().enumerate().map(|(index, body)| {
        let mut shown = identified(item_id(parcel, index), "item");
        shown.extend(item(body));
        Json::Object(shown)
    }))
}

fn identified(id: Uuid, kind: &str) -> Vec<(MemberName, Json)> {
    vec![("id".into(), Json::text(id)), ("type".into(), kind.into())]
}

/// The id of an item. It has none of its own, so it is a name in the namespace of its parcel: that
/// is stable, and stored nowhere.
pub(super) fn item_id(parcel: Uuid, index: usize) -> Uuid {
    uuid_v5(parcel, &format!("items/{index}"))
}

fn uuid_v5(namespace: Uuid, name: &str) -> Uuid {
    let digest = Sha1::new().chain_update(namespace.as_bytes()).chain_update(name).finalize();
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&digest[..16]);
    Builder::from_sha1_bytes(bytes).into_uuid()
}

/// An order as the body that might have asked for it. What v2 does not know is not there.
fn of_order(order: &Order) -> Json {
    let mut items = order.parcels.iter().flat_map(|parcel| &parcel.items);
    let cost = order.customs.as_ref().and_then(|customs| customs.shipping_cost);
    let money = items.find_map(|item| item.unit_price).or(cost);
    let addons = order.delivery.addons.iter().map(crate::shipment::Addon::to_json);
    Json::object([
        ("internal_id", order.identifier.as_deref().into()),
        ("internal_reference", order.reference.as_deref().into()),
        ("receiver", of_party(&order.customer)),
        ("parcels", Json::list(order.parcels.iter().map(of_parcel))),
        ("shipping_price_excluding_tax", price(cost.map(|cost| cost.to_json()))),
        ("currency", money.map(|money| money.currency.code()).into()),
        ("addons", told_addons(&Json::list(addons))),
    ])
}

fn of_party(of: &Party) -> Json {
    let mut body = vec![
        ("internal_id".into(), of.identifier.as_deref().into()),
        ("internal_reference".into(), of.reference.as_deref().into()),
        ("company".into(), of.contact.company.as_deref().into()),
        ("name_line1".into(), of.contact.name.as_str().into()),
        ("email".into(), of.contact.email.as_deref().into()),
        ("sms".into(), of.contact.phone.as_deref().into()),
    ];
    body.extend(of_address(&of.address));
    party(&Json::Object(body))
}

fn of_address(address: &Address) -> Vec<(MemberName, Json)> {
    let (first, others) = address
        .lines
        .split_first()
        .map_or((None, &[][..]), |(first, others)| (Some(first.as_str()), others));
    let others = (!others.is_empty()).then(|| others.join(", "));
    vec![
        ("address_line1".into(), first.into()),
        ("address_line2".into(), others.into()),
        ("postal_code".into(), address.postal_code.as_str().into()),
        ("city".into(), address.city.as_str().into()),
        ("state".into(), address.administrative_area.as_deref().into()),
        ("country".into(), Json::text(address.country)),
    ]
}

/// The point that was chosen, with what the caller calls it when it was named.
fn of_point(point: &PickupPoint, named: Option<&Json>) -> Json {
    let is_named = |agent: &&Json| agent.member_text("agent_no") == Some(point.code.as_str());
    let named = named.filter(is_named).unwrap_or(&Json::Null);
    let mut body = members(named, &["internal_id", "internal_reference"]);
    body.push(("agent_no".into(), point.code.as_str().into()));
    body.push(("company".into(), point.name.as_str().into()));
    body.extend(of_address(&point.address));
    agent(&Json::Object(body))
}

fn of_parcel(of: &Parcel) -> Json {
    let length = |length: Option<crate::measure::Length>| {
        length.map(|it| Json::Number(it.nearest_in_unit(LengthUnit::Centimetre, 1).number())).into()
    };
    Json::object([
        ("internal_id", of.identifier.as_deref().into()),
        ("internal_reference", of.reference.as_deref().into()),
        ("weight", kilograms(of.gross_weight)),
        ("height", length(of.height)),
        ("width", length(of.width)),
        ("length", length(of.length)),
        ("freetext", of.description.as_deref().into()),
        ("items", Json::list(of.items.iter().map(of_item))),
    ])
}

fn of_item(of: &Item) -> Json {
    let total = of.unit_price.and_then(|price| price.times(of.quantity));
    Json::object([
        ("internal_id", of.identifier.as_deref().into()),
        ("sku", of.sku.as_deref().into()),
        ("name", of.description.as_deref().into()),
        ("hs_code", of.hs_code.as_deref().into()),
        ("country_of_origin", of.country_of_origin.map(Json::text).into()),
        ("unit_weight", kilograms(of.net_weight)),
        ("unit_price_excluding_tax", price(of.unit_price.map(|price| price.to_json()))),
        ("quantity", of.quantity.into()),
        ("total_price_excluding_tax", price(total.map(|total| total.to_json()))),
    ])
}

fn kilograms(weight: Option<crate::measure::Weight>) -> Json {
    weight.map(|it| Json::Number(it.nearest_in_unit(WeightUnit::Kilogram, 3).number())).into()
}

fn price(money: Option<Json>) -> Json {
    money.as_ref().and_then(major).map(Json::Number).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_id_of_an_item_is_a_name_in_the_namespace_of_its_parcel() {
        // The example that Python's documentation has.
        let named = uuid_v5(Uuid::NAMESPACE_DNS, "python.org");
        assert_eq!(named.to_string(), "886313e1-3b8a-5372-9b90-0c9aee199e5d");
        let parcel = Uuid::from_u128(7);
        assert_eq!(item_id(parcel, 1), uuid_v5(parcel, "items/1"));
        assert_ne!(item_id(parcel, 1), item_id(parcel, 0));
    }
}
