//! Encrypted deliveries: to who can prove its name, and to nobody else.

use std::sync::Arc;

use axum::http::HeaderMap;
use rustls::RootCertStore;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use waybill_outbound::{Failure, Network, Outbound, Proxy};

use crate::harness::proxy::{Manner, TestProxy};
use crate::harness::tls::{Loopback, certified};

/// A receiver that is `shop.example.com`; its port, and the authority to trust.
async fn secured() -> (u16, RootCertStore) {
    let (acceptor, roots) = certified("shop.example.com");
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let acceptor = acceptor.clone();
            tokio::spawn(async move {
                let Ok(mut stream) = acceptor.accept(stream).await else { return };
                let mut bytes = [0; 1024];
                let _count = stream.read(&mut bytes).await;
                let answer = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";
                let _gone = stream.write_all(answer).await;
                let _gone = stream.shutdown().await;
            });
        }
    });
    (port, roots)
}

async fn post(outbound: &Outbound, url: &str) -> Result<u16, Failure> {
    let line = outbound.converse();
    let (answer, _) = line.post(url, HeaderMap::new(), "{}".into()).await;
    answer.map(|answer| answer.status)
}

#[tokio::test(flavor = "multi_thread")]
async fn only_who_proves_its_name_gets_a_delivery() {
    let (port, roots) = secured().await;
    let network = Network::new().unwrap().resolving_with(Arc::new(Loopback));
    let open = Outbound::new(network.clone(), true);
    let trusting = Outbound::new(network.trusting(roots).unwrap(), true);
    let shop = format!("https://shop.example.com:{port}/hook");
    assert_eq!(post(&trusting, &shop).await, Ok(200));
    assert_eq!(post(&open, &shop).await, Err(Failure::NoTls), "nobody vouches for it");
    let other = format!("https://other.example.com:{port}/hook");
    assert_eq!(post(&trusting, &other).await, Err(Failure::NoTls), "that is not its name");
    let plain = format!("http://shop.example.com:{port}/hook");
    assert_eq!(post(&trusting, &plain).await, Err(Failure::Broken), "it speaks TLS only");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_proxy_is_asked_for_the_address_that_was_checked_and_sees_no_name() {
    let (port, roots) = secured().await;
    let way = TestProxy::start().await;
    let proxy = Proxy::read(|name| (name == "https_proxy").then(|| way.url())).unwrap();
    let network = Network::new().unwrap().resolving_with(Arc::new(Loopback)).through(proxy);
    let network = network.trusting(roots).unwrap();
    let (lax, strict) = (Outbound::new(network.clone(), true), Outbound::new(network, false));
    let shop = format!("https://shop.example.com:{port}/hook");
    assert_eq!(post(&lax, &shop).await, Ok(200));
    let asked = way.asked();
    assert_eq!(asked.len(), 1);
    assert!(asked[0].starts_with(&format!("CONNECT 127.0.0.1:{port} HTTP/1.1\r\n")), "{asked:?}");
    assert!(!asked[0].contains("shop.example.com"), "{asked:?}");
    // The address is checked before the proxy is asked, and nobody is asked for plain http.
    assert_eq!(post(&strict, &shop).await, Err(Failure::NotAllowed));
    let other = format!("https://other.example.com:{port}/hook");
    assert_eq!(post(&lax, &other).await, Err(Failure::NoTls), "that is not its name");
    let plain = format!("http://shop.example.com:{port}/hook");
    assert_eq!(post(&lax, &plain).await, Err(Failure::Broken), "it speaks TLS only");
    assert_eq!(way.asked().len(), 2);
    for manner in [Manner::Refuses(407), Manner::Closes] {
        way.now(manner);
        assert_eq!(post(&lax, &shop).await, Err(Failure::NoConnection), "{manner:?}");
    }
}
