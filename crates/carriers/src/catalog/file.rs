//! The shapes of the catalog's files. A field that nobody knows is an error.

use std::collections::BTreeMap;

use serde::Deserialize;

/// `catalog.toml` of one carrier.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CarrierFile {
    /// Stable.
    pub code: String,
    /// As people know it.
    pub name: String,
    /// The colour behind the name in the drawn logo.
    pub ground: String,
    /// The colour of the name in the drawn logo.
    pub ink: String,
    /// Whether it is for trying things out and moves no parcel.
    #[serde(default)]
    pub is_test: bool,
    /// What every service asks for.
    #[serde(default)]
    pub rules: Vec<Rule>,
    /// What can be booked.
    pub services: Vec<ServiceFile>,
}

/// One service.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ServiceFile {
    /// Stable, without the carrier's code.
    pub code: String,
    /// What people read.
    pub name: NamesFile,
    /// Whether the customer fetches the parcel from a point.
    #[serde(default)]
    pub is_pickup: bool,
    /// Whether it travels to the merchant.
    #[serde(default)]
    pub is_return: bool,
    /// Where it may start; none means anywhere.
    #[serde(default)]
    pub from: Vec<String>,
    /// Where it may end; none means anywhere.
    #[serde(default)]
    pub to: Vec<String>,
    /// Everywhere but here, in place of `to`.
    #[serde(default)]
    pub to_except: Vec<String>,
    /// Codes of `addons.toml`.
    #[serde(default)]
    pub addons: Vec<String>,
    /// Those of them that the service cannot be booked without.
    #[serde(default)]
    pub required_addons: Vec<String>,
    /// The ages that can be verified, where they differ from those of `addons.toml`.
    pub ages: Option<Vec<u8>>,
    /// Whether we draw the label.
    #[serde(default)]
    pub draws_label: bool,
    /// Formats of a label.
    pub formats: Vec<String>,
    /// Sizes of a label.
    pub sizes: Vec<String>,
    /// Country or `otherwise` → carrier code or `unknown`.
    #[serde(default)]
    pub last_mile: BTreeMap<String, String>,
    /// What this service asks for.
    #[serde(default)]
    pub rules: Vec<Rule>,
    /// How long it takes, where that is known.
    pub transit: Option<TransitFile>,
}

/// How a service travels.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TransitFile {
    /// What is ready by then is collected on the same day, such as `16:00`.
    pub cutoff: String,
    /// Working days on the way within a country.
    pub days: usize,
    /// Working days on the way to another one.
    pub days_abroad: usize,
    /// When it is delivered on a day, or when it can be fetched, such as `08:00-16:00`.
    pub slots: Vec<String>,
}

/// A text in every language.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NamesFile {
    /// English.
    pub en: String,
    /// Danish.
    pub da: String,
    /// Swedish.
    pub sv: String,
    /// Norwegian bokmål.
    pub nb: String,
    /// Finnish.
    pub fi: String,
    /// German.
    pub de: String,
}

/// What a service asks for.
#[derive(Clone, Deserialize)]
#[serde(tag = "rule", rename_all = "snake_case", deny_unknown_fields)]
pub enum Rule {
    /// These fields are filled, always or with an addon.
    Required { paths: Vec<String>, with_addon: Option<String> },
    /// These texts have at most so many characters.
    MaxLength { paths: Vec<String>, max: usize },
    /// These texts have certain characters only.
    Characters { paths: Vec<String>, allowed: String },
    /// At most so many parcels.
    MaxParcels { max: usize },
    /// No parcel weighs more.
    MaxWeight { grams: i64 },
    /// No side is longer.
    MaxLongestSide { millimetres: i64 },
    /// Each side has its own limit, in millimetres.
    MaxSides { length: i64, width: i64, height: i64 },
    /// Nothing dangerous.
    NoDangerousGoods,
    /// Dangerous goods in limited quantities only.
    LimitedQuantityOnly,
}

/// One entry of `addons.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AddonFile {
    /// What it needs to know: `none`, `phone`, `email`, `age`, `money` or `text`.
    pub value: String,
    /// The ages that can be verified.
    #[serde(default)]
    pub ages: Vec<u8>,
    /// How many characters a text has.
    pub max: Option<usize>,
    /// What people read.
    pub name: NamesFile,
    /// What it does, in a sentence.
    pub description: NamesFile,
}

/// `addons.toml`: code → addon.
pub type AddonsFile = BTreeMap<String, AddonFile>;

/// `postal_codes.toml`: country → masks.
pub type PostalCodesFile = BTreeMap<String, Vec<String>>;
