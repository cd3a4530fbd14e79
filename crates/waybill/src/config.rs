//! The settings of the server, read and checked.
//!
//! `--help`, the environment variables, the settings file and the table in `docs/operations.md` all
//! come from one table (`table.rs`). A flag beats the environment, which beats the file, which
//! beats the default.

mod database;
mod error;
mod file;
mod lists;
mod places;
mod table;
mod times;

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use waybill_api::legacy::Sunset;
use waybill_api::proxies::Proxies;
use waybill_carriers::CarrierUrls;
use waybill_carriers::registry::CARRIERS;
use waybill_domain::quota::Quotas;
use waybill_domain::retention::Retention;
use waybill_engine::files::Home;
use waybill_printing::PrinterNetworks;
use waybill_store::sqlite_path;

use database::check_database;
pub use error::{ConfigError, SettingError, SettingsFileError};
use file::read_file;
use lists::{lists, printing, proxies};
pub use places::Places;
use table::default;
pub use table::{SETTINGS, Setting, markdown, variable};
use times::{days, sunset};

/// The settings, checked.
#[derive(Clone, PartialEq, Debug)]
pub struct Config {
    /// `--listen`
    pub listen: String,
    /// `--metrics-listen`, when given.
    pub metrics_listen: Option<String>,
    /// `--database`
    pub database: String,
    /// `--connections`
    pub connections: usize,
    /// `--base-url`, when given.
    pub base_url: Option<String>,
    /// Whether this process serves the API.
    pub is_api: bool,
    /// Whether this process does background work.
    pub is_worker: bool,
    /// `--rate-limit-reads`
    pub reads_per_minute: u32,
    /// `--rate-limit-writes`
    pub writes_per_minute: u32,
    /// `--trusted-proxies`
    pub proxies: Proxies,
    /// `--batches-at-once`
    pub batches_at_once: u32,
    /// `--quotas`
    pub quotas: Quotas,
    /// `--retention`
    pub retention: Retention,
    /// `--printer-networks`
    pub printer_networks: PrinterNetworks,
    /// `--print-jobs-expire`
    pub print_jobs_expire: Duration,
    /// `--secret-key-file`
    pub secret_key_file: PathBuf,
    /// `--legacy-link-days`
    pub legacy_links: Duration,
    /// `--legacy-sunset`, when given.
    pub legacy_sunset: Option<Sunset>,
    /// `--files`
    pub files: Home,
    /// `--allow-private-webhooks`
    pub is_private_allowed: bool,
    /// `--carrier-url`, and `--sandbox-carrier-url` for the sandbox.
    pub carrier_urls: CarrierUrls,
    /// `--log`
    pub log: String,
    /// `--demo`
    pub is_demo: bool,
    /// `--demo-public`
    pub is_demo_public: bool,
    /// Where the settings came from.
    pub places: Places,
}

/// Variables of other parts of the program, which are not settings.
const OTHER_VARIABLES: [&str; 5] = [
    "WAYBILL_CARRIER_ACCOUNT",
    "WAYBILL_DEFAULT_COMMAND",
    "WAYBILL_LEASE_MS",
    "WAYBILL_PLANTED_BUG",
    "WAYBILL_SANDBOX_VISIBLE_AFTER_MS",
];

/// Variables that look like settings and are none: most likely they are misspelt.
pub fn unknown_variables(given: impl Iterator<Item = String>) -> Vec<String> {
    let is_known = |name: &str| {
        OTHER_VARIABLES.contains(&name)
            || name.starts_with("WAYBILL_FAILPOINT")
            || name.starts_with("WAYBILL_AGENT_")
            || SETTINGS.iter().any(|setting| variable(setting.name) == name)
    };
    given.filter(|name| name.starts_with("WAYBILL_") && !is_known(name)).collect()
}

impl Config {
    /// Reads the settings. `flags` and `variables` hold what was given, by name.
    pub fn read(
        flags: &BTreeMap<String, String>,
        variables: impl Fn(&str) -> Option<String>,
    ) -> Result<Config, ConfigError> {
        let given = |name: &str| {
            let flag = flags.get(name).map(|value| (value.clone(), format!("--{name}")));
            flag.or_else(|| variables(&variable(name)).map(|value| (value, variable(name))))
        };
        let config = given("config").map(|(path, _)| path).unwrap_or_default();
        let file = match config.as_str() {
            "" => BTreeMap::new(),
            path => {
                let path = Path::new(path);
                let unusable = |source| ConfigError::File { path: path.to_owned(), source };
                read_file(path).map_err(unusable)?
            }
        };
        let find = |name: &str| {
            let place = || format!("{name} in {config}");
            given(name).or_else(|| file.get(name).map(|value| (value.clone(), place())))
        };
        Config::build(&find)
    }

    fn build(find: &dyn Fn(&str) -> Option<(String, String)>) -> Result<Config, ConfigError> {
        let found = SETTINGS.iter().filter_map(|setting| {
            find(setting.name).map(|(_, place)| (setting.name.to_owned(), place))
        });
        let places = Places::new(found);
        let text = |name: &str| find(name).map_or_else(|| default(name).to_owned(), |(v, _)| v);
        let number = |name: &str| {
            let value = text(name);
            let number = value.parse::<u32>();
            number.map_err(|_| SettingError::NotANumber(value).at(places.of(name)))
        };
        let number_above_zero = |name: &str| match number(name)? {
            0 => Err(SettingError::Zero.at(places.of(name))),
            number => Ok(number),
        };
        let switch = |name: &str| match find(name) {
            None => Ok(false),
            Some((value, place)) => match value.as_str() {
                "true" | "1" | "on" | "yes" => Ok(true),
                "false" | "0" | "off" | "no" | "" => Ok(false),
                _ => Err(SettingError::NotASwitch(value).at(place)),
            },
        };
        let database = text("database");
        check_database(&database).map_err(|error| error.at(places.of("database")))?;
        let (is_api, is_worker) = roles(&text("role")).map_err(|it| it.at(places.of("role")))?;
        let files = Home::parse(&text("files")).map_err(SettingError::Files);
        let files = files.map_err(|error| error.at(places.of("files")))?;
        let base_url = find("base-url").map(|(url, place)| check_url(&url, &place)).transpose()?;
        let carrier_urls = carrier_urls(find, &places)?;
        let key_file = find("secret-key-file")
            .map_or_else(|| beside(&database, "waybill.key"), |(path, _)| PathBuf::from(path));
        let proxies = proxies(find("trusted-proxies"))?;
        let printing = printing((&text("printer-networks"), &text("print-jobs-expire")), &places);
        let (printer_networks, print_jobs_expire) = printing?;
        let batches_at_once = number_above_zero("batches-at-once")?;
        let (quotas, retention) = lists((&text("quotas"), &text("retention")), &places)?;
        let (listen, is_demo) = (text("listen"), switch("demo")?);
        let is_demo_public = switch("demo-public")?;
        if is_demo && is_api && !is_demo_public && !is_loopback(&listen) {
            return Err(SettingError::DemoIsReached(listen).at(places.of("demo")));
        }
        Ok(Config {
            listen,
            metrics_listen: find("metrics-listen").map(|(address, _)| address),
            connections: number_above_zero("connections")? as usize,
            proxies,
            batches_at_once,
            quotas,
            retention,
            printer_networks,
            print_jobs_expire,
            base_url,
            is_api,
            is_worker,
            reads_per_minute: number("rate-limit-reads")?,
            writes_per_minute: number("rate-limit-writes")?,
            secret_key_file: key_file,
            legacy_links: days(&text("legacy-link-days"), &places)?,
            legacy_sunset: sunset(find("legacy-sunset"))?,
            files,
            is_private_allowed: switch("allow-private-webhooks")?,
            carrier_urls,
            log: text("log"),
            is_demo,
            is_demo_public,
            database,
            places,
        })
    }
}

/// Where carriers are, in place of their own hosts. The sandbox has a setting of its own.
fn carrier_urls(
    find: &dyn Fn(&str) -> Option<(String, String)>,
    places: &Places,
) -> Result<CarrierUrls, ConfigError> {
    let given = find("carrier-url").map(|(list, _)| list).unwrap_or_default();
    let place = places.of("carrier-url");
    let wrong = |error| SettingError::Carrier(error).at(&place);
    let mut urls = CarrierUrls::parse(&given).map_err(wrong)?;
    if let Some((url, place)) = find("sandbox-carrier-url") {
        let added = urls.add("sandbox", &check_url(&url, &place)?);
        added.map_err(|error| SettingError::Carrier(error).at(place))?;
    }
    urls.check(CARRIERS).map_err(wrong)?;
    Ok(urls)
}

/// Whether only this machine reaches an address with a port.
fn is_loopback(listen: &str) -> bool {
    let host = listen.rsplit_once(':').map_or(listen, |(host, _)| host);
    let host = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || host.parse().is_ok_and(|ip: IpAddr| ip.to_canonical().is_loopback())
}

/// A file beside a SQLite database, or in the working directory when the database is elsewhere.
pub fn beside(database: &str, name: &str) -> PathBuf {
    let folder = sqlite_path(database).and_then(Path::parent);
    folder.unwrap_or(Path::new("")).join(name)
}

fn roles(text: &str) -> Result<(bool, bool), SettingError> {
    let (mut is_api, mut is_worker) = (false, false);
    for role in text.split(',').map(str::trim) {
        match role {
            "api" => is_api = true,
            "worker" => is_worker = true,
            _ => return Err(SettingError::UnknownRole(role.to_owned())),
        }
    }
    Ok((is_api, is_worker))
}

fn check_url(url: &str, place: &str) -> Result<String, ConfigError> {
    let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
    let is_good = rest.is_some_and(|rest| {
        !rest.is_empty() && !rest.contains(['?', '#', '@', ' ']) && rest.is_ascii()
    });
    match is_good {
        true => Ok(url.trim_end_matches('/').to_owned()),
        false => Err(SettingError::NotAnAddress(url.to_owned()).at(place)),
    }
}

#[cfg(test)]
mod tests;
