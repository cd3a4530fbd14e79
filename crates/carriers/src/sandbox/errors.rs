//! What each reply of the sandbox carrier means, as tables. What is not listed is unknown: the
//! booking may have been made.

use hyper::header::RETRY_AFTER;
use waybill_domain::booking::Reference;
use waybill_domain::json::Json;
use waybill_domain::measure::Money;
use waybill_domain::point::Point;
use waybill_outbound::line::Response;

use crate::booking::{Accepted, CarrierFiles, Complaint, Found, Outcome, Partial, Why};
use crate::members::body;
use crate::tracking::NumberAnswer;
use crate::{Cancelled, CarrierBooking, CarrierError};

use super::{track, wire};

/// What a status can mean. Each meaning must also be borne out by the body or a header.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Meaning {
    /// It is booked, if the body has our reference and an id.
    Taken,
    /// Nothing was created, if the body says what was wrong.
    Refused,
    /// It was turned away unread, if the carrier says when to come back.
    TurnedAway,
    /// There is no such booking, if the body says so.
    Absent,
}

type Table = &'static [(u16, Meaning)];

/// The answers to a request to book.
const BOOKING: Table = &[
    (201, Meaning::Taken),
    (400, Meaning::Refused),
    (413, Meaning::Refused),
    (422, Meaning::Refused),
    (429, Meaning::TurnedAway),
    (503, Meaning::TurnedAway),
];
/// The answers to a look-up.
const LOOKUP: Table = &[(200, Meaning::Taken), (404, Meaning::Absent)];
/// The answers to a request to cancel.
const CANCELLING: Table = &[(200, Meaning::Taken), (409, Meaning::Refused)];
/// The code of an answer that a reference is not there. Any other 404 may be a wrong address.
const NOT_FOUND: &str = "not_found";

fn meaning(table: Table, response: &Response) -> Option<Meaning> {
    let status = response.status.as_u16();
    table.iter().find(|(listed, _)| *listed == status).map(|(_, meaning)| *meaning)
}

fn is_about(body: &Json, reference: &Reference) -> bool {
    wire::text(body, "reference") == Some(reference.as_str())
}

fn odd(response: &Response) -> String {
    format!("an answer with status {} that proves nothing", response.status.as_u16())
}

/// What the carrier said in an answer that proves nothing: its complaints, or else its words as
/// they came. What looks like success is not words.
fn why(reason: String, response: &Response, body: &Json) -> Why {
    let mut said = wire::complaints(body);
    let is_failure = response.status.is_client_error() || response.status.is_server_error();
    let text = std::str::from_utf8(&response.body).unwrap_or_default().trim();
    if said.is_empty() && is_failure && !text.is_empty() {
        said.push(Complaint { path: None, code: None, message: text.to_owned() });
    }
    Why { reason, said }
}

/// What became of a request to book that many parcels.
pub fn booked(response: &Response, reference: &Reference, parcels: usize) -> Outcome {
    let body = body(response);
    let unknown = || Outcome::Unknown(why(odd(response), response, &body));
    match meaning(BOOKING, response) {
        Some(Meaning::Taken) if is_about(&body, reference) => match taken(&body) {
            Some(taken) if taken.count() != parcels => unknown(),
            Some(Taken::All(accepted)) => Outcome::Accepted(accepted),
            Some(Taken::Some(partial)) => Outcome::Partial(partial),
            None => unknown(),
        },
        Some(Meaning::Refused) => match wire::complaints(&body) {
            complaints if complaints.is_empty() => unknown(),
            complaints => Outcome::Rejected(complaints),
        },
        Some(Meaning::TurnedAway) if response.headers.contains_key(RETRY_AFTER) => {
            let words = format!("turned away with status {}", response.status.as_u16());
            Outcome::NotSent(why(words, response, &body))
        }
        _ => unknown(),
    }
}

/// A booking in a body.
enum Taken {
    All(Accepted),
    Some(Partial),
}

impl Taken {
    /// How many parcels it is about.
    fn count(&self) -> usize {
        match self {
            Taken::All(accepted) => accepted.parcels.len(),
            Taken::Some(partial) => partial.accepted.parcels.len() + partial.missing.len(),
        }
    }
}

/// The booking in a body, with the complaints when only a part of it was taken.
fn taken(body: &Json) -> Option<Taken> {
    let (accepted, missing) = wire::accepted(body)?;
    let complaints = wire::complaints(body);
    match (missing.is_empty(), complaints.is_empty()) {
        _ if accepted.parcels.is_empty() => None,
        (true, true) => Some(Taken::All(accepted)),
        (false, false) => Some(Taken::Some(Partial { accepted, missing, complaints })),
        // A parcel without a number and without a word why, or words against nothing.
        _ => None,
    }
}

/// What the carrier knows about a reference.
pub fn found(response: &Response, reference: &Reference) -> Found {
    let body = body(response);
    let unknown = || Found::Unknown(why(odd(response), response, &body));
    match meaning(LOOKUP, response) {
        Some(Meaning::Taken) => {
            // Only the first counts: were there two, the second would be the mistake.
            let Some(first) = wire::list(&body, "shipments").first() else { return unknown() };
            match taken(first).filter(|_| is_about(first, reference)) {
                Some(Taken::All(accepted)) => Found::Accepted(accepted),
                Some(Taken::Some(partial)) => Found::Partial(partial),
                None => unknown(),
            }
        }
        Some(Meaning::Absent) if says(&body, NOT_FOUND) && is_about(&body, reference) => {
            Found::Absent
        }
        _ => unknown(),
    }
}

fn says(body: &Json, code: &str) -> bool {
    wire::list(body, "errors").iter().any(|entry| wire::text(entry, "code") == Some(code))
}

/// The papers in the answer to a request for documents.
pub fn documents(response: &Response, reference: &Reference) -> Result<CarrierFiles, Why> {
    let body = body(response);
    let papers = wire::papers(&body);
    if response.status.as_u16() == 200 && is_about(&body, reference) && !papers.is_empty() {
        return Ok(papers);
    }
    let words = format!("no documents, but an answer with status {}", response.status.as_u16());
    Err(why(words, response, &body))
}

fn unexpected(response: &Response) -> CarrierError {
    CarrierError::Unexpected(odd(response).into())
}

/// What is said about parcels.
pub fn tracked(response: &Response) -> Result<Vec<NumberAnswer>, CarrierError> {
    let answers = track::answers(&body(response));
    answers.filter(|_| response.status.as_u16() == 200).ok_or_else(|| unexpected(response))
}

/// The points in the answer to a request for them. One that cannot be read spoils the list: a
/// point that is missing from it would be let go.
pub fn points(response: &Response) -> Result<Vec<Point>, CarrierError> {
    let body = body(response);
    match (response.status.as_u16(), body.member("points")) {
        (200, Some(Json::List(entries))) => {
            let points: Option<Vec<Point>> = entries.iter().map(wire::point).collect();
            points.ok_or(CarrierError::Unreadable("a service point"))
        }
        _ => Err(unexpected(response)),
    }
}

/// One page of the list of bookings.
pub struct BookingPage {
    /// The bookings.
    pub bookings: Vec<CarrierBooking>,
    /// Where the next page begins, when there is one.
    pub next: Option<String>,
}

/// The bookings in an answer. One that cannot be read spoils the list: it would be overlooked.
pub fn listed(response: &Response) -> Result<BookingPage, CarrierError> {
    let body = body(response);
    if response.status.as_u16() != 200 {
        return Err(unexpected(response));
    }
    let entries = wire::list(&body, "shipments").iter().map(wire::listed);
    let bookings: Option<Vec<CarrierBooking>> = entries.collect();
    let bookings = bookings.ok_or(CarrierError::Unreadable("a booking"))?;
    Ok(BookingPage { bookings, next: wire::text(&body, "next").map(str::to_owned) })
}

/// The price in the answer to a question.
pub fn price(response: &Response) -> Result<Option<Money>, CarrierError> {
    match response.status.as_u16() {
        200 => Ok(wire::price(&body(response))),
        _ => Err(unexpected(response)),
    }
}

/// What became of a request to cancel.
pub fn cancelled(response: &Response, reference: &Reference) -> Cancelled {
    let body = body(response);
    match meaning(CANCELLING, response) {
        Some(Meaning::Taken)
            if is_about(&body, reference) && wire::text(&body, "status") == Some("cancelled") =>
        {
            Cancelled::Done
        }
        Some(Meaning::Refused) => match wire::complaints(&body).into_iter().next() {
            Some(complaint) => Cancelled::Refused(complaint.message),
            None => Cancelled::Unknown(odd(response)),
        },
        _ => Cancelled::Unknown(odd(response)),
    }
}

#[cfg(test)]
mod tests;
