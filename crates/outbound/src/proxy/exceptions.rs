//! Whom we call without the proxy, as curl reads `NO_PROXY`: hosts with everything below them,
//! addresses, networks, and `*` for all. Names are not resolved to be compared with networks.

use std::net::IpAddr;

use waybill_domain::subnet::Subnet;

/// The list.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Exceptions {
    is_all: bool,
    networks: Vec<Subnet>,
    /// In lower case, without dots around them.
    names: Vec<String>,
}

impl Exceptions {
    /// Reads a list with commas or white space between its parts.
    pub fn parse(list: &str) -> Exceptions {
        let mut exceptions = Exceptions::default();
        let parts = list.split(|c: char| c == ',' || c.is_whitespace());
        for part in parts.filter(|part| !part.is_empty()) {
            let address = part.trim_start_matches('[').replace(']', "");
            if part == "*" {
                exceptions.is_all = true;
            } else if let Some(network) = Subnet::parse(&address) {
                exceptions.networks.push(network);
            } else {
                exceptions.names.push(part.trim_matches('.').to_ascii_lowercase());
            }
        }
        exceptions
    }

    /// Whether a host, without brackets, is on the list.
    pub fn has(&self, host: &str) -> bool {
        if let Ok(address) = host.parse::<IpAddr>() {
            let address = address.to_canonical();
            return self.is_all || self.networks.iter().any(|network| network.has(address));
        }
        let host = host.trim_end_matches('.').to_ascii_lowercase();
        let is_below = |name: &String| {
            let rest = host.strip_suffix(name.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
        };
        self.is_all || self.names.iter().filter(|name| !name.is_empty()).any(is_below)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_excepted_with_what_is_below_them_and_addresses_with_their_networks() {
        let list = "localhost, .corp.example,API.example. 10.0.0.0/8,192.0.2.7,[2001:db8::]/32,::1";
        let exceptions = Exceptions::parse(list);
        for host in [
            "localhost",
            "corp.example",
            "a.b.corp.example",
            "api.example",
            "v1.API.example.",
            "10.255.0.1",
            "192.0.2.7",
            "2001:db8::5",
            "::1",
            "::ffff:10.0.0.1",
        ] {
            assert!(exceptions.has(host), "{host}");
        }
        for host in ["xcorp.example", "example", "api.example.com", "192.0.2.8", "2001:db9::1"] {
            assert!(!exceptions.has(host), "{host}");
        }
    }

    #[test]
    fn a_star_excepts_all_and_an_empty_list_nobody() {
        for host in ["api.example", "192.0.2.1", "::1"] {
            assert!(Exceptions::parse("*").has(host));
            assert!(Exceptions::parse("x, *").has(host));
            assert!(!Exceptions::parse("").has(host));
            assert!(!Exceptions::parse(" , .").has(host));
            assert!(!Exceptions::parse("*.example").has(host));
        }
    }
}
