//! IPP: whatever comes is read without a panic and within bounds, and what was read is read again
//! when it is written.

#![no_main]

use libfuzzer_sys::fuzz_target;
use waybill_printing::ipp::{Attribute, BYTES_MAX, DEPTH_MAX, VALUES_MAX, Value, parse};

fuzz_target!(|input: &[u8]| {
    let Ok((message, document)) = parse(input) else { return };
    let read = input.len() - document.len();
    assert!(input.ends_with(document) && read <= BYTES_MAX + 1);
    let attributes = message.groups.iter().flat_map(|group| &group.attributes);
    let values: usize = attributes.clone().map(|attribute| count(attribute)).sum();
    assert!(values + message.groups.len() <= VALUES_MAX, "too many values");
    assert!(attributes.map(|attribute| depth(attribute)).max() <= Some(DEPTH_MAX), "too deep");
    let written = message.encode();
    assert!(written.len() <= read, "what was read is shorter than what is written");
    let (again, rest) = parse(&written).expect("what we write can be read");
    assert!(rest.is_empty());
    assert_eq!(again, message);
    assert_eq!(again.encode(), written);
});

/// The values of an attribute with those inside of them. Each has at least one.
fn count(attribute: &Attribute) -> usize {
    assert!(!attribute.values.is_empty() && !attribute.name.is_empty());
    let inside = attribute.values.iter().flat_map(members).map(count);
    attribute.values.len() + inside.sum::<usize>()
}

/// How many collections lie in each other.
fn depth(attribute: &Attribute) -> usize {
    let is_collection = |value: &&Value| matches!(value, Value::Collection(_));
    let collections = attribute.values.iter().filter(is_collection);
    let deepest = |value| 1 + members(value).iter().map(depth).max().unwrap_or(0);
    collections.map(deepest).max().unwrap_or(0)
}

fn members(value: &Value) -> &[Attribute] {
    match value {
        Value::Collection(members) => members,
        _ => &[],
    }
}
