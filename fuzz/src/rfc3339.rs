//! RFC 3339, section 5.6, read by hand: what is a time with an offset, and which moment it is.

/// The last moment that the domain can hold is a little before the year 10000.
const YEARS: std::ops::RangeInclusive<i64> = 0..=9999;

/// A time as it is written, in UTC after its offset is applied.
#[derive(PartialEq, Eq, Debug)]
pub struct Moment {
    /// Whole seconds since 1970.
    pub seconds: i64,
    /// The digits behind the point, perhaps none.
    pub fraction: String,
}

/// Reads a `date-time`. Leap seconds are refused, as the domain documents.
pub fn read(text: &str) -> Option<Moment> {
    let mut rest = Rest(text.as_bytes());
    let (year, month, day) = date(&mut rest)?;
    rest.one_of(b"Tt")?;
    let hour = rest.number(2, 0..=23)?;
    rest.one_of(b":")?;
    let minute = rest.number(2, 0..=59)?;
    rest.one_of(b":")?;
    let second = rest.number(2, 0..=59)?;
    let fraction = fraction(&mut rest)?;
    let offset = offset(&mut rest)?;
    let of_day = (hour * 60 + minute - offset) * 60 + second;
    let seconds = days_before(year, month, day) * 86_400 + of_day;
    rest.0.is_empty().then_some(Moment { seconds, fraction })
}

impl Moment {
    /// The microsecond in which the moment falls.
    pub fn microsecond(&self) -> i64 {
        let digits: String = self.fraction.chars().chain("000000".chars()).take(6).collect();
        self.seconds * 1_000_000 + digits.parse::<i64>().unwrap_or(0)
    }

    /// False when the moment, in UTC, has no year of four digits, or falls into the last two days,
    /// which not every offset could show.
    pub fn is_in_range(&self) -> bool {
        let first = days_before(*YEARS.start(), 1, 1) * 86_400;
        let last = days_before(*YEARS.end(), 12, 30) * 86_400;
        (first..last).contains(&self.seconds)
    }
}

fn date(rest: &mut Rest) -> Option<(i64, i64, i64)> {
    let year = rest.number(4, YEARS)?;
    rest.one_of(b"-")?;
    let month = rest.number(2, 1..=12)?;
    rest.one_of(b"-")?;
    let day = rest.number(2, 1..=days_in(year, month))?;
    Some((year, month, day))
}

fn fraction(rest: &mut Rest) -> Option<String> {
    if rest.one_of(b".").is_none() {
        return Some(String::new());
    }
    let mut digits = String::new();
    while let Some(digit) = rest.one_of(b"0123456789") {
        digits.push(char::from(digit));
    }
    (!digits.is_empty()).then_some(digits)
}

/// The offset in minutes.
fn offset(rest: &mut Rest) -> Option<i64> {
    let sign = match rest.one_of(b"Zz+-")? {
        b'+' => 1,
        b'-' => -1,
        _ => return Some(0),
    };
    let hours = rest.number(2, 0..=23)?;
    rest.one_of(b":")?;
    let minutes = rest.number(2, 0..=59)?;
    Some(sign * (hours * 60 + minutes))
}

/// What is not read yet.
struct Rest<'a>(&'a [u8]);

impl Rest<'_> {
    fn one_of(&mut self, choices: &[u8]) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        if !choices.contains(first) {
            return None;
        }
        self.0 = rest;
        Some(*first)
    }

    fn number(&mut self, digits: usize, range: std::ops::RangeInclusive<i64>) -> Option<i64> {
        let mut value = 0;
        for _ in 0..digits {
            value = value * 10 + i64::from(self.one_of(b"0123456789")? - b'0');
        }
        range.contains(&value).then_some(value)
    }
}

fn is_leap(year: i64) -> bool {
    (year % 4 == 0 && year % 100 != 0) || year % 400 == 0
}

fn days_in(year: i64, month: i64) -> i64 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days from 1970-01-01 to this date: whole years, then whole months, then days.
fn days_before(year: i64, month: i64, day: i64) -> i64 {
    let leaps = |year: i64| {
        let year = year - 1;
        year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400)
    };
    let years = (year - 1970) * 365 + leaps(year) - leaps(1970);
    let months: i64 = (1..month).map(|month| days_in(year, month)).sum();
    years + months + day - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_counted_from_1970() {
        let micros = |text| read(text).map(|moment| moment.microsecond());
        assert_eq!(micros("1970-01-01T00:00:00Z"), Some(0));
        assert_eq!(micros("2000-02-29T12:00:00.25+01:00"), Some(951_822_000_250_000));
        assert_eq!(micros("1969-12-31T23:59:59.9999999Z"), Some(-1));
        assert_eq!(micros("0000-01-01T00:00:00Z"), Some(-62_167_219_200_000_000));
    }

    #[test]
    fn what_rfc_3339_does_not_know_is_refused() {
        for text in [
            "2026-11-20T17:00:00",
            "2026-11-20T17:00+01:00",
            "2026-11-20T17:00:00+01",
            "2026-11-20T17:00:00,5Z",
            "2026-11-20T17:00:00.Z",
            "2026-11-20T17:00:60Z",
            "2026-11-20T17:00:00+01:00:00",
            "2026-02-29T17:00:00Z",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
