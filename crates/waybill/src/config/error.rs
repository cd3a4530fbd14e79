//! What is wrong with the settings. Each is one line that names where the setting came from.

use std::io;
use std::path::PathBuf;

use waybill_api::proxies::ProxiesError;
use waybill_domain::quota::QuotaError;
use waybill_domain::retention::RetentionError;
use waybill_engine::files::HomeError;
use waybill_printing::NetworksError;

/// Why the settings are not taken.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// A variable of the environment is not text.
    #[error("{0} is not UTF-8")]
    NotText(String),
    /// A setting has a value that it cannot have.
    #[error("{place}: {source}")]
    Setting {
        /// The flag, the variable or the line of the settings file.
        place: String,
        /// What is wrong with the value.
        source: SettingError,
    },
    /// The settings file cannot be used.
    #[error("settings file {}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: SettingsFileError,
    },
}

/// What is wrong with the value of a setting.
#[derive(Debug, thiserror::Error)]
pub enum SettingError {
    /// It is not a number.
    #[error("\"{0}\" is not a whole number")]
    NotANumber(String),
    /// It is zero, and nothing would work.
    #[error("must be at least 1")]
    Zero,
    /// A switch is neither on nor off.
    #[error("\"{0}\" is neither true nor false")]
    NotASwitch(String),
    /// Printers cannot be there.
    #[error(transparent)]
    Networks(NetworksError),
    /// It is not a number of days.
    #[error("\"{0}\" is not a number of days from 1 to 365")]
    NotDays(String),
    /// It is not a day.
    #[error("\"{0}\" is not a date such as 2028-01-01")]
    NotADate(String),
    /// A process does something else.
    #[error("\"{0}\" is neither api nor worker")]
    UnknownRole(String),
    /// It is not a web address.
    #[error("\"{0}\" is not an address like https://ship.example.com")]
    NotAnAddress(String),
    /// The URL of a database ends before its name.
    #[error("it names no database: write sqlite:waybill.db")]
    NoDatabase,
    /// It looks like the URL of another kind of database. That may hold a password.
    #[error("the database must be sqlite:PATH or postgres://USER:PASSWORD@HOST/NAME")]
    UnknownDatabase,
    /// It is the name of a file.
    #[error("\"{0}\" is not a URL: write sqlite:{0}")]
    DatabaseFile(String),
    /// The store cannot read the URL of a database.
    #[error(transparent)]
    Database(#[from] waybill_store::UrlError),
    /// It is not a place for files.
    #[error(transparent)]
    Files(#[from] HomeError),
    /// It is not a list of proxies.
    #[error(transparent)]
    Proxies(#[from] ProxiesError),
    /// It is not a list of limits.
    #[error(transparent)]
    Quotas(#[from] QuotaError),
    /// It is not a length of time.
    #[error("\"{0}\" is not a time from 1m to 365d, such as 30m, 12h or 2d")]
    NotATime(String),
    /// It is not a list of times.
    #[error(transparent)]
    Retention(#[from] RetentionError),
    /// It does not say where a carrier is.
    #[error(transparent)]
    Carrier(#[from] waybill_carriers::urls::UrlError),
    /// The demo would listen on this address.
    #[error(
        "the token of the demo is for everybody who can read its files, and {0} is reached from \
         other machines: listen on 127.0.0.1, or add --demo-public"
    )]
    DemoIsReached(String),
}

impl SettingError {
    /// The same, about the setting from this place.
    pub fn at(self, place: impl Into<String>) -> ConfigError {
        ConfigError::Setting { place: place.into(), source: self }
    }
}

/// What is wrong with a settings file.
#[derive(Debug, thiserror::Error)]
pub enum SettingsFileError {
    /// It cannot be read.
    #[error("{0}")]
    Unreadable(#[from] io::Error),
    /// It is not TOML.
    #[error("line {line}: {}", source.message())]
    NotToml {
        /// The line, from one.
        line: usize,
        /// What the parser says.
        source: Box<toml::de::Error>,
    },
    /// It has a setting that there is not, but for its spelling.
    #[error("{name} is not a setting: write {meant}")]
    Misspelled {
        /// What is written.
        name: String,
        /// What is meant.
        meant: &'static str,
    },
    /// It has a setting that there is not.
    #[error("{0} is not a setting; `waybill serve --help` has all")]
    Unknown(String),
    /// A setting is a list, a date or a table.
    #[error("{0} must be text, a number, true or false")]
    NotAValue(String),
    /// An address in a table is not text.
    #[error("each address in [{0}] must be text: gls = \"http://…\"")]
    NotAnAddress(String),
}
