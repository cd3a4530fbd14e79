//! Moments and where they come from. Time is always handed in: nothing in this crate asks for it.

use std::fmt;
use std::time::Duration;

use jiff::civil::{Date, DateTime};
use jiff::fmt::temporal::DateTimeParser;
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp};

use crate::words::Message;

/// A moment: microseconds since 1970 in UTC. Stored as it is, shown as RFC 3339 with `Z`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Time(pub i64);

impl Time {
    /// This moment moved forward.
    pub fn plus(self, by: Duration) -> Time {
        Time(self.0.saturating_add(micros(by)))
    }

    /// This moment moved back.
    pub fn minus(self, by: Duration) -> Time {
        Time(self.0.saturating_sub(micros(by)))
    }

    /// The same day and time so many years later, in UTC. The 29th of February becomes the 28th.
    pub fn plus_years(self, years: i64) -> Time {
        let moment = Timestamp::from_microsecond(self.0).map(|at| at.to_zoned(TimeZone::UTC));
        let later = moment.and_then(|at| at.checked_add(Span::new().years(years)));
        later.map_or(LAST, |at| Time(at.timestamp().as_microsecond()))
    }

    /// How long ago `earlier` was; zero when it is still to come.
    pub fn since(self, earlier: Time) -> Duration {
        Duration::from_micros(self.0.saturating_sub(earlier.0).max(0).unsigned_abs())
    }

    /// Reads RFC 3339 with an explicit offset. A leap second or a missing offset is refused, and so
    /// is a moment that has no year of four digits in UTC.
    pub fn parse(text: &str) -> Option<Time> {
        static PARSER: DateTimeParser = DateTimeParser::new();
        if !is_rfc3339(text.as_bytes()) {
            return None;
        }
        let moment = PARSER.parse_timestamp(text).ok()?;
        Some(Time(moment.as_microsecond())).filter(|time| *time >= YEAR_ZERO)
    }

    /// RFC 3339 in UTC to the second, for people: `2026-11-14T09:30:00Z`.
    pub fn to_the_second(self) -> String {
        let moment = Timestamp::from_microsecond(self.0).unwrap_or(Timestamp::MAX);
        let moment = Timestamp::from_second(moment.as_second()).unwrap_or(moment);
        moment.to_string()
    }

    /// Why a text is not a moment: it is written in another way, or is one beyond all that are
    /// known here.
    pub fn problem(text: &str) -> Message {
        let is_written = is_rfc3339(text.as_bytes())
            && text.get(..19).is_some_and(|time| time.parse::<DateTime>().is_ok());
        match is_written {
            true => Message::new("not-a-known-time").text("min", YEAR_ZERO).text("max", LAST),
            false => Message::new("not-a-time"),
        }
    }
}

/// The first moment in UTC of a day such as `2028-01-01`, as headers of HTTP have it; nothing when
/// there is no such day.
pub fn http_date(day: &str) -> Option<String> {
    let date = day.parse::<Date>().ok().filter(|date| date.to_string() == day)?;
    Some(date.strftime("%a, %d %b %Y 00:00:00 GMT").to_string())
}

/// Reads `200ms`, `15s` or `2m`, an hour at most.
pub fn parse_duration(text: &str) -> Option<Duration> {
    let digits = text.find(|c: char| !c.is_ascii_digit())?;
    let (count, unit) = text.split_at(digits);
    let millis = match unit {
        "ms" => 1,
        "s" => 1000,
        "m" => 60_000,
        _ => return None,
    };
    let millis = count.parse::<u64>().ok()?.checked_mul(millis)?;
    (millis <= 3_600_000).then(|| Duration::from_millis(millis))
}

/// The last whole second that has a year of four digits in every time zone.
const LAST: Time = Time(253_402_207_200_000_000);

/// 0000-01-01 in UTC. A moment before it is shown in a form that RFC 3339 does not know.
const YEAR_ZERO: Time = Time(-62_167_219_200_000_000);

/// The shape of RFC 3339. The parser behind it takes more: no seconds, `,5`, `+01`, `+01:00:30`.
fn is_rfc3339(text: &[u8]) -> bool {
    let Some((time, rest)) = text.split_at_checked(19) else { return false };
    let digits = |text: &[u8]| text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let offset = match rest {
        [b'.', fraction @ ..] if digits(fraction) > 0 => &fraction[digits(fraction)..],
        rest => rest,
    };
    has_shape(time, b"0000-00-00T00:00:00")
        && &time[17..] != b"60"
        && match offset {
            [b'Z' | b'z'] => true,
            [b'+' | b'-', offset @ ..] => {
                has_shape(offset, b"00:00") && &offset[..2] < b"24".as_slice()
            }
            _ => false,
        }
}

fn has_shape(text: &[u8], shape: &[u8]) -> bool {
    let fits = |(byte, form): (&u8, &u8)| match form {
        b'0' => byte.is_ascii_digit(),
        form => byte.eq_ignore_ascii_case(form),
    };
    text.len() == shape.len() && text.iter().zip(shape).all(fits)
}

impl fmt::Display for Time {
    /// RFC 3339 in UTC with microseconds: `2026-11-14T09:30:00.000000Z`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let moment = Timestamp::from_microsecond(self.0).unwrap_or(Timestamp::MAX);
        write!(f, "{moment:.6}")
    }
}

fn micros(span: Duration) -> i64 {
    i64::try_from(span.as_micros()).unwrap_or(i64::MAX)
}

/// Where moments come from.
pub trait Clock: Send + Sync {
    /// The time, for everything that is stored or shown. It may jump ahead.
    fn now(&self) -> Time;

    /// The wall clock, for what others compare with clocks of their own. It may jump back, too.
    fn wall(&self) -> Time {
        self.now()
    }

    /// Time since some fixed moment, for leases, waits and budgets. It never jumps.
    fn monotonic(&self) -> Duration;

    /// How much time has passed since this moment for certain, whatever the clock was set to
    /// meanwhile, or before this process began.
    fn certain_since(&self, moment: Time) -> Duration {
        self.now().since(moment)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_shown_in_utc_with_microseconds() {
        let time = Time::parse("2026-11-20T17:00:00.5+01:00").unwrap();
        assert_eq!(time.to_string(), "2026-11-20T16:00:00.500000Z");
    }

    #[test]
    fn people_are_told_no_parts_of_a_second() {
        let time = Time::parse("2026-11-19T18:11:27.960446Z").unwrap();
        assert_eq!(time.to_the_second(), "2026-11-19T18:11:27Z");
    }

    #[test]
    fn a_time_without_an_offset_is_refused() {
        assert_eq!(Time::parse("2026-11-20T17:00:00"), None);
        assert_eq!(Time::parse("2026-11-20"), None);
    }

    #[test]
    fn a_leap_second_is_refused_and_a_small_z_is_fine() {
        assert_eq!(Time::parse("2016-12-31T23:59:60Z"), None);
        assert!(Time::parse("2016-12-31t23:59:59z").is_some());
    }

    #[test]
    fn odd_shapes_are_refused_without_a_panic() {
        for text in
            ["", "T", "2026-11-20T17:00:00Z[UTC]", "ææææææææææææææææææææææ", "2026-11-20 17:00:00Z"]
        {
            assert_eq!(Time::parse(text), None, "{text}");
        }
    }

    #[test]
    fn the_span_to_a_later_time_is_zero() {
        assert_eq!(Time(5).since(Time(9)), Duration::ZERO);
        assert_eq!(Time(9).since(Time(5)), Duration::from_micros(4));
    }
}
