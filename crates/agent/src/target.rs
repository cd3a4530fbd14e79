//! Where a printer is, and how it is spoken to.

use std::path::PathBuf;

use waybill_domain::printing::{Uri, UriProblem};

/// The port of printers that take bytes as they are.
const RAW_PORT: u16 = 9100;

/// Where a printer is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Target {
    /// It speaks IPP.
    Ipp(Uri),
    /// It takes bytes as they are, at this host and port.
    Raw(String, u16),
    /// A folder, in which each paper becomes a file.
    Folder(PathBuf),
}

/// Why an address is not that of a printer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TargetError {
    /// It is none of those that an agent prints on.
    #[error("write ipp://…, ipps://…, socket://HOST:9100 or file:FOLDER")]
    Scheme,
    /// There is nobody to call.
    #[error("write socket://HOST:9100")]
    Socket,
    /// There is no folder.
    #[error("write file:FOLDER")]
    Folder,
    /// It is an address of IPP that cannot be called.
    #[error("{}", problem_of(*.0))]
    Ipp(UriProblem),
}

fn problem_of(problem: UriProblem) -> &'static str {
    match problem {
        UriProblem::Scheme => "write ipp://… or ipps://…",
        UriProblem::Extra => "a user, a password, a query or a fragment is not taken",
        UriProblem::Length => "it is too long",
        UriProblem::Malformed => "it is not written as an address should be",
        UriProblem::Port => "the port must be 443, 631, or 1024 and higher",
    }
}

impl Target {
    /// Reads an address.
    pub fn parse(text: &str) -> Result<Target, TargetError> {
        let (scheme, rest) = text.split_once(':').ok_or(TargetError::Scheme)?;
        match scheme.to_ascii_lowercase().as_str() {
            "ipp" | "ipps" => Uri::parse(text).map(Target::Ipp).map_err(TargetError::Ipp),
            "socket" => raw(rest).ok_or(TargetError::Socket),
            "file" => {
                let path = rest.strip_prefix("//").unwrap_or(rest);
                let path = Some(path).filter(|path| !path.is_empty());
                path.map(|path| Target::Folder(path.into())).ok_or(TargetError::Folder)
            }
            _ => Err(TargetError::Scheme),
        }
    }
}

fn raw(rest: &str) -> Option<Target> {
    let authority = rest.strip_prefix("//")?.trim_end_matches('/');
    if authority.contains(['/', '@', '?', '#']) {
        return None;
    }
    let authority: hyper::http::uri::Authority = authority.parse().ok()?;
    let host = authority.host().trim_start_matches('[').trim_end_matches(']');
    let port = match authority.port() {
        Some(port) => Some(port.as_u16()).filter(|port| *port > 0)?,
        None if authority.as_str() == authority.host() => RAW_PORT,
        // There is something that is no port.
        None => return None,
    };
    (!host.is_empty()).then(|| Target::Raw(host.to_owned(), port))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_all_kinds_are_read() {
        assert!(matches!(Target::parse("ipp://a/ipp/print"), Ok(Target::Ipp(_))));
        assert!(matches!(Target::parse("IPPS://a/"), Ok(Target::Ipp(_))));
        for (text, host, port) in [
            ("socket://10.0.0.7:9101", "10.0.0.7", 9101),
            ("socket://zebra.local/", "zebra.local", 9100),
            ("socket://[fd00::7]:9100", "fd00::7", 9100),
            ("socket://[fd00::7]", "fd00::7", 9100),
        ] {
            assert_eq!(Target::parse(text), Ok(Target::Raw(host.to_owned(), port)), "{text}");
        }
        for (text, path) in [("file:out", "out"), ("file:/a b", "/a b"), ("file:///a", "/a")] {
            assert_eq!(Target::parse(text), Ok(Target::Folder(path.into())), "{text}");
        }
    }

    #[test]
    fn what_is_wrong_with_an_address_is_said() {
        for (text, problem) in [
            ("", TargetError::Scheme),
            ("lpd://a", TargetError::Scheme),
            ("zebra", TargetError::Scheme),
            ("socket:a:9100", TargetError::Socket),
            ("socket://", TargetError::Socket),
            ("socket://a:0", TargetError::Socket),
            ("socket://a:99999", TargetError::Socket),
            ("socket://a:", TargetError::Socket),
            ("socket://[fd00::7]:65536", TargetError::Socket),
            ("socket://user@a", TargetError::Socket),
            ("file:", TargetError::Folder),
            ("ipp://a:25/", TargetError::Ipp(UriProblem::Port)),
        ] {
            assert_eq!(Target::parse(text), Err(problem), "{text}");
        }
    }
}
