//! Encryption towards PostgreSQL, in the words that its own clients use: `sslmode` and
//! `sslrootcert` in the URL.

use std::path::Path;
use std::sync::Arc;

use postgres::config::SslMode;
use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme,
};
use tokio_postgres_rustls::MakeRustlsConnect;

/// What a URL says about encryption. Without a word, the server decides and nobody is checked.
#[derive(Debug)]
pub(super) struct Wishes {
    /// Whether a connection is encrypted.
    pub(super) mode: SslMode,
    check: Check,
    /// The file of authorities; without one, those of the system are asked.
    authorities: Option<String>,
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

impl Wishes {
    /// Reads and takes out what a URL says about encryption.
    pub(super) fn take(url: &str) -> Result<(String, Wishes), String> {
        let mut wishes = Wishes { mode: SslMode::Prefer, check: Check::Nothing, authorities: None };
        let (base, query) = url.split_once('?').unwrap_or((url, ""));
        let mut rest = Vec::new();
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let Some((name, value)) = form_urlencoded::parse(pair.as_bytes()).next() else {
                continue;
            };
            match &*name {
                "sslmode" => (wishes.mode, wishes.check) = mode(&value)?,
                "sslrootcert" => wishes.authorities = Some(value.into_owned()),
                _ => rest.push(pair),
            }
        }
        // As PostgreSQL's own clients do: who names authorities wants them asked.
        if wishes.mode == SslMode::Require
            && wishes.check == Check::Nothing
            && wishes.authorities.is_some()
        {
            wishes.check = Check::Authority;
        }
        Ok((format!("{base}?{}", rest.join("&")), wishes))
    }

    /// What encrypts and checks as wished.
    pub(super) fn connector(&self) -> Result<MakeRustlsConnect, String> {
        let provider = Arc::new(ring::default_provider());
        let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
            .with_safe_default_protocol_versions()
            .map_err(|error| format!("TLS does not start: {error}"))?;
        let chain = match self.check {
            Check::Nothing => None,
            Check::Authority | Check::Name => Some(self.chain(&provider)?),
        };
        let is_named = self.check == Check::Name;
        let verifier = Arc::new(Verifier { provider, chain, is_named });
        let builder = builder.dangerous().with_custom_certificate_verifier(verifier);
        Ok(MakeRustlsConnect::new(builder.with_no_client_auth()))
    }

    fn chain(&self, provider: &Arc<CryptoProvider>) -> Result<Arc<WebPkiServerVerifier>, String> {
        let mut roots = RootCertStore::empty();
        match self.authorities.as_deref().filter(|file| *file != "system") {
            None => {
                let found = rustls_native_certs::load_native_certs().certs;
                let (_added, _broken) = roots.add_parsable_certificates(found);
            }
            Some(file) => {
                let wrong = |error: &dyn std::fmt::Display| format!("sslrootcert {file}: {error}");
                let all = CertificateDer::pem_file_iter(Path::new(file));
                for certificate in all.map_err(|error| wrong(&error))? {
                    let certificate = certificate.map_err(|error| wrong(&error))?;
                    roots.add(certificate).map_err(|error| wrong(&error))?;
                }
            }
        }
        if roots.is_empty() {
            let place = self.authorities.as_deref().unwrap_or("the system");
            return Err(format!("sslrootcert: {place} has no certificate of an authority"));
        }
        WebPkiServerVerifier::builder_with_provider(Arc::new(roots), Arc::clone(provider))
            .build()
            .map_err(|error| format!("sslrootcert: {error}"))
    }
}

fn mode(word: &str) -> Result<(SslMode, Check), String> {
    Ok(match word {
        "disable" => (SslMode::Disable, Check::Nothing),
        "prefer" => (SslMode::Prefer, Check::Nothing),
        "require" => (SslMode::Require, Check::Nothing),
        "verify-ca" => (SslMode::Require, Check::Authority),
        "verify-full" => (SslMode::Require, Check::Name),
        _ => return Err("sslmode is disable, prefer, require, verify-ca or verify-full".to_owned()),
    })
}

/// Checks no more of the server than was wished, and always that it holds its key.
#[derive(Debug)]
struct Verifier {
    provider: Arc<CryptoProvider>,
    chain: Option<Arc<WebPkiServerVerifier>>,
    is_named: bool,
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
