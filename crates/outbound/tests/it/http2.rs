//! Lines to carriers that choose HTTP/2: the same promises as with HTTP/1.1.

use std::time::Duration;

use bytes::Bytes;
use h2::server::{Connection, SendResponse, handshake};
use h2::{Reason, RecvStream};
use hyper::{Request, Response, StatusCode};
use tokio::net::TcpStream;
use tokio_rustls::server::TlsStream;
use waybill_outbound::line::{RESPONSE_BYTES_MAX, SendError};

use crate::tls::Carrier;

const SOON: Duration = Duration::from_secs(5);

type Accepted = Connection<TlsStream<TcpStream>, Bytes>;

fn request() -> Request<Bytes> {
    Request::post("/book?a=b").body(Bytes::from_static(b"{}")).unwrap()
}

async fn carrier() -> Carrier {
    Carrier::speaking(&[b"h2", b"http/1.1"]).await
}

async fn accept(carrier: &Carrier) -> Accepted {
    let stream = carrier.accept().await;
    assert_eq!(stream.get_ref().1.alpn_protocol(), Some(&b"h2"[..]));
    handshake(stream).await.unwrap()
}

/// The next request with its body read, and the way to answer it.
async fn next(connection: &mut Accepted) -> Option<SendResponse<Bytes>> {
    let (request, respond) = connection.accept().await?.ok()?;
    assert_eq!((request.method().as_str(), request.uri().path()), ("POST", "/book"));
    assert_eq!(request.uri().query(), Some("a=b"));
    assert_eq!(request.uri().host(), Some("carrier.example.com"));
    assert_eq!(request.headers().get("host"), None, "the address says it");
    let reading = tokio::spawn(read(request.into_body()));
    // The connection moves on only while it is asked for more.
    tokio::select! {
        body = reading => assert_eq!(body.unwrap(), b"{}"),
        _ = connection.accept() => panic!("one at a time"),
    }
    Some(respond)
}

async fn read(mut body: RecvStream) -> Vec<u8> {
    let mut bytes = Vec::new();
    while let Some(chunk) = body.data().await {
        bytes.extend_from_slice(&chunk.unwrap());
    }
    bytes
}

fn answer(respond: &mut SendResponse<Bytes>, body: impl Into<Bytes>) {
    let head = Response::builder().status(StatusCode::OK).body(()).unwrap();
    respond.send_response(head, false).unwrap().send_data(body.into(), true).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn one_connection_carries_many_requests_one_after_another() {
    let carrier = carrier().await;
    let (lines, base) = (carrier.lines(), carrier.base.clone());
    tokio::spawn(async move {
        let mut connection = accept(&carrier).await;
        // No second connection is ever taken.
        while let Some(mut respond) = next(&mut connection).await {
            answer(&mut respond, "ok");
        }
    });
    for _ in 0..20 {
        drop(lines.dial(&base).await.unwrap());
        let response = lines.dial(&base).await.unwrap().send(request(), SOON).await.unwrap();
        assert_eq!((response.status.as_u16(), &response.body[..]), (200, &b"ok"[..]));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn after_a_farewell_the_next_request_takes_a_new_connection_and_none_is_lost_or_doubled() {
    let carrier = carrier().await;
    let (lines, base) = (carrier.lines(), carrier.base.clone());
    let serving = tokio::spawn(async move {
        for connections in 1..=10 {
            let mut connection = accept(&carrier).await;
            let mut respond = next(&mut connection).await.unwrap();
            answer(&mut respond, format!("{connections}"));
            connection.graceful_shutdown();
            // Until the connection has ended, and there was no other request.
            assert!(next(&mut connection).await.is_none());
        }
    });
    for count in 1..=10 {
        let response = lines.dial(&base).await.unwrap().send(request(), SOON).await.unwrap();
        assert_eq!(response.body, format!("{count}"));
        // Long enough for the farewell to come.
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    serving.await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_line_whose_other_side_says_farewell_before_the_request_did_not_send_it() {
    let carrier = carrier().await;
    let (lines, base) = (carrier.lines(), carrier.base.clone());
    let (line, mut connection) = tokio::join!(lines.dial(&base), accept(&carrier));
    connection.graceful_shutdown();
    let ended = tokio::spawn(async move { next(&mut connection).await.is_none() });
    tokio::time::sleep(Duration::from_millis(100)).await;
    let error = line.unwrap().send(request(), SOON).await.unwrap_err();
    assert!(matches!(error, SendError::NotSent(_)), "{error:?}");
    assert!(ended.await.unwrap(), "nothing came");
}

#[tokio::test(flavor = "multi_thread")]
async fn only_a_request_that_was_refused_unread_counts_as_not_sent() {
    for (reason, is_sent) in [
        (Reason::REFUSED_STREAM, false),
        (Reason::CANCEL, true),
        (Reason::INTERNAL_ERROR, true),
        (Reason::NO_ERROR, true),
    ] {
        let carrier = carrier().await;
        let (lines, base) = (carrier.lines(), carrier.base.clone());
        tokio::spawn(async move {
            let mut connection = accept(&carrier).await;
            next(&mut connection).await.unwrap().send_reset(reason);
            next(&mut connection).await.is_none()
        });
        let error = lines.dial(&base).await.unwrap().send(request(), SOON).await.unwrap_err();
        assert_eq!(matches!(error, SendError::Unclear(_)), is_sent, "{reason:?}: {error:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_breaks_off_or_is_cut_off_by_a_farewell_is_unclear() {
    for (has_begun, is_abrupt) in [(false, false), (false, true), (true, false), (true, true)] {
        let carrier = carrier().await;
        let (lines, base) = (carrier.lines(), carrier.base.clone());
        tokio::spawn(async move {
            let mut connection = accept(&carrier).await;
            let mut respond = next(&mut connection).await.unwrap();
            if has_begun {
                let head = Response::builder().status(200).body(()).unwrap();
                let mut body = respond.send_response(head, false).unwrap();
                body.send_data(Bytes::from_static(b"half"), false).unwrap();
            }
            if is_abrupt {
                connection.abrupt_shutdown(Reason::ENHANCE_YOUR_CALM);
            }
            let _end = tokio::time::timeout(Duration::from_millis(100), connection.accept()).await;
        });
        let error = lines.dial(&base).await.unwrap().send(request(), SOON).await.unwrap_err();
        assert!(matches!(error, SendError::Unclear(_)), "{has_begun} {is_abrupt}: {error:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_answer_in_time_is_unclear_and_ends_the_connection() {
    let carrier = carrier().await;
    let (lines, base) = (carrier.lines(), carrier.base.clone());
    let silent = tokio::spawn(async move {
        let mut connection = accept(&carrier).await;
        let _unanswered = next(&mut connection).await.unwrap();
        tokio::time::timeout(SOON, next(&mut connection)).await.is_ok_and(|it| it.is_none())
    });
    let line = lines.dial(&base).await.unwrap();
    let error = line.send(request(), Duration::from_millis(200)).await.unwrap_err();
    assert!(matches!(error, SendError::Unclear(_)), "{error:?}");
    assert!(silent.await.unwrap(), "the connection has ended");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_that_is_too_late_does_not_leave_although_other_frames_did_in_time() {
    let carrier = carrier().await;
    let (lines, base) = (carrier.lines(), carrier.base.clone());
    let (line, mut connection) = tokio::join!(lines.dial(&base), accept(&carrier));
    let line = line.unwrap().send_within(Duration::from_millis(200));
    let mut pings = connection.ping_pong().unwrap();
    let (pong, was_asked) = tokio::sync::oneshot::channel();
    let serving = tokio::spawn(async move {
        let pinging = tokio::spawn(async move {
            pings.ping(h2::Ping::opaque()).await.unwrap();
            pong.send(()).unwrap();
        });
        let came = connection.accept().await.is_some_and(|request| request.is_ok());
        pinging.await.unwrap();
        came
    });
    was_asked.await.unwrap();
    tokio::time::sleep(Duration::from_millis(300)).await;
    let sent = line.send(request(), SOON).await;
    assert!(matches!(sent, Err(SendError::Unclear(_))), "{sent:?}");
    assert!(!serving.await.unwrap(), "no request came");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_is_too_long_is_unclear() {
    for (length, is_read) in [(RESPONSE_BYTES_MAX, true), (RESPONSE_BYTES_MAX + 1, false)] {
        let carrier = carrier().await;
        let (lines, base) = (carrier.lines(), carrier.base.clone());
        tokio::spawn(async move {
            let mut connection = accept(&carrier).await;
            let mut respond = next(&mut connection).await.unwrap();
            answer(&mut respond, vec![b'x'; length]);
            next(&mut connection).await.is_none()
        });
        let sent = lines.dial(&base).await.unwrap().send(request(), SOON).await;
        match sent {
            Ok(response) => assert!(is_read && response.body.len() == length),
            Err(error) => assert!(!is_read && matches!(error, SendError::Unclear(_)), "{error:?}"),
        }
    }
}
