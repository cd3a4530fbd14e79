//! What the page is filled in with when the server is a demo, and who may see it.

use std::net::IpAddr;

use axum::http::{HeaderMap, header};

use crate::request::Request;
use crate::state::Demo;

/// What proxies add. A demo behind one is reached from other machines.
const FORWARDED: [&str; 4] = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host"];

impl Demo {
    /// Whether the page that this request gets may have the token.
    pub fn is_shown_to(&self, request: &Request) -> bool {
        self.is_shown(request.peer, request.app.base_url(), &request.headers)
    }

    /// Unless the demo is public, the token stays on this machine. The name that the browser used
    /// must be ours: the page of another site can have our address under a name of its own, and
    /// read what it gets from there.
    fn is_shown(&self, peer: IpAddr, base_url: &str, headers: &HeaderMap) -> bool {
        let mut hosts = headers.get_all(header::HOST).iter();
        let host = hosts.next().and_then(|host| host.to_str().ok()).unwrap_or_default();
        let authority = base_url.split("://").nth(1).unwrap_or_default();
        let authority = authority.split('/').next().unwrap_or_default();
        let is_forwarded = FORWARDED.iter().any(|name| headers.contains_key(*name));
        let is_local = peer.to_canonical().is_loopback()
            && is_loopback(authority)
            && is_loopback(host)
            && !is_forwarded;
        self.is_public || is_local
    }

    /// The page with the team and the token in its body.
    pub fn fill_in(&self, page: &str) -> String {
        let (team, token) = (escape(&self.team), escape(&self.token));
        page.replacen("<body>", &format!("<body data-team=\"{team}\" data-token=\"{token}\">"), 1)
    }
}

/// Whether a host, perhaps with a port, is this machine.
fn is_loopback(authority: &str) -> bool {
    let is_port = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit());
    let host = match authority.rsplit_once(':') {
        Some((host, port)) if is_port(port) => host,
        _ => authority,
    };
    let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
    let is_address = bare.parse().is_ok_and(|ip: IpAddr| ip.to_canonical().is_loopback());
    host.eq_ignore_ascii_case("localhost") || is_address
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderName, HeaderValue};

    use super::*;

    const HERE: &str = "http://127.0.0.1:8080";

    fn demo(is_public: bool) -> Demo {
        Demo { team: "t".to_owned(), token: "a\"b".to_owned(), is_public }
    }

    fn headers(all: &[(&'static str, &'static str)]) -> HeaderMap {
        let pair = |(name, value): &(&'static str, &'static str)| {
            (HeaderName::from_static(name), HeaderValue::from_static(value))
        };
        all.iter().map(pair).collect()
    }

    fn is_shown(peer: &str, base_url: &str, all: &[(&'static str, &'static str)]) -> bool {
        demo(false).is_shown(peer.parse().unwrap(), base_url, &headers(all))
    }

    #[test]
    fn the_token_is_shown_on_this_machine_by_its_own_name() {
        for host in ["127.0.0.1:8080", "localhost:8080", "LOCALHOST", "[::1]:8080", "[::1]"] {
            assert!(is_shown("127.0.0.1", HERE, &[("host", host)]), "{host}");
        }
        assert!(is_shown("::1", "http://localhost:8080", &[("host", "localhost:8080")]));
    }

    #[test]
    fn the_token_is_shown_to_no_other_machine_site_or_proxy() {
        let local = ("host", "127.0.0.1:8080");
        for host in ["", "evil.example", "localhost.evil.example", "127.0.0.1.evil.example:80"] {
            assert!(!is_shown("127.0.0.1", HERE, &[("host", host)]), "{host}");
        }
        assert!(!is_shown("127.0.0.1", HERE, &[]), "no name at all");
        assert!(!is_shown("192.0.2.1", HERE, &[local]), "another machine");
        assert!(!is_shown("127.0.0.1", "https://demo.example.com", &[local]), "a public name");
        for name in FORWARDED {
            assert!(!is_shown("127.0.0.1", HERE, &[local, (name, "x")]), "{name}");
        }
    }

    #[test]
    fn a_public_demo_shows_its_token_to_everybody() {
        let peer = "192.0.2.1".parse().unwrap();
        assert!(demo(true).is_shown(peer, "https://demo.example.com", &headers(&[])));
    }

    #[test]
    fn the_body_of_the_page_has_team_and_token() {
        let page = demo(true).fill_in("<body>\n<p>");
        assert_eq!(page, "<body data-team=\"t\" data-token=\"a&quot;b\">\n<p>");
    }
}
