//! The operator's proxy, as a whole server uses it.

use super::backups::Demo;
use super::{Folder, Server, complaint, waybill};
use crate::harness::fixture::order;
use crate::harness::proxy::{Manner, TestProxy};

const SECRETS: [&str; 2] = ["hunter2", "YWRhOmh1bnRlcjI="];

#[test]
fn a_proxy_that_cannot_be_used_stops_the_start_in_one_line_without_its_password() {
    let folder = Folder::new("bad-proxy");
    for (url, words) in [
        ("https://ada:hunter2@proxy:3128", "only a proxy at an http:// address can be used"),
        ("http://ada:hunter2@proxy:x", "is not an address like http://proxy.example:3128"),
    ] {
        let mut command = waybill(&folder.0, &["serve", "--listen", "127.0.0.1:0"]);
        command.env_remove("https_proxy").env("HTTPS_PROXY", url);
        let output = command.output().unwrap();
        let line = complaint(&output);
        assert!(line.starts_with("waybill: HTTPS_PROXY: ") && line.contains(words), "{line}");
        assert!(!line.contains("hunter2"), "{line}");
        assert_eq!(String::from_utf8_lossy(&output.stderr).lines().count(), 1);
    }
    assert_eq!(std::fs::read_dir(&folder.0).unwrap().count(), 0, "nothing was made on the way");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_log_tells_of_the_proxy_and_never_its_password() {
    let (folder, way) = (Folder::new("proxy"), TestProxy::start().await);
    // The demo makes its team with a carrier that answers.
    assert!(Server::start(&folder.0, &["--demo"]).stop());
    way.now(Manner::Refuses(407));
    let arguments = ["serve", "--listen", "127.0.0.1:0", "--log", "trace"];
    let carrier = ["--sandbox-carrier-url", "https://carrier.example"];
    let mut command = waybill(&folder.0, &[&arguments[..], &carrier[..]].concat());
    command.env_remove("https_proxy").env_remove("no_proxy").env_remove("NO_PROXY");
    command.env("HTTPS_PROXY", way.url());
    let server = Server::started(command);
    let shown = format!("http://127.0.0.1:{}", way.port);
    let ready = server.logged(|line| line["message"] == "ready").await;
    assert_eq!(ready["proxy"], shown.as_str());
    let demo = Demo::read(&folder.0);
    let body = order("proxied").to_string();
    let path = demo.path("shipments");
    let (booking, refused) = tokio::join!(
        server.ask("POST", &path, &demo.token, &body),
        server.logged(|line| line["message"] == "no way through the proxy"),
    );
    assert_eq!(booking.status, 202, "it is tried again");
    assert_eq!(refused["proxy"], shown.as_str());
    assert_eq!(refused["error"], "the proxy refused with status 407");
    assert_eq!(refused["to"], "carrier.example:443");
    assert!(way.asked()[0].contains(SECRETS[1]), "the proxy itself is told");
    for secret in SECRETS {
        assert!(!server.has_logged(|line| line.to_string().contains(secret)));
    }
    let uuid = booking.at("/data/uuid").as_str().unwrap().to_owned();
    let why = super::run(&folder.0, &["why", &uuid]);
    let why = String::from_utf8(why.stdout).unwrap();
    assert!(why.contains("carrier.example: the proxy refused with status 407"), "{why}");
}
