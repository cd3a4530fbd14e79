//! Somebody on loopback who speaks TLS under a name of its own.

use std::net::IpAddr;
use std::sync::Arc;

use async_trait::async_trait;
use rcgen::{CertifiedKey, generate_simple_self_signed};
use rustls::crypto::ring;
use rustls::pki_types::PrivateKeyDer;
use rustls::{RootCertStore, ServerConfig};
use tokio_rustls::TlsAcceptor;
use waybill_outbound::Resolve;

/// Every name leads to this machine.
pub struct Loopback;

#[async_trait]
impl Resolve for Loopback {
    async fn resolve(&self, _name: &str) -> std::io::Result<Vec<IpAddr>> {
        Ok(vec!["127.0.0.1".parse().unwrap()])
    }
}

/// Proves this name to those who trust the authority beside it.
pub fn certified(name: &str) -> (TlsAcceptor, RootCertStore) {
    certified_speaking(&[name], &[])
}

/// The same for several names, speaking these protocols, the best first.
pub fn certified_speaking(names: &[&str], protocols: &[&[u8]]) -> (TlsAcceptor, RootCertStore) {
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    let CertifiedKey { cert, signing_key } = generate_simple_self_signed(names).unwrap();
    let mut roots = RootCertStore::empty();
    roots.add(cert.der().clone()).unwrap();
    let key = PrivateKeyDer::try_from(signing_key.serialize_der()).unwrap();
    let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![cert.der().clone()], key)
        .unwrap();
    config.alpn_protocols = protocols.iter().map(|protocol| protocol.to_vec()).collect();
    (TlsAcceptor::from(Arc::new(config)), roots)
}
