//! Where carriers are: at hosts of their own, or where the operator says.

use std::collections::BTreeMap;

pub use crate::base_url::BaseUrl;
use crate::row::Row;

/// The addresses of carriers, by their codes.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct CarrierUrls(BTreeMap<String, String>);

/// What is wrong with an address of a carrier.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum UrlError {
    /// It is not `CODE=URL`.
    // Neither this text nor an unknown code is repeated: a password may be in it.
    #[error("that is not CODE=URL, such as gls=http://127.0.0.1:9001")]
    NoCode,
    /// There is no such carrier.
    #[error("there is no carrier with that code")]
    UnknownCarrier,
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
            let pair = part.split_once('=').filter(|(code, _)| is_code(code.trim()));
            let (code, url) = pair.ok_or(UrlError::NoCode)?;
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
                return Err(UrlError::UnknownCarrier);
            }
            if BaseUrl::parse(url).is_none() {
                return Err(UrlError::Malformed(code.clone()));
            }
        }
        Ok(())
    }
}

/// Whether a text could be the code of a carrier.
fn is_code(text: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    !text.is_empty() && text.chars().all(is_letter)
}

#[cfg(test)]
mod tests {
    use waybill_outbound::Network;

    use super::*;
    use crate::connector::Connector;
    use crate::registry::CARRIERS;

    fn read(text: &str) -> Result<CarrierUrls, UrlError> {
        let urls = CarrierUrls::parse(text)?;
        urls.check(CARRIERS).map(|()| urls)
    }

    #[test]
    fn other_hosts_of_a_carrier_have_their_names_below_the_operators_address() {
        let connector = |url: Option<&str>| {
            let base_url = url.map(|url| BaseUrl::parse(url).unwrap());
            Connector::new(&Network::new().unwrap(), base_url)
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
            let connector = connector(url);
            assert_eq!(told(&connector.main("https://api.gls.example")), main);
            assert_eq!(told(&connector.other("https://find.gls.example")), other);
        }
    }

    #[test]
    fn an_address_has_a_known_carrier_and_neither_user_query_nor_fragment() {
        let urls = read("gls=http://127.0.0.1:9001, dao=https://dao.example/stub/").unwrap();
        assert_eq!(urls.of("dao").unwrap().path("/x?y=1"), "/stub/x?y=1");
        assert_eq!(urls.of("gls").unwrap().path("/x"), "/x");
        assert_eq!(urls.of("bring"), None);
        assert_eq!(read("gls").unwrap_err(), UrlError::NoCode);
        assert_eq!(read("=http://h").unwrap_err(), UrlError::NoCode);
        assert_eq!(read("nobody=http://h").unwrap_err(), UrlError::UnknownCarrier);
        let twice = UrlError::Twice("gls".to_owned());
        assert_eq!(read("gls=http://a,gls=http://b").unwrap_err(), twice);
        for url in [
            "ftp://h",
            "h:80",
            "/x",
            "http://u@h",
            "http://h/?q=1",
            "http://h/#x",
            "http://",
            "http://h:0",
            "http://h:99999",
            "http://[::1]:99999",
        ] {
            let error = read(&format!("gls={url}")).unwrap_err();
            assert_eq!(error, UrlError::Malformed("gls".to_owned()));
        }
    }

    #[test]
    fn what_is_wrong_with_an_address_does_not_repeat_its_password() {
        for text in [
            "http://me:hush@h",
            "http://me:hush@h/?a=b",
            "hush=http://h",
            "gls=http://me:hush@h",
            "gls=http://me:x,hush=y@h",
            "http://me:hush@h?a=1,http://me:hush@h?a=1",
        ] {
            let told = read(text).unwrap_err().to_string();
            assert!(!told.contains("hush"), "{text}: {told}");
        }
    }
}
