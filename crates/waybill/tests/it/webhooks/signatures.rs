//! Our signatures, verified by what receivers use: the official libraries for Rust and Python.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use serde_json::json;

use super::{happen, path_of, webhook, work};
use crate::harness::receiver::{Reaction, Received, Receiver};
use crate::harness::{Database, TestApp};

/// Verifies each request with each secret, and prints how many signatures were good.
const VERIFIER: &str = "
import json, sys
from standardwebhooks.webhooks import Webhook, WebhookVerificationError
good = []
for case in json.load(sys.stdin):
    try:
        Webhook(case['secret']).verify(case['body'], case['headers'])
        good.append(True)
    except WebhookVerificationError:
        good.append(False)
print(json.dumps(good))
";

/// The Python of the verifier's own environment, which `./test` makes.
fn python() -> PathBuf {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let python = root.join("target/standardwebhooks/bin/python");
    assert!(python.exists(), "there is no verifier at {}: ./verifier makes it", python.display());
    python
}

fn verify_in_python(cases: &[(&Received, &str)]) -> Vec<bool> {
    let cases: Vec<_> = cases
        .iter()
        .map(|(one, secret)| json!({"secret": secret, "body": one.body, "headers": one.headers}))
        .collect();
    let mut child = Command::new(python())
        .args(["-c", VERIFIER])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let input = json!(cases).to_string();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    serde_json::from_slice(&output.stdout).unwrap()
}

pub fn verify_in_rust(one: &Received, secret: &str) -> bool {
    let mut headers = HeaderMap::new();
    for (name, value) in &one.headers {
        let name = HeaderName::try_from(name.as_str()).unwrap();
        headers.insert(name, HeaderValue::try_from(value.as_str()).unwrap());
    }
    let webhook = standardwebhooks::Webhook::new(secret).unwrap();
    webhook.verify(one.body.as_bytes(), &headers).is_ok()
}

#[tokio::test(flavor = "multi_thread")]
async fn official_libraries_accept_our_signatures_before_during_and_after_a_rotation() {
    // A running clock: the libraries refuse what is five minutes old.
    let nowhere = "http://127.0.0.1:9".to_owned();
    let app = TestApp::with_carrier(Database::Sqlite, nowhere).await;
    let receiver = Receiver::start(|_| Reaction::Status(200)).await;
    let made = webhook(&app, &receiver.url()).await;
    let secret =
        |reply: &crate::harness::Reply| reply.at("/data/secret").as_str().unwrap().to_owned();
    let old = secret(&made);
    happen(&app).await;
    work(&app).await;
    let path = format!("{}/rotate-secret", path_of(&app, &made));
    let new = secret(&app.post(&path).admin().send().await.expect(200));
    happen(&app).await;
    work(&app).await;
    let received = receiver.received();
    let [before, during] = &received[..] else { panic!("{received:?}") };
    let mut changed = during.clone();
    changed.body = changed.body.replace("report.ready", "report.failed");
    let cases = [
        (before, old.as_str(), true),
        (before, new.as_str(), false),
        (during, old.as_str(), true),
        (during, new.as_str(), true),
        (&changed, new.as_str(), false),
    ];
    let expected: Vec<bool> = cases.iter().map(|(_, _, is_good)| *is_good).collect();
    let in_rust: Vec<bool> =
        cases.iter().map(|(one, secret, _)| verify_in_rust(one, secret)).collect();
    assert_eq!(in_rust, expected);
    let cases: Vec<_> = cases.iter().map(|(one, secret, _)| (*one, *secret)).collect();
    assert_eq!(verify_in_python(&cases), expected);
    assert_eq!(during.headers["webhook-signature"].split(' ').count(), 2);
}
