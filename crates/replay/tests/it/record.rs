//! The recorder: what it writes, what it does not write, and what it leads on.

use std::path::Path;

use waybill_outbound::Network;
use waybill_replay::{Exchanges, Options, RecordError, RecordOptions, Recorder, Replay};

use super::tape::{Folder, options};
use super::{Reply, send_to, tls};

fn written(folder: &Folder) -> String {
    std::fs::read_to_string(folder.0.join("exchanges.toml")).unwrap()
}

async fn carrier(text: &str) -> Replay {
    let exchanges = Exchanges::text(text, Path::new(".")).unwrap();
    Replay::start(exchanges, Options::default()).await.unwrap()
}

async fn recorded(upstream: &Replay, folder: &Folder) -> Recorder {
    Recorder::start(Network::new().unwrap(), options(upstream.url(), folder)).await.unwrap()
}

async fn ask(url: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Reply {
    let method = if body.is_empty() { "GET" } else { "POST" };
    send_to(url, method, path, headers, body).await.unwrap()
}

#[tokio::test]
async fn what_is_asked_twice_is_answered_in_turn_and_the_last_answer_stays() {
    let text = r#"
        [[exchange]]
        name = "first"
        times = 1
        request = { path = "/state" }
        answer = { text = "waits" }
        [[exchange]]
        name = "more"
        request = { path = "/state", query = { long = "1" } }
        answer = { text = "at length" }
        [[exchange]]
        name = "then"
        request = { path = "/state" }
        answer = { status = 404 }"#;
    let (folder, upstream) = (Folder::new(), carrier(text).await);
    let recorder = recorded(&upstream, &folder).await;
    let mut heard = Vec::new();
    for path in ["/state", "/state", "/state?long=1"] {
        heard.push(ask(recorder.url(), path, &[], "").await);
    }
    let again = Replay::start(Exchanges::folder(&folder.0).unwrap(), Options::default());
    let again = again.await.unwrap();
    for (path, reply) in ["/state", "/state", "/state?long=1"].into_iter().zip(&heard) {
        assert_eq!(ask(again.url(), path, &[], "").await, *reply, "{}", written(&folder));
    }
    assert_eq!(ask(again.url(), "/state", &[], "").await, (404, String::new()));
    assert_eq!(heard[0], (200, "waits".to_owned()));
}

#[tokio::test]
async fn a_secret_is_hidden_wherever_it_comes_back_and_whatever_it_is_called() {
    let text = r#"
        [[exchange]]
        name = "echo"
        request = { headers = { x-shop-api-key = "{key}" }, json = '{"user": {"password": "{password}"}}' }
        answer = { json = '''{"message": "no {key} for {password}", "accessToken": "fresh-token-7",
          "token_type": "Bearer", "link": "https://files.example/a?X-Amz-Signature=sig-of-link-9"}''' }
        [[exchange]]
        name = "token"
        request = { headers = { authorization = "{any}" } }
        answer = { text = "fresh-token-7 and quite-known-1 are known" }"#;
    let (folder, upstream) = (Folder::new(), carrier(text).await);
    let mut options = options(upstream.url(), &folder);
    options.secrets.learn("quite-known-1");
    let recorder = Recorder::start(Network::new().unwrap(), options).await.unwrap();
    let body = r#"{"user": {"password": "hush-hush-2"}}"#;
    let key = [("x-shop-api-key", "key-of-shop-3")];
    let (status, said) = ask(recorder.url(), "/orders", &key, body).await;
    assert!(status == 200 && said.contains("key-of-shop-3"), "who asks hears all: {said}");
    let token = [("authorization", "Bearer fresh-token-7")];
    ask(recorder.url(), "/more/fresh-token-7", &token, "").await;
    let written = written(&folder);
    for secret in ["hush-hush", "key-of-shop", "fresh-token", "sig-of-link", "quite-known"] {
        assert!(!written.contains(secret), "{secret} is in {written}");
    }
    assert!(written.contains("Bearer") && written.contains("/more/{secret}"), "{written}");
    let again = Replay::start(Exchanges::folder(&folder.0).unwrap(), Options::default());
    let again = again.await.unwrap();
    let (status, said) = ask(again.url(), "/orders", &[("x-shop-api-key", "other")], body).await;
    assert!(status == 200 && said.contains("no redacted for redacted"), "{said}");
}

#[tokio::test]
async fn a_folder_with_something_in_it_is_left_alone_unless_somebody_says_so() {
    let (folder, upstream) = (Folder::new(), carrier("").await);
    std::fs::create_dir(&folder.0).unwrap();
    std::fs::write(folder.0.join("old.toml"), "[[exchange]]\nname = 'old'\n").unwrap();
    std::fs::write(folder.0.join("notes.txt"), "mine").unwrap();
    let refused = Recorder::start(Network::new().unwrap(), options(upstream.url(), &folder)).await;
    assert!(matches!(refused, Err(RecordError::NotEmpty(_))));
    assert!(folder.0.join("old.toml").exists());
    let over = RecordOptions { overwrites: true, ..options(upstream.url(), &folder) };
    let recorder = Recorder::start(Network::new().unwrap(), over).await.unwrap();
    assert_eq!(recorder.count(), 0);
    assert!(!folder.0.join("old.toml").exists() && folder.0.join("notes.txt").exists());
    Exchanges::folder(&folder.0).unwrap();
}

#[tokio::test]
async fn a_carrier_that_is_not_there_is_told_and_not_recorded() {
    let folder = Folder::new();
    let nobody = options("http://127.0.0.1:9", &folder);
    let recorder = Recorder::start(Network::new().unwrap(), nobody).await.unwrap();
    let (status, words) = ask(recorder.url(), "/orders?apikey=hush", &[], "").await;
    assert_eq!(status, 502);
    assert!(words.starts_with("the carrier is not there") && !words.contains("hush"), "{words}");
    assert_eq!(recorder.count(), 0);
}

#[tokio::test]
async fn files_and_long_answers_are_beside_the_exchanges_and_links_lead_to_the_recorder() {
    let points: Vec<String> =
        (0..2000).map(|n| format!(r#"{{"code": "{n}", "x": 1.50}}"#)).collect();
    let text = format!(
        r#"
        [[exchange]]
        name = "points"
        request = {{ path = "/points" }}
        answer = {{ json = '[{}]' }}
        [[exchange]]
        name = "label"
        request = {{ path = "/label" }}
        answer = {{ headers = {{ content-type = "application/pdf" }}, base64 = "JVBERi0xLjT/AA==" }}
        [[exchange]]
        name = "place"
        request = {{ path = "/place" }}
        answer = {{ headers = {{ location = "{{url}}/label" }}, status = 302 }}
        [[exchange]]
        name = "braces"
        request = {{ path = "/braces" }}
        answer = {{ headers = {{ content-type = "text/plain" }}, base64 = "XntuYW1lfQ==" }}"#,
        points.join(",")
    );
    let (folder, upstream) = (Folder::new(), carrier(&text).await);
    let recorder = recorded(&upstream, &folder).await;
    let mut heard = Vec::new();
    for path in ["/points", "/label", "/place", "/braces"] {
        heard.push(ask(recorder.url(), path, &[], "").await);
    }
    let label = std::fs::read(folder.0.join("answer-2.pdf")).unwrap();
    assert_eq!(label, b"%PDF-1.4\xff\0");
    assert!(folder.0.join("answer-1.json").exists());
    assert!(written(&folder).contains("\"location\" = \"{url}/label\""), "{}", written(&folder));
    assert_eq!(heard[3].1, "^{name}");
    let again = Replay::start(Exchanges::folder(&folder.0).unwrap(), Options::default());
    let again = again.await.unwrap();
    for (path, reply) in ["/points", "/label", "/place", "/braces"].into_iter().zip(&heard) {
        assert_eq!(ask(again.url(), path, &[], "").await, *reply, "{path}");
    }
}

#[tokio::test]
async fn it_speaks_tls_with_the_carrier_and_only_with_one_that_it_trusts() {
    let (acceptor, network) = tls();
    let exchanges =
        Exchanges::text("[[exchange]]\nname = 'a'\nanswer = { text = 'hi' }", Path::new("."));
    let options_of = Options { listen: None, tls: Some((acceptor, "carrier.example".to_owned())) };
    let upstream = Replay::start(exchanges.unwrap(), options_of).await.unwrap();
    assert!(upstream.url().starts_with("https://"));
    let folder = Folder::new();
    let recorder = Recorder::start(network, options(upstream.url(), &folder)).await.unwrap();
    assert_eq!(ask(recorder.url(), "/", &[], "").await, (200, "hi".to_owned()));
    let stranger = Folder::new();
    let (_, loopback) = tls();
    let distrusts = Recorder::start(loopback, options(upstream.url(), &stranger)).await.unwrap();
    assert_eq!(ask(distrusts.url(), "/", &[], "").await.0, 502);
    assert_eq!((recorder.count(), distrusts.count()), (1, 0));
}
