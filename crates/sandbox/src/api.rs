//! What the sandbox carrier answers to each request.
//!
//! | Request | Answer |
//! | --- | --- |
//! | `POST /shipments` | 201 with the booking, 4xx with `errors`, 503 with `Retry-After` |
//! | `GET /shipments?reference=` | 200 with `shipments`, 404 `not_found`, 409 `processing` |
//! | `GET /shipments?since=&after=` | 200 with `shipments`, 500 at most, and `next` |
//! | `GET /shipments/{id}/documents?format=` | 200 with `files` |
//! | `POST /shipments/{id}/cancel` | 200, or 409 when it cannot be cancelled |
//! | `GET /tracking?numbers=A,B` | 200 with `parcels`, those that it knows, a hundred at most |
//! | `GET /service-points?country=` | 200 with `points` |
//! | `POST /quotes` | 200 with `price` |
//! | `GET /health` | 200 |

use std::sync::Arc;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Incoming;
use hyper::{Method, Request, Response};
use tokio::sync::watch;
use waybill_domain::document::Format;
use waybill_domain::json::{Json, parse};
use waybill_domain::time::{Clock, Time};

use crate::label;
use crate::ledger::{Entry, Ledger, LedgerError, Sought};
use crate::points;
use crate::quote;
use crate::record::{Paper, Record, refusal, sequence};
use crate::reply::{Broken, Reply, errors, refused, response};
use crate::request::Request as Booking;
use crate::request::{IDEMPOTENT, NO_FILE};
use crate::scenario::{Documents, Scenario};
use crate::turns::Turns;
use crate::walk;

const BODY_BYTES_MAX: usize = 1024 * 1024;
/// Parcels that can be asked about at once.
const TRACK_MAX: usize = 100;
/// Bookings that are listed at once.
const LIST_MAX: usize = 500;

/// Where requests are handled.
pub struct SandboxApi {
    /// The bookings.
    pub ledger: Ledger,
    /// Where moments come from.
    pub clock: Arc<dyn Clock>,
    /// How long a booking is hidden from look-ups.
    pub visible_after: Duration,
    /// True when the service ends.
    pub is_stopping: watch::Receiver<bool>,
    /// How many service points it has.
    pub points: usize,
    /// Whose turn it is to book a reference once.
    pub turns: Turns,
}

/// Answers one request.
pub async fn answer(
    api: Arc<SandboxApi>,
    request: Request<Incoming>,
) -> Result<Response<Full<Bytes>>, Broken> {
    let path = request.uri().path().trim_matches('/').to_owned();
    let segments: Vec<&str> = path.split('/').collect();
    let query = request.uri().query().unwrap_or("").to_owned();
    let reply = match (request.method(), segments.as_slice()) {
        (&Method::POST, ["shipments"]) => book(api, request).await,
        (&Method::GET, ["shipments"]) => match parameter(&query, "since") {
            since if since.is_empty() => api.look_up(&parameter(&query, "reference")),
            since => api.list(&since, &parameter(&query, "after")),
        },
        (&Method::GET, ["shipments", id, "documents"]) => {
            api.documents(id, &parameter(&query, "format"))
        }
        (&Method::POST, ["shipments", id, "cancel"]) => api.cancel(id).await,
        (&Method::GET, ["tracking"]) => api.track(&parameter(&query, "numbers")),
        (&Method::GET, ["service-points"]) => {
            Reply::Json(200, points::list(api.points, &parameter(&query, "country")))
        }
        (&Method::POST, ["quotes"]) => quote(&api, request).await,
        (&Method::GET, ["health"]) => Reply::Json(200, Json::object([("status", "ok".into())])),
        _ => refused(404, "no_such_address", "There is nothing at this address."),
    };
    response(reply)
}

fn parameter(query: &str, name: &str) -> String {
    let mut pairs = form_urlencoded::parse(query.as_bytes());
    pairs.find(|(key, _)| key == name).map(|(_, value)| value.into_owned()).unwrap_or_default()
}

/// The body of a request, or what is wrong with it.
async fn read(request: Request<Incoming>) -> Result<Json, Reply> {
    let Ok(body) = Limited::new(request.into_body(), BODY_BYTES_MAX).collect().await else {
        return Err(refused(413, "too_large", "The request is too large, or did not end."));
    };
    parse(&body.to_bytes()).map_err(|_| refused(400, "not_json", "The request is not JSON."))
}

/// Tells a price, as late as it is told to.
async fn quote(api: &SandboxApi, request: Request<Incoming>) -> Reply {
    let quote = match read(request).await {
        Ok(body) => quote::price(&body),
        Err(reply) => return reply,
    };
    if let Some(delay) = quote.delay {
        api.is_stopped_within(delay).await;
    }
    quote.reply
}

async fn book(api: Arc<SandboxApi>, request: Request<Incoming>) -> Reply {
    let body = match read(request).await {
        Ok(body) => body,
        Err(reply) => return reply,
    };
    let booking = match Booking::read(&body) {
        Ok(booking) => booking,
        Err(complaints) => return errors(422, complaints),
    };
    let scenario = booking.scenario.clone();
    // A task of its own: hanging up does not stop it.
    let task = tokio::spawn(process(Arc::clone(&api), booking));
    match task.await.unwrap_or(Processed::Refused(Reply::Break)) {
        Processed::Booked(reply) => api.spoil(&scenario, reply).await,
        // Only the first answer is spoiled: whoever asks again is to learn that it was booked.
        Processed::Again(reply) | Processed::Refused(reply) => reply,
    }
}

/// What became of a request to book.
enum Processed {
    /// It was booked now.
    Booked(Reply),
    /// It had been booked before, with a service that books a reference once.
    Again(Reply),
    /// It was not booked.
    Refused(Reply),
}

/// Books, or says why not. With the idempotent service those who send one reference at once wait
/// for each other, and all get the first one's booking.
async fn process(api: Arc<SandboxApi>, booking: Booking) -> Processed {
    if booking.service != IDEMPOTENT {
        return book_anew(&api, booking).await;
    }
    let turn = api.turns.of(&booking.reference);
    let _turn = turn.lock().await;
    match api.ledger.first_with(&booking.reference) {
        Ok(Some(entry)) => {
            let paper = paper(&entry.record, booking.format);
            Processed::Again(Reply::Json(201, entry.record.reply("booked", paper)))
        }
        Ok(None) => book_anew(&api, booking).await,
        Err(error) => Processed::Refused(ledger_failed(&error)),
    }
}

async fn book_anew(api: &SandboxApi, booking: Booking) -> Processed {
    match try_to_book(api, booking).await {
        Ok(booked) => Processed::Booked(booked),
        Err(refusal) => Processed::Refused(refusal),
    }
}

async fn try_to_book(api: &SandboxApi, booking: Booking) -> Result<Reply, Reply> {
    let received = api.clock.monotonic();
    let _processing = api.ledger.processing(&booking.reference);
    let scenario = booking.scenario.clone();
    if let Some(delay) = scenario.delay
        && api.is_stopped_within(delay).await
    {
        return Err(refused(503, "stopping", "The sandbox is stopping. Nothing was booked."));
    }
    if let Some(status) = scenario.error {
        return Err(refused(status, "failure", "The sandbox failed, as it was told to."));
    }
    if scenario.reject {
        let message = "The sandbox does not deliver there, as it was told.";
        return Err(errors(422, vec![refusal(Some("to.postal_code"), "not_served", message)]));
    }
    if booking.taken() == 0 {
        let message = "This parcel is not taken.";
        return Err(errors(422, vec![refusal(Some("parcels.0"), "parcel_refused", message)]));
    }
    let format = booking.format;
    let parcels = u64::try_from(booking.parcels).unwrap_or(0);
    let sequence = api.ledger.numbers(parcels);
    let record = Record::new(booking, sequence, api.clock.now());
    if let Err(error) = api.ledger.book(&record, received + api.visible_after).await {
        tracing::error!(%error, "the sandbox carrier could not book");
        return Err(refused(500, "journal", "The journal could not be written."));
    }
    let paper = match scenario.documents {
        Documents::Ready => paper(&record, format),
        Documents::Fail | Documents::FailOnce | Documents::After(_) => None,
    };
    Ok(Reply::Json(201, record.reply("booked", paper)))
}

/// The label in this format, or what it must show for those who draw it themselves.
fn paper(record: &Record, format: Option<Format>) -> Option<Paper> {
    let Some(format) = format else { return Some(Paper::Marks) };
    let data = STANDARD.encode(label::make(record, format)?);
    Some(Paper::File(Json::object([("format", format.name().into()), ("data", data.into())])))
}

impl SandboxApi {
    /// Waits, and says whether the service was stopped before the time was over.
    async fn is_stopped_within(&self, time: Duration) -> bool {
        let mut is_stopping = self.is_stopping.clone();
        let stopped = is_stopping.wait_for(|is_stopping| *is_stopping);
        tokio::time::timeout(time, stopped).await.is_ok()
    }

    /// Makes of a good answer to a booking what the scenario wants.
    async fn spoil(&self, scenario: &Scenario, reply: Reply) -> Reply {
        if let Some(late) = scenario.late
            && self.is_stopped_within(late).await
        {
            return Reply::Break;
        }
        match scenario {
            Scenario { drop: true, .. } => Reply::Break,
            Scenario { garbage: true, .. } => Reply::Garbage,
            _ => reply,
        }
    }

    fn look_up(&self, reference: &str) -> Reply {
        let miss = |status, code: &str, message: &str| {
            let errors = Json::list([refusal(None, code, message)]);
            Reply::Json(status, Json::object([("reference", reference.into()), ("errors", errors)]))
        };
        let found = match self.ledger.by_reference(reference, self.clock.monotonic()) {
            Ok(Sought::Found(found)) => found,
            Ok(Sought::Processing) => {
                return miss(409, "processing", "This reference is being booked.");
            }
            Err(error) => return ledger_failed(&error),
        };
        if found.iter().any(|entry| entry.record.service == "no_lookup") {
            return miss(404, "not_supported", "This service cannot be looked up.");
        }
        if found.is_empty() {
            return miss(404, "not_found", "There is no booking with this reference.");
        }
        let found = found.iter().map(|entry| entry.record.reply(status(entry), None));
        Reply::Json(200, Json::object([("shipments", Json::list(found))]))
    }

    /// What was booked from this time on, and what is cancelled.
    fn list(&self, since: &str, after: &str) -> Reply {
        let Some(since) = Time::parse(since) else {
            return refused(400, "not_a_time", "`since` is not a time.");
        };
        match self.ledger.list(since, sequence(after), LIST_MAX) {
            Ok((entries, next)) => {
                let rows = entries.iter().map(|entry| entry.record.listed(status(entry)));
                let next = next.map(|id| id.into()).unwrap_or(Json::Null);
                Reply::Json(200, Json::object([("shipments", Json::list(rows)), ("next", next)]))
            }
            Err(error) => ledger_failed(&error),
        }
    }

    /// What is known of these parcels.
    fn track(&self, numbers: &str) -> Reply {
        let numbers: Vec<&str> = numbers.split(',').filter(|number| !number.is_empty()).collect();
        if numbers.len() > TRACK_MAX {
            return refused(422, "too_many", "At most a hundred parcels can be asked about.");
        }
        let now = self.clock.now();
        let mut parcels = Vec::new();
        for number in numbers {
            match self.ledger.by_number(number) {
                Ok(None) => {}
                Ok(Some(Entry { record, is_cancelled })) => {
                    parcels.push(walk::parcel(&record, number, is_cancelled, now));
                }
                Err(error) => return ledger_failed(&error),
            }
        }
        Reply::Json(200, Json::object([("parcels", Json::List(parcels))]))
    }

    fn entry(&self, id: &str) -> Result<Entry, Reply> {
        match self.ledger.by_id(id) {
            Ok(Some(entry)) => Ok(entry),
            Ok(None) => Err(refused(404, "not_found", "There is no booking with this id.")),
            Err(error) => Err(ledger_failed(&error)),
        }
    }

    fn documents(&self, id: &str, format: &str) -> Reply {
        let entry = match self.entry(id) {
            Ok(entry) => entry,
            Err(reply) => return reply,
        };
        let is_first = self.ledger.is_first_asked(entry.record.sequence);
        let age = self.clock.now().since(entry.record.at);
        match entry.record.scenario().documents {
            Documents::FailOnce if is_first => {}
            Documents::After(time) if age < time => {}
            Documents::Ready | Documents::FailOnce | Documents::After(_) => {
                let format = match format {
                    NO_FILE => Some(None),
                    name => Format::parse(name).map(Some),
                };
                let paper = format.and_then(|format| paper(&entry.record, format));
                return match paper {
                    Some(_) => Reply::Json(200, entry.record.reply(status(&entry), paper)),
                    None => refused(422, "no_such_label", "The sandbox makes no such labels."),
                };
            }
            Documents::Fail => {}
        }
        refused(500, "no_documents", "The label could not be made, as it was told.")
    }

    async fn cancel(&self, id: &str) -> Reply {
        let entry = match self.entry(id) {
            Ok(entry) => entry,
            Err(reply) => return reply,
        };
        if entry.record.scenario().refuse_cancel {
            return refused(409, "under_way", "The parcel is under way, as it was told.");
        }
        let is_first = match self.ledger.cancel(&entry.record, self.clock.now()).await {
            Ok(is_first) => is_first,
            Err(error) => return ledger_failed(&error),
        };
        if is_first && entry.record.scenario().drop_cancel {
            return Reply::Break;
        }
        Reply::Json(200, entry.record.reply("cancelled", None))
    }
}

/// The ledger cannot say or write it, and this is why.
fn ledger_failed(error: &LedgerError) -> Reply {
    refused(500, "journal", &error.to_string())
}

fn status(entry: &Entry) -> &'static str {
    if entry.is_cancelled { "cancelled" } else { "booked" }
}
