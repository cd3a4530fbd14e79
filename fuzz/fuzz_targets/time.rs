//! Times: what is read is RFC 3339 with an offset, the right moment, and the same when read again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use waybill_domain::time::Time;
use waybill_fuzz::rfc3339::{self, Moment};

/// The domain reads fractions to the nanosecond.
const FRACTION_MAX: usize = 9;

fuzz_target!(|text: &str| {
    match (Time::parse(text), rfc3339::read(text)) {
        (Some(time), Some(moment)) => {
            check_moment(time, &moment, text);
            check_again(time);
        }
        (Some(time), None) => panic!("{text:?} is no RFC 3339, but is read as {time}"),
        (None, Some(moment)) => assert!(may_be_refused(&moment), "{text:?} is refused"),
        (None, None) => {}
    }
});

/// The microsecond in which it falls; before 1970, the next when it does not fall on one.
fn check_moment(time: Time, moment: &Moment, text: &str) {
    let exact = moment.microsecond();
    let is_between = moment.fraction.bytes().skip(6).any(|digit| digit != b'0');
    let is_right = time.0 == exact || (is_between && time.0 == exact + 1);
    assert!(is_right, "{text:?} is {exact}, not {}", time.0);
}

/// Shown in UTC with microseconds and a year of four digits, and read again.
fn check_again(time: Time) {
    let shown = time.to_string();
    assert_eq!(shown.len(), "2026-11-14T09:30:00.000000Z".len(), "{shown}");
    assert!(shown.ends_with('Z'), "{shown}");
    assert_eq!(Time::parse(&shown), Some(time), "{shown}");
    assert_eq!(rfc3339::read(&shown).map(|moment| moment.microsecond()), Some(time.0), "{shown}");
    let without = shown.trim_end_matches('Z');
    assert_eq!(Time::parse(without), None, "{without}");
}

/// The ends of the calendar, and fractions finer than any clock.
fn may_be_refused(moment: &Moment) -> bool {
    !moment.is_in_range() || moment.fraction.len() > FRACTION_MAX
}
