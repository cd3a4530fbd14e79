use super::*;

fn read(flags: &[(&str, &str)], variables: &[(&str, &str)]) -> Result<Config, String> {
    let own = |pair: &(&str, &str)| (pair.0.to_owned(), pair.1.to_owned());
    let flags = flags.iter().map(own).collect();
    let variables: BTreeMap<String, String> = variables.iter().map(own).collect();
    let config = Config::read(&flags, |name| variables.get(name).cloned());
    config.map_err(|error| error.to_string())
}

#[test]
fn a_flag_beats_the_environment_which_beats_the_default() {
    let variables = [("WAYBILL_LISTEN", "[::]:1"), ("WAYBILL_ROLE", "worker")];
    let config = read(&[("listen", "[::]:2")], &variables).unwrap();
    assert_eq!(config.listen, "[::]:2");
    assert_eq!((config.is_api, config.is_worker), (false, true));
    assert_eq!(config.database, "sqlite:waybill.db");
    assert_eq!(config.reads_per_minute, 6000);
}

#[test]
fn a_bad_setting_is_one_clear_line_that_names_its_place() {
    for (flags, variables, line) in [
        (
            vec![("rate-limit-reads", "many")],
            vec![],
            "--rate-limit-reads: \"many\" is not a whole number",
        ),
        (
            vec![],
            vec![("WAYBILL_RATE_LIMIT_WRITES", "-1")],
            "WAYBILL_RATE_LIMIT_WRITES: \"-1\" is not a whole number",
        ),
        (
            vec![("legacy-sunset", "2028")],
            vec![],
            "--legacy-sunset: \"2028\" is not a date such as 2028-01-01",
        ),
        (vec![("role", "boss")], vec![], "--role: \"boss\" is neither api nor worker"),
        (
            vec![("database", "wb.db")],
            vec![],
            "--database: \"wb.db\" is not a URL: write sqlite:wb.db",
        ),
        (
            vec![],
            vec![("WAYBILL_DATABASE", "/var/lib/wb.db")],
            "WAYBILL_DATABASE: \"/var/lib/wb.db\" is not a URL: write sqlite:/var/lib/wb.db",
        ),
        (
            vec![("database", "mysql://ada:secret@db/x")],
            vec![],
            "--database: the database must be sqlite:PATH or \
             postgres://USER:PASSWORD@HOST/NAME",
        ),
        (
            vec![("database", "sqlite:")],
            vec![],
            "--database: it names no database: write sqlite:waybill.db",
        ),
        (
            vec![],
            vec![("WAYBILL_DEMO", "maybe")],
            "WAYBILL_DEMO: \"maybe\" is neither true nor false",
        ),
        (
            vec![("base-url", "ship.example.com")],
            vec![],
            "--base-url: \"ship.example.com\" is not an address like https://ship.example.com",
        ),
        (
            vec![("config", "/nowhere.toml")],
            vec![],
            "settings file /nowhere.toml: No such file or directory (os error 2)",
        ),
        (
            vec![],
            vec![("WAYBILL_FILES", "ftp://x")],
            "WAYBILL_FILES: \"ftp://x\" is none of db, file:DIR and s3://BUCKET/PREFIX",
        ),
        (
            vec![],
            vec![("WAYBILL_TRUSTED_PROXIES", "127.0.0.1,nginx")],
            "WAYBILL_TRUSTED_PROXIES: \"nginx\" is neither an address nor a network like \
             10.0.7.0/28",
        ),
        (vec![("files", "s3://X")], vec![], "--files: \"X\" is not the name of a bucket"),
    ] {
        assert_eq!(read(&flags, &variables).unwrap_err(), line);
    }
}

#[test]
fn a_bad_role_or_count_names_the_variable_that_it_came_from() {
    for (name, value, line) in [
        ("WAYBILL_ROLE", "boss", "WAYBILL_ROLE: \"boss\" is neither api nor worker"),
        ("WAYBILL_BATCHES_AT_ONCE", "0", "WAYBILL_BATCHES_AT_ONCE: must be at least 1"),
        ("WAYBILL_CONNECTIONS", "0", "WAYBILL_CONNECTIONS: must be at least 1"),
        (
            "WAYBILL_LEGACY_LINK_DAYS",
            "0",
            "WAYBILL_LEGACY_LINK_DAYS: \"0\" is not a number of days from 1 to 365",
        ),
        (
            "WAYBILL_LEGACY_LINK_DAYS",
            "366",
            "WAYBILL_LEGACY_LINK_DAYS: \"366\" is not a number of days from 1 to 365",
        ),
    ] {
        assert_eq!(read(&[], &[(name, value)]).unwrap_err(), line);
    }
}

#[test]
fn an_address_of_a_carrier_that_cannot_be_is_one_clear_line() {
    for (flags, variables, line) in [
        (
            vec![("carrier-url", "gls=http://h,nobody=http://h")],
            vec![],
            "--carrier-url: there is no carrier with that code",
        ),
        (
            vec![],
            vec![("WAYBILL_CARRIER_URL", "gls")],
            "WAYBILL_CARRIER_URL: that is not CODE=URL, such as gls=http://127.0.0.1:9001",
        ),
        (
            vec![("carrier-url", "gls=http://h/?key=1")],
            vec![],
            "--carrier-url: that is not an address for the carrier \"gls\": write http:// or \
             https:// and a host, without user, query or fragment",
        ),
        (
            vec![("carrier-url", "sandbox=http://a"), ("sandbox-carrier-url", "http://b")],
            vec![],
            "--sandbox-carrier-url: the carrier \"sandbox\" has two addresses",
        ),
    ] {
        assert_eq!(read(&flags, &variables).unwrap_err(), line);
    }
}

#[test]
fn a_settings_file_with_an_unknown_name_is_refused() {
    let path = std::env::temp_dir().join(format!("waybill-config-{}.toml", std::process::id()));
    std::fs::write(&path, "listen = \"[::]:3\"\nrate-limit-reads = 0\n").unwrap();
    let config = read(&[("config", path.to_str().unwrap())], &[]).unwrap();
    assert_eq!((config.listen.as_str(), config.reads_per_minute), ("[::]:3", 0));
    let table = "[carrier-url]\ngls = \"http://127.0.0.1:9001\"\ndao = \"https://h/stub\"\n";
    std::fs::write(&path, table).unwrap();
    let config = read(&[("config", path.to_str().unwrap())], &[]).unwrap();
    let urls = ["gls", "dao", "bring"].map(|code| config.carrier_urls.get(code));
    assert_eq!(urls, [Some("http://127.0.0.1:9001"), Some("https://h/stub"), None]);
    std::fs::write(&path, "lisen = 1\n").unwrap();
    let error = read(&[("config", path.to_str().unwrap())], &[]).unwrap_err();
    assert!(error.ends_with("lisen is not a setting; `waybill serve --help` has all"), "{error}");
    for (line, end) in [
        ("rate_limit_reads = 1", "rate_limit_reads is not a setting: write rate-limit-reads"),
        ("WAYBILL_BASE_URL = 'x'", "WAYBILL_BASE_URL is not a setting: write base-url"),
        ("role = 'boss'", "role in {path}: \"boss\" is neither api nor worker"),
        ("connections = 0", "connections in {path}: must be at least 1"),
        ("listen = 'x'\nlog = info", "line 2: "),
        ("[carrier-url]\ngls = 7", "each address in [carrier-url] must be text"),
    ] {
        std::fs::write(&path, line).unwrap();
        let error = read(&[("config", path.to_str().unwrap())], &[]).unwrap_err();
        let end = end.replace("{path}", path.to_str().unwrap());
        assert!(error.contains(&end), "{line}: {error}");
    }
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn the_key_lies_beside_the_database() {
    assert_eq!(
        beside("sqlite:/var/lib/w/w.db", "waybill.key"),
        Path::new("/var/lib/w/waybill.key")
    );
    assert_eq!(beside("sqlite:w.db", "waybill.key"), Path::new("waybill.key"));
    assert_eq!(beside("sqlite://w.db", "waybill.key"), Path::new("waybill.key"));
    assert_eq!(beside("sqlite:///var/w.db", "waybill.key"), Path::new("/var/waybill.key"));
    assert_eq!(beside("postgres://x/y", "waybill.key"), Path::new("waybill.key"));
}

#[test]
fn the_operations_page_lists_every_setting() {
    let page = include_str!("../../../../docs/operations.md");
    assert!(page.contains(&markdown()), "docs/operations.md should hold:\n{}", markdown());
}

#[test]
fn a_demo_that_other_machines_reach_must_be_meant() {
    for address in ["127.0.0.1:8080", "localhost:0", "[::1]:8080", "127.5.5.5:1"] {
        assert!(read(&[("demo", "true"), ("listen", address)], &[]).is_ok(), "{address}");
    }
    for address in ["0.0.0.0:8080", "[::]:8080", "10.0.0.7:80", "ship.example.com:80"] {
        let flags = [("demo", "true"), ("listen", address)];
        let refused = read(&flags, &[]).unwrap_err();
        assert!(refused.ends_with("listen on 127.0.0.1, or add --demo-public"), "{refused}");
        assert!(read(&[flags[0], flags[1], ("demo-public", "true")], &[]).is_ok());
        assert!(read(&[flags[1]], &[]).is_ok());
    }
}

#[test]
fn the_table_tells_the_quotas_that_hold_by_default() {
    assert_eq!(read(&[], &[]).unwrap().quotas, Quotas::default());
    let changed = read(&[("quotas", "webhooks=200")], &[]).unwrap().quotas;
    assert_eq!(changed, Quotas::parse("webhooks=200").unwrap());
    let wrong = read(&[("quotas", "webhooks")], &[]).unwrap_err();
    assert_eq!(wrong, "--quotas: \"webhooks\" is not a limit such as webhooks=200");
}

#[test]
fn the_table_tells_for_how_long_things_are_kept_by_default() {
    assert_eq!(read(&[], &[]).unwrap().retention, Retention::default());
    let changed = read(&[], &[("WAYBILL_RETENTION", "reports=90d")]).unwrap().retention;
    assert_eq!(changed, Retention::parse("reports=90d").unwrap());
    let wrong = read(&[("retention", "feed=30d")], &[]).unwrap_err();
    assert!(wrong.starts_with("--retention: feed: 30d is too short; 92d is the least"), "{wrong}");
}

#[test]
fn a_time_has_a_unit() {
    let expire = |text: &str| read(&[("print-jobs-expire", text)], &[]);
    let hours = |count| std::time::Duration::from_hours(count);
    assert_eq!(read(&[], &[]).unwrap().print_jobs_expire, hours(12));
    for (text, time) in [("90m", hours(1) + hours(1) / 2), ("2d", hours(48)), ("365d", hours(8760))]
    {
        assert_eq!(expire(text).unwrap().print_jobs_expire, time, "{text}");
    }
    for text in ["", "12", "h", "0h", "+1h", "1.5h", "366d", "12ä", "99999999999999999999d"] {
        let wrong = expire(text).unwrap_err();
        assert!(wrong.starts_with("--print-jobs-expire: "), "{text}: {wrong}");
        assert!(wrong.contains("is not a time from 1m to 365d"), "{text}: {wrong}");
    }
}
