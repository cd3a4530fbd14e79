//! What rows speak of: characters, parties and sides.

/// Which characters a carrier can print or store.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Characters {
    /// What ISO 8859-1 can write: western European letters.
    Latin1,
    /// The Latin letters of all of Europe, with dashes, quotation marks and the ellipsis.
    Latin,
    /// Printable ASCII.
    Ascii,
    /// 0 to 9, A to Z, a to z.
    Alphanumeric,
    /// 0 to 9.
    Digits,
}

impl Characters {
    /// Every class.
    pub const ALL: [Characters; 5] = [
        Characters::Latin1,
        Characters::Latin,
        Characters::Ascii,
        Characters::Alphanumeric,
        Characters::Digits,
    ];

    /// The spelling in the carriers' files.
    pub fn name(self) -> &'static str {
        match self {
            Characters::Latin1 => "latin1",
            Characters::Latin => "latin",
            Characters::Ascii => "ascii",
            Characters::Alphanumeric => "alphanumeric",
            Characters::Digits => "digits",
        }
    }

    /// Whether a text may contain the character.
    pub fn has(self, c: char) -> bool {
        match self {
            Characters::Latin1 => matches!(c, ' '..='~' | '\u{a0}'..='\u{ff}'),
            Characters::Latin => {
                matches!(c, ' '..='~' | '\u{a0}'..='\u{24f}') || "–—‘’“”…".contains(c)
            }
            Characters::Ascii => matches!(c, ' '..='~'),
            Characters::Alphanumeric => c.is_ascii_alphanumeric(),
            Characters::Digits => c.is_ascii_digit(),
        }
    }

    /// The same as a regular expression of JSON Schema.
    pub(super) fn pattern(self) -> &'static str {
        match self {
            Characters::Latin1 => r"^[\u0020-\u007e\u00a0-\u00ff]*$",
            Characters::Latin => {
                r"^[\u0020-\u007e\u00a0-\u024f\u2013\u2014\u2018\u2019\u201c\u201d\u2026]*$"
            }
            Characters::Ascii => r"^[\u0020-\u007e]*$",
            Characters::Alphanumeric => "^[0-9A-Za-z]*$",
            Characters::Digits => "^[0-9]*$",
        }
    }
}

/// A party by its commercial meaning, which it keeps on returns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Who sells.
    Merchant,
    /// Who buys.
    Customer,
}

impl Role {
    /// Both.
    pub const ALL: [Role; 2] = [Role::Merchant, Role::Customer];

    /// The other one.
    pub fn other(self) -> Role {
        match self {
            Role::Merchant => Role::Customer,
            Role::Customer => Role::Merchant,
        }
    }

    pub(super) fn country_path(self) -> &'static str {
        match self {
            Role::Merchant => "parties.merchant.address.country",
            Role::Customer => "parties.customer.address.country",
        }
    }

    pub(super) fn area_path(self) -> &'static str {
        match self {
            Role::Merchant => "parties.merchant.address.administrative_area",
            Role::Customer => "parties.customer.address.administrative_area",
        }
    }
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
