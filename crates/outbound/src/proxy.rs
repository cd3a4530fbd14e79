//! The operator's proxy, for machines that reach the world through nothing else. It is asked for a
//! tunnel to https addresses alone: what is said inside is between us and the other side.
//!
//! A proxy that does not open a tunnel has been given nothing to pass on, so whatever goes wrong
//! here proves that nothing was sent.

mod exceptions;
mod tunnel;

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hyper::Uri;
use waybill_domain::secret::Secret;

use exceptions::Exceptions;
pub(crate) use tunnel::Target;
pub use tunnel::TunnelError;

/// The variables of the environment that are read, the first that is set of each pair.
pub const VARIABLES: [&str; 4] = [HTTPS_PROXY[0], HTTPS_PROXY[1], NO_PROXY[0], NO_PROXY[1]];
const HTTPS_PROXY: [&str; 2] = ["https_proxy", "HTTPS_PROXY"];
const NO_PROXY: [&str; 2] = ["no_proxy", "NO_PROXY"];

/// A proxy, and whom we call without it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proxy {
    host: String,
    port: u16,
    /// With user and password, for libraries that ask the proxy themselves.
    url: Secret<String>,
    /// What `Proxy-Authorization` says.
    authorization: Option<Secret<String>>,
    exceptions: Exceptions,
}

/// Why the proxy cannot be used. The address is not repeated: it may hold a password.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ProxyError {
    /// It is not an address at all.
    #[error("{0}: it is not an address like http://proxy.example:3128")]
    Malformed(&'static str),
    /// We would have to speak TLS, or SOCKS, to the proxy itself.
    #[error("{0}: only a proxy at an http:// address can be used")]
    Scheme(&'static str),
    /// User or password cannot be read.
    #[error("{0}: its user or password is not written in percent-encoding")]
    Credentials(&'static str),
}

impl Proxy {
    /// The proxy that the environment names, if it names one.
    pub fn read(variables: impl Fn(&str) -> Option<String>) -> Result<Option<Proxy>, ProxyError> {
        let find = |names: [&'static str; 2]| {
            let given = names.into_iter().filter_map(|name| Some((name, variables(name)?)));
            given.into_iter().find(|(_, value)| !value.trim().is_empty())
        };
        let Some((name, url)) = find(HTTPS_PROXY) else { return Ok(None) };
        let exceptions = find(NO_PROXY).map(|(_, list)| list).unwrap_or_default();
        Proxy::parse(name, url.trim(), Exceptions::parse(&exceptions)).map(Some)
    }

    fn parse(name: &'static str, given: &str, exceptions: Exceptions) -> Result<Proxy, ProxyError> {
        let url = match given.split_once("://") {
            Some((scheme, _)) if scheme.eq_ignore_ascii_case("http") => given.to_owned(),
            Some(_) => return Err(ProxyError::Scheme(name)),
            None => format!("http://{given}"),
        };
        let uri: Uri = url.parse().map_err(|_| ProxyError::Malformed(name))?;
        let authority = uri.authority().ok_or(ProxyError::Malformed(name))?.as_str();
        let (user, address) = match authority.rsplit_once('@') {
            Some((user, address)) => (Some(user), address),
            None => (None, authority),
        };
        let has_more = uri.path().len() > 1 || uri.query().is_some();
        let host = uri.host().filter(|host| !host.is_empty() && !has_more);
        let host = host.ok_or(ProxyError::Malformed(name))?;
        let port = match address.strip_prefix(host).unwrap_or_default().strip_prefix(':') {
            Some(digits) => digits.parse().map_err(|_| ProxyError::Malformed(name))?,
            None => 80,
        };
        let authorization = user.map(|user| basic(user).ok_or(ProxyError::Credentials(name)));
        Ok(Proxy {
            host: bare(host).to_owned(),
            port,
            url: Secret::new(url),
            authorization: authorization.transpose()?,
            exceptions,
        })
    }

    /// Whether this host is called through the proxy.
    pub fn is_for(&self, host: &str) -> bool {
        !self.exceptions.has(bare(host))
    }

    /// Its address with user and password.
    pub fn url(&self) -> &Secret<String> {
        &self.url
    }
}

/// The address without user and password, for people.
impl fmt::Display for Proxy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.host.contains(':') {
            true => write!(f, "http://[{}]:{}", self.host, self.port),
            false => write!(f, "http://{}:{}", self.host, self.port),
        }
    }
}

/// A host without the brackets of an IPv6 address.
fn bare(host: &str) -> &str {
    host.trim_start_matches('[').trim_end_matches(']')
}

/// Basic credentials from `user:password`, where both are percent-encoded.
fn basic(user: &str) -> Option<Secret<String>> {
    let (user, password) = user.split_once(':').unwrap_or((user, ""));
    let plain = [decode(user)?, b":".to_vec(), decode(password)?].concat();
    Some(Secret::new(format!("Basic {}", STANDARD.encode(plain))))
}

fn decode(text: &str) -> Option<Vec<u8>> {
    let mut parts = text.split('%');
    let mut decoded = parts.next()?.as_bytes().to_vec();
    for part in parts {
        let (digits, rest) = part.split_at_checked(2)?;
        let is_plain = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        decoded.push(u8::from_str_radix(digits, 16).ok().filter(|_| is_plain)?);
        decoded.extend_from_slice(rest.as_bytes());
    }
    Some(decoded)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(variables: &[(&str, &str)]) -> Result<Option<Proxy>, ProxyError> {
        let found = |name: &str| variables.iter().find(|(known, _)| *known == name);
        Proxy::read(|name| found(name).map(|(_, value)| (*value).to_owned()))
    }

    #[test]
    fn the_proxy_is_named_by_the_environment_in_lower_or_upper_case() {
        assert_eq!(read(&[]), Ok(None));
        assert_eq!(read(&[("HTTPS_PROXY", ""), ("NO_PROXY", "*")]), Ok(None));
        for name in ["https_proxy", "HTTPS_PROXY"] {
            for (given, told) in [
                ("http://proxy.example:3128", "http://proxy.example:3128"),
                ("HTTP://proxy.example/", "http://proxy.example:80"),
                ("proxy.example:8080", "http://proxy.example:8080"),
                (" http://[2001:db8::1]:3128 ", "http://[2001:db8::1]:3128"),
            ] {
                assert_eq!(read(&[(name, given)]).unwrap().unwrap().to_string(), told);
            }
        }
        let both = [("https_proxy", "http://a:1"), ("HTTPS_PROXY", "http://b:2")];
        assert_eq!(read(&both).unwrap().unwrap().to_string(), "http://a:1");
    }

    #[test]
    fn user_and_password_are_sent_and_never_shown() {
        let given = "http://ada:p%40ss%3Aword@proxy.example:3128";
        let proxy = read(&[("HTTPS_PROXY", given)]).unwrap().unwrap();
        let said = proxy.authorization.as_ref().unwrap().expose();
        assert_eq!(*said, format!("Basic {}", STANDARD.encode("ada:p@ss:word")));
        let shown = format!("{proxy} {proxy:?}");
        assert!(!shown.contains("ada") && !shown.contains("ss%3A"), "{shown}");
    }

    #[test]
    fn a_proxy_that_cannot_be_used_is_told_without_its_password() {
        for (given, is_meant) in [
            ("https://ada:hunter2@proxy:3128", ProxyError::Scheme("HTTPS_PROXY")),
            ("socks5://ada:hunter2@proxy:1080", ProxyError::Scheme("HTTPS_PROXY")),
            ("http://ada:hunter2%@proxy:3128", ProxyError::Credentials("HTTPS_PROXY")),
            ("http://ada:hunter2%+1@proxy:3128", ProxyError::Credentials("HTTPS_PROXY")),
            ("http://ada:hunter2@", ProxyError::Malformed("HTTPS_PROXY")),
            ("http://proxy:port", ProxyError::Malformed("HTTPS_PROXY")),
            ("http://proxy:99999", ProxyError::Malformed("HTTPS_PROXY")),
            ("http://proxy:3128/path", ProxyError::Malformed("HTTPS_PROXY")),
            ("http://", ProxyError::Malformed("HTTPS_PROXY")),
            ("a b", ProxyError::Malformed("HTTPS_PROXY")),
        ] {
            let error = read(&[("HTTPS_PROXY", given)]).unwrap_err();
            assert_eq!(error, is_meant, "{given}");
            assert!(!error.to_string().contains("hunter2"), "{error}");
        }
    }
}
