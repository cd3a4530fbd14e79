//! Amounts, weights and lengths: a value with its unit, exact, as it came in.
//!
//! A value without its unit means nothing, and no default ever supplies one. Values are thousandths
//! of the unit, so no sum or comparison ever passes through a binary float.

mod wire;

pub use wire::Decimal;

use std::fmt;

use iso_currency::Currency as Iso;

use crate::fields::{Field, Fields, one_of};
use crate::json::{Json, Number};
use crate::words::Message;

macro_rules! units {
    ($($(#[$doc:meta])* $name:ident { $($variant:ident = $text:literal,)* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum $name {
            $(#[doc = concat!("`", $text, "`")] $variant,)*
        }

        impl $name {
            /// Every spelling there is.
            pub const NAMES: &[&str] = &[$($text),*];

            /// The spelling in the API.
            pub fn name(self) -> &'static str {
                match self { $($name::$variant => $text,)* }
            }

            /// Reads the exact spelling.
            pub fn parse(text: &str) -> Option<$name> {
                match text { $($text => Some($name::$variant),)* _ => None }
            }
        }
    )*};
}

units! {
    /// A unit of weight.
    WeightUnit { Gram = "g", Kilogram = "kg", Pound = "lb", Ounce = "oz", }
    /// A unit of length.
    LengthUnit { Millimetre = "mm", Centimetre = "cm", Inch = "in", }
}

/// In a gram.
const PICOGRAMS: i128 = 1_000_000_000_000;

impl WeightUnit {
    /// Picograms in a thousandth of the unit: exact, also for pounds and ounces.
    fn picograms(self) -> i128 {
        match self {
            WeightUnit::Gram => PICOGRAMS / 1_000,
            WeightUnit::Kilogram => PICOGRAMS,
            // 453.59237 g and a sixteenth of that.
            WeightUnit::Pound => 453_592_370_000,
            WeightUnit::Ounce => 28_349_523_125,
        }
    }
}

impl LengthUnit {
    /// Nanometres in a thousandth of the unit.
    fn nanometres(self) -> i128 {
        match self {
            LengthUnit::Millimetre => 1_000,
            LengthUnit::Centimetre => 10_000,
            LengthUnit::Inch => 25_400,
        }
    }
}

/// A weight as it came in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Weight {
    /// Thousandths of the unit.
    pub thousandths: i64,
    /// The unit.
    pub unit: WeightUnit,
}

impl Weight {
    /// In whole grams, rounded up: a carrier's limit is never missed by a fraction.
    pub fn grams(self) -> i64 {
        i64::try_from((self.picograms() + PICOGRAMS - 1) / PICOGRAMS).unwrap_or(i64::MAX)
    }

    /// Of all together, in whole grams. Nothing when one is not known: that is not zero.
    pub fn sum(all: impl IntoIterator<Item = Option<Weight>>) -> Option<i64> {
        let grams = all.into_iter().map(|weight| weight.map(Weight::grams));
        grams.sum::<Option<i64>>().filter(|grams| *grams > 0)
    }

    /// Exactly, whatever the unit.
    pub fn picograms(self) -> i128 {
        i128::from(self.thousandths) * self.unit.picograms()
    }

    /// The smallest weight in this unit that is not below so many picograms.
    pub fn at_least(picograms: i128, unit: WeightUnit) -> Weight {
        let thousandths = (picograms + unit.picograms() - 1) / unit.picograms();
        Weight { thousandths: i64::try_from(thousandths).unwrap_or(i64::MAX), unit }
    }

    /// In another unit, rounded half up to three decimals, and never to nothing.
    #[must_use]
    pub fn converted(self, unit: WeightUnit) -> Weight {
        let thousandths = (2 * self.picograms() + unit.picograms()) / (2 * unit.picograms());
        let thousandths = i64::try_from(thousandths).unwrap_or(i64::MAX).max(1);
        Weight { thousandths, unit }
    }

    /// Lighter or heavier, exactly, whatever the units.
    pub fn compare(self, other: Weight) -> std::cmp::Ordering {
        self.picograms().cmp(&other.picograms())
    }

    /// Reads `{value, unit}`.
    pub fn read(fields: &Fields) -> Option<Weight> {
        let value = fields.quantity("value").required();
        let unit = fields.parsed("unit", WeightUnit::parse, || one_of(WeightUnit::NAMES));
        let unit = unit.required();
        Some(Weight { thousandths: value?, unit: unit? })
    }

    /// `{value, unit}`
    pub fn to_json(self) -> Json {
        measured(self.thousandths, self.unit.name())
    }
}

impl fmt::Display for Weight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", Number::from_thousandths(self.thousandths), self.unit.name())
    }
}

/// A length as it came in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Length {
    /// Thousandths of the unit.
    pub thousandths: i64,
    /// The unit.
    pub unit: LengthUnit,
}

impl Length {
    /// In whole millimetres, rounded up.
    pub fn millimetres(self) -> i64 {
        i64::try_from((self.nanometres() + 999_999) / 1_000_000).unwrap_or(i64::MAX)
    }

    /// Exactly, whatever the unit.
    pub fn nanometres(self) -> i128 {
        i128::from(self.thousandths) * self.unit.nanometres()
    }

    /// Reads `{value, unit}`.
    pub fn read(fields: &Fields) -> Option<Length> {
        let value = fields.quantity("value").required();
        let unit = fields.parsed("unit", LengthUnit::parse, || one_of(LengthUnit::NAMES));
        let unit = unit.required();
        Some(Length { thousandths: value?, unit: unit? })
    }

    /// `{value, unit}`
    pub fn to_json(self) -> Json {
        measured(self.thousandths, self.unit.name())
    }
}

fn measured(thousandths: i64, unit: &str) -> Json {
    let value = Json::Number(Number::from_thousandths(thousandths));
    Json::object([("value", value), ("unit", unit.into())])
}

/// An amount in the minor unit of its currency.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Money {
    /// In the minor unit: øre, cent.
    pub minor: i64,
    /// The currency.
    pub currency: Currency,
}

/// More than any parcel is worth.
pub const MINOR_MAX: i64 = 1_000_000_000_000;

impl Money {
    /// Reads `{value, currency}`.
    pub fn read(fields: &Fields) -> Option<Money> {
        let value = fields.integer("value", 0..=MINOR_MAX).required();
        let currency = Currency::read(fields, "currency").required();
        Some(Money { minor: value?, currency: currency? })
    }

    /// `{value, currency}`
    pub fn to_json(self) -> Json {
        let currency = self.currency.code().into();
        Json::object([("value", self.minor.into()), ("currency", currency)])
    }
}

/// An ISO 4217 currency.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Currency(Iso);

impl Currency {
    /// Reads the code of money that people pay with: three capital letters of ISO 4217.
    pub fn parse(code: &str) -> Option<Currency> {
        Currency::parse_listed(code).filter(|currency| currency.is_money())
    }

    /// Reads any code that ISO 4217 lists, or has listed: also what is no longer money.
    pub fn parse_listed(code: &str) -> Option<Currency> {
        let is_plain = code.len() == 3 && code.bytes().all(|byte| byte.is_ascii_uppercase());
        if is_plain { Iso::from_code(code).map(Currency) } else { None }
    }

    /// Reads a member. One that is listed and is not money is refused, and yet read: it may have
    /// been stored when it still was.
    pub fn read<'a>(fields: &Fields<'a>, name: &'static str) -> Field<'a, Currency> {
        let listed = fields.parsed(name, Currency::parse_listed, || Message::new("not-a-currency"));
        listed.then(|currency| {
            if !currency.is_money() {
                fields.refuse(name, Message::new("not-money"));
            }
            Some(currency)
        })
    }

    /// Metals, units of account, funds, test codes and what was replaced are not money. The list
    /// says that VED replaced VES; both are in use.
    fn is_money(self) -> bool {
        self.0 == Iso::VES || self.0.flags().is_empty()
    }

    /// Every currency that `parse` reads, in the order of the codes.
    pub fn all() -> impl Iterator<Item = Currency> {
        let letters = || 'A'..='Z';
        let pairs = letters().flat_map(move |first| letters().map(move |second| (first, second)));
        let codes = pairs.flat_map(move |(first, second)| {
            letters().map(move |third| String::from_iter([first, second, third]))
        });
        codes.filter_map(|code| Currency::parse(&code))
    }

    /// The code.
    pub fn code(self) -> &'static str {
        self.0.code()
    }

    /// How many decimals an amount has; none for currencies without a minor unit.
    pub fn decimals(self) -> u16 {
        self.0.exponent().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_with_a_weight_that_is_not_known_is_not_known() {
        let weight = |thousandths| Some(Weight { thousandths, unit: WeightUnit::Kilogram });
        assert_eq!(Weight::sum([weight(1200), weight(300)]), Some(1500));
        assert_eq!(Weight::sum([weight(1200), None]), None);
        assert_eq!(Weight::sum([]), None);
    }

    #[test]
    fn units_and_currencies_are_read_exactly() {
        assert_eq!(WeightUnit::parse("kg"), Some(WeightUnit::Kilogram));
        assert_eq!(WeightUnit::parse("KG"), None);
        assert_eq!(LengthUnit::NAMES, ["mm", "cm", "in"]);
        assert_eq!(Currency::parse("DKK").unwrap().code(), "DKK");
        assert_eq!(Currency::parse("dkk"), None);
        assert_eq!(Currency::parse("DKR"), None);
        assert!(Currency::all().any(|currency| currency.code() == "DKK"));
    }

    #[test]
    fn what_nobody_pays_with_is_not_a_currency() {
        for code in ["DKK", "EUR", "XAF", "XCD", "XOF", "XPF", "XCG", "VES", "VED", "JPY"] {
            assert!(Currency::parse(code).is_some(), "{code}");
        }
        let metals_and_units = "XAG XAU XPD XPT XDR XBA XBB XBC XBD XSU XUA XTS XXX";
        let funds_and_history = "BOV CHE CHW CLF COU MXV USN UYI UYW BGN CUC HRK SLL ZWL";
        for code in metals_and_units.split(' ').chain(funds_and_history.split(' ')) {
            assert_eq!(Currency::parse(code), None, "{code}");
            assert!(Currency::parse_listed(code).is_some(), "{code}");
        }
    }

    #[test]
    fn grams_and_millimetres_are_rounded_up() {
        let grams = |thousandths, unit| Weight { thousandths, unit }.grams();
        assert_eq!(grams(1_200_000, WeightUnit::Gram), 1200);
        assert_eq!(grams(1_200_001, WeightUnit::Gram), 1201);
        assert_eq!(grams(1_500, WeightUnit::Kilogram), 1500);
        assert_eq!(grams(1_000, WeightUnit::Pound), 454);
        assert_eq!(grams(1_000, WeightUnit::Ounce), 29);
        let millimetres = |thousandths, unit| Length { thousandths, unit }.millimetres();
        assert_eq!(millimetres(30_000, LengthUnit::Centimetre), 300);
        assert_eq!(millimetres(1_000, LengthUnit::Inch), 26);
    }
}
