//! How far a delivery is, when it is tried again, and what a signing secret looks like.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use jiff::fmt::rfc2822::DateTimeParser;

use crate::ids::IdSource;
use crate::named::named;
use crate::secret::Secret;
use crate::time::Time;

named! {
    /// How far a delivery is.
    DeliveryState { Pending = "pending", Delivered = "delivered", Failed = "failed", }
    /// Why we switched a webhook off.
    DisabledReason { Gone = "gone", Failing = "failing", }
}

/// When attempts begin, counted from the first.
pub const SCHEDULE: [Duration; 9] = [
    Duration::ZERO,
    Duration::from_secs(5),
    Duration::from_mins(1),
    Duration::from_mins(5),
    Duration::from_mins(30),
    Duration::from_hours(2),
    Duration::from_hours(5),
    Duration::from_hours(10),
    Duration::from_mins(23 * 60 + 30),
];
/// No attempt ends later than this after the first began.
pub const WINDOW: Duration = Duration::from_hours(24);
/// The longest that an attempt may take, from the look-up of the name to the end of the answer.
pub const ATTEMPT_MAX: Duration = Duration::from_secs(15);
/// How long a replaced secret signs along.
pub const OVERLAP: Duration = Duration::from_hours(24);
/// A webhook that failed for so long, without one success, is switched off.
pub const FAILING_MAX: Duration = Duration::from_hours(5 * 24);
/// Attempts of one step are spread over a tenth of it, and over no more than this.
const JITTER_MAX: Duration = Duration::from_mins(20);

/// When to try again after a failure at `now`, when the first attempt began at `first`. `random` is
/// random and spreads attempts that failed together. A receiver may ask for more patience, within
/// the window. None when the window is over.
pub fn next_attempt(
    first: Time,
    now: Time,
    retry_after: Option<Duration>,
    random: u8,
) -> Option<Time> {
    let spread = |pair: &[Duration]| {
        let jitter = (pair[1] - pair[0]) / 10;
        first.plus(pair[1] + jitter.min(JITTER_MAX) * u32::from(random) / 255)
    };
    // By the plan without its jitter: an attempt that came late in its step has used it up.
    let is_ahead = |pair: &&[Duration]| first.plus(pair[1]) > now;
    let mut left = SCHEDULE.windows(2).filter(is_ahead).map(spread);
    let next = left.next()?;
    let last = left.next_back().unwrap_or(next);
    let asked = retry_after.map_or(next, |retry_after| now.plus(retry_after));
    Some(next.max(asked).min(last))
}

/// Whether an attempt that begins now would end inside the window.
pub fn is_in_window(first: Option<Time>, now: Time) -> bool {
    first.is_none_or(|first| now.since(first) + ATTEMPT_MAX <= WINDOW)
}

/// Reads `Retry-After`: seconds, or a date.
pub fn parse_retry_after(text: &str, now: Time) -> Option<Duration> {
    let text = text.trim();
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(Duration::from_secs(text.parse().unwrap_or(u64::from(u32::MAX))));
    }
    static PARSER: DateTimeParser = DateTimeParser::new();
    let date = PARSER.parse_timestamp(text).ok()?;
    Some(Time(date.as_microsecond()).since(now))
}

/// A new signing secret: `whsec_` and base64 of 32 random bytes.
pub fn generate_secret(ids: &dyn IdSource) -> Secret<String> {
    let mut bytes = [0; 32];
    ids.fill(&mut bytes);
    Secret::new(format!("whsec_{}", STANDARD.encode(bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: Time = Time(1_800_000_000_000_000);

    /// The offsets of all attempts of a delivery that always fails at once, with this random at
    /// first and then other random each time.
    fn attempts(retry_after: Option<Duration>, random: u8) -> Vec<Duration> {
        let (mut now, mut offsets, mut random) = (FIRST, vec![Duration::ZERO], random);
        while let Some(next) = next_attempt(FIRST, now, retry_after, random) {
            random = random.wrapping_mul(37);
            assert!(next > now && is_in_window(Some(FIRST), next));
            now = next;
            offsets.push(now.since(FIRST));
        }
        offsets
    }

    #[test]
    fn attempts_follow_the_schedule_and_all_end_within_a_day() {
        assert_eq!(attempts(None, 0), SCHEDULE);
        for random in [1, 128, 255] {
            let offsets = attempts(None, random);
            assert_eq!(offsets.len(), SCHEDULE.len());
            for (offset, planned) in offsets.iter().zip(SCHEDULE) {
                assert!(*offset >= planned && *offset <= planned + planned / 10 + JITTER_MAX);
            }
        }
    }

    #[test]
    fn a_receiver_may_ask_for_more_patience_but_not_beyond_the_window() {
        let hour = Duration::from_hours(1);
        let patient = attempts(Some(hour), 0);
        assert!(patient.windows(2).all(|pair| pair[1] - pair[0] >= hour));
        assert_eq!(patient.last(), SCHEDULE.last());
        let forever = attempts(Some(Duration::from_secs(1_000_000_000)), 0);
        assert_eq!(forever, [SCHEDULE[0], SCHEDULE[8]]);
        assert_eq!(attempts(Some(Duration::from_secs(1)), 0), SCHEDULE);
    }

    #[test]
    fn retry_after_is_seconds_or_a_date() {
        let parse = |text| parse_retry_after(text, Time(784_111_777_000_000));
        assert_eq!(parse("120"), Some(Duration::from_secs(120)));
        assert_eq!(parse("Sun, 06 Nov 1994 08:49:47 GMT"), Some(Duration::from_secs(10)));
        assert_eq!(parse("Sun, 06 Nov 1994 08:49:00 GMT"), Some(Duration::ZERO));
        assert!(parse("99999999999999999999999").is_some());
        for text in ["", "-1", "1.5", "soon", "\u{0}"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
