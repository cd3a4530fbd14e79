//! Labels and QR codes in PostNord's answers, and the request for labels again.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use waybill_domain::document::{DocumentType, Format};
use waybill_domain::json::Json;
use waybill_outbound::line::Response;

use super::account::Options;
use super::answers::complaints;
use super::kept::Kept;
use super::uncertain::QR_TEXT;
use super::wire::format;
use crate::answers::odd;
use crate::booking::{Booked, CarrierFiles, Complaint, File, Why};
use crate::members::{body, list, object, text};

/// How every label in ZPL begins.
const ZPL: &str = "^XA";

/// The labels of an answer, one document each. A label that cannot be read is left out, and asked
/// for again.
pub fn files(
    printouts: &[Json],
    numbers: &[Option<String>],
    format: Format,
    options: Options<'_>,
) -> CarrierFiles {
    let ordered = options.label_mm();
    let file = |entry: &Json| {
        let printout = entry.member("printout").filter(|it| text(it, "type") == Some("LABEL"))?;
        Some(File {
            types: vec![DocumentType::Label],
            format,
            bytes: decoded(printout)?,
            parcel: place(entry, numbers),
            ordered_mm: (format == Format::Zpl).then_some(ordered),
        })
    };
    let labels = printouts.iter().filter(|entry| is_label(entry));
    let read: Option<Vec<File>> = labels.map(file).collect();
    CarrierFiles { files: read.unwrap_or_default(), ..CarrierFiles::default() }
}

fn is_label(entry: &Json) -> bool {
    let kind = entry.member("printout").and_then(|printout| text(printout, "type"));
    let has_failed = list(entry, "itemIds")
        .iter()
        .any(|item| text(item, "status").is_some_and(|status| status != "OK"));
    kind == Some("LABEL") || has_failed
}

/// The parcel that a printout is for, when it is for one alone.
fn place(entry: &Json, numbers: &[Option<String>]) -> Option<usize> {
    match (list(entry, "itemIds"), numbers) {
        (_, [_]) => Some(0),
        ([item], _) => {
            let number = text(item, "itemIds")?;
            numbers.iter().position(|known| known.as_deref() == Some(number))
        }
        _ => None,
    }
}

fn decoded(printout: &Json) -> Option<Vec<u8>> {
    let data = text(printout, "data")?;
    let is_plain = match text(printout, "encoding") {
        Some(encoding) => encoding.eq_ignore_ascii_case("none"),
        None => data.contains(ZPL),
    };
    match is_plain {
        true => Some(data.as_bytes().to_vec()),
        false => STANDARD.decode(data.split_whitespace().collect::<String>()).ok(),
    }
}

/// What the QR codes of an answer say.
pub fn qr_codes(printouts: &[Json]) -> Vec<String> {
    let printouts = printouts.iter().filter_map(|entry| entry.member("printout"));
    let codes = printouts.filter(|printout| text(printout, "type") == Some("QRCODE"));
    codes.filter_map(|printout| text(printout, QR_TEXT)).map(str::to_owned).collect()
}

/// The body of a request for the labels of a booking: by the names that it gave them, or else by
/// the numbers of its parcels, each with the kind of its label.
pub fn request(booking: &Booked, kept: Kept, options: Options<'_>) -> Json {
    let numbers = booking.tracking_numbers.iter().flatten().cloned();
    let ids = if kept.ids.is_empty() { numbers.collect() } else { kept.ids };
    let kind = options.label_type();
    let one = |id: String| object([("id", id.into()), ("labelType", kind.into())]);
    Json::list(ids.into_iter().map(one))
}

/// The labels in the answer to a request for them.
pub fn again(
    response: &Response,
    booking: &Booked,
    options: Options<'_>,
) -> Result<CarrierFiles, Why> {
    let body = body(response);
    let printouts = match &body {
        Json::List(printouts) => printouts.as_slice(),
        _ => &[],
    };
    let numbers = &booking.tracking_numbers;
    let found = files(printouts, numbers, format(booking.label.as_ref()), options);
    if response.status.as_u16() == 200 && !found.is_empty() {
        return Ok(found);
    }
    let of_items = printouts.iter().flat_map(|entry| list(entry, "itemIds"));
    let errors = of_items.filter_map(|item| item.member("errorResponse")).chain([&body]);
    let said: Vec<Complaint> = errors.flat_map(complaints).collect();
    let status = response.status.as_u16();
    let reason = format!("no labels, but an answer with status {status}");
    match said {
        said if said.is_empty() => Err(Why { reason, ..odd(response) }),
        said => Err(Why { reason, said }),
    }
}
