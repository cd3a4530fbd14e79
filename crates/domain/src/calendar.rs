//! Working days: when carriers collect and deliver, where, and by which clock.
//!
//! Public holidays are those of DK, SE, NO, FI, DE, NL and GB (England and Wales); elsewhere only
//! weekends count. The eves that Swedes and Finns have off are in the list, because nobody collects
//! or delivers on them either.

mod capitals;
mod transit;

pub use capitals::capital_zone;
pub use transit::{Route, Slot, Transit};

use jiff::civil::{Date, DateTime, Weekday, date};
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};

use crate::country::Country;
use crate::time::Time;

/// The clock that people in the country go by; nothing where there are several, or none is known.
pub fn time_zone(country: Country) -> Option<TimeZone> {
    let found = ZONES.iter().find(|(code, _)| *code == country.code());
    found.and_then(|(_, zone)| TimeZone::get(zone).ok())
}

/// The clock with this name of the IANA database, such as `America/Chicago`.
pub fn named_zone(name: &str) -> Option<TimeZone> {
    TimeZone::get(name).ok().filter(|zone| !zone.is_unknown())
}

/// The date and time that a clock shows at this moment.
pub fn local_time(time: Time, zone: &TimeZone) -> DateTime {
    let moment = Timestamp::from_microsecond(time.0).unwrap_or_default();
    zone.to_datetime(moment)
}

/// Whether people work there on this day.
pub fn is_working_day(country: Country, day: Date) -> bool {
    let is_weekend = matches!(day.weekday(), Weekday::Saturday | Weekday::Sunday);
    !is_weekend && !is_holiday(country, day)
}

/// Whether the day is a public holiday there.
pub fn is_holiday(country: Country, day: Date) -> bool {
    let (month, number) = (day.month(), day.day());
    let after_easter = || i64::from((day - easter(day.year())).get_days());
    let fixed = |days: &[(i8, i8)]| days.contains(&(month, number));
    let moving = |days: &[i64]| days.contains(&after_easter());
    match country.code() {
        // The great prayer day was abolished in 2024.
        "DK" => {
            let is_prayer_day = day.year() < 2024 && after_easter() == 26;
            fixed(&[(1, 1), (12, 25), (12, 26)]) || moving(&[-3, -2, 1, 39, 50]) || is_prayer_day
        }
        "NO" => {
            fixed(&[(1, 1), (5, 1), (5, 17), (12, 25), (12, 26)]) || moving(&[-3, -2, 1, 39, 50])
        }
        "SE" => {
            let days = [(1, 1), (1, 6), (5, 1), (6, 6), (12, 24), (12, 25), (12, 26), (12, 31)];
            fixed(&days) || moving(&[-2, 1, 39]) || is_northern(day)
        }
        "FI" => {
            let days = [(1, 1), (1, 6), (5, 1), (12, 6), (12, 24), (12, 25), (12, 26)];
            fixed(&days) || moving(&[-2, 1, 39]) || is_northern(day)
        }
        // What holds in every state.
        "DE" => fixed(&[(1, 1), (5, 1), (10, 3), (12, 25), (12, 26)]) || moving(&[-2, 1, 39, 50]),
        "NL" => fixed(&[(1, 1), (12, 25), (12, 26)]) || moving(&[1, 39, 50]) || is_kings_day(day),
        "GB" => moving(&[-2, 1]) || is_bank_holiday(day),
        _ => false,
    }
}

/// Easter Sunday, by the rule of Meeus, Jones and Butcher.
fn easter(year: i16) -> Date {
    let year = i32::from(year);
    let (a, b, c) = (year % 19, year / 100, year % 100);
    let (d, e, f) = (b / 4, b % 4, (b + 8) / 25);
    let h = (19 * a + b - d - (b - f + 1) / 3 + 15) % 30;
    let l = (32 + 2 * e + 2 * (c / 4) - h - c % 4) % 7;
    let m = (a + 11 * h + 22 * l) / 451;
    let sum = h + l - 7 * m + 114;
    let part = |value: i32| i8::try_from(value).unwrap_or(1);
    let year = i16::try_from(year).unwrap_or(i16::MAX);
    Date::new(year, part(sum / 31), part(sum % 31 + 1)).unwrap_or(Date::MAX)
}

/// Midsummer's eve and day, and All Saints' day, in Sweden and Finland.
fn is_northern(day: Date) -> bool {
    let is_between = |first: Date, last: Date| first <= day && day <= last;
    let year = day.year();
    match day.weekday() {
        Weekday::Friday => is_between(date(year, 6, 19), date(year, 6, 25)),
        Weekday::Saturday => {
            is_between(date(year, 6, 20), date(year, 6, 26))
                || is_between(date(year, 10, 31), date(year, 11, 6))
        }
        _ => false,
    }
}

/// The 27th of April, or the day before when that is a Sunday; and every fifth liberation day.
fn is_kings_day(day: Date) -> bool {
    let own = date(day.year(), 4, 27);
    let shown = if own.weekday() == Weekday::Sunday { date(day.year(), 4, 26) } else { own };
    day == shown || (day.year() % 5 == 0 && day == date(day.year(), 5, 5))
}

/// Those of England and Wales that do not follow Easter. One on a weekend is made up for.
fn is_bank_holiday(day: Date) -> bool {
    let (month, number, weekday) = (day.month(), day.day(), day.weekday());
    let is_monday = weekday == Weekday::Monday;
    match (month, number) {
        (1, 1) => true,
        (1, 2 | 3) => is_monday,
        (5, 1..=7 | 25..=31) | (8, 25..=31) => is_monday,
        (12, 25 | 26) => true,
        (12, 27) => matches!(weekday, Weekday::Monday | Weekday::Tuesday),
        (12, 28) => matches!(weekday, Weekday::Monday | Weekday::Tuesday),
        _ => false,
    }
}

/// The day after.
fn next(day: Date) -> Date {
    day.checked_add(1.day()).unwrap_or(Date::MAX)
}

const ZONES: &[(&str, &str)] = &[
    ("AT", "Europe/Vienna"),
    ("BE", "Europe/Brussels"),
    ("BG", "Europe/Sofia"),
    ("CH", "Europe/Zurich"),
    ("CY", "Asia/Nicosia"),
    ("CZ", "Europe/Prague"),
    ("DE", "Europe/Berlin"),
    ("DK", "Europe/Copenhagen"),
    ("EE", "Europe/Tallinn"),
    ("ES", "Europe/Madrid"),
    ("FI", "Europe/Helsinki"),
    ("FO", "Atlantic/Faroe"),
    ("FR", "Europe/Paris"),
    ("GB", "Europe/London"),
    ("GR", "Europe/Athens"),
    ("HR", "Europe/Zagreb"),
    ("HU", "Europe/Budapest"),
    ("IE", "Europe/Dublin"),
    ("IS", "Atlantic/Reykjavik"),
    ("IT", "Europe/Rome"),
    ("LT", "Europe/Vilnius"),
    ("LU", "Europe/Luxembourg"),
    ("LV", "Europe/Riga"),
    ("MT", "Europe/Malta"),
    ("NL", "Europe/Amsterdam"),
    ("NO", "Europe/Oslo"),
    ("PL", "Europe/Warsaw"),
    ("PT", "Europe/Lisbon"),
    ("RO", "Europe/Bucharest"),
    ("SE", "Europe/Stockholm"),
    ("SI", "Europe/Ljubljana"),
    ("SK", "Europe/Bratislava"),
];

#[cfg(test)]
mod tests;
