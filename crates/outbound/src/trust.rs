//! Whom a server is believed to be. Printers sign their certificates themselves, so that nobody
//! vouches for them: they are known again by their public key.

use std::sync::{Arc, OnceLock};

use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{CertificateError, DigitallySignedStruct, Error, SignatureScheme};
use sha2::{Digest, Sha256};

/// Who is believed beside those for whom an authority vouches that the system trusts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Trust {
    /// Nobody.
    #[default]
    Authorities,
    /// Whoever is there now. The key is told, and believed from then on.
    Anybody,
    /// Whoever has the key of this hash: SHA-256 of the public key as it stands in certificates, in
    /// hexadecimal digits.
    Key(String),
}

/// Checks certificates, and remembers the key of one that no authority vouches for.
#[derive(Debug)]
pub(crate) struct Verifier {
    pub authorities: Option<Arc<WebPkiServerVerifier>>,
    pub provider: Arc<CryptoProvider>,
    pub trust: Trust,
    pub key: Arc<OnceLock<String>>,
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
        let vouched = match &self.authorities {
            None => Err(Error::InvalidCertificate(CertificateError::UnknownIssuer)),
            Some(all) => {
                all.verify_server_cert(end_entity, intermediates, server_name, ocsp_response, now)
            }
        };
        let Err(refusal) = vouched else { return vouched };
        let certificate = ParsedCertificate::try_from(end_entity)?;
        let digest = Sha256::digest(certificate.subject_public_key_info());
        let key: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        let is_believed = match &self.trust {
            Trust::Authorities => false,
            Trust::Anybody => true,
            Trust::Key(known) => *known == key,
        };
        let _first = self.key.set(key);
        if is_believed { Ok(ServerCertVerified::assertion()) } else { Err(refusal) }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls12_signature(message, certificate, signed, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signed, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}
