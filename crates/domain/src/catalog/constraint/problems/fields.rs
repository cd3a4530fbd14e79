//! Rows about fields: what must be filled, how long it may be, and what it may consist of.

use super::values::{Problem, count, each_list, each_text, has_addon};
use crate::catalog::Role;
use crate::catalog::path::{needed, places, text};
use crate::country::Country;
use crate::fields::one_of;
use crate::json::Json;
use crate::measure::Currency;
use crate::words::Message;

/// So many characters that are not allowed are named.
const CHARACTERS_TOLD: usize = 10;

pub(super) fn too_long(order: &Json, path: &str, max: usize) -> Vec<Problem> {
    each_text(order, path, |text| {
        let message = || Message::new("too-long").count("max", count(max));
        (text.chars().count() > max).then(message)
    })
}

pub(super) fn too_short(order: &Json, path: &str, min: usize) -> Vec<Problem> {
    each_text(order, path, |text| {
        let message = || Message::new("too-short").count("min", count(min));
        (text.chars().count() < min).then(message)
    })
}

pub(super) fn too_many(order: &Json, path: &str, max: usize) -> Vec<Problem> {
    each_list(order, path, |entries| {
        let message = || Message::new("too-many").count("max", count(max));
        (entries.len() > max).then(message)
    })
}

pub(super) fn none_of(order: &Json, paths: &[String]) -> Vec<Problem> {
    let Some((first, others)) = paths.split_first() else { return Vec::new() };
    let is_there = |path: &String| places(order, path).iter().any(|(_, value)| !is_missing(*value));
    if others.iter().any(is_there) {
        return Vec::new();
    }
    let message = || Message::new("one-required").text("fields", others.join(", "));
    let missing = needed(order, first).into_iter().filter(|(_, value)| is_missing(*value));
    missing.map(|(path, _)| (path, message())).collect()
}

pub(super) fn forbidden(order: &Json, path: &str) -> Vec<Problem> {
    let there = places(order, path).into_iter().filter(|(_, value)| !is_missing(*value));
    there.map(|(path, _)| (path, Message::new("must-be-left-out"))).collect()
}

pub(super) fn area_codes(order: &Json, countries: &[Country]) -> Vec<Problem> {
    let is_bad = |role: &Role| {
        let country = text(order, role.country_path());
        let is_asked = countries.iter().any(|other| Some(other.code()) == country);
        let is_code = |area: &str| area.len() == 2 && area.bytes().all(|b| b.is_ascii_uppercase());
        is_asked && !text(order, role.area_path()).is_some_and(is_code)
    };
    let bad = Role::ALL.into_iter().filter(is_bad);
    bad.map(|role| (role.area_path().to_owned(), Message::new("not-an-area-code"))).collect()
}

pub(super) fn currency(order: &Json, path: &str, allowed: &[Currency]) -> Vec<Problem> {
    each_text(order, &format!("{path}.currency"), |code| {
        let codes: Vec<&str> = allowed.iter().map(|currency| currency.code()).collect();
        (!codes.contains(&code)).then(|| one_of(&codes))
    })
}

pub(super) fn required(order: &Json, path: &str, with_addon: Option<&str>) -> Vec<Problem> {
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

pub(super) fn foreign(text: &str, is_allowed: impl Fn(char) -> bool) -> Option<Message> {
    let mut found: Vec<char> = text.chars().filter(|c| !is_allowed(*c)).collect();
    found.sort_unstable();
    found.dedup();
    if found.is_empty() {
        return None;
    }
    let told: Vec<String> = found.iter().take(CHARACTERS_TOLD).map(char::to_string).collect();
    Some(Message::new("characters-not-accepted").text("characters", told.join(" ")))
}
