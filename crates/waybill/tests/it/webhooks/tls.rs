//! Encrypted deliveries: to who can prove its name, and to nobody else.

use std::net::IpAddr;
use std::sync::Arc;

use async_trait::async_trait;
use axum::http::HeaderMap;
use rcgen::{CertifiedKey, generate_simple_self_signed};
use rustls::crypto::ring;
use rustls::pki_types::PrivateKeyDer;
use rustls::{RootCertStore, ServerConfig};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use waybill_outbound::{Failure, Network, Outbound, Resolve};

struct Loopback;

#[async_trait]
impl Resolve for Loopback {
    async fn resolve(&self, _name: &str) -> std::io::Result<Vec<IpAddr>> {
        Ok(vec!["127.0.0.1".parse().unwrap()])
    }
}

/// A receiver that is `shop.example.com`; its port, and the authority to trust.
async fn secured() -> (u16, RootCertStore) {
    let names = vec!["shop.example.com".to_owned()];
    let CertifiedKey { cert, signing_key } = generate_simple_self_signed(names).unwrap();
    let mut roots = RootCertStore::empty();
    roots.add(cert.der().clone()).unwrap();
    let key = PrivateKeyDer::try_from(signing_key.serialize_der()).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![cert.der().clone()], key)
        .unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        let acceptor = TlsAcceptor::from(Arc::new(config));
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
