//! What every request has that goes out, as its bytes say it.

use std::time::Duration;

use bytes::Bytes;
use hyper::header::{HeaderMap, HeaderValue, USER_AGENT};
use hyper::{Method, Request};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use waybill_outbound::{Lines, Network, Outbound};

const SOON: Duration = Duration::from_secs(5);
const OURS: &str = concat!("user-agent: Waybill/", env!("CARGO_PKG_VERSION"));

/// Somebody who takes one request without a body, and the lines of its head.
async fn listen() -> (String, JoinHandle<Vec<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let head = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut text = String::new();
        while !text.contains("\r\n\r\n") {
            let mut bytes = [0; 1024];
            let count = stream.read(&mut bytes).await.unwrap();
            assert!(count > 0, "closed after {text:?}");
            text.push_str(std::str::from_utf8(&bytes[..count]).unwrap());
        }
        stream.write_all(b"HTTP/1.1 204 No Content\r\n\r\n").await.unwrap();
        text.lines().map(str::to_owned).collect()
    });
    (url, head)
}

/// The head of a request over a line, as its bytes were.
async fn sent(request: Request<Bytes>) -> Vec<String> {
    let (url, head) = listen().await;
    let lines = Lines::new(Network::new().unwrap());
    let line = lines.dial(&url.parse().unwrap()).await.unwrap();
    assert_eq!(line.send(request, SOON).await.unwrap().status, 204);
    head.await.unwrap()
}

fn begins<'a>(head: &'a [String], name: &str) -> Vec<&'a str> {
    head.iter().map(String::as_str).filter(|line| line.starts_with(name)).collect()
}

#[tokio::test]
async fn an_empty_body_has_a_length_where_a_body_is_expected() {
    for (method, length) in [
        (Method::POST, &["content-length: 0"][..]),
        (Method::PUT, &["content-length: 0"][..]),
        (Method::PATCH, &["content-length: 0"][..]),
        (Method::GET, &[][..]),
        (Method::DELETE, &[][..]),
    ] {
        let request = Request::builder().method(&method).uri("/a").body(Bytes::new()).unwrap();
        let head = sent(request).await;
        assert_eq!(begins(&head, "content-length"), length, "{method} {head:?}");
        assert_eq!(begins(&head, "transfer-encoding"), [""; 0], "{method} {head:?}");
    }
}

#[tokio::test]
async fn a_request_says_that_it_is_ours_unless_it_says_so_itself() {
    let request = || Request::get("/a");
    let head = sent(request().body(Bytes::new()).unwrap()).await;
    assert_eq!(begins(&head, "user-agent"), [OURS]);
    let named = request().header(USER_AGENT, "waybill-agent/1").body(Bytes::new()).unwrap();
    assert_eq!(begins(&sent(named).await, "user-agent"), ["user-agent: waybill-agent/1"]);
}

#[tokio::test]
async fn what_goes_to_addresses_of_callers_says_the_same() {
    let outbound = Outbound::new(Network::new().unwrap(), true);
    let (url, head) = listen().await;
    let got = outbound.get(&format!("{url}/label.pdf"), HeaderMap::new(), 10).await;
    assert_eq!(got.unwrap().status, 204);
    assert_eq!(begins(&head.await.unwrap(), "user-agent"), [OURS]);
    let (url, head) = listen().await;
    let mut headers = HeaderMap::new();
    headers.insert(USER_AGENT, HeaderValue::from_static("somebody"));
    let (answer, _) = outbound.converse().post(&format!("{url}/hook"), headers, Bytes::new()).await;
    assert_eq!(answer.unwrap().status, 204);
    let head = head.await.unwrap();
    assert_eq!(begins(&head, "user-agent"), ["user-agent: somebody"]);
    assert_eq!(begins(&head, "content-length"), ["content-length: 0"]);
}
