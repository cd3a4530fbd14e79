//! The outgoing line: whether bytes may have left is told truly, and connections are used again.

use std::time::Duration;

use bytes::Bytes;
use hyper::{Request, Uri};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use waybill_outbound::line::{DialError, LABEL_BYTES_MAX, Response, SendError};
use waybill_outbound::{Lines, Network};

const SOON: Duration = Duration::from_secs(5);

fn lines() -> Lines {
    Lines::new(Network::new().unwrap())
}

/// A listener and its address.
async fn listen() -> (TcpListener, Uri) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap()).parse().unwrap();
    (listener, base)
}

fn request() -> Request<Bytes> {
    Request::post("/a?b=c").body(Bytes::from_static(b"{}")).unwrap()
}

/// Reads one request, whose body is `{}`.
async fn read_request(stream: &mut TcpStream) -> String {
    let mut text = String::new();
    while !text.ends_with("{}") {
        let mut bytes = [0; 1024];
        let count = stream.read(&mut bytes).await.unwrap();
        assert!(count > 0, "closed after {text:?}");
        text.push_str(std::str::from_utf8(&bytes[..count]).unwrap());
    }
    text
}

/// Sends a request to somebody who answers with these bytes and then closes.
async fn answered(reply: impl Into<Vec<u8>>, time_max: Duration) -> Result<Response, SendError> {
    let (listener, base) = listen().await;
    let reply = reply.into();
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        read_request(&mut stream).await;
        // The other side may hang up while it is told too much.
        let _ = stream.write_all(&reply).await;
        if reply.is_empty() {
            tokio::time::sleep(SOON).await;
        }
    });
    lines().dial(&base).await.unwrap().send(request(), time_max).await
}

#[tokio::test]
async fn a_connection_is_used_again_after_a_whole_answer() {
    let (listener, base) = listen().await;
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        for _ in 0..3 {
            let text = read_request(&mut stream).await;
            assert!(text.starts_with("POST /a?b=c HTTP/1.1\r\n"), "{text}");
            assert!(text.contains("host: 127.0.0.1:"), "{text}");
            stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok").await.unwrap();
        }
        // No second connection is ever taken.
        std::future::pending::<()>().await;
    });
    let lines = lines();
    for _ in 0..3 {
        drop(lines.dial(&base).await.unwrap());
        let line = lines.dial(&base).await.unwrap();
        let response = line.send(request(), SOON).await.unwrap();
        assert_eq!((response.status.as_u16(), &response.body[..]), (200, &b"ok"[..]));
    }
}

#[tokio::test]
async fn nobody_there_means_no_line() {
    let (listener, base) = listen().await;
    drop(listener);
    let error = lines().dial(&base).await.unwrap_err();
    assert!(error.to_string().contains("refused"), "{error}");
    let error = lines().dial(&"ftp://127.0.0.1/".parse().unwrap()).await.unwrap_err();
    assert!(matches!(error, DialError::Scheme(_)), "{error}");
    let with_user = "http://ada:hunter2@127.0.0.1/".parse().unwrap();
    let error = lines().dial(&with_user).await.unwrap_err();
    assert!(matches!(error, DialError::HasUser), "{error}");
    assert!(!error.to_string().contains("hunter2"), "{error}");
}

#[tokio::test]
async fn a_line_that_was_closed_before_the_request_did_not_send_it() {
    let (listener, base) = listen().await;
    let line = lines().dial(&base).await.unwrap();
    drop(listener.accept().await.unwrap());
    tokio::time::sleep(Duration::from_millis(100)).await;
    let error = line.send(request(), SOON).await.unwrap_err();
    assert!(matches!(error, SendError::NotSent(_)), "{error:?}");
}

#[tokio::test]
async fn a_request_that_is_too_late_does_not_leave() {
    let (listener, base) = listen().await;
    let lines = lines();
    let line = lines.dial(&base).await.unwrap();
    let (mut stream, _) = listener.accept().await.unwrap();
    let line = line.send_within(Duration::ZERO);
    tokio::time::sleep(Duration::from_millis(5)).await;
    let sent = line.send(request(), SOON).await;
    assert!(matches!(sent, Err(SendError::Unclear(_))), "{sent:?}");
    assert_eq!(stream.read(&mut [0; 64]).await.unwrap(), 0, "nothing came, and it was closed");
}

#[tokio::test]
async fn a_line_that_goes_unused_may_be_used_later_at_any_time() {
    let (listener, base) = listen().await;
    let lines = lines();
    drop(lines.dial(&base).await.unwrap().send_within(Duration::ZERO));
    let line = lines.dial(&base).await.unwrap();
    let sending = tokio::spawn(line.send(request(), SOON));
    let (mut stream, _) = listener.accept().await.unwrap();
    read_request(&mut stream).await;
    stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n").await.unwrap();
    assert_eq!(sending.await.unwrap().unwrap().status, 200);
}

#[tokio::test]
async fn an_answer_that_breaks_off_is_unclear() {
    for reply in [
        &b"H"[..],
        b"HTTP/1.1 200 OK\r\ncontent-le",
        b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf",
        b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhal",
        b"nonsense\r\n\r\n",
        b"\0\0\0\0",
    ] {
        let error = answered(reply, SOON).await.unwrap_err();
        assert!(matches!(error, SendError::Unclear(_)), "{reply:?} {error:?}");
    }
}

#[tokio::test]
async fn no_answer_in_time_is_unclear() {
    for reply in [&b""[..], b"HTTP/1.1 100 Continue\r\n\r\n"] {
        let error = answered(reply, Duration::from_millis(100)).await.unwrap_err();
        assert!(matches!(error, SendError::Unclear(_)), "{reply:?} {error:?}");
    }
}

#[tokio::test]
async fn an_answer_of_up_to_two_mebibytes_is_read_and_a_longer_one_is_unclear() {
    let reply = |length: usize, announced: bool| {
        let head = match announced {
            true => format!("HTTP/1.1 200 OK\r\ncontent-length: {length}\r\n\r\n"),
            false => "HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n".to_owned(),
        };
        [head.into_bytes(), vec![b'x'; length]].concat()
    };
    let max = 2 * 1024 * 1024;
    for announced in [true, false] {
        let response = answered(reply(max, announced), SOON).await.unwrap();
        assert_eq!(response.body.len(), max);
        let error = answered(reply(max + 1, announced), SOON).await.unwrap_err();
        assert!(matches!(error, SendError::Unclear(_)), "{error:?}");
    }
}

#[tokio::test]
async fn an_answer_with_a_label_may_be_longer() {
    let (listener, base) = listen().await;
    let length = LABEL_BYTES_MAX;
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        read_request(&mut stream).await;
        let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {length}\r\n\r\n");
        stream.write_all(head.as_bytes()).await.unwrap();
        stream.write_all(&vec![b'x'; length]).await.unwrap();
    });
    let line = lines().dial(&base).await.unwrap().reading_up_to(LABEL_BYTES_MAX);
    let response = line.send(request(), SOON * 4).await.unwrap();
    assert_eq!(response.body.len(), length);
}
