//! Real sockets: those who send nothing, too slowly, or no HTTP at all.

use std::net::SocketAddr;
use std::time::Duration;

use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use waybill_api::listen::{self, Timeouts};
use waybill_oracle::Answer;

use crate::harness::socket::Http2;
use crate::harness::{Database, Reply, TestApp, socket};

struct Served {
    app: TestApp,
    address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    ended: tokio::task::JoinHandle<()>,
}

async fn serve(timeouts: Timeouts) -> Served {
    let app = TestApp::new(Database::Sqlite).await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = oneshot::channel();
    let (service, router) = (app.app.clone(), app.router.clone());
    let ended = tokio::spawn(listen::serve(service, router, listener, timeouts, stopped));
    Served { app, address, stop: Some(stop), ended }
}

fn short() -> Timeouts {
    let millis = Duration::from_millis;
    Timeouts { head: millis(200), quiet: millis(400), drain: millis(2000) }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_that_sends_nothing_or_half_a_head_is_closed() {
    let served = serve(short()).await;
    for sent in
        ["", "G", "GET /healthz HTTP/1.1\r\nHost: x\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"]
    {
        let mut stream = TcpStream::connect(served.address).await.unwrap();
        stream.write_all(sent.as_bytes()).await.unwrap();
        socket::rest(&mut stream).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dripped_head_is_closed_though_something_moves() {
    let served = serve(short()).await;
    let mut stream = TcpStream::connect(served.address).await.unwrap();
    let mut is_closed = false;
    for byte in "GET /healthz HTTP/1.1\r\nX-A: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa".bytes() {
        is_closed = stream.write_all(&[byte]).await.is_err();
        if is_closed {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!(is_closed || socket::rest(&mut stream).await.len() < 1000);
}

#[tokio::test(flavor = "multi_thread")]
async fn bytes_that_are_no_request_get_400_with_an_id_and_a_message() {
    let served = serve(short()).await;
    for sent in [
        "GARBAGE\r\n\r\n",
        "GET /healthz HTTP/9.9\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nBad Header: x\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nContent-Length: 1, 2\r\n\r\n",
        "GET /healthz HTTP/1.1\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost: one\r\nHost: two\r\n\r\n",
    ] {
        let mut stream = TcpStream::connect(served.address).await.unwrap();
        stream.write_all(sent.as_bytes()).await.unwrap();
        let refusal = socket::refusal(&mut stream).await.expect(400);
        assert_eq!(refusal.at("/message"), "The request could not be read.", "{sent}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bare_lf_in_a_head_gets_400_in_one_piece_or_in_parts() {
    let served = serve(Timeouts::default()).await;
    for sent in [
        "GET /healthz HTTP/1.1\nHost: x\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost: x\nAccept: */*\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost: x\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost: x\r\n\n",
        "GET /healthz HTTP/1.1\nHost: x\n\n",
    ] {
        for first in [sent.len(), 4, 30] {
            let mut stream = TcpStream::connect(served.address).await.unwrap();
            let (first, last) = sent.split_at(first.min(sent.len()));
            stream.write_all(first.as_bytes()).await.unwrap();
            tokio::time::sleep(Duration::from_millis(20)).await;
            // It may have been answered already.
            let _may_be_cut = stream.write_all(last.as_bytes()).await;
            socket::refusal(&mut stream).await.expect(400);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn bodies_with_bare_lf_are_accepted_twice_on_one_connection_and_a_head_is_not() {
    let served = serve(Timeouts::default()).await;
    let (path, token) = (served.app.path("/shipment-templates"), &served.app.admin);
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n\
         Content-Type: application/json\r\n"
    );
    let body = "{\n\"title\":\n\"T\"\n}\n";
    let sized = format!("{head}Content-Length: {}\r\n\r\n{body}", body.len());
    let chunked = format!(
        "{head}Transfer-Encoding: chunked\r\n\r\n1\r\n{{\r\n{:x}\r\n{}\r\n0\r\n\r\n",
        body.len() - 1,
        &body[1..]
    );
    let bare = "GET /healthz HTTP/1.1\nHost: x\n\n";
    let mut stream = TcpStream::connect(served.address).await.unwrap();
    let sent = format!("{sized}{chunked}{sized}{chunked}{bare}");
    stream.write_all(sent.as_bytes()).await.unwrap();
    let answers = String::from_utf8(socket::rest(&mut stream).await).unwrap();
    let lines = answers.split("HTTP/1.1 ").skip(1).map(|answer| &answer[..3]);
    assert_eq!(lines.collect::<Vec<_>>(), ["201", "201", "201", "201", "400"], "{answers}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_whose_end_others_may_see_elsewhere_is_refused() {
    let served = serve(Timeouts::default()).await;
    for fields in [
        "Content-Length: 5\r\nTransfer-Encoding: chunked",
        "Transfer-Encoding: chunked\r\nContent-Length: 5",
        "Transfer-Encoding: gzip, chunked",
        "Transfer-Encoding: chunked, chunked",
    ] {
        let mut stream = TcpStream::connect(served.address).await.unwrap();
        let sent = format!("GET /healthz HTTP/1.1\r\nHost: x\r\n{fields}\r\n\r\n0\r\n\r\n");
        stream.write_all(sent.as_bytes()).await.unwrap();
        socket::refusal(&mut stream).await.expect(400);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_peer_of_http_2_that_sends_pings_without_end_is_cut_off() {
    let served = serve(Timeouts::default()).await;
    let stream = TcpStream::connect(served.address).await.unwrap();
    let (mut answers, mut stream) = stream.into_split();
    let answers = tokio::spawn(async move {
        tokio::io::copy(&mut answers, &mut tokio::io::sink()).await.ok();
    });
    let settings = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";
    stream.write_all(settings).await.unwrap();
    let pings = [0, 0, 8, 6, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8].repeat(1000);
    for _ in 0..1000 {
        if stream.write_all(&pings).await.is_err() {
            answers.await.unwrap();
            return;
        }
    }
    panic!("a million pings were taken");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_probe_of_http_1_0_needs_no_host() {
    let served = serve(Timeouts::default()).await;
    let mut stream = TcpStream::connect(served.address).await.unwrap();
    stream.write_all(b"GET /healthz HTTP/1.0\r\n\r\n").await.unwrap();
    let bytes = socket::rest(&mut stream).await;
    assert!(bytes.starts_with(b"HTTP/1.0 200"), "in the version that was asked for");
    Reply::new("GET", "/healthz", Answer::parse("GET", &bytes).unwrap());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_head_that_is_too_large_is_refused() {
    let served = serve(Timeouts::default()).await;
    let mut stream = TcpStream::connect(served.address).await.unwrap();
    let head = format!("GET /healthz HTTP/1.1\r\nX-Long: {}\r\n\r\n", "x".repeat(200_000));
    let _may_be_cut = stream.write_all(head.as_bytes()).await;
    socket::refusal(&mut stream).await.expect(431);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_error_of_our_own_is_sent_as_we_made_it() {
    let served = serve(Timeouts::default()).await;
    let mut stream = TcpStream::connect(served.address).await.unwrap();
    let request = "GET /v2/me HTTP/1.1\r\nHost: x\r\nRequest-ID: mine\r\nConnection: close\r\n\r\n";
    stream.write_all(request.as_bytes()).await.unwrap();
    let answer = socket::answer(&mut stream, "GET", "/v2/me").await.expect(401);
    assert_eq!(answer.header("request-id"), Some("mine"));
}

#[tokio::test(flavor = "multi_thread")]
async fn many_requests_at_once_over_one_connection_of_http_2_get_the_same_answers() {
    let served = serve(Timeouts::default()).await;
    let line = socket::Http2::open(served.address).await;
    let mut waiting = Vec::new();
    for _ in 0..50 {
        for (path, status) in [("/v2/me", 200), ("/healthz", 200), ("/v2/nothing", 404)] {
            waiting.push((tokio::spawn(line.clone().get(path, served.app.admin.clone())), status));
        }
    }
    for (reply, status) in waiting {
        reply.await.unwrap().expect(status);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_that_never_ends_is_cut_off() {
    let served = serve(short()).await;
    let mut stream = TcpStream::connect(served.address).await.unwrap();
    let head = format!(
        "POST /v2/teams/{}/shipment-templates HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {}\r\n\
         Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{{",
        served.app.team, served.app.admin
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    socket::rest(&mut stream).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_lets_requests_under_way_finish_and_ends_idle_connections() {
    let mut served = serve(Timeouts::default()).await;
    let mut idle = TcpStream::connect(served.address).await.unwrap();
    let mut busy = TcpStream::connect(served.address).await.unwrap();
    let body = r#"{"title":"T"}"#;
    let head = format!(
        "POST /v2/teams/{}/shipment-templates HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        served.app.team,
        served.app.admin,
        body.len()
    );
    busy.write_all(head.as_bytes()).await.unwrap();
    tokio::time::sleep(Duration::from_millis(200)).await;
    served.stop.take().unwrap().send(()).unwrap();
    tokio::time::sleep(Duration::from_millis(200)).await;
    busy.write_all(body.as_bytes()).await.unwrap();
    let path = format!("/v2/teams/{}/shipment-templates", served.app.team);
    socket::answer(&mut busy, "POST", &path).await.expect(201);
    socket::rest(&mut idle).await;
    served.ended.await.unwrap();
    assert!(TcpStream::connect(served.address).await.is_err());
}

/// Most clients send all of a body before they listen.
#[tokio::test(flavor = "multi_thread")]
async fn an_answer_reaches_a_client_that_is_still_sending() {
    let served = serve(Timeouts::default()).await;
    let (team, token) = (served.app.team, &served.app.admin);
    let path = format!("/v2/teams/{team}/shipment-templates");
    for (target, kind, size, status) in [
        (path.as_str(), "application/json", 4_000_000, 413),
        (path.as_str(), "text/plain", 900_000, 415),
        ("/v2/me", "application/json", 900_000, 405),
        ("/v2/nothing", "application/json", 900_000, 404),
    ] {
        let mut stream = TcpStream::connect(served.address).await.unwrap();
        let head = format!(
            "POST {target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n\
             Content-Type: {kind}\r\nContent-Length: {size}\r\nConnection: close\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).await.unwrap();
        for _ in 0..size / 20_000 {
            stream.write_all(&[b' '; 20_000]).await.expect("nobody hangs up");
        }
        socket::answer(&mut stream, "POST", target).await.expect(status);
    }
}

const LARGE: &str = "/docs/rapidoc-min.js";

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_whose_peer_makes_no_room_is_reset_and_the_connection_goes_on() {
    let served = serve(short()).await;
    let peer = Http2::without_room(served.address).await;
    let stalled = peer.clone().begin(LARGE).await;
    assert!(socket::is_reset(stalled).await);
    assert_eq!(peer.begin("/healthz").await.status(), 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_that_nobody_takes_are_bounded_for_each_caller() {
    let served = serve(Timeouts::default()).await;
    let peer = Http2::without_room(served.address).await;
    let (mut open, mut refused) = (Vec::new(), 0);
    for _ in 0..60 {
        let answer = peer.clone().begin(LARGE).await;
        match answer.status().as_u16() {
            200 => open.push(answer),
            503 => refused += 1,
            other => panic!("{other}"),
        }
    }
    let size: usize = open[0].headers()["content-length"].to_str().unwrap().parse().unwrap();
    assert!(open.len() * size <= 32 * 1024 * 1024, "{} of {size}", open.len());
    assert!(!open.is_empty() && refused > 0);
    // They come back when they are given up.
    drop(open);
    let mut status = 503;
    for _ in 0..600 {
        status = peer.clone().begin(LARGE).await.status().as_u16();
        if status == 200 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn half_sent_bodies_of_one_caller_hold_up_its_large_ones_and_no_small_one() {
    let served = serve(Timeouts::default()).await;
    let token = &served.app.admin;
    let path = served.app.path("/shipment-templates");
    let post = |length: usize| {
        format!(
            "POST {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n\
             Content-Type: application/json\r\nConnection: close\r\n\
             Content-Length: {length}\r\n\r\n"
        )
    };
    let mut halves = Vec::new();
    for _ in 0..24 {
        let mut half = TcpStream::connect(served.address).await.unwrap();
        half.write_all(post(1024 * 1024).as_bytes()).await.unwrap();
        half.write_all(b"{").await.unwrap();
        halves.push(half);
    }
    tokio::time::sleep(Duration::from_millis(500)).await;
    let large = format!("{{\"title\": \"{}\"}}", "x".repeat(1_000_000));
    let mut waits = TcpStream::connect(served.address).await.unwrap();
    waits.write_all(post(large.len()).as_bytes()).await.unwrap();
    waits.write_all(large.as_bytes()).await.unwrap();
    let mut small = TcpStream::connect(served.address).await.unwrap();
    small.write_all((post(2) + "{}").as_bytes()).await.unwrap();
    socket::answer(&mut small, "POST", &path).await.expect(422);
    let mut byte = [0];
    let early = tokio::time::timeout(Duration::from_millis(500), waits.peek(&mut byte)).await;
    assert!(early.is_err(), "there is no room for it yet");
    drop(halves);
    socket::answer(&mut waits, "POST", &path).await.expect(422);
}
