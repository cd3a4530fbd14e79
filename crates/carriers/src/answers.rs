//! What an answer means with every carrier, and what is kept of one that proves nothing.

use std::time::Duration;

use hyper::header::RETRY_AFTER;
use waybill_outbound::line::Response;

use crate::CarrierError;
use crate::booking::{Complaint, Outcome, Why};
use crate::members::{body, text};

/// So much of a text that is no message of the carrier's is kept, for whoever looks into it.
const WORDS_MAX: usize = 500;

/// The longest that a call to book takes.
pub const BOOK_TIME_MAX: Duration = Duration::from_secs(30);
/// The longest that a question takes.
pub const ASK_TIME_MAX: Duration = Duration::from_secs(15);

/// A carrier that wants to be left alone is, for so long at most.
const PATIENCE_MAX: Duration = Duration::from_secs(60);

/// How long a carrier may take.
#[derive(Clone, Copy, Debug)]
pub struct Timeouts {
    /// To book.
    pub book: Duration,
    /// For anything else.
    pub ask: Duration,
}

impl Default for Timeouts {
    fn default() -> Timeouts {
        Timeouts { book: BOOK_TIME_MAX, ask: ASK_TIME_MAX }
    }
}

/// Whether a request was turned away unread: it may be sent again.
pub fn is_turned_away(response: &Response) -> bool {
    match response.status.as_u16() {
        429 => true,
        503 => response.headers.contains_key(RETRY_AFTER),
        _ => false,
    }
}

/// What it comes to that a request was turned away.
pub fn turned_away(response: &Response, why: Why) -> Outcome {
    match patience(response) {
        Some(patience) => Outcome::TurnedAway(why, patience),
        None => Outcome::NotSent(why),
    }
}

/// How long a carrier asks to be left alone, in whole seconds. Whoever asks for more than a booking
/// can wait is asked again as if nothing had been said.
fn patience(response: &Response) -> Option<Duration> {
    let seconds = response.headers.get(RETRY_AFTER)?.to_str().ok()?.trim().parse().ok()?;
    Some(Duration::from_secs(seconds)).filter(|patience| *patience <= PATIENCE_MAX)
}

/// An answer that proves nothing, with what the carrier said in it.
pub fn odd(response: &Response) -> Why {
    let reason = format!("an answer with status {} that proves nothing", response.status.as_u16());
    let said = message(response);
    let said = said.map(|message| Complaint { path: None, code: None, message });
    Why { reason, said: said.into_iter().collect() }
}

/// The same for a question.
pub fn unexpected(response: &Response) -> CarrierError {
    match response.status.as_u16() {
        401 | 403 => CarrierError::AccessDenied(odd(response)),
        _ => CarrierError::Unexpected(odd(response)),
    }
}

/// The words of an answer that is not a success: its `message`, or else its text. A page for
/// browsers says nothing.
pub fn message(response: &Response) -> Option<String> {
    if response.status.is_success() || response.status.is_redirection() {
        return None;
    }
    let body = body(response);
    if let Some(message) = text(&body, "message") {
        return Some(message.to_owned());
    }
    let text = std::str::from_utf8(&response.body).unwrap_or_default().trim();
    let is_words = !text.is_empty() && !text.starts_with(['<', '{', '[']) && !is_page(response);
    is_words.then(|| text.chars().take(WORDS_MAX).collect())
}

fn is_page(response: &Response) -> bool {
    let kind = response.headers.get(hyper::header::CONTENT_TYPE);
    kind.and_then(|kind| kind.to_str().ok()).is_some_and(|kind| kind.contains("html"))
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use hyper::StatusCode;
    use hyper::header::{HeaderMap, HeaderValue};

    use super::*;

    fn answer(status: u16, body: &'static str) -> Response {
        let status = StatusCode::from_u16(status).unwrap();
        Response { status, headers: HeaderMap::new(), body: Bytes::from_static(body.as_bytes()) }
    }

    #[test]
    fn only_a_429_and_a_503_that_says_when_to_come_back_turn_away() {
        assert!(is_turned_away(&answer(429, "")));
        assert!(!is_turned_away(&answer(503, "")));
        for status in [200, 401, 500, 502, 504] {
            assert!(!is_turned_away(&answer(status, "")), "{status}");
        }
        let mut later = answer(503, "");
        later.headers.insert(RETRY_AFTER, HeaderValue::from_static("30"));
        assert!(is_turned_away(&later));
    }

    #[test]
    fn a_carrier_is_left_alone_for_as_long_as_it_asks_and_a_booking_can_wait() {
        for (told, wanted) in [
            (Some("30"), Some(30)),
            (Some(" 60 "), Some(60)),
            (Some("61"), None),
            (Some("-1"), None),
            (Some("Wed, 18 Nov 2026 12:00:00 GMT"), None),
            (None, None),
        ] {
            let mut answer = answer(429, "");
            if let Some(told) = told {
                answer.headers.insert(RETRY_AFTER, HeaderValue::from_static(told));
            }
            let outcome = turned_away(&answer, Why::default());
            let wanted = match wanted {
                Some(seconds) => Outcome::TurnedAway(Why::default(), Duration::from_secs(seconds)),
                None => Outcome::NotSent(Why::default()),
            };
            assert_eq!(outcome, wanted, "{told:?}");
        }
    }

    #[test]
    fn a_page_for_browsers_and_a_success_are_no_words() {
        assert_eq!(message(&answer(400, "no such street\n")).as_deref(), Some("no such street"));
        let told = message(&answer(400, r#"{"message":"no such street"}"#));
        assert_eq!(told.as_deref(), Some("no such street"));
        for body in ["", "<html>no</html>", "{}", "[]", r#"{"message":7}"#] {
            assert_eq!(message(&answer(400, body)), None, "{body}");
        }
        assert_eq!(message(&answer(200, "fine")), None);
    }
}
