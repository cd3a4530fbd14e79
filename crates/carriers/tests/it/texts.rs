//! Texts of an order on the wire, with each adapter: they arrive as they were written, or are
//! refused where they stand.

use serde_json::{Value, json};
use waybill_carriers::booking::{Plan, Prepared};
use waybill_carriers::catalog::load;
use waybill_domain::catalog::Service;
use waybill_domain::json::parse;
use waybill_domain::shipment::Order;

use crate::faults::{Subject, conversation_with};

/// Where people write what they like.
const TEXTS: [&str; 14] = [
    "reference",
    "delivery.instructions",
    "parcels.0.reference",
    "parcels.0.description",
    "parties.merchant.contact.name",
    "parties.merchant.contact.company",
    "parties.merchant.address.address_lines.0",
    "parties.merchant.address.address_lines.1",
    "parties.merchant.address.city",
    "parties.customer.contact.name",
    "parties.customer.contact.company",
    "parties.customer.address.address_lines.0",
    "parties.customer.address.address_lines.1",
    "parties.customer.address.city",
];

/// Where some carriers are told as much as there is room for.
const CUT: [&str; 2] = ["delivery.instructions", "parcels.0.description"];

/// In the texts that are tried, and in no other.
const MARK: char = 'ŧ';

fn samples() -> Vec<String> {
    let lengths = [1, 34, 35, 36, 40, 41, 50, 51, 60, 61, 70, 71, 100];
    let long = lengths.map(|length| format!("{MARK}{}", "å".repeat(length - 1)));
    let other = ["ŧ Позвоните 東京 “x” & <b> %41 + ='?#", "ŧø – ’Łódź’ & Šő + %"];
    long.into_iter().chain(other.map(str::to_owned)).collect()
}

fn controls() -> impl Iterator<Item = char> {
    (0..0xa0).filter_map(char::from_u32).filter(|c| c.is_control())
}

/// The order with this text at one place; nothing when it is refused there.
fn order(subject: &Subject, service: &Service, path: &str, text: &str) -> Option<Order> {
    let whole = subject.plan.order.to_json().to_string();
    let mut whole: Value = serde_json::from_str(&whole).unwrap();
    for parcel in whole["parcels"].as_array_mut().unwrap() {
        // A shipment has one unit of length.
        for side in ["length", "width", "height"] {
            parcel[side] = json!({"value": 20, "unit": "cm"});
        }
    }
    let pointer = format!("/{}", path.replace('.', "/"));
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    match whole.pointer_mut(parent).unwrap() {
        Value::Object(members) => drop(members.insert(name.to_owned(), text.into())),
        Value::Array(entries) => {
            let at = name.parse::<usize>().unwrap();
            entries.resize(entries.len().max(at + 1), Value::Null);
            entries[at] = text.into();
        }
        other => panic!("{path}: {other}"),
    }
    let whole = parse(whole.to_string().as_bytes()).unwrap();
    match Order::parse(&whole, None) {
        Ok(order) => Some(order).filter(|order| !service.problems(&order.to_json()).has(path)),
        Err(problems) => {
            assert!(problems.has(path), "{path} {text:?}: {problems}");
            None
        }
    }
}

/// Every text of a request: those of its body, or of its query.
fn said(prepared: &Prepared) -> Vec<String> {
    fn texts(value: &Value) -> Vec<String> {
        match value {
            Value::String(text) => vec![text.clone()],
            Value::Array(entries) => entries.iter().flat_map(texts).collect(),
            Value::Object(members) => members.values().flat_map(texts).collect(),
            _ => Vec::new(),
        }
    }
    if !prepared.body.is_empty() {
        return texts(&serde_json::from_slice(&prepared.body).unwrap());
    }
    let (_, query) = prepared.path.split_once('?').unwrap();
    query.split('&').map(|pair| decoded(pair.split_once('=').unwrap().1)).collect()
}

fn decoded(text: &str) -> String {
    let (mut bytes, mut rest) = (Vec::new(), text);
    while let Some((before, after)) = rest.split_once('%') {
        bytes.extend(before.bytes());
        bytes.push(u8::from_str_radix(&after[..2], 16).unwrap());
        rest = &after[2..];
    }
    bytes.extend(rest.bytes());
    String::from_utf8(bytes).unwrap()
}

/// Letters of all kinds, texts that are just short enough or too long, and control characters.
pub async fn texts_arrive_or_are_refused(subject: &Subject) {
    let conversation = conversation_with(subject).await;
    let catalog = load().unwrap();
    let (_, service) = catalog.service(&subject.plan.order.delivery.service_code).unwrap();
    for path in TEXTS {
        for control in controls() {
            let taken = order(subject, service, path, &format!("a{control}b"));
            assert!(taken.is_none(), "{path} takes {control:?}");
        }
        for text in samples() {
            let Some(order) = order(subject, service, path, &text) else { continue };
            let prepared = match conversation.prepared(&Plan { order, ..subject.plan.clone() }) {
                Ok(prepared) => prepared,
                Err(problems) => {
                    assert!(problems.iter().all(|(at, _)| path.starts_with(at)), "{problems}");
                    continue;
                }
            };
            for said in said(&prepared).iter().filter(|it| it.contains(MARK)) {
                let is_cut = CUT.contains(&path) && text.starts_with(said.as_str());
                assert!(said.contains(&text) || is_cut, "{path} {text} arrives as {said}");
            }
        }
    }
}
