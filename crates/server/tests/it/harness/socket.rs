//! Answers over real sockets, held against the contract as all others.

use std::time::Duration;

use tokio::io::AsyncReadExt;
use tokio::net::TcpStream;
use waybill_oracle::Answer;

use super::Reply;

const PATIENCE: Duration = Duration::from_secs(30);

/// Everything up to the end of the connection, which must come.
pub async fn rest(stream: &mut TcpStream) -> Vec<u8> {
    let mut bytes = Vec::new();
    let read = tokio::time::timeout(PATIENCE, stream.read_to_end(&mut bytes));
    // A reset after the answer is as good as an end.
    let _ended = read.await.expect("the connection is closed in time");
    bytes
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

/// The last answer of a connection, to bytes that are no request.
pub async fn refusal(stream: &mut TcpStream) -> Reply {
    Reply::refusal(last(stream, "").await)
}
