//! What every way out shares.

use std::sync::Arc;

use rustls::crypto::ring;
use rustls::{ClientConfig, RootCertStore};
use tokio_rustls::TlsConnector;

use crate::resolve::{Resolve, SystemResolver};

/// Who resolves names, and which authorities are trusted. Cheap to clone.
#[derive(Clone)]
pub struct Network {
    pub(crate) resolver: Arc<dyn Resolve>,
    pub(crate) tls: TlsConnector,
}

/// TLS cannot be used at all.
#[derive(Debug, thiserror::Error)]
#[error("TLS does not start: {0}")]
pub struct TlsError(#[from] rustls::Error);

impl Network {
    /// The system's resolver, and the authorities that the system trusts.
    pub fn new() -> Result<Network, TlsError> {
        let tls = TlsConnector::from(Arc::new(system_tls()?));
        Ok(Network { resolver: Arc::new(SystemResolver::default()), tls })
    }

    /// The same with another resolver.
    pub fn resolving_with(self, resolver: Arc<dyn Resolve>) -> Network {
        Network { resolver, ..self }
    }

    /// The same trusting only these authorities.
    pub fn trusting(self, roots: RootCertStore) -> Result<Network, TlsError> {
        Ok(Network { tls: TlsConnector::from(Arc::new(configure(roots)?)), ..self })
    }
}

/// TLS towards those whom the operator chose: it trusts what the system trusts.
pub fn system_tls() -> Result<ClientConfig, TlsError> {
    configure(system_roots())
}

fn configure(roots: RootCertStore) -> Result<ClientConfig, TlsError> {
    let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()?;
    let mut config = builder.with_root_certificates(roots).with_no_client_auth();
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(config)
}

/// What the operator's system trusts; where it has nothing, what browsers trust.
fn system_roots() -> RootCertStore {
    let mut roots = RootCertStore::empty();
    let (_added, _broken) =
        roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if roots.is_empty() {
        roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
    }
    roots
}
