//! What each answer of GLS means. Its errors stand in headers, and the gateway's in the body. What
//! is not listed is unknown: it may have been booked.

use waybill_domain::json::Json;
use waybill_outbound::line::Response;

use crate::CarrierError;
use crate::answers::{is_turned_away, odd, turned_away, unexpected};
use crate::booking::{Complaint, Outcome, Why};
use crate::members::{body, list, text, text_or_number, within};

/// A refusal of us, not of the parcel.
const DENIED_CODE: &str = "ACCESS_TO_SHIPPER_DENIED";
/// The field that names us.
const OUR_FIELD: &str = "Shipper.ContactID";
/// What stands before the name of a field in a message.
const FIELD_MARK: &str = "Invalid field ";

/// The ends of GLS's fields, and ours below a party.
const PARTY_FIELDS: &[(&str, &str)] = &[
    ("zipcode", "address.postal_code"),
    ("zip", "address.postal_code"),
    ("city", "address.city"),
    ("street", "address.address_lines.0"),
    // Where there is a company, it is its name.
    ("name1", "contact.name"),
    ("email", "contact.email"),
];
/// The same of those that belong to no party.
const FIELDS: &[(&str, &str)] = &[
    ("parcelshopid", "delivery.pickup_point.code"),
    ("product", "delivery.service_code"),
    ("service", "delivery.service_code"),
    ("weight", "parcels.0.gross_weight"),
];

/// The code in the header of an error.
pub fn code(response: &Response) -> Option<&str> {
    header(response, "error")
}

fn header<'a>(response: &'a Response, name: &str) -> Option<&'a str> {
    let value = response.headers.get(name).and_then(|value| value.to_str().ok())?;
    Some(value.trim()).filter(|value| !value.is_empty())
}

/// What GLS or its gateway did not like.
pub fn complaints(response: &Response) -> Vec<Complaint> {
    if let Some(code) = code(response) {
        let message = header(response, "message").unwrap_or(code);
        let field = message.split_once(FIELD_MARK).map(|(_, rest)| field_name(rest));
        let field = field.or_else(|| header(response, "args"));
        let path = field.and_then(our_path);
        return vec![Complaint { path, code: Some(code.to_owned()), message: message.to_owned() }];
    }
    let body = body(response);
    let complaint = |error: &Json| {
        Some(Complaint {
            path: text(error, "field").and_then(our_path),
            code: text_or_number(error, "code"),
            message: text(error, "message")?.to_owned(),
        })
    };
    list(&body, "errors").iter().filter_map(complaint).collect()
}

/// The name at the start of a text: up to a dot that ends a sentence, or a space.
fn field_name(text: &str) -> &str {
    let word = text.split_whitespace().next().unwrap_or_default();
    word.trim_end_matches(['.', ':', ','])
}

/// Our path for a field of GLS; nothing when the caller has no such field.
fn our_path(field: &str) -> Option<String> {
    let lower = field.to_ascii_lowercase();
    let end = lower.rsplit('.').next().unwrap_or_default();
    let find = |table: &[(&str, &'static str)]| {
        table.iter().find(|(theirs, _)| *theirs == end).map(|(_, ours)| *ours)
    };
    let party = if lower.contains("shipper") { "parties.merchant" } else { "parties.customer" };
    let of_party = find(PARTY_FIELDS).map(|path| format!("{party}.{path}"));
    of_party.or_else(|| find(FIELDS).map(str::to_owned))
}

/// Why there is no answer to rely on, in the words of GLS or of its gateway.
pub fn why(response: &Response) -> Why {
    let (odd, said) = (odd(response), complaints(response));
    if !said.is_empty() {
        return Why { said, ..odd };
    }
    let fault = body(response);
    let fault = within(&fault, &["fault"]).and_then(|fault| text(fault, "faultstring"));
    let said =
        fault.map(|message| Complaint { path: None, code: None, message: message.to_owned() });
    Why { said: said.map_or(odd.said, |complaint| vec![complaint]), ..odd }
}

/// What a question was answered with that has no other meaning.
pub fn strange(response: &Response) -> CarrierError {
    match unexpected(response) {
        CarrierError::AccessDenied(_) => CarrierError::AccessDenied(why(response)),
        _ => CarrierError::Unexpected(why(response)),
    }
}

/// What became of a request to book that was not taken. A refused token is not seen here.
pub fn not_taken(response: &Response) -> Outcome {
    if is_turned_away(response) {
        return turned_away(response, why(response));
    }
    match response.status.as_u16() {
        403 => Outcome::AccessDenied(why(response)),
        400 => match complaints(response) {
            complaints if complaints.is_empty() => Outcome::Unknown(why(response)),
            complaints if complaints.iter().any(is_about_us) => {
                Outcome::AccessDenied(why(response))
            }
            complaints => Outcome::Rejected(complaints),
        },
        _ => Outcome::Unknown(why(response)),
    }
}

fn is_about_us(complaint: &Complaint) -> bool {
    complaint.code.as_deref() == Some(DENIED_CODE) || complaint.message.contains(OUR_FIELD)
}
