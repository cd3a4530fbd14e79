//! The oracle of this server's contract, which fails the test.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde_json::Value;
use waybill_api::docs::OPENAPI;
use waybill_oracle::{Answer, Oracle};

pub static ORACLE: LazyLock<Oracle> = LazyLock::new(|| Oracle::new(OPENAPI).unwrap());

/// Fails the test when the answer is not what the contract says.
#[track_caller]
pub fn validate(method: &str, path: &str, answer: &Answer) {
    ORACLE.check(method, path, answer).unwrap_or_else(|problem| panic!("{problem}"));
}

/// Fails the test when this is not what the contract says of bytes that are not a request.
#[track_caller]
pub fn validate_refusal(answer: &Answer) {
    ORACLE.check_refusal(answer).unwrap_or_else(|problem| panic!("{problem}"));
}

/// Fails the test when this is not what the contract says that a webhook is sent.
#[track_caller]
pub fn validate_webhook(headers: &HashMap<String, String>, body: &Value) {
    ORACLE.check_webhook(headers, body).unwrap_or_else(|problem| panic!("{problem}"));
}
