//! One row of what a service asks for. Each kind of row says twice what it means: as a check of an
//! order (`problems`) and as JSON Schema (`schema`). A test over generated orders holds the two
//! against each other.

mod addon;
mod condition;
mod kinds;
mod measured;
mod postal;
mod problems;
mod schema;
mod sum;
#[cfg(test)]
mod tests;

pub use condition::{Condition, End};
pub use kinds::{Characters, Role, Side};
pub use sum::Sum;

use super::customs::RouteCountries;
use crate::country::Country;
use crate::measure::Currency;

/// What a service asks for. Paths are dotted; `*` stands for every entry of a list.
#[derive(Clone, PartialEq, Debug)]
pub enum Constraint {
    /// The body asks for this service and has what no service can do without. Service and parcels
    /// may come from a template.
    Body {
        /// The code of the service.
        service_code: String,
    },
    /// Something must be there: not null, not blank, not an empty list.
    Required {
        /// Where.
        path: String,
        /// Only when this addon is chosen.
        with_addon: Option<String>,
    },
    /// Text has at most so many characters.
    MaxLength {
        /// Where.
        path: String,
        /// How many.
        max: usize,
    },
    /// Text that is there has at least so many characters.
    MinLength {
        /// Where.
        path: String,
        /// How many.
        min: usize,
    },
    /// A list has at most so many entries.
    MaxItems {
        /// Where.
        path: String,
        /// How many.
        max: usize,
    },
    /// At least one of these fields is filled. What is wrong is told at the first.
    RequiredOneOf {
        /// Where; at least one.
        paths: Vec<String>,
    },
    /// Nothing may be here.
    Forbidden {
        /// Where.
        path: String,
    },
    /// A party in one of these countries names its state or province by two capital letters.
    AreaCode {
        /// Which.
        countries: Vec<Country>,
    },
    /// An amount is in one of these currencies.
    Currency {
        /// Where.
        path: String,
        /// Which.
        allowed: Vec<Currency>,
    },
    /// Text consists of certain characters only.
    Characters {
        /// Where.
        path: String,
        /// Which.
        allowed: Characters,
    },
    /// There are at most so many parcels.
    MaxParcels {
        /// How many.
        max: usize,
    },
    /// No parcel weighs more.
    MaxWeight {
        /// In grams.
        grams: i64,
    },
    /// No side of any parcel is longer.
    MaxLongestSide {
        /// In millimetres.
        millimetres: i64,
    },
    /// One side of every parcel is not longer.
    MaxSide {
        /// Which.
        side: Side,
        /// In millimetres.
        millimetres: i64,
    },
    /// What several measures add up to stays within a limit. JSON Schema cannot add, so its
    /// schema tells the limit in a description.
    MaxSum(Sum),
    /// The parcel starts in one of these countries.
    FromCountry {
        /// Who is there.
        role: Role,
        /// Which.
        countries: Vec<Country>,
    },
    /// The parcel ends in one of these countries.
    ToCountry {
        /// Who is there.
        role: Role,
        /// Which.
        countries: Vec<Country>,
    },
    /// The parcel does not start and end in the same country, if that is one of these; none means
    /// any. A schema can compare two countries only by naming them.
    NotWithin {
        /// Who is where it ends.
        to: Role,
        /// Which.
        countries: Vec<Country>,
    },
    /// The customer does not fetch it from a point.
    PickupPointForbidden,
    /// No addon but these.
    AddonsAllowed {
        /// Their codes.
        codes: Vec<String>,
    },
    /// Not without this addon.
    AddonRequired {
        /// Its code.
        code: String,
    },
    /// What the value of an addon looks like.
    AddonValue {
        /// Its code.
        code: String,
        /// What it needs to know.
        kind: ValueKind,
    },
    /// Nothing dangerous travels with it.
    DangerousGoodsForbidden,
    /// Dangerous goods only as limited quantities.
    LimitedQuantityOnly,
    /// What customs want to know is there when the route crosses a border.
    CustomsData(RouteCountries),
    /// What a postal code of the customer looks like in one country.
    PostalCode {
        /// Where.
        country: Country,
        /// `9` is a digit, `A` a letter, `_` a space or nothing; anything else is itself.
        masks: Vec<String>,
    },
    /// A row that holds only when all of these conditions do.
    When {
        /// At least one.
        conditions: Vec<Condition>,
        /// What is asked then.
        then: Box<Constraint>,
    },
}

/// What an addon needs to know.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ValueKind {
    /// Nothing: the value is null.
    None,
    /// A phone number with its country code.
    Phone,
    /// A mail address.
    Email,
    /// The age that the receiver must have, one of these.
    Age(Vec<u8>),
    /// An amount above zero.
    Money,
    /// A free text of so many characters, which may be left out.
    Text(usize),
}

impl Constraint {
    /// What the row is about, where that means the same with every service: a country's postal
    /// codes, or an addon.
    pub fn subject(&self) -> Option<&str> {
        match self {
            Constraint::PostalCode { country, .. } => Some(country.code()),
            Constraint::AddonValue { code, .. } => Some(code),
            _ => None,
        }
    }

    /// The fields that the row names.
    pub fn paths(&self) -> Vec<&str> {
        match self {
            Constraint::Required { path, .. }
            | Constraint::MaxLength { path, .. }
            | Constraint::MinLength { path, .. }
            | Constraint::MaxItems { path, .. }
            | Constraint::Forbidden { path }
            | Constraint::Currency { path, .. }
            | Constraint::Characters { path, .. } => vec![path],
            Constraint::RequiredOneOf { paths } => paths.iter().map(String::as_str).collect(),
            Constraint::When { then, .. } => then.paths(),
            _ => Vec::new(),
        }
    }

    /// Whether the schema says all that the check does.
    pub fn is_in_schema(&self) -> bool {
        match self {
            Constraint::MaxSum(_) => false,
            Constraint::NotWithin { countries, .. } => !countries.is_empty(),
            Constraint::When { conditions, then } => {
                conditions.iter().all(Condition::is_in_schema) && then.is_in_schema()
            }
            _ => true,
        }
    }
}
