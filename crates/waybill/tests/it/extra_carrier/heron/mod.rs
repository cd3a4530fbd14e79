//! The adapter of the Heron carrier: tokens, TLS, a label for each parcel, voiding by key, and
//! tracking one by one.

mod wire;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use hyper::{Method, Request};
use waybill_carriers::account::read_time_zone;
use waybill_carriers::booking::{
    Booked, CarrierFiles, File, Found, Lookup, Outcome, Plan, Prepared, Sought, Why,
};
use waybill_carriers::closing::{CloseError, Closing, ClosingDay};
use waybill_carriers::links::Links;
use waybill_carriers::registry::{Connector, Row, row};
use waybill_carriers::tokens::{Token, Tokens};
use waybill_carriers::tracking::{Callback, NumberAnswer, Refused, Tracking};
use waybill_carriers::urls::BaseUrl;
use waybill_carriers::{
    Account, Cancelled, Cancelling, Carrier, CarrierError, DialFailure, Session, Verdict,
};
use waybill_domain::booking::{Permit, Reference};
use waybill_domain::fields::{FieldErrors, Text, read};
use waybill_domain::json::Json;
use waybill_domain::secret::Secret;
use waybill_domain::tracking::{Pace, TrackingAnswer, Unreadable};
use waybill_domain::words::Message;
use waybill_outbound::Lines;
use waybill_outbound::line::{LABEL_BYTES_MAX, Response, SendError};

/// The one line that a registry needs.
pub const ROW: Row = row("heron", include_str!("catalog.toml"), Some(open));

const TIME_MAX: Duration = Duration::from_secs(10);
/// What the carrier prints of an instruction.
const INSTRUCTIONS_MAX: usize = 20;

struct Heron {
    base: BaseUrl,
    lines: Lines,
    links: Links,
    tokens: Tokens,
}

fn open(connector: Connector) -> Arc<dyn Carrier> {
    let base = connector.main("https://api.heron.example");
    Arc::new(Heron {
        base,
        lines: connector.lines,
        links: connector.links,
        tokens: Tokens::default(),
    })
}

fn bearer(token: &Secret<String>) -> (HeaderName, HeaderValue) {
    (AUTHORIZATION, format!("Bearer {}", token.expose()).parse().unwrap())
}

impl Heron {
    async fn send(
        &self,
        session: Session,
        method: Method,
        path: &str,
        body: Bytes,
    ) -> Result<Response, SendError> {
        let mut request = Request::new(body);
        *request.method_mut() = method;
        *request.uri_mut() = self.base.path(path).parse().unwrap();
        let headers = request.headers_mut();
        headers.insert(CONTENT_TYPE, "application/json".parse().unwrap());
        if let Some(token) = &session.token {
            headers.extend([bearer(token)]);
        }
        session.line.reading_up_to(LABEL_BYTES_MAX).send(request, TIME_MAX).await
    }

    /// Asks for something that is harmless to ask for again, with one more token when the first
    /// is not accepted.
    async fn ask(
        &self,
        account: &Account,
        method: Method,
        path: &str,
    ) -> Result<Response, CarrierError> {
        self.ask_with(account, method, path, Bytes::new()).await
    }

    async fn ask_with(
        &self,
        account: &Account,
        method: Method,
        path: &str,
        body: Bytes,
    ) -> Result<Response, CarrierError> {
        for _ in 0..2 {
            let session = self.dial(account).await.map_err(|failure| match failure {
                DialFailure::AccessDenied(why) => CarrierError::AccessDenied(why),
                DialFailure::Unreachable(why) => CarrierError::Unreachable(why.to_string()),
            })?;
            let token = session.token.clone();
            let response = self.send(session, method.clone(), path, body.clone()).await?;
            match token.filter(|_| response.status.as_u16() == 401) {
                Some(token) => drop(self.tokens.refused(account, &token).await),
                None => return Ok(response),
            }
        }
        Err(CarrierError::AccessDenied(Why::from("the token was refused twice".to_owned())))
    }

    async fn token(&self, account: &Account) -> Result<Secret<String>, DialFailure> {
        let ask = async || {
            let unreachable = |reason: String| DialFailure::Unreachable(reason.into());
            let line = self.lines.dial(self.base.uri()).await;
            let line = line.map_err(|error| unreachable(error.to_string()))?;
            let body = wire::token_request(account.credentials.expose());
            let session = Session::plain(line);
            let response = self.send(session, Method::POST, "/token", body.into()).await;
            let response = response.map_err(|error| unreachable(error.to_string()))?;
            match response.status.as_u16() {
                200 => wire::token(&response.body)
                    .map(|(value, lifetime)| Token { value: Secret::new(value), lifetime })
                    .ok_or_else(|| unreachable("a token that cannot be read".to_owned())),
                400 | 401 | 403 => Err(DialFailure::AccessDenied(wire::why(&response, "no token"))),
                _ => Err(DialFailure::Unreachable(wire::why(&response, "no token now"))),
            }
        };
        self.tokens.get(account, ask).await
    }
}

#[async_trait]
impl Carrier for Heron {
    fn code(&self) -> &'static str {
        "heron"
    }

    fn lookup(&self, _service_code: &str) -> Lookup {
        Lookup::ByReference { settle: Duration::from_millis(200), is_certain: true }
    }

    fn check_account(&self, credentials: &Json, options: &Json) -> FieldErrors {
        let mut errors = FieldErrors::default();
        let found = read(credentials, |fields| {
            let id = fields.text("client_id", Text::filled(50)).required();
            let secret = fields.text("client_secret", Text::filled(50)).required();
            id.zip(secret)
        });
        errors.extend(found.err().unwrap_or_default().under("credentials"));
        let found = read(options, |fields| {
            let _depot = fields.text("depot", Text::filled(10)).optional();
            let _zone = read_time_zone(fields);
            Some(())
        });
        errors.extend(found.err().unwrap_or_default().under("options"));
        errors
    }

    async fn verify_account(&self, account: &Account) -> Verdict {
        match self.token(account).await {
            Ok(_) => Verdict::Good,
            Err(DialFailure::AccessDenied(why)) => Verdict::Refused(why),
            Err(DialFailure::Unreachable(why)) => Verdict::Unknown(why),
        }
    }

    fn prepare(&self, plan: &Plan, options: &Json) -> Result<Prepared, FieldErrors> {
        let instructions = plan.order.delivery.instructions.as_deref().unwrap_or_default();
        if instructions.chars().count() > INSTRUCTIONS_MAX {
            let message = Message::new("too-long").count("max", 20);
            return Err(FieldErrors::one("delivery.instructions", message));
        }
        Ok(Prepared {
            method: Method::POST,
            path: "/shipments".to_owned(),
            body: wire::booking(plan, options).into(),
            parcels: plan.order.parcels.len(),
            is_simulated_failure: false,
        })
    }

    async fn dial(&self, account: &Account) -> Result<Session, DialFailure> {
        let token = self.token(account).await?;
        let line = self.lines.dial(self.base.uri()).await;
        let line = line.map_err(|error| DialFailure::Unreachable(error.to_string().into()))?;
        Ok(Session { line, token: Some(token) })
    }

    async fn book(
        &self,
        session: Session,
        account: &Account,
        prepared: Prepared,
        reference: &Reference,
        _permit: Permit,
    ) -> Outcome {
        let token = session.token.clone();
        let sent = self.send(session, prepared.method, &prepared.path, prepared.body).await;
        let response = match sent {
            Ok(response) => response,
            Err(SendError::NotSent(reason)) => return Outcome::NotSent(reason.into()),
            Err(SendError::Unclear(reason)) => return Outcome::Unknown(reason.into()),
        };
        if response.status.as_u16() != 401 {
            self.tokens.accepted(account);
            return wire::booked(&response, reference, prepared.parcels);
        }
        let why = wire::why(&response, "the token was refused");
        match token {
            Some(token) if self.tokens.refused(account, &token).await => Outcome::AccessDenied(why),
            _ => Outcome::NotSent(why),
        }
    }

    async fn find(&self, account: &Account, sought: &Sought) -> Found {
        let path = format!("/shipments?reference={}", sought.reference);
        match self.ask(account, Method::GET, &path).await {
            Ok(response) => wire::found(&response, &sought.reference, sought.order.parcels.len()),
            Err(error) => Found::Unknown(error.into()),
        }
    }

    async fn documents(&self, account: &Account, booking: &Booked) -> Result<CarrierFiles, Why> {
        let path = format!("/shipments/{}/labels", booking.carrier_reference);
        let response = self.ask(account, Method::GET, &path).await?;
        let mut found = wire::files(&response.body);
        let token = self.token(account).await.map_err(|error| Why::from(error.to_string()))?;
        let credentials = HeaderMap::from_iter([bearer(&token)]);
        for (place, link) in wire::links(&response.body) {
            let bytes = self.links.fetch(&link, &self.base, &credentials).await?;
            found.files.push(wire::label(place, bytes.into()));
        }
        Ok(found)
    }

    fn cancelling(&self) -> Option<&dyn Cancelling> {
        Some(self)
    }

    fn tracking(&self) -> Option<&dyn Tracking> {
        Some(self)
    }

    fn closing(&self) -> Option<&dyn Closing> {
        Some(self)
    }
}

#[async_trait]
impl Closing for Heron {
    async fn close(&self, account: &Account, day: &ClosingDay) -> Result<Vec<File>, CloseError> {
        let body = wire::closing(day).into();
        let response = self.ask_with(account, Method::POST, "/close", body).await;
        let response = response.map_err(|error| CloseError::Unknown(error.into()))?;
        match response.status.as_u16() {
            200 => Ok(wire::closed(&response.body)),
            422 => Err(CloseError::Refused(wire::why(&response, "not closed"))),
            _ => Err(CloseError::Unknown(wire::why(&response, "not closed"))),
        }
    }
}

#[async_trait]
impl Cancelling for Heron {
    async fn cancel(&self, account: &Account, booking: &Booked) -> Cancelled {
        let key = booking.carrier_data.as_deref().unwrap_or_default();
        let path = format!("/shipments/{}?key={key}", booking.carrier_reference);
        match self.ask(account, Method::DELETE, &path).await {
            Ok(response) if response.status.as_u16() == 204 => Cancelled::Done,
            Ok(response) => Cancelled::Refused(wire::why(&response, "not voided").to_string()),
            Err(error) => Cancelled::Unknown(error.to_string()),
        }
    }
}

#[async_trait]
impl Tracking for Heron {
    fn pace(&self) -> Pace {
        Pace::every(Duration::from_millis(100))
    }

    fn batch_max(&self) -> usize {
        2
    }

    async fn track(
        &self,
        account: &Account,
        numbers: &[String],
    ) -> Result<Vec<NumberAnswer>, CarrierError> {
        let mut tracked = Vec::new();
        for number in numbers {
            let response = self.ask(account, Method::GET, &format!("/track/{number}")).await?;
            let said = match response.status.as_u16() {
                404 => continue,
                429 => {
                    tracked.push((number.clone(), TrackingAnswer::Later(None)));
                    continue;
                }
                200 => wire::report(&response.body, number),
                _ => None,
            };
            let text = String::from_utf8_lossy(&response.body).into_owned();
            let unreadable = || Unreadable::new(text, "the answer cannot be read");
            tracked.push((number.clone(), said.ok_or_else(unreadable).into()));
        }
        Ok(tracked)
    }

    fn parse_callback(&self, _: &Account, _: &Callback<'_>) -> Result<Vec<NumberAnswer>, Refused> {
        Err(Refused::Unauthenticated)
    }
}
