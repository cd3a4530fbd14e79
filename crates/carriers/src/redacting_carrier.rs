//! Every adapter as everybody else meets it: nothing that it hears of a carrier goes on before what
//! lets us in is hidden. An answer that does not know how (`Redact`) does not compile here.

#![deny(clippy::missing_trait_methods, reason = "what is forgotten here is lost to its carrier")]

use std::sync::Arc;

use async_trait::async_trait;
use waybill_domain::booking::{Permit, Reference};
use waybill_domain::country::Country;
use waybill_domain::fields::FieldErrors;
use waybill_domain::json::Json;
use waybill_domain::measure::Money;
use waybill_domain::point::Point;
use waybill_domain::shipment::Order;
use waybill_domain::time::Time;
use waybill_domain::tracking::Pace;

use crate::account::{Account, Verdict};
use crate::booking::{
    Booked, CarrierFiles, File, Found, Lookup, Outcome, PapersAgain, Plan, Prepared, Sought, Why,
};
use crate::carrier::{
    Cancelled, Cancelling, Carrier, CarrierBooking, ListBookings, Pricing, ServicePoints,
};
use crate::closing::{CloseError, Closing, ClosingDay};
use crate::error::CarrierError;
use crate::redact::{Redact, Redactor};
use crate::session::{DialFailure, Session};
use crate::tracking::{Callback, NumberAnswer, Refused, Tracking};

/// An ability is handed out only where the adapter has it.
const LACKING: &str = "an ability that the adapter does not have was handed out";

/// An adapter that keeps what lets us in to itself.
pub struct RedactingCarrier(Arc<dyn Carrier>);

impl RedactingCarrier {
    /// This adapter.
    pub fn new(adapter: Arc<dyn Carrier>) -> RedactingCarrier {
        RedactingCarrier(adapter)
    }
}

fn redacted<T: Redact>(account: &Account, mut answer: T) -> T {
    answer.redact(&Redactor::new(account));
    answer
}

#[async_trait]
impl Carrier for RedactingCarrier {
    fn code(&self) -> &'static str {
        self.0.code()
    }

    fn lookup(&self, service_code: &str) -> Lookup {
        self.0.lookup(service_code)
    }

    fn check_account(&self, credentials: &Json, options: &Json) -> FieldErrors {
        self.0.check_account(credentials, options)
    }

    async fn verify_account(&self, account: &Account) -> Verdict {
        redacted(account, self.0.verify_account(account).await)
    }

    fn prepare(&self, plan: &Plan, options: &Json) -> Result<Prepared, FieldErrors> {
        self.0.prepare(plan, options)
    }

    async fn dial(&self, account: &Account) -> Result<Session, DialFailure> {
        let session = self.0.dial(account).await;
        if let Some(token) = session.as_ref().ok().and_then(|session| session.token.as_ref()) {
            account.issued.note(token);
        }
        redacted(account, session)
    }

    async fn book(
        &self,
        session: Session,
        account: &Account,
        prepared: Prepared,
        reference: &Reference,
        permit: Permit,
    ) -> Outcome {
        let booked = self.0.book(session, account, prepared, reference, permit);
        redacted(account, booked.await)
    }

    async fn find(&self, account: &Account, sought: &Sought) -> Found {
        redacted(account, self.0.find(account, sought).await)
    }

    async fn documents(&self, account: &Account, booking: &Booked) -> Result<CarrierFiles, Why> {
        redacted(account, self.0.documents(account, booking).await)
    }

    fn papers_again(&self, carrier_data: Option<&str>) -> PapersAgain {
        self.0.papers_again(carrier_data)
    }

    fn cancelling(&self) -> Option<&dyn Cancelling> {
        self.0.cancelling().map(|_| self as &dyn Cancelling)
    }

    fn tracking(&self) -> Option<&dyn Tracking> {
        self.0.tracking().map(|_| self as &dyn Tracking)
    }

    fn list_bookings(&self) -> Option<&dyn ListBookings> {
        self.0.list_bookings().map(|_| self as &dyn ListBookings)
    }

    fn service_points(&self) -> Option<&dyn ServicePoints> {
        self.0.service_points().map(|_| self as &dyn ServicePoints)
    }

    fn closing(&self) -> Option<&dyn Closing> {
        self.0.closing().map(|_| self as &dyn Closing)
    }

    fn pricing(&self) -> Option<&dyn Pricing> {
        self.0.pricing().map(|_| self as &dyn Pricing)
    }
}

#[async_trait]
impl ServicePoints for RedactingCarrier {
    fn countries(&self) -> &'static [&'static str] {
        self.0.service_points().expect(LACKING).countries()
    }

    async fn list(&self, account: &Account, country: Country) -> Result<Vec<Point>, CarrierError> {
        let points = self.0.service_points().expect(LACKING);
        redacted(account, points.list(account, country).await)
    }
}

#[async_trait]
impl Pricing for RedactingCarrier {
    async fn quote(
        &self,
        account: &Account,
        order: &Order,
        now: Time,
    ) -> Result<Option<Money>, CarrierError> {
        let pricing = self.0.pricing().expect(LACKING);
        redacted(account, pricing.quote(account, order, now).await)
    }
}

#[async_trait]
impl Cancelling for RedactingCarrier {
    async fn cancel(&self, account: &Account, booking: &Booked) -> Cancelled {
        let cancelling = self.0.cancelling().expect(LACKING);
        redacted(account, cancelling.cancel(account, booking).await)
    }

    fn refusal_is_certain(&self) -> bool {
        self.0.cancelling().expect(LACKING).refusal_is_certain()
    }
}

#[async_trait]
impl ListBookings for RedactingCarrier {
    async fn list_bookings(
        &self,
        account: &Account,
        since: Time,
    ) -> Result<Vec<CarrierBooking>, CarrierError> {
        let list = self.0.list_bookings().expect(LACKING);
        redacted(account, list.list_bookings(account, since).await)
    }
}

#[async_trait]
impl Closing for RedactingCarrier {
    async fn close(&self, account: &Account, day: &ClosingDay) -> Result<Vec<File>, CloseError> {
        let closing = self.0.closing().expect(LACKING);
        redacted(account, closing.close(account, day).await)
    }
}

#[async_trait]
impl Tracking for RedactingCarrier {
    fn pace(&self) -> Pace {
        self.0.tracking().expect(LACKING).pace()
    }

    fn batch_max(&self) -> usize {
        self.0.tracking().expect(LACKING).batch_max()
    }

    async fn track(
        &self,
        account: &Account,
        numbers: &[String],
    ) -> Result<Vec<NumberAnswer>, CarrierError> {
        let tracking = self.0.tracking().expect(LACKING);
        redacted(account, tracking.track(account, numbers).await)
    }

    fn parse_callback(
        &self,
        account: &Account,
        callback: &Callback<'_>,
    ) -> Result<Vec<NumberAnswer>, Refused> {
        let tracking = self.0.tracking().expect(LACKING);
        redacted(account, tracking.parse_callback(account, callback))
    }
}

#[cfg(test)]
mod tests {
    use waybill_outbound::Network;

    use super::*;
    use crate::registry::{CARRIERS, Connector};

    #[test]
    fn every_adapter_can_do_what_it_could_do_alone() {
        let network = Network::new().unwrap();
        for row in CARRIERS {
            let Some(open) = row.adapter else { continue };
            let alone = open(Connector::new(&network, None));
            let redacting = RedactingCarrier::new(alone.clone());
            let of = |carrier: &dyn Carrier| {
                let tracking = carrier.tracking().map(|it| (it.pace(), it.batch_max()));
                let cancelling = carrier.cancelling().map(Cancelling::refusal_is_certain);
                let points = carrier.service_points().map(|it| it.countries());
                let lists = carrier.list_bookings().is_some();
                let others = (lists, carrier.closing().is_some(), carrier.pricing().is_some());
                let looked_up = carrier.lookup("sandbox:no_lookup");
                let papers = carrier.papers_again(None);
                format!(
                    "{tracking:?} {cancelling:?} {points:?} {others:?} {looked_up:?} {papers:?}"
                )
            };
            assert_eq!((of(&redacting), redacting.code()), (of(&*alone), row.code));
        }
    }
}
