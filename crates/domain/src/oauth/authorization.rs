//! What an app asks a user for, and everything that can be wrong with it. What is wrong with the
//! app or with the address to go back to is told to the user alone; everything else is told to the
//! app, at that address.

use super::{ErrorCode, asked_scopes, redirect};
use crate::access::Scopes;

/// The parameters that we know, in the order in which a page repeats them. Others are ignored.
pub const NAMES: [&str; 7] = [
    "response_type",
    "client_id",
    "redirect_uri",
    "scope",
    "state",
    "code_challenge",
    "code_challenge_method",
];

/// The longest `state`, in bytes.
const STATE_MAX: usize = 2048;
/// A SHA-256 in base64url.
const CHALLENGE: usize = 43;

/// The parameters of a request, as they came.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parameters(Vec<(String, String)>);

/// What an app may ask for.
#[derive(Clone, Debug)]
pub struct Registration<'a> {
    /// Where browsers may be sent for it.
    pub redirect_uris: &'a [String],
    /// The most that it may ask for.
    pub scopes: &'a Scopes,
}

/// What is asked for, when nothing is wrong with it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Asked {
    /// Where the browser goes afterwards.
    pub way_back: WayBack,
    /// Whether the app named that address; else it is the only one that it has.
    pub is_redirect_sent: bool,
    /// What the app has the proof for.
    pub challenge: String,
    /// What it wants to do, in order.
    pub scopes: Scopes,
}

/// An address of the app, and what it wants to hear there again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WayBack {
    /// The address.
    pub redirect_uri: String,
    /// What the app knows its request by.
    pub state: Option<String>,
}

/// Why nothing is asked of the user.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// There is no such app. The browser stays here.
    UnknownClient,
    /// The address is not one of the app's. The browser stays here.
    UnknownRedirect,
    /// The app is told why.
    Told(WayBack, ErrorCode, &'static str),
}

impl Parameters {
    /// Those that we know.
    pub fn known(all: impl IntoIterator<Item = (String, String)>) -> Parameters {
        let known = all.into_iter().filter(|(name, _)| NAMES.contains(&name.as_str()));
        Parameters(known.collect())
    }

    /// Those that say something, in one order: a page repeats them, and what comes back must be the
    /// same.
    pub fn filled(&self) -> Vec<(String, String)> {
        let of = |name: &str| {
            let same = move |pair: &&(String, String)| pair.0 == name && !pair.1.is_empty();
            self.0.iter().filter(same).cloned().collect::<Vec<_>>()
        };
        NAMES.iter().flat_map(|name| of(name)).collect()
    }

    /// The same as a query.
    pub fn query(&self) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(self.filled());
        query.finish()
    }

    /// The app that asks, when it is named once.
    pub fn client_id(&self) -> Option<&str> {
        self.once("client_id")
    }

    /// A parameter's text. One without a value counts as left out (RFC 6749, section 3.1).
    fn value(&self, name: &str) -> Option<&str> {
        let mut all = self.0.iter().filter(|(other, _)| other == name);
        all.next().map(|(_, value)| value.as_str()).filter(|value| !value.is_empty())
    }

    fn once(&self, name: &str) -> Option<&str> {
        if self.is_twice(name) { None } else { self.value(name) }
    }

    fn is_twice(&self, name: &str) -> bool {
        self.0.iter().filter(|(other, _)| other == name).count() > 1
    }

    /// What is asked for of this app, or the first thing that is wrong with it.
    pub fn check(&self, client: Option<&Registration<'_>>) -> Result<Asked, Refusal> {
        let client = client.ok_or(Refusal::UnknownClient)?;
        let redirect_uri = self.redirect_uri(client).ok_or(Refusal::UnknownRedirect)?;
        let state = self.once("state").map(str::to_owned);
        let way_back = WayBack { redirect_uri, state };
        let scopes = self.check_rest(client);
        match scopes {
            Ok(scopes) => Ok(Asked {
                way_back,
                is_redirect_sent: self.value("redirect_uri").is_some(),
                challenge: self.value("code_challenge").unwrap_or_default().to_owned(),
                scopes,
            }),
            Err((code, why)) => Err(Refusal::Told(way_back, code, why)),
        }
    }

    fn redirect_uri(&self, client: &Registration<'_>) -> Option<String> {
        if self.is_twice("redirect_uri") {
            return None;
        }
        match (self.value("redirect_uri"), client.redirect_uris) {
            (None, [only]) => Some(only.clone()),
            (None, _) => None,
            (Some(asked), registered) => {
                let mut registered = registered.iter();
                let is_known = registered.any(|known| redirect::is_match(known, asked));
                is_known.then(|| asked.to_owned())
            }
        }
    }

    /// The scopes that are asked for, when the rest is fine too.
    fn check_rest(&self, client: &Registration<'_>) -> Result<Scopes, (ErrorCode, &'static str)> {
        let invalid = |why| Err((ErrorCode::InvalidRequest, why));
        if NAMES.iter().any(|name| self.is_twice(name)) {
            return invalid("A parameter is given twice.");
        }
        if self.value("response_type") != Some("code") {
            let code = ErrorCode::UnsupportedResponseType;
            return Err((code, code.description()));
        }
        if self.0.iter().any(|(_, value)| value.contains(char::is_control)) {
            return invalid("A parameter has a control character.");
        }
        if self.value("state").is_some_and(|state| state.len() > STATE_MAX) {
            return invalid("state is longer than 2048 bytes.");
        }
        match self.value("code_challenge") {
            None => return invalid("code_challenge is missing: PKCE is required."),
            Some(challenge) if !is_challenge(challenge) => {
                return invalid("code_challenge is not 43 characters of base64url.");
            }
            Some(_) => {}
        }
        if self.value("code_challenge_method") != Some("S256") {
            return invalid("code_challenge_method must be S256.");
        }
        asked_scopes(self.value("scope"), client.scopes)
            .map_err(|code| (code, "A scope is unknown, or not among those of the client."))
    }
}

/// One that no verifier leads to harms nobody: its code is never exchanged.
fn is_challenge(text: &str) -> bool {
    let is_known = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
    text.len() == CHALLENGE && text.bytes().all(is_known)
}

impl WayBack {
    /// The address with these parameters, then `state` as it came, then who answers (RFC 9207).
    pub fn with(&self, parameters: &[(&str, &str)], issuer: &str) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(parameters);
        if let Some(state) = &self.state {
            query.append_pair("state", state);
        }
        query.append_pair("iss", issuer);
        let sign = if self.redirect_uri.contains('?') { '&' } else { '?' };
        format!("{}{sign}{}", self.redirect_uri, query.finish())
    }

    /// Where a user sees that the browser will go: the host, or the scheme of an app's own.
    pub fn host(&self) -> &str {
        let (scheme, rest) = self.redirect_uri.split_once(':').unwrap_or_default();
        match rest.strip_prefix("//").filter(|_| is_http(scheme)) {
            Some(rest) => rest.split(['/', '?']).next().unwrap_or_default(),
            None => scheme,
        }
    }

    /// What a Content-Security-Policy calls it: its origin. A scheme of an app's own has none, and
    /// the policy cannot write an IPv6 address: there it is the scheme.
    pub fn source(&self) -> String {
        let (scheme, _) = self.redirect_uri.split_once(':').unwrap_or_default();
        let host = self.host();
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._:".contains(&byte);
        match is_http(scheme) && !host.is_empty() && host.bytes().all(is_plain) {
            true => format!("{scheme}://{host}"),
            false => format!("{scheme}:"),
        }
    }
}

fn is_http(scheme: &str) -> bool {
    ["http", "https"].iter().any(|known| scheme.eq_ignore_ascii_case(known))
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
    const HOME: &str = "https://app.example.com/cb";

    fn good() -> Vec<(&'static str, &'static str)> {
        vec![
            ("response_type", "code"),
            ("client_id", "wbc_1"),
            ("redirect_uri", HOME),
            ("scope", "wms:read shipments:read"),
            ("state", "x y"),
            ("code_challenge", GOOD),
            ("code_challenge_method", "S256"),
        ]
    }

    fn with(name: &str, value: &'static str) -> Vec<(&'static str, &'static str)> {
        let all = good().into_iter();
        all.map(|(other, old)| (other, if other == name { value } else { old })).collect()
    }

    fn check(pairs: &[(&str, &str)], redirect_uris: &[&str]) -> Result<Asked, Refusal> {
        let scopes = Scopes::parse("shipments:read wms:read").unwrap();
        check_scopes(pairs, redirect_uris, &scopes)
    }

    fn check_scopes(
        pairs: &[(&str, &str)],
        redirect_uris: &[&str],
        scopes: &Scopes,
    ) -> Result<Asked, Refusal> {
        let redirect_uris: Vec<String> = redirect_uris.iter().map(|&uri| uri.to_owned()).collect();
        let client = Registration { redirect_uris: &redirect_uris, scopes };
        let pairs = pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        Parameters::known(pairs).check(Some(&client))
    }

    fn told(pairs: &[(&str, &str)]) -> ErrorCode {
        match check(pairs, &[HOME]) {
            Err(Refusal::Told(_, code, _)) => code,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_is_asked_for_is_read_and_scopes_are_put_in_order() {
        let asked = check(&good(), &[HOME, "https://other.example.com/"]).unwrap();
        assert_eq!(asked.scopes.to_string(), "shipments:read wms:read");
        assert_eq!(asked.challenge, GOOD);
        assert!(asked.is_redirect_sent);
        let back = asked.way_back.with(&[("code", "c")], "https://w.example");
        assert_eq!(back, format!("{HOME}?code=c&state=x+y&iss=https%3A%2F%2Fw.example"));
    }

    #[test]
    fn an_address_may_be_left_out_when_exactly_one_is_registered() {
        let pairs = with("redirect_uri", "");
        let asked = check(&pairs, &[HOME]).unwrap();
        assert!(!asked.is_redirect_sent && asked.way_back.redirect_uri == HOME);
        assert_eq!(check(&pairs, &[HOME, "https://b.example/"]), Err(Refusal::UnknownRedirect));
        assert_eq!(check(&pairs, &[]), Err(Refusal::UnknownRedirect));
    }

    #[test]
    fn an_address_that_is_not_registered_or_named_twice_is_never_gone_to() {
        for uri in ["https://app.example.com/cb/", "https://app.example.com/CB", "//x", "x"] {
            let pairs = with("redirect_uri", uri);
            assert_eq!(check(&pairs, &[HOME]), Err(Refusal::UnknownRedirect), "{uri}");
        }
        let twice = [good(), vec![("redirect_uri", HOME)]].concat();
        assert_eq!(check(&twice, &[HOME]), Err(Refusal::UnknownRedirect));
        let nobody = Parameters::known([]).check(None);
        assert_eq!(nobody, Err(Refusal::UnknownClient));
    }

    #[test]
    fn each_mistake_is_told_to_the_app_by_its_name() {
        assert_eq!(told(&with("response_type", "token")), ErrorCode::UnsupportedResponseType);
        assert_eq!(told(&with("response_type", "")), ErrorCode::UnsupportedResponseType);
        for (name, value) in [
            ("code_challenge", ""),
            ("code_challenge", "short"),
            ("code_challenge", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw+cM"),
            ("code_challenge_method", ""),
            ("code_challenge_method", "plain"),
            ("state", "a\nb"),
        ] {
            assert_eq!(told(&with(name, value)), ErrorCode::InvalidRequest, "{name} {value}");
        }
        for scope in ["nothing", "shipments:write", "*", "operator:read", "wms:read,wms:write"] {
            assert_eq!(told(&with("scope", scope)), ErrorCode::InvalidScope, "{scope}");
        }
        for (name, value) in good() {
            if !["client_id", "redirect_uri"].contains(&name) {
                let twice = [good(), vec![(name, value)]].concat();
                assert_eq!(told(&twice), ErrorCode::InvalidRequest, "{name}");
            }
        }
        let long: &'static str = "x".repeat(STATE_MAX + 1).leak();
        assert_eq!(told(&with("state", long)), ErrorCode::InvalidRequest);
        assert!(check(&with("state", &long[1..]), &[HOME]).is_ok());
    }

    #[test]
    fn what_we_do_not_know_is_ignored_even_twice() {
        let more = [good(), vec![("prompt", "none"), ("prompt", "x"), ("nonce", "1")]].concat();
        assert!(check(&more, &[HOME]).is_ok());
    }

    #[test]
    fn without_a_scope_all_of_the_clients_are_asked_for() {
        let asked = check(&with("scope", ""), &[HOME]).unwrap();
        assert_eq!(asked.scopes.to_string(), "shipments:read wms:read");
        let asked = check_scopes(&with("scope", "*"), &[HOME], &Scopes::all()).unwrap();
        assert_eq!(asked.scopes.to_string(), "*");
    }

    #[test]
    fn a_page_repeats_what_says_something_in_one_order() {
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let all = [pair("state", "a&b"), pair("x", "y"), pair("scope", ""), pair("client_id", "c")];
        let parameters = Parameters::known(all);
        assert_eq!(parameters.filled(), [pair("client_id", "c"), pair("state", "a&b")]);
        assert_eq!(parameters.query(), "client_id=c&state=a%26b");
    }

    #[test]
    fn an_address_keeps_its_query_and_no_state_is_invented() {
        let redirect_uri = "com.example.app:/cb?a=1".to_owned();
        let back = WayBack { redirect_uri, state: None };
        assert_eq!(back.with(&[("error", "x y")], "i"), "com.example.app:/cb?a=1&error=x+y&iss=i");
    }

    #[test]
    fn people_see_the_host_and_the_policy_names_the_origin_or_the_scheme() {
        let of = |uri: &str| WayBack { redirect_uri: uri.to_owned(), state: None };
        for (uri, host, source) in [
            ("https://app.example.com/cb", "app.example.com", "https://app.example.com"),
            ("https://a.example:8443?x=/", "a.example:8443", "https://a.example:8443"),
            ("http://127.0.0.1:49152/cb", "127.0.0.1:49152", "http://127.0.0.1:49152"),
            ("http://[::1]:49152/cb", "[::1]:49152", "http:"),
            ("com.example.app:/cb", "com.example.app", "com.example.app:"),
            ("https://a.example;script-src/", "a.example;script-src", "https:"),
        ] {
            assert_eq!((of(uri).host(), of(uri).source().as_str()), (host, source));
        }
    }
}
