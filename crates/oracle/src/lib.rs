//! The oracle: an answer must have a status, headers and a body that the contract declares.
//!
//! For tests and for runs under load. The program itself does not use it.

mod answer;
mod check;

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use jsonschema::{Draft, Registry, Validator};
use serde_json::Value;

pub use answer::Answer;

/// Where the contract stands among the schemas.
const CONTRACT: &str = "urn:contract";
const METHODS: [&str; 6] = ["get", "put", "post", "patch", "delete", "head"];

/// The contract, ready to check.
pub struct Oracle {
    contract: Value,
    registry: Registry<'static>,
    compiled: Mutex<HashMap<String, Arc<Validator>>>,
}

/// Nothing, or what is wrong in words.
pub type Verdict = Result<(), String>;

/// A place in the contract: its pointer and what stands there.
type JsonLocation<'a> = (String, &'a Value);

/// An operation of the contract.
#[derive(Clone, Debug)]
pub struct Operation<'a> {
    /// In capitals.
    pub method: String,
    /// With names in braces.
    pub path: &'a str,
    /// What the contract says of it.
    pub declared: &'a Value,
}

impl Operation<'_> {
    fn answers(&self, method: &str, path: &str) -> bool {
        let (wanted, given) = (bare(self.path), bare(path));
        let mut pairs = wanted.split('/').zip(given.split('/'));
        let fits = pairs.all(|(wanted, given)| wanted == given || wanted.starts_with('{'));
        let (wanted, given) = (wanted.matches('/').count(), given.matches('/').count());
        // A street takes the rest of a path.
        let is_as_long = wanted == given || (self.path.ends_with("/{street}") && wanted < given);
        self.method == method && is_as_long && fits
    }
}

/// Whether a path is one of the older API, which has its own errors.
fn is_legacy(path: &str) -> bool {
    path.starts_with("/api/v1/") || path.starts_with("/api/v2/")
}

/// A path without a slash at its end, where that does not count.
fn bare(path: &str) -> &str {
    if is_legacy(path) { path.strip_suffix('/').unwrap_or(path) } else { path }
}

impl Oracle {
    /// Reads the contract, which is JSON.
    pub fn new(contract: &str) -> Result<Oracle, Box<dyn std::error::Error + Send + Sync>> {
        let contract: Value = serde_json::from_str(contract)?;
        let registry = Registry::new().draft(Draft::Draft202012);
        let registry = registry.add(CONTRACT, contract.clone())?.prepare()?;
        Ok(Oracle { contract, registry, compiled: Mutex::default() })
    }

    /// Every operation.
    pub fn operations(&self) -> impl Iterator<Item = Operation<'_>> {
        let paths = self.contract["paths"].as_object().into_iter().flatten();
        paths.flat_map(|(path, item)| {
            METHODS.into_iter().filter_map(move |method| {
                let declared = item.get(method)?;
                Some(Operation { method: method.to_uppercase(), path, declared })
            })
        })
    }

    /// Checks the answer to a request. The path may have a query.
    pub fn check(&self, method: &str, path: &str, answer: &Answer) -> Verdict {
        let path = path.split('?').next().unwrap_or_default();
        self.place(method, path, answer.status)
            .and_then(|place| self.check_response(place, answer, method == "HEAD"))
            .map_err(|problem| format!("{method} {path} → {}: {problem}", answer.status))
    }

    /// Checks an answer to bytes that are not a request.
    pub fn check_refusal(&self, answer: &Answer) -> Verdict {
        self.check_response(self.shared("", answer.status), answer, false)
            .map_err(|problem| format!("no request → {}: {problem}", answer.status))
    }

    /// Checks an example of the contract by the schema at this pointer.
    pub fn check_example(&self, schema: &str, example: &Value) -> Verdict {
        self.check_value(schema, example)
    }

    /// Checks what a webhook was sent: its headers, by their names in small letters, and its body.
    pub fn check_webhook(&self, headers: &HashMap<String, String>, body: &Value) -> Verdict {
        let kind = body["type"].as_str().unwrap_or_default();
        self.check_delivery(kind, headers, body)
            .map_err(|problem| format!("webhook {kind:?}: {problem}"))
    }

    /// The response that is declared for a request that was answered with this status.
    fn place(
        &self,
        method: &str,
        path: &str,
        status: u16,
    ) -> Result<Option<JsonLocation<'_>>, String> {
        let found = match self.operation(method, path) {
            None if method == "HEAD" => self.operation("GET", path),
            found => found,
        };
        let is_shared = matches!(status, 405 | 408) || method == "OPTIONS";
        match found.filter(|_| !is_shared) {
            None => Ok(self.shared(path, status)),
            Some(operation) => {
                let (path, method) = (escape(operation.path), operation.method.to_lowercase());
                let pointer = format!("/paths/{path}/{method}/responses/{status}");
                self.follow(pointer)
                    .map(Some)
                    .ok_or_else(|| "the contract declares no such status".to_owned())
            }
        }
    }

    /// The operation that answers: `/tracking/events` before `/tracking/{tracking}`.
    fn operation(&self, method: &str, path: &str) -> Option<Operation<'_>> {
        let fitting = self.operations().filter(|operation| operation.answers(method, path));
        fitting.min_by_key(|operation| operation.path.matches('{').count())
    }

    /// The response that any request may meet with this status, whether or not it has an operation.
    fn shared(&self, path: &str, status: u16) -> Option<JsonLocation<'_>> {
        let name = match status {
            ..=399 => return None,
            401 => "Unauthorized",
            403 => "Forbidden",
            404 => "NotFound",
            405 => "MethodNotAllowed",
            429 => "TooManyRequests",
            503 => "Unavailable",
            _ => "BadRequest",
        };
        let older = if is_legacy(path) { "Legacy" } else { "" };
        self.follow(format!("/components/responses/{older}{name}"))
    }

    /// What stands at a pointer, behind references.
    fn follow(&self, pointer: String) -> Option<JsonLocation<'_>> {
        let value = self.contract.pointer(&pointer)?;
        match value["$ref"].as_str() {
            Some(reference) => self.follow(reference.trim_start_matches('#').to_owned()),
            None => Some((pointer, value)),
        }
    }
}

/// A name as a part of a pointer.
fn escape(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}
