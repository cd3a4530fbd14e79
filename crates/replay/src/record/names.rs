//! Which headers, parameters and members hold what lets somebody in, told by their names.

/// Names that are one word for it, in any of the languages that carriers speak.
const WHOLE: &[&str] = &[
    "apikey",
    "apiuid",
    "auth",
    "authorization",
    "bearer",
    "clientid",
    "clientsecret",
    "cookie",
    "credential",
    "credentials",
    "jwt",
    "kode",
    "kundeid",
    "passphrase",
    "passwd",
    "password",
    "passwort",
    "pwd",
    "secret",
    "session",
    "sessionid",
    "sig",
    "signature",
    "token",
    "username",
];
/// What the last word of a name says.
const LAST: &[&str] = &[
    "apikey",
    "authorization",
    "cookie",
    "credential",
    "credentials",
    "password",
    "secret",
    "sig",
    "signature",
    "token",
    "uid",
];
/// What kind of key is one to a door.
const KEYS: &[&str] =
    &["access", "api", "auth", "private", "secret", "session", "shared", "subscription"];
/// What answers tell of somebody who is let in that is no secret by itself.
const TOLD: &[&str] = &["auth", "clientid", "kode", "kundeid", "session", "uid", "username"];

/// Whether a part of a request with this name is a secret.
pub fn is_secret(name: &str) -> bool {
    let words = words(name);
    let (whole, last) = (words.concat(), words.last().map_or("", String::as_str));
    let is_key = last == "key" && words.iter().any(|word| KEYS.contains(&word.as_str()));
    WHOLE.contains(&whole.as_str()) || LAST.contains(&last) || is_key
}

/// The same of an answer, where fewer names are of secrets and programs read what is there.
pub fn is_secret_of_answer(name: &str) -> bool {
    let words = words(name);
    let last = words.last().map_or("", String::as_str);
    is_secret(name) && !TOLD.contains(&words.concat().as_str()) && !TOLD.contains(&last)
}

/// The words of `api_key`, `api-key`, `apiKey` and `X-API-Key`, in small letters.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_small = false;
    for c in name.chars() {
        let is_break = !c.is_alphanumeric();
        if is_break || (c.is_uppercase() && was_small) {
            words.push(String::new());
        }
        if let (false, Some(word)) = (is_break, words.last_mut()) {
            word.extend(c.to_lowercase());
        }
        was_small = c.is_lowercase();
    }
    words.retain(|word| !word.is_empty());
    // Of a header that somebody invented.
    if words.len() > 1 && words.first().is_some_and(|word| word == "x") {
        words.remove(0);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_tells_whether_it_is_of_a_secret() {
        for name in [
            "Authorization",
            "apikey",
            "X-Mybring-API-Key",
            "x-mybring-api-uid",
            "apiKey",
            "client_secret",
            "access_token",
            "refreshToken",
            "X-Amz-Signature",
            "kode",
            "kundeid",
            "Ocp-Apim-Subscription-Key",
            "X-Amz-Security-Token",
            "X-Amz-Credential",
            "password",
            "X-Session-Id",
            "sessionKey",
        ] {
            assert!(is_secret(name), "{name}");
        }
        for name in ["keyword", "token_type", "key", "code", "postnr", "expires_in", "passport"] {
            assert!(!is_secret(name) && !is_secret_of_answer(name), "{name}");
        }
        assert!(is_secret_of_answer("access_token") && is_secret_of_answer("X-Signature"));
        assert!(!is_secret_of_answer("username") && !is_secret_of_answer("kundeid"));
    }
}
