//! Encryption towards PostgreSQL, in the words that its own clients use: `sslmode` and
//! `sslrootcert` in the URL.

use std::path::Path;
use std::sync::Arc;

use postgres::config::SslMode;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{WebPkiServerVerifier, verify_server_name};
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
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

    fn trusted(&self) -> Result<Vec<CertificateDer<'static>>, String> {
        let found = match self.authorities.as_deref().filter(|file| *file != "system") {
            None => rustls_native_certs::load_native_certs().certs,
            Some(file) => CertificateDer::pem_file_iter(Path::new(file))
                .and_then(Iterator::collect)
                .map_err(|error| format!("sslrootcert {file}: {error}"))?,
        };
        let place = self.authorities.as_deref().unwrap_or("the system");
        match found.is_empty() {
            true => Err(format!("sslrootcert: {place} has no certificate of an authority")),
            false => Ok(found),
        }
    }
}

fn chain(
    trusted: &[CertificateDer<'static>],
    provider: &Arc<CryptoProvider>,
) -> Result<Arc<WebPkiServerVerifier>, String> {
    let mut roots = RootCertStore::empty();
    let (_added, _broken) = roots.add_parsable_certificates(trusted.iter().cloned());
    WebPkiServerVerifier::builder_with_provider(Arc::new(roots), Arc::clone(provider))
        .build()
        .map_err(|error| format!("sslrootcert: {error}"))
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
    trusted: Vec<CertificateDer<'static>>,
    is_named: bool,
}

impl Verifier {
    /// A server that signed its own certificate, and was given as the authority itself. That is
    /// how most people begin, but the library wants two certificates.
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
            // Its dates are good by now.
            Err(Error::InvalidCertificate(CertificateError::Other(_)))
                if self.is_trusted_itself(end_entity) =>
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
