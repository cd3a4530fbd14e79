//! The two cookies of a browser: the session of whoever signed in, and a random value that forms
//! are bound to. Scripts cannot read them, and other sites cannot make a browser send them with a
//! form.

use axum::http::{HeaderMap, header};
use waybill_domain::session;

/// Which cookie.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cookie {
    /// Who signed in.
    Session,
    /// What forms are bound to.
    Browser,
}

impl Cookie {
    /// Its name. With https a browser takes one of this name from this very host alone.
    pub fn name(self, base_url: &str) -> &'static str {
        match (self, is_secure(base_url)) {
            (Cookie::Session, true) => "__Host-waybill_session",
            (Cookie::Session, false) => "waybill_session",
            (Cookie::Browser, true) => "__Host-waybill_browser",
            (Cookie::Browser, false) => "waybill_browser",
        }
    }

    /// What the browser sent: one value that can be ours. Two of them are none, because one of them
    /// is somebody else's.
    pub fn read<'a>(self, headers: &'a HeaderMap, base_url: &str) -> Option<&'a str> {
        let name = self.name(base_url);
        let lines = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
        let pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.split_once('='));
        let mut values =
            pairs.filter(|(other, _)| other.trim() == name).map(|(_, value)| value.trim());
        let value = values.next()?;
        (values.next().is_none() && session::is_well_formed(value)).then_some(value)
    }

    /// The header that gives it to the browser, until that is closed.
    pub fn set(self, value: &str, base_url: &str) -> String {
        let secure = if is_secure(base_url) { "; Secure" } else { "" };
        format!("{}={value}; HttpOnly; SameSite=Lax; Path=/{secure}", self.name(base_url))
    }

    /// The header that takes it away.
    pub fn clear(self, base_url: &str) -> String {
        format!("{}; Max-Age=0", self.set("", base_url))
    }
}

fn is_secure(base_url: &str) -> bool {
    base_url.get(..8).is_some_and(|scheme| scheme.eq_ignore_ascii_case("https://"))
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    const HTTP: &str = "http://127.0.0.1:8080";
    const HTTPS: &str = "https://waybill.example.com";

    fn read(lines: &[&str]) -> Option<String> {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(header::COOKIE, HeaderValue::from_str(line).unwrap());
        }
        Cookie::Session.read(&headers, HTTP).map(str::to_owned)
    }

    #[test]
    fn with_https_the_cookie_is_this_hosts_alone_and_never_sent_in_the_open() {
        let set = Cookie::Session.set("x", HTTPS);
        assert_eq!(set, "__Host-waybill_session=x; HttpOnly; SameSite=Lax; Path=/; Secure");
        let set = Cookie::Session.set("x", HTTP);
        assert_eq!(set, "waybill_session=x; HttpOnly; SameSite=Lax; Path=/");
        assert!(Cookie::Browser.clear(HTTPS).starts_with("__Host-waybill_browser=; "));
        assert_eq!(Cookie::Session.name("HTTPS://x"), "__Host-waybill_session");
    }

    #[test]
    fn a_cookie_is_found_among_others_and_on_any_line() {
        let value = "a7".repeat(32);
        let own = format!("waybill_session={value}");
        assert_eq!(read(&[&own]), Some(value.clone()));
        assert_eq!(read(&[&format!("a=b; {own} ; c")]), Some(value.clone()));
        assert_eq!(read(&["a=b", &own]), Some(value));
    }

    #[test]
    fn two_of_a_name_or_what_cannot_be_ours_is_no_cookie() {
        let own = format!("waybill_session={}", "a7".repeat(32));
        let other = format!("waybill_session={}", "a8".repeat(32));
        assert_eq!(read(&[&format!("{own}; {other}")]), None);
        assert_eq!(read(&[&own, &own]), None);
        for odd in ["waybill_session=", "waybill_session=x", "xwaybill_session=a7", ""] {
            assert_eq!(read(&[odd]), None, "{odd}");
        }
    }
}
