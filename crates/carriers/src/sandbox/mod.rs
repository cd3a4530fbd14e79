//! The sandbox carrier: a carrier of our own that behaves as badly as it is told to.
//!
//! This file alone sends; `wire` and `errors` turn orders into requests and replies into outcomes
//! without touching a connection. The other end, the carrier itself, is the crate
//! `waybill-sandbox`, of which nothing is known here.

mod errors;
mod track;
mod wire;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use hyper::header::CONTENT_TYPE;
use hyper::{Method, Request};
use waybill_domain::booking::{Permit, Reference};
use waybill_domain::country::Country;
use waybill_domain::fields::FieldErrors;
use waybill_domain::json::{Json, parse};
use waybill_domain::measure::Money;
use waybill_domain::point::Point;
use waybill_domain::shipment::Order;
use waybill_domain::time::Time;
use waybill_domain::tracking::Pace;
use waybill_outbound::Lines;
use waybill_outbound::line::SendError;
use waybill_outbound::line::{LABEL_BYTES_MAX, POINTS_BYTES_MAX, RESPONSE_BYTES_MAX, Response};

use crate::booking::{Booked, CarrierFiles, Found, Lookup, Outcome, Plan, Prepared, Sought, Why};
use crate::registry::Connector;
use crate::tracking::{Callback, NumberAnswer, Refused, Tracking};
use crate::urls::BaseUrl;
use crate::{
    Account, Cancelled, Cancelling, Carrier, CarrierBooking, CarrierError, DialFailure,
    ListBookings, Pricing, ServicePoints, Session,
};

/// A booking is found this long after the call, at the latest.
const SETTLE: Duration = Duration::from_secs(1);
/// The longest call to book.
const BOOK_TIME_MAX: Duration = Duration::from_secs(180);
/// The longest call of any other kind.
const ASK_TIME_MAX: Duration = Duration::from_secs(15);
/// Parcels that are asked about at once.
const TRACK_MAX: usize = 100;
/// Where the sandbox carrier is when nobody says otherwise: nowhere.
const NOWHERE: &str = "http://127.0.0.1:9";

/// Speaks to a sandbox carrier.
pub struct Sandbox {
    base: BaseUrl,
    lines: Lines,
}

/// The adapter, for the registry.
pub fn open(connector: Connector) -> Arc<dyn Carrier> {
    Arc::new(Sandbox { base: connector.main(NOWHERE), lines: connector.lines })
}

impl Sandbox {
    fn request(
        &self,
        method: Method,
        path: &str,
        body: Bytes,
    ) -> Result<Request<Bytes>, CarrierError> {
        Request::builder()
            .method(method)
            .uri(self.base.path(path))
            .header(CONTENT_TYPE, "application/json")
            .body(body)
            .map_err(|error| CarrierError::Unwritable(error.to_string()))
    }

    /// Asks for something that is harmless to ask for again.
    async fn ask(&self, method: Method, path: &str) -> Result<Response, CarrierError> {
        self.ask_with(method, path, Bytes::new(), RESPONSE_BYTES_MAX).await
    }

    async fn ask_with(
        &self,
        method: Method,
        path: &str,
        body: Bytes,
        bytes_max: usize,
    ) -> Result<Response, CarrierError> {
        let request = self.request(method, path, body)?;
        let line = self.lines.dial(self.base.uri()).await?;
        Ok(line.reading_up_to(bytes_max).send(request, ASK_TIME_MAX).await?)
    }
}

#[async_trait]
impl Carrier for Sandbox {
    fn code(&self) -> &'static str {
        "sandbox"
    }

    fn lookup(&self, service_code: &str) -> Lookup {
        match service_code {
            "sandbox:no_lookup" => Lookup::Never,
            "sandbox:idempotent" => Lookup::Idempotent,
            _ => Lookup::ByReference { settle: SETTLE, is_certain: false },
        }
    }

    fn prepare(&self, plan: &Plan, _options: &Json) -> Result<Prepared, FieldErrors> {
        Ok(Prepared {
            method: Method::POST,
            path: "/shipments".to_owned(),
            body: wire::booking(plan).to_string().into(),
            parcels: plan.order.parcels.len(),
            is_simulated_failure: wire::is_simulated_failure(&plan.order),
        })
    }

    async fn dial(&self, _account: &Account) -> Result<Session, DialFailure> {
        let line = self.lines.dial(self.base.uri()).await;
        line.map(Session::plain).map_err(|error| DialFailure::Unreachable(error.to_string().into()))
    }

    async fn book(
        &self,
        session: Session,
        _account: &Account,
        prepared: Prepared,
        reference: &Reference,
        _permit: Permit,
    ) -> Outcome {
        let request = match self.request(prepared.method, &prepared.path, prepared.body) {
            Ok(request) => request,
            Err(error) => return Outcome::NotSent(error.into()),
        };
        let line = session.line.reading_up_to(LABEL_BYTES_MAX);
        match line.send(request, BOOK_TIME_MAX).await {
            Ok(response) => errors::booked(&response, reference, prepared.parcels),
            Err(SendError::NotSent(reason)) => Outcome::NotSent(reason.into()),
            Err(SendError::Unclear(reason)) => Outcome::Unknown(reason.into()),
        }
    }

    async fn find(&self, _account: &Account, sought: &Sought) -> Found {
        let path = format!("/shipments?reference={}", wire::escape(sought.reference.as_str()));
        let asked = self.ask_with(Method::GET, &path, Bytes::new(), LABEL_BYTES_MAX).await;
        match asked {
            Ok(response) => errors::found(&response, &sought.reference),
            Err(error) => Found::Unknown(error.into()),
        }
    }

    async fn documents(&self, _account: &Account, booking: &Booked) -> Result<CarrierFiles, Why> {
        let id = wire::escape(&booking.carrier_reference);
        let format = booking.label.as_ref().map_or(wire::NO_FILE, |label| label.format.name());
        let path = format!("/shipments/{id}/documents?format={format}");
        let asked = self.ask_with(Method::GET, &path, Bytes::new(), LABEL_BYTES_MAX).await;
        errors::documents(&asked?, &booking.reference)
    }

    fn cancelling(&self) -> Option<&dyn Cancelling> {
        Some(self)
    }

    fn tracking(&self) -> Option<&dyn Tracking> {
        Some(self)
    }

    fn list_bookings(&self) -> Option<&dyn ListBookings> {
        Some(self)
    }

    fn service_points(&self) -> Option<&dyn ServicePoints> {
        Some(self)
    }

    fn pricing(&self) -> Option<&dyn Pricing> {
        Some(self)
    }
}

#[async_trait]
impl ListBookings for Sandbox {
    async fn list_bookings(
        &self,
        _account: &Account,
        since: Time,
    ) -> Result<Vec<CarrierBooking>, CarrierError> {
        let (mut bookings, mut after) = (Vec::new(), String::new());
        loop {
            let since = wire::escape(&since.to_string());
            let path = format!("/shipments?since={since}&after={}", wire::escape(&after));
            let page = errors::listed(&self.ask(Method::GET, &path).await?)?;
            bookings.extend(page.bookings);
            let Some(next) = page.next else { return Ok(bookings) };
            after = next;
        }
    }
}

#[async_trait]
impl ServicePoints for Sandbox {
    fn countries(&self) -> &'static [&'static str] {
        &["DK", "SE", "NO", "FI", "DE"]
    }

    async fn list(&self, _account: &Account, country: Country) -> Result<Vec<Point>, CarrierError> {
        let path = format!("/service-points?country={country}");
        let asked = self.ask_with(Method::GET, &path, Bytes::new(), POINTS_BYTES_MAX).await;
        errors::points(&asked?)
    }
}

#[async_trait]
impl Pricing for Sandbox {
    async fn quote(
        &self,
        _: &Account,
        order: &Order,
        _: Time,
    ) -> Result<Option<Money>, CarrierError> {
        let body = wire::question(order).to_string().into();
        let asked = self.ask_with(Method::POST, "/quotes", body, RESPONSE_BYTES_MAX).await;
        errors::price(&asked?)
    }
}

#[async_trait]
impl Cancelling for Sandbox {
    async fn cancel(&self, _account: &Account, booking: &Booked) -> Cancelled {
        let path = format!("/shipments/{}/cancel", wire::escape(&booking.carrier_reference));
        match self.ask(Method::POST, &path).await {
            Ok(response) => errors::cancelled(&response, &booking.reference),
            Err(error) => error.into(),
        }
    }
}

#[async_trait]
impl Tracking for Sandbox {
    fn pace(&self) -> Pace {
        track::PACE
    }

    fn batch_max(&self) -> usize {
        TRACK_MAX
    }

    async fn track(
        &self,
        _: &Account,
        numbers: &[String],
    ) -> Result<Vec<NumberAnswer>, CarrierError> {
        let numbers: Vec<String> = numbers.iter().map(|number| wire::escape(number)).collect();
        let path = format!("/tracking?numbers={}", numbers.join(","));
        errors::tracked(&self.ask(Method::GET, &path).await?)
    }

    fn parse_callback(
        &self,
        account: &Account,
        callback: &Callback<'_>,
    ) -> Result<Vec<NumberAnswer>, Refused> {
        if !track::is_signed(account, callback.headers, callback.body) {
            return Err(Refused::Unauthenticated);
        }
        let body = parse(callback.body).ok().and_then(|body| track::answers(&body));
        body.ok_or(Refused::Unreadable)
    }
}
