//! The contract's ShipmentRequest and the constraints of each service, as a caller would run them.

use std::collections::BTreeSet;

use jsonschema::error::ValidationErrorKind;
use jsonschema::{Draft, ValidationError, Validator};
use serde_json::{Value, json};
use waybill_api::docs::OPENAPI;
use waybill_domain::catalog::{Catalog, Service};

pub struct Validators {
    contract: Validator,
    services: Vec<(String, Validator)>,
}

pub fn contract() -> Value {
    serde_json::from_str(OPENAPI).unwrap()
}

fn compiled(schema: &Value) -> Validator {
    jsonschema::options()
        .with_draft(Draft::Draft202012)
        .should_validate_formats(true)
        .build(schema)
        .unwrap()
}

impl Validators {
    pub fn new(catalog: &Catalog) -> Validators {
        let request = json!({"$ref": "#/components/schemas/ShipmentRequest",
            "components": contract()["components"]});
        let services = catalog.carriers.iter().flat_map(|carrier| &carrier.services);
        let one = |service: &Service| {
            let schema: Value = serde_json::from_str(&service.schema().to_string()).unwrap();
            (service.code.clone(), compiled(&schema))
        };
        Validators { contract: compiled(&request), services: services.map(one).collect() }
    }

    /// Where the schemas refuse the body: dotted paths. The body says itself for which service it
    /// is, else it is held against the one that was meant.
    pub fn problems(&self, body: &Value, meant: &str) -> BTreeSet<String> {
        let code = body["delivery"]["service_code"].as_str().unwrap_or(meant);
        let find = |code: &str| self.services.iter().find(|(other, _)| other == code);
        let (_, constraints) = find(code).or_else(|| find(meant)).unwrap();
        let mut found = BTreeSet::new();
        for error in self.contract.iter_errors(body).chain(constraints.iter_errors(body)) {
            leaves(&error, &mut found);
        }
        found
    }
}

/// The places that an error is about: the missing or unknown member itself, and what is wrong
/// inside of an alternative rather than that none fits.
fn leaves(error: &ValidationError<'_>, found: &mut BTreeSet<String>) {
    let here = dotted(&error.instance_path().to_string());
    let below = |name: &str| match here.as_str() {
        "" => name.to_owned(),
        here => format!("{here}.{name}"),
    };
    match error.kind() {
        ValidationErrorKind::Required { property } => {
            found.insert(below(property.as_str().unwrap()));
        }
        ValidationErrorKind::AdditionalProperties { unexpected } => {
            found.extend(unexpected.iter().map(|name| below(name)));
        }
        ValidationErrorKind::OneOfNotValid { context } => {
            let is_type = |error: &ValidationError<'_>| {
                matches!(error.kind(), ValidationErrorKind::Type { .. })
                    && dotted(&error.instance_path().to_string()) == here
            };
            let fitting = context.iter().filter(|branch| !branch.iter().any(is_type));
            let before = found.len();
            fitting.flatten().for_each(|error| leaves(error, found));
            if found.len() == before {
                found.insert(here);
            }
        }
        _ => {
            found.insert(here);
        }
    }
}

fn dotted(pointer: &str) -> String {
    pointer.trim_start_matches('/').replace('/', ".")
}
