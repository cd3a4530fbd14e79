//! One answer against one declared response.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError};

use jsonschema::{Draft, Validator};
use serde_json::{Value, json};

use super::{Answer, CONTRACT, JsonLocation, Oracle, Verdict, escape};

/// Headers that every answer has, declared or not.
const ALWAYS: [&str; 2] = ["request-id", "server-timing"];
/// Headers that belong to HTTP, to CORS or to browsers, and need no declaration.
const COMMON: [&str; 13] = [
    "access-control-allow-origin",
    "access-control-expose-headers",
    "connection",
    "content-length",
    "content-security-policy",
    "content-type",
    "cross-origin-opener-policy",
    "cross-origin-resource-policy",
    "date",
    "referrer-policy",
    "vary",
    "x-content-type-options",
    "x-frame-options",
];

impl Oracle {
    /// Checks an answer by the response that is declared for it, if one is.
    pub(super) fn check_response(
        &self,
        declared: Option<JsonLocation<'_>>,
        answer: &Answer,
        is_head: bool,
    ) -> Verdict {
        if let Some(name) = ALWAYS.iter().find(|name| answer.header(name).is_none()) {
            return Err(format!("no {name}"));
        }
        let Some((pointer, response)) = declared else { return Ok(()) };
        self.check_headers(&pointer, response, answer)?;
        let is_bodiless = is_head || response["content"].is_null();
        match (is_bodiless, answer.bytes.is_empty()) {
            (true, true) => Ok(()),
            (true, false) => Err("a body where none is declared".to_owned()),
            (false, _) => self.check_body(&pointer, response, answer),
        }
    }

    /// Checks a delivery by the webhook that is declared for its kind.
    pub(super) fn check_delivery(
        &self,
        kind: &str,
        headers: &HashMap<String, String>,
        body: &Value,
    ) -> Verdict {
        let declared = self.follow(format!("/webhooks/{}/post", escape(kind)));
        let (pointer, webhook) = declared.ok_or("the contract declares no such webhook")?;
        for index in 0..webhook["parameters"].as_array().map_or(0, Vec::len) {
            let parameter = self.follow(format!("{pointer}/parameters/{index}"));
            let (pointer, parameter) = parameter.ok_or("a parameter leads nowhere")?;
            let name = parameter["name"].as_str().unwrap_or_default();
            let text = headers.get(name).ok_or_else(|| format!("no {name}"))?;
            self.check_value(&format!("{pointer}/schema"), &read(text, parameter))
                .map_err(|problem| format!("{name}: {problem}"))?;
        }
        self.check_value(&format!("{pointer}/requestBody/content/application~1json/schema"), body)
    }

    fn check_headers(&self, pointer: &str, response: &Value, answer: &Answer) -> Verdict {
        let declared = response["headers"].as_object();
        for name in declared.into_iter().flat_map(|headers| headers.keys()) {
            let header = self.follow(format!("{pointer}/headers/{name}"));
            let (pointer, header) = header.ok_or_else(|| format!("{name} leads nowhere"))?;
            match answer.header(name) {
                None if header["required"] == json!(true) => return Err(format!("no {name}")),
                None => {}
                Some(text) => self
                    .check_value(&format!("{pointer}/schema"), &read(text, header))
                    .map_err(|problem| format!("{name}: {problem}"))?,
            }
        }
        let is_known = |name: &str| {
            let mut known = declared.into_iter().flat_map(|headers| headers.keys());
            ALWAYS.contains(&name)
                || COMMON.contains(&name)
                || known.any(|known| known.eq_ignore_ascii_case(name))
        };
        for (name, value) in &answer.headers {
            if !is_known(name.as_str()) {
                return Err(format!("the contract declares no header {name}"));
            }
            value.to_str().map_err(|_| format!("{name} is not text"))?;
        }
        Ok(())
    }

    fn check_body(&self, pointer: &str, response: &Value, answer: &Answer) -> Verdict {
        let media = answer.media();
        if response["content"][media].is_null() {
            return Err(format!("the contract declares no \"{media}\""));
        }
        if media != "application/json" {
            return Ok(());
        }
        let body = answer.value().ok_or("the body is not JSON")?;
        self.check_value(&format!("{pointer}/content/{}/schema", escape(media)), &body)
    }

    /// Checks a value by the schema at this place.
    pub(super) fn check_value(&self, pointer: &str, value: &Value) -> Verdict {
        let validator = self.validator(pointer)?;
        let errors: Vec<String> = validator
            .iter_errors(value)
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect();
        match errors.is_empty() {
            true => Ok(()),
            false => Err(format!("{}\n{value:#}", errors.join("\n"))),
        }
    }

    fn validator(&self, pointer: &str) -> Result<Arc<Validator>, String> {
        let mut compiled = self.compiled.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(validator) = compiled.get(pointer) {
            return Ok(Arc::clone(validator));
        }
        let validator = jsonschema::options()
            .with_draft(Draft::Draft202012)
            .should_validate_formats(true)
            .with_registry(&self.registry)
            .build(&json!({"$ref": format!("{CONTRACT}#{}", fragment(pointer))}))
            .map_err(|error| format!("{pointer} is no schema: {error}"))?;
        let validator = Arc::new(validator);
        compiled.insert(pointer.to_owned(), Arc::clone(&validator));
        Ok(validator)
    }
}

/// A header's text as the kind of value that its schema speaks of.
fn read(text: &str, header: &Value) -> Value {
    match header["schema"]["type"].as_str() {
        Some("integer") => text.parse::<i64>().map_or_else(|_| json!(text), |number| json!(number)),
        _ => json!(text),
    }
}

/// A pointer as the fragment of a URI: paths of operations have braces.
fn fragment(pointer: &str) -> String {
    pointer.replace('{', "%7B").replace('}', "%7D")
}
