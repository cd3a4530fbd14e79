//! Columns and cells of spreadsheets, as every kind of report has them.

use std::time::Duration;

use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use waybill_domain::language::Language;
use waybill_domain::time::Time;
use waybill_domain::words::Message;
use waybill_engine::app::App;
use waybill_paper::{Cell, Column, ColumnKind};

/// A column whose head names the unit of its cells.
pub fn column(language: Language, key: &'static str, kind: ColumnKind, width: u16) -> Column {
    let name = Message::new(key).say(language);
    let name = match kind {
        ColumnKind::Moment => format!("{name} (UTC)"),
        ColumnKind::Decimal => format!("{name} (kg)"),
        ColumnKind::Text | ColumnKind::Integer | ColumnKind::Money => name,
    };
    Column { name, kind, width }
}

/// A column of seconds, which its head says.
pub fn seconds_column(language: Language, key: &'static str, width: u16) -> Column {
    let name = format!("{} (s)", Message::new(key).say(language));
    Column { name, kind: ColumnKind::Decimal, width }
}

/// So many seconds, to the thousandth.
pub fn seconds(time: Duration) -> Cell {
    Cell::Decimal(i64::try_from(time.as_millis()).unwrap_or(i64::MAX))
}

/// A text.
pub fn text(text: &str) -> Cell {
    Cell::Text(text.to_owned())
}

/// A time in UTC, as everything that we tell, or nothing.
pub fn moment(time: Option<Time>) -> Cell {
    time.map_or(Cell::Empty, |time| Cell::Moment(utc(time)))
}

fn utc(time: Time) -> DateTime {
    let moment = jiff::Timestamp::from_microsecond(time.0).unwrap_or_default();
    moment.to_zoned(TimeZone::UTC).datetime()
}

/// The name of a carrier.
pub fn carrier(app: &App, code: &str) -> Cell {
    text(app.catalog().carrier(code).map_or(code, |carrier| &carrier.name))
}

/// The name of a service.
pub fn service(app: &App, code: &str, language: Language) -> Cell {
    text(app.catalog().service(code).map_or(code, |(_, service)| service.names.say(language)))
}
