//! What a report says about shipments.

use std::collections::BTreeMap;

use jiff::civil::Date;
use uuid::Uuid;
use waybill_domain::ids::TeamId;
use waybill_domain::language::Language;
use waybill_domain::measure::Weight;
use waybill_domain::shipment::{Order, ShipmentState};
use waybill_domain::time::Time;
use waybill_domain::words::Message;
use waybill_engine::app::App;
use waybill_engine::papers::day;
use waybill_paper::{Cell, Chart, Column, ColumnKind};
use waybill_store::shipments::{self, Shipment};
use waybill_store::trackings::{self, Tracking};
use waybill_store::{Error, Tx};

use super::cells::{carrier, column, moment, service, text};
use super::charts::{by_day, by_service, largest};
use super::content::ReportContent;
use super::pages::PagedRow;
use super::prices::Prices;

/// A shipment with what is known of its parcels.
pub struct ShipmentRow {
    shipment: Shipment,
    order: Order,
    /// One for each parcel with a number.
    trackings: Vec<Tracking>,
}

impl ShipmentRow {
    /// The last of these times, when every parcel has one.
    fn last(&self, time: impl Fn(&Tracking) -> Option<Time>) -> Option<Time> {
        let times: Option<Vec<Time>> = self.trackings.iter().map(time).collect();
        times?.into_iter().max()
    }
}

impl PagedRow for ShipmentRow {
    fn list(
        tx: &mut Tx<'_>,
        team: TeamId,
        period: (Time, Time),
        after: (Time, Uuid),
        limit: i64,
    ) -> Result<Vec<ShipmentRow>, Error> {
        let mut all = Vec::new();
        for shipment in shipments::list_created(tx, team, period, after, limit)? {
            let trackings = match shipment.booked_at {
                Some(_) => trackings::list_of(tx, team, shipment.id)?,
                None => Vec::new(),
            };
            let order = shipment.read_order()?;
            all.push(ShipmentRow { shipment, order, trackings });
        }
        Ok(all)
    }

    fn key(&self) -> (Time, Uuid) {
        (self.shipment.created_at, self.shipment.id.into())
    }
}

/// A report of shipments.
pub struct ShipmentContent<'a> {
    app: &'a App,
    language: Language,
    prices: Prices,
    states: BTreeMap<ShipmentState, i64>,
    services: BTreeMap<String, i64>,
    countries: BTreeMap<String, i64>,
    days: BTreeMap<Date, i64>,
}

impl<'a> ShipmentContent<'a> {
    /// Nothing is counted yet.
    pub fn new(app: &'a App, language: Language, prices: Prices) -> ShipmentContent<'a> {
        ShipmentContent {
            app,
            language,
            prices,
            states: BTreeMap::new(),
            services: BTreeMap::new(),
            countries: BTreeMap::new(),
            days: BTreeMap::new(),
        }
    }
}

impl ReportContent for ShipmentContent<'_> {
    type Row = ShipmentRow;
    const NAME: &'static str = "report-shipments";

    fn columns(&self) -> Vec<Column> {
        let column = |key, kind, width| column(self.language, key, kind, width);
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

    fn cells(&self, row: &ShipmentRow) -> Vec<Cell> {
        let (shipment, order) = (&row.shipment, &row.order);
        let optional = |value: &Option<String>| value.as_deref().map_or(Cell::Empty, text);
        let address = &order.customer.address;
        let grams = Weight::sum(order.parcels.iter().map(|parcel| parcel.gross_weight));
        let known = self.app.catalog().service(&shipment.service_code);
        let is_return = known.is_some_and(|(_, service)| service.is_return);
        // What the carrier does not have, or not as it was ordered, has no price.
        let is_booked = shipment.state == ShipmentState::Booked;
        let price = is_booked.then(|| self.prices.of(order, is_return)).flatten();
        let numbers: Vec<String> = shipment.tracking_numbers().into_iter().flatten().collect();
        vec![
            moment(Some(shipment.created_at)),
            Cell::Text(state_name(shipment.state, self.language)),
            optional(&shipment.reference),
            optional(&shipment.identifier),
            carrier(self.app, &shipment.carrier_code),
            service(self.app, &shipment.service_code, self.language),
            text(&order.customer.contact.name),
            Cell::Text(address.country.to_string()),
            text(&address.postal_code),
            text(&address.city),
            Cell::Integer(i64::try_from(order.parcels.len()).unwrap_or(i64::MAX)),
            grams.map_or(Cell::Empty, Cell::Decimal),
            Cell::Text(numbers.join(", ")),
            moment(shipment.booked_at),
            moment(row.last(|tracking| tracking.summary.estimate.map(|window| window.end))),
            moment(row.last(|tracking| tracking.summary.delivered_at)),
            price.map_or(Cell::Empty, Cell::Money),
            price.map_or(Cell::Empty, |price| text(price.currency.code())),
        ]
    }

    fn count(&mut self, row: &ShipmentRow) {
        let ShipmentRow { shipment, order, .. } = row;
        *self.states.entry(shipment.state).or_default() += 1;
        *self.services.entry(shipment.service_code.clone()).or_default() += 1;
        *self.days.entry(day(shipment.created_at)).or_default() += 1;
        *self.countries.entry(order.customer.address.country.to_string()).or_default() += 1;
    }

    fn figures(&self) -> Vec<(String, i64)> {
        let total = Message::new("paper-shipments").say(self.language);
        let mut figures = vec![(total, self.states.values().sum())];
        let named =
            |(state, count): (&ShipmentState, &i64)| (state_name(*state, self.language), *count);
        figures.extend(self.states.iter().map(named));
        figures
    }

    fn charts(&self) -> Vec<Chart> {
        vec![
            by_day("report-by-day", &self.days, self.language),
            by_service("report-by-service", self.app, &self.services, self.language),
            largest("report-by-country", &self.countries, self.language),
        ]
    }
}

fn state_name(state: ShipmentState, language: Language) -> String {
    let key = match state {
        ShipmentState::Pending => "state-pending",
        ShipmentState::Processing => "state-processing",
        ShipmentState::Booked => "state-booked",
        ShipmentState::Cancelled => "state-cancelled",
        ShipmentState::Failed | ShipmentState::Deleted => "state-failed",
    };
    Message::new(key).say(language)
}
