//! What a report says about trackings.

use std::collections::BTreeMap;

use jiff::civil::Date;
use uuid::Uuid;
use waybill_domain::ids::TeamId;
use waybill_domain::language::Language;
use waybill_domain::time::Time;
use waybill_domain::tracking::State;
use waybill_domain::words::Message;
use waybill_engine::app::App;
use waybill_engine::papers::day;
use waybill_paper::{Cell, Chart, Column, ColumnKind};
use waybill_store::trackings::{self, Tracking};
use waybill_store::{Error, Tx};

use super::cells::{carrier, column, moment, service, text};
use super::charts::{by_day, by_service, largest};
use super::content::ReportContent;
use super::pages::PagedRow;

impl PagedRow for Tracking {
    fn list(
        tx: &mut Tx<'_>,
        team: TeamId,
        period: (Time, Time),
        after: (Time, Uuid),
        limit: i64,
    ) -> Result<Vec<Tracking>, Error> {
        trackings::list_created(tx, team, period, after, limit)
    }

    fn key(&self) -> (Time, Uuid) {
        (self.created_at, self.id.into())
    }
}

/// A report of trackings.
pub struct TrackingContent<'a> {
    app: &'a App,
    language: Language,
    states: BTreeMap<State, i64>,
    services: BTreeMap<String, i64>,
    days: BTreeMap<Date, i64>,
}

impl<'a> TrackingContent<'a> {
    /// Nothing is counted yet.
    pub fn new(app: &'a App, language: Language) -> TrackingContent<'a> {
        TrackingContent {
            app,
            language,
            states: BTreeMap::new(),
            services: BTreeMap::new(),
            days: BTreeMap::new(),
        }
    }

    fn named_states(&self) -> impl Iterator<Item = (String, i64)> {
        self.states.iter().map(|(state, count)| (state_name(*state, self.language), *count))
    }
}

impl ReportContent for TrackingContent<'_> {
    type Row = Tracking;
    const NAME: &'static str = "report-trackings";

    fn columns(&self) -> Vec<Column> {
        let column = |key, kind, width| column(self.language, key, kind, width);
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

    fn cells(&self, tracking: &Tracking) -> Vec<Cell> {
        let summary = &tracking.summary;
        let status = summary.status.map(|status| status.message().say(self.language));
        vec![
            moment(Some(tracking.created_at)),
            Cell::Text(state_name(summary.state, self.language)),
            text(&tracking.number),
            carrier(self.app, &tracking.carrier_code),
            service(self.app, &tracking.service_code, self.language),
            status.map_or(Cell::Empty, Cell::Text),
            moment(summary.updated_at),
            moment(summary.estimate.map(|window| window.end)),
            moment(summary.delivered_at),
            moment(summary.returned_at),
        ]
    }

    fn count(&mut self, tracking: &Tracking) {
        *self.states.entry(tracking.summary.state).or_default() += 1;
        *self.services.entry(tracking.service_code.clone()).or_default() += 1;
        *self.days.entry(day(tracking.created_at)).or_default() += 1;
    }

    fn figures(&self) -> Vec<(String, i64)> {
        let total = Message::new("report-trackings").say(self.language);
        let mut figures = vec![(total, self.states.values().sum())];
        figures.extend(self.named_states());
        figures
    }

    fn charts(&self) -> Vec<Chart> {
        let states: BTreeMap<String, i64> = self.named_states().collect();
        vec![
            by_day("report-trackings-by-day", &self.days, self.language),
            largest("report-trackings-by-state", &states, self.language),
            by_service("report-trackings-by-service", self.app, &self.services, self.language),
        ]
    }
}

fn state_name(state: State, language: Language) -> String {
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
