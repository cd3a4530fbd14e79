//! When a row holds: conditions on where a parcel starts and ends, on its addons, and on the border
//! between. Each is a check of an order and a schema for `if`. A condition about a party that is
//! not known yet does not hold, whichever way round it is asked: nothing is asked too early.

use super::{Constraint, Role, problems as checks, schema as rows};
use crate::catalog::customs::{self, RouteCountries};
use crate::catalog::path::{present, text};
use crate::country::Country;
use crate::json::{Json, MemberName};
use crate::words::Message;

/// What must be so for a row to hold.
#[derive(Clone, PartialEq, Debug)]
pub enum Condition {
    /// One end of the route is in one of these countries, or in none of them.
    Place {
        /// Which end.
        end: End,
        /// Who is there.
        role: Role,
        /// Which countries.
        countries: Vec<Country>,
        /// Whether it is in one of them; else in none.
        is_among: bool,
    },
    /// An addon is chosen, or is not.
    Addon {
        /// Its code.
        code: String,
        /// Whether it is chosen.
        is_chosen: bool,
    },
    /// The route crosses a customs border, or stays within.
    Border {
        /// Where the service carries; none means anywhere, which no schema can say.
        countries: Option<RouteCountries>,
        /// Whether it is crossed.
        is_crossed: bool,
    },
}

/// One end of a route.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// Where the parcel starts.
    Start,
    /// Where it is delivered.
    Finish,
}

/// What the conditions about a border are called, which many rules of a service may share.
const CROSSES: &str = "route_crosses_a_customs_border";
/// The same of routes that cross none.
const STAYS: &str = "route_stays_within_a_customs_territory";
/// What the part of a schema is called that holds across a border which the schema cannot see.
const ACROSS: &str = "across_a_customs_border";
/// The same of routes that cross none.
const WITHIN: &str = "within_a_customs_territory";

impl Condition {
    /// Whether it holds for an order.
    fn holds(&self, order: &Json) -> bool {
        match self {
            Condition::Place { role, countries, is_among, .. } => text(order, role.country_path())
                .is_some_and(|code| {
                    countries.iter().any(|country| country.code() == code) == *is_among
                }),
            Condition::Addon { code, is_chosen } => checks::has_addon(order, code) == *is_chosen,
            Condition::Border { countries: Some(countries), is_crossed: true } => {
                countries.cross(order)
            }
            Condition::Border { countries: Some(countries), is_crossed: false } => {
                countries.stay_within(order)
            }
            Condition::Border { countries: None, is_crossed } => {
                customs::route_crosses(order) == Some(*is_crossed)
            }
        }
    }

    /// Whether the schema says the same as the check.
    pub(super) fn is_in_schema(&self) -> bool {
        !matches!(self, Condition::Border { countries: None, .. })
    }

    /// A schema that is satisfied when the condition holds.
    fn schema(&self) -> Json {
        match self {
            Condition::Place { role, countries, is_among, .. } => {
                let codes = Json::list(countries.iter().map(|country| country.code().into()));
                let among = Json::object([("enum", codes)]);
                let country = match is_among {
                    true => among,
                    false => Json::object([("type", "string".into()), ("not", among)]),
                };
                present(role.country_path(), country)
            }
            Condition::Addon { code, is_chosen: true } => rows::has_addon(code),
            Condition::Addon { code, is_chosen: false } => {
                Json::object([("not", rows::has_addon(code))])
            }
            Condition::Border { countries: Some(_), is_crossed } => {
                let name = if *is_crossed { CROSSES } else { STAYS };
                Json::object([("$ref", format!("#/$defs/{name}").into())])
            }
            Condition::Border { countries: None, .. } => Json::Bool(true),
        }
    }

    fn definitions(&self) -> Vec<(MemberName, Json)> {
        match self {
            Condition::Border { countries: Some(countries), is_crossed } => {
                let (name, route) = match is_crossed {
                    true => (CROSSES, customs::crossing(countries)),
                    false => (STAYS, customs::staying(countries)),
                };
                let mut found = customs::definitions(countries);
                found.push((name.into(), route));
                found
            }
            _ => Vec::new(),
        }
    }

    /// Why something is required.
    fn reason(&self, order: &Json) -> Option<Message> {
        match self {
            Condition::Place { end, role, .. } => {
                let key = match end {
                    End::Start => "required-from",
                    End::Finish => "required-to",
                };
                let country = text(order, role.country_path())?;
                Some(Message::new(key).text("country", country))
            }
            Condition::Addon { code, is_chosen: true } => {
                Some(Message::new("required-with-addon").text("addon", code))
            }
            Condition::Border { is_crossed: true, .. } => Some(Message::new("required-by-customs")),
            Condition::Addon { .. } | Condition::Border { .. } => None,
        }
    }
}

/// What the row says, if all conditions hold. What is required says why, where that can be told.
pub(super) fn problems(
    conditions: &[Condition],
    then: &Constraint,
    order: &Json,
) -> Vec<(String, Message)> {
    if !conditions.iter().all(|condition| condition.holds(order)) {
        return Vec::new();
    }
    let reason = conditions.iter().find_map(|condition| condition.reason(order));
    let explained = |message: Message| match &reason {
        Some(reason) if message.key() == "required" => reason.clone(),
        _ => message,
    };
    let told = then.problems(order).into_iter();
    told.map(|(path, message)| (path, explained(message))).collect()
}

/// The same as a schema. What depends on a border that the schema cannot see stands under `$defs`,
/// where nothing refers to it.
pub(super) fn schema(conditions: &[Condition], then: &Constraint) -> Json {
    match conditions.iter().all(Condition::is_in_schema) {
        true => when(conditions.iter(), then),
        false => Json::Object(Vec::new()),
    }
}

/// What the schema refers to, and what callers are only told.
pub(super) fn definitions(conditions: &[Condition], then: &Constraint) -> Vec<(MemberName, Json)> {
    let mut found = then.definitions();
    found.extend(conditions.iter().flat_map(Condition::definitions));
    let unseen = conditions.iter().find_map(|condition| match condition {
        Condition::Border { countries: None, is_crossed } => Some(*is_crossed),
        _ => None,
    });
    let (name, said) = match unseen {
        None => return found,
        Some(true) => (ACROSS, "crosses a customs border"),
        Some(false) => (WITHIN, "stays within a customs territory"),
    };
    let said = format!(
        "Holds when the route {said}. The service names no countries, so a schema cannot tell when \
         that is, and nothing refers to this: the server checks it."
    );
    let seen = conditions.iter().filter(|condition| condition.is_in_schema());
    let told =
        Json::object([("description", said.into()), ("allOf", Json::list([when(seen, then)]))]);
    found.push((name.into(), told));
    found
}

fn when<'a>(conditions: impl Iterator<Item = &'a Condition>, then: &Constraint) -> Json {
    let all: Vec<Json> = conditions.map(Condition::schema).collect();
    let condition = match <[Json; 1]>::try_from(all) {
        Ok([only]) => only,
        Err(all) if all.is_empty() => return then.schema(),
        Err(all) => Json::object([("allOf", Json::List(all))]),
    };
    Json::object([("if", condition), ("then", then.schema())])
}
