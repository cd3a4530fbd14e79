//! PostNord's service points, with when they are open.

use jiff::ToSpan;
use jiff::civil::Date;
use waybill_domain::country::Country;
use waybill_domain::fields::read;
use waybill_domain::json::Json;
use waybill_domain::party::Address;
use waybill_domain::point::{Hours, Point, PointKind, Position};
use waybill_outbound::line::Response;

use super::answers::{complaints, refused};
use crate::CarrierError;
use crate::booking::Why;
use crate::members::{list, long_body, object, text, text_or_number, within};

/// The countries that it tells points of, as far as something goes to a point there.
pub const COUNTRIES: &[&str] = &[
    "DK", "SE", "NO", "FI", "AX", "DE", "NL", "BE", "LU", "AT", "FR", "ES", "PL", "EE", "LV", "LT",
];
/// Where the points are the same for the senders of all agreements.
const ITS_OWN: [&str; 4] = ["DK", "SE", "NO", "FI"];
/// So many points are on a page.
const PAGE: usize = 1000;
/// A list of more pages is broken.
pub const PAGES_MAX: usize = 100;
/// The coordinates that everybody uses.
const DEGREES: &str = "EPSG:4326";
/// A special time that is longer is left out: a list of its days would be no help.
const SPECIAL_DAYS_MAX: usize = 60;
/// Types that are not shops.
const KINDS: &[(&str, PointKind)] = &[
    ("2", PointKind::Locker),
    ("22", PointKind::PostOffice),
    ("24", PointKind::PostOffice),
    ("54", PointKind::PostOffice),
];
const WEEKDAYS: [&str; 7] =
    ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/// Path and query of a page, from 1, without the key. Elsewhere the points are those that senders
/// of the agreement's country may use.
pub fn path(country: Country, agreement: &str, page: usize) -> String {
    let senders = match ITS_OWN.contains(&country.code()) {
        true => String::new(),
        false => format!("&agreementCountry={agreement}"),
    };
    format!(
        "/rest/businesslocation/v5/servicepoints/information?returnType=json\
         &countryCode={country}{senders}&context=optionalservicepoint&page={page}&perPage={PAGE}"
    )
}

/// The points on a page, and how many pages there are.
pub fn page(response: &Response, country: Country) -> Result<(Vec<Point>, usize), CarrierError> {
    let body = long_body(response);
    let told = body.member("servicePointInformationResponse").unwrap_or(&Json::Null);
    let faults = complaints(told);
    if !faults.is_empty() {
        let reason = "the service points are not told".to_owned();
        return Err(CarrierError::Unexpected(Why { reason, said: faults }));
    }
    if response.status.as_u16() != 200 {
        return Err(refused(response));
    }
    let Some(Json::List(entries)) = told.member("servicePoints") else {
        return Err(CarrierError::Unreadable("a list of service points"));
    };
    let pages = within(told, &["paging", "totalPages"]).and_then(|pages| match pages {
        Json::Number(number) => number.as_integer().and_then(|it| usize::try_from(it).ok()),
        _ => None,
    });
    let points = entries.iter().filter_map(|entry| point(entry, country)).collect();
    Ok((points, pages.unwrap_or(1)))
}

/// A point; nothing when it is elsewhere, has no position, or nobody could find it.
fn point(entry: &Json, country: Country) -> Option<Point> {
    let address = entry.member("visitingAddress").filter(|address| text(address, "city").is_some());
    let address = address.or_else(|| entry.member("deliveryAddress"))?;
    if text(address, "countryCode").is_some_and(|code| !is_in(country, code)) {
        return None;
    }
    let street = [text(address, "streetName"), text(address, "streetNumber")];
    let street = street.into_iter().flatten().collect::<Vec<_>>().join(" ");
    let kind = within(entry, &["type"]).and_then(|kind| text_or_number(kind, "typeId"));
    let kind = KINDS.iter().find(|(id, _)| kind.as_deref() == Some(id)).map(|(_, kind)| *kind);
    Some(Point {
        carrier: "postnord".to_owned(),
        code: text_or_number(entry, "servicePointId")?,
        name: text(entry, "name")?.to_owned(),
        kind: kind.unwrap_or(PointKind::ParcelShop),
        address: Address {
            lines: if street.is_empty() { return None } else { vec![street] },
            postal_code: text_or_number(address, "postalCode")?,
            city: text(address, "city")?.to_owned(),
            administrative_area: None,
            country,
        },
        position: list(entry, "coordinates").iter().find_map(position)?,
        hours: entry.member("openingHours").and_then(hours),
    })
}

/// Åland is a part of Finland, and some call it that.
fn is_in(country: Country, code: &str) -> bool {
    code == country.code() || (country.code(), code) == ("AX", "FI")
}

fn position(coordinates: &Json) -> Option<Position> {
    if text(coordinates, "srId") != Some(DEGREES) {
        return None;
    }
    let degrees = |name| text_or_number(coordinates, name)?.parse::<f64>().ok();
    Position::new(degrees("northing")?, degrees("easting")?)
}

/// When it is open; nothing when no time can be read.
fn hours(told: &Json) -> Option<Hours> {
    let services = list(told, "postalServices");
    let of_day = |weekday: &&str| {
        let entries = services.iter().filter(|entry| {
            text(entry, "openDay").is_some_and(|day| day.eq_ignore_ascii_case(weekday))
        });
        let periods: Vec<Json> = entries.filter_map(period).collect();
        let day = object([("weekday", (*weekday).into()), ("periods", Json::list(periods))]);
        day.member("periods").is_some().then_some(day)
    };
    let regular: Vec<Json> = WEEKDAYS.iter().filter_map(of_day).collect();
    if regular.is_empty() {
        return None;
    }
    let special = list(told, "specialDates").iter().flat_map(special_days);
    let hours = Json::object([("regular", Json::list(regular)), ("special", Json::list(special))]);
    read(&hours, Hours::read).ok()
}

fn period(entry: &Json) -> Option<Json> {
    let time = |name| text(entry, name).and_then(clock_time);
    let (opens, closes) = (time("openTime")?, time("closeTime")?);
    Some(object([("opens", opens.into()), ("closes", closes.into())]))
}

/// `08:00` of `08:00` or `08:00:00`.
fn clock_time(text: &str) -> Option<&str> {
    text.get(..5).filter(|time| time.as_bytes()[2] == b':')
}

/// The days of a special time. One without a date is left out.
fn special_days(entry: &Json) -> Vec<Json> {
    let date = |name| text(entry, name)?.get(..10)?.parse::<Date>().ok();
    let Some(first) = date("startDate") else { return Vec::new() };
    let last = date("endDate").unwrap_or(first);
    let is_closed = entry.member("isClosed") == Some(&Json::Bool(true));
    let periods: Vec<Json> = period(entry).filter(|_| !is_closed).into_iter().collect();
    if periods.is_empty() && !is_closed {
        return Vec::new();
    }
    let days: Vec<Date> =
        first.series(1.day()).take_while(|day| *day <= last).take(SPECIAL_DAYS_MAX + 1).collect();
    if days.len() > SPECIAL_DAYS_MAX {
        return Vec::new();
    }
    let day = |date: Date| {
        Json::object([
            ("date", Json::text(date)),
            ("is_closed", is_closed.into()),
            ("periods", Json::list(periods.clone())),
        ])
    };
    days.into_iter().map(day).collect()
}
