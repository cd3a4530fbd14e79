//! What a shop sends, and what it reads in the answer.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::harness::fixture::Fixture;
use crate::harness::{Ask, Reply};

/// Where shops book.
pub const LABELS: &str = "/api/v1/website/shop.example.com/shipments/labels";
/// Where they try it out.
pub const DEMO_LABELS: &str = "/api/v1/demo/website/shop.example.com/shipments/labels";

/// A body as plugins send it: to the door, by the sandbox carrier.
pub fn order(reference: &str) -> Value {
    json!({
        "internal_id": 4521, "internal_reference": reference,
        "shipping_carrier": "sandbox", "shipping_method": "home", "shipping_date": "2026-11-16",
        "type": "shipment", "freetext1": "nobody knows this",
        "receiver": {
            "internal_id": 881, "company": "Jensen ApS", "name_line1": "Ada Jensen",
            "name_line2": "c/o Holm", "address_line1": "Islands Brygge 39",
            "address_line2": "2. th", "postal_code": "2300", "city": "København S",
            "country": "DK", "email": "ada@example.com", "sms": "30 27 47 35"},
        "sender": null,
        "parcels": [{"internal_id": "4521-1", "weight": "1.25", "height": 10, "width": 20,
            "length": 30, "freetext": "Books", "items": [{"internal_id": 17, "sku": "B-1",
                "name": "Paperback", "quantity": 2.0, "unit_weight": 0.4,
                "unit_price_excluding_tax": 33.333_333_333_333_336}]}],
        "services": {"sms_notification": "30 27 47 35", "email_notification": "ada@example.com"},
        "currency": "DKK",
    })
}

/// The same with other members.
pub fn order_with(reference: &str, members: Value) -> Value {
    let mut order = order(reference);
    for (name, value) in members.as_object().unwrap() {
        order[name] = value.clone();
    }
    order
}

impl Fixture {
    /// A request to book this.
    pub fn asking(&self, path: &str, body: &Value) -> Ask<'_> {
        self.app.post(path).admin().json(&body.to_string())
    }

    /// Books by the older API, and reads the answer.
    pub async fn label(&self, body: &Value) -> Reply {
        self.asking(LABELS, body).send().await
    }

    /// Books and is gone before the answer comes.
    pub async fn label_unread(&self, body: &Value) -> Reply {
        self.asking(LABELS, body).send_and_leave().await
    }

    /// How the other API shows the shipment of a label.
    pub async fn shown(&self, label: &Reply) -> Reply {
        let path = self.app.path(&format!("/shipments/{}", shipment(label)));
        self.app.get(&path).admin().send().await.expect(200)
    }
}

/// The id of the shipment of a label.
pub fn shipment(label: &Reply) -> String {
    label.at("/data/shipment_id").as_str().unwrap().to_owned()
}

/// The bytes of a file in an answer.
pub fn bytes(file: &Value) -> Vec<u8> {
    STANDARD.decode(file["base_64_encoded"].as_str().unwrap()).unwrap()
}

/// The path of the link to a file in an answer.
pub fn link(file: &Value) -> String {
    let link = file["link"].as_str().unwrap();
    link.strip_prefix("http://waybill.test").unwrap().to_owned()
}
