//! The body of a form: names and values in the order in which they came.

use axum::http::{HeaderMap, header};

use crate::headers::single;
use crate::reply::ApiError;
use crate::request::Request;

/// No form of ours is so large ...
const BYTES_MAX: usize = 64 * 1024;
/// ... or has so many fields.
const FIELDS_MAX: usize = 100;

/// The fields of a form.
#[derive(Clone, Debug)]
pub struct Form(Vec<(String, String)>);

impl Form {
    /// Reads the body of a request.
    pub async fn read(request: &mut Request) -> Result<Form, ApiError> {
        is_form(&request.headers)?;
        let bytes = request.whole_body_within(BYTES_MAX).await?;
        let fields: Vec<_> = form_urlencoded::parse(&bytes).into_owned().take(FIELDS_MAX).collect();
        Ok(Form(fields))
    }

    /// All fields.
    pub fn fields(&self) -> &[(String, String)] {
        &self.0
    }

    /// The value of a field that is there once.
    pub fn value(&self, name: &str) -> Option<&str> {
        let mut all = self.0.iter().filter(|(other, _)| other == name);
        let value = all.next().map(|(_, value)| value.as_str())?;
        all.next().is_none().then_some(value)
    }
}

/// Fails where the body is not that of a form.
fn is_form(headers: &HeaderMap) -> Result<(), ApiError> {
    let encoding = headers.get(header::CONTENT_ENCODING);
    if encoding.is_some_and(|encoding| encoding.as_bytes() != b"identity") {
        return Err(ApiError::UnsupportedMedia);
    }
    let media = single(headers, header::CONTENT_TYPE).unwrap_or_default();
    let media = media.split(';').next().unwrap_or_default().trim();
    match media.eq_ignore_ascii_case("application/x-www-form-urlencoded") {
        true => Ok(()),
        false => Err(ApiError::UnsupportedMedia),
    }
}
