//! Who calls when a proxy stands between: the operator says which proxies are believed.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

/// Addresses whose word about others is taken.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Proxies(Vec<Network>);

/// A part of a list of proxies that is none.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("\"{0}\" is neither an address nor a network like 10.0.7.0/28")]
pub struct ProxiesError(String);

/// All addresses that begin with the same bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Network {
    start: Ipv6Addr,
    bits: u32,
}

impl Proxies {
    /// Reads a list such as `127.0.0.1, 10.0.7.0/28`.
    pub fn parse(text: &str) -> Result<Proxies, ProxiesError> {
        let items = text.split(',').map(str::trim).filter(|item| !item.is_empty());
        let read = |item: &str| Network::parse(item).ok_or_else(|| ProxiesError(item.to_owned()));
        items.map(read).collect::<Result<_, _>>().map(Proxies)
    }

    /// The caller: the peer, or where it is a proxy, whom the proxies name. `forwarded` is what
    /// `X-Forwarded-For` says. Every proxy adds whom it sees at the end, and anybody may have
    /// written the beginning, so it is read backwards up to the first who is no proxy of ours.
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

/// Both kinds of addresses as one: four-byte ones stand at the end of sixteen.
fn wide(address: IpAddr) -> Ipv6Addr {
    match address {
        IpAddr::V4(four) => four.to_ipv6_mapped(),
        IpAddr::V6(six) => six,
    }
}

impl Network {
    fn parse(text: &str) -> Option<Network> {
        let (start, bits) = match text.split_once('/') {
            Some((start, bits)) => (start, Some(bits.parse::<u32>().ok()?)),
            None => (text, None),
        };
        let start: IpAddr = start.parse().ok()?;
        let (most, before) = if start.is_ipv4() { (32, 96) } else { (128, 0) };
        let bits = bits.unwrap_or(most);
        (bits <= most).then(|| Network { start: wide(start), bits: before + bits })
    }

    fn has(self, address: IpAddr) -> bool {
        let differing = self.start.to_bits() ^ wide(address).to_bits();
        differing.leading_zeros() >= self.bits
    }
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
    fn networks_end_at_their_last_bit() {
        let edges = [("10.1.2.0/23", "10.1.3.255", true), ("10.1.2.0/23", "10.1.4.0", false)];
        let all = [("0.0.0.0/0", "203.0.113.1", true), ("0.0.0.0/0", "2001:db8::1", false)];
        for (network, address, is_in) in edges.into_iter().chain(all) {
            let network = Network::parse(network).unwrap();
            assert_eq!(network.has(address.parse().unwrap()), is_in, "{address}");
        }
        for wrong in ["10.0.0.0/33", "10.0.0/8", "nginx", "::/129", "10.0.0.0/-1", "/8"] {
            assert!(Proxies::parse(wrong).unwrap_err().to_string().contains(wrong), "{wrong}");
        }
    }
}
