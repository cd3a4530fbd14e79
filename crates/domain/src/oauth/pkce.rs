//! Proof that whoever brings a code is who asked for it (RFC 7636), by SHA-256 alone.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

/// Whether this can be a challenge: 43 characters that stand for 32 bytes.
pub fn is_challenge(text: &str) -> bool {
    text.len() == 43 && URL_SAFE_NO_PAD.decode(text).is_ok_and(|bytes| bytes.len() == 32)
}

/// Whether this can be a verifier.
pub fn is_verifier(text: &str) -> bool {
    let is_known = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    (43..=128).contains(&text.len()) && text.bytes().all(is_known)
}

/// Whether the verifier is the one that the challenge was made of.
pub fn is_proof(challenge: &str, verifier: &str) -> bool {
    is_verifier(verifier) && URL_SAFE_NO_PAD.encode(Sha256::digest(verifier)) == challenge
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of RFC 7636, appendix B.
    const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
    const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

    #[test]
    fn the_example_of_the_rfc_is_a_proof_and_nothing_near_it() {
        assert!(is_challenge(CHALLENGE) && is_proof(CHALLENGE, VERIFIER));
        assert!(!is_proof(CHALLENGE, &VERIFIER.replace('d', "D")));
        // The challenge itself, as `plain` would have it.
        assert!(!is_proof(CHALLENGE, CHALLENGE) && !is_proof(VERIFIER, VERIFIER));
    }

    #[test]
    fn lengths_and_alphabets_are_those_of_the_rfc() {
        assert!(!is_challenge(&CHALLENGE[1..]) && !is_challenge(&format!("{CHALLENGE}A")));
        assert!(!is_challenge(&CHALLENGE.replace('-', "+")));
        assert!(!is_verifier(&VERIFIER[1..]) && is_verifier(&"~".repeat(128)));
        assert!(!is_verifier(&"~".repeat(129)) && !is_verifier(&"æ".repeat(43)));
    }
}
