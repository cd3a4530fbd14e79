//! The examples of the contract keep to its own schemas.

use serde_json::Value;
use waybill_api::docs::OPENAPI;

use crate::harness::contract::ORACLE;

/// Every example of a body, with the pointer to the schema that it is an example of.
fn examples(value: &Value, pointer: &str, found: &mut Vec<(String, Value)>, contract: &Value) {
    let escape = |name: &str| name.replace('~', "~0").replace('/', "~1");
    for (index, value) in value.as_array().into_iter().flatten().enumerate() {
        examples(value, &format!("{pointer}/{index}"), found, contract);
    }
    let Some(object) = value.as_object() else { return };
    if object.contains_key("schema") {
        let schema = format!("{pointer}/schema");
        found.extend(object.get("example").map(|example| (schema.clone(), example.clone())));
        for example in object.get("examples").and_then(Value::as_object).into_iter().flatten() {
            let example = match example.1["$ref"].as_str() {
                Some(place) => contract.pointer(place.trim_start_matches('#')).unwrap(),
                None => example.1,
            };
            found.push((schema.clone(), example["value"].clone()));
        }
        return;
    }
    for (name, value) in object {
        examples(value, &format!("{pointer}/{}", escape(name)), found, contract);
    }
}

#[test]
fn every_example_keeps_to_its_schema() {
    let contract: Value = serde_json::from_str(OPENAPI).unwrap();
    let mut found = Vec::new();
    examples(&contract, "", &mut found, &contract);
    assert!(found.len() > 100, "{}", found.len());
    let check = |(schema, example): &(String, Value)| {
        ORACLE.check_example(schema, example).err().map(|problem| format!("{schema}: {problem}"))
    };
    let problems: Vec<String> = found.iter().filter_map(check).collect();
    assert!(problems.is_empty(), "\n{}", problems.join("\n\n"));
}
