//! An exchange as it is written: a request that fits the next time too, and an answer.
//!
//! What is new each time is not part of what a request must be: our own references and days that
//! are close are places. The rest must be the same, and nothing else may be there.

use std::collections::BTreeMap;

use bytes::Bytes;
use hyper::header::{CONTENT_TYPE, HeaderName, LOCATION, RETRY_AFTER};
use waybill_domain::booking::Reference;
use waybill_domain::json::Json;
use waybill_outbound::line::Response as Answered;
use waybill_outbound::{HIDDEN, Secrets};

use super::forward::Asked;
use super::names::{is_secret, is_secret_of_answer};
use super::redact::{Read, query};
use crate::pattern::{ANY, has_places};

/// Headers that say what is meant, beside those that a carrier invented.
const HEADERS: &[&str] = &["accept", "accept-language", "content-type"];
/// Headers of answers that programs act on.
const ANSWER_HEADERS: [HeaderName; 3] = [CONTENT_TYPE, LOCATION, RETRY_AFTER];

/// A request to be.
#[derive(Clone, PartialEq, Debug)]
pub struct Wanted {
    pub method: String,
    pub path: String,
    pub query: BTreeMap<String, String>,
    pub headers: BTreeMap<String, String>,
    pub body: WantedBody,
    /// Our references in it, in the order of their places.
    pub references: Vec<String>,
}

#[derive(Clone, PartialEq, Debug)]
pub enum WantedBody {
    Anything,
    Json(Json),
    Form(BTreeMap<String, String>),
    Text(String),
}

/// An answer to be.
#[derive(Clone, PartialEq, Debug)]
pub struct Told {
    pub status: u16,
    pub headers: BTreeMap<String, String>,
    pub body: ToldBody,
}

#[derive(Clone, PartialEq, Debug)]
pub enum ToldBody {
    Nothing,
    Json(Json),
    Text(String),
    /// As they are, in which no place is filled in.
    Bytes(Bytes),
}

/// How texts are written.
pub struct Pen<'a> {
    pub secrets: &'a Secrets,
    pub our_url: &'a str,
    /// This month, and its neighbours when they are close: `2026-11`.
    pub months: &'a [String],
    /// Our references that were named before.
    pub named: &'a [String],
}

impl Pen<'_> {
    /// What a request must be.
    pub fn wanted(&self, asked: &Asked) -> Wanted {
        let mut references = Vec::new();
        let path = self.secrets.hide(asked.uri.path()).replace(HIDDEN, "{secret}");
        let path = self.with_places(&path, &mut references);
        let query = self.pairs(query(asked), &mut references);
        let mut headers = BTreeMap::new();
        for (name, value) in &asked.headers {
            let name = name.as_str();
            let is_told = HEADERS.contains(&name) || name.starts_with("x-");
            let value = value.to_str().unwrap_or(ANY);
            if is_secret(name) {
                headers.insert(name.to_owned(), ANY.to_owned());
            } else if is_told {
                headers.insert(name.to_owned(), self.pattern(value, &mut references));
            }
        }
        let body = match Read::asked(asked) {
            Read::Json(json) => WantedBody::Json(self.wanted_json(&json, &mut references)),
            Read::Form(pairs) => WantedBody::Form(self.pairs(pairs, &mut references)),
            Read::Text(text) => WantedBody::Text(self.pattern(&text, &mut references)),
            Read::Nothing | Read::Bytes => WantedBody::Anything,
        };
        Wanted { method: asked.method.to_string(), path, query, headers, body, references }
    }

    /// Of parameters with the same name the first counts.
    fn pairs(
        &self,
        pairs: Vec<(String, String)>,
        references: &mut Vec<String>,
    ) -> BTreeMap<String, String> {
        let mut all = BTreeMap::new();
        for (name, value) in pairs {
            let value = match is_secret(&name) {
                true => ANY.to_owned(),
                false => self.pattern(&value, references),
            };
            all.entry(name).or_insert(value);
        }
        all
    }

    fn wanted_json(&self, json: &Json, references: &mut Vec<String>) -> Json {
        match json {
            Json::Text(text) => Json::Text(self.pattern(text, references)),
            Json::List(list) => {
                Json::list(list.iter().map(|value| self.wanted_json(value, references)))
            }
            Json::Object(members) => {
                let only = ("{only}".into(), Json::Bool(true));
                let member = |(name, value): &(_, Json)| {
                    let name: &std::borrow::Cow<'static, str> = name;
                    let value = match is_secret(name) {
                        true => ANY.into(),
                        false => self.wanted_json(value, references),
                    };
                    (name.clone(), value)
                };
                Json::Object([only].into_iter().chain(members.iter().map(member)).collect())
            }
            other => other.clone(),
        }
    }

    /// What a text must be the next time.
    fn pattern(&self, text: &str, references: &mut Vec<String>) -> String {
        let is_open = has_places(text) || self.is_close(text) || self.secrets.hide(text) != text;
        if is_open { ANY.to_owned() } else { self.with_places(text, references) }
    }

    /// The text with a place for each of our references, also where it is a part of a number that
    /// the carrier made of it.
    fn with_places(&self, text: &str, references: &mut Vec<String>) -> String {
        let named = self.named.iter().filter(|reference| text.contains(reference.as_str()));
        for reference in named.cloned().chain(our_references(text)) {
            if !references.contains(&reference) {
                references.push(reference);
            }
        }
        places(text, references)
    }

    /// Whether a text is a day, or a moment of a day, of these weeks.
    fn is_close(&self, text: &str) -> bool {
        let is_shaped = text.get(..10).is_some_and(|day| {
            day.bytes().enumerate().all(|(place, byte)| match place {
                4 | 7 => byte == b'-',
                _ => byte.is_ascii_digit(),
            })
        });
        let is_day = text.len() == 10 || text.get(10..11).is_some_and(|next| next == "T");
        is_shaped && is_day && self.months.iter().any(|month| text.starts_with(month.as_str()))
    }

    /// What is answered. A text that would be taken for a place is written as bytes.
    pub fn told(&self, answered: &Answered, known: &[String]) -> Told {
        let mut headers = BTreeMap::new();
        for name in &ANSWER_HEADERS {
            let value = answered.headers.get(name).and_then(|value| value.to_str().ok());
            let value = value.and_then(|value| self.filled(value, known));
            headers.extend(value.map(|value| (name.to_string(), value)));
        }
        let body = match Read::body(&answered.body) {
            Read::Nothing => ToldBody::Nothing,
            Read::Json(json) => {
                let hidden = self.hidden(&json);
                match self.told_json(&hidden, known) {
                    Some(json) => ToldBody::Json(json),
                    None => ToldBody::Bytes(hidden.to_string().into()),
                }
            }
            Read::Text(text) => match self.filled(&text, known) {
                Some(text) => ToldBody::Text(text),
                None => ToldBody::Bytes(self.secrets.hide(&text).into()),
            },
            Read::Form(_) | Read::Bytes => {
                let mut bytes = answered.body.to_vec();
                self.secrets.blot(&mut bytes);
                ToldBody::Bytes(bytes.into())
            }
        };
        Told { status: answered.status.as_u16(), headers, body }
    }

    fn hidden(&self, json: &Json) -> Json {
        match json {
            Json::Text(text) => Json::Text(self.secrets.hide(text)),
            Json::List(list) => Json::list(list.iter().map(|value| self.hidden(value))),
            Json::Object(members) => {
                let member = |(name, value): &(std::borrow::Cow<'static, str>, Json)| {
                    let is_text = matches!(value, Json::Text(_) | Json::Number(_));
                    let value = match is_secret_of_answer(name) && is_text {
                        true => HIDDEN.into(),
                        false => self.hidden(value),
                    };
                    (name.clone(), value)
                };
                Json::Object(members.iter().map(member).collect())
            }
            other => other.clone(),
        }
    }

    fn told_json(&self, json: &Json, known: &[String]) -> Option<Json> {
        Some(match json {
            Json::Text(text) => Json::Text(self.filled(text, known)?),
            Json::List(list) => {
                let told = list.iter().map(|value| self.told_json(value, known));
                Json::List(told.collect::<Option<_>>()?)
            }
            Json::Object(members) => {
                let member = |(name, value): &(std::borrow::Cow<'static, str>, Json)| {
                    Some((name.clone(), self.told_json(value, known)?))
                };
                Json::Object(members.iter().map(member).collect::<Option<_>>()?)
            }
            other => other.clone(),
        })
    }

    /// A text of an answer, with places for our address and for references that are known then.
    fn filled(&self, text: &str, known: &[String]) -> Option<String> {
        let text = self.secrets.hide(text);
        if has_places(&text) {
            return None;
        }
        let text = text.replace(self.our_url, "{url}");
        Some(places(&text, known))
    }
}

/// What looks like a reference of ours in a text.
fn our_references(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric());
    words.filter(|word| Reference::is_like(word)).map(str::to_owned)
}

/// The text with places for these references.
fn places(text: &str, references: &[String]) -> String {
    let all = references.iter().enumerate();
    all.fold(text.to_owned(), |text, (place, reference)| match place {
        0 => text.replace(reference, "{reference}"),
        _ => text.replace(reference, &format!("{{reference_{}}}", place + 1)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: &str = "1D6X5Y3K0AZZZZZZZZZZ";
    const OTHER: &str = "1D6X5Y3K0BZZZZZZZZZZ";

    fn pen<'a>(secrets: &'a Secrets, months: &'a [String]) -> Pen<'a> {
        Pen { secrets, our_url: "http://127.0.0.1:9002", months, named: &[] }
    }

    #[test]
    fn what_is_new_each_time_is_a_place() {
        let (secrets, months) = (Secrets::default(), ["2026-11".to_owned()]);
        let pen = pen(&secrets, &months);
        let mut found = Vec::new();
        for (text, pattern) in [
            (format!("P-{ONE}-1"), "P-{reference}-1"),
            (format!("{OTHER} and {ONE}"), "{reference_2} and {reference}"),
            ("2026-11-19".to_owned(), ANY),
            ("2026-11-19T10:00:00Z".to_owned(), ANY),
            ("1976-11-19".to_owned(), "1976-11-19"),
            ("2026-11-199".to_owned(), "2026-11-199"),
            ("a {name} b".to_owned(), ANY),
            ("00370724750000000019".to_owned(), "00370724750000000019"),
        ] {
            assert_eq!(pen.pattern(&text, &mut found), pattern, "{text}");
        }
        assert_eq!(found, [ONE, OTHER]);
    }

    #[test]
    fn an_answer_has_places_for_what_is_known_then() {
        let (secrets, months) = (Secrets::default(), []);
        let pen = pen(&secrets, &months);
        let known = [ONE.to_owned()];
        let told = format!("http://127.0.0.1:9002/{ONE}.pdf of {OTHER}");
        let filled = format!("{{url}}/{{reference}}.pdf of {OTHER}");
        assert_eq!(pen.filled(&told, &known), Some(filled));
        assert_eq!(pen.filled("{name}", &known), None);
        assert_eq!(our_references(&told).collect::<Vec<_>>(), [ONE, OTHER]);
        let pen = Pen { named: &known, ..pen };
        let mut found = Vec::new();
        assert_eq!(pen.pattern(&format!("T1{ONE}"), &mut found), "T1{reference}");
    }
}
