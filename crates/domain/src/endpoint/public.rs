//! Which addresses are on the public internet. Everything that a registry sets aside is not, and
//! neither is a form of IPv6 that carries an IPv4 address inside: a router on the way could unwrap
//! it.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// IPv4 blocks that are not public: the first address and the number of fixed bits.
const V4: &[(Ipv4Addr, u32)] = &[
    (Ipv4Addr::new(0, 0, 0, 0), 8),        // this network
    (Ipv4Addr::new(10, 0, 0, 0), 8),       // private
    (Ipv4Addr::new(100, 64, 0, 0), 10),    // behind a provider's NAT
    (Ipv4Addr::new(127, 0, 0, 0), 8),      // loopback
    (Ipv4Addr::new(168, 63, 129, 16), 32), // the host of a virtual machine at Azure
    (Ipv4Addr::new(169, 254, 0, 0), 16),   // link-local, and most clouds' metadata
    (Ipv4Addr::new(172, 16, 0, 0), 12),    // private
    (Ipv4Addr::new(192, 0, 0, 0), 24),     // protocol assignments
    (Ipv4Addr::new(192, 0, 2, 0), 24),     // documentation
    (Ipv4Addr::new(192, 31, 196, 0), 24),  // AS112
    (Ipv4Addr::new(192, 52, 193, 0), 24),  // AMT
    (Ipv4Addr::new(192, 88, 99, 0), 24),   // 6to4 relays
    (Ipv4Addr::new(192, 168, 0, 0), 16),   // private
    (Ipv4Addr::new(192, 175, 48, 0), 24),  // AS112
    (Ipv4Addr::new(198, 18, 0, 0), 15),    // benchmarks
    (Ipv4Addr::new(198, 51, 100, 0), 24),  // documentation
    (Ipv4Addr::new(203, 0, 113, 0), 24),   // documentation
    (Ipv4Addr::new(224, 0, 0, 0), 4),      // multicast
    (Ipv4Addr::new(240, 0, 0, 0), 4),      // reserved, and broadcast
];

/// The only block from which public IPv6 addresses are given out.
const V6_GLOBAL: (Ipv6Addr, u32) = (Ipv6Addr::new(0x2000, 0, 0, 0, 0, 0, 0, 0), 3);

/// What is set aside inside it.
const V6: &[(Ipv6Addr, u32)] = &[
    // Protocol assignments: Teredo, benchmarks, ORCHID and others.
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23),
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32), // documentation
    (Ipv6Addr::new(0x2002, 0, 0, 0, 0, 0, 0, 0), 16),     // 6to4
    (Ipv6Addr::new(0x2620, 0x4f, 0x8000, 0, 0, 0, 0, 0), 48), // AS112
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20),     // documentation
];

/// Whether the address is one that anybody may call.
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => !V4.iter().any(|block| is_in_v4(address, *block)),
        IpAddr::V6(address) => {
            is_in_v6(address, V6_GLOBAL)
                && !V6.iter().any(|block| is_in_v6(address, *block))
                && !is_isatap(address)
        }
    }
}

fn is_in_v4(address: Ipv4Addr, (first, bits): (Ipv4Addr, u32)) -> bool {
    (address.to_bits() ^ first.to_bits()) >> (32 - bits) == 0
}

fn is_in_v6(address: Ipv6Addr, (first, bits): (Ipv6Addr, u32)) -> bool {
    (address.to_bits() ^ first.to_bits()) >> (128 - bits) == 0
}

/// An interface id that carries an IPv4 address, under any prefix.
fn is_isatap(address: Ipv6Addr) -> bool {
    let [.., high, low, _, _] = address.segments();
    matches!(high, 0 | 0x0200) && low == 0x5efe
}
