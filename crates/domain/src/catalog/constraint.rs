//! One row of what a service asks for. Each kind of row says twice what it means: as a check of an
//! order (`problems`) and as JSON Schema (`schema`). A test over generated orders holds the two
//! against each other.

mod addon;
mod measured;
mod postal;
mod problems;
mod schema;
#[cfg(test)]
mod tests;

use super::customs::Lanes;
use crate::country::Country;

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
    /// One side of every parcel is not longer. What the sides add up to has no JSON Schema, so
    /// limits are told side by side.
    MaxSide {
        /// Which.
        side: Side,
        /// In millimetres.
        millimetres: i64,
    },
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
    CustomsData(Lanes),
    /// What a postal code of the customer looks like in one country.
    PostalCode {
        /// Where.
        country: Country,
        /// `9` is a digit, `A` a letter, `_` a space or nothing; anything else is itself.
        masks: Vec<String>,
    },
}

/// Which characters a carrier can print or store.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Characters {
    /// What ISO 8859-1 can write: western European letters.
    Latin1,
    /// Printable ASCII.
    Ascii,
    /// 0 to 9, A to Z, a to z.
    Alphanumeric,
    /// 0 to 9.
    Digits,
}

/// A party by its commercial meaning, which it keeps on returns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Who sells.
    Merchant,
    /// Who buys.
    Customer,
}

/// A side of a parcel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// The longest.
    Length,
    /// Across.
    Width,
    /// Up.
    Height,
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
}

impl Characters {
    /// The spelling in the carriers' files.
    pub fn name(self) -> &'static str {
        match self {
            Characters::Latin1 => "latin1",
            Characters::Ascii => "ascii",
            Characters::Alphanumeric => "alphanumeric",
            Characters::Digits => "digits",
        }
    }

    /// Whether a text may contain the character.
    pub fn has(self, c: char) -> bool {
        match self {
            Characters::Latin1 => matches!(c, ' '..='~' | '\u{a0}'..='\u{ff}'),
            Characters::Ascii => matches!(c, ' '..='~'),
            Characters::Alphanumeric => c.is_ascii_alphanumeric(),
            Characters::Digits => c.is_ascii_digit(),
        }
    }

    /// The same as a regular expression of JSON Schema.
    fn pattern(self) -> &'static str {
        match self {
            Characters::Latin1 => r"^[\u0020-\u007e\u00a0-\u00ff]*$",
            Characters::Ascii => r"^[\u0020-\u007e]*$",
            Characters::Alphanumeric => "^[0-9A-Za-z]*$",
            Characters::Digits => "^[0-9]*$",
        }
    }
}

impl Role {
    fn country_path(self) -> &'static str {
        match self {
            Role::Merchant => "parties.merchant.address.country",
            Role::Customer => "parties.customer.address.country",
        }
    }
}

impl Side {
    /// All three.
    pub const ALL: [Side; 3] = [Side::Length, Side::Width, Side::Height];

    /// The field of a parcel.
    pub fn name(self) -> &'static str {
        match self {
            Side::Length => "length",
            Side::Width => "width",
            Side::Height => "height",
        }
    }
}
