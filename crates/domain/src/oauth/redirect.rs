//! Where a browser may be sent with a code: addresses that were registered, and no others.

/// The longest that is taken, in bytes.
pub const LENGTH_MAX: usize = 2048;

/// Why an address is not registered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RedirectFault {
    /// It is over the limit.
    #[error("is longer than {LENGTH_MAX} bytes")]
    TooLong,
    /// It has a space, a control character or a letter that no address has.
    #[error("has characters that an address cannot have")]
    Characters,
    /// It is not an address with a scheme.
    #[error("is not an absolute address such as https://app.example.com/callback")]
    NotAbsolute,
    /// It has a `#`.
    #[error("has a fragment (#)")]
    Fragment,
    /// It has a user or a password.
    #[error("has a user (@) in it")]
    UserInfo,
    /// It is sent in the open.
    #[error("must begin with https://; http:// is for 127.0.0.1, [::1] and localhost alone")]
    NotHttps,
    /// Any app may claim the scheme.
    #[error("must begin with https://, or with a scheme of the app's own such as com.example.app:")]
    Scheme,
    /// A program on a server has no scheme of its own.
    #[error("has a scheme of the app's own, which is for public clients (--public) alone")]
    NotPublic,
}

/// Whether an address may be registered for a client.
pub fn check(text: &str, is_public: bool) -> Result<(), RedirectFault> {
    if text.len() > LENGTH_MAX {
        return Err(RedirectFault::TooLong);
    }
    if text.contains('#') {
        return Err(RedirectFault::Fragment);
    }
    let is_odd = |byte: u8| !byte.is_ascii_graphic() || b"\"<>\\^`{|}".contains(&byte);
    if text.bytes().any(is_odd) {
        return Err(RedirectFault::Characters);
    }
    let (scheme, rest) = text.split_once(':').ok_or(RedirectFault::NotAbsolute)?;
    if !is_scheme(scheme) {
        return Err(RedirectFault::NotAbsolute);
    }
    let authority = rest.strip_prefix("//");
    let authority = authority.map(|rest| rest.split(['/', '?']).next().unwrap_or_default());
    if authority.is_some_and(|authority| authority.contains('@')) {
        return Err(RedirectFault::UserInfo);
    }
    match scheme.to_ascii_lowercase().as_str() {
        "https" => host(authority).map(drop),
        "http" => match host(authority)?.to_ascii_lowercase().as_str() {
            "127.0.0.1" | "[::1]" | "localhost" => Ok(()),
            _ => Err(RedirectFault::NotHttps),
        },
        _ if !scheme.contains('.') => Err(RedirectFault::Scheme),
        _ if !is_public => Err(RedirectFault::NotPublic),
        _ if rest.is_empty() => Err(RedirectFault::NotAbsolute),
        _ => Ok(()),
    }
}

/// Whether a browser may be sent to this address when that one was registered. They are the same,
/// character by character; only the port of a program on the user's own machine is not known before
/// it runs (RFC 8252, section 7.3).
pub fn is_match(registered: &str, asked: &str) -> bool {
    if registered == asked {
        return true;
    }
    let parts = without_port(registered).zip(without_port(asked));
    parts.is_some_and(|(registered, asked)| registered == asked)
}

/// An address of this machine: its beginning up to the port, and what follows the port.
fn without_port(text: &str) -> Option<(&'static str, &str)> {
    let start = ["http://127.0.0.1", "http://[::1]"].into_iter().find(|it| text.starts_with(it))?;
    let rest = &text[start.len()..];
    let rest = match rest.strip_prefix(':') {
        None => rest,
        Some(port) => {
            let digits = port.bytes().take_while(u8::is_ascii_digit).count();
            is_port(&port[..digits]).then(|| &port[digits..])?
        }
    };
    (rest.is_empty() || rest.starts_with(['/', '?'])).then_some((start, rest))
}

/// The host of an authority without a user.
fn host(authority: Option<&str>) -> Result<&str, RedirectFault> {
    let authority = authority.ok_or(RedirectFault::NotAbsolute)?;
    let (host, port) = match authority.rfind(']') {
        Some(end) => authority.split_at(end + 1),
        None => authority.split_at(authority.find(':').unwrap_or(authority.len())),
    };
    let is_port_fine = port.is_empty() || port.strip_prefix(':').is_some_and(is_port);
    let address = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
    let is_host = match address {
        Some(address) => address.parse::<std::net::Ipv6Addr>().is_ok(),
        None => !host.is_empty() && host.bytes().all(is_of_name),
    };
    (is_host && is_port_fine).then_some(host).ok_or(RedirectFault::NotAbsolute)
}

fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._".contains(&byte)
}

fn is_port(text: &str) -> bool {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number && text.parse::<u16>().is_ok_and(|port| port > 0)
}

fn is_scheme(text: &str) -> bool {
    let is_later = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
    text.starts_with(|first: char| first.is_ascii_alphabetic()) && text.bytes().all(is_later)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn https_leads_anywhere_and_http_to_this_machine() {
        for good in [
            "https://app.example.com/cb?x=1",
            "https://app.example.com",
            "https://10.0.0.1:8443/cb",
            "http://127.0.0.1/cb",
            "http://127.0.0.1:8000/cb",
            "http://[::1]:8000/cb",
            "http://localhost:3000/",
        ] {
            assert_eq!(check(good, false), Ok(()), "{good}");
        }
        for (bad, fault) in [
            ("http://example.com/cb", RedirectFault::NotHttps),
            ("http://127.0.0.1.example.com/cb", RedirectFault::NotHttps),
            ("http://localhost.example.com/cb", RedirectFault::NotHttps),
            ("http://[::2]/cb", RedirectFault::NotHttps),
            ("https:///cb", RedirectFault::NotAbsolute),
            ("https:app.example.com", RedirectFault::NotAbsolute),
            ("https://app.example.com:0/", RedirectFault::NotAbsolute),
            ("https://app.example.com:99999/", RedirectFault::NotAbsolute),
            ("https://app.example.com#x", RedirectFault::Fragment),
            ("https://user:pass@app.example.com/", RedirectFault::UserInfo),
            ("http://127.0.0.1@evil.example.com/", RedirectFault::UserInfo),
            ("https://app.example.com\\@evil.example.com/", RedirectFault::Characters),
            ("https://app.example.com/a b", RedirectFault::Characters),
            ("https://app.example.com/\r\nSet-Cookie:x", RedirectFault::Characters),
            ("https://bücher.example.com/", RedirectFault::Characters),
            ("/callback", RedirectFault::NotAbsolute),
            ("", RedirectFault::NotAbsolute),
        ] {
            assert_eq!(check(bad, false), Err(fault), "{bad}");
            assert_eq!(check(bad, true), Err(fault), "{bad}");
        }
    }

    #[test]
    fn a_scheme_of_the_apps_own_has_a_dot_and_is_for_public_clients() {
        assert_eq!(check("com.example.app:/cb", true), Ok(()));
        assert_eq!(check("com.example.app://cb", true), Ok(()));
        assert_eq!(check("com.example.app:/cb", false), Err(RedirectFault::NotPublic));
        for bad in ["javascript:alert(1)", "data:text/html,x", "myapp:/cb", "file:///etc/passwd"] {
            assert_eq!(check(bad, true), Err(RedirectFault::Scheme), "{bad}");
        }
    }

    #[test]
    fn an_address_is_taken_up_to_its_greatest_length() {
        let longest = |length: usize| format!("https://a.example/{}", "x".repeat(length - 18));
        assert_eq!(check(&longest(LENGTH_MAX), false), Ok(()));
        assert_eq!(check(&longest(LENGTH_MAX + 1), false), Err(RedirectFault::TooLong));
    }

    #[test]
    fn only_the_port_of_this_machine_may_differ() {
        assert!(is_match("https://a.example/cb", "https://a.example/cb"));
        for near in ["https://a.example/cb/", "https://a.example:443/cb", "https://A.example/cb"] {
            assert!(!is_match("https://a.example/cb", near), "{near}");
        }
        for registered in ["http://127.0.0.1/cb", "http://127.0.0.1:80/cb"] {
            assert!(is_match(registered, "http://127.0.0.1:49152/cb"));
            assert!(is_match(registered, "http://127.0.0.1/cb"));
            for near in [
                "http://127.0.0.1:49152/cb2",
                "http://127.0.0.1:49152/cb?x",
                "http://127.0.0.1:/cb",
                "http://127.0.0.1:0/cb",
                "http://127.0.0.1:99999/cb",
                "http://127.0.0.1.evil.example/cb",
                "http://[::1]:49152/cb",
                "http://localhost:49152/cb",
            ] {
                assert!(!is_match(registered, near), "{near}");
            }
        }
        assert!(is_match("http://[::1]:1/cb", "http://[::1]:2/cb"));
        assert!(!is_match("http://localhost:1/cb", "http://localhost:2/cb"));
    }
}
