//! When a point is open, in its own local time.

use jiff::civil::Date;

use crate::fields::{Fields, Value, each, one_of};
use crate::json::Json;
use crate::words::Message;

const WEEKDAYS: &[&str] =
    &["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/// Regular hours and the days that differ from them.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Hours {
    regular: Vec<(usize, Vec<Period>)>,
    special: Vec<Special>,
}

/// From opening to closing, as `HH:MM`.
type Period = (String, String);

#[derive(Clone, PartialEq, Debug)]
struct Special {
    date: String,
    is_closed: bool,
    periods: Vec<Period>,
}

impl Hours {
    /// Reads `{regular, special}`.
    pub fn read(fields: &Fields) -> Option<Hours> {
        let regular = fields.list("regular", 0..=7).then(|days| each(&days, read_day));
        let special = fields.list("special", 0..=366).then(|days| each(&days, read_special));
        Some(Hours {
            regular: regular.required()?,
            special: special.optional().unwrap_or_default(),
        })
    }

    /// Reads `mo-fr 07:00-22:00; sa 08:00-12:00 13:00-18:00`, as a spreadsheet has it.
    pub fn parse_short(text: &str) -> Option<Hours> {
        let mut hours = Hours::default();
        for part in text.split(';').map(str::trim).filter(|part| !part.is_empty()) {
            let mut words = part.split_whitespace();
            let days = words.next()?;
            let (first, last) = days.split_once('-').unwrap_or((days, days));
            let (first, last) = (weekday(first)?, weekday(last)?);
            let periods: Vec<Period> = words.map(period).collect::<Option<_>>()?;
            if first > last || periods.is_empty() {
                return None;
            }
            hours.regular.extend((first..=last).map(|day| (day, periods.clone())));
        }
        hours.regular.sort_by_key(|(day, _)| *day);
        let is_twice = hours.regular.windows(2).any(|pair| pair[0].0 == pair[1].0);
        (!is_twice).then_some(hours)
    }

    /// The weekday, the opening and the closing of every regular period, in order.
    pub fn regular(&self) -> Vec<(&'static str, &str, &str)> {
        let mut periods: Vec<(usize, &str, &str)> = Vec::new();
        for (day, all) in &self.regular {
            periods.extend(all.iter().map(|(opens, closes)| (*day, &**opens, &**closes)));
        }
        periods.sort_unstable();
        periods.into_iter().map(|(day, opens, closes)| (WEEKDAYS[day], opens, closes)).collect()
    }

    /// `{regular, special}`
    pub fn to_json(&self) -> Json {
        let regular = self.regular.iter().map(|(day, periods)| {
            let weekday = WEEKDAYS[*day].into();
            Json::object([("weekday", weekday), ("periods", periods_json(periods))])
        });
        let special = self.special.iter().map(|day| {
            Json::object([
                ("date", day.date.as_str().into()),
                ("is_closed", day.is_closed.into()),
                ("periods", periods_json(&day.periods)),
            ])
        });
        Json::object([("regular", Json::list(regular)), ("special", Json::list(special))])
    }
}

fn periods_json(periods: &[Period]) -> Json {
    Json::list(periods.iter().map(|(opens, closes)| {
        Json::object([("opens", opens.as_str().into()), ("closes", closes.as_str().into())])
    }))
}

fn read_day(value: &Value) -> Option<(usize, Vec<Period>)> {
    let fields = value.object()?;
    let known = |text: &str| WEEKDAYS.iter().position(|day| *day == text);
    let weekday = fields.parsed("weekday", known, || one_of(WEEKDAYS)).required();
    let periods = read_periods(&fields);
    Some((weekday?, periods?))
}

fn read_special(value: &Value) -> Option<Special> {
    let fields = value.object()?;
    let is_date = |text: &str| {
        let date = text.parse::<Date>().ok()?;
        (date.to_string() == text).then(|| text.to_owned())
    };
    let date = fields.parsed("date", is_date, || Message::new("not-a-date")).required();
    let is_closed = fields.boolean("is_closed").optional();
    let periods = read_periods(&fields)?;
    let is_closed = is_closed.unwrap_or(periods.is_empty());
    Some(Special { date: date?, is_closed, periods })
}

fn read_periods(fields: &Fields) -> Option<Vec<Period>> {
    let periods = fields.list("periods", 0..=10).then(|periods| {
        each(&periods, |period| {
            let fields = period.object()?;
            let moment = |name| fields.parsed(name, time, || Message::new("not-a-clock-time"));
            let (opens, closes) = (moment("opens").required(), moment("closes").required());
            Some((opens?, closes?))
        })
    });
    periods.required()
}

/// `07:00`; `24:00` is the end of a day.
fn time(text: &str) -> Option<String> {
    let (hour, minute) = text.split_once(':')?;
    let number = |text: &str| {
        let is_two = text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit());
        is_two.then(|| text.parse::<u8>().ok())?
    };
    let is_time = matches!((number(hour)?, number(minute)?), (0..=23, 0..=59) | (24, 0));
    is_time.then(|| text.to_owned())
}

fn period(text: &str) -> Option<Period> {
    let (opens, closes) = text.split_once('-')?;
    Some((time(opens)?, time(closes)?))
}

/// The first two letters of a weekday.
fn weekday(text: &str) -> Option<usize> {
    let text = text.to_lowercase();
    WEEKDAYS.iter().position(|day| text.len() >= 2 && day.starts_with(&text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_hours_stand_for_the_long_ones() {
        let hours = Hours::parse_short("mo-we 07:00-22:00; Sat 08:00-12:00 13:00-18:00").unwrap();
        assert_eq!(hours.regular.len(), 4);
        assert_eq!(hours.regular[3].0, 5);
        assert_eq!(hours.regular[3].1.len(), 2);
        for bad in ["mo", "mo 7-22", "fr-mo 07:00-22:00", "mo 07:00-22:00; mo 08:00-09:00", "x 1-2"]
        {
            assert_eq!(Hours::parse_short(bad), None, "{bad}");
        }
    }
}
