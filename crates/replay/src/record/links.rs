//! Where the carrier is, and the links in its answers that lead there: they lead to us instead, so
//! that what they lead to is recorded too.

use hyper::Uri;

use super::error::RecordError;

/// A host with a path before all paths.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Host {
    /// Scheme, host and port.
    pub uri: Uri,
    authority: String,
    /// Without a slash at its end.
    path: String,
    /// As it begins in links.
    url: String,
}

/// The carrier's hosts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Upstream {
    main: Host,
    /// Each is at its own name below our address.
    others: Vec<Host>,
}

impl Host {
    fn parse(text: &str) -> Option<Host> {
        let uri: Uri = text.parse().ok()?;
        let authority = uri.authority()?.to_string();
        let is_known = matches!(uri.scheme_str(), Some("http" | "https"));
        let is_plain = !authority.contains('@') && uri.query().is_none() && !text.contains('#');
        let path = uri.path().trim_end_matches('/').to_owned();
        let url = text.trim_end_matches('/').to_owned();
        (is_known && is_plain).then_some(Host { uri, authority, path, url })
    }
}

impl Upstream {
    /// The carrier's main host, and its others.
    pub fn new(main: &str, others: &[&str]) -> Result<Upstream, RecordError> {
        let parse = |text: &str| Host::parse(text).ok_or(RecordError::NotAnAddress);
        let others = others.iter().map(|host| parse(host)).collect::<Result<_, _>>()?;
        Ok(Upstream { main: parse(main)?, others })
    }

    /// The carrier's main address.
    pub fn url(&self) -> &str {
        &self.main.url
    }

    /// Where a request to us is for, and its path there.
    pub(crate) fn place(&self, path_and_query: &str) -> (&Host, String) {
        for host in &self.others {
            let below = path_and_query.strip_prefix('/');
            let rest = below.and_then(|path| path.strip_prefix(host.authority.as_str()));
            if let Some(rest) = rest.filter(|rest| rest.starts_with(['/', '?']) || rest.is_empty())
            {
                return (host, if rest.is_empty() { "/".to_owned() } else { rest.to_owned() });
            }
        }
        (&self.main, format!("{}{path_and_query}", self.main.path))
    }

    /// The text with links to the carrier that lead to our address instead.
    pub(crate) fn ours(&self, text: &str, our_url: &str) -> String {
        if !text.contains("://") {
            return text.to_owned();
        }
        let text = replaced(text, &self.main.url, our_url);
        self.others.iter().fold(text, |text, host| {
            let scheme = host.uri.scheme_str().unwrap_or("https");
            let own = format!("{scheme}://{}", host.authority);
            replaced(&text, &own, &format!("{our_url}/{}", host.authority))
        })
    }
}

/// Replaces an address where it ends or a path or query follows.
fn replaced(text: &str, from: &str, to: &str) -> String {
    let (mut done, mut rest) = (String::new(), text);
    while let Some(at) = rest.find(from) {
        let (before, after) = (&rest[..at], &rest[at + from.len()..]);
        let goes_on = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | ':' | '@' | '_');
        done.push_str(before);
        done.push_str(if after.starts_with(goes_on) { from } else { to });
        rest = after;
    }
    done.push_str(rest);
    done
}

#[cfg(test)]
mod tests {
    use super::*;

    const OURS: &str = "http://127.0.0.1:9002";

    #[test]
    fn a_request_goes_to_the_host_that_its_path_names_or_to_the_main_one() {
        let others = ["https://find.gls.example/v1"];
        let upstream = Upstream::new("https://api.gls.example/base/", &others).unwrap();
        for (path, host, there) in [
            ("/orders?a=b", "api.gls.example", "/base/orders?a=b"),
            ("/find.gls.example/v1/x?y=1", "find.gls.example", "/v1/x?y=1"),
            ("/find.gls.example", "find.gls.example", "/"),
            ("/find.gls.example.evil/x", "api.gls.example", "/base/find.gls.example.evil/x"),
        ] {
            let (found, path) = upstream.place(path);
            assert_eq!((found.authority.as_str(), path.as_str()), (host, there));
        }
        for bad in ["gls.example", "ftp://gls.example", "https://me:hush@gls.example", ""] {
            assert!(Upstream::new(bad, &[]).is_err(), "{bad}");
        }
    }

    #[test]
    fn links_to_the_carrier_lead_to_us_and_others_stay() {
        let others = ["https://find.gls.example"];
        let upstream = Upstream::new("https://api.gls.example", &others).unwrap();
        for (there, here) in [
            ("https://api.gls.example/a?b=c", "http://127.0.0.1:9002/a?b=c"),
            ("see https://api.gls.example", "see http://127.0.0.1:9002"),
            ("https://find.gls.example/x", "http://127.0.0.1:9002/find.gls.example/x"),
            ("https://api.gls.example.evil/a", "https://api.gls.example.evil/a"),
            ("https://api.gls.example:444/a", "https://api.gls.example:444/a"),
            ("https://track.example/x", "https://track.example/x"),
        ] {
            assert_eq!(upstream.ours(there, OURS), here);
        }
    }
}
