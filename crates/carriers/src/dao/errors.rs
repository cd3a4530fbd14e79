//! What each reply of dao means. It answers with status 200 whatever happened; the body says what
//! became of the request. Another status is of somebody before it, and proves nothing: dao cannot
//! be asked afterwards. What says neither yes nor no is unknown: the parcel may be booked.

use waybill_domain::json::Json;
use waybill_outbound::line::Response;

use super::uncertain::{ACCESS_WORDS, TRACKING_LINK};
use crate::account::Verdict;
use crate::answers::{odd, unexpected};
use crate::booking::{Accepted, BookedParcel, Complaint, Outcome, Why};
use crate::members::{long_body, text, text_or_number};
use crate::texts::escape;
use crate::{Cancelled, CarrierError};

/// What a reply says.
#[derive(Debug)]
pub enum Reply {
    /// It is done, and this came of it.
    Done(Json),
    /// It is not done, for this reason.
    Failed(Complaint),
    /// Neither.
    Odd,
}

/// Reads a reply.
pub fn read(response: &Response) -> Reply {
    if response.status.as_u16() != 200 {
        return Reply::Odd;
    }
    let body = long_body(response);
    let status = text(&body, "status").unwrap_or_default();
    if status.eq_ignore_ascii_case("ok") {
        return Reply::Done(body.member("resultat").cloned().unwrap_or(Json::Null));
    }
    let (code, words) = (text_or_number(&body, "fejlkode"), text(&body, "fejltekst"));
    match words.map(str::to_owned).or_else(|| code.clone()) {
        Some(message) if status.eq_ignore_ascii_case("fejl") => {
            Reply::Failed(Complaint { path: None, code, message })
        }
        _ => Reply::Odd,
    }
}

/// Whether a refusal is about us: a wrong customer or code, or a right that we do not have.
fn is_about_access(complaint: &Complaint) -> bool {
    let words = complaint.message.to_lowercase();
    let mut words = words.split(|c: char| !c.is_alphanumeric());
    words.any(|word| ACCESS_WORDS.contains(&word) || word.starts_with("adgang"))
}

fn refused(complaint: Complaint) -> Why {
    Why { reason: "dao refused".to_owned(), said: vec![complaint] }
}

/// What became of a request to book.
pub fn booked(response: &Response) -> Outcome {
    match read(response) {
        Reply::Done(result) => {
            accepted(&result).map_or_else(|| Outcome::Unknown(odd(response)), Outcome::Accepted)
        }
        Reply::Failed(complaint) if is_about_access(&complaint) => {
            Outcome::AccessDenied(refused(complaint))
        }
        Reply::Failed(complaint) => Outcome::Rejected(vec![complaint]),
        Reply::Odd => Outcome::Unknown(odd(response)),
    }
}

fn accepted(result: &Json) -> Option<Accepted> {
    let number = text_or_number(result, "stregkode")?;
    let parcel = BookedParcel {
        tracking_url: Some(format!("{TRACKING_LINK}{}", escape(&number))),
        tracking_number: number.clone(),
    };
    Some(Accepted {
        carrier_reference: number,
        parcels: vec![parcel],
        drop_off_codes: text_or_number(result, "labellesskode").into_iter().collect(),
        ..Accepted::default()
    })
}

/// The label in an answer: a PDF file, or why there is none.
pub fn label(response: &Response) -> Result<Vec<u8>, Why> {
    if response.status.as_u16() == 200 && response.body.starts_with(b"%PDF") {
        return Ok(response.body.to_vec());
    }
    Err(match read(response) {
        Reply::Failed(complaint) => refused(complaint),
        Reply::Done(_) | Reply::Odd => Why::from("an answer that is no label".to_owned()),
    })
}

/// What became of a request to cancel.
pub fn cancelled(response: &Response) -> Cancelled {
    match read(response) {
        Reply::Done(_) => Cancelled::Done,
        Reply::Failed(complaint) => Cancelled::Refused(complaint.message),
        Reply::Odd => Cancelled::Unknown(odd(response).to_string()),
    }
}

/// Whether an account works.
pub fn verified(response: &Response) -> Verdict {
    match read(response) {
        Reply::Done(_) => Verdict::Good,
        Reply::Failed(complaint) => Verdict::Refused(refused(complaint)),
        Reply::Odd => Verdict::Unknown(odd(response)),
    }
}

/// What came of a question. Nothing when dao knows nothing of what was asked about.
pub fn answered(response: &Response) -> Result<Option<Json>, CarrierError> {
    match read(response) {
        Reply::Done(result) => Ok(Some(result)),
        Reply::Failed(complaint) if is_about_access(&complaint) => {
            Err(CarrierError::AccessDenied(refused(complaint)))
        }
        Reply::Failed(_) => Ok(None),
        Reply::Odd => Err(unexpected(response)),
    }
}

/// The same of a question that has nothing in it but who asks: a refusal is about us.
pub fn told(response: &Response) -> Result<Json, CarrierError> {
    match read(response) {
        Reply::Done(result) => Ok(result),
        Reply::Failed(complaint) => Err(CarrierError::AccessDenied(refused(complaint))),
        Reply::Odd => Err(unexpected(response)),
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use hyper::StatusCode;
    use hyper::header::HeaderMap;

    use super::*;

    fn answer(status: u16, body: &str) -> Response {
        let status = StatusCode::from_u16(status).unwrap();
        Response { status, headers: HeaderMap::new(), body: Bytes::from(body.to_owned()) }
    }

    #[test]
    fn a_refusal_has_a_code_and_words_however_it_is_spelled() {
        for body in [
            r#"{"status":"FEJL","fejlkode":"117","fejltekst":"Ukendt postnummer"}"#,
            r#"{"status":"Fejl","fejlkode":117,"fejltekst":"Ukendt postnummer"}"#,
        ] {
            let Outcome::Rejected(complaints) = booked(&answer(200, body)) else {
                panic!("{body}")
            };
            let code = complaints[0].code.as_deref();
            assert_eq!((code, &*complaints[0].message), (Some("117"), "Ukendt postnummer"));
        }
    }

    #[test]
    fn a_refusal_that_names_the_access_is_about_us() {
        let said = |words: &str| {
            let body = format!(r#"{{"status":"FEJL","fejlkode":"1","fejltekst":"{words}"}}"#);
            booked(&answer(200, &body))
        };
        for words in
            ["Ugyldig kundeid", "Forkert Kode.", "Ingen adgang", "kundeid/kode", "Adgang nægtet"]
        {
            assert!(matches!(said(words), Outcome::AccessDenied(_)), "{words}");
        }
        for words in ["Ugyldig stregkode", "Ukendt postnummer"] {
            assert!(matches!(said(words), Outcome::Rejected(_)), "{words}");
        }
    }

    #[test]
    fn an_answer_that_ends_too_early_is_unknown_wherever_it_ends() {
        let good = r#"{"status":"OK","fejlkode":"","fejltekst":"","resultat":{"stregkode":"12"}}"#;
        let bad = r#"{"status":"FEJL","fejlkode":"117","fejltekst":"Ukendt"}"#;
        for whole in [good, bad] {
            for end in 0..whole.len() {
                let outcome = booked(&answer(200, &whole[..end]));
                assert!(matches!(outcome, Outcome::Unknown(_)), "{end} {outcome:?}");
            }
        }
    }

    #[test]
    fn who_stands_before_it_proves_nothing() {
        for (status, body) in [(401, ""), (403, "<html></html>"), (429, ""), (503, "")] {
            let mut answer = answer(status, body);
            answer.headers.insert(hyper::header::RETRY_AFTER, "9".parse().unwrap());
            assert!(matches!(booked(&answer), Outcome::Unknown(_)), "{status}");
        }
    }

    #[test]
    fn what_says_neither_yes_nor_no_is_unknown() {
        let good = r#"{"status":"OK","fejlkode":"","fejltekst":"","resultat":{"stregkode":"1"}}"#;
        assert!(matches!(booked(&answer(200, good)), Outcome::Accepted(_)));
        for (status, body) in [
            (200, "<html>OK</html>"),
            (200, ""),
            (200, &good[..40]),
            (200, r#"{"status":"OK","resultat":{}}"#),
            (200, r#"{"status":"OK","resultat":{"stregkode":""}}"#),
            (200, r#"{"status":"FEJL","fejlkode":"","fejltekst":""}"#),
            (200, r#"{"status":"VENT","fejltekst":"Prøv igen"}"#),
            (302, good),
            (400, r#"{"status":"FEJL","fejltekst":"kode"}"#),
            (404, r#"{"status":"FEJL","fejltekst":"Findes ikke"}"#),
            (500, good),
            (503, ""),
        ] {
            let outcome = booked(&answer(status, body));
            assert!(matches!(outcome, Outcome::Unknown(_)), "{status} {body} {outcome:?}");
        }
    }
}
