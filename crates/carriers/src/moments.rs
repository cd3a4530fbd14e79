//! Moments that carriers write without an offset: by the clock of the place where they happened.

use jiff::civil::DateTime;
use waybill_domain::calendar::named_zone;
use waybill_domain::time::Time;

/// The moment at which a clock of this time zone shows `2026-11-16 08:12:00`. An hour that is shown
/// twice is the first of the two.
pub fn local(text: &str, zone: &str) -> Option<Time> {
    at(text.trim().parse().ok()?, zone)
}

/// The same of a date and time that was read already.
pub fn at(shown: DateTime, zone: &str) -> Option<Time> {
    let moment = shown.to_zoned(named_zone(zone)?).ok()?;
    Some(Time(moment.timestamp().as_microsecond()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_without_an_offset_is_that_of_the_place() {
        let time = |text| local(text, "Europe/Copenhagen").map(|time| time.to_string());
        assert_eq!(time("2026-11-16 08:12:00").as_deref(), Some("2026-11-16T07:12:00.000000Z"));
        assert_eq!(time("2026-07-16T08:12:00").as_deref(), Some("2026-07-16T06:12:00.000000Z"));
        assert_eq!(time("2026-10-25 02:30:00").as_deref(), Some("2026-10-25T00:30:00.000000Z"));
        assert_eq!(time("yesterday"), None);
    }
}
