//! Whatever a shop sends, it is told something that it can read: no body is our fault.

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};

use super::shop::{LABELS, order};
use crate::harness::Database;
use crate::harness::fixture::Fixture;

/// Values that shops are known to send, and some that they should not.
fn values() -> impl Strategy<Value = Value> {
    let fixed = vec![
        json!(null),
        json!(""),
        json!(" "),
        json!(0),
        json!(-1),
        json!(1.5),
        json!("1.25"),
        json!("0,5"),
        json!(1e300),
        json!(true),
        json!([]),
        json!({}),
        json!(["x"]),
        json!("DK"),
        json!("invalid"),
        json!("ø".repeat(300)),
        json!("\u{202e}x"),
        json!(i64::MAX),
        json!({"a": [1, {"b": null}]}),
        json!("sim:reject"),
        json!("+4530274735"),
    ];
    prop_oneof![proptest::sample::select(fixed), "\\PC{0,40}".prop_map(Value::from)]
}

/// Every place of a body, as JSON pointers.
fn places(value: &Value, at: &str, found: &mut Vec<String>) {
    found.push(at.to_owned());
    match value {
        Value::Object(members) => {
            members.iter().for_each(|(name, value)| places(value, &format!("{at}/{name}"), found));
        }
        Value::Array(entries) => {
            let numbered = entries.iter().enumerate();
            numbered.for_each(|(index, value)| places(value, &format!("{at}/{index}"), found));
        }
        _ => {}
    }
}

/// The names that errors of the older API may begin with.
const NAMES: [&str; 14] = [
    "body",
    "internal_id",
    "internal_reference",
    "shipping_",
    "receiver",
    "sender",
    "agent",
    "parcels",
    "services",
    "addons",
    "currency",
    "subtotal_price",
    "sub_total",
    "total_",
];

#[test]
fn no_body_is_an_error_of_ours_and_none_is_told_in_other_names() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let fixture = runtime.block_on(Fixture::new(Database::Sqlite));
    let mut all = Vec::new();
    let body = order("MUTATED");
    places(&body, "", &mut all);
    all.retain(|place| !place.is_empty());
    let mutation = (proptest::sample::select(all), values());
    let many = proptest::collection::vec(mutation, 1..5);
    let mut runner =
        TestRunner::new(Config { cases: 300, failure_persistence: None, ..Config::default() });
    let tried = runner.run(&many, |mutations| {
        let mut body = order("MUTATED");
        for (place, value) in mutations {
            if let Some(old) = body.pointer_mut(&place) {
                *old = value;
            }
        }
        let reply = runtime.block_on(fixture.asking(LABELS, &body).send());
        prop_assert!(matches!(reply.status, 200 | 422 | 424), "{}: {body}", reply.status);
        if reply.status == 422 {
            for name in reply.problems() {
                let is_known = NAMES.iter().any(|start| name.starts_with(start));
                prop_assert!(is_known, "{name}: {body}");
            }
        }
        Ok(())
    });
    tried.unwrap();
    drop(fixture);
}
