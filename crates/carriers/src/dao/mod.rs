//! dao, in Denmark: everything stands in the query, and every answer has status 200.
//!
//! It cannot be asked what became of a booking, so an unclear answer is never followed by another
//! one. A shipment's own reference has no field: `faktura` holds ours, because it must be unique.

mod account;
mod errors;
mod points;
mod track;
mod uncertain;
mod wire;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use hyper::{Method, Request};
use waybill_domain::booking::{Permit, Reference};
use waybill_domain::country::Country;
use waybill_domain::document::{DocumentType, Format};
use waybill_domain::fields::FieldErrors;
use waybill_domain::json::Json;
use waybill_domain::point::Point;
use waybill_domain::tracking::{Pace, TrackingAnswer};
use waybill_outbound::Lines;
use waybill_outbound::line::{
    LABEL_BYTES_MAX, POINTS_BYTES_MAX, RESPONSE_BYTES_MAX, Response, SendError,
};

use crate::answers::Timeouts;
use crate::booking::{
    Booked, CarrierFiles, File, Found, Lookup, Outcome, Plan, Prepared, Sought, Why,
};
use crate::registry::Connector;
use crate::texts::escape;
use crate::throttle::Throttle;
use crate::tracking::{Callback, NumberAnswer, Refused, Tracking, put_off};
use crate::urls::BaseUrl;
use crate::{
    Account, Cancelled, Cancelling, Carrier, CarrierError, DialFailure, ServicePoints, Session,
    Verdict,
};

const HOST: &str = "https://api.dao.as";
/// It publishes no limit; this is little enough.
const CALLS_A_SECOND_MAX: usize = 5;
/// Parcels that are asked about in turn.
const TRACK_MAX: usize = 10;
const PACE: Pace = Pace {
    first: Duration::from_mins(1),
    shortest: Duration::from_mins(15),
    longest: Duration::from_hours(6),
};

/// Speaks to dao.
pub struct Dao {
    base: BaseUrl,
    lines: Lines,
    timeouts: Timeouts,
    throttle: Throttle,
}

/// The adapter, for the registry.
pub fn open(connector: Connector) -> Arc<dyn Carrier> {
    Arc::new(Dao {
        base: connector.main(HOST),
        timeouts: connector.timeouts,
        throttle: Throttle::new(CALLS_A_SECOND_MAX),
        lines: connector.lines,
    })
}

impl Dao {
    fn request(&self, account: &Account, path: &str) -> Result<Request<Bytes>, CarrierError> {
        let path = wire::signed(path, account.credentials.expose());
        Request::builder()
            .method(Method::GET)
            .uri(self.base.path(&path))
            .body(Bytes::new())
            .map_err(|error| CarrierError::Unwritable(error.to_string()))
    }

    /// Asks for something that is harmless to ask for again.
    async fn ask(&self, account: &Account, path: &str) -> Result<Response, CarrierError> {
        self.ask_for(account, path, RESPONSE_BYTES_MAX).await
    }

    async fn ask_for(
        &self,
        account: &Account,
        path: &str,
        bytes_max: usize,
    ) -> Result<Response, CarrierError> {
        let request = self.request(account, path)?;
        self.throttle.wait(account).await;
        let line = self.lines.dial(self.base.uri()).await?;
        Ok(line.reading_up_to(bytes_max).send(request, self.timeouts.ask).await?)
    }

    async fn track_one(
        &self,
        account: &Account,
        number: &str,
    ) -> Result<Option<TrackingAnswer>, CarrierError> {
        let path = format!("/TrackNTrace_v2.php?stregkode={}&sprog=EN", escape(number));
        let result = errors::answered(&self.ask(account, &path).await?)?;
        Ok(result.as_ref().and_then(track::answer))
    }
}

#[async_trait]
impl Carrier for Dao {
    fn code(&self) -> &'static str {
        "dao"
    }

    fn lookup(&self, _service_code: &str) -> Lookup {
        Lookup::Never
    }

    fn check_account(&self, credentials: &Json, options: &Json) -> FieldErrors {
        account::check(credentials, options)
    }

    async fn verify_account(&self, account: &Account) -> Verdict {
        match self.ask(account, "/FejlKoder.php").await {
            Ok(response) => errors::verified(&response),
            Err(error) => Verdict::Unknown(error.into()),
        }
    }

    fn prepare(&self, plan: &Plan, options: &Json) -> Result<Prepared, FieldErrors> {
        Ok(Prepared {
            method: Method::GET,
            path: wire::booking(plan, options)?,
            body: Bytes::new(),
            parcels: 1,
            is_simulated_failure: false,
        })
    }

    async fn dial(&self, account: &Account) -> Result<Session, DialFailure> {
        self.throttle.wait(account).await;
        let line = self.lines.dial(self.base.uri()).await;
        line.map(Session::plain).map_err(|error| DialFailure::Unreachable(error.to_string().into()))
    }

    async fn book(
        &self,
        session: Session,
        account: &Account,
        prepared: Prepared,
        _reference: &Reference,
        _permit: Permit,
    ) -> Outcome {
        let request = match self.request(account, &prepared.path) {
            Ok(request) => request,
            Err(error) => return Outcome::NotSent(error.into()),
        };
        let line = session.line.reading_up_to(LABEL_BYTES_MAX);
        match line.send(request, self.timeouts.book).await {
            Ok(response) => errors::booked(&response),
            Err(SendError::NotSent(reason)) => Outcome::NotSent(reason.into()),
            Err(SendError::Unclear(reason)) => Outcome::Unknown(reason.into()),
        }
    }

    async fn find(&self, _account: &Account, _sought: &Sought) -> Found {
        Found::Unknown("dao cannot be asked about a reference".to_owned().into())
    }

    async fn documents(&self, account: &Account, booking: &Booked) -> Result<CarrierFiles, Why> {
        let size = booking.label.as_ref().map_or("100x150", |label| label.size.as_str());
        let paper = if size == "a4" { "A4Foldable" } else { "100x150" };
        let number = escape(&booking.carrier_reference);
        let path = format!("/HentLabel.php?stregkode={number}&papir={paper}");
        let response = self.ask_for(account, &path, LABEL_BYTES_MAX).await?;
        let label = File {
            types: vec![DocumentType::Label],
            format: Format::Pdf,
            bytes: errors::label(&response)?,
            parcel: Some(0),
            ordered_mm: None,
        };
        Ok(CarrierFiles { files: vec![label], ..CarrierFiles::default() })
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
impl Cancelling for Dao {
    async fn cancel(&self, account: &Account, booking: &Booked) -> Cancelled {
        let number = escape(&booking.carrier_reference);
        let asked = self.ask(account, &format!("/AnnullerePakke.php?stregkode={number}")).await;
        match asked {
            Ok(response) => errors::cancelled(&response),
            Err(error) => error.into(),
        }
    }

    // dao says FEJL of both, and its words for them are not known.
    fn refusal_is_certain(&self) -> bool {
        false
    }
}

#[async_trait]
impl Tracking for Dao {
    fn pace(&self) -> Pace {
        PACE
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
            match self.track_one(account, number).await {
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
impl ServicePoints for Dao {
    fn countries(&self) -> &'static [&'static str] {
        &["DK"]
    }

    async fn list(&self, account: &Account, country: Country) -> Result<Vec<Point>, CarrierError> {
        let response = self.ask_for(account, points::ALL, POINTS_BYTES_MAX).await?;
        points::shops(&errors::told(&response)?, country)
    }
}
