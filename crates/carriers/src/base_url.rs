//! An address of a carrier.

use hyper::Uri;

/// An address with a path that stands before every other path: a host of a carrier, or what the
/// operator put in its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BaseUrl {
    uri: Uri,
    /// Without a slash at its end.
    path: String,
}

impl BaseUrl {
    /// A host of a carrier, such as `https://api.carrier.example`.
    ///
    /// # Panics
    ///
    /// When it is not an address: it is written in an adapter.
    pub fn own(url: &'static str) -> BaseUrl {
        BaseUrl::of(Uri::from_static(url))
    }

    fn of(uri: Uri) -> BaseUrl {
        let path = uri.path().trim_end_matches('/').to_owned();
        BaseUrl { uri, path }
    }

    /// The place of another host below this address, by its name.
    pub(crate) fn below(&self, host: &str) -> BaseUrl {
        BaseUrl { uri: self.uri.clone(), path: format!("{}/{host}", self.path) }
    }

    /// Reads an http or https address without user, query or fragment.
    pub fn parse(text: &str) -> Option<BaseUrl> {
        let uri: Uri = text.parse().ok()?;
        let has_scheme = matches!(uri.scheme_str(), Some("http" | "https"));
        let authority = uri.authority()?.as_str();
        let is_plain = !authority.contains('@') && uri.query().is_none() && !text.contains('#');
        let has_port = uri.host().is_some_and(|host| authority.len() > host.len());
        let is_port = !has_port || uri.port_u16().is_some_and(|port| port > 0);
        let is_good = has_scheme && !authority.is_empty() && is_plain && is_port;
        is_good.then(|| BaseUrl::of(uri))
    }

    /// Scheme, host and port.
    pub fn uri(&self) -> &Uri {
        &self.uri
    }

    /// The path below this address.
    pub fn path(&self, rest: &str) -> String {
        format!("{}{rest}", self.path)
    }
}
