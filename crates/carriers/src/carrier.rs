//! What a carrier can be asked for. Everything in `Carrier` is required; abilities that some
//! carriers lack are optional, so that a lack is visible in the types.

use async_trait::async_trait;
use waybill_domain::booking::{Permit, Reference};
use waybill_domain::country::Country;
use waybill_domain::fields::FieldErrors;
use waybill_domain::json::Json;
use waybill_domain::measure::Money;
use waybill_domain::point::Point;
use waybill_domain::shipment::Order;
use waybill_domain::time::Time;

use crate::account::{Account, Verdict};
use crate::booking::{
    Booked, CarrierFiles, Found, Lookup, Outcome, PapersAgain, Plan, Prepared, Sought, Why,
};
use crate::closing::Closing;
use crate::error::CarrierError;
use crate::session::{DialFailure, Session};
use crate::tracking::Tracking;

/// A carrier that we can book with.
#[async_trait]
pub trait Carrier: Send + Sync {
    /// Its stable code.
    fn code(&self) -> &'static str;

    /// Whether this service can be asked afterwards.
    fn lookup(&self, service_code: &str) -> Lookup;

    /// What is wrong with an account, below `credentials` and `options`. The carrier is not asked.
    fn check_account(&self, _credentials: &Json, _options: &Json) -> FieldErrors {
        FieldErrors::default()
    }

    /// Asks the carrier whether an account works. Nothing changes there.
    async fn verify_account(&self, _account: &Account) -> Verdict {
        Verdict::Good
    }

    /// The request to book, or what cannot be said to the carrier, at the paths of our request. It
    /// runs before a booking is accepted, and again before it is sent.
    fn prepare(&self, plan: &Plan, options: &Json) -> Result<Prepared, FieldErrors>;

    /// Gets a token and a connection. Nothing is created.
    async fn dial(&self, account: &Account) -> Result<Session, DialFailure>;

    /// Books. No other function of a carrier buys anything.
    async fn book(
        &self,
        session: Session,
        account: &Account,
        prepared: Prepared,
        reference: &Reference,
        permit: Permit,
    ) -> Outcome;

    /// What became of a reference, asked after an unclear answer.
    async fn find(&self, account: &Account, sought: &Sought) -> Found;

    /// The papers of a booking, for when they did not come with it.
    async fn documents(&self, account: &Account, booking: &Booked) -> Result<CarrierFiles, Why>;

    /// Where the papers come from when they are wanted again, of a booking of which this is kept.
    fn papers_again(&self, _carrier_data: Option<&str>) -> PapersAgain {
        PapersAgain::Asked
    }

    /// Cancelling, where the carrier offers it.
    fn cancelling(&self) -> Option<&dyn Cancelling> {
        None
    }

    /// Tracking parcels, where the carrier offers it.
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

    /// Closing the day, where the carrier wants that.
    fn closing(&self) -> Option<&dyn Closing> {
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

    /// All its points in a country.
    async fn list(&self, account: &Account, country: Country) -> Result<Vec<Point>, CarrierError>;
}

/// A carrier that tells what a booking would cost.
#[async_trait]
pub trait Pricing: Send + Sync {
    /// The price of the order, were it sent now. Nothing when the carrier has none.
    async fn quote(
        &self,
        account: &Account,
        order: &Order,
        now: Time,
    ) -> Result<Option<Money>, CarrierError>;
}

/// Cancelling a booking.
#[async_trait]
pub trait Cancelling: Send + Sync {
    /// Cancels the booking. Cancelling again is harmless.
    async fn cancel(&self, account: &Account, booking: &Booked) -> Cancelled;

    /// Whether a refusal proves that it was not cancelled before. A carrier that says the same of
    /// what is cancelled already proves nothing, once an answer was lost.
    fn refusal_is_certain(&self) -> bool {
        true
    }
}

/// A carrier that lists what was booked with it.
#[async_trait]
pub trait ListBookings: Send + Sync {
    /// What was booked on the account from this time on, and what was cancelled.
    async fn list_bookings(
        &self,
        account: &Account,
        since: Time,
    ) -> Result<Vec<CarrierBooking>, CarrierError>;
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
    /// Provably nothing reached the carrier.
    NotSent(String),
    /// No usable answer.
    Unknown(String),
}

impl From<CarrierError> for Cancelled {
    fn from(error: CarrierError) -> Cancelled {
        match error {
            CarrierError::Unreachable(_) | CarrierError::Unwritable(_) => {
                Cancelled::NotSent(error.to_string())
            }
            other => Cancelled::Unknown(other.to_string()),
        }
    }
}
