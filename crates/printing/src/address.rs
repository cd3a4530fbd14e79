//! Which addresses printers may have. A printer is an address that a caller gives and this server
//! calls, so the operator says where printers are.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use waybill_domain::endpoint::is_public;
use waybill_domain::subnet::Subnet;

/// The networks in which printers may be.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum PrinterNetworks {
    /// All of them.
    #[default]
    Any,
    /// This server calls no printers.
    None,
    /// The public internet.
    Public,
    /// Everything else.
    Private,
    /// These.
    Listed(Vec<Subnet>),
}

/// A part of the list is not a network.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "\"{0}\" is not a network: write any, none, public, private or networks such as 10.0.7.0/28"
)]
pub struct NetworksError(String);

impl PrinterNetworks {
    /// Reads `any`, `none`, `public`, `private`, or networks with commas between them.
    pub fn parse(text: &str) -> Result<PrinterNetworks, NetworksError> {
        let network = |part: &str| Subnet::parse(part).ok_or_else(|| NetworksError(part.into()));
        Ok(match text.trim() {
            "any" => PrinterNetworks::Any,
            "none" => PrinterNetworks::None,
            "public" => PrinterNetworks::Public,
            "private" => PrinterNetworks::Private,
            list => PrinterNetworks::Listed(
                list.split(',').map(str::trim).map(network).collect::<Result<_, _>>()?,
            ),
        })
    }

    /// Whether a printer may have this address. Some never do, whatever the operator says: they
    /// lead to no printer, and the metadata of clouds is among them.
    pub fn allows(&self, address: IpAddr) -> bool {
        let address = plain(address);
        !is_never_a_printer(address)
            && match self {
                PrinterNetworks::Any => true,
                PrinterNetworks::None => false,
                PrinterNetworks::Public => is_public(address),
                PrinterNetworks::Private => !is_public(address),
                PrinterNetworks::Listed(networks) => {
                    networks.iter().any(|network| network.has(address))
                }
            }
    }
}

/// The IPv4 address that a form of IPv6 leads to, where it carries one inside: mapped, compatible,
/// or by way of a translator (RFC 6052).
fn plain(address: IpAddr) -> IpAddr {
    let IpAddr::V6(six) = address else { return address };
    let segments = six.segments();
    let [.., high, low] = segments;
    let is_compatible = segments[..6] == [0; 6] && high != 0;
    let is_translated = segments[..6] == [0x64, 0xff9b, 0, 0, 0, 0];
    // 6to4 (RFC 3056) carries it at the front.
    if segments[0] == 0x2002 {
        let [a, b] = [segments[1], segments[2]].map(u16::to_be_bytes);
        return Ipv4Addr::new(a[0], a[1], b[0], b[1]).into();
    }
    if is_compatible || is_translated {
        let [.., a, b] = [high, low].map(u16::to_be_bytes);
        return Ipv4Addr::new(a[0], a[1], b[0], b[1]).into();
    }
    six.to_canonical()
}

/// Where clouds have their metadata, beside the link-local addresses.
const METADATA: [IpAddr; 3] = [
    IpAddr::V4(Ipv4Addr::new(100, 100, 100, 200)),
    IpAddr::V4(Ipv4Addr::new(192, 0, 0, 192)),
    IpAddr::V6(Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254)),
];

fn is_never_a_printer(address: IpAddr) -> bool {
    let is_set_aside = match address {
        // 240.0.0.0/4 is reserved, and broadcast is its last address.
        IpAddr::V4(four) => four.is_link_local() || matches!(four.octets()[0], 0 | 240..),
        IpAddr::V6(six) => is_link_local(six),
    };
    let is_set_aside = is_set_aside || METADATA.contains(&address);
    is_set_aside || address.is_multicast() || address.is_unspecified()
}

fn is_link_local(six: Ipv6Addr) -> bool {
    six.segments()[0] & 0xffc0 == 0xfe80
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allows(networks: &str, address: &str) -> bool {
        PrinterNetworks::parse(networks).unwrap().allows(address.parse().unwrap())
    }

    #[test]
    fn printers_are_where_the_operator_says() {
        for (networks, address, is_allowed) in [
            ("any", "127.0.0.1", true),
            ("any", "10.1.2.3", true),
            ("any", "2a00:1450::1", true),
            ("none", "10.1.2.3", false),
            ("none", "192.0.43.8", false),
            ("public", "192.0.43.8", true),
            ("public", "10.1.2.3", false),
            ("public", "::ffff:10.1.2.3", false),
            ("private", "10.1.2.3", true),
            ("private", "::1", true),
            ("private", "fd00::7", true),
            ("private", "192.0.43.8", false),
            ("10.0.7.0/28, fd00::/8", "10.0.7.15", true),
            ("10.0.7.0/28, fd00::/8", "10.0.7.16", false),
            ("10.0.7.0/28, fd00::/8", "fd00::7", true),
            ("10.0.7.0/28", "::ffff:10.0.7.1", true),
        ] {
            assert_eq!(allows(networks, address), is_allowed, "{networks} {address}");
        }
        assert_eq!(PrinterNetworks::default(), PrinterNetworks::Any);
    }

    #[test]
    fn some_addresses_are_never_those_of_printers() {
        for networks in ["any", "private", "public", "0.0.0.0/0,::/0"] {
            for address in [
                "169.254.169.254",
                "::ffff:169.254.169.254",
                "::169.254.169.254",
                "64:ff9b::169.254.169.254",
                "fe80::1",
                "febf::1",
                "224.0.0.251",
                "::ffff:224.0.0.251",
                "ff02::fb",
                "255.255.255.255",
                "240.0.0.1",
                "100.100.100.200",
                "192.0.0.192",
                "fd00:ec2::254",
                "2002:a9fe:a9fe::",
                "0.0.0.0",
                "0.1.2.3",
                "::ffff:0.0.0.0",
                "::",
            ] {
                assert!(!allows(networks, address), "{networks} {address}");
            }
        }
    }

    #[test]
    fn a_network_that_cannot_be_read_is_named() {
        for (text, part) in [("", ""), ("ANY", "ANY"), ("10.0.0.0/8,", ""), ("any,::1", "any")] {
            assert_eq!(PrinterNetworks::parse(text), Err(NetworksError(part.to_owned())));
        }
    }
}
