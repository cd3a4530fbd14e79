//! Where carriers are: at hosts of their own, or where the operator says.

use std::collections::BTreeMap;

use hyper::Uri;

use crate::registry::{Row, Way};

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
    fn below(&self, host: &str) -> BaseUrl {
        BaseUrl { uri: self.uri.clone(), path: format!("{}/{host}", self.path) }
    }

    /// Reads an http or https address without user, query or fragment.
    pub fn parse(text: &str) -> Option<BaseUrl> {
        let uri: Uri = text.parse().ok()?;
        let has_scheme = matches!(uri.scheme_str(), Some("http" | "https"));
        let authority = uri.authority()?.as_str();
        let is_plain = !authority.contains('@') && uri.query().is_none() && !text.contains('#');
        let is_good = has_scheme && !authority.is_empty() && is_plain;
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

impl Way {
    /// The carrier's main host, or what the operator put in its place.
    pub fn main(&self, own: &'static str) -> BaseUrl {
        self.base_url.clone().unwrap_or_else(|| BaseUrl::own(own))
    }

    /// Another host of the carrier. Below the operator's address it has a folder with its name, so
    /// that one stub may play all hosts.
    pub fn other(&self, own: &'static str) -> BaseUrl {
        let own = BaseUrl::own(own);
        match (&self.base_url, own.uri.authority()) {
            (Some(base), Some(host)) => base.below(&format!("{host}{}", own.path)),
            _ => own,
        }
    }
}

/// The addresses of carriers, by their codes.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct CarrierUrls(BTreeMap<String, String>);

/// What is wrong with an address of a carrier.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum UrlError {
    /// It is not `CODE=URL`.
    #[error("\"{0}\" is not CODE=URL, such as gls=http://127.0.0.1:9001")]
    NoCode(String),
    /// There is no such carrier.
    #[error("there is no carrier \"{0}\"")]
    UnknownCarrier(String),
    /// Two addresses for one carrier.
    #[error("the carrier \"{0}\" has two addresses")]
    Twice(String),
    /// It is not an address.
    #[error(
        "that is not an address for the carrier \"{0}\": write http:// or https:// and a host, \
         without user, query or fragment"
    )]
    // The address is not repeated: a password may be in it.
    Malformed(String),
}

impl CarrierUrls {
    /// One address.
    pub fn one(code: &str, url: &str) -> CarrierUrls {
        CarrierUrls(BTreeMap::from([(code.to_owned(), url.to_owned())]))
    }

    /// Reads `CODE=URL`, or several with commas between them.
    pub fn parse(text: &str) -> Result<CarrierUrls, UrlError> {
        let mut urls = CarrierUrls::default();
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let pair = part.split_once('=').filter(|(code, _)| !code.is_empty());
            let (code, url) = pair.ok_or_else(|| UrlError::NoCode(part.to_owned()))?;
            urls.add(code.trim(), url.trim())?;
        }
        Ok(urls)
    }

    /// Adds an address.
    pub fn add(&mut self, code: &str, url: &str) -> Result<(), UrlError> {
        match self.0.insert(code.to_owned(), url.to_owned()) {
            None => Ok(()),
            Some(_) => Err(UrlError::Twice(code.to_owned())),
        }
    }

    /// Adds an address, unless there is one for this carrier.
    pub fn add_default(&mut self, code: &str, url: &str) {
        self.0.entry(code.to_owned()).or_insert_with(|| url.to_owned());
    }

    /// The address as it was given.
    pub fn get(&self, code: &str) -> Option<&str> {
        self.0.get(code).map(String::as_str)
    }

    pub(crate) fn of(&self, code: &str) -> Option<BaseUrl> {
        self.get(code).and_then(BaseUrl::parse)
    }

    /// Fails when an address is wrong, or is of a carrier that is not among these.
    pub fn check(&self, rows: &[Row]) -> Result<(), UrlError> {
        for (code, url) in &self.0 {
            if !rows.iter().any(|row| row.code == code) {
                return Err(UrlError::UnknownCarrier(code.clone()));
            }
            if BaseUrl::parse(url).is_none() {
                return Err(UrlError::Malformed(code.clone()));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use waybill_outbound::Network;

    use super::*;
    use crate::registry::CARRIERS;

    fn read(text: &str) -> Result<CarrierUrls, UrlError> {
        let urls = CarrierUrls::parse(text)?;
        urls.check(CARRIERS).map(|()| urls)
    }

    #[test]
    fn other_hosts_of_a_carrier_have_their_names_below_the_operators_address() {
        let way = |url: Option<&str>| {
            let base_url = url.map(|url| BaseUrl::parse(url).unwrap());
            Way::new(&Network::new().unwrap(), base_url)
        };
        let told = |base: &BaseUrl| {
            let authority = base.uri().authority().unwrap();
            format!("{}://{authority}{}", base.uri().scheme_str().unwrap(), base.path("/v1?a=b"))
        };
        for (url, main, other) in [
            (None, "https://api.gls.example/v1?a=b", "https://find.gls.example/v1?a=b"),
            (
                Some("http://127.0.0.1:9001"),
                "http://127.0.0.1:9001/v1?a=b",
                "http://127.0.0.1:9001/find.gls.example/v1?a=b",
            ),
            (
                Some("http://127.0.0.1:9001/stub/"),
                "http://127.0.0.1:9001/stub/v1?a=b",
                "http://127.0.0.1:9001/stub/find.gls.example/v1?a=b",
            ),
        ] {
            let way = way(url);
            assert_eq!(told(&way.main("https://api.gls.example")), main);
            assert_eq!(told(&way.other("https://find.gls.example")), other);
        }
    }

    #[test]
    fn an_address_has_a_known_carrier_and_neither_user_query_nor_fragment() {
        let urls = read("gls=http://127.0.0.1:9001, dao=https://dao.example/stub/").unwrap();
        assert_eq!(urls.of("dao").unwrap().path("/x?y=1"), "/stub/x?y=1");
        assert_eq!(urls.of("gls").unwrap().path("/x"), "/x");
        assert_eq!(urls.of("bring"), None);
        assert_eq!(read("gls").unwrap_err(), UrlError::NoCode("gls".to_owned()));
        assert_eq!(read("=http://h").unwrap_err(), UrlError::NoCode("=http://h".to_owned()));
        let unknown = UrlError::UnknownCarrier("nobody".to_owned());
        assert_eq!(read("nobody=http://h").unwrap_err(), unknown);
        let twice = UrlError::Twice("gls".to_owned());
        assert_eq!(read("gls=http://a,gls=http://b").unwrap_err(), twice);
        for url in
            ["ftp://h", "h:80", "/x", "http://u@h", "http://h/?q=1", "http://h/#x", "http://"]
        {
            let error = read(&format!("gls={url}")).unwrap_err();
            assert_eq!(error, UrlError::Malformed("gls".to_owned()));
        }
    }
}
