//! Members of JSON bodies, as adapters write and read them.

use waybill_domain::json::{Json, MemberName, parse, parse_within};
use waybill_outbound::line::Response;

/// So many values a list of service points may have.
const LONG_VALUES_MAX: usize = 4_000_000;

/// The body of an answer, when it is JSON; null when it is not, which has no members at all.
pub fn body(response: &Response) -> Json {
    parse(&response.body).unwrap_or(Json::Null)
}

/// The same of a list of service points, which is longer than anything else.
pub fn long_body(response: &Response) -> Json {
    parse_within(&response.body, LONG_VALUES_MAX).unwrap_or(Json::Null)
}

/// An object without the members that have nothing to say: no value, no text, no entries.
pub fn object<K: Into<MemberName>, const N: usize>(members: [(K, Json); N]) -> Json {
    let members = members.into_iter().map(|(name, value)| (name.into(), value));
    Json::Object(members.filter(|(_, value)| says_something(value)).collect())
}

/// Whether a value says anything: it is there, and neither an empty text nor without entries.
pub fn says_something(value: &Json) -> bool {
    match value {
        Json::Null => false,
        Json::Text(text) => !text.is_empty(),
        Json::List(entries) => !entries.is_empty(),
        Json::Object(members) => !members.is_empty(),
        Json::Bool(_) | Json::Number(_) | Json::Written(_) => true,
    }
}

/// The text of a member, when it has one that says something.
pub fn text<'a>(body: &'a Json, name: &str) -> Option<&'a str> {
    body.member_text(name).filter(|text| !text.trim().is_empty())
}

/// The same of a member that some write as a number.
pub fn text_or_number(body: &Json, name: &str) -> Option<String> {
    match body.member(name) {
        Some(Json::Number(number)) => Some(number.to_string()),
        _ => text(body, name).map(str::to_owned),
    }
}

/// The entries of a member; none when it is not an array.
pub fn list<'a>(body: &'a Json, name: &str) -> &'a [Json] {
    match body.member(name) {
        Some(Json::List(entries)) => entries,
        _ => &[],
    }
}

/// What stands at the end of these names, one within the other.
pub fn within<'a>(body: &'a Json, names: &[&str]) -> Option<&'a Json> {
    names.iter().try_fold(body, |at, name| at.member(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_nothing_to_say_is_left_out_and_no_or_zero_says_something() {
        let written = object([
            ("none", Json::Null),
            ("empty", "".into()),
            ("list", Json::list([])),
            ("object", object([("none", Json::Null)])),
            ("no", false.into()),
            ("zero", 0.into()),
        ]);
        assert_eq!(written.to_string(), r#"{"no":false,"zero":0}"#);
    }

    #[test]
    fn a_number_may_be_written_as_text() {
        let body = parse(br#"{"a":117,"b":"117","c":" ","d":{"e":[1,2]}}"#).unwrap();
        assert_eq!(text_or_number(&body, "a").as_deref(), Some("117"));
        assert_eq!(text_or_number(&body, "b").as_deref(), Some("117"));
        assert_eq!(text_or_number(&body, "c"), None);
        assert_eq!((text(&body, "a"), text(&body, "c")), (None, None));
        assert_eq!(list(within(&body, &["d"]).unwrap(), "e").len(), 2);
        assert_eq!(within(&body, &["d", "e", "f"]), None);
    }
}
