//! The body of a request, the `Idempotency-Key` that may protect it, and what is wrong with either:
//! a caller is told of everything at once.

use axum::http::{HeaderName, header};
use waybill_domain::fields::{self, FieldErrors};
use waybill_domain::idempotency::{Key, fingerprint};
use waybill_domain::json::Json;
use waybill_domain::words::Message;
use waybill_engine::planted;
use waybill_store::idempotency;

use super::authenticate::authenticate;
use super::caller::REMEMBERED;
use super::reply::ApiError;
use super::request::Request;
use super::unread::{BODY_TIME, BodyLimit};
use crate::memory::SMALL;

/// What is wrong with parameters and headers, until the body was checked too.
#[derive(Clone)]
#[must_use = "`or` reports them"]
pub struct NonBodyErrors(FieldErrors);

impl NonBodyErrors {
    /// What was read of the body, or everything that is wrong with the request.
    pub fn or<T>(self, read: Result<T, impl Into<ApiError>>) -> Result<T, ApiError> {
        match read {
            Ok(value) if self.0.is_empty() => Ok(value),
            Ok(_) => Err(ApiError::Invalid(self.0)),
            Err(error) => Err(self.join(error.into())),
        }
    }

    fn join(self, error: ApiError) -> ApiError {
        match error {
            ApiError::Invalid(of_body) => {
                let mut all = self.0;
                all.extend(of_body);
                ApiError::Invalid(all)
            }
            other => other,
        }
    }
}

impl Request {
    /// The JSON body of a request that has no parameters.
    pub async fn json_body(&mut self) -> Result<(Json, NonBodyErrors), ApiError> {
        self.json_body_within(BodyLimit::USUAL).await
    }

    /// The same with another limit for the body.
    pub async fn json_body_within(
        &mut self,
        limit: BodyLimit,
    ) -> Result<(Json, NonBodyErrors), ApiError> {
        let errors = NonBodyErrors(self.query_errors());
        self.parse_body(errors, limit).await
    }

    /// Reads the body as a JSON object. None at all is an empty one.
    pub async fn optional_json_body(&mut self) -> Result<(Json, NonBodyErrors), ApiError> {
        let errors = NonBodyErrors(self.query_errors());
        let bytes = self.whole_body().await?;
        if bytes.iter().all(u8::is_ascii_whitespace) {
            return Ok((Json::Object(Vec::new()), errors));
        }
        (self.dialect.accepts)(&self.method, &self.headers)?;
        match (self.dialect.parse)(&bytes, BodyLimit::USUAL.values) {
            Ok(body) => Ok((body, errors)),
            Err(error) => Err(errors.join(error)),
        }
    }

    /// The same of a request that a key may protect, with its claim. A request with wrong
    /// parameters or headers claims nothing: it repeats no action and begins none.
    pub async fn idempotent_body(
        &mut self,
    ) -> Result<(Json, Option<idempotency::KeyClaim>, NonBodyErrors), ApiError> {
        self.idempotent_body_within(BodyLimit::USUAL).await
    }

    /// The same with another limit for the body.
    pub async fn idempotent_body_within(
        &mut self,
        limit: BodyLimit,
    ) -> Result<(Json, Option<idempotency::KeyClaim>, NonBodyErrors), ApiError> {
        let mut errors = self.query_errors();
        let key = self.idempotency_key().unwrap_or_else(|wrong| {
            errors.extend(wrong);
            None
        });
        let (body, errors) = self.parse_body(NonBodyErrors(errors), limit).await?;
        let key = key.filter(|_| errors.0.is_empty());
        let claim = key.map(|key| self.claim(&key, &body));
        Ok((body, claim, errors))
    }

    /// Refuses a body that says something, where there is nothing to say: an empty one and an empty
    /// object are fine.
    pub async fn no_body(&mut self) -> Result<(), ApiError> {
        let bytes = self.whole_body().await?;
        if bytes.iter().all(u8::is_ascii_whitespace) {
            return Ok(());
        }
        (self.dialect.accepts)(&self.method, &self.headers)?;
        let body = (self.dialect.parse)(&bytes, BodyLimit::USUAL.values)?;
        Ok(fields::read(&body, |_| Some(()))?)
    }

    /// The claim of a request that a key may protect and that says nothing in a body.
    pub async fn idempotent_no_body(&mut self) -> Result<Option<idempotency::KeyClaim>, ApiError> {
        self.no_body().await?;
        let key = self.idempotency_key().map_err(ApiError::Invalid)?;
        Ok(key.map(|key| self.claim(&key, &Json::Null)))
    }

    /// The body as it came, of whatever media type.
    pub async fn whole_body(&mut self) -> Result<bytes::Bytes, ApiError> {
        self.read_body(BodyLimit::USUAL.bytes).await
    }

    /// The same within another limit.
    pub async fn whole_body_within(&mut self, max: usize) -> Result<bytes::Bytes, ApiError> {
        self.read_body(max).await
    }

    /// What is wrong with the query of a request that has no parameters.
    fn query_errors(&self) -> FieldErrors {
        match self.dialect.ignores_unknown {
            true => FieldErrors::default(),
            false => self.query.knowing(&[]).into_errors(),
        }
    }

    async fn parse_body(
        &mut self,
        errors: NonBodyErrors,
        limit: BodyLimit,
    ) -> Result<(Json, NonBodyErrors), ApiError> {
        match self.parse_json(limit).await {
            Ok(body) => Ok((body, errors)),
            Err(error) => Err(errors.join(error)),
        }
    }

    async fn parse_json(&mut self, limit: BodyLimit) -> Result<Json, ApiError> {
        (self.dialect.accepts)(&self.method, &self.headers)?;
        let bytes = self.read_body(limit.bytes).await?;
        (self.dialect.parse)(&bytes, limit.values)
    }

    async fn read_body(&mut self, max: usize) -> Result<bytes::Bytes, ApiError> {
        let announced = self.header(header::CONTENT_LENGTH).and_then(|text| text.parse().ok());
        if announced.is_some_and(|length: u64| length > max as u64) {
            return Err(ApiError::TooLarge(max));
        }
        self.make_room(announced.map_or(max, |length| length.try_into().unwrap_or(max))).await?;
        let body = self.body.read(max).await?;
        // A code or a token may have ended while it came.
        self.now = self.app.now();
        if self.app.monotonic().saturating_sub(self.known_at) > REMEMBERED {
            self.check_again().await?;
        }
        Ok(body)
    }

    /// Whoever sends a body slowly has no rights that ended meanwhile.
    async fn check_again(&mut self) -> Result<(), ApiError> {
        let Some(rights) = self.rights else { return Ok(()) };
        let caller = authenticate(self).await?;
        rights.check(&caller)?;
        self.who = Some(caller);
        Ok(())
    }

    /// Waits until a large body may come. Most that are waited for are there within moments.
    async fn make_room(&mut self, bytes: usize) -> Result<(), ApiError> {
        if bytes > SMALL {
            let room = self.api.bodies().wait_for(self.caller(), bytes, BODY_TIME).await;
            let full = || ApiError::Unavailable("too many bodies are being received".to_owned());
            self.share = Some(room.ok_or_else(full)?);
        }
        Ok(())
    }

    /// The `Idempotency-Key`, when there is one.
    fn idempotency_key(&self) -> Result<Option<Key>, FieldErrors> {
        let name = HeaderName::from_static("idempotency-key");
        if !self.headers.contains_key(&name) {
            return Ok(None);
        }
        self.header(name)
            .and_then(Key::parse)
            .map(Some)
            .ok_or_else(|| FieldErrors::one("Idempotency-Key", Message::new("bad-idempotency-key")))
    }

    /// What a key stands for: this action with this body.
    fn claim(&self, key: &Key, body: &Json) -> idempotency::KeyClaim {
        idempotency::KeyClaim {
            method: self.method.to_string(),
            path: self.canonical_path(),
            key: planted::key(key.as_str(), self.header(header::AUTHORIZATION)),
            fingerprint: fingerprint(body),
        }
    }
}
