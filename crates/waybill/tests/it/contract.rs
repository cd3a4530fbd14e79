//! The contract and the routes say the same.

mod examples;
mod files;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use waybill_api::docs::OPENAPI;
use waybill_api::legacy::paths::is_legacy;
use waybill_api::routes::{Access, Route, routes};
use waybill_domain::access::Scope;
use waybill_domain::event::{EventKind, TEST};
use waybill_oracle::Oracle;

use crate::harness::contract::ORACLE;

/// Served for the page itself; not part of the contract.
const UNLISTED: &str = "getDocsFile";

/// The routes that the contract describes.
fn available() -> Vec<Route> {
    routes().into_iter().filter(|route| route.operation != UNLISTED).collect()
}

/// Method and path of every route, with its operation.
fn names(routes: &[Route]) -> BTreeMap<String, String> {
    let name =
        |route: &Route| (format!("{} {}", route.method, route.path), route.operation.clone());
    routes.iter().map(name).collect()
}

/// The same of a contract.
fn declared(oracle: &Oracle) -> BTreeMap<String, String> {
    let operations = oracle.operations().map(|operation| {
        let name = operation.declared["operationId"].as_str().unwrap();
        (format!("{} {}", operation.method, operation.path), name.to_owned())
    });
    operations.collect()
}

#[test]
fn every_route_is_in_the_contract_and_every_operation_has_a_route() {
    assert_eq!(names(&available()), declared(&ORACLE));
}

/// The scope and the role that a route asks for, as the contract says it.
fn asked(route: &Route) -> (Option<String>, Option<&'static str>) {
    match route.handler.access() {
        Access::Public | Access::User | Access::Member => (None, None),
        Access::Agent => (Some(Scope::PRINT_AGENT.to_string()), None),
        Access::Scoped(scope) | Access::Team(scope) => (Some(scope.to_string()), None),
        Access::Admin(scope) => (Some(scope.to_string()), Some("admin")),
    }
}

#[track_caller]
fn assert_same_access(route: &Route, oracle: &Oracle) {
    let agreed = oracle
        .operations()
        .map(|operation| operation.declared)
        .find(|declared| declared["operationId"] == route.operation.as_str())
        .unwrap();
    let (scope, role) = asked(route);
    assert_eq!(agreed["x-scope"].as_str(), scope.as_deref(), "{}", route.operation);
    assert_eq!(agreed["x-role"].as_str(), role, "{}", route.operation);
}

#[test]
fn every_route_asks_for_the_scope_and_role_of_the_contract() {
    for route in available() {
        assert_same_access(&route, &ORACLE);
    }
}

#[test]
fn every_kind_of_event_that_is_sent_is_a_webhook_of_the_contract() {
    let contract: Value = serde_json::from_str(OPENAPI).unwrap();
    let declared: BTreeSet<&str> =
        contract["webhooks"].as_object().unwrap().keys().map(String::as_str).collect();
    let sent = EventKind::NAMES.iter().copied();
    assert_eq!(declared, sent.chain([TEST]).collect());
    for (kind, webhook) in contract["webhooks"].as_object().unwrap() {
        let content = &webhook["post"]["requestBody"]["content"]["application/json"];
        assert_eq!(content["example"]["type"], kind.as_str());
    }
}

/// What OAuth clients call with their own credentials.
const CLIENT_CALLS: [&str; 3] = ["/oauth/token", "/oauth/revoke", "/oauth/introspect"];

/// What an app or a program makes there would outlive it.
const NOT_FOR_APPS: [&str; 7] = [
    "createToken",
    "createInvitation",
    "createOAuthClient",
    "rotateOAuthClientSecret",
    "createPrintAgent",
    "renewRegistrationCode",
    "deleteTeam",
];

#[test]
fn every_operation_says_which_credentials_it_takes() {
    for route in available() {
        let mut all = ORACLE.operations().map(|operation| operation.declared);
        let agreed = all.find(|declared| declared["operationId"] == route.operation.as_str());
        let expected = match route.handler.access() {
            // A client has no token: it asks for one.
            Access::Public if CLIENT_CALLS.contains(&route.path.as_str()) => {
                json!([{"oauth_client": []}, {}])
            }
            Access::Public => json!([]),
            Access::Agent => json!([{"bearer": []}]),
            Access::Scoped(Scope::EVERYTHING) => json!([{"bearer": []}]),
            _ if NOT_FOR_APPS.contains(&route.operation.as_str()) => json!([{"bearer": []}]),
            Access::User | Access::Member => json!([{"bearer": []}, {"oauth2": []}]),
            Access::Scoped(scope) | Access::Team(scope) | Access::Admin(scope) => {
                json!([{"bearer": []}, {"oauth2": [scope.to_string()]}])
            }
        };
        let mut expected = expected;
        if is_legacy(&route.path) {
            expected.as_array_mut().unwrap().push(json!({"api_token": []}));
        }
        assert_eq!(agreed.unwrap()["security"], expected, "{}", route.operation);
    }
}
