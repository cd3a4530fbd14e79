//! The body of a request, as a browser's form sends it.

use axum::http::header;
use waybill_domain::oauth::ErrorCode;

use super::refusal::Refusal;
use crate::headers::single;
use crate::reply::ApiError;
use crate::request::Request;

/// The most that a form may hold, in bytes.
const BYTES_MAX: usize = 16 * 1024;

/// Parameters as they came, decoded.
pub struct Form(Vec<(String, String)>);

impl Form {
    /// Reads the body. A parameter that is there twice has no meaning. What stands in the query is
    /// never read: addresses are logged by many, so a secret there is refused.
    pub async fn read(request: &mut Request) -> Result<Form, Refusal> {
        if request.query.has("client_secret") {
            return Err(ErrorCode::InvalidRequest.into());
        }
        if !is_form(request) {
            return Err(ErrorCode::InvalidRequest.into());
        }
        let read = request.whole_body_within(BYTES_MAX).await;
        let bytes = read.map_err(|error| match error {
            ApiError::BadRequest
            | ApiError::TinyChunks
            | ApiError::TooLarge(_)
            | ApiError::TooSlow => Refusal::Unread,
            other => other.into(),
        })?;
        Ok(Form::parse(&bytes)?)
    }

    fn parse(bytes: &[u8]) -> Result<Form, ErrorCode> {
        let mut pairs: Vec<(String, String)> = form_urlencoded::parse(bytes).into_owned().collect();
        pairs.sort();
        match pairs.windows(2).any(|pair| pair[0].0 == pair[1].0) {
            true => Err(ErrorCode::InvalidRequest),
            false => Ok(Form(pairs)),
        }
    }

    /// A parameter. An empty one counts as left out.
    pub fn get(&self, name: &str) -> Option<&str> {
        let found = self.0.iter().find(|(other, _)| other == name);
        found.map(|(_, value)| value.as_str()).filter(|value| !value.is_empty())
    }

    /// A parameter that must be there.
    pub fn require(&self, name: &str) -> Result<&str, ErrorCode> {
        self.get(name).ok_or(ErrorCode::InvalidRequest)
    }
}

fn is_form(request: &Request) -> bool {
    let encoding = request.headers.get(header::CONTENT_ENCODING);
    let is_plain = encoding.is_none_or(|encoding| encoding.as_bytes() == b"identity");
    let media = single(&request.headers, header::CONTENT_TYPE).unwrap_or_default();
    let media = media.split(';').next().unwrap_or_default().trim();
    is_plain && media.eq_ignore_ascii_case("application/x-www-form-urlencoded")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parameter_is_read_once_and_an_empty_one_is_left_out() {
        let form = Form::parse(b"a=1%202&b=&c=%C3%A6+x&unknown=1").ok().unwrap();
        assert_eq!((form.get("a"), form.get("b")), (Some("1 2"), None));
        assert_eq!((form.get("c"), form.get("d")), (Some("æ x"), None));
        assert_eq!(form.require("b"), Err(ErrorCode::InvalidRequest));
        for twice in ["a=1&a=1", "a=1&b=2&a=", "unknown&unknown"] {
            assert!(Form::parse(twice.as_bytes()).is_err(), "{twice}");
        }
    }
}
