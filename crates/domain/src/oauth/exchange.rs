//! What becomes of a code that somebody brings.

use super::pkce;
use crate::time::Time;

/// A code, as it is when it is brought.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CodeState<'a> {
    /// Whether it was given to the client that brings it.
    pub is_of_client: bool,
    /// Whether it was brought before.
    pub is_used: bool,
    /// When it ends by itself.
    pub expires_at: Time,
    /// Where the browser was sent with it.
    pub redirect_uri: &'a str,
    /// Whether the client had asked for that address; else it was the only one that it has.
    pub is_redirect_sent: bool,
    /// What the client must have the proof for.
    pub challenge: &'a str,
    /// Whether its user is in its team.
    pub is_member: bool,
}

/// What the client says beside the code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Proof<'a> {
    /// The address that it had asked for.
    pub redirect_uri: Option<&'a str>,
    /// What the challenge was made of.
    pub verifier: Option<&'a str>,
}

/// What is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exchange {
    /// It is used up, and the first tokens of a family are given.
    Issue,
    /// Nothing is given and nothing changes.
    Refuse,
    /// Nothing is given, and it is used up.
    UseUp,
    /// Somebody else has used it: all tokens that came from it end.
    EndFamily,
}

/// Decides.
pub fn decide(code: &CodeState<'_>, proof: &Proof<'_>, now: Time) -> Exchange {
    if !code.is_of_client {
        return Exchange::Refuse;
    }
    if code.is_used {
        return Exchange::EndFamily;
    }
    let is_redirect_right = match proof.redirect_uri {
        Some(given) => code.is_redirect_sent && given == code.redirect_uri,
        None => !code.is_redirect_sent,
    };
    let is_proved = proof.verifier.is_some_and(|given| pkce::is_proof(code.challenge, given));
    let is_in_time = code.expires_at > now;
    match is_redirect_right && is_proved && is_in_time && code.is_member {
        true => Exchange::Issue,
        false => Exchange::UseUp,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Time = Time(1000);
    const PROOF: Proof<'static> = Proof {
        redirect_uri: Some("https://a.example/cb"),
        verifier: Some("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"),
    };
    const GOOD: CodeState<'static> = CodeState {
        is_of_client: true,
        is_used: false,
        expires_at: Time(1001),
        redirect_uri: "https://a.example/cb",
        is_redirect_sent: true,
        challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
        is_member: true,
    };

    #[test]
    fn a_good_code_with_its_proof_gives_tokens() {
        assert_eq!(decide(&GOOD, &PROOF, NOW), Exchange::Issue);
        let unsent = CodeState { is_redirect_sent: false, ..GOOD };
        let proof = Proof { redirect_uri: None, ..PROOF };
        assert_eq!(decide(&unsent, &proof, NOW), Exchange::Issue);
    }

    #[test]
    fn anything_wrong_uses_the_code_up() {
        for code in [
            CodeState { expires_at: NOW, ..GOOD },
            CodeState { is_member: false, ..GOOD },
            CodeState { is_redirect_sent: false, ..GOOD },
            CodeState { redirect_uri: "https://a.example/cb/", ..GOOD },
        ] {
            assert_eq!(decide(&code, &PROOF, NOW), Exchange::UseUp, "{code:?}");
        }
        for proof in [
            Proof { redirect_uri: None, ..PROOF },
            Proof { redirect_uri: Some("https://a.example/CB"), ..PROOF },
            Proof { verifier: None, ..PROOF },
            Proof { verifier: Some(GOOD.challenge), ..PROOF },
        ] {
            assert_eq!(decide(&GOOD, &proof, NOW), Exchange::UseUp, "{proof:?}");
        }
    }

    #[test]
    fn another_client_changes_nothing() {
        for is_used in [true, false] {
            let foreign = CodeState { is_of_client: false, is_used, ..GOOD };
            assert_eq!(decide(&foreign, &PROOF, NOW), Exchange::Refuse);
        }
    }

    #[test]
    fn a_code_that_was_used_ends_what_came_from_it_at_any_time() {
        for now in [Time(i64::MIN), NOW, Time(i64::MAX)] {
            let used = CodeState { is_used: true, ..GOOD };
            assert_eq!(decide(&used, &PROOF, now), Exchange::EndFamily);
        }
    }
}
