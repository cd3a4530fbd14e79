//! Limits of weight and length in every unit. A limit in another unit is the largest value of three
//! decimals that, converted as every weight and length is, does not exceed it.

use crate::json::{Json, Number};
use crate::measure::{Length, LengthUnit, Weight, WeightUnit};
use crate::words::Message;

/// More than any value that is read.
const THOUSANDTHS_MAX: i64 = 1_000_000_000_001;

/// What is limited: a weight in grams or a length in millimetres.
#[derive(Clone, Copy)]
pub enum Limit {
    /// In grams.
    Weight(i64),
    /// In millimetres.
    Length(i64),
}

impl Limit {
    fn units(self) -> &'static [&'static str] {
        match self {
            Limit::Weight(_) => WeightUnit::NAMES,
            Limit::Length(_) => LengthUnit::NAMES,
        }
    }

    /// Whether so much of the unit is within the limit. An unknown unit is not our affair.
    fn allows(self, thousandths: i64, unit: &str) -> bool {
        match self {
            Limit::Weight(max) => WeightUnit::parse(unit)
                .is_none_or(|unit| Weight { thousandths, unit }.grams() <= max),
            Limit::Length(max) => LengthUnit::parse(unit)
                .is_none_or(|unit| Length { thousandths, unit }.millimetres() <= max),
        }
    }

    /// The largest value in thousandths of the unit that is allowed.
    fn largest(self, unit: &str) -> i64 {
        let (mut good, mut bad) = (0, THOUSANDTHS_MAX);
        while bad - good > 1 {
            let middle = good + (bad - good) / 2;
            match self.allows(middle, unit) {
                true => good = middle,
                false => bad = middle,
            }
        }
        good
    }

    /// What is wrong with `{value, unit}`, told in the caller's own unit.
    pub fn problem(self, measured: &Json) -> Option<Message> {
        let (Json::Number(value), Json::Text(unit)) =
            (measured.member("value")?, measured.member("unit")?)
        else {
            return None;
        };
        if self.allows(value.as_thousandths()?, unit) {
            return None;
        }
        Some(Message::new("too-large").text("max", self.told(unit)))
    }

    /// The limit as people read it, in this unit.
    pub fn told(self, unit: &str) -> String {
        format!("{} {unit}", Number::from_thousandths(self.largest(unit)))
    }

    /// A schema of `{value, unit}` or null.
    pub fn schema(self) -> Json {
        let row = |unit: &&str| {
            let is_unit = Json::object([("unit", Json::object([("const", (*unit).into())]))]);
            let max = Json::Number(Number::from_thousandths(self.largest(unit)));
            let value = Json::object([("value", Json::object([("maximum", max)]))]);
            Json::object([
                (
                    "if",
                    Json::object([
                        ("required", Json::list(["unit".into()])),
                        ("properties", is_unit),
                    ]),
                ),
                ("then", Json::object([("properties", value)])),
            ])
        };
        Json::object([("allOf", Json::list(self.units().iter().map(row)))])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_in_another_unit_is_the_largest_value_that_converts_to_within_it() {
        let limit = Limit::Weight(20_000);
        assert_eq!(limit.largest("g"), 20_000_000);
        assert_eq!(limit.largest("kg"), 20_000);
        assert!(limit.allows(limit.largest("lb"), "lb"));
        assert!(!limit.allows(limit.largest("lb") + 1, "lb"));
        assert_eq!(Limit::Length(1500).largest("in"), 59_055);
    }
}
