//! How to speak to each carrier. Knows nothing of the HTTP API or the database.
//!
//! A carrier is one folder and one line in `Carriers::new`. Everything in `Carrier` is required;
//! abilities that some carriers lack are optional, so that a lack is visible in the types.

pub mod call;
pub mod catalog;
pub mod tracking;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use call::{CarrierFiles, Found, Lookup, Outcome, Why};
use tracking::Tracking;
use waybill_domain::booking::{Permit, Reference};
use waybill_domain::country::Country;
use waybill_domain::document::Format;
use waybill_domain::json::Json;
use waybill_domain::measure::Money;
use waybill_domain::point::Point;
use waybill_domain::secret::Secret;
use waybill_domain::time::Time;
use waybill_outbound::{Line, Network};

/// A team's account with a carrier.
#[derive(Clone, Debug)]
pub struct Account {
    /// What the carrier asks for to let us in.
    pub credentials: Secret<Json>,
    /// What the team chose, not secret.
    pub options: Json,
}

/// A booking to be: the accepted order in the API's shape, and what was negotiated for it.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The attempt's own reference.
    pub reference: Reference,
    /// The order as accepted, as `Order::to_json` writes it, merchant resolved.
    pub order: Json,
    /// The format of the label; none when we draw it ourselves.
    pub label_format: Option<Format>,
}

pub mod sandbox;

/// A carrier that we can book with.
#[async_trait]
pub trait Carrier: Send + Sync {
    /// Its stable code.
    fn code(&self) -> &'static str;

    /// Whether this service can be asked afterwards.
    fn lookup(&self, service_code: &str) -> Lookup;

    /// The longest that a call to book may take.
    fn call_time_max(&self) -> Duration;

    /// Gets a token and a connection. Nothing is created; an error is words for the log.
    async fn dial(&self, account: &Account) -> Result<Line, String>;

    /// The one side effect.
    async fn book(&self, line: Line, account: &Account, plan: &Plan, permit: Permit) -> Outcome;

    /// What became of a reference, asked after an unclear answer.
    async fn find(&self, account: &Account, reference: &Reference) -> Found;

    /// The papers of a booking, for when they did not come with it.
    async fn documents(&self, account: &Account, booking: &Booked) -> Result<CarrierFiles, Why>;

    /// Whether whoever sent the shipment with this reference asked for what goes wrong with it.
    fn is_rehearsed(&self, _reference: Option<&str>) -> bool {
        false
    }

    /// Cancelling, where the carrier offers it.
    fn cancelling(&self) -> Option<&dyn Cancelling> {
        None
    }

    /// Following parcels, where the carrier offers it.
    fn tracking(&self) -> Option<&dyn Tracking> {
        None
    }

    /// Listing what was booked, where the carrier offers it.
    fn list_bookings(&self) -> Option<&dyn ListBookings> {
        None
    }

    /// Its service points, where it tells them.
    fn service_points(&self) -> Option<&dyn ServicePoints> {
        None
    }

    /// Its prices, where it tells them before a booking.
    fn pricing(&self) -> Option<&dyn Pricing> {
        None
    }
}

/// A carrier that tells where its service points are.
#[async_trait]
pub trait ServicePoints: Send + Sync {
    /// The countries that it has points in.
    fn countries(&self) -> &'static [&'static str];

    /// All its points in a country; an error is words for the log.
    async fn list(&self, account: &Account, country: Country) -> Result<Vec<Point>, String>;
}

/// A carrier that tells what a booking would cost.
#[async_trait]
pub trait Pricing: Send + Sync {
    /// The price of the order, as `Order::to_json` writes it. Nothing when the carrier has none; an
    /// error is words for the log.
    async fn quote(&self, account: &Account, order: &Json) -> Result<Option<Money>, String>;
}

/// A booking whose documents are wanted.
#[derive(Clone, Debug)]
pub struct Booked {
    /// The reference it was booked with.
    pub reference: Reference,
    /// The carrier's own name for it.
    pub carrier_reference: String,
    /// The format of the label; none when we draw it ourselves.
    pub label_format: Option<Format>,
}

/// Cancelling a booking.
#[async_trait]
pub trait Cancelling: Send + Sync {
    /// Cancels the booking. Cancelling again is harmless.
    async fn cancel(&self, account: &Account, booking: &Booked) -> Cancelled;
}

/// A carrier that lists what was booked with it.
#[async_trait]
pub trait ListBookings: Send + Sync {
    /// What was booked on the account from this time on, and what was cancelled. An error is words
    /// for the operator.
    async fn list_bookings(
        &self,
        account: &Account,
        since: Time,
    ) -> Result<Vec<CarrierBooking>, String>;
}

/// A booking as a carrier lists it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CarrierBooking {
    /// The reference that it was booked with.
    pub reference: String,
    /// The carrier's own name for it.
    pub carrier_reference: String,
    /// The shipment's own reference, where the carrier was told it.
    pub customer_reference: Option<String>,
    /// The numbers of its parcels.
    pub tracking_numbers: Vec<String>,
    /// When it was booked.
    pub booked_at: Time,
    /// Whether it is cancelled.
    pub is_cancelled: bool,
}

/// What became of a request to cancel.
#[derive(Clone, PartialEq, Debug)]
pub enum Cancelled {
    /// It is cancelled.
    Done,
    /// The carrier refused, in its own words.
    Refused(String),
    /// No usable answer.
    Unknown(String),
}

/// Every carrier that we have an adapter for.
pub struct Carriers(Vec<Arc<dyn Carrier>>);

impl Carriers {
    /// One line for each carrier.
    pub fn new(network: &Network, sandbox_url: &str) -> Result<Carriers, String> {
        let sandbox = sandbox::Sandbox::new(network.clone(), sandbox_url)?;
        Ok(Carriers(vec![Arc::new(sandbox)]))
    }

    /// Those that tell where their service points are.
    pub fn with_points(&self) -> impl Iterator<Item = Arc<dyn Carrier>> {
        self.0.iter().filter(|carrier| carrier.service_points().is_some()).cloned()
    }

    /// The carrier with this code.
    pub fn get(&self, code: &str) -> Option<Arc<dyn Carrier>> {
        self.0.iter().find(|carrier| carrier.code() == code).cloned()
    }
}
