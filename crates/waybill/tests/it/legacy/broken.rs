//! Lines that break: a shop that did not read its whole label gets the same one again, and one that
//! did gets a new one.

use std::net::SocketAddr;
use std::time::Duration;

use serde_json::Value;
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use waybill_api::listen::{self, Timeouts};

use super::shop::{LABELS, order, shipment};
use crate::harness::fixture::Fixture;
use crate::harness::socket;
use crate::shipments::fixtures;

/// So long a line must hold after an answer, and a while more.
const HOLDS: Duration = Duration::from_millis(2_500);

/// Serves the fixture on a socket.
async fn serve(fixture: &Fixture) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (app, router) = (fixture.app.app.clone(), fixture.app.router.clone());
    let never = std::future::pending::<()>();
    tokio::spawn(listen::serve(app, router, listener, Timeouts::default(), never));
    address
}

/// Sends a request, as a plugin that closes the line after the answer or keeps it.
async fn ask(stream: &mut TcpStream, fixture: &Fixture, body: &Value, connection: &str) {
    let (token, body) = (&fixture.app.admin, body.to_string());
    let length = body.len();
    let request = format!(
        "POST {LABELS} HTTP/1.1\r\nHost: shop\r\nAuthorization: Bearer {token}\r\n\
         Connection: {connection}\r\nContent-Length: {length}\r\n\r\n{body}"
    );
    stream.write_all(request.as_bytes()).await.unwrap();
}

/// How many bytes an answer to the body has.
async fn length_of(fixture: &Fixture, address: SocketAddr, body: &Value) -> usize {
    let mut stream = TcpStream::connect(address).await.unwrap();
    ask(&mut stream, fixture, body, "close").await;
    socket::rest(&mut stream).await.len()
}

/// Waits until the server has noticed what became of a line.
async fn a_moment() {
    tokio::time::sleep(Duration::from_millis(300)).await;
}

fixtures! {
    async fn a_line_that_breaks_anywhere_in_the_answer_never_books_twice(fixture) {
        let address = serve(&fixture).await;
        let length = length_of(&fixture, address, &order("LENGTH")).await;
        let offsets = [0, 1, 100, length / 4, length / 2, length - 16 * 1024, length - 1];
        for (number, offset) in offsets.into_iter().enumerate() {
            for connection in ["close", "keep-alive"] {
                let reference = format!("BREAK-{number}-{connection}");
                let body = order(&reference);
                let mut stream = TcpStream::connect(address).await.unwrap();
                ask(&mut stream, &fixture, &body, connection).await;
                socket::some(&mut stream, offset).await;
                drop(stream);
                a_moment().await;
                fixture.label_unread(&body).await.expect(200);
                assert_eq!(fixture.bookings(&reference), 1, "after {offset} of {length} bytes");
            }
        }
    }

    async fn a_label_that_was_read_to_its_end_is_followed_by_a_new_one(fixture) {
        let address = serve(&fixture).await;
        for connection in ["close", "keep-alive"] {
            let body = order(&format!("READ-{connection}"));
            let mut ids = Vec::new();
            for _ in 0..2 {
                let mut stream = TcpStream::connect(address).await.unwrap();
                ask(&mut stream, &fixture, &body, connection).await;
                ids.push(shipment(&socket::next(&mut stream, "POST", LABELS).await.expect(200)));
                drop(stream);
                a_moment().await;
            }
            assert_ne!(ids[0], ids[1], "{connection}");
        }
    }

    async fn the_next_request_on_the_line_says_that_the_label_was_read(fixture) {
        let address = serve(&fixture).await;
        let mut stream = TcpStream::connect(address).await.unwrap();
        let mut ids = Vec::new();
        for _ in 0..3 {
            ask(&mut stream, &fixture, &order("LINE"), "keep-alive").await;
            ids.push(shipment(&socket::next(&mut stream, "POST", LABELS).await.expect(200)));
        }
        ids.sort();
        ids.dedup();
        assert_eq!(ids.len(), 3);
    }

    async fn a_label_that_has_not_arrived_whole_is_not_taken(fixture) {
        let address = serve(&fixture).await;
        let socket = TcpSocket::new_v4().unwrap();
        // Its system takes less than the answer, and nobody reads.
        socket.set_recv_buffer_size(2048).unwrap();
        let mut held = socket.connect(address).await.unwrap();
        ask(&mut held, &fixture, &order("HELD"), "keep-alive").await;
        held.readable().await.unwrap();
        tokio::time::sleep(HOLDS).await;
        fixture.label_unread(&order("HELD")).await.expect(200);
        assert_eq!(fixture.bookings("HELD"), 1, "in doubt it is the same label");
    }

    async fn a_label_that_arrived_on_a_line_that_holds_is_taken(fixture) {
        let address = serve(&fixture).await;
        let mut held = TcpStream::connect(address).await.unwrap();
        ask(&mut held, &fixture, &order("HOLDS"), "keep-alive").await;
        let first = shipment(&socket::next(&mut held, "POST", LABELS).await.expect(200));
        let again = async || shipment(&fixture.label_unread(&order("HOLDS")).await.expect(200));
        for _ in 0..200 {
            if again().await != first {
                return;
            }
            a_moment().await;
        }
        panic!("the label is not taken");
    }
}
