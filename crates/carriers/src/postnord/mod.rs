//! PostNord, in Denmark, Sweden, Norway and Finland: JSON, with a key in each query.
//!
//! Labels come with the booking, and again by the names that it gave them. Tracking knows a booking
//! by our reference, a while later. There is no way to cancel: nothing is invoiced before a parcel
//! is handed over, so a booking that is not wanted any more is left alone.

mod account;
mod amounts;
mod answers;
mod customs;
mod find;
mod kept;
mod labels;
mod parties;
mod points;
mod services;
mod track;
mod uncertain;
mod verify;
mod wire;

use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use hyper::header::{ACCEPT, CONTENT_TYPE};
use hyper::{Method, Request};
use waybill_domain::booking::{Permit, Reference};
use waybill_domain::country::Country;
use waybill_domain::fields::FieldErrors;
use waybill_domain::json::Json;
use waybill_domain::point::Point;
use waybill_domain::tracking::Pace;
use waybill_outbound::Lines;
use waybill_outbound::line::{
    LABEL_BYTES_MAX, POINTS_BYTES_MAX, RESPONSE_BYTES_MAX, Response, SendError,
};

use crate::answers::Timeouts;
use crate::booking::{Booked, CarrierFiles, Found, Lookup, Outcome, Plan, Prepared, Sought, Why};
use crate::environment::Hosts;
use crate::members::text;
use crate::registry::Connector;
use crate::texts::escape;
use crate::throttle::Throttle;
use crate::tracking::{Callback, NumberAnswer, Refused, Tracking, put_off};
use crate::{
    Account, Cancelled, Cancelling, Carrier, CarrierError, DialFailure, ServicePoints, Session,
    Verdict,
};
use account::Options;
use kept::Kept;

const HOST: &str = "https://api2.postnord.com";
const TEST_HOST: &str = "https://atapi2.postnord.com";
/// Parcels that are asked about in turn.
const TRACK_MAX: usize = 10;
const JSON: &str = "application/json";

/// Speaks to PostNord.
pub struct PostNord {
    hosts: Hosts,
    lines: Lines,
    timeouts: Timeouts,
    throttle: Throttle,
}

/// The adapter, for the registry.
pub fn open(connector: Connector) -> Arc<dyn Carrier> {
    Arc::new(PostNord {
        hosts: Hosts::new(&connector, HOST, TEST_HOST),
        timeouts: connector.timeouts,
        throttle: Throttle::new(uncertain::TRACKING_CALLS_PER_SECOND),
        lines: connector.lines,
    })
}

impl PostNord {
    /// A request with the account's key, which stands in the query.
    fn request(
        &self,
        account: &Account,
        method: Method,
        path: &str,
        body: Bytes,
    ) -> Result<Request<Bytes>, CarrierError> {
        let key = text(account.credentials.expose(), "api_key").unwrap_or_default();
        let path = format!("{path}&apikey={}", escape(key));
        let mut request = Request::builder().method(method).header(ACCEPT, JSON);
        if !body.is_empty() {
            request = request.header(CONTENT_TYPE, JSON);
        }
        let uri = self.hosts.of(&account.options).path(&path);
        let request = request.uri(uri).body(body);
        request.map_err(|error| CarrierError::Unwritable(error.to_string()))
    }

    /// Asks for something that is harmless to ask for again.
    async fn ask(
        &self,
        account: &Account,
        path: &str,
        bytes_max: usize,
    ) -> Result<Response, CarrierError> {
        self.send(account, self.request(account, Method::GET, path, Bytes::new())?, bytes_max).await
    }

    async fn send(
        &self,
        account: &Account,
        request: Request<Bytes>,
        bytes_max: usize,
    ) -> Result<Response, CarrierError> {
        let line = self.lines.dial(self.hosts.of(&account.options).uri()).await?;
        Ok(line.reading_up_to(bytes_max).send(request, self.timeouts.ask).await?)
    }
}

#[async_trait]
impl Carrier for PostNord {
    fn code(&self) -> &'static str {
        "postnord"
    }

    fn lookup(&self, _service_code: &str) -> Lookup {
        Lookup::ByReference { settle: uncertain::SETTLE, is_certain: false }
    }

    fn check_account(&self, credentials: &Json, options: &Json) -> FieldErrors {
        account::check(credentials, options)
    }

    async fn verify_account(&self, account: &Account) -> Verdict {
        let path = verify::path(Options(&account.options));
        match self.ask(account, &path, RESPONSE_BYTES_MAX).await {
            Ok(response) => verify::verdict(&response),
            Err(error) => Verdict::Unknown(error.into()),
        }
    }

    fn prepare(&self, plan: &Plan, options: &Json) -> Result<Prepared, FieldErrors> {
        let booking = wire::booking(plan, Options(options))?;
        Ok(Prepared {
            method: Method::POST,
            path: booking.path,
            body: booking.body.to_string().into(),
            parcels: plan.order.parcels.len(),
            is_simulated_failure: false,
        })
    }

    async fn dial(&self, account: &Account) -> Result<Session, DialFailure> {
        let line = self.lines.dial(self.hosts.of(&account.options).uri()).await;
        line.map(Session::plain).map_err(|error| DialFailure::Unreachable(error.to_string().into()))
    }

    async fn book(
        &self,
        session: Session,
        account: &Account,
        prepared: Prepared,
        reference: &Reference,
        _permit: Permit,
    ) -> Outcome {
        let request = self.request(account, prepared.method, &prepared.path, prepared.body);
        let request = match request {
            Ok(request) => request,
            Err(error) => return Outcome::NotSent(error.into()),
        };
        let line = session.line.reading_up_to(LABEL_BYTES_MAX);
        match line.send(request, self.timeouts.book).await {
            Ok(response) => {
                let sent = answers::Sent {
                    reference: reference.as_str(),
                    parcels: prepared.parcels,
                    options: Options(&account.options),
                    format: wire::format_of(&prepared.path),
                    locale: wire::locale_of(&prepared.path),
                };
                answers::booked(&response, &sent)
            }
            Err(SendError::NotSent(reason)) => Outcome::NotSent(reason.into()),
            Err(SendError::Unclear(reason)) => Outcome::Unknown(reason.into()),
        }
    }

    async fn find(&self, account: &Account, sought: &Sought) -> Found {
        let (options, reference) = (Options(&account.options), sought.reference.as_str());
        let path = find::path(reference, options);
        match self.ask(account, &path, RESPONSE_BYTES_MAX).await {
            Ok(response) => find::found(&response, reference, &sought.order, options),
            Err(error) => Found::Unknown(error.into()),
        }
    }

    async fn documents(&self, account: &Account, booking: &Booked) -> Result<CarrierFiles, Why> {
        let options = Options(&account.options);
        let kept = Kept::of(booking);
        let path = wire::labels_path(booking.label.as_ref(), kept.locale.as_deref());
        let body = labels::request(booking, kept, options).to_string().into();
        let request = self.request(account, Method::POST, &path, body)?;
        let response = self.send(account, request, LABEL_BYTES_MAX).await?;
        labels::again(&response, booking, options)
    }

    fn cancelling(&self) -> Option<&dyn Cancelling> {
        Some(self)
    }

    fn tracking(&self) -> Option<&dyn Tracking> {
        Some(self)
    }

    fn service_points(&self) -> Option<&dyn ServicePoints> {
        Some(self)
    }
}

#[async_trait]
impl Cancelling for PostNord {
    /// PostNord cannot be told: a message that deletes a booking books it again. What is never
    /// handed over is never invoiced.
    async fn cancel(&self, _account: &Account, _booking: &Booked) -> Cancelled {
        Cancelled::Done
    }
}

#[async_trait]
impl Tracking for PostNord {
    fn pace(&self) -> Pace {
        track::PACE
    }

    fn batch_max(&self) -> usize {
        TRACK_MAX
    }

    async fn track(
        &self,
        account: &Account,
        numbers: &[String],
    ) -> Result<Vec<NumberAnswer>, CarrierError> {
        let mut heard = Vec::new();
        for (place, number) in numbers.iter().enumerate() {
            self.throttle.wait(account).await;
            let asked = self.ask(account, &track::path(number), RESPONSE_BYTES_MAX).await;
            match asked.and_then(|response| track::answer(&response, number)) {
                Ok(answer) => heard.extend(answer.map(|answer| (number.clone(), answer))),
                Err(error) => return put_off(heard, &numbers[place..], error),
            }
        }
        Ok(heard)
    }

    fn parse_callback(&self, _: &Account, _: &Callback<'_>) -> Result<Vec<NumberAnswer>, Refused> {
        Err(Refused::Unauthenticated)
    }
}

#[async_trait]
impl ServicePoints for PostNord {
    fn countries(&self) -> &'static [&'static str] {
        points::COUNTRIES
    }

    async fn list(&self, account: &Account, country: Country) -> Result<Vec<Point>, CarrierError> {
        let mut all = Vec::new();
        for page in 1..=points::PAGES_MAX {
            let path = points::path(country, Options(&account.options).country(), page);
            let response = self.ask(account, &path, POINTS_BYTES_MAX).await?;
            let (found, pages) = points::page(&response, country)?;
            all.extend(found);
            if page >= pages {
                return Ok(all);
            }
        }
        Err(CarrierError::Unreadable("a list of service points without an end"))
    }
}
