//! What of a conversation lets somebody in, found out by names.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hyper::header::CONTENT_TYPE;
use waybill_domain::json::{Json, parse_within};
use waybill_outbound::Secrets;
use waybill_outbound::line::Response as Answered;

use super::forward::Asked;
use super::names::{is_secret, is_secret_of_answer};
use crate::file::VALUES_MAX;

/// A name of a user may be an ordinary word; a longer one is more than that.
const USER_MIN: usize = 8;

/// A body, as far as we read it.
pub enum Read {
    Nothing,
    Json(Json),
    Form(Vec<(String, String)>),
    Text(String),
    Bytes,
}

impl Read {
    /// The body of a request.
    pub fn asked(asked: &Asked) -> Read {
        let kind = asked.headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
        let is_form = kind.is_some_and(|it| it.starts_with("application/x-www-form-urlencoded"));
        match is_form {
            true => Read::Form(form_urlencoded::parse(&asked.body).into_owned().collect()),
            false => Read::body(&asked.body),
        }
    }

    /// The body of an answer.
    pub fn body(body: &[u8]) -> Read {
        if body.is_empty() {
            return Read::Nothing;
        }
        match (parse_within(body, VALUES_MAX), std::str::from_utf8(body)) {
            (Ok(json), _) => Read::Json(json),
            (Err(_), Ok(text)) => Read::Text(text.to_owned()),
            (Err(_), Err(_)) => Read::Bytes,
        }
    }
}

/// The query of a request, decoded.
pub fn query(asked: &Asked) -> Vec<(String, String)> {
    let query = asked.uri.query().unwrap_or_default();
    form_urlencoded::parse(query.as_bytes()).into_owned().collect()
}

/// Learns what is secret in an exchange.
pub fn learn(secrets: &mut Secrets, asked: &Asked, answered: &Answered) {
    for (name, value) in &asked.headers {
        if let (true, Ok(value)) = (is_secret(name.as_str()), value.to_str()) {
            learn_header(secrets, value);
        }
    }
    let learn_pairs = |secrets: &mut Secrets, pairs: &[(String, String)]| {
        let found = pairs.iter().filter(|(name, _)| is_secret(name));
        found.for_each(|(_, value)| secrets.learn(value));
    };
    learn_pairs(secrets, &query(asked));
    match Read::asked(asked) {
        Read::Json(json) => learn_json(secrets, &json, is_secret, false),
        Read::Form(pairs) => learn_pairs(secrets, &pairs),
        Read::Text(_) | Read::Nothing | Read::Bytes => {}
    }
    match Read::body(&answered.body) {
        Read::Json(json) => learn_json(secrets, &json, is_secret_of_answer, false),
        Read::Text(text) => learn_links(secrets, &text),
        Read::Form(_) | Read::Nothing | Read::Bytes => {}
    }
    for (_, value) in &answered.headers {
        learn_links(secrets, value.to_str().unwrap_or_default());
    }
}

/// `Basic …`, `Bearer …`, or a key alone.
fn learn_header(secrets: &mut Secrets, value: &str) {
    secrets.learn(value);
    let Some((_, rest)) = value.split_once(' ') else { return };
    secrets.learn(rest);
    let decoded = STANDARD.decode(rest).ok().and_then(|it| String::from_utf8(it).ok());
    if let Some((user, password)) = decoded.as_deref().and_then(|pair| pair.split_once(':')) {
        secrets.learn(password);
        if user.len() >= USER_MIN {
            secrets.learn(user);
        }
    }
}

fn learn_json(secrets: &mut Secrets, json: &Json, is_named: fn(&str) -> bool, is_inside: bool) {
    match json {
        Json::Object(members) => members.iter().for_each(|(name, value)| {
            learn_json(secrets, value, is_named, is_inside || is_named(name));
        }),
        Json::List(list) => {
            list.iter().for_each(|value| learn_json(secrets, value, is_named, is_inside));
        }
        Json::Text(text) if is_inside => secrets.learn(text),
        Json::Text(text) => learn_links(secrets, text),
        Json::Number(number) if is_inside => secrets.learn(number.as_str()),
        _ => {}
    }
}

/// The parameters of links that let in whoever has the link.
fn learn_links(secrets: &mut Secrets, text: &str) {
    let links = text.split(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '<' | '>'));
    let queries = links.filter(|link| link.contains("://")).filter_map(|it| it.split_once('?'));
    for (_, query) in queries {
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            if is_secret_of_answer(&name) {
                secrets.learn(&value);
            }
        }
    }
}
