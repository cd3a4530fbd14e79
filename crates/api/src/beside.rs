//! What is wrong with a request beside its body: it is told together with what is wrong in there.

use axum::http::HeaderName;
use waybill_domain::fields::FieldErrors;
use waybill_domain::idempotency::Key;
use waybill_domain::json::Json;
use waybill_domain::words::Message;
use waybill_store::idempotency;

use super::reply::ApiError;
use super::request::{BodyLimit, Request};

/// Problems with parameters and headers, until they are told.
#[derive(Clone)]
#[must_use = "`and` tells them"]
pub struct NonBodyErrors(FieldErrors);

impl NonBodyErrors {
    /// What was read of the body, or everything that is wrong with the request.
    pub fn and<T>(self, read: Result<T, impl Into<ApiError>>) -> Result<T, ApiError> {
        match read {
            Ok(value) if self.0.is_empty() => Ok(value),
            Ok(_) => Err(ApiError::Invalid(self.0)),
            Err(error) => Err(self.joined(error.into())),
        }
    }

    fn joined(self, error: ApiError) -> ApiError {
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
    /// The body of a request that has no parameters.
    pub async fn sent(&mut self) -> Result<(Json, NonBodyErrors), ApiError> {
        self.sent_within(BodyLimit::USUAL).await
    }

    /// The same with another limit for the body.
    pub async fn sent_within(
        &mut self,
        limit: BodyLimit,
    ) -> Result<(Json, NonBodyErrors), ApiError> {
        let unknown = self.query.knowing(&[]).into_errors();
        self.sent_beside(unknown, limit).await
    }

    /// The same of a request that a key may protect, with its claim. A request with anything wrong
    /// beside its body claims nothing: it repeats no action and begins none.
    pub async fn sent_once(
        &mut self,
    ) -> Result<(Json, Option<idempotency::Request>, NonBodyErrors), ApiError> {
        self.sent_once_within(BodyLimit::USUAL).await
    }

    /// The same with another limit for the body.
    pub async fn sent_once_within(
        &mut self,
        limit: BodyLimit,
    ) -> Result<(Json, Option<idempotency::Request>, NonBodyErrors), ApiError> {
        let mut problems = self.query.knowing(&[]).into_errors();
        let name = HeaderName::from_static("idempotency-key");
        let is_bad = |value: &_| Key::parse(value).is_none();
        if self.headers.contains_key(&name) && self.header(name).is_none_or(is_bad) {
            problems.add("Idempotency-Key", Message::new("bad-idempotency-key"));
        }
        let (body, beside) = self.sent_beside(problems, limit).await?;
        let claim = if beside.0.is_empty() { self.claim(&body)? } else { None };
        Ok((body, claim, beside))
    }

    async fn sent_beside(
        &mut self,
        problems: FieldErrors,
        limit: BodyLimit,
    ) -> Result<(Json, NonBodyErrors), ApiError> {
        let beside = NonBodyErrors(problems);
        match self.json_within(limit).await {
            Ok(body) => Ok((body, beside)),
            Err(error) => Err(beside.joined(error)),
        }
    }
}
