//! Conversations with Bring.

mod addons;
mod answers;
mod booking;
mod customs;
mod faults;
mod later;
mod offers;

use waybill_carriers::booking::Plan;
use waybill_carriers::{Account, bring};
use waybill_domain::catalog::customs::is_declared;
use waybill_domain::json::Json;

use crate::conversation::{Conversation, account_of, plan_for, with_options};

const CREDENTIALS: &str = r#"{"api_uid":"user@shop.example","api_key":"key-1"}"#;
const OPTIONS: &str = r#"{"customer_number":"5","customer_number_norway":"6",
    "client_url":"https://shop.example"}"#;

fn account() -> Account {
    account_of(CREDENTIALS, OPTIONS)
}

async fn conversation() -> Conversation {
    Conversation::with("bring", bring::open, account()).await
}

async fn with(options: &str) -> Conversation {
    Conversation::with("bring", bring::open, with_options(&account(), options)).await
}

/// An order of this service between two countries, with these changes. `from` is where the
/// merchant is.
fn plan(service: &str, from: &str, to: &str, changes: &str) -> Plan {
    let place = |country: &str| match country {
        "NO" => ("0150", "Oslo"),
        "SE" => ("111 22", "Stockholm"),
        "DK" => ("2300", "København S"),
        _ => ("10115", "Berlin"),
    };
    let address = |country: &str| {
        let (code, city) = place(country);
        format!(r#"{{"address":{{"country":"{country}","postal_code":"{code}","city":"{city}"}}}}"#)
    };
    let ends = format!(r#"{{"merchant":{},"customer":{}}}"#, address(from), address(to));
    let mut plan = plan_for(&format!("bring:{service}"), &format!(r#"{{"parties":{ends}}}"#));
    let mut order = plan.order.to_json();
    let changes = waybill_domain::json::parse(changes.as_bytes());
    order.merge(&changes.unwrap_or_else(|fault| panic!("{fault:?}")));
    plan.order = waybill_domain::shipment::Order::stored(&order).unwrap();
    plan.is_return = service.ends_with("_return");
    plan.is_declared = is_declared(&plan.order);
    plan
}

/// The only consignment of a request to book.
fn consignment(body: &Json) -> &Json {
    match body.member("consignments") {
        Some(Json::List(entries)) if entries.len() == 1 => &entries[0],
        other => panic!("{other:?}"),
    }
}

/// What stands at a place of the only consignment; null when nothing does.
fn at(body: &Json, names: &[&str]) -> Json {
    let found = names.iter().try_fold(consignment(body), |at, name| at.member(name));
    found.cloned().unwrap_or(Json::Null)
}
