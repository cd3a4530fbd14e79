//! Answers over real sockets, held against the contract as all others.

use std::net::SocketAddr;
use std::time::Duration;

use axum::body::Body;
use axum::http::{Request, Response};
use http_body_util::BodyExt;
use hyper::body::Incoming;
use hyper::client::conn::http2;
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::io::AsyncReadExt;
use tokio::net::TcpStream;
use waybill_oracle::Answer;

use super::Reply;

/// For hangs, not for slow machines: the server itself holds an answer back for ten seconds.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Everything up to the end of the connection, which must come.
pub async fn rest(stream: &mut TcpStream) -> Vec<u8> {
    let mut bytes = Vec::new();
    let read = tokio::time::timeout(TIMEOUT, stream.read_to_end(&mut bytes));
    // A reset after the answer is as good as an end.
    let _ended = read.await.expect("the connection is closed in time");
    bytes
}

/// One answer of a connection that goes on.
pub async fn next(stream: &mut TcpStream, method: &str, path: &str) -> Reply {
    let mut bytes = Vec::new();
    loop {
        if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&bytes[..end]).to_lowercase();
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
            let length: usize = length.unwrap().trim().parse().unwrap();
            if bytes.len() >= end + 4 + length {
                return Reply::new(method, path, Answer::parse(method, &bytes).unwrap());
            }
        }
        let mut part = [0; 4096];
        let read = stream.read(&mut part).await.unwrap();
        assert!(read > 0, "the connection ended early");
        bytes.extend_from_slice(&part[..read]);
    }
}

/// Reads so many bytes of an answer.
pub async fn some(stream: &mut TcpStream, count: usize) {
    stream.read_exact(&mut vec![0; count]).await.unwrap();
}

async fn last(stream: &mut TcpStream, method: &str) -> Answer {
    let bytes = rest(stream).await;
    let text = String::from_utf8_lossy(&bytes);
    Answer::parse(method, &bytes).unwrap_or_else(|| panic!("not one whole answer: {text}"))
}

/// The last answer of a connection, to this request.
pub async fn answer(stream: &mut TcpStream, method: &str, path: &str) -> Reply {
    Reply::new(method, path, last(stream, method).await)
}

/// The last answer of a connection, to bytes that are not a request.
pub async fn refusal(stream: &mut TcpStream) -> Reply {
    Reply::refusal(last(stream, "").await)
}

/// Whether the server gives up an answer before anything of its body has come.
pub async fn is_reset(mut answer: Response<Incoming>) -> bool {
    let frame = tokio::time::timeout(TIMEOUT, answer.body_mut().frame()).await;
    frame.expect("it ends in time").is_none_or(|frame| frame.is_err())
}

/// One connection of HTTP/2. Clones share it.
#[derive(Clone)]
pub struct Http2 {
    sender: http2::SendRequest<Body>,
    address: SocketAddr,
}

impl Http2 {
    pub async fn open(address: SocketAddr) -> Http2 {
        let stream = TokioIo::new(TcpStream::connect(address).await.unwrap());
        let shaken = http2::handshake(TokioExecutor::new(), stream).await;
        let (sender, connection) = shaken.unwrap();
        tokio::spawn(connection);
        Http2 { sender, address }
    }

    /// One that has no room for the body of any answer, and makes none.
    pub async fn without_room(address: SocketAddr) -> Http2 {
        let stream = TokioIo::new(TcpStream::connect(address).await.unwrap());
        let mut builder = http2::Builder::new(TokioExecutor::new());
        let shaken = builder.initial_stream_window_size(0).handshake(stream).await;
        let (sender, connection) = shaken.unwrap();
        tokio::spawn(connection);
        Http2 { sender, address }
    }

    /// The answer's head, and its body as it comes.
    pub async fn begin(mut self, path: &str) -> Response<Incoming> {
        let request = Request::get(format!("http://{}{path}", self.address));
        self.sender.send_request(request.body(Body::empty()).unwrap()).await.unwrap()
    }

    pub async fn get(mut self, path: &str, token: String) -> Reply {
        let request = Request::get(format!("http://{}{path}", self.address))
            .header("authorization", format!("Bearer {token}"));
        let sent = self.sender.send_request(request.body(Body::empty()).unwrap()).await;
        let (head, body) = sent.unwrap().into_parts();
        let bytes = body.collect().await.unwrap().to_bytes().to_vec();
        let answer = Answer { status: head.status.as_u16(), headers: head.headers, bytes };
        Reply::new("GET", path, answer)
    }
}
