//! What each answer to a booking means. What is not listed is unknown: it may have been booked.

use waybill_domain::document::Format;
use waybill_domain::json::Json;
use waybill_outbound::line::Response;

use super::account::Options;
use super::kept::Kept;
use super::labels;
use super::wire::parcel_reference;
use crate::CarrierError;
use crate::answers::{is_turned_away, odd, turned_away, unexpected};
use crate::booking::{Accepted, BookedParcel, Complaint, Outcome, Partial, Why};
use crate::members::{body, list, text, text_or_number, within};
use crate::plausible::link;

/// The statuses of an answer that says what was wrong, and that nothing was created.
const REFUSED: [u16; 4] = [400, 404, 405, 499];
/// What an entry says that failed.
const FAILED: [&str; 2] = ["FAIL", "ERROR"];
/// What stands in the place of a number that PostNord is to choose.
const CHOOSE: &str = "0";
/// The end of the key of a fault's own code.
const CODE_KEY: &str = "subType";

/// What was sent, as far as the answer needs it.
pub struct Sent<'a> {
    /// Our reference.
    pub reference: &'a str,
    /// How many parcels it has.
    pub parcels: usize,
    /// The account's options.
    pub options: Options<'a>,
    /// What kind of label was asked for.
    pub format: Format,
    /// What people are spoken to in.
    pub locale: &'static str,
}

/// What became of a request to book.
pub fn booked(response: &Response, sent: &Sent<'_>) -> Outcome {
    let unknown = || Outcome::Unknown(odd(response));
    let (status, body) = (response.status.as_u16(), body(response));
    let is_no = status == 200 || REFUSED.contains(&status);
    let told = body.member("bookingResponse").unwrap_or(&Json::Null);
    if !list(told, "idInformation").is_empty() || has_number(&body) {
        return match taken(&body, sent) {
            Some(Outcome::Rejected(_)) if !is_no => unknown(),
            outcome => outcome.unwrap_or_else(unknown),
        };
    }
    if is_turned_away(response) {
        return turned_away(response, odd(response));
    }
    match status {
        401 | 403 => Outcome::AccessDenied(denied(response)),
        _ if REFUSED.contains(&status) => match complaints(&body) {
            complaints if complaints.is_empty() => unknown(),
            complaints => Outcome::Rejected(complaints),
        },
        _ => unknown(),
    }
}

/// Whether a number of a parcel stands anywhere in a body.
fn has_number(body: &Json) -> bool {
    let told = body.member("bookingResponse").unwrap_or(&Json::Null);
    let has_own = list(told, "idInformation").iter().any(|entry| !numbers(entry).is_empty());
    let printed = list(body, "labelPrintout").iter().flat_map(|entry| list(entry, "itemIds"));
    has_own
        || printed.filter_map(|item| text_or_number(item, "itemIds")).any(|number| number != CHOOSE)
}

/// That we were refused, in the words of the gateway before PostNord.
pub fn denied(response: &Response) -> Why {
    let body = body(response);
    let words = within(&body, &["error"]).and_then(|error| text(error, "message"));
    let said =
        words.map(|message| Complaint { path: None, code: None, message: message.to_owned() });
    let odd = odd(response);
    Why { said: said.map_or(odd.said, |complaint| vec![complaint]), ..odd }
}

/// The same of a question.
pub fn refused(response: &Response) -> CarrierError {
    match response.status.as_u16() {
        401 | 403 => CarrierError::AccessDenied(denied(response)),
        _ => unexpected(response),
    }
}

/// What PostNord did not like: each fault, or else the message above them.
pub fn complaints(error: &Json) -> Vec<Complaint> {
    let faults = within(error, &["compositeFault"]).map_or(&[][..], |it| list(it, "faults"));
    let complaint = |fault: &Json| {
        let references = list(fault, "faultReferences").iter();
        let coded =
            references.filter(|it| text(it, "key").is_some_and(|key| key.ends_with(CODE_KEY)));
        let code = coded.filter_map(|it| text(it, "value")).next();
        Some(Complaint {
            path: None,
            code: code.or_else(|| text(fault, "faultCode")).map(str::to_owned),
            message: text(fault, "explanationText")?.to_owned(),
        })
    };
    let told: Vec<Complaint> = faults.iter().filter_map(complaint).collect();
    let message = text(error, "message").filter(|_| told.is_empty());
    let message =
        message.map(|message| Complaint { path: None, code: None, message: message.to_owned() });
    told.into_iter().chain(message).collect()
}

/// What a body says was booked; nothing when a parcel has no number and no word why.
fn taken(body: &Json, sent: &Sent<'_>) -> Option<Outcome> {
    let response = body.member("bookingResponse")?;
    let entries = Entries::read(response, sent)?;
    if entries.numbers.iter().all(Option::is_none) {
        let said = match entries.complaints {
            said if said.is_empty() => complaints(body),
            said => said,
        };
        let is_proven = !said.is_empty() && !has_number(body);
        return is_proven.then_some(Outcome::Rejected(said));
    }
    let missing: Vec<usize> = places(&entries.numbers, Option::is_none);
    let accepted = accepted(response, body, &entries, sent);
    match (missing.is_empty(), entries.complaints.is_empty()) {
        (true, true) => Some(Outcome::Accepted(accepted)),
        (false, false) => {
            let complaints = entries.complaints;
            Some(Outcome::Partial(Partial { accepted, missing, complaints }))
        }
        // A parcel without a number and without a word why, or words against nothing.
        _ => None,
    }
}

fn places<T>(all: &[T], is_meant: impl Fn(&T) -> bool) -> Vec<usize> {
    all.iter().enumerate().filter(|(_, it)| is_meant(it)).map(|(place, _)| place).collect()
}

/// A parcel's number, and the name under which its label is printed.
#[derive(Clone)]
struct Number {
    item: String,
    print: String,
    link: Option<String>,
}

/// What an answer says of each parcel.
struct Entries {
    /// By place.
    numbers: Vec<Option<Number>>,
    /// What it says of those without a number.
    complaints: Vec<Complaint>,
}

impl Entries {
    fn read(response: &Json, sent: &Sent<'_>) -> Option<Entries> {
        let mut found = Entries { numbers: Vec::new(), complaints: Vec::new() };
        let mut placed: Vec<(usize, Option<Number>)> = Vec::new();
        let mut have_all_failed = true;
        for entry in list(response, "idInformation") {
            let has_failed = text(entry, "status").is_some_and(|status| FAILED.contains(&status));
            let numbers = match has_failed {
                true => {
                    let error = entry.member("errorResponse").unwrap_or(&Json::Null);
                    found.complaints.extend(complaints(error));
                    // One that failed as a whole is about all that no other entry tells of.
                    vec![None; items(entry).count().max(1)]
                }
                false => numbers(entry).into_iter().map(Some).collect(),
            };
            have_all_failed &= has_failed;
            let first = own_place(entry, sent).unwrap_or(placed.len());
            placed.extend(numbers.into_iter().enumerate().map(|(at, it)| (first + at, it)));
        }
        if have_all_failed && !placed.is_empty() {
            found.numbers = vec![None; sent.parcels];
            return Some(found);
        }
        placed.sort_by_key(|(place, _)| *place);
        let is_each_once = placed.iter().map(|(place, _)| *place).eq(0..sent.parcels);
        found.numbers = placed.into_iter().map(|(_, number)| number).collect();
        // What did not fail has a number.
        (is_each_once && found.numbers.iter().any(Option::is_some)).then_some(found)
    }
}

/// The place of the parcel that an entry is about, when it names our reference of it.
fn own_place(entry: &Json, sent: &Sent<'_>) -> Option<usize> {
    let references = list(entry.member("references")?, "item");
    let names = |place: &usize| {
        let ours = parcel_reference(sent.reference, *place);
        references.iter().any(|it| text(it, "referenceNo") == Some(&ours))
    };
    (0..sent.parcels).find(names)
}

/// What an entry says of its parcels, one by one.
fn items(entry: &Json) -> impl Iterator<Item = &Json> {
    list(entry, "ids").iter().filter(|id| text(id, "idType") == Some("itemId"))
}

/// The numbers of an entry, each with its link when there is one for each.
fn numbers(entry: &Json) -> Vec<Number> {
    let number = |id: &Json| {
        let item = text_or_number(id, "value").filter(|value| value != CHOOSE)?;
        let print = text(id, "printId").unwrap_or(&item).to_owned();
        Some(Number { item, print, link: None })
    };
    let mut numbers: Vec<Number> = items(entry).filter_map(number).collect();
    let links = list(entry, "urls").iter().filter(|url| text(url, "type") == Some("TRACKING"));
    let links: Vec<&str> = links.filter_map(|url| link(text(url, "url")?)).collect();
    if links.len() == numbers.len() {
        for (number, link) in numbers.iter_mut().zip(links) {
            number.link = Some(link.to_owned());
        }
    }
    numbers
}

fn accepted(response: &Json, body: &Json, entries: &Entries, sent: &Sent<'_>) -> Accepted {
    let taken: Vec<&Number> = entries.numbers.iter().flatten().collect();
    let has_links = taken.iter().all(|number| number.link.is_some());
    let parcels = taken.iter().map(|number| BookedParcel {
        tracking_number: number.item.clone(),
        tracking_url: match has_links {
            true => number.link.clone(),
            false => Some(sent.options.tracking_link(&number.item)),
        },
    });
    let printouts = list(body, "labelPrintout");
    let ids = taken.iter().map(|number| number.print.clone()).collect();
    let kept = Kept { ids, locale: Some(sent.locale.to_owned()) };
    let by_place: Vec<Option<String>> =
        entries.numbers.iter().map(|it| it.as_ref().map(|number| number.item.clone())).collect();
    Accepted {
        carrier_reference: text(response, "bookingId").unwrap_or(sent.reference).to_owned(),
        parcels: parcels.collect(),
        files: labels::files(printouts, &by_place, sent.format, sent.options),
        qr_codes: labels::qr_codes(printouts),
        carrier_data: Some(kept.to_text()),
        ..Accepted::default()
    }
}
