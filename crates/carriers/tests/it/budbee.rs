//! Conversations with Budbee.

mod booking;
mod callbacks;
mod faults;
mod later;

use waybill_carriers::booking::Plan;
use waybill_carriers::{Account, budbee};

use crate::conversation::{Conversation, account_of, plan_for};

fn account() -> Account {
    account_of(r#"{"api_key":"key","api_secret":"secret"}"#, r#"{"collection_id":17}"#)
}

async fn conversation() -> Conversation {
    Conversation::with("budbee", budbee::open, account()).await
}

/// An order to Stockholm, with these changes.
fn plan(service: &str, changes: &str) -> Plan {
    let mut plan = plan_for(
        service,
        r#"{"parties":{"customer":{"contact":{"phone":"+46 70 123 45 67"},
        "address":{"address_lines":["Sveavägen 1"],"postal_code":"111 22","city":"Stockholm",
        "country":"SE"}}}}"#,
    );
    let mut order = plan.order.to_json();
    order.merge(&waybill_domain::json::parse(changes.as_bytes()).unwrap());
    plan.order = waybill_domain::shipment::Order::stored(&order).unwrap();
    plan
}

/// An order with everything that Budbee can be told.
fn full_plan() -> Plan {
    let mut plan = plan(
        "budbee:home",
        r#"{"parties":{"customer":{"contact":{"company":"Nørgård & Søn"},
        "address":{"address_lines":["Sveavägen 1","c/o Berg","2 tr"]}}},
        "delivery":{"instructions":"Ring the bell twice.","addons":[
        {"code":"signature"},{"code":"age_verification","value":"20"}]},
        "parcels":[{"reference":"BOX-1","gross_weight":{"value":1,"unit":"kg"},
        "length":{"value":1,"unit":"cm"},"width":{"value":1,"unit":"cm"},
        "height":{"value":1,"unit":"cm"},"items":[
        {"description":"Map","sku":"SKU-1","quantity":2,"unit_price":{"value":12950,"currency":"SEK"}},
        {"description":"Gift","sku":"SKU-2","quantity":1}]},
        {"gross_weight":{"value":1,"unit":"kg"},"width":{"value":1,"unit":"cm"},"items":[
        {"description":"Pen","quantity":1,"unit_price":{"value":900,"currency":"SEK"}}]}]}"#,
    );
    plan.label = None;
    plan
}
