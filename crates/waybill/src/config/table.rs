//! Every setting of the server in one table: its name, default and meaning.

/// One setting.
pub struct Setting {
    /// The flag without its dashes, and the key in the settings file.
    pub name: &'static str,
    /// What stands for its value in help texts; empty for a switch.
    pub value: &'static str,
    /// What holds when nobody says otherwise.
    pub default: &'static str,
    /// What it does.
    pub help: &'static str,
}

const fn setting(
    name: &'static str,
    value: &'static str,
    default: &'static str,
    help: &'static str,
) -> Setting {
    Setting { name, value, default, help }
}

impl Setting {
    /// Whether it may be given several times: the values then stand in one list.
    pub fn is_repeatable(&self) -> bool {
        self.name == "carrier-url"
    }
}

/// The table.
pub const SETTINGS: &[Setting] = &[
    setting(
        "listen",
        "ADDRESS",
        "127.0.0.1:8080",
        "Address and port to serve on; port 0 picks a free one.",
    ),
    setting(
        "metrics-listen",
        "ADDRESS",
        "none",
        "Another address for /healthz, /readyz and /metrics alone; /metrics is then nowhere else.",
    ),
    setting(
        "database",
        "URL",
        "sqlite:waybill.db",
        "Where everything is kept: sqlite:FILE or postgres://USER:PASSWORD@HOST/NAME.",
    ),
    setting(
        "connections",
        "N",
        "8",
        "Connections to PostgreSQL, and one more that hears from other servers.",
    ),
    setting(
        "base-url",
        "URL",
        "http:// and the address",
        "Address that callers know this server by; it begins every URL that we return.",
    ),
    setting("role", "ROLES", "api,worker", "What this process does: api, worker, or both."),
    setting(
        "rate-limit-reads",
        "N",
        "6000",
        "Reads a minute for each team, with bursts of a tenth; 0 is no limit.",
    ),
    setting(
        "rate-limit-writes",
        "N",
        "1200",
        "Writes a minute for each team, with bursts of a tenth; 0 is no limit.",
    ),
    setting(
        "trusted-proxies",
        "LIST",
        "none",
        "Proxies whose X-Forwarded-For is believed: addresses or networks such as 10.0.7.0/28.",
    ),
    setting(
        "batches-at-once",
        "N",
        "10",
        "Batches of one team that are booked side by side; the others wait for their turn.",
    ),
    setting(
        "quotas",
        "LIST",
        "accounts=100,webhooks=100,templates=1000,tokens=100,batches=1000,reports=10,streams=10,\
         option-bytes=16384,printers=200,print-agents=100,invitations=100,oauth-clients=100",
        "How much one team may have, tokens each user; what is not named stays as it is.",
    ),
    setting(
        "retention",
        "LIST",
        "deliveries=30d,attempts=90d,reports=400d,quarantine=90d,feed=92d,merges=7d,audit=400d",
        "For how many days what may go is kept; what is not named stays as it is.",
    ),
    setting(
        "printer-networks",
        "LIST",
        "any",
        "Where printers may be that this server calls: any, none, public, private, or networks.",
    ),
    setting(
        "print-jobs-expire",
        "TIME",
        "12h",
        "A print job that could not be sent for so long is given up; 30m, 12h or 2d.",
    ),
    setting(
        "secret-key-file",
        "FILE",
        "waybill.key beside the database",
        "The ring of secret keys, made on first start. Servers that share a database share it.",
    ),
    setting(
        "legacy-link-days",
        "N",
        "30",
        "For how many days links to labels of legacy answers are good, from 1 to 365.",
    ),
    setting(
        "legacy-sunset",
        "DATE",
        "none",
        "The day, such as 2028-01-01, that legacy answers tell as their last; it ends nothing.",
    ),
    setting(
        "files",
        "WHERE",
        "db",
        "Where document bytes are kept: db (in the database), file:DIR or s3://BUCKET/PREFIX.",
    ),
    setting(
        "allow-private-webhooks",
        "",
        "off",
        "Lets webhooks call any address, private ones and plain http included. For local use.",
    ),
    setting(
        "sandbox-carrier-url",
        "URL",
        "one inside this process",
        "Where the sandbox carrier is, when it runs as a process of its own.",
    ),
    setting(
        "carrier-url",
        "CODE=URL",
        "the carrier's own",
        "Where a carrier is, in place of its own host; may be repeated. A table in the file.",
    ),
    setting(
        "log",
        "FILTER",
        "info",
        "What is logged: error, warn, info, debug, or a list such as info,waybill_worker=debug.",
    ),
    setting(
        "config",
        "FILE",
        "none",
        "A TOML file with any of these settings by name, such as listen = \"0.0.0.0:80\".",
    ),
    setting(
        "demo",
        "",
        "off",
        "Starts with a demo user, team, token and printer, and prints calls to try.",
    ),
    setting(
        "demo-public",
        "",
        "off",
        "Lets the demo listen where other machines reach it, and /docs show them its token.",
    ),
];

/// The environment variable of a setting: `rate-limit-reads` is `WAYBILL_RATE_LIMIT_READS`.
pub fn variable(name: &str) -> String {
    format!("WAYBILL_{}", name.to_uppercase().replace('-', "_"))
}

/// What holds of a setting when nobody says otherwise.
pub(super) fn default(name: &str) -> &'static str {
    SETTINGS.iter().find(|setting| setting.name == name).map_or("", |setting| setting.default)
}

/// The table of settings as Markdown, for `docs/operations.md`.
pub fn markdown() -> String {
    let mut text =
        String::from("| Flag | Variable | Default | Meaning |\n| --- | --- | --- | --- |\n");
    for Setting { name, value, default, help } in SETTINGS {
        let flag = format!("--{name} {value}");
        let (flag, variable) = (flag.trim_end(), variable(name));
        text.push_str(&format!("| `{flag}` | `{variable}` | {default} | {help} |\n"));
    }
    text
}
