//! What shipments cost by the team's rates. They are the rates of today: what was agreed on when a
//! parcel was sent is known to the carrier alone.

use std::collections::HashMap;

use waybill_domain::ids::TeamId;
use waybill_domain::measure::Money;
use waybill_domain::shipment::Order;
use waybill_domain::tariff::{Rate, price};
use waybill_engine::app::App;
use waybill_engine::rates::rates;
use waybill_store::{Error, tariffs};

/// More rows than a team may have.
const ROWS_MAX: usize = 1_000_000;

/// A team's rates by service.
#[derive(Default)]
pub struct Prices(HashMap<String, Vec<Rate>>);

impl Prices {
    /// Reads them all.
    pub fn read(app: &App, team: TeamId) -> Result<Prices, Error> {
        let rows = app.store().blocking_read(move |tx| tariffs::list(tx, team, None, ROWS_MAX));
        let rows: Vec<(i64, String)> = rows?;
        let bodies: Vec<String> = rows.into_iter().map(|(_, body)| body).collect();
        let mut by_service: HashMap<String, Vec<Rate>> = HashMap::new();
        for rate in rates(&bodies)? {
            by_service.entry(rate.service_code.clone()).or_default().push(rate);
        }
        Ok(Prices(by_service))
    }

    /// The price of an order, to where it ends.
    pub fn of(&self, order: &Order, is_return: bool) -> Option<Money> {
        let rates: Vec<&Rate> = self.0.get(&order.delivery.service_code)?.iter().collect();
        let end = if is_return { order.merchant.as_ref()? } else { &order.customer };
        let weights: Vec<_> = order.parcels.iter().map(|parcel| parcel.gross_weight).collect();
        price(&rates, end.address.country, &end.address.postal_code, &weights)
    }
}
