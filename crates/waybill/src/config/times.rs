//! Settings that are lengths of time.

use std::time::Duration;

use waybill_api::legacy::Sunset;

use super::error::{ConfigError, SettingError};
use super::places::Places;

/// The longest time that can be set.
const TIME_MAX: Duration = Duration::from_hours(24 * 365);

/// Reads a time such as `30m`, `12h` or `2d`.
pub(super) fn time(text: &str) -> Result<Duration, SettingError> {
    let wrong = || SettingError::NotATime(text.to_owned());
    let unit = text.chars().last().ok_or_else(wrong)?;
    let seconds = match unit {
        'm' => 60,
        'h' => 60 * 60,
        'd' => 24 * 60 * 60,
        _ => return Err(wrong()),
    };
    let digits = &text[..text.len() - 1];
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let count = Some(digits).filter(|_| is_number).and_then(|digits| digits.parse::<u64>().ok());
    let time = count.and_then(|count| count.checked_mul(seconds)).map(Duration::from_secs);
    time.filter(|time| !time.is_zero() && *time <= TIME_MAX).ok_or_else(wrong)
}

/// The most days that can be set.
const DAYS_MAX: u64 = 365;

/// Reads for how many days links to labels are good.
pub(super) fn days(text: &str, places: &Places) -> Result<Duration, ConfigError> {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    let count =
        text.parse::<u64>().ok().filter(|count| is_number && (1..=DAYS_MAX).contains(count));
    let wrong = || SettingError::NotDays(text.to_owned()).at(places.of("legacy-link-days"));
    count.map(|count| Duration::from_hours(24 * count)).ok_or_else(wrong)
}

/// The day of a setting, where it is given.
pub(super) fn sunset(given: Option<(String, String)>) -> Result<Option<Sunset>, ConfigError> {
    let read = |(text, place): (String, String)| {
        Sunset::parse(&text).ok_or_else(|| SettingError::NotADate(text).at(place))
    };
    given.map(read).transpose()
}
