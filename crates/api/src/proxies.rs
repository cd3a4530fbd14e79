//! Who calls when a proxy stands between: the operator says which proxies are believed.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use waybill_domain::subnet::Subnet;

/// Addresses whose word about others is taken.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Proxies(Vec<Subnet>);

/// A part of a list of proxies that is none.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("\"{0}\" is neither an address nor a network like 10.0.7.0/28")]
pub struct ProxiesError(String);

impl Proxies {
    /// Reads a list such as `127.0.0.1, 10.0.7.0/28`.
    pub fn parse(text: &str) -> Result<Proxies, ProxiesError> {
        let items = text.split(',').map(str::trim).filter(|item| !item.is_empty());
        let read = |item: &str| Subnet::parse(item).ok_or_else(|| ProxiesError(item.to_owned()));
        items.map(read).collect::<Result<_, _>>().map(Proxies)
    }

    /// The caller: the peer, or where it is a proxy, whom the proxies name. `forwarded` is what
    /// `X-Forwarded-For` says. Every proxy adds whom it sees at the end, and anybody may have
    /// written the beginning, so it is read backwards up to the first that is not a proxy of ours.
    pub fn caller<'a>(
        &self,
        peer: IpAddr,
        forwarded: impl DoubleEndedIterator<Item = &'a str>,
    ) -> IpAddr {
        let mut caller = peer.to_canonical();
        for named in forwarded.flat_map(|line| line.split(',')).rev() {
            if !self.0.iter().any(|network| network.has(caller)) {
                break;
            }
            let Some(address) = address(named.trim()) else { break };
            caller = address;
        }
        caller
    }
}

/// What counts as one caller. Whoever has an IPv6 address has as many as it likes that begin alike.
pub fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(six) => Ipv6Addr::from_bits(six.to_bits() >> 64 << 64).into(),
        four => four,
    }
}

/// With or without a port.
fn address(text: &str) -> Option<IpAddr> {
    let bare = text.trim_start_matches('[').trim_end_matches(']');
    let bare = bare.parse().ok();
    bare.or_else(|| Some(text.parse::<SocketAddr>().ok()?.ip())).map(|ip: IpAddr| ip.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn caller(proxies: &str, peer: &str, forwarded: &[&str]) -> String {
        let proxies = Proxies::parse(proxies).unwrap();
        proxies.caller(peer.parse().unwrap(), forwarded.iter().copied()).to_string()
    }

    #[test]
    fn who_is_no_proxy_is_the_caller_whatever_it_says() {
        assert_eq!(caller("", "192.0.2.1", &["198.51.100.1"]), "192.0.2.1");
        assert_eq!(caller("127.0.0.1", "192.0.2.1", &["198.51.100.1"]), "192.0.2.1");
        assert_eq!(caller("10.0.0.0/8", "11.0.0.1", &["198.51.100.1"]), "11.0.0.1");
    }

    #[test]
    fn a_proxy_names_the_caller_and_what_the_caller_wrote_before_is_not_believed() {
        let one = "127.0.0.1";
        assert_eq!(caller(one, "127.0.0.1", &["198.51.100.1"]), "198.51.100.1");
        assert_eq!(caller(one, "::ffff:127.0.0.1", &["198.51.100.1"]), "198.51.100.1");
        assert_eq!(caller(one, "127.0.0.1", &["1.1.1.1, 198.51.100.1"]), "198.51.100.1");
        assert_eq!(caller(one, "127.0.0.1", &["1.1.1.1", "198.51.100.1"]), "198.51.100.1");
        assert_eq!(caller(one, "127.0.0.1", &["1.1.1.1, nonsense"]), "127.0.0.1");
        assert_eq!(caller(one, "127.0.0.1", &[]), "127.0.0.1");
    }

    #[test]
    fn several_proxies_in_a_row_are_followed() {
        let ours = "127.0.0.1, 10.0.0.0/8, 2001:db8::/32";
        let said = ["1.1.1.1, 198.51.100.7, 10.1.2.3"];
        assert_eq!(caller(ours, "127.0.0.1", &said), "198.51.100.7");
        assert_eq!(caller(ours, "2001:db8::5", &["[2001:db9::1]:4711"]), "2001:db9::1");
        assert_eq!(caller(ours, "10.0.0.1", &["203.0.113.9:1234"]), "203.0.113.9");
        assert_eq!(caller(ours, "10.0.0.1", &["10.0.0.2, 10.0.0.3"]), "10.0.0.2");
    }

    #[test]
    fn what_is_neither_an_address_nor_a_network_is_refused_by_name() {
        for wrong in ["10.0.0.0/33", "10.0.0/8", "nginx", "::/129", "10.0.0.0/-1", "/8"] {
            assert!(Proxies::parse(wrong).unwrap_err().to_string().contains(wrong), "{wrong}");
        }
    }
}
