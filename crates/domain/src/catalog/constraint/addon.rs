//! What the value of an addon looks like, as a check and as JSON Schema.

use super::ValueKind;
use crate::json::Json;
use crate::words::Message;

/// E.164, as carriers want it.
const PHONE: &str = r"^\+[1-9][0-9]{6,14}$";
/// The longest address that mail systems take.
const EMAIL_MAX: usize = 254;
/// Spaces, controls and what turns the reading direction: never part of an address. `email_pattern`
/// spells the same ranges.
const NOT_IN_EMAIL: &[(char, char)] = &[
    ('\u{0}', ' '),
    ('\u{7f}', '\u{a0}'),
    ('\u{1680}', '\u{1680}'),
    ('\u{2000}', '\u{200f}'),
    ('\u{2028}', '\u{202f}'),
    ('\u{205f}', '\u{206f}'),
    ('\u{3000}', '\u{3000}'),
    ('\u{feff}', '\u{feff}'),
];
const SIGNS_NOT_IN_EMAIL: &str = "<>(),;:\"@";

impl ValueKind {
    /// What is wrong with a value, and below which member of it. Whatever stands in its place, the
    /// message is the same and says what to write. What is wrong with an amount in general is told
    /// by whoever read it.
    pub fn problem(&self, value: Option<&Json>) -> Option<(&'static str, Message)> {
        match (self, value) {
            (ValueKind::None | ValueKind::Text(_), None) => None,
            (ValueKind::Money, Some(money @ Json::Object(_))) => money_problem(money),
            (kind, Some(Json::Text(text))) if kind.takes(text) => None,
            (kind, _) => Some(("", kind.wanted())),
        }
    }

    /// Whether a text is what the addon needs to know.
    fn takes(&self, text: &str) -> bool {
        match self {
            ValueKind::None | ValueKind::Money => false,
            ValueKind::Phone => is_phone(text),
            ValueKind::Email => is_email(text),
            ValueKind::Age(ages) => ages.iter().any(|age| age.to_string() == text),
            ValueKind::Text(max) => text.chars().count() <= *max,
        }
    }

    /// What to write.
    fn wanted(&self) -> Message {
        match self {
            ValueKind::None => Message::new("addon-without-value"),
            ValueKind::Phone => Message::new("addon-phone"),
            ValueKind::Email => Message::new("addon-email"),
            ValueKind::Age(ages) => {
                let quoted: Vec<String> = ages.iter().map(|age| format!("\"{age}\"")).collect();
                Message::new("addon-age").text("choices", quoted.join(", "))
            }
            ValueKind::Money => Message::new("not-an-amount"),
            ValueKind::Text(max) => {
                Message::new("addon-text").count("max", i64::try_from(*max).unwrap_or(i64::MAX))
            }
        }
    }

    /// The schema of a value; nothing when there is to be none.
    pub fn schema(&self) -> Option<Json> {
        let text = |name: &str, rule: Json| Json::object([("type", "string".into()), (name, rule)]);
        let count = |max: usize| Json::from(i64::try_from(max).unwrap_or(i64::MAX));
        Some(match self {
            ValueKind::None => return None,
            ValueKind::Phone => text("pattern", PHONE.into()),
            ValueKind::Email => Json::object([
                ("type", "string".into()),
                ("maxLength", count(EMAIL_MAX)),
                ("pattern", email_pattern().into()),
            ]),
            ValueKind::Age(ages) => text("enum", Json::list(ages.iter().map(Json::text))),
            ValueKind::Money => money_schema(),
            ValueKind::Text(max) => Json::object([
                ("type", Json::list(["string".into(), "null".into()])),
                ("maxLength", count(*max)),
            ]),
        })
    }

    /// Whether the addon means nothing without a value.
    pub fn is_needed(&self) -> bool {
        !matches!(self, ValueKind::None | ValueKind::Text(_))
    }
}

fn is_phone(text: &str) -> bool {
    let Some(digits) = text.strip_prefix('+') else { return false };
    (7..=15).contains(&digits.len())
        && !digits.starts_with('0')
        && digits.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.split_once('@') else { return false };
    let is_good = |c: char| {
        !SIGNS_NOT_IN_EMAIL.contains(c)
            && !NOT_IN_EMAIL.iter().any(|(first, last)| (*first..=*last).contains(&c))
    };
    let labels: Vec<&str> = domain.split('.').collect();
    text.chars().count() <= EMAIL_MAX
        && !local.is_empty()
        && labels.len() > 1
        && labels.iter().all(|label| !label.is_empty())
        && local.chars().chain(domain.chars()).all(is_good)
}

fn email_pattern() -> String {
    let code = |c: char| format!("\\u{:04x}", u32::from(c));
    let range = |(first, last): &(char, char)| format!("{}-{}", code(*first), code(*last));
    let spaces: String = NOT_IN_EMAIL.iter().map(range).collect();
    let not = format!("{SIGNS_NOT_IN_EMAIL}{spaces}");
    format!("^[^{not}]+@[^.{not}]+(?:\\.[^.{not}]+)+$")
}

fn money_problem(money: &Json) -> Option<(&'static str, Message)> {
    match money.member("value") {
        None | Some(Json::Null) => Some((".value", Message::new("required"))),
        Some(Json::Number(amount)) if amount.as_integer().is_some_and(|minor| minor <= 0) => {
            Some((".value", Message::new("not-positive")))
        }
        Some(_) => None,
    }
}

fn money_schema() -> Json {
    let value = Json::object([("type", "integer".into()), ("minimum", 1.into())]);
    let currency = Json::object([("type", "string".into()), ("pattern", "^[A-Z]{3}$".into())]);
    Json::object([
        ("type", "object".into()),
        ("required", Json::list(["value".into(), "currency".into()])),
        ("properties", Json::object([("value", value), ("currency", currency)])),
    ])
}
