//! A request held against an exchange.

use std::collections::BTreeMap;

use bytes::Bytes;
use hyper::Method;
use hyper::header::HeaderMap;
use waybill_domain::json::parse_within;

use crate::file::{Exchange, Wants};
use crate::json;
use crate::pattern::{ABSENT, Captures, fits};

/// The largest request that is read as JSON, in values.
const VALUES_MAX: usize = 1_000_000;

/// A request as it came.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The method.
    pub method: Method,
    /// The path, as it was written.
    pub path: String,
    /// The query, decoded.
    pub query: Vec<(String, String)>,
    /// The headers.
    pub headers: HeaderMap,
    /// The body.
    pub body: Bytes,
}

/// What is different about a request, and what was kept of it.
pub struct Comparison {
    /// What was kept.
    pub captures: Captures,
    /// What is different.
    pub differences: Vec<String>,
    /// Whether method and path are those of the exchange.
    pub is_place: bool,
}

/// Holds a request against an exchange.
pub fn compare(exchange: &Exchange, asked: &Asked) -> Comparison {
    let (mut captures, mut differences) = (Captures::default(), Vec::new());
    if exchange.method.as_deref().is_some_and(|method| method != asked.method.as_str()) {
        differences.push(format!("the method is {}", asked.method));
    }
    let path = exchange.path.as_deref();
    if path.is_some_and(|path| !fits(path, &asked.path, &mut captures)) {
        differences.push(format!("the path is {}", asked.path));
    }
    let is_place = differences.is_empty();
    let header = |name: &str| {
        let values: Vec<&str> =
            asked.headers.get_all(name).iter().filter_map(|it| it.to_str().ok()).collect();
        (!values.is_empty()).then(|| values.join(", "))
    };
    let parameter = |pairs: &[(String, String)], name: &str| {
        pairs.iter().find(|(key, _)| key == name).map(|(_, value)| value.clone())
    };
    for (name, pattern) in &exchange.headers {
        let what = format!("the header {name}");
        let different = text(&what, pattern, header(name).as_deref(), &mut captures);
        // Credentials are not repeated.
        let is_secret = name.eq_ignore_ascii_case("authorization");
        differences.extend(different.map(|words| match is_secret {
            true => format!("{what} is missing or another one"),
            false => words,
        }));
    }
    differences.extend(table("the parameter", &exchange.query, &mut captures, |name| {
        parameter(&asked.query, name)
    }));
    match &exchange.wants {
        Wants::Anything => {}
        Wants::Json(wanted) => match parse_within(&asked.body, VALUES_MAX) {
            Ok(body) => {
                differences.extend(json::compare(wanted, Some(&body), "body", &mut captures));
            }
            Err(_) => differences.push("the body is not JSON".to_owned()),
        },
        Wants::Form(wanted) => {
            let form: Vec<(String, String)> =
                form_urlencoded::parse(&asked.body).into_owned().collect();
            differences
                .extend(table("the field", wanted, &mut captures, |name| parameter(&form, name)));
        }
        Wants::Text(wanted) => {
            let body = String::from_utf8_lossy(&asked.body);
            differences.extend(text("the body", wanted, Some(&body), &mut captures));
        }
    }
    Comparison { captures, differences, is_place }
}

fn table(
    what: &str,
    patterns: &BTreeMap<String, String>,
    captures: &mut Captures,
    value: impl Fn(&str) -> Option<String>,
) -> Vec<String> {
    let compared = patterns.iter().filter_map(|(name, pattern)| {
        text(&format!("{what} {name}"), pattern, value(name).as_deref(), captures)
    });
    compared.collect()
}

fn text(what: &str, pattern: &str, value: Option<&str>, captures: &mut Captures) -> Option<String> {
    match value {
        None if pattern == ABSENT => None,
        None => Some(format!("{what} is missing")),
        Some(value) if pattern == ABSENT => Some(format!("{what} is there: \"{value}\"")),
        Some(value) if fits(pattern, value, captures) => None,
        Some(value) => Some(format!("{what} is \"{value}\" and not \"{pattern}\"")),
    }
}
