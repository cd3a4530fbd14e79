//! The oracle: an answer must have a status, headers and a body that the contract declares.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex};

use jsonschema::Validator;
use serde_json::{Value, json};

use super::Reply;

/// The contract as JSON.
pub static CONTRACT: LazyLock<Value> = LazyLock::new(|| {
    serde_json::from_str(include_str!(concat!(env!("OUT_DIR"), "/openapi.json"))).unwrap()
});

/// The operations of the contract: method, path, operation.
pub fn operations() -> Vec<(String, String, &'static Value)> {
    let methods = ["get", "put", "post", "patch", "delete", "head"];
    let paths = CONTRACT["paths"].as_object().unwrap();
    let mut operations = Vec::new();
    for (path, item) in paths {
        for (method, operation) in item.as_object().unwrap() {
            if methods.contains(&method.as_str()) {
                operations.push((method.to_uppercase(), path.clone(), operation));
            }
        }
    }
    operations
}

/// Fails the test when the answer is not what the contract says.
#[track_caller]
pub fn validate(method: &str, path: &str, reply: &Reply) {
    let what = format!("{method} {path} → {}", reply.status);
    assert!(reply.header("request-id").is_some(), "{what}: no Request-ID");
    assert!(reply.header("server-timing").is_some(), "{what}: no Server-Timing");
    let lookup = if method == "HEAD" { "GET" } else { method };
    let declared = find(lookup, path);
    let is_generic = matches!(reply.status, 405 | 408) || method == "OPTIONS";
    let Some(operation) = declared.filter(|_| !is_generic) else {
        if reply.header("content-type") == Some("application/json") {
            let schema = json!({"$ref": "#/components/schemas/Error"});
            check_body(&what, "Error", &schema, reply);
        }
        return;
    };
    let response = &operation["responses"][reply.status.to_string()];
    assert!(!response.is_null(), "{what}: the contract declares no such status");
    let response = resolve(response);
    check_headers(&what, response, reply);
    if method == "HEAD" || reply.bytes.is_empty() {
        return;
    }
    let sent = reply.header("content-type").unwrap_or_default();
    let media = sent.split(';').next().unwrap_or_default();
    let content = &response["content"][media];
    assert!(!content.is_null(), "{what}: the contract declares no {media}");
    if media == "application/json" {
        let name = format!("{} {}", operation["operationId"], reply.status);
        check_body(&what, &name, &content["schema"], reply);
    }
}

/// Fails the test when this is not the body of a webhook as the contract says.
#[track_caller]
pub fn validate_event(body: &Value) {
    let schema = json!({"$ref": "#/components/schemas/Event"});
    check_value("a webhook's body", "Event", &schema, body);
}

fn check_headers(what: &str, response: &'static Value, reply: &Reply) {
    for (name, header) in response["headers"].as_object().into_iter().flatten() {
        if resolve(header)["required"] == json!(true) {
            assert!(reply.header(name).is_some(), "{what}: no {name}");
        }
    }
}

fn check_body(what: &str, name: &str, schema: &Value, reply: &Reply) {
    check_value(what, name, schema, &reply.json());
}

fn check_value(what: &str, name: &str, schema: &Value, body: &Value) {
    static COMPILED: LazyLock<Mutex<HashMap<String, Arc<Validator>>>> =
        LazyLock::new(Mutex::default);
    let compile = || {
        let mut root = schema.clone();
        root["components"] = CONTRACT["components"].clone();
        Arc::new(jsonschema::draft202012::new(&root).expect("a well-formed schema"))
    };
    let validator = {
        let mut compiled = COMPILED.lock().unwrap();
        compiled.entry(name.to_owned()).or_insert_with(compile).clone()
    };
    let errors: Vec<String> = validator
        .iter_errors(body)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{what}: {}\n{body:#}", errors.join("\n"));
}

/// The operation that answers this path.
fn find(method: &str, path: &str) -> Option<&'static Value> {
    let fits = |template: &str| {
        let (wanted, given): (Vec<_>, Vec<_>) =
            (template.split('/').collect(), path.split('/').collect());
        wanted.len() == given.len()
            && wanted.iter().zip(&given).all(|(w, g)| w == g || w.starts_with('{'))
    };
    let mut found: Vec<_> =
        operations().into_iter().filter(|(m, template, _)| m == method && fits(template)).collect();
    // `/tracking/events` before `/tracking/{tracking}`.
    found.sort_by_key(|(_, template, _)| template.matches('{').count());
    found.first().map(|(_, _, operation)| *operation)
}

/// Follows one local `$ref`.
pub fn resolve(value: &'static Value) -> &'static Value {
    match value["$ref"].as_str() {
        Some(reference) => CONTRACT.pointer(reference.trim_start_matches('#')).unwrap(),
        None => value,
    }
}
