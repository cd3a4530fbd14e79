//! What every answer of the older API says, errors included: that it is the older one, until when,
//! and the id of the request under the name that plugins read.

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use waybill_domain::time::http_date;

use crate::dialect::AnswerContext;

/// 1 November 2026 (RFC 9745).
const DEPRECATION: &str = "@1793491200";

/// The day on which the operator ends the older API, as `Sunset` has it (RFC 8594). It is told; it
/// switches nothing off.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sunset(String);

impl Sunset {
    /// Reads a date such as `2028-01-01`: the first moment of that day in UTC.
    pub fn parse(text: &str) -> Option<Sunset> {
        http_date(text).map(Sunset)
    }

    /// As the header has it.
    pub fn text(&self) -> &str {
        &self.0
    }
}

/// Adds them. What a handler said of keeping copies stays.
pub fn add(headers: &mut HeaderMap, to: &AnswerContext<'_>) {
    let mut set = |name: HeaderName, value: &str| {
        if let Ok(value) = HeaderValue::try_from(value) {
            headers.insert(name, value);
        }
    };
    set(HeaderName::from_static("response-id"), to.request_id);
    set(HeaderName::from_static("deprecation"), DEPRECATION);
    let link = format!("<{}/docs>; rel=\"deprecation\"; type=\"text/html\"", to.base_url);
    set(header::LINK, &link);
    set(header::REFERRER_POLICY, "no-referrer");
    if let Some(sunset) = to.sunset {
        set(HeaderName::from_static("sunset"), sunset);
    }
    let private = HeaderValue::from_static("private, no-store");
    headers.entry(header::CACHE_CONTROL).or_insert(private);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sunset_is_a_day_in_the_form_of_http() {
        let day = Sunset::parse("2028-01-01").unwrap();
        assert_eq!(day.text(), "Sat, 01 Jan 2028 00:00:00 GMT");
        for bad in ["", "2028", "2028-1-1", "2028-02-30", "01.01.2028", "2028-01-01T00:00:00Z"] {
            assert_eq!(Sunset::parse(bad), None, "{bad}");
        }
    }
}
