//! The value of a decimal number, worked out in 128 bits.

/// A number taken apart: every digit of it, and the power of ten behind the last one.
pub struct Decimal {
    pub is_negative: bool,
    pub digits: String,
    pub power: i64,
}

/// Takes a JSON number apart, unless its exponent has more than five digits.
pub fn decimal(text: &str) -> Option<Decimal> {
    let (is_negative, text) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    if exponent.trim_start_matches(['+', '-']).len() > 5 {
        return None;
    }
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let power = exponent.parse::<i64>().ok()? - i64::try_from(part.len()).ok()?;
    Some(Decimal { is_negative, digits: format!("{whole}{part}"), power })
}

/// The value times ten to the power of `decimals` as an integer, if it is one and fits. The outer
/// `None` means that this oracle cannot tell.
pub fn scaled(text: &str, decimals: i64) -> Option<Option<i64>> {
    let Decimal { is_negative, digits, power } = decimal(text)?;
    let digits = digits.trim_start_matches('0');
    if digits.is_empty() {
        return Some(Some(0));
    }
    let power = power + decimals;
    if digits.len() > 25 || power.abs() > 12 {
        return None;
    }
    let value: i128 = digits.parse().ok()?;
    let value = if is_negative { -value } else { value };
    let factor = 10_i128.pow(u32::try_from(power.abs()).ok()?);
    let value = if power >= 0 {
        Some(value * factor)
    } else {
        (value % factor == 0).then_some(value / factor)
    };
    Some(value.and_then(|value| i64::try_from(value).ok()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_exact() {
        assert_eq!(scaled("20e-1", 0), Some(Some(2)));
        assert_eq!(scaled("1.5", 0), Some(None));
        assert_eq!(scaled("-1.5", 3), Some(Some(-1500)));
        assert_eq!(scaled("-9223372036854775808", 0), Some(Some(i64::MIN)));
        assert_eq!(scaled("9223372036854775808", 0), Some(None));
        assert_eq!(scaled("1e400", 0), None);
        assert!(decimal("1e-99999").is_some());
        assert!(decimal("1e999999").is_none());
    }
}
