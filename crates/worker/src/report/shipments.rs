//! What a report says about shipments: a row for each, or figures over all of them.

use std::collections::BTreeMap;

use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use waybill_domain::language::Language;
use waybill_domain::measure::Weight;
use waybill_domain::shipment::{Order, ShipmentState};
use waybill_domain::time::Time;
use waybill_domain::words::Message;
use waybill_engine::app::App;
use waybill_engine::papers::day;
use waybill_paper::{Bar, Cell, Chart, Column, ColumnKind, Summary};
use waybill_store::reports::Report;
use waybill_store::shipments::Shipment;
use waybill_store::trackings::Tracking;

use super::prices::Prices;

/// The bars of a chart; what is beyond them is one bar more.
const BARS_MAX: usize = 12;
/// The days that a chart shows one by one.
const DAYS_MAX: usize = 31;

/// A shipment with what is known of its parcels.
pub struct Sent {
    /// The shipment.
    pub shipment: Shipment,
    /// Its order.
    pub order: Order,
    /// One for each parcel with a number.
    pub trackings: Vec<Tracking>,
}

impl Sent {
    /// The last of these times, when every parcel has one.
    fn last(&self, time: impl Fn(&Tracking) -> Option<Time>) -> Cell {
        let times: Option<Vec<Time>> = self.trackings.iter().map(time).collect();
        let last = times.and_then(|times| times.into_iter().max());
        last.map_or(Cell::Empty, |time| Cell::Moment(moment(time)))
    }
}

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

/// The columns of the spreadsheet.
pub fn columns(language: Language) -> Vec<Column> {
    let column = |key, kind, width| column(language, key, kind, width);
    vec![
        column("report-created", ColumnKind::Moment, 17),
        column("report-state", ColumnKind::Text, 12),
        column("paper-reference", ColumnKind::Text, 20),
        column("report-identifier", ColumnKind::Text, 20),
        column("paper-carrier", ColumnKind::Text, 12),
        column("paper-service", ColumnKind::Text, 24),
        column("paper-receiver", ColumnKind::Text, 28),
        column("report-country", ColumnKind::Text, 9),
        column("report-postal-code", ColumnKind::Text, 12),
        column("report-city", ColumnKind::Text, 20),
        column("paper-parcels", ColumnKind::Integer, 9),
        column("paper-weight", ColumnKind::Decimal, 12),
        column("paper-tracking", ColumnKind::Text, 26),
        column("report-booked-at", ColumnKind::Moment, 17),
        column("report-expected", ColumnKind::Moment, 17),
        column("report-delivered-at", ColumnKind::Moment, 17),
        column("report-price", ColumnKind::Money, 15),
        column("report-currency", ColumnKind::Text, 10),
    ]
}

/// One shipment as a row.
pub fn row(app: &App, prices: &Prices, sent: &Sent, language: Language) -> Vec<Cell> {
    let shipment = &sent.shipment;
    let text = |text: &str| Cell::Text(text.to_owned());
    let optional = |value: &Option<String>| value.as_deref().map_or(Cell::Empty, text);
    let order = &sent.order;
    let carrier = app.catalog().carrier(&shipment.carrier_code);
    let service = app.catalog().service(&shipment.service_code).map(|(_, service)| service);
    let address = &order.customer.address;
    let grams = Weight::sum(order.parcels.iter().map(|parcel| parcel.gross_weight));
    let is_return = service.is_some_and(|service| service.is_return);
    // What the carrier does not have, or not as it was ordered, has no price.
    let is_booked = shipment.state == ShipmentState::Booked;
    let price = is_booked.then(|| prices.of(order, is_return)).flatten();
    let numbers: Vec<String> = shipment.tracking_numbers().into_iter().flatten().collect();
    vec![
        Cell::Moment(moment(shipment.created_at)),
        Cell::Text(state(shipment.state, language)),
        optional(&shipment.reference),
        optional(&shipment.identifier),
        text(carrier.map_or(&shipment.carrier_code, |carrier| &carrier.name)),
        text(service.map_or(shipment.service_code.as_str(), |s| s.names.say(language))),
        text(&order.customer.contact.name),
        Cell::Text(address.country.to_string()),
        text(&address.postal_code),
        text(&address.city),
        Cell::Integer(i64::try_from(order.parcels.len()).unwrap_or(i64::MAX)),
        grams.map_or(Cell::Empty, Cell::Decimal),
        Cell::Text(numbers.join(", ")),
        shipment.booked_at.map_or(Cell::Empty, |time| Cell::Moment(moment(time))),
        sent.last(|tracking| tracking.summary.estimate.map(|window| window.end)),
        sent.last(|tracking| tracking.summary.delivered_at),
        price.map_or(Cell::Empty, Cell::Money),
        price.map_or(Cell::Empty, |price| text(price.currency.code())),
    ]
}

fn state(state: ShipmentState, language: Language) -> String {
    let key = match state {
        ShipmentState::Pending => "state-pending",
        ShipmentState::Processing => "state-processing",
        ShipmentState::Booked => "state-booked",
        ShipmentState::Cancelled => "state-cancelled",
        ShipmentState::Failed | ShipmentState::Deleted => "state-failed",
    };
    Message::new(key).say(language)
}

/// In UTC, as everything that we tell.
pub fn moment(time: Time) -> DateTime {
    let moment = jiff::Timestamp::from_microsecond(time.0).unwrap_or_default();
    moment.to_zoned(TimeZone::UTC).datetime()
}

/// Figures over many shipments.
#[derive(Default)]
pub struct Tally {
    states: BTreeMap<ShipmentState, i64>,
    services: BTreeMap<String, i64>,
    countries: BTreeMap<String, i64>,
    days: BTreeMap<jiff::civil::Date, i64>,
}

impl Tally {
    /// Counts one more.
    pub fn add(&mut self, sent: &Sent) {
        let Sent { shipment, order, .. } = sent;
        *self.states.entry(shipment.state).or_default() += 1;
        *self.services.entry(shipment.service_code.clone()).or_default() += 1;
        *self.days.entry(day(shipment.created_at)).or_default() += 1;
        *self.countries.entry(order.customer.address.country.to_string()).or_default() += 1;
    }

    /// The figures on paper.
    pub fn summary(&self, app: &App, report: &Report, language: Language) -> Summary {
        let say = |key: &'static str| Message::new(key).say(language);
        let total: i64 = self.states.values().sum();
        let mut figures = vec![(say("paper-shipments"), total)];
        for (name, count) in &self.states {
            figures.push((state(*name, language), *count));
        }
        // A report ends before its last moment.
        let last = Time(report.to_at.0 - 1);
        Summary {
            language,
            name: say("report-shipments"),
            from: day(report.from_at),
            to: day(last),
            figures,
            charts: vec![
                Chart { name: say("report-by-day"), bars: days(&self.days) },
                Chart {
                    name: say("report-by-service"),
                    bars: largest(&self.services, service(app, language), say("report-other")),
                },
                Chart {
                    name: say("report-by-country"),
                    bars: largest(&self.countries, str::to_owned, say("report-other")),
                },
            ],
        }
    }
}

/// The name of a service with its carrier's.
pub fn service(app: &App, language: Language) -> impl Fn(&str) -> String {
    move |code: &str| {
        let known = app.catalog().service(code);
        known.map_or(code.to_owned(), |(carrier, service)| {
            format!("{}: {}", carrier.name, service.names.say(language))
        })
    }
}

/// The last days as bars.
pub fn days(counts: &BTreeMap<jiff::civil::Date, i64>) -> Vec<Bar> {
    let last = counts.iter().rev().take(DAYS_MAX).collect::<Vec<_>>();
    let bar =
        |(day, count): (&jiff::civil::Date, &i64)| Bar { name: day.to_string(), value: *count };
    last.into_iter().rev().map(bar).collect()
}

/// The largest counts as bars, and all others together.
pub fn largest(
    counts: &BTreeMap<String, i64>,
    name: impl Fn(&str) -> String,
    other: String,
) -> Vec<Bar> {
    let mut all: Vec<(&String, i64)> = counts.iter().map(|(key, count)| (key, *count)).collect();
    all.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let rest: i64 = all.iter().skip(BARS_MAX).map(|(_, count)| count).sum();
    let shown = all.iter().take(BARS_MAX);
    let mut bars: Vec<Bar> =
        shown.map(|(key, count)| Bar { name: name(key), value: *count }).collect();
    if rest > 0 {
        bars.push(Bar { name: other, value: rest });
    }
    bars
}
