//! The older API, as plugins that nobody changes any more call it.

mod accounts;
mod agents;
mod booking;
mod broken;
mod closest;
mod combine;
mod credentials;
mod errors;
mod headers;
mod killed;
mod labels;
mod mutated;
mod paths;
mod resend;
mod shipments;
pub mod shop;
mod websites;
mod wire;

use serde_json::{Value, json};

use crate::harness::{Ask, Reply, TestApp};

/// A pickup point in Copenhagen.
pub fn point(carrier: &str, code: &str, line: &str, at: (f64, f64)) -> Value {
    json!({"carrier": carrier, "code": code, "name": format!("Shop {code}"), "type": "parcel_shop",
        "address": {"address_lines": [line], "postal_code": "2300", "city": "København S",
            "administrative_area": null, "country": "DK"},
        "coordinates": {"latitude": at.0, "longitude": at.1}, "opening_hours": null})
}

/// The numbers of the agents of a page.
pub fn numbers(reply: &Reply) -> Vec<String> {
    let list = reply.at("/data");
    let number = |agent: &Value| agent["agent_no"].as_str().unwrap().to_owned();
    list.as_array().unwrap().iter().map(number).collect()
}

impl TestApp {
    /// A path of the team's website, asked for without any header.
    pub fn website(&self, rest: &str) -> Ask<'_> {
        self.get(&format!("/api/v1/website/shop.example.com{rest}"))
    }

    /// The same below the path for trying things out.
    pub fn demo_website(&self, rest: &str) -> Ask<'_> {
        self.get(&format!("/api/v1/demo/website/shop.example.com{rest}"))
    }
}
