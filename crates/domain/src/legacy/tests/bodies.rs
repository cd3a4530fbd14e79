//! A body as a client in the field sends it, and what it means when something in it is changed.

use super::super::{Context, Translation, translate};
use super::catalog::catalog;
use crate::json::{Json, parse};

/// A body with everything that clients know, and some that nobody does.
pub const BODY: &str = r#"{
  "id": null, "type": "shipment", "internal_id": 4521, "internal_reference": "ORDER-4521",
  "shipping_carrier": "postnord", "shipping_method": "agent", "test": true,
  "receiver": {"type": "address", "internal_id": "881", "internal_reference": "", "company": "",
    "name_line1": "Ada Jensen", "name_line2": "c/o Lovelace", "address_line1": "Islands Brygge 39",
    "address_line2": "2. th", "postal_code": 2300, "city": "København S", "state": null,
    "region": "", "country": "DK", "email": "ada@example.com", "sms": "30 27 47 35"},
  "sender": {"company": "Boghandlen ApS", "name_line1": "Boghandlen", "address_line1": "Nørregade 12",
    "postal_code": "8000", "city": "Aarhus C", "country": "DK", "email": "lager@shop.example.dk"},
  "agent": {"internal_id": 7, "agent_no": 4821, "company": "Netto Islands Brygge", "country": "DK"},
  "parcels": [{"id": 1, "internal_id": "4521-1", "weight": "1.2345", "height": 10, "width": 20.04,
    "length": "30.05", "freetext": "Books", "total_price_excluding_tax": 158.4,
    "total_price_including_tax": 198, "total_tax_amount": 39.6,
    "items": [{"internal_id": 17, "sku": "B-1", "name": "Paperback", "description": "With pictures",
      "hs_code": "4901.99 00", "country_of_origin": "DK", "image_url": "https://shop.example.dk/b1.png",
      "unit_weight": 0.4, "unit_price_excluding_tax": 33.333333333333336,
      "unit_price_including_tax": 41.67, "quantity": "2.0", "total_price_excluding_tax": 66.67}]}],
  "services": {"email_notification": "ada@example.com", "sms_notification": "30 27 47 35",
    "flex_delivery": ""},
  "addons": [], "sub_total_price_excluding_tax": 158.405, "shipping_price_excluding_tax": "39.2",
  "shipping_price_including_tax": 49, "total_price_excluding_tax": 197.6,
  "total_price_including_tax": 247, "total_tax_amount": 49.4, "currency": "DKK",
  "shipping_date": "2026-11-20"}"#;

/// The body, with what this patch changes.
pub fn body(patch: &str) -> Json {
    let mut body = parse(BODY.as_bytes()).unwrap();
    body.merge(&parse(patch.as_bytes()).unwrap());
    body
}

/// What the body means with what this patch changes.
pub fn translated(patch: &str) -> Translation {
    translate(&body(patch), &catalog(), Context { is_demo: false })
}

/// The same on a demo path.
pub fn tried_out(patch: &str) -> Translation {
    translate(&body(patch), &catalog(), Context { is_demo: true })
}

/// What the order has at a path.
pub fn at<'a>(json: &'a Json, path: &str) -> &'a Json {
    let found = path.split('.').try_fold(json, |at, step| match at {
        Json::List(entries) => entries.get(step.parse::<usize>().ok()?),
        at => at.member(step),
    });
    found.unwrap_or(&Json::Null)
}

/// The text of what the order has at a path.
pub fn text(translation: &Translation, path: &str) -> String {
    at(&translation.order, path).to_string()
}
