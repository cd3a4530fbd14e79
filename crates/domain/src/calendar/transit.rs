//! From the moment when a parcel is ready to the times when it may arrive.

use jiff::Timestamp;
use jiff::civil::{Date, Time as Clock};
use jiff::tz::TimeZone;

use super::{is_working_day, next, time_zone};
use crate::country::Country;
use crate::shipment::Window;
use crate::time::Time;

/// So many days with deliveries are told.
const DAYS: usize = 3;
/// Nobody is closed for longer.
const SEARCH_MAX: usize = 60;

/// How a service travels.
#[derive(Clone, PartialEq, Debug)]
pub struct Transit {
    /// What is ready by then is collected on the same day.
    pub cutoff: Clock,
    /// Working days on the way within a country.
    pub days: usize,
    /// Working days on the way to another one.
    pub days_abroad: usize,
    /// When it is delivered on a day, or when it can be fetched.
    pub slots: Vec<Slot>,
}

/// A part of a day.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Slot {
    /// From.
    pub opens: Clock,
    /// Until.
    pub closes: Clock,
}

impl Slot {
    /// Reads `08:00-16:00`.
    pub fn parse(text: &str) -> Option<Slot> {
        let (opens, closes) = text.split_once('-')?;
        let slot = Slot { opens: opens.parse().ok()?, closes: closes.parse().ok()? };
        (slot.opens < slot.closes).then_some(slot)
    }
}

/// The merchant's clock, which cut-off and windows go by, and where the parcel starts and ends.
#[derive(Clone, Copy)]
pub struct Route {
    /// Where the merchant is.
    pub merchant: Country,
    /// Where the parcel starts.
    pub from: Country,
    /// Where it ends.
    pub to: Country,
}

impl Transit {
    /// The next cut-off at or after `ready`, and the windows of the first days after it on which
    /// the parcel may arrive.
    pub fn plan(&self, route: Route, ready: Time) -> Option<(Time, Vec<Window>)> {
        let zone = time_zone(route.merchant).unwrap_or(TimeZone::UTC);
        let ready = Timestamp::from_microsecond(ready.0).ok()?.to_zoned(zone.clone());
        let is_late = ready.time() > self.cutoff;
        let first = if is_late { next(ready.date()) } else { ready.date() };
        let collected = days(first, |day| is_working_day(route.from, day)).next()?;
        let travel = if route.from == route.to { self.days } else { self.days_abroad };
        let arrivals = days(next(collected), |day| is_working_day(route.to, day));
        let arrivals = arrivals.skip(travel.saturating_sub(1)).take(DAYS);
        let windows = arrivals.flat_map(|day| {
            let window = |slot: &Slot| {
                let (start, end) =
                    (moment(day, slot.opens, &zone), moment(day, slot.closes, &zone));
                Some(Window { start: start?, end: end? })
            };
            self.slots.iter().filter_map(window).collect::<Vec<_>>()
        });
        Some((moment(collected, self.cutoff, &zone)?, windows.collect()))
    }
}

/// The days from this one on that are good for something.
fn days(first: Date, is_good: impl Fn(Date) -> bool) -> impl Iterator<Item = Date> {
    let all = std::iter::successors(Some(first), |day| Some(next(*day)));
    all.take(SEARCH_MAX).filter(move |day| is_good(*day))
}

fn moment(day: Date, clock: Clock, zone: &TimeZone) -> Option<Time> {
    let zoned = day.to_datetime(clock).to_zoned(zone.clone()).ok()?;
    Some(Time(zoned.timestamp().as_microsecond()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn transit() -> Transit {
        Transit {
            cutoff: "16:00".parse().unwrap(),
            days: 1,
            days_abroad: 3,
            slots: vec![Slot::parse("08:00-16:00").unwrap(), Slot::parse("17:00-21:00").unwrap()],
        }
    }

    fn plan(from: &str, to: &str, ready: &str) -> (String, Vec<String>) {
        let country = |code| Country::parse(code).unwrap();
        let route = Route { merchant: country(from), from: country(from), to: country(to) };
        let (cutoff, windows) = transit().plan(route, Time::parse(ready).unwrap()).unwrap();
        let windows = windows.iter().map(|window| window.start.to_string()[..16].to_owned());
        (cutoff.to_string()[..16].to_owned(), windows.collect())
    }

    #[test]
    fn what_is_ready_before_the_cut_off_arrives_on_the_next_working_day() {
        let (cutoff, windows) = plan("DK", "DK", "2026-11-16T14:00:00+01:00");
        assert_eq!(cutoff, "2026-11-16T15:00", "16:00 in Copenhagen");
        assert_eq!(windows[..2], ["2026-11-17T07:00", "2026-11-17T16:00"]);
        assert_eq!(windows.len(), 6);
    }

    #[test]
    fn what_is_ready_later_is_collected_on_the_next_working_day() {
        let (cutoff, windows) = plan("DK", "DK", "2026-11-20T16:01:00+01:00");
        assert_eq!(cutoff, "2026-11-23T15:00", "over the weekend");
        assert_eq!(windows[0], "2026-11-24T07:00");
        assert_eq!(plan("DK", "DK", "2026-11-20T16:00:00+01:00").0, "2026-11-20T15:00");
    }

    #[test]
    fn holidays_where_it_starts_and_where_it_ends_count() {
        // Norway's national day: nothing leaves there, and nothing arrives.
        assert_eq!(plan("NO", "NO", "2028-05-16T18:00:00+02:00").0, "2028-05-18T14:00");
        assert_eq!(plan("DK", "NO", "2028-05-15T12:00:00+02:00").1[0], "2028-05-19T06:00");
        assert_eq!(plan("DK", "DE", "2028-05-15T12:00:00+02:00").1[0], "2028-05-18T06:00");
    }

    #[test]
    fn the_clock_follows_summer_time() {
        assert_eq!(plan("DK", "DK", "2026-03-27T10:00:00+01:00").1[0], "2026-03-30T06:00");
        assert_eq!(plan("FI", "FI", "2026-11-16T08:00:00Z").0, "2026-11-16T14:00");
    }
}
