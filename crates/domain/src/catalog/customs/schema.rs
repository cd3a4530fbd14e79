//! The same as JSON Schema. What a route crosses is told by the territories that both parties can
//! be in; a merchant that is left out is somewhere that the service collects from.

use std::collections::BTreeSet;

use super::territory::{address_in, reach};
use super::{ITEM_FIELDS, RouteCountries};
use crate::catalog::Role;
use crate::country::Country;
use crate::json::{Json, MemberName};

/// What is asked of a body whose route crosses a border.
pub fn schema(countries: &RouteCountries) -> Json {
    let rules = routes(countries)
        .into_iter()
        .map(|route| Json::object([("if", in_parties(route)), ("then", refer("declared"))]));
    Json::object([("allOf", Json::list(rules))])
}

/// A condition: the route of a body crosses a border.
pub fn crossing(countries: &RouteCountries) -> Json {
    let routes = routes(countries).into_iter().map(in_parties);
    Json::object([("anyOf", Json::list(routes))])
}

/// A condition: the route of a body is served, and crosses no border.
pub fn staying(countries: &RouteCountries) -> Json {
    in_parties(route(countries, ("anyOf", together(countries))))
}

/// The ways to cross a border.
fn routes(countries: &RouteCountries) -> Vec<Json> {
    let mut routes = vec![crosses(countries)];
    if !countries.merchants.is_empty() {
        routes.push(leaves(countries));
    }
    routes
}

/// What `schema` refers to under `#/$defs`.
pub fn definitions(countries: &RouteCountries) -> Vec<(MemberName, Json)> {
    let mut found =
        vec![("declared".into(), declared()), ("known_party".into(), party(known_address(&[])))];
    let mut near = shared(countries);
    near.extend(reach(countries.merchants.iter().copied()));
    found.extend(near.iter().map(|name| (definition(name).into(), party(address_in(name)))));
    found
}

fn in_parties(route: Json) -> Json {
    Json::object([
        ("required", Json::list(["parties".into()])),
        ("properties", Json::object([("parties", route)])),
    ])
}

/// Both parties are known, and no territory holds both.
fn crosses(countries: &RouteCountries) -> Json {
    route(countries, ("not", Json::object([("anyOf", together(countries))])))
}

/// Both parties are in one territory: the ways in which they can be.
fn together(countries: &RouteCountries) -> Json {
    let both = |name: &String| {
        let here = || refer(&definition(name));
        Json::object([("properties", parties(here(), here()))])
    };
    Json::list(shared(countries).iter().map(both))
}

/// Both parties are known and served, and this is so besides.
fn route(countries: &RouteCountries, besides: (&'static str, Json)) -> Json {
    let known = || refer("known_party");
    let (merchant, customer) = match countries.told_by() {
        Role::Merchant => (party(known_address(&countries.merchants)), known()),
        Role::Customer => (known(), party(known_address(&countries.customers))),
    };
    Json::object([
        ("required", Json::list(["merchant".into(), "customer".into()])),
        ("properties", parties(merchant, customer)),
        besides,
    ])
}

/// The merchant is not told, and the customer is out of reach of every place that it may be in.
fn leaves(countries: &RouteCountries) -> Json {
    let near = reach(countries.merchants.iter().copied());
    let near = Json::list(near.iter().map(|name| refer(&definition(name))));
    let away = Json::object([("not", Json::object([("anyOf", near)]))]);
    let customer = Json::object([("allOf", Json::list([refer("known_party"), away]))]);
    let unknown = Json::object([("type", "null".into())]);
    Json::object([
        ("required", Json::list(["customer".into()])),
        ("properties", parties(unknown, customer)),
    ])
}

fn parties(merchant: Json, customer: Json) -> Json {
    Json::object([("merchant", merchant), ("customer", customer)])
}

/// The territories that both parties of a route that is served can be in.
fn shared(countries: &RouteCountries) -> BTreeSet<String> {
    match countries.told_by() {
        Role::Merchant => reach(countries.merchants.iter().copied()),
        Role::Customer => reach(countries.customers.iter().copied()),
    }
}

fn declared() -> Json {
    let of_type = |name: &str| Json::object([("type", name.into())]);
    let names = Json::list(ITEM_FIELDS.map(|(field, _)| field.into()));
    let fields = Json::object(ITEM_FIELDS.map(|(field, name)| (field, of_type(name))));
    let item = Json::object([("required", names), ("properties", fields)]);
    let items = Json::object([("type", "array".into()), ("minItems", 1.into()), ("items", item)]);
    let parcel = Json::object([
        ("required", Json::list(["items".into()])),
        ("properties", Json::object([("items", items)])),
    ]);
    let parcels = Json::object([("items", parcel)]);
    let customs = Json::object([
        ("type", "object".into()),
        ("required", Json::list(["content_type".into()])),
        ("properties", Json::object([("content_type", of_type("string"))])),
    ]);
    Json::object([
        ("description", "What customs want to know when goods cross a border.".into()),
        ("required", Json::list(["customs".into()])),
        ("properties", Json::object([("customs", customs), ("parcels", parcels)])),
    ])
}

/// A party whose address is so.
fn party(address: Json) -> Json {
    Json::object([
        ("type", "object".into()),
        ("required", Json::list(["address".into()])),
        ("properties", Json::object([("address", address)])),
    ])
}

/// An address in one of these countries, or in any.
fn known_address(countries: &[Country]) -> Json {
    let country = match countries {
        [] => Json::object([("type", "string".into())]),
        some => {
            Json::object([("enum", Json::list(some.iter().map(|country| country.code().into())))])
        }
    };
    Json::object([
        ("type", "object".into()),
        ("required", Json::list(["country".into()])),
        ("properties", Json::object([("country", country)])),
    ])
}

fn definition(territory: &str) -> String {
    format!("in_{}", territory.replace(' ', "_"))
}

fn refer(name: &str) -> Json {
    Json::object([("$ref", format!("#/$defs/{name}").into())])
}
