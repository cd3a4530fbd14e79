//! Speaking to GLS: a token for each account, and the headers that every request has.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use hyper::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE};
use hyper::{Method, Request};
use waybill_domain::json::Json;
use waybill_domain::secret::Secret;
use waybill_outbound::Lines;
use waybill_outbound::line::{RESPONSE_BYTES_MAX, Response};

use super::errors::why;
use super::wire::BASE;
use crate::answers::Timeouts;
use crate::booking::Why;
use crate::environment::Hosts;
use crate::members::{body, text};
use crate::registry::Connector;
use crate::session::{DialFailure, Session};
use crate::tokens::{Token, Tokens};
use crate::{Account, CarrierError};

const HOST: &str = "https://api.gls-group.net";
const TEST_HOST: &str = "https://api-sandbox.gls-group.net";
const SHIPIT: &str = "application/glsVersion1+json";
const ACCEPTED: &str = "application/glsVersion1+json, application/json";
const FORM: &str = "application/x-www-form-urlencoded";
/// A token is renewed ten minutes before its end: nine more than every token is.
const EARLIER: Duration = Duration::from_mins(9);

/// Speaks to GLS.
pub struct Client {
    hosts: Hosts,
    lines: Lines,
    /// How long GLS may take.
    pub timeouts: Timeouts,
    /// The tokens of all accounts.
    pub tokens: Tokens,
}

/// Something to ask GLS for.
#[derive(Clone)]
pub struct Call {
    /// The method.
    pub method: Method,
    /// Path and query.
    pub path: String,
    /// The body.
    pub body: Bytes,
    /// The longest answer.
    pub bytes_max: usize,
    /// The longest time, when it is not that of every question.
    pub time_max: Option<Duration>,
}

impl Call {
    /// A question without a body.
    pub fn get(path: String) -> Call {
        let (method, body) = (Method::GET, Bytes::new());
        Call { method, path, body, bytes_max: RESPONSE_BYTES_MAX, time_max: None }
    }

    /// A request with this body.
    pub fn post(path: String, body: &Json) -> Call {
        let body = if *body == Json::Null { Bytes::new() } else { body.to_string().into() };
        Call { method: Method::POST, body, ..Call::get(path) }
    }
}

impl Client {
    /// Reaches GLS by this connector.
    pub fn new(connector: Connector) -> Client {
        Client {
            hosts: Hosts::new(&connector, HOST, TEST_HOST),
            timeouts: connector.timeouts,
            lines: connector.lines,
            tokens: Tokens::default(),
        }
    }

    /// A connection with the account's token.
    pub async fn dial(&self, account: &Account) -> Result<Session, DialFailure> {
        let token = self.token(account).await?;
        let line = self.lines.dial(self.hosts.of(&account.options).uri()).await;
        let line = line.map_err(|error| DialFailure::Unreachable(error.to_string().into()))?;
        Ok(Session { line, token: Some(token) })
    }

    /// A request as GLS wants it.
    pub fn request(
        &self,
        account: &Account,
        token: &Secret<String>,
        call: &Call,
    ) -> Result<Request<Bytes>, CarrierError> {
        let mut request = Request::builder()
            .method(call.method.clone())
            .uri(self.hosts.of(&account.options).path(&call.path))
            .header(ACCEPT, ACCEPTED)
            .header(AUTHORIZATION, format!("Bearer {}", token.expose()));
        if call.path.starts_with(BASE) {
            request = request.header(CONTENT_TYPE, SHIPIT);
        }
        let request = request.body(call.body.clone());
        request.map_err(|error| CarrierError::Unwritable(error.to_string()))
    }

    /// Asks for something that is harmless to ask for again, with one more token when the first is
    /// not accepted.
    pub async fn ask(&self, account: &Account, call: Call) -> Result<Response, CarrierError> {
        for _ in 0..2 {
            let session = self.dial(account).await.map_err(|failure| match failure {
                DialFailure::AccessDenied(why) => CarrierError::AccessDenied(why),
                DialFailure::Unreachable(why) => CarrierError::Unreachable(why.to_string()),
            })?;
            let Some(token) = session.token.clone() else { break };
            let request = self.request(account, &token, &call)?;
            let time_max = call.time_max.unwrap_or(self.timeouts.ask);
            let line = session.line.reading_up_to(call.bytes_max);
            let response = line.send(request, time_max).await?;
            if response.status.as_u16() != 401 {
                self.tokens.accepted(account);
                return Ok(response);
            }
            let _was_refused_before = self.tokens.refused(account, &token).await;
        }
        Err(CarrierError::AccessDenied(Why::from("the token was refused twice".to_owned())))
    }

    /// The account's token: the one that is held, or a new one.
    pub async fn token(&self, account: &Account) -> Result<Secret<String>, DialFailure> {
        self.tokens.get(account, async || self.new_token(account).await).await
    }

    async fn new_token(&self, account: &Account) -> Result<Token, DialFailure> {
        let unreachable = |reason: String| DialFailure::Unreachable(reason.into());
        let base = self.hosts.of(&account.options);
        let member = |name| text(account.credentials.expose(), name).unwrap_or_default();
        let pair = format!("{}:{}", member("client_id"), member("client_secret"));
        let request = Request::post(base.path("/oauth2/v2/token"))
            .header(ACCEPT, "application/json")
            .header(CONTENT_TYPE, FORM)
            .header(AUTHORIZATION, format!("Basic {}", STANDARD.encode(pair)))
            .body(Bytes::from_static(b"grant_type=client_credentials"))
            .map_err(|error| unreachable(error.to_string()))?;
        let line = self.lines.dial(base.uri()).await;
        let line = line.map_err(|error| unreachable(error.to_string()))?;
        let response = line.send(request, self.timeouts.ask).await;
        let response = response.map_err(|error| unreachable(error.to_string()))?;
        match response.status.as_u16() {
            200 => token(&body(&response))
                .ok_or_else(|| unreachable("a token that cannot be read".to_owned())),
            400 | 401 | 403 => Err(DialFailure::AccessDenied(why(&response))),
            _ => Err(DialFailure::Unreachable(why(&response))),
        }
    }
}

fn token(body: &Json) -> Option<Token> {
    let seconds = crate::members::text_or_number(body, "expires_in")?.parse().ok()?;
    let lifetime: Duration = Duration::from_secs(seconds);
    let value = Secret::new(text(body, "access_token")?.to_owned());
    Some(Token { value, lifetime: lifetime.saturating_sub(EARLIER).max(lifetime / 2) })
}
