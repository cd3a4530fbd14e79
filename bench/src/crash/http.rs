//! A client for servers that die: one connection for each request, and only whole answers count.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use waybill_api::docs::OPENAPI;
use waybill_oracle::Oracle;

use super::Failure;

/// A whole answer.
pub struct Answer {
    /// Its status.
    pub status: u16,
    /// Its `Location`, when there is one.
    pub location: Option<String>,
    /// Its `Retry-After`, when there is one.
    pub retry_after: Option<String>,
    /// Its body, when that is JSON.
    pub body: Value,
}

impl Answer {
    /// The shipment that the answer names, in its body or its `Location`.
    pub fn shipment(&self) -> Option<String> {
        let last = |url: &String| url.rsplit('/').next().map(str::to_owned);
        let named = self.body["data"]["uuid"].as_str().map(str::to_owned);
        named.or_else(|| self.location.as_ref().and_then(last))
    }
}

/// One request.
pub struct Request<'a> {
    /// Its method.
    pub method: &'a str,
    /// Path and query.
    pub path: &'a str,
    /// The caller's token.
    pub token: &'a str,
    /// The `Idempotency-Key`, or nothing.
    pub key: &'a str,
    /// The body, JSON, or nothing.
    pub body: &'a str,
}

/// One who asks, and holds every whole answer against the contract. Clones are the same one.
#[derive(Clone)]
pub struct Caller {
    oracle: Arc<Oracle>,
    undeclared: Arc<Mutex<Vec<String>>>,
}

impl Caller {
    /// Knows the contract, and has asked nothing yet.
    pub fn new() -> Result<Caller, Failure> {
        Ok(Caller { oracle: Arc::new(Oracle::new(OPENAPI)?), undeclared: Arc::default() })
    }

    /// Sends, and waits this long for the whole answer. None when it does not come: the request
    /// may or may not have been heard.
    pub async fn ask(
        &self,
        server: SocketAddr,
        request: &Request<'_>,
        time: Duration,
    ) -> Option<Answer> {
        let whole = tokio::time::timeout(time, exchange(server, request)).await.ok()??;
        if let Err(problem) = self.oracle.check(request.method, request.path, &whole) {
            self.undeclared.lock().unwrap_or_else(PoisonError::into_inner).push(problem);
        }
        let body = whole.value().unwrap_or(Value::Null);
        let location = whole.header("location").map(str::to_owned);
        let retry_after = whole.header("retry-after").map(str::to_owned);
        Some(Answer { status: whole.status, location, retry_after, body })
    }

    /// The text of a good answer.
    pub async fn text(&self, server: SocketAddr, path: &str) -> Option<String> {
        let request = Request { method: "GET", path, token: "", key: "", body: "" };
        let whole = exchange(server, &request).await.filter(|whole| whole.status == 200)?;
        String::from_utf8(whole.bytes).ok()
    }

    /// What answers had that the contract does not declare.
    pub fn undeclared(&self) -> Vec<String> {
        self.undeclared.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

async fn exchange(server: SocketAddr, request: &Request<'_>) -> Option<waybill_oracle::Answer> {
    let Request { method, path, token, key, body } = request;
    let mut text = format!(
        "{method} {path} HTTP/1.1\r\nHost: {server}\r\nConnection: close\r\n\
         Authorization: Bearer {token}\r\n"
    );
    if !key.is_empty() {
        text.push_str(&format!("Idempotency-Key: {key}\r\n"));
    }
    if !body.is_empty() {
        let length = body.len();
        text.push_str(&format!("Content-Type: application/json\r\nContent-Length: {length}\r\n"));
    }
    text.push_str("\r\n");
    text.push_str(body);
    let mut stream = TcpStream::connect(server).await.ok()?;
    stream.write_all(text.as_bytes()).await.ok()?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.ok()?;
    waybill_oracle::Answer::parse(method, &answer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shipment_is_named_by_the_body_or_else_by_the_location() {
        let location = Some("http://x/s/7".to_owned());
        let body = Value::Null;
        let mut answer = Answer { status: 409, location, retry_after: None, body };
        assert_eq!(answer.shipment().as_deref(), Some("7"));
        answer.body = serde_json::json!({"data": {"uuid": "8"}});
        assert_eq!(answer.shipment().as_deref(), Some("8"));
    }
}
