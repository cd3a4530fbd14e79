//! What an order has at a path.

use crate::catalog::path::{JsonLocation, places, texts};
use crate::json::Json;
use crate::words::Message;

/// What is wrong, and where.
pub(super) type Problem = (String, Message);

/// What is wrong with the texts at a path.
pub(super) fn each_text(
    order: &Json,
    path: &str,
    problem: impl Fn(&str) -> Option<Message>,
) -> Vec<Problem> {
    let found = texts(order, path).into_iter();
    found.filter_map(|(path, text)| problem(text).map(|message| (path, message))).collect()
}

/// What is wrong with the lists at a path.
pub(super) fn each_list(
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

/// The addons with this code, and where they are.
pub(super) fn addons<'a>(
    order: &'a Json,
    code: &'a str,
) -> impl Iterator<Item = (String, &'a Json)> {
    places(order, "delivery.addons.*").into_iter().filter_map(move |(path, addon)| {
        let addon = addon?;
        (addon.member("code") == Some(&Json::text(code))).then_some((path, addon))
    })
}

/// Whether the addon is chosen.
pub(crate) fn has_addon(order: &Json, code: &str) -> bool {
    addons(order, code).next().is_some()
}

/// A number as a sentence takes it.
pub(super) fn count(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
