//! Rows as checks of an order in the API's shape.

use super::measured::Limit;
use super::postal;
use super::{Constraint, Side};
use crate::catalog::path::{JsonLocation, needed, places, text, texts};
use crate::country::Country;
use crate::fields::one_of;
use crate::json::Json;
use crate::words::Message;

/// What is wrong, and where.
type Problem = (String, Message);

/// So many characters that are not allowed are named.
const CHARACTERS_TOLD: usize = 10;

impl Constraint {
    /// What this row has against an order, as `Order::to_json` writes one.
    pub fn problems(&self, order: &Json) -> Vec<Problem> {
        match self {
            Constraint::Body { service_code } => body(order, service_code),
            Constraint::Required { path, with_addon } => {
                required(order, path, with_addon.as_deref())
            }
            Constraint::MaxLength { path, max } => each_text(order, path, |text| {
                let message = || Message::new("too-long").count("max", count(*max));
                (text.chars().count() > *max).then(message)
            }),
            Constraint::Characters { path, allowed } => {
                each_text(order, path, |text| foreign(text, |c| allowed.has(c)))
            }
            Constraint::MaxParcels { max } => each_list(order, "parcels", |parcels| {
                let message = || Message::new("too-many").count("max", count(*max));
                (parcels.len() > *max).then(message)
            }),
            Constraint::MaxWeight { grams } => {
                measured(order, "parcels.*.gross_weight", Limit::Weight(*grams))
            }
            Constraint::MaxLongestSide { millimetres } => Side::ALL
                .iter()
                .flat_map(|side| side_problems(order, *side, *millimetres))
                .collect(),
            Constraint::MaxSide { side, millimetres } => side_problems(order, *side, *millimetres),
            Constraint::FromCountry { role, countries } => {
                country(order, role.country_path(), countries, "not-served-from")
            }
            Constraint::ToCountry { role, countries } => {
                country(order, role.country_path(), countries, "not-served-to")
            }
            Constraint::PickupPointForbidden => {
                let there = places(order, "delivery.pickup_point").into_iter();
                let there = there.filter(|(_, point)| point.is_some());
                there.map(|(path, _)| (path, Message::new("pickup-point-not-offered"))).collect()
            }
            Constraint::AddonsAllowed { codes } => {
                each_text(order, "delivery.addons.*.code", |code| not_offered(code, codes))
            }
            Constraint::AddonRequired { code } if !has_addon(order, code) => {
                let message = Message::new("addon-required").text("addon", code);
                vec![("delivery.addons".to_owned(), message)]
            }
            Constraint::AddonRequired { .. } => Vec::new(),
            Constraint::AddonValue { code, kind } => addons(order, code)
                .filter_map(|(path, addon)| {
                    let value = addon.member("value").filter(|value| **value != Json::Null);
                    let (below, message) = kind.problem(value)?;
                    Some((format!("{path}.value{below}"), message))
                })
                .collect(),
            Constraint::DangerousGoodsForbidden => {
                each_list(order, "parcels.*.dangerous_goods", |goods| {
                    (!goods.is_empty()).then(|| Message::new("dangerous-goods-not-allowed"))
                })
            }
            Constraint::LimitedQuantityOnly => {
                let path = "parcels.*.dangerous_goods.*.is_limited_quantity";
                let bad = places(order, path).into_iter();
                let bad = bad.filter(|(_, value)| *value != Some(&Json::Bool(true)));
                bad.map(|(path, _)| (path, Message::new("limited-quantity-only"))).collect()
            }
            Constraint::CustomsData(lanes) => {
                let told = lanes.problems(order).into_iter();
                told.map(|path| (path, Message::new("required-by-customs"))).collect()
            }
            Constraint::PostalCode { country, masks } => postal_code(order, *country, masks),
        }
    }
}

fn body(order: &Json, service_code: &str) -> Vec<Problem> {
    let has_template = text(order, "template_uuid").is_some();
    let mut problems = match has_template {
        true => required(order, "parties.customer", None),
        false => ["parties.customer", "delivery.service_code", "parcels"]
            .iter()
            .flat_map(|path| required(order, path, None))
            .collect(),
    };
    problems.extend(each_text(order, "delivery.service_code", |code| {
        (code != service_code && !code.trim().is_empty()).then(|| one_of(&[service_code]))
    }));
    problems
}

fn required(order: &Json, path: &str, with_addon: Option<&str>) -> Vec<Problem> {
    if with_addon.is_some_and(|code| !has_addon(order, code)) {
        return Vec::new();
    }
    let message = || match with_addon {
        None => Message::new("required"),
        Some(code) => Message::new("required-with-addon").text("addon", code),
    };
    let missing = needed(order, path).into_iter().filter(|(_, value)| is_missing(*value));
    missing.map(|(path, _)| (path, message())).collect()
}

/// Null, blank text and an empty list say nothing.
fn is_missing(value: Option<&Json>) -> bool {
    match value {
        None | Some(Json::Null) => true,
        Some(Json::Text(text)) => text.trim().is_empty(),
        Some(Json::List(entries)) => entries.is_empty(),
        Some(_) => false,
    }
}

fn each_text(order: &Json, path: &str, problem: impl Fn(&str) -> Option<Message>) -> Vec<Problem> {
    let found = texts(order, path).into_iter();
    found.filter_map(|(path, text)| problem(text).map(|message| (path, message))).collect()
}

fn each_list(
    order: &Json,
    path: &str,
    problem: impl Fn(&[Json]) -> Option<Message>,
) -> Vec<Problem> {
    let one = |(path, value): JsonLocation<'_>| match value {
        Some(Json::List(entries)) => problem(entries).map(|message| (path, message)),
        _ => None,
    };
    places(order, path).into_iter().filter_map(one).collect()
}

fn foreign(text: &str, is_allowed: impl Fn(char) -> bool) -> Option<Message> {
    let mut found: Vec<char> = text.chars().filter(|c| !is_allowed(*c)).collect();
    found.sort_unstable();
    found.dedup();
    if found.is_empty() {
        return None;
    }
    let told: Vec<String> = found.iter().take(CHARACTERS_TOLD).map(char::to_string).collect();
    Some(Message::new("characters-not-accepted").text("characters", told.join(" ")))
}

fn measured(order: &Json, path: &str, limit: Limit) -> Vec<Problem> {
    let one = |(path, value): JsonLocation<'_>| {
        let message = limit.problem(value?)?;
        Some((format!("{path}.value"), message))
    };
    places(order, path).into_iter().filter_map(one).collect()
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

fn addons<'a>(order: &'a Json, code: &'a str) -> impl Iterator<Item = (String, &'a Json)> {
    places(order, "delivery.addons.*").into_iter().filter_map(move |(path, addon)| {
        let addon = addon?;
        (addon.member("code") == Some(&Json::text(code))).then_some((path, addon))
    })
}

fn has_addon(order: &Json, code: &str) -> bool {
    addons(order, code).next().is_some()
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

fn count(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
