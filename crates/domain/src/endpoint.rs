//! Where we may send what others ask us to send: an address that is written plainly and lies on the
//! public internet.
//!
//! An address that two programs could read differently is refused, never interpreted: no user, no
//! backslash, no number that is a host, no other alphabet. What is left has one meaning, here and
//! where the connection is made.

mod public;

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use crate::words::Message;

pub use public::is_public;

/// The longest address that is taken.
const LENGTH_MAX: usize = 2048;
/// The lowest port beside 443 that is called: below are mail, shells and other things that a POST
/// from us has no business with.
const PORT_FREE: u16 = 1024;
/// Names that never lead to the public internet, with everything below them.
const PRIVATE_NAMES: &[&str] = &[
    "localhost",
    "localdomain",
    "local",
    "internal",
    "intranet",
    "private",
    "corp",
    "home",
    "lan",
    "home.arpa",
    "in-addr.arpa",
    "ip6.arpa",
    "onion",
];

/// A parsed address.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Endpoint {
    /// Whether the connection is encrypted.
    pub is_https: bool,
    /// Whom to call.
    pub host: Host,
    /// On which port.
    pub port: u16,
    /// The path with its query.
    pub path: String,
    /// Host and port as they were written, for the `Host` header.
    pub authority: String,
}

/// Whom an address names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Host {
    /// A name in lower case, to be resolved.
    Name(String),
    /// An address.
    Address(IpAddr),
}

/// Why an address is not called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// It is not written as an address should be.
    Malformed,
    /// It would be sent in the open.
    NotHttps,
    /// The port is one that we do not call.
    Port,
    /// It is, or resolves to, an address that is not public.
    NotPublic,
}

impl Refusal {
    /// What stands after the field's path.
    pub fn message(self) -> Message {
        Message::new(match self {
            Refusal::Malformed => "url-malformed",
            Refusal::NotHttps => "url-not-https",
            Refusal::Port => "url-port",
            Refusal::NotPublic => "url-not-public",
        })
    }
}

impl Endpoint {
    /// Reads an address. Anything that is not plain is refused.
    pub fn parse(text: &str) -> Option<Endpoint> {
        let is_plain = text.len() <= LENGTH_MAX && text.bytes().all(is_url_byte);
        let rest = text.strip_prefix("http").filter(|_| is_plain)?;
        let (is_https, rest) = match rest.strip_prefix("s://") {
            Some(rest) => (true, rest),
            None => (false, rest.strip_prefix("://")?),
        };
        let end = rest.find(['/', '?']).unwrap_or(rest.len());
        let (authority, path) = rest.split_at(end);
        let (host, port) = split_port(authority)?;
        let port = match port {
            Some(digits) => parse_port(digits)?,
            None if is_https => 443,
            None => 80,
        };
        let slash = if path.starts_with('/') { "" } else { "/" };
        let path = format!("{slash}{path}");
        let (host, authority) = (Host::parse(host)?, authority.to_ascii_lowercase());
        has_good_escapes(&path).then_some(Endpoint { is_https, host, port, path, authority })
    }

    /// What forbids to call this address, as far as its text tells. A name must be resolved too.
    pub fn refusal(&self) -> Option<Refusal> {
        if !self.is_https {
            return Some(Refusal::NotHttps);
        }
        if self.port != 443 && self.port < PORT_FREE {
            return Some(Refusal::Port);
        }
        let is_public = match &self.host {
            Host::Address(address) => is_public(*address),
            Host::Name(name) => is_public_name(name),
        };
        (!is_public).then_some(Refusal::NotPublic)
    }
}

/// What RFC 3986 lets stand in an address, but for `#`: a fragment is nothing that can be sent.
fn is_url_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~:/?[]@!$&'()*+,;=%".contains(&byte)
}

fn has_good_escapes(path: &str) -> bool {
    path.split('%').skip(1).all(|rest| {
        let digits = rest.as_bytes().get(..2);
        digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    })
}

/// Splits `host:port`; a user before it, or a second colon, is not understood.
fn split_port(authority: &str) -> Option<(&str, Option<&str>)> {
    let host_end = match authority.strip_prefix('[') {
        Some(_) => authority.find(']')? + 1,
        None => authority.find(':').unwrap_or(authority.len()),
    };
    let (host, rest) = authority.split_at(host_end);
    match rest.strip_prefix(':') {
        Some(port) => Some((host, Some(port))),
        None => rest.is_empty().then_some((host, None)),
    }
}

fn parse_port(digits: &str) -> Option<u16> {
    let is_plain = digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.starts_with('0');
    digits.parse().ok().filter(|_| is_plain)
}

impl Host {
    fn parse(text: &str) -> Option<Host> {
        if let Some(bracketed) = text.strip_prefix('[') {
            let address: Ipv6Addr = bracketed.strip_suffix(']')?.parse().ok()?;
            return Some(Host::Address(address.into()));
        }
        let last = text.rsplit('.').next().unwrap_or_default();
        if last.starts_with(|first: char| first.is_ascii_digit()) {
            // Programs that read `127.1`, `0x7f.1` or `2130706433` as an address exist. We do not.
            let address: Ipv4Addr = text.parse().ok()?;
            return Some(Host::Address(address.into()));
        }
        let is_name = text.len() <= 253 && text.split('.').all(is_label);
        is_name.then(|| Host::Name(text.to_ascii_lowercase()))
    }
}

fn is_label(label: &str) -> bool {
    let is_inside = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    (1..=63).contains(&label.len())
        && label.bytes().all(is_inside)
        && !label.starts_with('-')
        && !label.ends_with('-')
}

fn is_public_name(name: &str) -> bool {
    let is_below = |parent: &&str| {
        name.strip_suffix(*parent).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    };
    name.contains('.') && !PRIVATE_NAMES.iter().any(is_below)
}

#[cfg(test)]
mod tests;
