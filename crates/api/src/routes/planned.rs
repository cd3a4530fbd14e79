//! Operations that are agreed and that this version does not have yet. The table is `planned.txt`:
//! method, path, operation, scope, and `admin` where only an administrator may call. A path with
//! `/v2+beta` is served under both prefixes; a legacy path also under its demo twin.

use axum::http::Method;
use waybill_domain::access::Scope;

use super::table::{Handler, Route, admin, both, public, route, scoped, team};
use crate::dialect::JSON;
use crate::legacy::LEGACY;
use crate::legacy::paths::is_legacy;
use crate::reply::{ApiError, Reply};

/// The rows of the table, each of which answers 501 to those who may call it.
pub fn routes() -> Vec<Route> {
    include_str!("planned.txt").lines().flat_map(rows).collect()
}

fn rows(line: &str) -> Vec<Route> {
    let mut words = line.split_whitespace();
    let mut word = || words.next().expect("planned.txt has four words in each line");
    let method = Method::from_bytes(word().as_bytes()).expect("planned.txt names methods");
    let (path, operation, scope) = (word(), word(), word());
    let is_admin = words.next() == Some("admin");
    let handler = || answer(path, scope, is_admin);
    if let Some(path) = path.strip_prefix("/v2+beta") {
        return both(method, path, operation, handler).into();
    }
    let dialect = if is_legacy(path) { &LEGACY } else { &JSON };
    let mut rows = vec![route(method.clone(), path, operation, handler()).speaking(dialect)];
    if let Some(rest) = path.strip_prefix("/api/v1/website/") {
        let operation = operation.replacen("legacy", "legacyDemo", 1);
        let path = format!("/api/v1/demo/website/{rest}");
        rows.push(route(method, &path, &operation, handler()).speaking(dialect));
    }
    rows
}

fn answer(path: &str, scope: &str, is_admin: bool) -> Handler {
    let not_yet = || async { Err::<Reply, _>(ApiError::NotImplemented) };
    if scope == "anyone" {
        return public(move |_| not_yet());
    }
    let scope = Scope::parse(scope).expect("planned.txt names known scopes");
    match is_admin {
        _ if !path.contains("{teamUuid}") => scoped(scope, move |_, _| not_yet()),
        true => admin(scope, move |_, _| not_yet()),
        false => team(scope, move |_, _| not_yet()),
    }
}
