//! Numbers as decimal text. Nothing here passes through a binary float.

use std::fmt;

/// A JSON number, kept as it was written.
#[derive(Clone, Debug)]
pub struct Number(String);

/// Exponents beyond this do not measure anything; such numbers are compared by their text.
const EXPONENT_MAX: u64 = 1_000_000;

impl Number {
    /// Wraps text that already follows the JSON grammar for numbers.
    pub(super) fn from_checked(text: &str) -> Number {
        Number(text.to_owned())
    }

    /// A number of thousandths, written with as few decimals as it needs.
    pub fn from_thousandths(value: i64) -> Number {
        Number::from_steps(value.into(), 3)
    }

    /// A number of millionths, written with as few decimals as it needs.
    pub fn from_millionths(value: i64) -> Number {
        Number::from_steps(value.into(), 6)
    }

    /// So many of the smallest step, which has so many decimals, written with as few as it needs.
    pub fn from_steps(value: i128, decimals: u32) -> Number {
        let sign = if value < 0 { "-" } else { "" };
        let parts = 10_u128.pow(decimals);
        let (whole, part) = (value.unsigned_abs() / parts, value.unsigned_abs() % parts);
        if part == 0 {
            return Number(format!("{sign}{whole}"));
        }
        let digits = usize::try_from(decimals).unwrap_or_default();
        let decimals = format!("{part:0digits$}");
        Number(format!("{sign}{whole}.{}", decimals.trim_end_matches('0')))
    }

    /// The text as it was written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The value as an integer, when it is one and fits: `2`, `2.0` and `20e-1` are all two.
    pub fn as_integer(&self) -> Option<i64> {
        self.scaled(0)
    }

    /// The value in thousandths, when it has no more than three decimals and fits.
    pub fn as_thousandths(&self) -> Option<i64> {
        self.scaled(3)
    }

    /// The value in steps of so many decimals, rounded half away from zero; nothing when it does
    /// not fit.
    pub fn rounded(&self, decimals: u32) -> Option<i64> {
        let Some(Parts { negative, digits, exponent }) = self.parts() else {
            // An exponent that is too long to read: above all bounds, or next to nothing.
            return (!self.is_huge()).then_some(0);
        };
        let exponent = exponent + i64::from(decimals);
        let kept = i64::try_from(digits.len()).ok()? + exponent;
        if digits.is_empty() || kept < 0 {
            return Some(0);
        }
        if kept > 19 {
            return None;
        }
        let kept = usize::try_from(kept).ok()?;
        let (whole, rest) = digits.split_at(kept.min(digits.len()));
        let whole: i128 = format!("0{whole}{}", "0".repeat(kept - whole.len())).parse().ok()?;
        let steps = whole + i128::from(rest.as_bytes().first().is_some_and(|digit| *digit >= b'5'));
        i64::try_from(if negative { -steps } else { steps }).ok()
    }

    /// Whether the value is below zero.
    pub fn is_negative(&self) -> bool {
        self.0.starts_with('-') && self.canonical() != "0"
    }

    /// One spelling for each value: `1`, `1.0` and `10e-1` give the same text.
    pub fn canonical(&self) -> String {
        match self.parts() {
            None => self.0.clone(),
            Some(parts) if parts.digits.is_empty() => "0".to_owned(),
            Some(Parts { negative, digits, exponent }) => {
                format!("{}{digits}e{exponent}", if negative { "-" } else { "" })
            }
        }
    }

    /// True when the whole part alone is too long for any quantity of ours.
    pub fn is_huge(&self) -> bool {
        let digits = |text: &str| i64::try_from(text.len()).unwrap_or(i64::MAX);
        match self.parts() {
            Some(parts) => parts.exponent.saturating_add(digits(&parts.digits)) > 15,
            // Too long an exponent to read: huge unless it is a negative one.
            None => !self.0.contains("e-") && !self.0.contains("E-"),
        }
    }

    fn scaled(&self, decimals: i64) -> Option<i64> {
        let Parts { negative, digits, exponent } = self.parts()?;
        if digits.is_empty() {
            return Some(0);
        }
        let zeros = usize::try_from(exponent + decimals).ok()?;
        if digits.len() + zeros > 19 {
            return None;
        }
        let sign = if negative { "-" } else { "" };
        format!("{sign}{digits}{}", "0".repeat(zeros)).parse().ok()
    }

    /// Sign, significant digits without zeros at either end, and the power of ten behind them.
    fn parts(&self) -> Option<Parts> {
        let (negative, text) = match self.0.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, self.0.as_str()),
        };
        let (mantissa, exponent) = match text.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, exponent.parse::<i64>().ok()?),
            None => (text, 0),
        };
        let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits = format!("{whole}{part}");
        let kept = digits.trim_end_matches('0');
        let dropped = i64::try_from(digits.len() - kept.len()).ok()?;
        let decimals = i64::try_from(part.len()).ok()?;
        let kept = kept.trim_start_matches('0').to_owned();
        if exponent.unsigned_abs() > EXPONENT_MAX {
            return None;
        }
        Some(Parts { negative, digits: kept, exponent: exponent + dropped - decimals })
    }
}

struct Parts {
    negative: bool,
    digits: String,
    exponent: i64,
}

impl From<i64> for Number {
    fn from(value: i64) -> Number {
        Number(value.to_string())
    }
}

impl PartialEq for Number {
    /// Numbers are equal by value, not by spelling.
    fn eq(&self, other: &Number) -> bool {
        self.0 == other.0 || self.canonical() == other.canonical()
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Number {
        Number::from_checked(text)
    }

    #[test]
    fn spellings_of_one_value_are_equal() {
        for (left, right) in [("1", "1.0"), ("1", "10e-1"), ("0", "-0.00"), ("1500", "1.5e3")] {
            assert_eq!(number(left), number(right), "{left} {right}");
        }
        assert_ne!(number("1"), number("1.0001"));
        assert_ne!(number("1"), number("-1"));
    }

    #[test]
    fn integers_are_exact_or_refused() {
        assert_eq!(number("20e-1").as_integer(), Some(2));
        assert_eq!(number("9223372036854775807").as_integer(), Some(i64::MAX));
        assert_eq!(number("9223372036854775808").as_integer(), None);
        assert_eq!(number("1.5").as_integer(), None);
        assert_eq!(number("1e400").as_integer(), None);
        assert_eq!(number("1e99999999999999999999").as_integer(), None);
        assert_eq!(number("0e999999").as_integer(), Some(0));
    }

    #[test]
    fn a_value_is_rounded_by_its_digits() {
        for (text, decimals, steps) in [
            ("33.333333333333336", 2, 3333),
            ("0.005", 2, 1),
            ("0.00499999999999999999", 2, 0),
            ("1.005", 2, 101),
            ("-1.005", 2, -101),
            ("1.2", 3, 1200),
            ("12e-1", 0, 1),
            ("15e-1", 0, 2),
            ("1e3", 2, 100_000),
            ("0", 2, 0),
            ("0.4", 0, 0),
            ("0.5", 0, 1),
            ("0.05", 0, 0),
            ("1e-99999999999999999999", 3, 0),
        ] {
            assert_eq!(number(text).rounded(decimals), Some(steps), "{text}");
        }
        for huge in ["1e18", "9223372036854775808", "1e99999999999999999999", "1e400"] {
            assert_eq!(number(huge).rounded(2), None, "{huge}");
        }
        assert!(number("-0.0001").is_negative() && !number("-0.0").is_negative());
    }

    #[test]
    fn thousandths_hold_at_most_three_decimals() {
        assert_eq!(number("1.2345").as_thousandths(), None);
        assert_eq!(number("1.234000").as_thousandths(), Some(1234));
        assert_eq!(number("0.1").as_thousandths(), Some(100));
        assert_eq!(Number::from_thousandths(1200).to_string(), "1.2");
        assert_eq!(Number::from_thousandths(-5).to_string(), "-0.005");
        assert_eq!(Number::from_thousandths(30_000).to_string(), "30");
    }
}
