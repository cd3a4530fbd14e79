//! A carrier that is reached by way of the operator's proxy.

use std::time::Duration;

use serde_json::json;
use waybill_outbound::Proxy;

use super::Running;
use crate::harness::proxy::{Manner, TestProxy};

/// What the proxy is told with each request for a tunnel: `ada:hunter2`.
const CREDENTIALS: &str = "\r\nProxy-Authorization: Basic YWRhOmh1bnRlcjI=\r\n";

/// The proxy of an operator who has these exceptions.
fn proxy(url: &str, exceptions: &str) -> Option<Proxy> {
    Proxy::read(|name| match name {
        "HTTPS_PROXY" => Some(url.to_owned()),
        "no_proxy" => Some(exceptions.to_owned()),
        _ => None,
    })
    .unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_carrier_is_booked_through_the_proxy_which_resolves_its_name() {
    let way = TestProxy::start().await;
    let running = Running::open_with(proxy(&way.url(), ""), &[b"h2"]).await;
    running.book(json!({})).await.expect(201);
    assert_eq!(running.carrier.state().booked.len(), 1);
    let asked = way.asked();
    assert!(!asked.is_empty());
    let first = format!("CONNECT heron.example:{} HTTP/1.1\r\n", running.carrier.port);
    for head in asked {
        assert!(head.starts_with(&first) && head.contains(CREDENTIALS), "{head}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_carrier_that_is_excepted_is_called_straight() {
    let way = TestProxy::start().await;
    for exceptions in ["heron.example", ".example", "*"] {
        let running = Running::open_with(proxy(&way.url(), exceptions), &[]).await;
        running.book(json!({})).await.expect(201);
    }
    assert_eq!(way.asked(), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_proxy_that_opens_no_tunnel_leaves_a_booking_unsent_and_it_is_booked_once_later() {
    let way = TestProxy::start().await;
    let running = Running::open_with(proxy(&way.url(), ""), &[b"h2"]).await;
    let manners = [Manner::Refuses(407), Manner::Refuses(503), Manner::Closes, Manner::IsSilent];
    for (count, manner) in manners.into_iter().enumerate() {
        let before = way.asked().len();
        way.now(manner);
        let watched = async {
            while way.asked().len() < before + 2 {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
            // A call would be noted before its first byte leaves.
            let calls = "SELECT count(*) FROM carrier_call";
            let calls = running.app.app.read(move |tx| tx.one::<i64>(calls, &[])).await.unwrap();
            assert_eq!(calls, Some(i64::try_from(count).unwrap()), "{manner:?}");
            assert_eq!(running.carrier.state().count("POST /shipments"), count, "{manner:?}");
            way.now(Manner::Opens);
        };
        let (reply, ()) = tokio::join!(running.book(json!({})), watched);
        assert!(matches!(reply.status, 201 | 202), "{manner:?}: {}", reply.json());
        running.until_booked(&reply).await;
        assert_eq!(running.carrier.state().booked.len(), count + 1, "{manner:?}");
        assert_eq!(running.carrier.state().count("POST /shipments"), count + 1, "{manner:?}");
    }
}
