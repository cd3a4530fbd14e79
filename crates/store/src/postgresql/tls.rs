//! Encryption towards PostgreSQL, in the words that its own clients use: `sslmode` and
//! `sslrootcert` in the URL.

use std::path::Path;
use std::sync::Arc;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{WebPkiServerVerifier, verify_server_name};
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme,
};
use tokio_postgres::config::SslMode;
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::error::{TlsError, UrlError};

/// What a URL says about encryption. Without a word, the server decides and nobody is checked.
#[derive(Debug)]
pub(super) struct Wishes {
    /// Whether a connection is encrypted.
    pub(super) mode: SslMode,
    check: Check,
    trust: Trust,
}

/// What is checked of the server.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Check {
    Nothing,
    /// An authority vouches for it.
    Authority,
    /// An authority vouches for it, by its name.
    Name,
}

/// Whose word counts.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Trust {
    System,
    File(String),
}

impl Wishes {
    /// Reads and takes out what a URL says about encryption.
    pub(super) fn take(url: &str) -> Result<(String, Wishes), UrlError> {
        // A password may have a question mark; the query comes after it.
        let secret = url.find('@').unwrap_or(0);
        let Some(at) = url[secret..].find('?').map(|at| secret + at) else {
            return Ok((url.to_owned(), Wishes::new(None, None)?));
        };
        let (mut mode, mut authorities, mut rest) = (None, None, Vec::new());
        for pair in url[at + 1..].split('&').filter(|pair| !pair.is_empty()) {
            // Here a plus is a plus, unlike in a form.
            let pair = pair.replace('+', "%2B");
            let said = form_urlencoded::parse(pair.as_bytes()).next();
            match said.as_ref().map(|(name, value)| (&**name, &**value)) {
                Some(("sslmode", value)) => mode = Some(value.to_owned()),
                Some(("sslrootcert", value)) => authorities = Some(value.to_owned()),
                _ => rest.push(pair),
            }
        }
        let wishes = Wishes::new(mode.as_deref(), authorities)?;
        Ok((format!("{}?{}", &url[..at], rest.join("&")), wishes))
    }

    /// A wish that would check less than it seems to is refused.
    fn new(mode: Option<&str>, authorities: Option<String>) -> Result<Wishes, UrlError> {
        let trust = match authorities {
            Some(file) if file != "system" => Trust::File(file),
            Some(_) if !matches!(mode, None | Some("verify-full")) => {
                return Err(UrlError::SystemUnchecked);
            }
            Some(_) => return Ok(Wishes::certain(Trust::System)),
            None => Trust::System,
        };
        let is_file = trust != Trust::System;
        let (mode, check) = match (mode.unwrap_or("prefer"), is_file) {
            ("disable" | "prefer", true) => {
                return Err(UrlError::AuthoritiesUnchecked);
            }
            ("verify-ca", false) => {
                return Err(UrlError::NoAuthorities);
            }
            ("disable", false) => (SslMode::Disable, Check::Nothing),
            ("prefer", false) => (SslMode::Prefer, Check::Nothing),
            ("require", false) => (SslMode::Require, Check::Nothing),
            // As PostgreSQL's own clients do: who names authorities wants them asked.
            ("require" | "verify-ca", true) => (SslMode::Require, Check::Authority),
            ("verify-full", _) => return Ok(Wishes::certain(trust)),
            _ => return Err(UrlError::UnknownMode),
        };
        Ok(Wishes { mode, check, trust })
    }

    fn certain(trust: Trust) -> Wishes {
        Wishes { mode: SslMode::Require, check: Check::Name, trust }
    }

    /// What encrypts and checks as wished.
    pub(super) fn connector(&self) -> Result<MakeRustlsConnect, TlsError> {
        let provider = Arc::new(ring::default_provider());
        let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
            .with_safe_default_protocol_versions()
            .map_err(TlsError::Start)?;
        let (chain, trusted) = match self.check {
            Check::Nothing => (None, Vec::new()),
            Check::Authority | Check::Name => {
                let trusted = self.trusted()?;
                (Some(chain(&trusted, &provider)?), trusted)
            }
        };
        let is_named = self.check == Check::Name;
        let verifier = Arc::new(Verifier { provider, chain, trusted, is_named });
        let builder = builder.dangerous().with_custom_certificate_verifier(verifier);
        Ok(MakeRustlsConnect::new(builder.with_no_client_auth()))
    }

    fn trusted(&self) -> Result<Vec<CertificateDer<'static>>, TlsError> {
        let (place, found) = match &self.trust {
            Trust::System => ("the system", rustls_native_certs::load_native_certs().certs),
            Trust::File(file) => {
                let found = CertificateDer::pem_file_iter(Path::new(file));
                let found = found.and_then(Iterator::collect);
                let unreadable = |source| TlsError::Unreadable { file: file.clone(), source };
                (&**file, found.map_err(unreadable)?)
            }
        };
        match found.is_empty() {
            true => Err(TlsError::NoAuthority(place.to_owned())),
            false => Ok(found),
        }
    }
}

fn chain(
    trusted: &[CertificateDer<'static>],
    provider: &Arc<CryptoProvider>,
) -> Result<Arc<WebPkiServerVerifier>, TlsError> {
    let mut roots = RootCertStore::empty();
    let (_added, _broken) = roots.add_parsable_certificates(trusted.iter().cloned());
    WebPkiServerVerifier::builder_with_provider(Arc::new(roots), Arc::clone(provider))
        .build()
        .map_err(TlsError::Authorities)
}

/// Checks no more of the server than was wished, and always that it holds its key.
#[derive(Debug)]
struct Verifier {
    provider: Arc<CryptoProvider>,
    chain: Option<Arc<WebPkiServerVerifier>>,
    trusted: Vec<CertificateDer<'static>>,
    is_named: bool,
}

impl Verifier {
    /// A certificate of the server that was given as the authority itself. That is how most people
    /// begin, but the library wants two certificates.
    fn is_trusted_itself(&self, certificate: &CertificateDer<'_>) -> bool {
        self.trusted.iter().any(|trusted| trusted.as_ref() == certificate.as_ref())
    }
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let Some(chain) = &self.chain else { return Ok(ServerCertVerified::assertion()) };
        let verdict =
            chain.verify_server_cert(end_entity, intermediates, server_name, ocsp_response, now);
        match verdict {
            // Its dates were looked at before. Should the library call it otherwise one day, it
            // is refused.
            Err(Error::InvalidCertificate(CertificateError::Other(why)))
                if why.to_string() == "CaUsedAsEndEntity" && self.is_trusted_itself(end_entity) =>
            {
                if self.is_named {
                    verify_server_name(&ParsedCertificate::try_from(end_entity)?, server_name)?;
                }
                Ok(ServerCertVerified::assertion())
            }
            // The name is looked at last: an authority vouches for the certificate.
            Err(Error::InvalidCertificate(
                CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
            )) if !self.is_named => Ok(ServerCertVerified::assertion()),
            verdict => verdict,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls12_signature(message, certificate, signature, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signature, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}
