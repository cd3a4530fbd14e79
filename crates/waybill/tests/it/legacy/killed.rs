//! A server that is killed while it books: whoever sends again gets what was booked, once.

use std::time::Duration;

use serde_json::Value;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use super::shop::order;
use crate::harness::socket;
use crate::program::{Folder, Server, waybill};

const LABELS: &str = "/api/v1/website/demo.example.com/shipments/labels";

/// A server whose bookings are looked for soon after another one died.
fn start(folder: &Folder) -> Server {
    let mut command = waybill(&folder.0, &["serve", "--listen", "127.0.0.1:0", "--demo"]);
    command.env("WAYBILL_LEASE_MS", "1500");
    Server::started(command)
}

/// Sends a request and waits for its answer, or for the end of the server.
async fn send(base_url: String, token: String, body: Value) -> Option<String> {
    let address = base_url.strip_prefix("http://")?;
    let mut stream = TcpStream::connect(address).await.ok()?;
    let body = body.to_string();
    let request = format!(
        "POST {LABELS} HTTP/1.1\r\nHost: shop\r\nAuthorization: Bearer {token}\r\n\
         Connection: close\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).await.ok()?;
    let answer = String::from_utf8(socket::rest(&mut stream).await).ok()?;
    (!answer.is_empty()).then_some(answer)
}

/// How often the carrier has booked this.
fn bookings(folder: &Folder, reference: &str) -> usize {
    let journal = std::fs::read_dir(&folder.0).unwrap().map(|entry| entry.unwrap().path());
    let texts = journal.filter(|path| path.is_file()).map(|path| std::fs::read(path).unwrap());
    let lines = texts.flat_map(|text| {
        let text = String::from_utf8_lossy(&text).into_owned();
        text.lines().map(str::to_owned).collect::<Vec<_>>()
    });
    let lines = lines.filter_map(|line| serde_json::from_str::<Value>(&line).ok());
    lines.filter(|line| line["type"] == "booked" && line["customer_reference"] == reference).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_killed_at_any_moment_books_once() {
    let folder = Folder::new("legacy-killed");
    let mut server = start(&folder);
    let demo: Value =
        serde_json::from_slice(&std::fs::read(folder.0.join("demo.json")).unwrap()).unwrap();
    let token = demo["token"].as_str().unwrap().to_owned();
    // A miss is believed only beside a booking that is found.
    send(server.base_url.clone(), token.clone(), order("CANARY")).await.unwrap();
    for (number, millis) in [0, 20, 100, 350, 600].into_iter().enumerate() {
        let reference = format!("KILL-{number} sim:delay=400ms");
        let first = send(server.base_url.clone(), token.clone(), order(&reference));
        let first = tokio::spawn(first);
        tokio::time::sleep(Duration::from_millis(millis)).await;
        // By the signal that nobody can answer.
        drop(server);
        let first = first.await.unwrap().unwrap_or_default();
        // Whoever has read its label asks for a second one.
        let is_whole = first.split_once("\r\n\r\n").is_some_and(|(_, body)| body.ends_with('}'));
        server = start(&folder);
        let answer = loop {
            let again = send(server.base_url.clone(), token.clone(), order(&reference));
            let answer = again.await.expect("a server that runs answers");
            // What was under way when it was killed is looked for by the carrier's own word.
            if !answer.starts_with("HTTP/1.1 503") {
                break answer;
            }
        };
        assert!(answer.starts_with("HTTP/1.1 200"), "{number}: {}", answer.lines().next().unwrap());
        let wanted = 1 + usize::from(is_whole);
        assert_eq!(bookings(&folder, &reference), wanted, "killed after {millis} ms");
    }
}
