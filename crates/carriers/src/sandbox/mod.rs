//! The sandbox carrier: a carrier of our own that behaves as badly as it is told to.
//!
//! This file alone sends; `wire` and `errors` turn orders into requests and replies into outcomes
//! without touching a connection. The other end, the carrier itself, is the crate
//! `waybill-sandbox`, of which nothing is known here.

mod errors;
mod track;
mod wire;

use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use hyper::header::CONTENT_TYPE;
use hyper::{Method, Request, Uri};
use waybill_domain::booking::{Permit, Reference};
use waybill_domain::country::Country;
use waybill_domain::document::Format;
use waybill_domain::json::{Json, parse};
use waybill_domain::measure::Money;
use waybill_domain::point::Point;
use waybill_domain::time::Time;
use waybill_domain::tracking::{Pace, Snapshot};
use waybill_outbound::line::{LABEL_BYTES_MAX, Response, SendError};
use waybill_outbound::{Line, Lines, Network};

use crate::call::{CarrierFiles, Found, Lookup, Outcome, Why};
use crate::tracking::{Callback, Refused, Tracking};
use crate::{
    Account, Booked, Cancelled, Cancelling, Carrier, CarrierBooking, ListBookings, Plan, Pricing,
    ServicePoints,
};

/// A booking is found this long after the call, at the latest.
const SETTLE: Duration = Duration::from_secs(1);
/// The longest call to book.
const BOOK_TIME_MAX: Duration = Duration::from_secs(180);
/// The longest call of any other kind.
const ASK_TIME_MAX: Duration = Duration::from_secs(15);
/// Parcels that are asked about at once.
const FOLLOW_MAX: usize = 100;
/// The service that cannot be asked afterwards.
const BLIND_SERVICE: &str = "sandbox:no_lookup";

/// Speaks to a sandbox carrier.
pub struct Sandbox {
    base: Uri,
    lines: Lines,
}

impl Sandbox {
    /// The sandbox carrier at this address, such as `http://127.0.0.1:8090`.
    pub fn new(network: Network, base_url: &str) -> Result<Sandbox, String> {
        let base: Uri = base_url.parse().map_err(|error| format!("{base_url}: {error}"))?;
        if base.scheme_str() != Some("http") || base.authority().is_none() || base.query().is_some()
        {
            return Err(format!("{base_url} is not an address like http://127.0.0.1:8090"));
        }
        Ok(Sandbox { base, lines: Lines::new(network) })
    }

    fn request(&self, method: Method, path: &str, body: String) -> Result<Request<Bytes>, String> {
        Request::builder()
            .method(method)
            .uri(format!("{}{path}", self.base.path().trim_end_matches('/')))
            .header(CONTENT_TYPE, "application/json")
            .body(Bytes::from(body))
            .map_err(|error| error.to_string())
    }

    /// Asks for something that is harmless to ask for again.
    async fn ask(&self, method: Method, path: &str) -> Result<Response, String> {
        self.ask_with(method, path, String::new()).await
    }

    async fn ask_with(&self, method: Method, path: &str, body: String) -> Result<Response, String> {
        let request = self.request(method, path, body)?;
        let line = self.lines.dial(&self.base).await.map_err(|error| error.to_string())?;
        line.send(request, ASK_TIME_MAX).await.map_err(|error| error.to_string())
    }
}

#[async_trait]
impl Carrier for Sandbox {
    fn code(&self) -> &'static str {
        "sandbox"
    }

    fn lookup(&self, service_code: &str) -> Lookup {
        if service_code == BLIND_SERVICE {
            Lookup::Never
        } else {
            Lookup::ByReference { settle: SETTLE }
        }
    }

    fn call_time_max(&self) -> Duration {
        BOOK_TIME_MAX
    }

    async fn dial(&self, _account: &Account) -> Result<Line, String> {
        self.lines.dial(&self.base).await.map_err(|error| error.to_string())
    }

    async fn book(&self, line: Line, _account: &Account, plan: &Plan, _permit: Permit) -> Outcome {
        let (body, parcels) = match wire::booking(plan) {
            Ok(booking) => booking,
            Err(complaints) => return Outcome::Rejected(complaints),
        };
        let request = match self.request(Method::POST, "/shipments", body.to_string()) {
            Ok(request) => request,
            Err(words) => return Outcome::NotSent(words.into()),
        };
        match line.reading_up_to(LABEL_BYTES_MAX).send(request, BOOK_TIME_MAX).await {
            Ok(response) => errors::booked(&response, &plan.reference, parcels),
            Err(SendError::NotSent(words)) => Outcome::NotSent(words.into()),
            Err(SendError::Unclear(words)) => Outcome::Unknown(words.into()),
        }
    }

    async fn find(&self, _account: &Account, reference: &Reference) -> Found {
        let path = format!("/shipments?reference={}", wire::escape(reference.as_str()));
        match self.ask(Method::GET, &path).await {
            Ok(response) => errors::found(&response, reference),
            Err(words) => Found::Unknown(words.into()),
        }
    }

    async fn documents(&self, _account: &Account, booking: &Booked) -> Result<CarrierFiles, Why> {
        let id = wire::escape(&booking.carrier_reference);
        let format = booking.label_format.map_or(wire::NO_FILE, Format::name);
        let path = format!("/shipments/{id}/documents?format={format}");
        let response = self.ask(Method::GET, &path).await?;
        errors::documents(&response, &booking.reference)
    }

    // `sim:drop` may leave no answer in which the sandbox could say so.
    fn is_rehearsed(&self, reference: Option<&str>) -> bool {
        reference.unwrap_or_default().split_whitespace().any(|word| word.starts_with("sim:"))
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
    ) -> Result<Vec<CarrierBooking>, String> {
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

    async fn list(&self, _account: &Account, country: Country) -> Result<Vec<Point>, String> {
        let response = self.ask(Method::GET, &format!("/service-points?country={country}")).await?;
        errors::points(&response)
    }
}

#[async_trait]
impl Pricing for Sandbox {
    async fn quote(&self, _account: &Account, order: &Json) -> Result<Option<Money>, String> {
        let body = wire::question(order).to_string();
        let response = self.ask_with(Method::POST, "/quotes", body).await?;
        errors::price(&response)
    }
}

#[async_trait]
impl Cancelling for Sandbox {
    async fn cancel(&self, _account: &Account, booking: &Booked) -> Cancelled {
        let path = format!("/shipments/{}/cancel", wire::escape(&booking.carrier_reference));
        match self.ask(Method::POST, &path).await {
            Ok(response) => errors::cancelled(&response, &booking.reference),
            Err(words) => Cancelled::Unknown(words),
        }
    }
}

#[async_trait]
impl Tracking for Sandbox {
    fn pace(&self, reference: Option<&str>) -> Pace {
        track::pace(reference)
    }

    fn batch_max(&self) -> usize {
        FOLLOW_MAX
    }

    async fn track(&self, _: &Account, numbers: &[String]) -> Result<Vec<Snapshot>, String> {
        let numbers: Vec<String> = numbers.iter().map(|number| wire::escape(number)).collect();
        let path = format!("/tracking?numbers={}", numbers.join(","));
        let response = self.ask(Method::GET, &path).await?;
        errors::followed(&response)
    }

    fn parse_webhook(
        &self,
        account: &Account,
        callback: &Callback<'_>,
    ) -> Result<Vec<Snapshot>, Refused> {
        if !track::is_signed(account, callback.headers, callback.body) {
            return Err(Refused::Unauthenticated);
        }
        let body = parse(callback.body).ok().and_then(|body| track::snapshots(&body));
        body.ok_or(Refused::Unreadable)
    }
}
