//! A client for servers that die: one connection for each request, and only whole answers count.

use std::net::SocketAddr;
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// A whole answer.
pub struct Answer {
    /// Its status.
    pub status: u16,
    /// Its `Location`, when there is one.
    pub location: Option<String>,
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

/// Sends, and waits this long for the whole answer. None when it does not come: the request may or
/// may not have been heard.
pub async fn ask(server: SocketAddr, request: &Request<'_>, time: Duration) -> Option<Answer> {
    tokio::time::timeout(time, exchange(server, request)).await.ok()?
}

async fn exchange(server: SocketAddr, request: &Request<'_>) -> Option<Answer> {
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
    parse(&answer)
}

fn parse(bytes: &[u8]) -> Option<Answer> {
    let end = bytes.windows(4).position(|window| window == b"\r\n\r\n")?;
    let head = std::str::from_utf8(&bytes[..end]).ok()?;
    let body = &bytes[end + 4..];
    let status = head.split(' ').nth(1)?.parse().ok()?;
    let header = |name: &str| {
        head.lines().skip(1).find_map(|line| {
            let (given, value) = line.split_once(':')?;
            given.eq_ignore_ascii_case(name).then(|| value.trim().to_owned())
        })
    };
    let length = header("content-length").map_or(Some(0), |text| text.parse().ok())?;
    if body.len() < length {
        return None;
    }
    let body = serde_json::from_slice(body).unwrap_or(Value::Null);
    Some(Answer { status, location: header("location"), body })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_an_answer_is_none() {
        let whole = b"HTTP/1.1 409 x\r\nLocation: http://x/s/7\r\nContent-Length: 2\r\n\r\n{}";
        for end in 0..whole.len() {
            assert!(parse(&whole[..end]).is_none());
        }
        let answer = parse(whole).unwrap();
        assert_eq!((answer.status, answer.shipment().as_deref()), (409, Some("7")));
    }
}
