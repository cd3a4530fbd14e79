//! What became of a request to book.

use waybill_domain::document::Format;
use waybill_domain::json::{Json, parse};
use waybill_outbound::line::Response;

use super::created::{files, parcels, print_data};
use super::errors::{not_taken, why};
use super::kept::Kept;
use crate::booking::{Accepted, Complaint, LabelRequest, Outcome, Prepared};
use crate::members::{body, text, within};

/// What kind of file a label is.
pub fn format(label: Option<&LabelRequest>) -> Format {
    match label.map(|label| label.format) {
        Some(format @ (Format::Zpl | Format::Png)) => format,
        _ => Format::Pdf,
    }
}

/// The same, of a request to book.
fn format_of(body: &[u8]) -> Format {
    let body = parse(body).unwrap_or(Json::Null);
    let asked = within(&body, &["PrintingOptions", "ReturnLabels"]);
    match asked.and_then(|asked| text(asked, "LabelFormat")) {
        Some("ZEBRA") => Format::Zpl,
        Some("PNG") => Format::Png,
        _ => Format::Pdf,
    }
}

/// Complaints about the first name of an address are about the company where there is one: then
/// the person has the second.
fn named(mut complaints: Vec<Complaint>, body: &[u8]) -> Vec<Complaint> {
    let body = parse(body).unwrap_or(Json::Null);
    for (party, place) in [
        ("customer", ["Shipment", "Consignee", "Address"]),
        ("merchant", ["Shipment", "Shipper", "AlternativeShipperAddress"]),
    ] {
        if within(&body, &place).is_none_or(|address| text(address, "Name2").is_none()) {
            continue;
        }
        let person = format!("parties.{party}.contact.name");
        for complaint in complaints.iter_mut().filter(|it| it.path.as_ref() == Some(&person)) {
            complaint.path = Some(format!("parties.{party}.contact.company"));
        }
    }
    complaints
}

/// What became of a request to book.
pub fn booked(response: &Response, sent: &Prepared, reference: &str) -> Outcome {
    if !matches!(response.status.as_u16(), 200 | 201) {
        return match not_taken(response) {
            Outcome::Rejected(complaints) => Outcome::Rejected(named(complaints, &sent.body)),
            other => other,
        };
    }
    let body = body(response);
    let Some((created, places)) = parcels(&body, reference, sent.parcels) else {
        return Outcome::Unknown(why(response));
    };
    let in_order: Vec<usize> = (0..sent.parcels).collect();
    let country = Kept::country(&sent.body);
    let kept = Kept {
        track_ids: created.iter().map(|parcel| parcel.track_id.clone()).collect(),
        print_data: print_data(&body, &places),
        ..Kept::of_request(&sent.body)
    };
    Outcome::Accepted(Accepted {
        carrier_reference: kept.track_ids.first().cloned().unwrap_or_default(),
        parcels: created.iter().map(|parcel| parcel.booked(&country)).collect(),
        files: files(&kept.print_data, format_of(&sent.body), &in_order),
        carrier_data: Some(kept.to_text()),
        carrier_data_with_files: Some(kept.to_text_with_labels()),
        ..Accepted::default()
    })
}
