//! Bring and Posten Norge.
//!
//! There is no host for trying things out: a header says that a booking is not meant. A label comes
//! by a link that only the answer to the booking has, so it is kept. A booking cannot be cancelled.

mod abilities;
mod account;
mod addons;
mod customs;
mod errors;
mod points;
mod price;
mod routes;
mod services;
mod track;
mod uncertain;
mod wire;

use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use hyper::header::{ACCEPT, CONTENT_TYPE};
use hyper::{Method, Request};
use waybill_domain::booking::{Permit, Reference};
use waybill_domain::catalog::customs::is_declared;
use waybill_domain::document::{DocumentType, Format};
use waybill_domain::fields::FieldErrors;
use waybill_domain::json::Json;
use waybill_domain::shipment::Order;
use waybill_outbound::Lines;
use waybill_outbound::line::{LABEL_BYTES_MAX, RESPONSE_BYTES_MAX, Response, SendError};

use crate::answers::Timeouts;
use crate::booking::{
    Booked, CarrierFiles, Complaint, File, Found, Lookup, Outcome, PapersAgain, Plan, Prepared,
    Sought, Why,
};
use crate::ends::Ends;
use crate::environment::Environment;
use crate::links::Links;
use crate::registry::Connector;
use crate::texts::escape;
use crate::tracking::Tracking;
use crate::urls::BaseUrl;
use crate::{
    Account, Cancelling, Carrier, CarrierError, DialFailure, Pricing, ServicePoints, Session,
    Verdict,
};
use account::Options;

const HOST: &str = "https://api.bring.com";
const JSON: &str = "application/json";
const TEST_INDICATOR: &str = "x-bring-test-indicator";
const NO_LABEL: &str = "Bring links to a label in its answer to a booking alone, and there is no \
    such link. Print the label in Mybring, https://www.mybring.com, under the tracking number.";

/// Speaks to Bring.
pub struct Bring {
    base: BaseUrl,
    lines: Lines,
    links: Links,
    timeouts: Timeouts,
}

/// The adapter, for the registry.
pub fn open(connector: Connector) -> Arc<dyn Carrier> {
    Arc::new(Bring {
        base: connector.main(HOST),
        timeouts: connector.timeouts,
        lines: connector.lines,
        links: connector.links,
    })
}

impl Bring {
    fn request(
        &self,
        account: &Account,
        (method, path): (Method, &str),
        body: Bytes,
    ) -> Result<Request<Bytes>, CarrierError> {
        let unwritable = |reason: &str| CarrierError::Unwritable(reason.to_owned());
        let headers = account::headers(account);
        let headers = headers.ok_or_else(|| unwritable("the account lacks what lets us in"))?;
        let request = Request::builder().method(method).uri(self.base.path(path));
        let request = request.header(ACCEPT, JSON).header(CONTENT_TYPE, JSON).body(body);
        let mut request = request.map_err(|error| unwritable(&error.to_string()))?;
        request.headers_mut().extend(headers);
        Ok(request)
    }

    /// Asks for something that is harmless to ask for again.
    async fn ask(&self, account: &Account, path: &str) -> Result<Response, CarrierError> {
        self.ask_with(account, (Method::GET, path), Bytes::new(), RESPONSE_BYTES_MAX).await
    }

    async fn ask_with(
        &self,
        account: &Account,
        place: (Method, &str),
        body: Bytes,
        bytes_max: usize,
    ) -> Result<Response, CarrierError> {
        let request = self.request(account, place, body)?;
        let line = self.lines.dial(self.base.uri()).await?;
        Ok(line.reading_up_to(bytes_max).send(request, self.timeouts.ask).await?)
    }

    async fn search(&self, account: &Account, what: &str) -> Result<Response, CarrierError> {
        let path = format!("/tracking/api/v2/tracking.json?q={}&lang=en", escape(what));
        self.ask(account, &path).await
    }
}

/// Whether our reference stands where Bring looks for it.
fn is_searchable(order: &Order) -> bool {
    let service = order.delivery.service_code.as_str();
    let Ok(ends) = Ends::of(order, services::is_return(service)) else { return false };
    let Some(product) = services::product(service, &ends) else { return false };
    let declared = customs::declaration(order, &ends, &product, is_declared(order));
    !declared.is_some_and(|declared| declared.excludes_reference())
}

#[async_trait]
impl Carrier for Bring {
    fn code(&self) -> &'static str {
        "bring"
    }

    fn lookup(&self, _service_code: &str) -> Lookup {
        Lookup::ByReference { settle: uncertain::SETTLE, is_certain: false }
    }

    fn check_account(&self, credentials: &Json, options: &Json) -> FieldErrors {
        account::check(credentials, options)
    }

    async fn verify_account(&self, account: &Account) -> Verdict {
        match self.ask(account, "/booking/api/customers").await {
            Ok(response) => errors::verified(&response, Options(&account.options)),
            Err(error) => Verdict::Unknown(error.into()),
        }
    }

    fn prepare(&self, plan: &Plan, options: &Json) -> Result<Prepared, FieldErrors> {
        Ok(Prepared {
            method: Method::POST,
            path: "/booking/api/create".to_owned(),
            body: wire::booking(plan, options)?.to_string().into(),
            parcels: plan.order.parcels.len(),
            is_simulated_failure: false,
        })
    }

    async fn dial(&self, _account: &Account) -> Result<Session, DialFailure> {
        let line = self.lines.dial(self.base.uri()).await;
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
        let place = (prepared.method, prepared.path.as_str());
        let mut request = match self.request(account, place, prepared.body) {
            Ok(request) => request,
            Err(error) => return Outcome::NotSent(error.into()),
        };
        let is_test = Environment::of(&account.options).is_test();
        let indicator = if is_test { "true" } else { "false" };
        request.headers_mut().insert(TEST_INDICATOR, indicator.parse().expect("plain letters"));
        let line = session.line.reading_up_to(LABEL_BYTES_MAX);
        match line.send(request, self.timeouts.book).await {
            Ok(response) => errors::booked(&response, reference, prepared.parcels),
            Err(SendError::NotSent(reason)) => Outcome::NotSent(reason.into()),
            Err(SendError::Unclear(reason)) => Outcome::Unknown(reason.into()),
        }
    }

    async fn find(&self, account: &Account, sought: &Sought) -> Found {
        let (reference, parcels) = (&sought.reference, sought.order.parcels.len());
        match self.search(account, reference.as_str()).await {
            Ok(response) => {
                errors::found(&response, reference, parcels, is_searchable(&sought.order))
            }
            Err(error) => Found::Unknown(error.into()),
        }
    }

    async fn documents(&self, account: &Account, booking: &Booked) -> Result<CarrierFiles, Why> {
        let Some(link) = &booking.carrier_data else {
            let (path, code, message) = (None, None, NO_LABEL.to_owned());
            let said = vec![Complaint { path, code, message }];
            return Err(Why { reason: "no link to a label is kept".to_owned(), said });
        };
        let headers = account::headers(account).unwrap_or_default();
        let bytes = self.links.fetch(link, &self.base, &headers).await?;
        if !bytes.starts_with(b"%PDF") {
            return Err(Why::from("a link to something that is no label".to_owned()));
        }
        let label = File {
            types: vec![DocumentType::Label],
            format: Format::Pdf,
            bytes: bytes.into(),
            parcel: None,
            ordered_mm: None,
        };
        Ok(CarrierFiles { files: vec![label], ..CarrierFiles::default() })
    }

    // A booking that was looked up has no link.
    fn papers_again(&self, carrier_data: Option<&str>) -> PapersAgain {
        if carrier_data.is_some() { PapersAgain::Asked } else { PapersAgain::Lost }
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

    fn pricing(&self) -> Option<&dyn Pricing> {
        Some(self)
    }
}
