//! What every way out shares.

use std::sync::{Arc, OnceLock};

use rustls::client::WebPkiServerVerifier;
use rustls::crypto::ring;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};
use tokio_rustls::TlsConnector;

use crate::proxy::Proxy;
use crate::resolve::{Resolve, SystemResolver};
use crate::trust::{Trust, Verifier};

/// The names of versions of HTTP by which they are offered with TLS.
pub(crate) const HTTP2: &[u8] = b"h2";
const HTTP1: &[u8] = b"http/1.1";
const ONE: &[&[u8]] = &[HTTP1];
const ANY: &[&[u8]] = &[HTTP2, HTTP1];

/// Who resolves names, which authorities are trusted, and which proxy leads out. Cheap to clone.
#[derive(Clone)]
pub struct Network {
    pub(crate) resolver: Arc<dyn Resolve>,
    /// For HTTP/1.1.
    pub(crate) tls: TlsConnector,
    /// For whichever version of HTTP the other side likes best.
    pub(crate) tls_any_http: TlsConnector,
    /// Those who vouch for others; nobody where no authority is trusted.
    authorities: Option<Arc<WebPkiServerVerifier>>,
    proxy: Option<Arc<Proxy>>,
}

/// TLS cannot be used at all.
#[derive(Debug, thiserror::Error)]
#[error("TLS does not start: {0}")]
pub struct TlsError(#[from] rustls::Error);

/// A file of authorities cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum AuthorityError {
    /// It has no certificates.
    #[error("this is not a file with certificates (PEM)")]
    NotPem,
    /// One of its certificates is not one of an authority.
    #[error("a certificate cannot be used: {0}")]
    Unusable(#[from] rustls::Error),
    /// TLS cannot be used at all.
    #[error(transparent)]
    Tls(#[from] TlsError),
}

impl Network {
    /// The system's resolver, and the authorities that the system trusts.
    pub fn new() -> Result<Network, TlsError> {
        let (resolver, roots) = (Arc::new(SystemResolver::default()), Arc::new(system_roots()));
        let (tls, tls_any_http) = (connector(&roots, ONE)?, connector(&roots, ANY)?);
        let authorities = authorities(roots);
        Ok(Network { resolver, tls, tls_any_http, authorities, proxy: None })
    }

    /// The same with another resolver.
    pub fn resolving_with(self, resolver: Arc<dyn Resolve>) -> Network {
        Network { resolver, ..self }
    }

    /// The same trusting what the system trusts, and the authorities in this PEM file.
    pub fn trusting_too(self, pem: &[u8]) -> Result<Network, AuthorityError> {
        let mut roots = system_roots();
        let mut count = 0;
        for certificate in CertificateDer::pem_slice_iter(pem) {
            roots.add(certificate.map_err(|_| AuthorityError::NotPem)?)?;
            count += 1;
        }
        match count {
            0 => Err(AuthorityError::NotPem),
            _ => Ok(self.trusting(roots)?),
        }
    }

    /// The same by way of this proxy, when there is one.
    pub fn through(self, proxy: Option<Proxy>) -> Network {
        Network { proxy: proxy.map(Arc::new), ..self }
    }

    /// The proxy, if there is one.
    pub fn proxy(&self) -> Option<&Proxy> {
        self.proxy.as_deref()
    }

    /// The proxy by way of which an https host is called.
    pub(crate) fn proxy_for(&self, host: &str) -> Option<&Proxy> {
        self.proxy().filter(|proxy| proxy.is_for(host))
    }

    /// The same trusting only these authorities.
    pub fn trusting(self, roots: RootCertStore) -> Result<Network, TlsError> {
        let roots = Arc::new(roots);
        let (tls, tls_any_http) = (connector(&roots, ONE)?, connector(&roots, ANY)?);
        Ok(Network { tls, tls_any_http, authorities: authorities(roots), ..self })
    }

    /// TLS of HTTP/1.1 towards somebody who may be believed for another reason. The cell gets the
    /// hash of the key of one for whom no authority vouches.
    pub(crate) fn tls_trusting(
        &self,
        trust: &Trust,
    ) -> Result<(TlsConnector, Arc<OnceLock<String>>), TlsError> {
        let key = Arc::new(OnceLock::new());
        if *trust == Trust::Authorities {
            return Ok((self.tls.clone(), key));
        }
        let provider = Arc::new(ring::default_provider());
        let verifier = Verifier {
            authorities: self.authorities.clone(),
            provider: provider.clone(),
            trust: trust.clone(),
            key: key.clone(),
        };
        let config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()?
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(verifier))
            .with_no_client_auth();
        Ok((TlsConnector::from(Arc::new(speaking(config, ONE))), key))
    }
}

/// TLS towards those whom the operator chose: it trusts what the system trusts.
pub fn system_tls() -> Result<ClientConfig, TlsError> {
    configure(&Arc::new(system_roots()), ONE)
}

fn connector(roots: &Arc<RootCertStore>, protocols: &[&[u8]]) -> Result<TlsConnector, TlsError> {
    Ok(TlsConnector::from(Arc::new(configure(roots, protocols)?)))
}

fn configure(roots: &Arc<RootCertStore>, protocols: &[&[u8]]) -> Result<ClientConfig, TlsError> {
    let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()?;
    let config = builder.with_root_certificates(roots.clone()).with_no_client_auth();
    Ok(speaking(config, protocols))
}

fn speaking(mut config: ClientConfig, protocols: &[&[u8]]) -> ClientConfig {
    config.alpn_protocols = protocols.iter().map(|protocol| protocol.to_vec()).collect();
    config
}

/// Nobody, when no authority is trusted.
fn authorities(roots: Arc<RootCertStore>) -> Option<Arc<WebPkiServerVerifier>> {
    let provider = Arc::new(ring::default_provider());
    WebPkiServerVerifier::builder_with_provider(roots, provider).build().ok()
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
