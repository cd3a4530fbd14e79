//! Places in an order by dotted path, where `*` stands for every entry of a list; and schemas that
//! say something about such places.

use crate::json::Json;

/// A place with its own path, and what is there. Null is nothing.
pub type JsonLocation<'a> = (String, Option<&'a Json>);

/// The party that may still be the team's own: nothing is asked of it before it is known.
const MERCHANT: &str = "parties.merchant";

/// Every place that the path stands for. Below a missing object there is one missing place; below
/// a missing list there is none.
pub fn places<'a>(order: &'a Json, path: &str) -> Vec<JsonLocation<'a>> {
    let mut found = vec![(String::new(), Some(order))];
    for step in path.split('.') {
        found = found.into_iter().flat_map(|place| below(place, step)).collect();
    }
    found
}

fn below<'a>((path, value): JsonLocation<'a>, step: &str) -> Vec<JsonLocation<'a>> {
    let at = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    if step != "*" {
        let value = value.and_then(|value| value.member(step)).filter(|v| **v != Json::Null);
        return vec![(at(step), value)];
    }
    let Some(Json::List(entries)) = value else { return Vec::new() };
    let entry = |(index, entry): (usize, &'a Json)| {
        (at(&index.to_string()), Some(entry).filter(|entry| **entry != Json::Null))
    };
    entries.iter().enumerate().map(entry).collect()
}

/// The places of a path that have text.
pub fn texts<'a>(order: &'a Json, path: &str) -> Vec<(String, &'a str)> {
    let text = |(path, value): JsonLocation<'a>| match value {
        Some(Json::Text(text)) => Some((path, text.as_str())),
        _ => None,
    };
    places(order, path).into_iter().filter_map(text).collect()
}

/// The text at one place.
pub fn text<'a>(order: &'a Json, path: &str) -> Option<&'a str> {
    texts(order, path).into_iter().next().map(|(_, text)| text)
}

/// The places that must not be missing. Nothing is missing of a merchant that is not yet known.
pub fn needed<'a>(order: &'a Json, path: &str) -> Vec<JsonLocation<'a>> {
    let is_merchant = path.starts_with(MERCHANT) && path.len() > MERCHANT.len();
    if is_merchant && places(order, MERCHANT).iter().all(|(_, value)| value.is_none()) {
        return Vec::new();
    }
    places(order, path)
}

/// A schema that holds `inner` against every place that is there.
pub fn schema_at(path: &str, inner: Json) -> Json {
    path.rsplit('.').filter(|step| !step.is_empty()).fold(inner, |inner, step| match step {
        "*" => Json::object([("items", inner)]),
        name => Json::object([("properties", Json::object([(name.to_owned(), inner)]))]),
    })
}

/// A schema that wants every place to be there, and holds `inner` against it. What is before the
/// last `*` may be missing, as in `places`.
pub fn schema_needing(path: &str, inner: Json) -> Json {
    if let Some((list, rest)) = path.rsplit_once("*.") {
        return schema_at(&format!("{list}*"), all_of_them(rest, inner));
    }
    if let Some(rest) = path.strip_prefix(MERCHANT).and_then(|rest| rest.strip_prefix('.')) {
        let is_known = Json::object([("type", "object".into())]);
        let inner = Json::object([("if", is_known), ("then", all_of_them(rest, inner))]);
        return schema_at(MERCHANT, inner);
    }
    all_of_them(path, inner)
}

/// A schema that is satisfied when the place is there and `inner` holds: a condition.
pub fn present(path: &str, inner: Json) -> Json {
    all_of_them(path, inner)
}

fn all_of_them(path: &str, inner: Json) -> Json {
    path.rsplit('.').fold(inner, |inner, name| {
        Json::object([
            ("type", "object".into()),
            ("required", Json::list([name.into()])),
            ("properties", Json::object([(name.to_owned(), inner)])),
        ])
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::parse;

    #[test]
    fn a_star_is_every_entry_and_a_missing_object_is_one_missing_place() {
        let order = parse(br#"{"a":[{"b":"x"},{"b":null}],"c":null}"#).unwrap();
        let found = places(&order, "a.*.b");
        assert_eq!(found[0], ("a.0.b".to_owned(), Some(&Json::text("x"))));
        assert_eq!(found[1], ("a.1.b".to_owned(), None));
        assert_eq!(places(&order, "c.d"), [("c.d".to_owned(), None)]);
        assert_eq!(places(&order, "c.d.*.e"), []);
    }

    #[test]
    fn a_merchant_that_is_not_known_lacks_nothing() {
        let order = parse(br#"{"parties":{"merchant":null}}"#).unwrap();
        assert_eq!(needed(&order, "parties.merchant.contact.phone"), []);
        assert_eq!(needed(&order, "parties.merchant").len(), 1);
    }
}
