//! Texts as GLS takes them: without the characters that its systems stumble over.

use waybill_domain::fields::FieldErrors;
use waybill_domain::json::Json;
use waybill_domain::words::Message;

use crate::members::says_something;

/// Characters that GLS's systems stumble over.
const TROUBLE: [char; 11] = ['\\', '"', '{', '}', ',', ';', '(', ')', '|', '\n', '\r'];

/// A text with a space in the place of each of those characters, and nothing around what is left.
pub fn text(text: &str) -> String {
    text.replace(TROUBLE, " ").trim().to_owned()
}

/// Whether GLS is told anything by a text.
pub fn says(told: &str) -> bool {
    !text(told).is_empty()
}

/// Refuses a text that GLS needs, when nothing is left of it.
pub fn check(told: &str, path: String, errors: &mut FieldErrors) {
    if says(told) {
        return;
    }
    let mut others: Vec<char> = told.chars().filter(|c| TROUBLE.contains(c)).collect();
    others.sort_unstable();
    others.dedup();
    let others: Vec<String> = others.iter().map(char::to_string).collect();
    errors.add(
        path,
        match others.is_empty() {
            true => Message::new("blank"),
            false => Message::new("characters-not-accepted").text("characters", others.join(" ")),
        },
    );
}

/// The same of every text of a body; what has nothing left to say is not in it.
pub fn body(json: Json) -> Json {
    match json {
        Json::Text(told) => Json::Text(text(&told)),
        Json::List(list) => Json::list(list.into_iter().map(body).filter(says_something)),
        Json::Object(members) => {
            let members = members.into_iter().map(|(name, value)| (name, body(value)));
            Json::Object(members.filter(|(_, value)| says_something(value)).collect())
        }
        other => other,
    }
}
