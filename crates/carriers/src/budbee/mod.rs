//! Budbee, a part of Instabee: boxes and doors in five countries.
//!
//! Which version of its interface is meant stands in `Content-Type`, also where there is no body.
//! It cannot be polled: it tells by itself what becomes of parcels. Its labels are behind links
//! that let in whoever has them.

mod abilities;
mod account;
mod data;
mod errors;
mod points;
mod track;
mod uncertain;
mod wire;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap};
use hyper::{Method, Request};
use tokio::time::{Instant, timeout_at};
use waybill_domain::booking::{Permit, Reference};
use waybill_domain::document::{DocumentType, Format};
use waybill_domain::fields::FieldErrors;
use waybill_domain::json::Json;
use waybill_outbound::Lines;
use waybill_outbound::line::{LABEL_BYTES_MAX, RESPONSE_BYTES_MAX, Response, SendError};

use crate::answers::Timeouts;
use crate::booking::{
    Booked, CarrierFiles, File, Found, Lookup, Outcome, Plan, Prepared, Sought, Why,
};
use crate::environment::Hosts;
use crate::links::Links;
use crate::registry::Connector;
use crate::texts::escape;
use crate::tracking::Tracking;
use crate::{
    Account, Cancelling, Carrier, CarrierError, DialFailure, ServicePoints, Session, Verdict,
};
use data::Kept;
use errors::Searched;

const HOST: &str = "https://api.budbee.com";
const TEST_HOST: &str = "https://api.staging.budbee.com";
const SETTLE: Duration = Duration::from_secs(60);
/// The longest that papers wait for the links of their parcels, all together.
const LINKS_TIME_MAX: Duration = Duration::from_secs(2);
const ORDERS: &str = "application/vnd.budbee.multiple.orders-v2+json";
const OLD_ORDERS: &str = "application/vnd.budbee.multiple.orders-v1+json";
const PARCELS: &str = "application/vnd.budbee.parcels-v1+json";
const POSTAL_CODES: &str = "application/vnd.budbee.postalcodes-v2+json";

/// Speaks to Budbee.
pub struct Budbee {
    hosts: Hosts,
    lines: Lines,
    links: Links,
    timeouts: Timeouts,
}

/// The adapter, for the registry.
pub fn open(connector: Connector) -> Arc<dyn Carrier> {
    Arc::new(Budbee {
        hosts: Hosts::new(&connector, HOST, TEST_HOST),
        timeouts: connector.timeouts,
        lines: connector.lines,
        links: connector.links,
    })
}

/// A question, and how much is read of its answer.
struct Question<'a> {
    method: Method,
    path: &'a str,
    content_type: &'static str,
    bytes_max: usize,
}

impl Question<'_> {
    fn get<'a>(path: &'a str, content_type: &'static str) -> Question<'a> {
        Question { method: Method::GET, path, content_type, bytes_max: RESPONSE_BYTES_MAX }
    }
}

impl Budbee {
    fn request(
        &self,
        account: &Account,
        (method, path): (Method, &str),
        content_type: &'static str,
        body: Bytes,
    ) -> Result<Request<Bytes>, CarrierError> {
        let unwritable = |reason: String| CarrierError::Unwritable(reason);
        let authorization = account::authorization(account);
        let authorization =
            authorization.ok_or_else(|| unwritable("the account has no key".to_owned()))?;
        Request::builder()
            .method(method)
            .uri(self.hosts.of(&account.options).path(path))
            .header(CONTENT_TYPE, content_type)
            .header(AUTHORIZATION, authorization)
            .body(body)
            .map_err(|error| unwritable(error.to_string()))
    }

    /// Asks for something that is harmless to ask for again.
    async fn ask(
        &self,
        account: &Account,
        question: Question<'_>,
    ) -> Result<Response, CarrierError> {
        let Question { method, path, content_type, bytes_max } = question;
        let request = self.request(account, (method, path), content_type, Bytes::new())?;
        let line = self.lines.dial(self.hosts.of(&account.options).uri()).await?;
        Ok(line.reading_up_to(bytes_max).send(request, self.timeouts.ask).await?)
    }

    async fn parcels(&self, account: &Account, order: &str) -> Result<Response, CarrierError> {
        let path = uncertain::parcels_path(&escape(order));
        self.ask(account, Question::get(&path, ORDERS)).await
    }

    /// The labels behind these links. The links are called as they are, and let in by themselves.
    async fn labels(&self, account: &Account, links: &[String]) -> Result<Vec<Vec<u8>>, Why> {
        let (mut labels, host) = (Vec::new(), self.hosts.of(&account.options));
        for link in links {
            let label = self.links.fetch(link, host, &HeaderMap::new()).await?;
            if !label.starts_with(b"%PDF") {
                return Err(Why::from("a link to something that is no label".to_owned()));
            }
            labels.push(label.to_vec());
        }
        Ok(labels)
    }

    /// Where people see where these parcels are. When Budbee does not answer soon, it is not asked
    /// about the others: the papers wait for this, and there is a link without it.
    async fn tracking_urls(&self, account: &Account, numbers: &[String]) -> Vec<String> {
        let (mut urls, mut answers) = (Vec::new(), true);
        let until = Instant::now() + LINKS_TIME_MAX;
        for number in numbers.iter().map(|number| escape(number)) {
            let path = format!("/parcels/{number}/tracking-url");
            let told = match answers {
                true => {
                    let asking = self.ask(account, Question::get(&path, PARCELS));
                    timeout_at(until, asking).await.ok().and_then(Result::ok)
                }
                false => None,
            };
            answers = told.is_some();
            let url = told.and_then(|response| errors::tracking_url(&response));
            urls.push(url.unwrap_or_else(|| format!("{}{number}", uncertain::TRACKING_LINK)));
        }
        urls
    }
}

#[async_trait]
impl Carrier for Budbee {
    fn code(&self) -> &'static str {
        "budbee"
    }

    fn lookup(&self, _service_code: &str) -> Lookup {
        Lookup::ByReference { settle: SETTLE, is_certain: false }
    }

    fn check_account(&self, credentials: &Json, options: &Json) -> FieldErrors {
        account::check(credentials, options)
    }

    async fn verify_account(&self, account: &Account) -> Verdict {
        let question = Question::get("/postalcodes/validate/SE/11122", POSTAL_CODES);
        match self.ask(account, question).await {
            Ok(response) => errors::verified(&response),
            Err(error) => Verdict::Unknown(error.into()),
        }
    }

    fn prepare(&self, plan: &Plan, options: &Json) -> Result<Prepared, FieldErrors> {
        Ok(Prepared {
            method: Method::POST,
            path: "/multiple/orders".to_owned(),
            body: wire::booking(plan, options)?.to_string().into(),
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
        _reference: &Reference,
        _permit: Permit,
    ) -> Outcome {
        let place = (prepared.method, prepared.path.as_str());
        let parcels = wire::sent_ids(&prepared.body);
        let request = match self.request(account, place, ORDERS, prepared.body) {
            Ok(request) => request,
            Err(error) => return Outcome::NotSent(error.into()),
        };
        let line = session.line.reading_up_to(LABEL_BYTES_MAX);
        match line.send(request, self.timeouts.book).await {
            Ok(response) => errors::booked(&response, &parcels),
            Err(SendError::NotSent(reason)) => Outcome::NotSent(reason.into()),
            Err(SendError::Unclear(reason)) => Outcome::Unknown(reason.into()),
        }
    }

    async fn find(&self, account: &Account, sought: &Sought) -> Found {
        let path = format!("/multiple/orders?keyword={}", escape(sought.reference.as_str()));
        let response = match self.ask(account, Question::get(&path, OLD_ORDERS)).await {
            Ok(response) => response,
            Err(error) => return Found::Unknown(error.into()),
        };
        let order = match errors::searched(&response, &sought.reference) {
            Ok(Searched::Order(order)) => order,
            Ok(Searched::Absent) => return Found::Absent,
            Err(why) => return Found::Unknown(why),
        };
        match self.parcels(account, &order).await {
            Ok(response) => {
                let parcels = wire::shipment_ids(&sought.order, &sought.reference);
                errors::found(&response, &order, &parcels)
            }
            Err(error) => Found::Unknown(error.into()),
        }
    }

    async fn documents(&self, account: &Account, booking: &Booked) -> Result<CarrierFiles, Why> {
        let places = booking.tracking_numbers.iter().enumerate();
        let (places, numbers): (Vec<usize>, Vec<String>) =
            places.filter_map(|(place, number)| Some((place, number.clone()?))).unzip();
        let kept = booking.carrier_data.as_deref().and_then(Kept::read);
        let links = kept.and_then(|kept| kept.links(numbers.len()));
        let labels = match links {
            Some(links) => self.labels(account, &links).await.ok(),
            None => None,
        };
        let labels = match labels {
            Some(labels) => labels,
            // They work for two days; then the order has fresh ones.
            None => {
                let response = self.parcels(account, &booking.carrier_reference).await?;
                self.labels(account, &errors::links(&response, &numbers)?).await?
            }
        };
        let mut tracking_urls = vec![None; booking.tracking_numbers.len()];
        let told = self.tracking_urls(account, &numbers).await;
        for (place, url) in places.iter().zip(told) {
            tracking_urls[*place] = Some(url);
        }
        let files = places.iter().zip(labels).map(|(place, bytes)| label(*place, bytes));
        Ok(CarrierFiles { files: files.collect(), tracking_urls, ..CarrierFiles::default() })
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

fn label(place: usize, bytes: Vec<u8>) -> File {
    let (types, format) = (vec![DocumentType::Label], Format::Pdf);
    File { types, format, bytes, parcel: Some(place), ordered_mm: None }
}
