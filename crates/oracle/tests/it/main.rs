//! Each way in which an answer can break the contract is found.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::HashMap;

use serde_json::{Value, json};
use waybill_oracle::{Answer, Oracle};

fn oracle() -> Oracle {
    let error = json!({"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}});
    let headers = json!({
        "Request-ID": {"required": true, "schema": {"type": "string"}},
        "Retry-After": {"schema": {"type": "integer", "minimum": 0}},
        "Location": {"$ref": "#/components/headers/Location"},
    });
    let contract = json!({
        "paths": {
            "/things/{thing}": {
                "get": {"operationId": "getThing", "responses": {
                    "200": {"headers": headers, "content": {"application/json": {"schema": {
                        "type": "object",
                        "required": ["id"],
                        "additionalProperties": false,
                        "properties": {"id": {"type": "string", "format": "uuid"}},
                    }}}},
                    "404": {"$ref": "#/components/responses/NotFound"},
                }},
                "delete": {"operationId": "deleteThing", "responses": {"204": {}}},
            },
            "/things/all": {"get": {"operationId": "getAll", "responses": {
                "200": {"content": {"text/plain": {}}},
            }}},
        },
        "components": {
            "headers": {"Location": {"schema": {"type": "string", "pattern": "^https:"}}},
            "responses": {
                "BadRequest": {"content": error},
                "NotFound": {"content": error},
                "TooManyRequests": {
                    "headers": {"Retry-After": {"required": true, "schema": {"type": "integer"}}},
                    "content": error,
                },
                "MethodNotAllowed": {
                    "headers": {"Allow": {"required": true, "schema": {"type": "string"}}},
                    "content": error,
                },
            },
            "schemas": {
                "Error": {"type": "object", "required": ["message"]},
                "Event": {"type": "object", "required": ["type", "id"]},
            },
            "parameters": {"Time": {"name": "webhook-timestamp", "schema": {"type": "integer"}}},
        },
        "webhooks": {"thing.made": {"post": {
            "parameters": [{"$ref": "#/components/parameters/Time"}],
            "requestBody": {"content": {"application/json": {
                "schema": {"$ref": "#/components/schemas/Event"},
            }}},
        }}},
    });
    Oracle::new(&contract.to_string()).unwrap()
}

const ID: &str = "01a0f67a-3be8-7651-8317-1ff4a6a3a450";

/// An answer with what every answer has, further headers and a JSON body.
fn answer(status: u16, headers: &str, body: &Value) -> Answer {
    raw(status, &format!("Content-Type: application/json; charset=utf-8\r\n{headers}"), body)
}

fn raw(status: u16, headers: &str, body: &Value) -> Answer {
    let body = if body.is_null() { String::new() } else { body.to_string() };
    let text = format!(
        "HTTP/1.1 {status} x\r\nRequest-ID: r\r\nServer-Timing: total;dur=1\r\n{headers}\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    );
    Answer::parse("GET", text.as_bytes()).unwrap()
}

#[track_caller]
fn wrong(verdict: Result<(), String>, words: &str) {
    let problem = verdict.unwrap_err();
    assert!(problem.contains(words), "{problem}");
}

#[test]
fn what_the_contract_declares_is_right() {
    let (oracle, thing) = (oracle(), json!({"id": ID}));
    let whole = answer(200, "Retry-After: 5\r\nLocation: https://x\r\nDate: x\r\n", &thing);
    assert_eq!(oracle.check("GET", "/things/1?a=b", &whole), Ok(()));
    assert_eq!(oracle.check("HEAD", "/things/1", &answer(200, "", &Value::Null)), Ok(()));
    assert_eq!(oracle.check("DELETE", "/things/1", &raw(204, "", &Value::Null)), Ok(()));
    assert_eq!(oracle.check("GET", "/things/2", &answer(404, "", &json!({"message": ""}))), Ok(()));
    let text = raw(200, "Content-Type: text/plain\r\n", &json!(1));
    assert_eq!(oracle.check("GET", "/things/all", &text), Ok(()), "the exact path first");
    assert_eq!(oracle.operations().count(), 3);
}

#[test]
fn an_undeclared_status_header_media_type_or_field_is_wrong() {
    let (oracle, thing) = (oracle(), json!({"id": ID}));
    let check = |answer: &Answer| oracle.check("GET", "/things/1", answer);
    wrong(check(&answer(201, "", &thing)), "GET /things/1 → 201: the contract declares no such");
    wrong(check(&answer(200, "Surprise: x\r\n", &thing)), "no header surprise");
    wrong(check(&raw(200, "Content-Type: text/html\r\n", &thing)), "no \"text/html\"");
    wrong(check(&answer(200, "", &json!({"id": ID, "new": 1}))), "new");
    let mut wordy = raw(204, "", &Value::Null);
    wordy.bytes.push(b'x');
    wrong(oracle.check("DELETE", "/things/1", &wordy), "a body where none is declared");
}

#[test]
fn a_missing_or_malformed_header_or_body_is_wrong() {
    let (oracle, thing) = (oracle(), json!({"id": ID}));
    let check = |answer: &Answer| oracle.check("GET", "/things/1", answer);
    for name in ["request-id", "server-timing"] {
        let mut lacking = answer(200, "", &thing);
        lacking.headers.remove(name);
        wrong(check(&lacking), &format!("no {name}"));
    }
    wrong(check(&answer(200, "Date: \u{e6}\r\n", &thing)), "date is not text");
    wrong(check(&answer(200, "Retry-After: soon\r\n", &thing)), "Retry-After");
    wrong(check(&answer(200, "Location: ftp://x\r\n", &thing)), "Location");
    wrong(check(&answer(200, "", &json!({}))), "\"id\" is a required property");
    wrong(check(&answer(200, "", &json!({"id": "no uuid"}))), "uuid");
    wrong(check(&answer(200, "", &Value::Null)), "not JSON");
}

#[test]
fn a_webhook_is_checked_by_its_kind() {
    let oracle = oracle();
    let headers = |time: &str| HashMap::from([("webhook-timestamp".to_owned(), time.to_owned())]);
    let (body, time) = (json!({"type": "thing.made", "id": ID}), headers("1794814934"));
    assert_eq!(oracle.check_webhook(&time, &body), Ok(()));
    wrong(oracle.check_webhook(&time, &json!({"type": "thing.made"})), "\"id\" is a required");
    wrong(oracle.check_webhook(&time, &json!({"type": "thing.lost"})), "no such webhook");
    wrong(oracle.check_webhook(&time, &json!({})), "no such webhook");
    wrong(oracle.check_webhook(&headers("noon"), &body), "webhook-timestamp");
    wrong(oracle.check_webhook(&HashMap::new(), &body), "no webhook-timestamp");
}

#[test]
fn what_belongs_to_no_operation_is_still_an_error_of_ours() {
    let oracle = oracle();
    let (good, bad) = (json!({"message": "No."}), json!({"error": "No."}));
    assert_eq!(oracle.check("GET", "/nothing", &answer(404, "", &good)), Ok(()));
    wrong(oracle.check("GET", "/nothing", &answer(404, "", &bad)), "message");
    wrong(oracle.check("PUT", "/things/1", &answer(405, "", &good)), "no Allow");
    let allowed = answer(405, "Allow: GET\r\n", &good);
    assert_eq!(oracle.check("PUT", "/things/1", &allowed), Ok(()));
    wrong(oracle.check("GET", "/nothing", &answer(429, "", &good)), "no Retry-After");
    assert_eq!(oracle.check_refusal(&answer(400, "", &good)), Ok(()));
    wrong(oracle.check_refusal(&answer(400, "", &bad)), "message");
}

#[test]
fn half_an_answer_is_none() {
    let whole = b"HTTP/1.1 409 x\r\nLocation: http://x/s/7\r\nContent-Length: 2\r\n\r\n{}";
    for end in 0..whole.len() {
        assert!(Answer::parse("GET", &whole[..end]).is_none());
    }
    assert_eq!(Answer::parse("GET", whole).unwrap().header("location"), Some("http://x/s/7"));
    assert!(Answer::parse("GET", &[&whole[..], b"{"].concat()).is_none(), "more than one answer");
}
