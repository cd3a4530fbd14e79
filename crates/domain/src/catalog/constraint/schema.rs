//! Rows as JSON Schema 2020-12 of the shipment body. Null means absent, so no keyword here says
//! anything about a null unless the row wants something to be there.

mod fields;
mod values;

use super::measured::Limit;
use super::{Constraint, Side, ValueKind, condition, postal};
use crate::catalog::customs;
use crate::catalog::path::{schema_at, schema_needing};
use crate::country::Country;
use crate::json::{Json, MemberName};
use values::{count, has};

pub(super) use values::has_addon;

/// The name of a limit of every side. A service may have several, under different conditions.
fn side_name(millimetres: i64) -> String {
    format!("side_{millimetres}")
}

impl Constraint {
    /// What this row says, as a schema that is one of many.
    pub fn schema(&self) -> Json {
        match self {
            Constraint::Body { service_code } => body(service_code),
            Constraint::Required { path, with_addon } => {
                fields::required(path, with_addon.as_deref())
            }
            Constraint::MaxLength { path, max } => {
                schema_at(path, Json::object([("maxLength", count(*max))]))
            }
            Constraint::MinLength { path, min } => {
                schema_at(path, Json::object([("minLength", count(*min))]))
            }
            Constraint::MaxItems { path, max } => {
                schema_at(path, Json::object([("maxItems", count(*max))]))
            }
            Constraint::RequiredOneOf { paths } => fields::one_of(paths),
            Constraint::Forbidden { path } => {
                schema_at(path, Json::object([("not", fields::is_there())]))
            }
            Constraint::AreaCode { countries } => fields::area_codes(countries),
            Constraint::Currency { path, allowed } => {
                let codes = Json::list(allowed.iter().map(|currency| currency.code().into()));
                schema_at(&format!("{path}.currency"), Json::object([("enum", codes)]))
            }
            Constraint::Characters { path, allowed } => {
                schema_at(path, Json::object([("pattern", allowed.pattern().into())]))
            }
            Constraint::MaxParcels { max } => {
                schema_at("parcels", Json::object([("maxItems", count(*max))]))
            }
            Constraint::MaxWeight { grams } => {
                schema_at("parcels.*.gross_weight", Limit::Weight(*grams).schema())
            }
            Constraint::MaxLongestSide { millimetres } => {
                let name = format!("#/$defs/{}", side_name(*millimetres));
                let limit = || Json::object([("$ref", name.as_str().into())]);
                let sides = Side::ALL.map(|side| (side.name(), limit()));
                schema_at("parcels.*", Json::object([("properties", Json::object(sides))]))
            }
            Constraint::MaxSide { side, millimetres } => {
                let path = format!("parcels.*.{}", side.name());
                schema_at(&path, Limit::Length(*millimetres).schema())
            }
            Constraint::MaxSum(sum) => sum.schema(),
            Constraint::FromCountry { role, countries }
            | Constraint::ToCountry { role, countries } => {
                let codes = Json::list(countries.iter().map(|country| country.code().into()));
                schema_at(role.country_path(), Json::object([("enum", codes)]))
            }
            Constraint::NotWithin { to, countries } => fields::not_within(*to, countries),
            Constraint::PickupPointForbidden => {
                schema_at("delivery.pickup_point", Json::object([("type", "null".into())]))
            }
            Constraint::AddonsAllowed { codes } => addons_allowed(codes),
            Constraint::AddonRequired { code } => has_addon(code),
            Constraint::AddonValue { code, kind } => addon_value(code, kind),
            Constraint::DangerousGoodsForbidden => {
                schema_at("parcels.*.dangerous_goods", Json::object([("maxItems", count(0))]))
            }
            Constraint::LimitedQuantityOnly => schema_needing(
                "parcels.*.dangerous_goods.*.is_limited_quantity",
                Json::object([("const", true.into())]),
            ),
            Constraint::CustomsData(countries) => customs::schema(countries),
            Constraint::PostalCode { country, masks } => postal_code(*country, masks),
            Constraint::When { conditions, then } => condition::schema(conditions, then),
        }
    }

    /// What the schema refers to under `#/$defs`.
    pub fn definitions(&self) -> Vec<(MemberName, Json)> {
        match self {
            Constraint::MaxLongestSide { millimetres } => {
                vec![(side_name(*millimetres).into(), Limit::Length(*millimetres).schema())]
            }
            Constraint::When { conditions, then } => condition::definitions(conditions, then),
            Constraint::CustomsData(countries) => customs::definitions(countries),
            _ => Vec::new(),
        }
    }
}

/// Without a template the body names the service and has parcels. What is null is left out.
fn body(service_code: &str) -> Json {
    let this = |and: Option<Json>| {
        let service = Json::list([service_code.into()].into_iter().chain(and));
        Json::object([("enum", service)])
    };
    let parcels = Json::object([("type", "array".into()), ("minItems", count(1))]);
    let delivery = Json::object([
        ("type", "object".into()),
        ("required", Json::list(["service_code".into()])),
        ("properties", Json::object([("service_code", this(None))])),
    ]);
    let whole = Json::object([
        ("required", Json::list(["delivery".into(), "parcels".into()])),
        ("properties", Json::object([("delivery", delivery), ("parcels", parcels)])),
    ]);
    let alone = schema_at("template_uuid", Json::object([("type", "null".into())]));
    let customer = Json::object([
        ("type", "object".into()),
        ("required", Json::list(["customer".into()])),
        ("properties", Json::object([("customer", Json::object([("type", "object".into())]))])),
    ]);
    let delivery = schema_at("service_code", this(Some(Json::Null)));
    Json::object([
        ("required", Json::list(["parties".into()])),
        ("properties", Json::object([("parties", customer), ("delivery", delivery)])),
        ("if", alone),
        ("then", whole),
    ])
}

fn addons_allowed(codes: &[String]) -> Json {
    if codes.is_empty() {
        return schema_at("delivery.addons", Json::object([("maxItems", count(0))]));
    }
    let codes = Json::list(codes.iter().map(|code| code.as_str().into()));
    schema_at("delivery.addons.*.code", Json::object([("enum", codes)]))
}

fn addon_value(code: &str, kind: &ValueKind) -> Json {
    let nothing = || Json::object([("type", "null".into())]);
    let value = ("properties", Json::object([("value", kind.schema().unwrap_or_else(nothing))]));
    let then = match kind.is_needed() {
        false => Json::object([value]),
        true => Json::object([("required", Json::list(["value".into()])), value]),
    };
    schema_at("delivery.addons.*", Json::object([("if", has("code", code)), ("then", then)]))
}

fn postal_code(country: Country, masks: &[String]) -> Json {
    let pattern = Json::object([("pattern", postal::pattern(masks).into())]);
    let code = Json::object([("postal_code", pattern)]);
    schema_at(
        "parties.customer.address",
        Json::object([
            ("if", has("country", country.code())),
            ("then", Json::object([("properties", code)])),
        ]),
    )
}
