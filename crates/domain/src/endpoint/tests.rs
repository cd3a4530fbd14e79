use super::*;

fn refusal(text: &str) -> Option<Refusal> {
    Endpoint::parse(text).map_or(Some(Refusal::Malformed), |endpoint| endpoint.refusal())
}

#[test]
fn a_plain_public_address_is_read_whole() {
    let endpoint = Endpoint::parse("https://Shop.Example.dk:8443/hooks?a=%C3%A6&b").unwrap();
    assert_eq!(endpoint.host, Host::Name("shop.example.dk".to_owned()));
    assert_eq!((endpoint.port, endpoint.is_https), (8443, true));
    assert_eq!(endpoint.path, "/hooks?a=%C3%A6&b");
    assert_eq!(endpoint.authority, "shop.example.dk:8443");
    for text in [
        "https://shop.example.dk",
        "https://shop.example.dk?x=1",
        "https://xn--kbenhavn-54a.example/",
        "https://93.184.216.34/hook",
        "https://[2606:2800:220:1:248:1893:25c8:1946]:443/",
        "https://a_b.example.com/~x/(y)",
        "https://localhost.example.com/",
        "https://local.example.com/",
    ] {
        assert_eq!(refusal(text), None, "{text}");
    }
}

#[test]
fn what_is_refused_is_refused_for_the_right_reason() {
    for (text, why) in [
        ("http://shop.example.dk/", Refusal::NotHttps),
        ("https://shop.example.dk:22/", Refusal::Port),
        ("https://shop.example.dk:80/", Refusal::Port),
        ("https://127.0.0.1/", Refusal::NotPublic),
        ("https://localhost/", Refusal::NotPublic),
        ("https://db.internal/", Refusal::NotPublic),
        ("https://printer/", Refusal::NotPublic),
        ("https://[::1]/", Refusal::NotPublic),
        ("https://user@shop.example.dk/", Refusal::Malformed),
        ("https://shop.example.dk:/", Refusal::Malformed),
        ("https://shop.example.dk:0/", Refusal::Malformed),
        ("https://shop.example.dk:65536/", Refusal::Malformed),
        ("https://shop.example.dk./", Refusal::Malformed),
        ("https://shop.example.dk/%zz", Refusal::Malformed),
        ("https://shop.example.dk/#x", Refusal::Malformed),
        ("HTTPS://shop.example.dk/", Refusal::Malformed),
        ("ftp://shop.example.dk/", Refusal::Malformed),
        ("https:/shop.example.dk/", Refusal::Malformed),
        ("https:///shop.example.dk/", Refusal::Malformed),
        ("https://127.1/", Refusal::Malformed),
        ("https://0x7f000001/", Refusal::Malformed),
        ("https://shop.example.0x7f/", Refusal::Malformed),
        ("", Refusal::Malformed),
    ] {
        assert_eq!(refusal(text), Some(why), "{text}");
    }
}

#[test]
fn both_ends_of_every_block_are_private_and_their_neighbours_public() {
    let v4 = |text: &str| is_public(IpAddr::V4(text.parse().unwrap()));
    for (first, last, before, after) in [
        ("10.0.0.0", "10.255.255.255", "9.255.255.255", "11.0.0.0"),
        ("100.64.0.0", "100.127.255.255", "100.63.255.255", "100.128.0.0"),
        ("127.0.0.0", "127.255.255.255", "126.255.255.255", "128.0.0.0"),
        ("169.254.0.0", "169.254.255.255", "169.253.255.255", "169.255.0.0"),
        ("172.16.0.0", "172.31.255.255", "172.15.255.255", "172.32.0.0"),
        ("192.168.0.0", "192.168.255.255", "192.167.255.255", "192.169.0.0"),
        ("198.18.0.0", "198.19.255.255", "198.17.255.255", "198.20.0.0"),
    ] {
        assert!(!v4(first) && !v4(last), "{first}");
        assert!(v4(before) && v4(after), "{first}");
    }
    assert!(!v4("0.0.0.0") && !v4("255.255.255.255") && !v4("224.0.0.1") && !v4("168.63.129.16"));
}

#[test]
fn ipv6_that_carries_ipv4_is_never_public() {
    let v6 = |text: &str| is_public(IpAddr::V6(text.parse().unwrap()));
    for text in [
        "::",
        "::1",
        "::127.0.0.1",
        "::8.8.8.8",
        "::ffff:8.8.8.8",
        "::ffff:0:8.8.8.8",
        "64:ff9b::8.8.8.8",
        "64:ff9b:1::1",
        "2002:808:808::",
        "2001:0:4136:e378::",
        "fe80::1",
        "fec0::1",
        "fc00::1",
        "fd00:ec2::254",
        "ff02::1",
        "100::1",
        "2001:db8::1",
        "2001:10::1",
        "2001:20::1",
        "3fff::1",
        "5f00::1",
        "2606:2800::5efe:7f00:1",
        "2606:2800::200:5efe:a00:1",
    ] {
        assert!(!v6(text), "{text}");
    }
    assert!(v6("2606:2800:220:1:248:1893:25c8:1946") && v6("2a00:1450:400f::200e"));
}

proptest::proptest! {
    /// What is read is the text itself, so that whoever reads it after us finds the same host.
    #[test]
    fn an_address_that_is_read_says_what_was_written(
        text in "https?://[a-zA-Z0-9.:@\\\\\\[\\]%_/?#-]{0,40}|\\PC*"
    ) {
        let Some(endpoint) = Endpoint::parse(&text) else { return Ok(()) };
        let scheme = if endpoint.is_https { "https" } else { "http" };
        let again = format!("{scheme}://{}{}", endpoint.authority, endpoint.path);
        // But for letter case, and the slash that an empty path begins with.
        let bare = |text: &str| text.to_ascii_lowercase().replace('/', "");
        proptest::prop_assert_eq!(bare(&again), bare(&text));
        let host = match &endpoint.host {
            Host::Name(name) => name.clone(),
            Host::Address(IpAddr::V4(address)) => address.to_string(),
            // There are many ways to write one, and all of them are read by the same function.
            Host::Address(IpAddr::V6(_)) => "[".to_owned(),
        };
        proptest::prop_assert!(endpoint.authority.starts_with(&host));
    }
}
