//! GLS, by its ShipIT: a token for each account, and errors that stand in headers.
//!
//! There is no question for a reference. A parcel is looked at by telling its weight unchanged, and
//! only what nobody has a label of is printed again (`look`). So labels that are not documents yet
//! are kept with the booking, and are never asked for again.

mod account;
mod answers;
mod cancel;
mod client;
mod closing;
mod created;
mod errors;
mod kept;
mod look;
mod plain;
mod points;
mod services;
mod track;
mod uncertain;
mod weights;
mod wire;

use std::sync::Arc;

use async_trait::async_trait;
use hyper::Method;
use waybill_domain::booking::{Permit, Reference};
use waybill_domain::country::Country;
use waybill_domain::fields::FieldErrors;
use waybill_domain::json::Json;
use waybill_domain::point::Point;
use waybill_domain::tracking::Pace;
use waybill_outbound::line::{LABEL_BYTES_MAX, SendError};

use crate::booking::{
    Booked, CarrierFiles, File, Found, Lookup, Outcome, PapersAgain, Plan, Prepared, Sought, Why,
};
use crate::closing::{CloseError, Closing, ClosingDay};
use crate::registry::Connector;
use crate::tracking::{Callback, NumberAnswer, Refused, Tracking};
use crate::{
    Account, Cancelled, Cancelling, Carrier, CarrierError, DialFailure, ServicePoints, Session,
    Verdict,
};
use account::Options;
use client::{Call, Client};
use kept::Kept;

/// Parcels that are asked about at once.
const TRACK_MAX: usize = 10;

/// Speaks to GLS.
pub struct Gls {
    client: Client,
}

/// The adapter, for the registry.
pub fn open(connector: Connector) -> Arc<dyn Carrier> {
    Arc::new(Gls { client: Client::new(connector) })
}

#[async_trait]
impl Carrier for Gls {
    fn code(&self) -> &'static str {
        "gls"
    }

    fn lookup(&self, _service_code: &str) -> Lookup {
        Lookup::ByReference { settle: uncertain::SETTLE, is_certain: false }
    }

    fn check_account(&self, credentials: &Json, options: &Json) -> FieldErrors {
        account::check(credentials, options)
    }

    async fn verify_account(&self, account: &Account) -> Verdict {
        match self.client.token(account).await {
            Ok(_) => Verdict::Good,
            Err(DialFailure::AccessDenied(why)) => Verdict::Refused(why),
            Err(DialFailure::Unreachable(why)) => Verdict::Unknown(why),
        }
    }

    fn prepare(&self, plan: &Plan, options: &Json) -> Result<Prepared, FieldErrors> {
        Ok(Prepared {
            method: Method::POST,
            path: format!("{}/shipments", wire::BASE),
            body: wire::booking(plan, Options(options))?.to_string().into(),
            parcels: plan.order.parcels.len(),
            is_simulated_failure: false,
        })
    }

    async fn dial(&self, account: &Account) -> Result<Session, DialFailure> {
        self.client.dial(account).await
    }

    async fn book(
        &self,
        session: Session,
        account: &Account,
        prepared: Prepared,
        reference: &Reference,
        _permit: Permit,
    ) -> Outcome {
        let Some(token) = session.token.clone() else {
            return Outcome::NotSent("there is no token".to_owned().into());
        };
        let call =
            Call { body: prepared.body.clone(), ..Call::post(prepared.path.clone(), &Json::Null) };
        let request = match self.client.request(account, &token, &call) {
            Ok(request) => request,
            Err(error) => return Outcome::NotSent(error.into()),
        };
        let line = session.line.reading_up_to(LABEL_BYTES_MAX);
        let response = match line.send(request, self.client.timeouts.book).await {
            Ok(response) => response,
            Err(SendError::NotSent(reason)) => return Outcome::NotSent(reason.into()),
            Err(SendError::Unclear(reason)) => return Outcome::Unknown(reason.into()),
        };
        if response.status.as_u16() != 401 {
            self.client.tokens.accepted(account);
            return answers::booked(&response, &prepared, reference.as_str());
        }
        let why = errors::why(&response);
        match self.client.tokens.refused(account, &token).await {
            true => Outcome::AccessDenied(why),
            false => Outcome::NotSent(why),
        }
    }

    async fn find(&self, account: &Account, sought: &Sought) -> Found {
        look::find(&self.client, account, sought).await
    }

    async fn documents(&self, _account: &Account, booking: &Booked) -> Result<CarrierFiles, Why> {
        let kept = Kept::of(booking);
        let taken = booking.tracking_numbers.iter().enumerate();
        let places: Vec<usize> =
            taken.filter(|(_, number)| number.is_some()).map(|(place, _)| place).collect();
        let format = answers::format(booking.label.as_ref());
        let files = created::files(&kept.print_data, format, &places);
        match files.is_empty() {
            true => Err(Why::from("GLS sent no labels that can be read".to_owned())),
            false => Ok(files),
        }
    }

    fn papers_again(&self, carrier_data: Option<&str>) -> PapersAgain {
        let has_labels = !Kept::read(carrier_data).print_data.is_empty();
        if has_labels { PapersAgain::Kept } else { PapersAgain::Lost }
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

    fn closing(&self) -> Option<&dyn Closing> {
        Some(self)
    }
}

#[async_trait]
impl Cancelling for Gls {
    async fn cancel(&self, account: &Account, booking: &Booked) -> Cancelled {
        cancel::cancel(&self.client, account, booking).await
    }
}

#[async_trait]
impl Closing for Gls {
    async fn close(&self, account: &Account, day: &ClosingDay) -> Result<Vec<File>, CloseError> {
        closing::close(&self.client, account, day).await.map(|()| Vec::new())
    }
}

#[async_trait]
impl Tracking for Gls {
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
        track::answers(&self.client.ask(account, Call::get(track::path(numbers))).await?)
    }

    fn parse_callback(&self, _: &Account, _: &Callback<'_>) -> Result<Vec<NumberAnswer>, Refused> {
        Err(Refused::Unauthenticated)
    }
}

#[async_trait]
impl ServicePoints for Gls {
    fn countries(&self) -> &'static [&'static str] {
        points::COUNTRIES
    }

    async fn list(&self, account: &Account, country: Country) -> Result<Vec<Point>, CarrierError> {
        let call = points::call(country, self.client.timeouts.ask);
        points::points(&self.client.ask(account, call).await?, country)
    }
}
