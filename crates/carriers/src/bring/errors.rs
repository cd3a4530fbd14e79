//! What each reply of Bring means. What is not listed is unknown: the consignment may be there.

use waybill_domain::booking::Reference;
use waybill_domain::json::Json;
use waybill_outbound::line::Response;

use super::account::Options;
use super::uncertain::TRACKING_LINK;
use crate::account::Verdict;
use crate::answers::{is_turned_away, odd, turned_away};
use crate::booking::{Accepted, BookedParcel, Complaint, Found, Outcome, Partial, Why};
use crate::members::{body, list, text, text_or_number};
use crate::texts::escape;

/// Codes that begin like this are mistakes of Bring's own: they prove nothing.
const THEIR_OWN: &str = "BOOK-INTERNAL-";
/// We may not do what we asked for.
const NO_RIGHT: &str = "BOOK-AUTHORIZATION-001";
const NOT_FOUND: &str = "404";

/// What became of a request to book that many parcels.
pub fn booked(response: &Response, reference: &Reference, parcels: usize) -> Outcome {
    let (status, body) = (response.status.as_u16(), body(response));
    let consignment = list(&body, "consignments").first();
    let refusals = consignment.map(|it| refusals(it, reference)).unwrap_or_default();
    // What has a number is there, whatever stands beside it.
    if let Some(confirmation) = consignment.and_then(confirmation) {
        let sent = (reference, parcels);
        return taken(confirmation, &refusals, sent).unwrap_or_else(|| doubt(response, refusals));
    }
    match status {
        401 => Outcome::AccessDenied(denied(response, refusals)),
        _ if is_turned_away(response) => turned_away(response, odd(response)),
        200..=299 | 400..=499 if !refusals.is_empty() => refused(response, refusals),
        403 => Outcome::AccessDenied(odd(response)),
        _ => doubt(response, refusals),
    }
}

fn denied(response: &Response, said: Vec<Complaint>) -> Why {
    if said.is_empty() { odd(response) } else { Why { reason: "Bring refused".to_owned(), said } }
}

fn doubt(response: &Response, said: Vec<Complaint>) -> Outcome {
    Outcome::Unknown(Why { said, ..odd(response) })
}

fn is_their_own(complaint: &Complaint) -> bool {
    complaint.code.as_deref().is_some_and(|code| code.starts_with(THEIR_OWN))
}

fn refused(response: &Response, said: Vec<Complaint>) -> Outcome {
    if said.iter().any(is_their_own) {
        return doubt(response, said);
    }
    if said.iter().any(|it| it.code.as_deref() == Some(NO_RIGHT)) {
        return Outcome::AccessDenied(denied(response, said));
    }
    Outcome::Rejected(said)
}

/// What Bring has against a consignment. An entry without a code and without words is none.
fn refusals(consignment: &Json, reference: &Reference) -> Vec<Complaint> {
    let complaint = |entry: &Json| {
        let code = text(entry, "code").map(str::to_owned);
        let messages = list(entry, "messages");
        let english = messages.iter().find(|it| text(it, "lang") == Some("en"));
        let message = english.or(messages.first()).and_then(|it| text(it, "message"));
        let message = message.map(str::to_owned).or_else(|| code.clone())?;
        let path = text(entry, "packageCorrelationId").and_then(|id| parcel_path(id, reference));
        Some(Complaint { path, code, message })
    };
    list(consignment, "errors").iter().filter_map(complaint).collect()
}

/// The path of the parcel that is called `<reference>-<n>`.
fn parcel_path(id: &str, reference: &Reference) -> Option<String> {
    let number: usize = id.strip_prefix(reference.as_str())?.strip_prefix('-')?.parse().ok()?;
    Some(format!("parcels.{}", number.checked_sub(1)?))
}

/// What Bring confirms of a consignment; nothing when no number stands in it.
fn confirmation(consignment: &Json) -> Option<&Json> {
    let confirmation = consignment.member("confirmation")?;
    let mut packages = list(confirmation, "packages").iter();
    let has_number = text_or_number(confirmation, "consignmentNumber").is_some()
        || packages.any(|it| text_or_number(it, "packageNumber").is_some());
    has_number.then_some(confirmation)
}

/// What became of so many parcels of which some have a number. Nothing when one has none, and no
/// word why.
fn taken(
    confirmation: &Json,
    refusals: &[Complaint],
    (reference, parcels): (&Reference, usize),
) -> Option<Outcome> {
    let packages = list(confirmation, "packages");
    if packages.len() == parcels {
        let packages = in_order(packages, reference).unwrap_or_else(|| packages.iter().collect());
        return accepted(confirmation, &packages).map(Outcome::Accepted);
    }
    let named: Vec<Option<&Json>> =
        (1..=parcels).map(|number| package(packages, reference, number)).collect();
    let there: Vec<&Json> = named.iter().copied().flatten().collect();
    let missing: Vec<usize> = (0..parcels).filter(|place| named[*place].is_none()).collect();
    let is_told = |place: &usize| {
        let path = format!("parcels.{place}");
        refusals.iter().any(|it| it.path.as_ref() == Some(&path) && !is_their_own(it))
    };
    if there.is_empty() || there.len() != packages.len() || !missing.iter().all(is_told) {
        return None;
    }
    let accepted = accepted(confirmation, &there)?;
    Some(Outcome::Partial(Partial { accepted, missing, complaints: refusals.to_vec() }))
}

/// These packages of a consignment, when all have their numbers.
fn accepted(confirmation: &Json, packages: &[&Json]) -> Option<Accepted> {
    let told = confirmation.member("links").and_then(|links| text(links, "tracking"));
    let booked = |package: &&Json| parcel(package, told);
    let booked: Option<Vec<BookedParcel>> = packages.iter().map(booked).collect();
    let codes = packages.iter().filter_map(|package| text_or_number(package, "labelFreeCode"));
    let labels = confirmation.member("links").and_then(|links| text(links, "labels"));
    Some(Accepted {
        carrier_reference: text_or_number(confirmation, "consignmentNumber")?,
        parcels: booked?,
        drop_off_codes: codes.collect(),
        carrier_data: labels.map(str::to_owned),
        ..Accepted::default()
    })
}

/// A package that has its number, and where people see where it is: at the link that Bring told, or
/// else where Bring's own page has that number.
fn parcel(package: &Json, told: Option<&str>) -> Option<BookedParcel> {
    let tracking_number = text_or_number(package, "packageNumber")?;
    let own = || format!("{TRACKING_LINK}{}", escape(&tracking_number));
    let tracking_url = Some(told.map_or_else(own, str::to_owned));
    Some(BookedParcel { tracking_number, tracking_url })
}

/// The packages by our names for them; nothing when one of them has none.
fn in_order<'a>(packages: &'a [Json], reference: &Reference) -> Option<Vec<&'a Json>> {
    (1..=packages.len()).map(|number| package(packages, reference, number)).collect()
}

/// The package that has our name for this parcel, from 1.
fn package<'a>(packages: &'a [Json], reference: &Reference, number: usize) -> Option<&'a Json> {
    let name = format!("{reference}-{number}");
    packages.iter().find(|it| text(it, "correlationId") == Some(name.as_str()))
}

/// What Bring's tracking knows about a reference. `may_be_absent` is false where the reference went
/// to a field that is not looked at.
pub fn found(
    response: &Response,
    reference: &Reference,
    parcels: usize,
    may_be_absent: bool,
) -> Found {
    let unknown = || Found::Unknown(odd(response));
    let body = body(response);
    let sets = list(&body, "consignmentSet");
    if sets.is_empty() || !matches!(response.status.as_u16(), 200 | 404) {
        return unknown();
    }
    if is_unknown_there(sets) {
        return if may_be_absent { Found::Absent } else { unknown() };
    }
    let mut ours =
        sets.iter().filter(|set| text(set, "senderReference") == Some(reference.as_str()));
    match (ours.next(), ours.next()) {
        (Some(only), None) => consignment(only, parcels).map_or_else(unknown, Found::Accepted),
        _ => unknown(),
    }
}

/// Whether every entry says that there is nothing.
pub fn is_unknown_there(sets: &[Json]) -> bool {
    let is_missing = |set: &Json| {
        let code = set.member("error").and_then(|error| text_or_number(error, "code"));
        code.as_deref() == Some(NOT_FOUND)
    };
    !sets.is_empty() && sets.iter().all(is_missing)
}

fn consignment(set: &Json, parcels: usize) -> Option<Accepted> {
    let packages = list(set, "packageSet").iter();
    let booked: Option<Vec<BookedParcel>> = packages.map(|package| parcel(package, None)).collect();
    Some(Accepted {
        carrier_reference: text_or_number(set, "consignmentId")?,
        parcels: booked.filter(|booked| booked.len() == parcels)?,
        ..Accepted::default()
    })
}

/// Whether an account works, and has the customer numbers that it names.
pub fn verified(response: &Response, options: Options<'_>) -> Verdict {
    match response.status.as_u16() {
        200 => {}
        401 => return Verdict::Refused(odd(response)),
        _ => return Verdict::Unknown(odd(response)),
    }
    let body = body(response);
    let Some(Json::List(customers)) = body.member("customers") else {
        return Verdict::Unknown(odd(response));
    };
    let listed: Vec<String> =
        customers.iter().filter_map(|it| text_or_number(it, "customerNumber")).collect();
    for (option, number) in options.customer_numbers() {
        if !listed.iter().any(|it| is_same_number(it, number)) {
            let message = format!("Bring does not list the customer number {number}.");
            let path = Some(format!("options.{option}"));
            let said = vec![Complaint { path, code: None, message }];
            return Verdict::Refused(Why { reason: "an unknown number".to_owned(), said });
        }
    }
    Verdict::Good
}

/// `PARCELS_NORWAY-00000000005` is `5`.
fn is_same_number(one: &str, other: &str) -> bool {
    fn bare(number: &str) -> &str {
        let digits = number.rsplit_once('-').map_or(number, |(_, digits)| digits);
        digits.trim_start_matches('0')
    }
    one == other || bare(one) == bare(other)
}

#[cfg(test)]
mod tests;
