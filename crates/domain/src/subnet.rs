//! Networks as operators write them: `10.0.7.0/28`, or one address alone.

use std::net::{IpAddr, Ipv6Addr};

/// All addresses that begin with the same bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Subnet {
    start: Ipv6Addr,
    bits: u32,
}

impl Subnet {
    /// Reads an address, or a network with the number of its bits.
    pub fn parse(text: &str) -> Option<Subnet> {
        let (start, bits) = match text.split_once('/') {
            Some((start, bits)) => (start, Some(bits.parse::<u32>().ok()?)),
            None => (text, None),
        };
        let start: IpAddr = start.parse().ok()?;
        let (most, before) = if start.is_ipv4() { (32, 96) } else { (128, 0) };
        let bits = bits.unwrap_or(most);
        (bits <= most).then(|| Subnet { start: wide(start), bits: before + bits })
    }

    /// Whether the address is one of them.
    pub fn has(self, address: IpAddr) -> bool {
        let differing = self.start.to_bits() ^ wide(address).to_bits();
        differing.leading_zeros() >= self.bits
    }
}

/// Both kinds of addresses as one: four-byte ones stand at the end of sixteen.
fn wide(address: IpAddr) -> Ipv6Addr {
    match address {
        IpAddr::V4(four) => four.to_ipv6_mapped(),
        IpAddr::V6(six) => six,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn networks_end_at_their_last_bit() {
        let edges = [("10.1.2.0/23", "10.1.3.255", true), ("10.1.2.0/23", "10.1.4.0", false)];
        let all = [("0.0.0.0/0", "203.0.113.1", true), ("0.0.0.0/0", "2001:db8::1", false)];
        for (network, address, is_in) in edges.into_iter().chain(all) {
            let network = Subnet::parse(network).unwrap();
            assert_eq!(network.has(address.parse().unwrap()), is_in, "{address}");
        }
        for wrong in ["10.0.0.0/33", "10.0.0/8", "nginx", "::/129", "10.0.0.0/-1", "/8"] {
            assert_eq!(Subnet::parse(wrong), None, "{wrong}");
        }
    }
}
