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
    pub rules: Vec<RuleFile>,
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
    pub rules: Vec<RuleFile>,
    /// Which papers for customs we draw: `declaration`, `invoice`, `packing_list`; all when this is
    /// left out. The carrier makes the others.
    pub customs_papers: Option<Vec<String>>,
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

/// What a service asks for, always or when something is so.
#[derive(Clone, Deserialize)]
pub struct RuleFile {
    /// When it holds; always when this is left out.
    pub when: Option<WhenFile>,
    /// The rule, which knows its own fields and refuses others.
    #[serde(flatten)]
    pub rule: Rule,
}

/// When a rule holds: all that is named here is so.
#[derive(Clone, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WhenFile {
    /// The parcel starts in one of these countries.
    pub from: Vec<String>,
    /// It starts elsewhere.
    pub from_except: Vec<String>,
    /// It ends in one of these countries.
    pub to: Vec<String>,
    /// It ends elsewhere.
    pub to_except: Vec<String>,
    /// The service is, or is not, for returns.
    pub is_return: Option<bool>,
    /// This addon is chosen.
    pub addon: Option<String>,
    /// This addon is not chosen.
    pub without_addon: Option<String>,
    /// The route crosses a customs border, or none.
    pub crosses_border: Option<bool>,
}

/// What a service asks for.
#[derive(Clone, Deserialize)]
#[serde(tag = "rule", rename_all = "snake_case", deny_unknown_fields)]
pub enum Rule {
    /// These fields are filled, always or with an addon.
    Required { paths: Vec<String>, with_addon: Option<String> },
    /// These texts have at most so many characters.
    MaxLength { paths: Vec<String>, max: usize },
    /// These texts have at least so many characters, where they are there.
    MinLength { paths: Vec<String>, min: usize },
    /// These lists have at most so many entries.
    MaxItems { paths: Vec<String>, max: usize },
    /// At least one of these fields is filled.
    RequiredOneOf { paths: Vec<String> },
    /// These fields are left out.
    Forbidden { paths: Vec<String> },
    /// A party in one of these countries has two capital letters in `administrative_area`.
    AreaCode { countries: Vec<String> },
    /// These amounts are in one of these currencies.
    Currency { paths: Vec<String>, allowed: Vec<String> },
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
    /// No parcel measures more along its longest side and around it, in millimetres.
    MaxGirth { millimetres: i64 },
    /// The sides of no parcel add up to more, in millimetres.
    MaxSumOfSides { millimetres: i64 },
    /// All parcels together do not weigh more.
    MaxTotalWeight { grams: i64 },
    /// It starts here: of use with `when` alone.
    FromCountries { countries: Vec<String> },
    /// It ends here: of use with `when` alone.
    ToCountries { countries: Vec<String> },
    /// It does not start and end in the same country, of these or of all.
    NotWithin {
        #[serde(default)]
        countries: Vec<String>,
    },
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
