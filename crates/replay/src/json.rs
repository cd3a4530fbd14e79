//! JSON of a request held against JSON of a file, and JSON of an answer filled in.

use waybill_domain::json::Json;

use crate::error::Unkept;
use crate::pattern::{ABSENT, ANY, Captures, fill, fits};

/// In front of a list: a list that begins like this. At its end.
const MORE: &str = "{more}";
/// In an object: it has no other members.
const ONLY: &str = "{only}";

/// What is different about a value, each with its path.
pub fn compare(
    pattern: &Json,
    value: Option<&Json>,
    path: &str,
    captures: &mut Captures,
) -> Vec<String> {
    let Some(value) = value else {
        let is_fine = matches!(pattern, Json::Text(text) if text == ABSENT);
        return if is_fine { Vec::new() } else { vec![format!("{path} is missing")] };
    };
    let differs = || vec![format!("{path} is {value} and not {pattern}")];
    let same = |is_same: bool| if is_same { Vec::new() } else { differs() };
    match (pattern, value) {
        (Json::Text(pattern), _) if pattern == ABSENT => vec![format!("{path} is there: {value}")],
        (Json::Text(pattern), _) if pattern == ANY => Vec::new(),
        (Json::Text(pattern), Json::Text(text)) => same(fits(pattern, text, captures)),
        (Json::Text(pattern), Json::Number(_) | Json::Bool(_)) => {
            let is_place = pattern.starts_with('{') && pattern.ends_with('}');
            same(is_place && fits(pattern, &value.to_string(), captures))
        }
        (Json::Number(wanted), Json::Number(number)) => {
            same(wanted.canonical() == number.canonical())
        }
        (Json::List(patterns), Json::List(values)) => {
            compare_lists(patterns, values, path, captures)
        }
        (Json::Object(members), Json::Object(found)) => {
            let mut differences = Vec::new();
            for (name, pattern) in members.iter().filter(|(name, _)| name != ONLY) {
                let at = format!("{path}.{name}");
                differences.extend(compare(pattern, value.member(name), &at, captures));
            }
            if pattern.member(ONLY).is_some() {
                let others = found.iter().filter(|(name, _)| pattern.member(name).is_none());
                differences
                    .extend(others.map(|(name, it)| format!("{path}.{name} is there: {it}")));
            }
            differences
        }
        _ => same(pattern == value),
    }
}

fn compare_lists(
    patterns: &[Json],
    values: &[Json],
    path: &str,
    captures: &mut Captures,
) -> Vec<String> {
    if let Some((name, pattern)) = each(patterns) {
        let (mut differences, mut entries) = (Vec::new(), Vec::new());
        for (index, value) in values.iter().enumerate() {
            let mut entry = captures.clone();
            entry.keep("n", &(index + 1).to_string());
            let at = format!("{path}[{index}]");
            differences.extend(compare(pattern, Some(value), &at, &mut entry));
            entries.push(entry);
        }
        captures.keep_list(name, entries);
        return differences;
    }
    let (patterns, has_more) = match patterns {
        [first @ .., Json::Text(last)] if last == MORE => (first, true),
        all => (all, false),
    };
    let mut differences = Vec::new();
    if values.len() > patterns.len() && !has_more {
        differences.push(format!("{path} has {} entries, not {}", values.len(), patterns.len()));
    }
    for (index, pattern) in patterns.iter().enumerate() {
        let at = format!("{path}[{index}]");
        differences.extend(compare(pattern, values.get(index), &at, captures));
    }
    differences
}

/// A list that stands for one of any length, by its name and the shape of each entry.
fn each(list: &[Json]) -> Option<(&str, &Json)> {
    let [Json::Text(head), entry] = list else { return None };
    Some((head.strip_prefix("{each ")?.strip_suffix('}')?, entry))
}

/// The JSON with its places filled in.
pub fn filled(json: &Json, captures: &Captures) -> Result<Json, Unkept> {
    Ok(match json {
        Json::Text(text) => Json::Text(fill(text, captures)?),
        Json::List(list) => match each(list) {
            Some((name, entry)) => {
                let entries = captures.list(name).ok_or_else(|| Unkept(name.to_owned()))?;
                let inside = |kept: &Captures| filled(entry, &kept.within(captures));
                Json::List(entries.iter().map(inside).collect::<Result<_, _>>()?)
            }
            None => {
                Json::List(list.iter().map(|it| filled(it, captures)).collect::<Result<_, _>>()?)
            }
        },
        Json::Object(members) => {
            let member = |(name, value): &(_, Json)| {
                filled(value, captures).map(|value| (Clone::clone(name), value))
            };
            Json::Object(members.iter().map(member).collect::<Result<_, _>>()?)
        }
        other => other.clone(),
    })
}

/// Every text of a value.
pub fn texts(json: &Json) -> Vec<&str> {
    match json {
        Json::Text(text) => vec![text],
        Json::List(list) => list.iter().flat_map(texts).collect(),
        Json::Object(members) => members.iter().flat_map(|(_, value)| texts(value)).collect(),
        _ => Vec::new(),
    }
}
