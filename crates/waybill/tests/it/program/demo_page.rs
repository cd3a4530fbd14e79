//! The page of a demo has the demo's team and token, for those on this machine who ask by its name.

use serde_json::Value;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use super::{Folder, Server};
use crate::harness::{Reply, socket};

/// Asks a server for its page, by this name and with further header lines.
async fn page(server: &Server, host: &str, lines: &str) -> Reply {
    let address = server.base_url.strip_prefix("http://").unwrap();
    let mut stream = TcpStream::connect(address).await.unwrap();
    let request = format!("GET /docs HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{lines}\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    socket::answer(&mut stream, "GET", "/docs").await.expect(200)
}

fn text(reply: &Reply) -> String {
    String::from_utf8(reply.bytes.clone()).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_of_a_demo_is_filled_in_on_this_machine_alone() {
    let folder = Folder::new("demo-page");
    let server = Server::start(&folder.0, &["--demo"]);
    let demo = std::fs::read_to_string(folder.0.join("demo.json")).unwrap();
    let demo: Value = serde_json::from_str(&demo).unwrap();
    let (team, token) = (demo["team_uuid"].as_str().unwrap(), demo["token"].as_str().unwrap());
    let address = server.base_url.strip_prefix("http://").unwrap().to_owned();
    let filled = page(&server, &address, "").await;
    let body = format!("<body data-team=\"{team}\" data-token=\"{token}\">");
    assert!(text(&filled).contains(&body), "{}", text(&filled));
    // A page of another site must not read the token.
    let evil = page(&server, &address, "Origin: https://evil.example\r\n").await;
    for reply in [&filled, &evil] {
        assert_eq!(reply.header("access-control-allow-origin"), None);
        assert_eq!(reply.header("cross-origin-resource-policy"), Some("same-origin"));
        assert_eq!(reply.header("cache-control"), Some("private, no-store"));
    }
    for (host, lines) in [("evil.example", ""), (&address, "X-Forwarded-For: 192.0.2.1\r\n")] {
        assert!(!text(&page(&server, host, lines).await).contains(token), "{host} {lines}");
    }
    server.get("/v2/me", token).await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_public_demo_shows_its_token_and_a_server_that_is_not_a_demo_has_none() {
    let folder = Folder::new("public-page");
    let mut server = Server::start(&folder.0, &["--demo", "--demo-public"]);
    assert!(text(&page(&server, "demo.example.com", "").await).contains("data-token=\"wb_"));
    server.stop();
    // The same database, with the demo's team in it.
    let server = Server::start(&folder.0, &[]);
    let address = server.base_url.strip_prefix("http://").unwrap().to_owned();
    let page = text(&page(&server, &address, "").await);
    assert!(page.contains("<body>") && !page.contains("wb_"), "{page}");
}
