//! A shipment as v1 shows it.

use uuid::Uuid;

use super::super::shipment::{Shown, view};
use super::bodies::translated;
use crate::ids::{ShipmentId, TrackingId};
use crate::json::{Json, parse};
use crate::party::Address;
use crate::point::Position;
use crate::shipment::{Order, PickupPoint, ShipmentParcel};

const SHIPMENT: &str = "01a1e3b1-1111-7222-8333-444455556666";
const PARCEL: &str = "01a1e3b1-1111-7222-8333-444455557777";

fn point(order: &Order) -> PickupPoint {
    PickupPoint {
        code: "4821".to_owned(),
        name: "Netto Islands Brygge".to_owned(),
        address: Address {
            lines: vec!["Islands Brygge 21".to_owned(), "st.".to_owned(), "tv.".to_owned()],
            ..order.customer.address.clone()
        },
        position: Position::new(55.6655, 12.5736).unwrap(),
    }
}

/// The shipment of an order; what is kept of its body when it came through v1.
fn shown(order: &Order, kept: Option<&Json>, asked: Option<(&str, &str)>) -> Json {
    let parcel = PARCEL.parse::<Uuid>().unwrap();
    let parcels = [ShipmentParcel::new(parcel, TrackingId(parcel))];
    let point = point(order);
    view(&Shown {
        id: ShipmentId::parse(SHIPMENT).unwrap(),
        parcels: &parcels,
        order,
        pickup_point: order.delivery.pickup_point.as_ref().map(|_| &point),
        asked,
        kept,
    })
}

fn json(text: &str) -> Json {
    parse(text.as_bytes()).unwrap()
}

#[test]
fn a_shipment_of_v1_shows_what_was_sent() {
    let translation = translated("{}");
    let order = Order::parse(&translation.order, None).unwrap();
    let kept = json(&translation.kept.to_string());
    let shown = shown(&order, Some(&kept), Some(("postnord", "agent")));
    let expected = json(
        r#"{"id":"01a1e3b1-1111-7222-8333-444455556666","type":"shipment","internal_id":"4521",
        "internal_reference":"ORDER-4521","shipping_carrier":"postnord","shipping_method":"agent",
        "receiver":{"internal_id":"881","internal_reference":null,"company":null,
          "name_line1":"Ada Jensen","name_line2":"c/o Lovelace",
          "address_line1":"Islands Brygge 39","address_line2":"2. th","postal_code":"2300",
          "city":"København S","state":null,"region":null,"country":"DK",
          "email":"ada@example.com","sms":"30 27 47 35"},
        "sender":{"internal_id":null,"internal_reference":null,"company":"Boghandlen ApS",
          "name_line1":"Boghandlen","name_line2":null,"address_line1":"Nørregade 12",
          "address_line2":null,"postal_code":"8000","city":"Aarhus C","state":null,"region":null,
          "country":"DK","email":"lager@shop.example.dk","sms":null},
        "agent":{"internal_id":"7","internal_reference":null,"agent_no":"4821",
          "company":"Netto Islands Brygge","name_line1":null,"name_line2":null,
          "address_line1":"Islands Brygge 21","address_line2":"st., tv.","postal_code":"2300",
          "city":"København S","state":null,"region":null,"country":"DK","email":null,"sms":null},
        "parcels":[{"id":"01a1e3b1-1111-7222-8333-444455557777","type":"parcel",
          "internal_id":"4521-1","internal_reference":null,"weight":1.235,"height":10,"width":20,
          "length":30.1,"freetext":"Books","total_price_excluding_tax":158.4,
          "total_price_including_tax":198,"total_tax_amount":39.6,
          "items":[{"id":"ITEM","type":"item","internal_id":"17","internal_reference":null,
            "sku":"B-1","name":"Paperback","description":"With pictures","hs_code":"4901.99 00",
            "country_of_origin":"DK","image_url":"https://shop.example.dk/b1.png",
            "unit_weight":0.4,"unit_price_excluding_tax":33.33,"unit_price_including_tax":41.67,
            "quantity":2,"total_price_excluding_tax":66.67,"total_price_including_tax":null,
            "total_tax_amount":null}]}],
        "subtotal_price_excluding_tax":158.41,"subtotal_price_including_tax":null,
        "shipping_price_excluding_tax":39.2,"shipping_price_including_tax":49,
        "total_price_excluding_tax":197.6,"total_price_including_tax":247,
        "total_tax_amount":49.4,"currency":"DKK",
        "addons":[{"code":"sms_notification","value":"+4530274735"},
          {"code":"email_notification","value":"ada@example.com"}]}"#,
    );
    let id = super::super::shipment::item_id(PARCEL.parse().unwrap(), 0).to_string();
    assert_eq!(shown.to_string(), expected.to_string().replace("ITEM", &id));
}

#[test]
fn a_shipment_of_v2_is_translated() {
    let mut order = Order::parse(&translated("{}").order, None).unwrap();
    order.customer.address.administrative_area = Some("Hovedstaden".to_owned());
    let shown = shown(&order, None, None);
    let expected = json(
        r#"{"shipping_carrier":"postnord","shipping_method":"agent","currency":"DKK",
        "subtotal_price_excluding_tax":null,"shipping_price_excluding_tax":null}"#,
    );
    let Json::Object(expected) = &expected else { panic!() };
    for (name, value) in expected {
        assert_eq!(shown.member(name), Some(value), "{name}");
    }
    let receiver = json(
        r#"{"internal_id":"881","internal_reference":null,"company":null,"name_line1":"Ada Jensen",
        "name_line2":null,"address_line1":"Islands Brygge 39","address_line2":"2. th, c/o Lovelace",
        "postal_code":"2300","city":"København S","state":"Hovedstaden","region":null,
        "country":"DK","email":"ada@example.com","sms":"+4530274735"}"#,
    );
    assert_eq!(shown.member("receiver").unwrap().to_string(), receiver.to_string());
    let parcel = json(
        r#"{"id":"01a1e3b1-1111-7222-8333-444455557777","type":"parcel","internal_id":"4521-1",
        "internal_reference":null,"weight":1.235,"height":10,"width":20,"length":30.1,
        "freetext":"Books","total_price_excluding_tax":null,"total_price_including_tax":null,
        "total_tax_amount":null}"#,
    );
    let Some(Json::List(parcels)) = shown.member("parcels") else { panic!() };
    let Json::Object(members) = &parcels[0] else { panic!() };
    let without_items: Vec<_> =
        members.iter().filter(|(name, _)| name != "items").cloned().collect();
    assert_eq!(Json::Object(without_items).to_string(), parcel.to_string());
    let Some(Json::List(items)) = parcels[0].member("items") else { panic!() };
    for (name, value) in [
        ("name", "\"Paperback\""),
        ("description", "null"),
        ("unit_weight", "0.4"),
        ("unit_price_excluding_tax", "33.33"),
        ("unit_price_including_tax", "null"),
        ("quantity", "2"),
        ("total_price_excluding_tax", "66.66"),
    ] {
        assert_eq!(items[0].member(name).unwrap().to_string(), value, "{name}");
    }
}

/// The names of everything in a shipment, in order.
fn keys(json: &Json, path: &str, found: &mut Vec<String>) {
    match json {
        Json::Object(members) => {
            for (name, value) in members {
                found.push(format!("{path}.{name}"));
                keys(value, &format!("{path}.{name}"), found);
            }
        }
        Json::List(entries) => entries.iter().for_each(|entry| keys(entry, path, found)),
        _ => {}
    }
}

#[test]
fn every_key_is_there_however_a_shipment_came() {
    let translation = translated("{}");
    let order = Order::parse(&translation.order, None).unwrap();
    let (mut v1, mut v2, mut erased) = (Vec::new(), Vec::new(), Vec::new());
    keys(&shown(&order, Some(&translation.kept), Some(("postnord", "agent"))), "", &mut v1);
    keys(&shown(&order, None, None), "", &mut v2);
    keys(&shown(&order, None, Some(("gls", "collect"))), "", &mut erased);
    assert_eq!((&v1, &v1), (&v2, &erased));
    assert!(v1.len() > 90, "{}", v1.len());
}

#[test]
fn who_sends_is_told_when_the_body_named_nobody() {
    let translation = translated(r#"{"sender":null,"agent":null}"#);
    let mut order = Order::parse(&translation.order, None).unwrap();
    order.merchant = Some(order.customer.clone());
    let shown = shown(&order, Some(&translation.kept), Some(("postnord", "agent")));
    let sender = shown.member("sender").unwrap();
    assert_eq!(sender.member_text("name_line1"), Some("Ada Jensen"));
    assert_eq!(sender.member_text("sms"), Some("+4530274735"));
    assert_eq!(shown.member("agent"), Some(&Json::Null));
}
