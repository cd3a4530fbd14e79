//! The contract and the routes say the same.

mod files;

use std::collections::BTreeMap;

use waybill_api::routes::{Access, routes};

use crate::harness::contract::ORACLE;

/// Served for the page itself; not part of the contract.
const UNLISTED: &str = "getDocsFile";

#[test]
fn every_route_is_in_the_contract_and_every_operation_has_a_route() {
    let ours: BTreeMap<String, String> = routes()
        .iter()
        .filter(|route| route.operation != UNLISTED)
        .map(|route| (format!("{} {}", route.method, route.path), route.operation.clone()))
        .collect();
    let agreed: BTreeMap<String, String> = ORACLE
        .operations()
        .map(|operation| {
            let name = operation.declared["operationId"].as_str().unwrap();
            (format!("{} {}", operation.method, operation.path), name.to_owned())
        })
        .collect();
    assert_eq!(ours, agreed);
}

#[test]
fn every_route_asks_for_the_scope_and_role_of_the_contract() {
    for route in routes().iter().filter(|route| route.operation != UNLISTED) {
        let agreed = ORACLE
            .operations()
            .map(|operation| operation.declared)
            .find(|declared| declared["operationId"] == route.operation.as_str())
            .unwrap();
        let (scope, role) = match route.handler.access() {
            Access::Public | Access::User => (None, None),
            Access::Scoped(scope) | Access::Team(scope) => (Some(scope.to_string()), None),
            Access::Admin(scope) => (Some(scope.to_string()), Some("admin")),
        };
        assert_eq!(agreed["x-scope"].as_str(), scope.as_deref(), "{}", route.operation);
        assert_eq!(agreed["x-role"].as_str(), role, "{}", route.operation);
    }
}
