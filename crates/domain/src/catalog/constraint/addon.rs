//! What the value of an addon looks like, as a check and as JSON Schema.

use super::ValueKind;
use crate::json::Json;
use crate::measure::{Currency, MINOR_MAX};
use crate::patterns::{self, EMAIL_MAX, is_e164, is_email};
use crate::words::Message;

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
            ValueKind::Phone => is_e164(text),
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
        let text = |name: &'static str, rule: Json| {
            Json::object([("type", "string".into()), (name, rule)])
        };
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
    let value = Json::object([
        ("type", "integer".into()),
        ("minimum", 1.into()),
        ("maximum", MINOR_MAX.into()),
    ]);
    let currencies = Json::list(Currency::all().map(|currency| currency.code().into()));
    let currency = Json::object([("type", "string".into()), ("enum", currencies)]);
    Json::object([
        ("type", "object".into()),
        ("additionalProperties", false.into()),
        ("required", Json::list(["value".into(), "currency".into()])),
        ("properties", Json::object([("value", value), ("currency", currency)])),
    ])
}
