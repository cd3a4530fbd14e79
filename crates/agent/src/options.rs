//! What an agent is told when it starts.

use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::Arc;

use hyper::Uri as HttpUri;
use waybill_domain::ids::IdSource;
use waybill_domain::printing::Uri;
use waybill_domain::time::Clock;
use waybill_outbound::Network;

use crate::spool::Limits;
use crate::target::{Target, TargetError};

/// The longest key of a printer, with its prefix.
const KEY_MAX: usize = 200;

/// What an agent is told when it starts.
pub struct AgentOptions {
    /// Where the server is; what is not told is in the spool.
    pub server: Option<ServerUrl>,
    /// Gives what it registers with, when it is not registered. Nothing when there is none.
    pub code: Option<String>,
    /// Where it remembers.
    pub spool: PathBuf,
    /// Which printers it has.
    pub sources: Sources,
    /// The way out.
    pub network: Network,
    /// How much the spool holds.
    pub limits: Limits,
    /// What the machine is called.
    pub hostname: String,
    /// Where moments come from.
    pub clock: Arc<dyn Clock>,
    /// Where ids and randomness come from.
    pub ids: Arc<dyn IdSource>,
}

/// Which printers an agent has.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sources {
    /// A CUPS server, whose queues it prints on.
    pub cups: Option<Uri>,
    /// Only these queues; all when it is empty.
    pub queues: Vec<String>,
    /// More printers.
    pub printers: Vec<NamedPrinter>,
}

/// A printer that the agent was told of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedPrinter {
    /// What it is called.
    pub name: String,
    /// Its address, as it was given.
    pub uri: String,
}

/// Why something that an agent was told is wrong.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OptionsError {
    /// The server's address is none.
    #[error("\"{0}\" is not an address: write https://waybill.example.com")]
    Server(String),
    /// The token would be sent in the open.
    #[error(
        "{0} is not encrypted: write https://…; --allow-http sends the agent's token in the open \
         nevertheless"
    )]
    Open(String),
    /// The address of CUPS is none.
    #[error("\"{0}\" is not the address of a CUPS server: write ipp://localhost:631/ or none")]
    Cups(String),
    /// A printer has no name.
    #[error("\"{0}\": write NAME=URI, such as zebra=socket://192.168.10.21:9100")]
    NoName(String),
    /// A printer cannot be spoken to.
    #[error("\"{name}\": {problem}")]
    Printer {
        /// The printer, as it was given.
        name: String,
        /// Why.
        problem: TargetError,
    },
    /// Two printers have one name.
    #[error("two printers are called \"{0}\"")]
    Twice(String),
}

/// Where a server is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ServerUrl {
    /// As it was given, without a slash at its end.
    pub text: String,
    /// Scheme and host.
    pub base: HttpUri,
    /// What stands before the path of every call.
    pub prefix: String,
}

impl ServerUrl {
    /// Reads an address. Only this machine is called in the open, unless that is allowed.
    pub fn parse(text: &str, is_http_allowed: bool) -> Result<ServerUrl, OptionsError> {
        let malformed = || OptionsError::Server(text.to_owned());
        let plain = text.trim().trim_end_matches('/');
        let base: HttpUri = plain.parse().map_err(|_| malformed())?;
        let host = base.host().filter(|host| !host.is_empty()).ok_or_else(malformed)?;
        let has_user = base.authority().is_some_and(|it| it.as_str().contains('@'));
        if has_user || base.query().is_some() || plain.contains('#') {
            return Err(malformed());
        }
        match base.scheme_str() {
            Some("https") => {}
            Some("http") if is_http_allowed || is_loopback(host) => {}
            Some("http") => return Err(OptionsError::Open(text.to_owned())),
            _ => return Err(malformed()),
        }
        let prefix = base.path().trim_end_matches('/').to_owned();
        Ok(ServerUrl { text: plain.to_owned(), prefix, base })
    }
}

fn is_loopback(host: &str) -> bool {
    let address: Result<IpAddr, _> = host.trim_matches(['[', ']']).parse();
    host.eq_ignore_ascii_case("localhost") || address.is_ok_and(|address| address.is_loopback())
}

impl Sources {
    /// Reads where CUPS is, or that it is not asked.
    pub fn read_cups(text: &str) -> Result<Option<Uri>, OptionsError> {
        match text.trim() {
            "none" => Ok(None),
            text => Uri::parse(text).map(Some).map_err(|_| OptionsError::Cups(text.to_owned())),
        }
    }

    /// Whether a printer with this key is one that the agent is told to have.
    pub fn has(&self, key: &str) -> bool {
        match key.split_once(':') {
            Some(("cups", queue)) => self.cups.is_some() && self.has_queue(queue),
            _ => self.printers.iter().any(|printer| printer.key() == key),
        }
    }

    /// Whether this queue of the CUPS server is printed on.
    pub fn has_queue(&self, queue: &str) -> bool {
        self.queues.is_empty() || self.queues.iter().any(|wanted| wanted == queue)
    }
}

impl NamedPrinter {
    /// Reads `NAME=URI` of each.
    pub fn read_all(given: &[String]) -> Result<Vec<NamedPrinter>, OptionsError> {
        let mut all: Vec<NamedPrinter> = Vec::new();
        for text in given {
            let printer = NamedPrinter::read(text)?;
            if all.iter().any(|other| other.name == printer.name) {
                return Err(OptionsError::Twice(printer.name));
            }
            all.push(printer);
        }
        Ok(all)
    }

    fn read(text: &str) -> Result<NamedPrinter, OptionsError> {
        let no_name = || OptionsError::NoName(text.to_owned());
        let (name, uri) = text.split_once('=').ok_or_else(no_name)?;
        let (name, uri) = (name.trim(), uri.trim());
        if name.is_empty() || name.len() > KEY_MAX - 4 || name.chars().any(char::is_control) {
            return Err(no_name());
        }
        let problem = |problem| OptionsError::Printer { name: text.to_owned(), problem };
        Target::parse(uri).map_err(problem)?;
        Ok(NamedPrinter { name: name.to_owned(), uri: uri.to_owned() })
    }

    /// What the server knows it by.
    pub fn key(&self) -> String {
        format!("uri:{}", self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_machine_is_called_in_the_open() {
        for text in
            ["https://a.example", "http://localhost:8080/", "http://[::1]:80", "http://127.0.0.2"]
        {
            assert!(ServerUrl::parse(text, false).is_ok(), "{text}");
        }
        let open = ServerUrl::parse("http://a.example", false);
        assert_eq!(open, Err(OptionsError::Open("http://a.example".to_owned())));
        assert!(ServerUrl::parse("http://a.example", true).is_ok());
        for text in ["", "a.example", "ftp://a", "https://", "https://u@a", "https://a/?b", "/a"] {
            let refused = ServerUrl::parse(text, true);
            assert_eq!(refused, Err(OptionsError::Server(text.to_owned())));
        }
        let below = ServerUrl::parse("https://a.example/waybill/", false).unwrap();
        assert_eq!(
            (below.text.as_str(), below.prefix.as_str()),
            ("https://a.example/waybill", "/waybill")
        );
    }

    #[test]
    fn a_printer_has_a_name_and_an_address() {
        let read = |given: &[&str]| {
            let given: Vec<String> = given.iter().map(|text| (*text).to_owned()).collect();
            NamedPrinter::read_all(&given)
        };
        let two = read(&["zebra=socket://a", "out=file:x=y"]).unwrap();
        assert_eq!((two[0].key().as_str(), two[1].uri.as_str()), ("uri:zebra", "file:x=y"));
        assert_eq!(read(&["socket://a"]), Err(OptionsError::NoName("socket://a".to_owned())));
        assert_eq!(read(&["=file:x"]), Err(OptionsError::NoName("=file:x".to_owned())));
        assert_eq!(read(&["a=file:x", "a=file:y"]), Err(OptionsError::Twice("a".to_owned())));
        assert!(matches!(read(&["a=lpd://b"]), Err(OptionsError::Printer { .. })));
    }

    #[test]
    fn a_printer_is_wanted_while_the_agent_is_told_of_it() {
        let sources = Sources {
            cups: Sources::read_cups("ipp://localhost:631/").unwrap(),
            queues: vec!["zebra".to_owned()],
            printers: NamedPrinter::read_all(&["out=file:x".to_owned()]).unwrap(),
        };
        assert!(sources.has("cups:zebra") && sources.has("uri:out"));
        assert!(!sources.has("cups:office") && !sources.has("uri:in"));
        assert_eq!(Sources::read_cups("none"), Ok(None));
        assert!(Sources::read_cups("http://localhost").is_err());
    }
}
