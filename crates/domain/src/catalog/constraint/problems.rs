//! Rows as checks of an order in the API's shape.

mod fields;
mod values;

use super::measured::Limit;
use super::{Constraint, Role, Side, ValueKind, condition, postal};
use crate::catalog::path::{JsonLocation, places, text};
use crate::country::Country;
use crate::fields::one_of;
use crate::json::Json;
use crate::words::Message;
use values::{Problem, addons, each_list, each_text};

pub(super) use values::has_addon;

impl Constraint {
    /// What this row has against an order, as `Order::to_json` writes one.
    pub fn problems(&self, order: &Json) -> Vec<Problem> {
        match self {
            Constraint::Body { service_code } => body(order, service_code),
            Constraint::Required { path, with_addon } => {
                fields::required(order, path, with_addon.as_deref())
            }
            Constraint::MaxLength { path, max } => fields::too_long(order, path, *max),
            Constraint::MinLength { path, min } => fields::too_short(order, path, *min),
            Constraint::MaxItems { path, max } => fields::too_many(order, path, *max),
            Constraint::RequiredOneOf { paths } => fields::none_of(order, paths),
            Constraint::Forbidden { path } => fields::forbidden(order, path),
            Constraint::AreaCode { countries } => fields::area_codes(order, countries),
            Constraint::Currency { path, allowed } => fields::currency(order, path, allowed),
            Constraint::Characters { path, allowed } => {
                each_text(order, path, |text| fields::foreign(text, |c| allowed.has(c)))
            }
            Constraint::MaxParcels { max } => fields::too_many(order, "parcels", *max),
            Constraint::MaxWeight { grams } => {
                measured(order, "parcels.*.gross_weight", Limit::Weight(*grams))
            }
            Constraint::MaxLongestSide { millimetres } => any_side(order, *millimetres),
            Constraint::MaxSide { side, millimetres } => side_problems(order, *side, *millimetres),
            Constraint::MaxSum(sum) => sum.problems(order),
            Constraint::FromCountry { role, countries } => {
                country(order, role.country_path(), countries, "not-served-from")
            }
            Constraint::ToCountry { role, countries } => {
                country(order, role.country_path(), countries, "not-served-to")
            }
            Constraint::NotWithin { to, countries } => not_within(order, *to, countries),
            Constraint::PickupPointForbidden => pickup_point(order),
            Constraint::AddonsAllowed { codes } => {
                each_text(order, "delivery.addons.*.code", |code| not_offered(code, codes))
            }
            Constraint::AddonRequired { code } => addon_required(order, code),
            Constraint::AddonValue { code, kind } => addon_value(order, code, kind),
            Constraint::DangerousGoodsForbidden => dangerous_goods(order),
            Constraint::LimitedQuantityOnly => limited_quantity(order),
            Constraint::CustomsData(countries) => {
                let told = countries.problems(order).into_iter();
                told.map(|path| (path, Message::new("required-by-customs"))).collect()
            }
            Constraint::PostalCode { country, masks } => postal_code(order, *country, masks),
            Constraint::When { conditions, then } => condition::problems(conditions, then, order),
        }
    }
}

fn pickup_point(order: &Json) -> Vec<Problem> {
    let there = places(order, "delivery.pickup_point").into_iter();
    let there = there.filter(|(_, point)| point.is_some());
    there.map(|(path, _)| (path, Message::new("pickup-point-not-offered"))).collect()
}

fn dangerous_goods(order: &Json) -> Vec<Problem> {
    each_list(order, "parcels.*.dangerous_goods", |goods| {
        (!goods.is_empty()).then(|| Message::new("dangerous-goods-not-allowed"))
    })
}

fn addon_required(order: &Json, code: &str) -> Vec<Problem> {
    let message = || Message::new("addon-required").text("addon", code);
    let missing = (!has_addon(order, code)).then(|| ("delivery.addons".to_owned(), message()));
    missing.into_iter().collect()
}

fn limited_quantity(order: &Json) -> Vec<Problem> {
    let bad = places(order, "parcels.*.dangerous_goods.*.is_limited_quantity").into_iter();
    let bad = bad.filter(|(_, value)| *value != Some(&Json::Bool(true)));
    bad.map(|(path, _)| (path, Message::new("limited-quantity-only"))).collect()
}

fn addon_value(order: &Json, code: &str, kind: &ValueKind) -> Vec<Problem> {
    let one = |(path, addon): (String, &Json)| {
        let value = addon.member("value").filter(|value| **value != Json::Null);
        let (below, message) = kind.problem(value)?;
        Some((format!("{path}.value{below}"), message))
    };
    addons(order, code).filter_map(one).collect()
}

fn not_within(order: &Json, to: Role, countries: &[Country]) -> Vec<Problem> {
    let start = text(order, to.other().country_path());
    each_text(order, to.country_path(), |code| {
        let is_named = countries.is_empty() || countries.iter().any(|other| other.code() == code);
        let message = || Message::new("not-served-within").text("country", code);
        (is_named && start == Some(code)).then(message)
    })
}

fn body(order: &Json, service_code: &str) -> Vec<Problem> {
    let has_template = text(order, "template_uuid").is_some();
    let mut problems = match has_template {
        true => fields::required(order, "parties.customer", None),
        false => ["parties.customer", "delivery.service_code", "parcels"]
            .iter()
            .flat_map(|path| fields::required(order, path, None))
            .collect(),
    };
    problems.extend(each_text(order, "delivery.service_code", |code| {
        (code != service_code && !code.trim().is_empty()).then(|| one_of(&[service_code]))
    }));
    problems
}

fn measured(order: &Json, path: &str, limit: Limit) -> Vec<Problem> {
    let one = |(path, value): JsonLocation<'_>| {
        let message = limit.problem(value?)?;
        Some((format!("{path}.value"), message))
    };
    places(order, path).into_iter().filter_map(one).collect()
}

fn any_side(order: &Json, millimetres: i64) -> Vec<Problem> {
    Side::ALL.iter().flat_map(|side| side_problems(order, *side, millimetres)).collect()
}

fn side_problems(order: &Json, side: Side, millimetres: i64) -> Vec<Problem> {
    measured(order, &format!("parcels.*.{}", side.name()), Limit::Length(millimetres))
}

fn country(order: &Json, path: &str, countries: &[Country], key: &'static str) -> Vec<Problem> {
    each_text(order, path, |code| {
        let is_served = countries.iter().any(|country| country.code() == code);
        let codes = || countries.iter().map(Country::code).collect::<Vec<_>>().join(", ");
        (!is_served).then(|| Message::new(key).text("countries", codes()))
    })
}

fn not_offered(code: &str, codes: &[String]) -> Option<Message> {
    if codes.iter().any(|other| other == code) {
        return None;
    }
    Some(match codes {
        [] => Message::new("no-addon-offered"),
        codes => Message::new("addon-not-offered").text("addons", codes.join(", ")),
    })
}

fn postal_code(order: &Json, country: Country, masks: &[String]) -> Vec<Problem> {
    if text(order, "parties.customer.address.country") != Some(country.code()) {
        return Vec::new();
    }
    each_text(order, "parties.customer.address.postal_code", |code| {
        let message = || {
            Message::new("not-a-postal-code")
                .text("country", country)
                .text("example", postal::example(masks))
        };
        (!masks.iter().any(|mask| postal::fits(mask, code))).then(message)
    })
}
