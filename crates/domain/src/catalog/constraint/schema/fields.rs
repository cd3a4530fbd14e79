//! Schemas of rows about fields and countries that say more than one keyword can.

use super::values::{count, has_addon};
use crate::catalog::Role;
use crate::catalog::path::{present, schema_at, schema_needing};
use crate::country::Country;
use crate::json::Json;

/// Each keyword speaks of one type only: text has something but spaces, a list has an entry.
pub(super) fn is_there() -> Json {
    Json::object([
        ("not", Json::object([("type", "null".into())])),
        ("pattern", r"\S".into()),
        ("minItems", count(1)),
    ])
}

/// The first is required when no other is there.
pub(super) fn one_of(paths: &[String]) -> Json {
    let Some((first, others)) = paths.split_first() else { return Json::Object(Vec::new()) };
    let required = schema_needing(first, is_there());
    let others: Vec<Json> = others.iter().map(|path| present(path, is_there())).collect();
    match others.is_empty() {
        true => required,
        false => Json::object([
            ("if", Json::object([("not", Json::object([("anyOf", Json::List(others))]))])),
            ("then", required),
        ]),
    }
}

pub(super) fn area_codes(countries: &[Country]) -> Json {
    let codes = || Json::list(countries.iter().map(|country| country.code().into()));
    let one = |role: Role| {
        let area = Json::object([("type", "string".into()), ("pattern", "^[A-Z][A-Z]$".into())]);
        Json::object([
            ("if", present(role.country_path(), Json::object([("enum", codes())]))),
            ("then", present(role.area_path(), area)),
        ])
    };
    Json::object([("allOf", Json::list(Role::ALL.map(one)))])
}

pub(super) fn required(path: &str, with_addon: Option<&str>) -> Json {
    let always = schema_needing(path, is_there());
    match with_addon {
        None => always,
        Some(code) => Json::object([("if", has_addon(code)), ("then", always)]),
    }
}

/// Told for each country in turn; of all countries there is only a sentence.
pub(super) fn not_within(to: Role, countries: &[Country]) -> Json {
    if countries.is_empty() {
        let said = "Is not the country where the parcel starts. JSON Schema cannot compare the \
                    two: the server checks this.";
        return schema_at(to.country_path(), Json::object([("description", said.into())]));
    }
    let one = |country: &Country| {
        let is_there = Json::object([("const", country.code().into())]);
        let elsewhere = Json::object([("not", is_there.clone())]);
        Json::object([
            ("if", present(to.other().country_path(), is_there)),
            ("then", schema_at(to.country_path(), elsewhere)),
        ])
    };
    Json::object([("allOf", Json::list(countries.iter().map(one)))])
}
