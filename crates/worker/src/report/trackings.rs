//! What a report says about trackings: a row for each, or figures over all of them.

use std::collections::BTreeMap;

use waybill_domain::language::Language;
use waybill_domain::time::Time;
use waybill_domain::tracking::State;
use waybill_domain::words::Message;
use waybill_engine::app::App;
use waybill_engine::papers::day;
use waybill_paper::{Cell, Chart, Column, ColumnKind, Summary};
use waybill_store::reports::Report;
use waybill_store::trackings::Tracking;

use super::rows::{column, days, largest, moment, service};

/// The columns of the spreadsheet.
pub fn columns(language: Language) -> Vec<Column> {
    let column = |key, kind, width| column(language, key, kind, width);
    vec![
        column("report-created", ColumnKind::Moment, 17),
        column("report-state", ColumnKind::Text, 20),
        column("paper-tracking", ColumnKind::Text, 26),
        column("paper-carrier", ColumnKind::Text, 12),
        column("paper-service", ColumnKind::Text, 24),
        column("report-last-event", ColumnKind::Text, 40),
        column("report-last-heard", ColumnKind::Moment, 17),
        column("report-expected", ColumnKind::Moment, 17),
        column("report-delivered-at", ColumnKind::Moment, 17),
        column("report-returned-at", ColumnKind::Moment, 17),
    ]
}

/// One tracking as a row.
pub fn row(app: &App, tracking: &Tracking, language: Language) -> Vec<Cell> {
    let text = |text: &str| Cell::Text(text.to_owned());
    let time = |time: Option<Time>| time.map_or(Cell::Empty, |time| Cell::Moment(moment(time)));
    let carrier = app.catalog().carrier(&tracking.carrier_code);
    let service = app.catalog().service(&tracking.service_code).map(|(_, service)| service);
    let summary = &tracking.summary;
    let status = summary.status.map(|status| status.message().say(language));
    vec![
        Cell::Moment(moment(tracking.created_at)),
        Cell::Text(state(summary.state, language)),
        text(&tracking.number),
        text(carrier.map_or(&tracking.carrier_code, |carrier| &carrier.name)),
        text(service.map_or(tracking.service_code.as_str(), |s| s.names.say(language))),
        status.map_or(Cell::Empty, Cell::Text),
        time(summary.updated_at),
        time(summary.estimate.map(|window| window.end)),
        time(summary.delivered_at),
        time(summary.returned_at),
    ]
}

fn state(state: State, language: Language) -> String {
    let key = match state {
        State::Pending => "tracking-state-pending",
        State::InfoReceived => "tracking-state-info-received",
        State::InTransit => "tracking-state-in-transit",
        State::OutForDelivery => "tracking-state-out-for-delivery",
        State::AvailableForPickup => "tracking-state-available",
        State::AttemptFail => "tracking-state-attempt-fail",
        State::Delivered => "tracking-state-delivered",
        State::Exception => "tracking-state-exception",
        State::Returned => "tracking-state-returned",
        State::Expired => "tracking-state-expired",
    };
    Message::new(key).say(language)
}

/// Figures over many trackings.
#[derive(Default)]
pub struct Tally {
    states: BTreeMap<State, i64>,
    services: BTreeMap<String, i64>,
    days: BTreeMap<jiff::civil::Date, i64>,
}

impl Tally {
    /// Counts one more.
    pub fn add(&mut self, tracking: &Tracking) {
        *self.states.entry(tracking.summary.state).or_default() += 1;
        *self.services.entry(tracking.service_code.clone()).or_default() += 1;
        *self.days.entry(day(tracking.created_at)).or_default() += 1;
    }

    /// The figures on paper.
    pub fn summary(&self, app: &App, report: &Report, language: Language) -> Summary {
        let say = |key: &'static str| Message::new(key).say(language);
        let mut figures = vec![(say("report-trackings"), self.states.values().sum())];
        let named = self.states.iter().map(|(name, count)| (state(*name, language), *count));
        figures.extend(named.clone());
        let states: BTreeMap<String, i64> = named.collect();
        let services = largest(&self.services, service(app, language), say("report-other"));
        // A report ends before its last moment.
        let last = Time(report.to_at.0 - 1);
        Summary {
            language,
            name: say("report-trackings"),
            from: day(report.from_at),
            to: day(last),
            figures,
            charts: vec![
                Chart { name: say("report-trackings-by-day"), bars: days(&self.days) },
                Chart {
                    name: say("report-trackings-by-state"),
                    bars: largest(&states, str::to_owned, say("report-other")),
                },
                Chart { name: say("report-trackings-by-service"), bars: services },
            ],
        }
    }
}
