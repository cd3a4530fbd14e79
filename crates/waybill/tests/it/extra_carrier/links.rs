//! Labels that the carrier's answer only links to.

use std::net::IpAddr;
use std::sync::Arc;

use async_trait::async_trait;
use hyper::header::{AUTHORIZATION, HeaderMap};
use serde_json::json;
use waybill_carriers::links::LinkError;
use waybill_carriers::registry::Connector;
use waybill_carriers::urls::BaseUrl;
use waybill_outbound::{Failure, Network, Proxy, Resolve};

use super::Running;
use super::service::Service;
use crate::harness::proxy::TestProxy;

/// Names that lead to public addresses, where the proxy of these tests takes them to this machine.
struct Names;

#[async_trait]
impl Resolve for Names {
    async fn resolve(&self, name: &str) -> std::io::Result<Vec<IpAddr>> {
        let address = match name {
            "heron.example" => "93.184.216.34",
            "files.heron.example" => "93.184.216.35",
            "private.example" => "10.0.0.1",
            "loopback.example" => "127.0.0.1",
            _ => return Err(std::io::ErrorKind::NotFound.into()),
        };
        Ok(vec![address.parse().unwrap()])
    }
}

/// The carrier, the proxy before it, and what reaches it.
async fn reached(is_overridden: bool) -> (Service, TestProxy, Connector, BaseUrl) {
    let (carrier, proxy) = (Service::start(&[]).await, TestProxy::start().await);
    let url = format!("https://heron.example:{}", carrier.port);
    let own = BaseUrl::parse(&url).unwrap();
    let network = Network::new().unwrap().resolving_with(Arc::new(Names));
    let network = network.trusting(carrier.roots.clone()).unwrap();
    let read = Proxy::read(|name| (name == "https_proxy").then(|| proxy.url()));
    let network = network.through(read.unwrap());
    let connector = Connector::new(&network, is_overridden.then(|| own.clone()));
    (carrier, proxy, connector, own)
}

fn credentials() -> HeaderMap {
    HeaderMap::from_iter([(AUTHORIZATION, "Bearer secret".parse().unwrap())])
}

#[tokio::test(flavor = "multi_thread")]
async fn a_label_that_is_only_linked_to_becomes_a_document() {
    let running = Running::open().await;
    let booked = running.book(json!({"service_code": "heron:link"})).await;
    running.until_booked(&booked).await;
    let booked = running.read(&booked).await;
    for (n, number) in ["HR000000000", "HR000000001"].into_iter().enumerate() {
        let url = booked.at(&format!("/data/documents/{n}/url"));
        let path = url.as_str().unwrap().strip_prefix("http://waybill.test").unwrap().to_owned();
        let label = running.app.get(&path).send().await.expect(200);
        let text = String::from_utf8(label.bytes.clone()).unwrap();
        assert!(text.contains(number), "{text}");
    }
    let state = running.carrier.state();
    assert_eq!(state.files.len(), 2);
    assert!(state.files.iter().all(|(_, token)| token.is_some()), "its own host lets us in");
    assert_eq!((state.count("POST /shipments"), state.booked.len()), (1, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_label_as_large_as_an_answer_may_be_becomes_a_document() {
    let running = Running::open().await;
    let padding = 22 * 1024 * 1024;
    running.carrier.state().padding = padding;
    let booked = running.book(json!({"service_code": "heron:link"})).await;
    running.until_booked(&booked).await;
    let booked = running.read(&booked).await;
    assert_eq!(booked.at("/data/parcels/1/tracking_number"), "HR000000001");
    assert_eq!(booked.at("/data/documents").as_array().unwrap().len(), 2);
    let id = booked.at("/data/documents/0/uuid").as_str().unwrap().to_owned();
    let path = format!("/beta/teams/{}/documents/{id}", running.app.team);
    let document = running.app.get(&path).admin().send().await.expect(200);
    assert!(document.at("/data/size_bytes").as_u64().unwrap() > padding as u64);
    assert_eq!(running.carrier.state().booked.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn credentials_go_to_the_carriers_own_host_alone() {
    let (carrier, _proxy, connector, own) = reached(false).await;
    let (here, there) =
        (own.uri().authority().unwrap(), format!("files.{}", own.uri().authority().unwrap()));
    for link in [
        format!("https://{here}/files/A"),
        format!("https://{there}/files/B"),
        format!("https://{here}/to?https://{there}/files/C"),
        format!("https://{there}/to?https://{here}/files/D"),
    ] {
        let file = connector.links.fetch(&link, &own, &credentials()).await.unwrap();
        assert!(file.starts_with(b"^XA"), "{link}");
    }
    let seen = carrier.state().files.clone();
    let expected = [("A", true), ("B", false), ("C", false), ("D", true)];
    for ((name, token), (wanted, is_let_in)) in seen.iter().zip(expected) {
        assert_eq!((name.as_str(), token.is_some()), (wanted, is_let_in));
    }
    assert_eq!(seen.len(), expected.len());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_leads_on_three_times_at_most() {
    let (_carrier, _proxy, connector, own) = reached(false).await;
    let host = own.uri().authority().unwrap();
    let link = |times: usize| format!("https://{host}{}/files/A", "/to?".repeat(times));
    for times in 0..=3 {
        connector.links.fetch(&link(times), &own, &credentials()).await.unwrap();
    }
    let far = connector.links.fetch(&link(4), &own, &credentials()).await;
    assert_eq!(far.unwrap_err(), LinkError::TooFar);
}

#[tokio::test(flavor = "multi_thread")]
async fn links_and_redirects_to_private_addresses_or_in_the_open_are_refused() {
    let (carrier, proxy, connector, own) = reached(false).await;
    let (host, port) = (own.uri().authority().unwrap(), carrier.port);
    for forbidden in [
        format!("https://loopback.example:{port}/files/A"),
        format!("https://private.example:{port}/files/A"),
        format!("https://127.0.0.1:{port}/files/A"),
        format!("https://localhost:{port}/files/A"),
        format!("https://[::1]:{port}/files/A"),
        "https://heron.example:22/files/A".to_owned(),
        format!("http://heron.example:{port}/files/A"),
        format!("https://us@heron.example:{port}/files/A"),
        "file:///etc/passwd".to_owned(),
    ] {
        let asked = proxy.asked().len();
        let refused = connector.links.fetch(&forbidden, &own, &credentials()).await;
        assert_eq!(refused.unwrap_err(), LinkError::NotAllowed, "{forbidden}");
        assert_eq!(proxy.asked().len(), asked, "{forbidden}");
        let moved = format!("https://{host}/to?{forbidden}");
        let refused = connector.links.fetch(&moved, &own, &credentials()).await;
        assert_eq!(refused.unwrap_err(), LinkError::NotAllowed, "{moved}");
        assert_eq!(proxy.asked().len(), asked + 1, "{moved}");
    }
    assert_eq!(carrier.state().files, []);
}

#[tokio::test(flavor = "multi_thread")]
async fn in_the_place_of_the_carrier_links_lead_nowhere_else() {
    let (carrier, _proxy, connector, own) = reached(true).await;
    let (host, port) = (own.uri().authority().unwrap(), carrier.port);
    connector.links.fetch(&format!("https://{host}/files/A"), &own, &credentials()).await.unwrap();
    for elsewhere in [
        format!("https://files.heron.example:{port}/files/A"),
        "https://heron.example/files/A".to_owned(),
        format!("http://heron.example:{port}/files/A"),
    ] {
        for link in [elsewhere.clone(), format!("https://{host}/to?{elsewhere}")] {
            let error = connector.links.fetch(&link, &own, &credentials()).await.unwrap_err();
            assert_eq!(error.to_string(), "a link to elsewhere", "{link}");
        }
    }
    assert_eq!(carrier.state().files.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_a_file_of_a_labels_size_is_an_error() {
    let (_carrier, _proxy, connector, own) = reached(false).await;
    let link = |path: &str| format!("https://{}{path}", own.uri().authority().unwrap());
    for (path, expected) in [
        ("/huge", LinkError::NoAnswer(Failure::Broken)),
        ("/nothing", LinkError::Status(404)),
        ("/to", LinkError::Status(302)),
    ] {
        let error = connector.links.fetch(&link(path), &own, &credentials()).await.unwrap_err();
        assert_eq!(error, expected, "{path}");
    }
}
