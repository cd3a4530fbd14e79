//! Where the operator says that carriers are, in place of their own hosts.

use std::collections::BTreeMap;

use hyper::Uri;

use crate::registry::Row;

/// The address that takes the place of a carrier's main host. A path of it stands before every path
/// of the carrier.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BaseUrl(Uri);

impl BaseUrl {
    /// Reads an http or https address without user, query or fragment.
    pub fn parse(text: &str) -> Option<BaseUrl> {
        let uri: Uri = text.parse().ok()?;
        let has_scheme = matches!(uri.scheme_str(), Some("http" | "https"));
        let authority = uri.authority()?.as_str();
        let is_plain = !authority.contains('@') && uri.query().is_none() && !text.contains('#');
        (has_scheme && !authority.is_empty() && is_plain).then_some(BaseUrl(uri))
    }

    /// Scheme, host and port.
    pub fn uri(&self) -> &Uri {
        &self.0
    }

    /// The path below this address.
    pub fn path(&self, rest: &str) -> String {
        format!("{}{rest}", self.0.path().trim_end_matches('/'))
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
        "{url} is not an address for the carrier \"{code}\": write http:// or https:// and a host, \
         without user, query or fragment"
    )]
    Malformed {
        /// The carrier.
        code: String,
        /// What was given.
        url: String,
    },
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
                return Err(UrlError::Malformed { code: code.clone(), url: url.clone() });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::CARRIERS;

    fn read(text: &str) -> Result<CarrierUrls, UrlError> {
        let urls = CarrierUrls::parse(text)?;
        urls.check(CARRIERS).map(|()| urls)
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
            let (code, url) = ("gls".to_owned(), url.to_owned());
            assert_eq!(error, UrlError::Malformed { code, url });
        }
    }
}
