//! What is agreed and not there yet: in `contract/planned/`, on a page of the documentation, and
//! answered with 501.

use std::path::Path;

use serde_json::Value;
use waybill_api::docs::OPENAPI;
use waybill_api::routes::{planned_routes, routes};
use waybill_oracle::Oracle;

use super::files::{contract, merge};
use super::{UNLISTED, assert_same_access, declared, names};
use crate::harness::both;

/// The contract with what is planned.
fn whole() -> Oracle {
    let mut whole: Value = serde_json::from_str(OPENAPI).unwrap();
    merge::add(whole.as_object_mut().unwrap(), &contract().join("planned")).unwrap();
    Oracle::new(&whole.to_string()).unwrap()
}

#[test]
fn every_planned_route_is_in_the_planned_contract_with_its_scope_and_role() {
    let whole = whole();
    let mut all = routes();
    all.retain(|route| route.operation != UNLISTED);
    assert_eq!(names(&all), declared(&whole));
    for route in planned_routes() {
        assert_same_access(&route, &whole);
    }
}

#[test]
fn the_page_of_planned_operations_has_the_rows_of_the_table() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let read = |file: &str| std::fs::read_to_string(root.join(file)).unwrap();
    let table = read("crates/api/src/routes/planned.txt");
    let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    let table: Vec<String> = table.lines().map(words).collect();
    let page = read("docs/planned.md");
    let rows = page.lines().filter(|line| line.starts_with("| ") && line.contains("| `/"));
    let row = |line: &str| {
        let cells: Vec<&str> = line.split('|').map(|cell| cell.trim().trim_matches('`')).collect();
        cells[1..5].join(" ")
    };
    assert_eq!(rows.map(row).collect::<Vec<_>>(), table);
}

both! {
    async fn a_planned_operation_answers_501_to_those_who_may_call_it(app) {
        for route in planned_routes() {
            let path = route.path.replace("{teamUuid}", &app.team.to_string());
            let path = path.replace(['{', '}'], "");
            let reply = app.ask(route.method.as_str(), &path).admin().send().await.expect(501);
            let message = "This operation is planned, but this version does not offer it yet.";
            assert_eq!(reply.at("/message"), message, "{path}");
        }
    }
}
