//! What the value of an addon looks like, as a check and as JSON Schema.

use super::ValueKind;
use crate::fields::one_of;
use crate::json::Json;
use crate::measure::MINOR_MAX;
use crate::patterns::{self, EMAIL_MAX, is_e164, is_email};
use crate::words::Message;

impl ValueKind {
    /// What is wrong with a value, and below which member of it.
    pub fn problem(&self, value: Option<&Json>) -> Option<(&'static str, Message)> {
        let here = |key| Some(("", Message::new(key)));
        match (self, value) {
            (ValueKind::None | ValueKind::Text(_), None) => None,
            (ValueKind::None, Some(_)) => here("addon-without-value"),
            (_, None) => here("required"),
            (ValueKind::Money, Some(Json::Object(_))) => money_problem(value),
            (ValueKind::Money, Some(_)) => here("not-an-amount"),
            (kind, Some(Json::Text(text))) => kind.text_problem(text).map(|problem| ("", problem)),
            (_, Some(_)) => here("not-text"),
        }
    }

    fn text_problem(&self, text: &str) -> Option<Message> {
        let length = text.chars().count();
        match self {
            ValueKind::Phone if !is_e164(text) => Some(Message::new("not-a-phone")),
            ValueKind::Email if !is_email(text) => Some(Message::new("not-an-email")),
            ValueKind::Age(ages) => {
                let choices: Vec<String> = ages.iter().map(u8::to_string).collect();
                let choices: Vec<&str> = choices.iter().map(String::as_str).collect();
                (!choices.contains(&text)).then(|| one_of(&choices))
            }
            ValueKind::Text(max) if length > *max => {
                Some(Message::new("too-long").count("max", i64::try_from(*max).unwrap_or(i64::MAX)))
            }
            _ => None,
        }
    }

    /// The schema of a value; nothing when there is to be none.
    pub fn schema(&self) -> Option<Json> {
        let text = |name: &str, rule: Json| Json::object([("type", "string".into()), (name, rule)]);
        let count = |max: usize| Json::from(i64::try_from(max).unwrap_or(i64::MAX));
        Some(match self {
            ValueKind::None => return None,
            ValueKind::Phone => text("pattern", patterns::e164().into()),
            ValueKind::Email => Json::object([
                ("type", "string".into()),
                ("maxLength", count(EMAIL_MAX)),
                ("pattern", patterns::email().into()),
            ]),
            ValueKind::Age(ages) => text("enum", Json::list(ages.iter().map(Json::text))),
            ValueKind::Money => money_schema(),
            ValueKind::Text(max) => Json::object([
                ("type", Json::list(["string".into(), "null".into()])),
                ("maxLength", count(*max)),
                ("pattern", patterns::printable().into()),
            ]),
        })
    }

    /// Whether the addon means nothing without a value.
    pub fn is_needed(&self) -> bool {
        !matches!(self, ValueKind::None | ValueKind::Text(_))
    }
}

fn money_problem(value: Option<&Json>) -> Option<(&'static str, Message)> {
    let Some(Json::Number(amount)) = value.and_then(|money| money.member("value")) else {
        return Some((".value", Message::new("required")));
    };
    let is_positive = amount.as_integer().is_some_and(|minor| minor > 0);
    (!is_positive).then(|| (".value", Message::new("not-positive")))
}

fn money_schema() -> Json {
    let value = Json::object([
        ("type", "integer".into()),
        ("minimum", 1.into()),
        ("maximum", MINOR_MAX.into()),
    ]);
    let currency = Json::object([("type", "string".into()), ("pattern", "^[A-Z]{3}$".into())]);
    Json::object([
        ("type", "object".into()),
        ("additionalProperties", false.into()),
        ("required", Json::list(["value".into(), "currency".into()])),
        ("properties", Json::object([("value", value), ("currency", currency)])),
    ])
}
