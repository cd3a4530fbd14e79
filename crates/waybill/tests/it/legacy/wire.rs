//! The program as a plugin meets it: over a socket, with as few headers as its library sends.

use serde_json::Value;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use crate::harness::{Reply, socket};
use crate::program::{Folder, Server, run};

async fn get(server: &Server, path: &str) -> Reply {
    let address = server.base_url.strip_prefix("http://").unwrap();
    let mut stream = TcpStream::connect(address).await.unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nHost: shop\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    socket::answer(&mut stream, "GET", path).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_in_a_path_is_in_no_line_of_the_log() {
    let folder = Folder::new("legacy-wire");
    let made = run(
        &folder.0,
        &["team", "create", "--name", "Shop", "--domain", "shop.example.com", "--json"],
    );
    let made: Value = serde_json::from_slice(&made.stdout).unwrap();
    let token = made["token"].as_str().unwrap();
    let arguments = ["--log", "debug", "--legacy-sunset", "2028-01-01"];
    let mut server = Server::start(&folder.0, &arguments);
    let path = format!("/api/v1/website/www.shop.example.com/?api_token={token}");
    let reply = get(&server, &path).await.expect(200);
    assert_eq!(reply.at("/data/website"), "shop.example.com");
    assert_eq!(reply.header("sunset"), Some("Sat, 01 Jan 2028 00:00:00 GMT"));
    for (path, status) in
        [("/api/v1/nothing", 404), ("/api/v1/website/x/agents", 404), ("/v2/me", 401)]
    {
        get(&server, &format!("{path}?api_token={token}")).await.expect(status);
    }
    get(&server, &format!("/api/v1/me?api_token={token}&api_token={token}")).await.expect(400);
    let is_answer = |line: &Value| line["route"] == "/api/v1/website/{team}";
    server.logged(is_answer).await;
    assert!(server.stop());
    assert!(!server.log().contains(token), "{}", server.log());
}

#[test]
fn the_last_day_of_the_older_api_is_a_date() {
    let folder = Folder::new("legacy-sunset");
    let ended = run(&folder.0, &["serve", "--legacy-sunset", "1 January"]);
    let told = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert!(!ended.status.success());
    assert!(
        told.contains("--legacy-sunset: \"1 January\" is not a date such as 2028-01-01"),
        "{told}"
    );
}
