//! A shipment that GLS has created: its parcels, their numbers and their labels.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use waybill_domain::document::{DocumentType, Format};
use waybill_domain::json::Json;

use super::uncertain::tracking_link;
use super::wire::parcel_reference;
use crate::booking::{BookedParcel, CarrierFiles, File};
use crate::members::{list, text, text_or_number, within};

/// The size of a label in a format that does not say it.
const LABEL_MM: (f64, f64) = (105.0, 148.0);

/// A parcel that GLS has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Created {
    /// GLS's own name for it.
    pub track_id: String,
    /// The number on its label.
    pub number: String,
}

impl Created {
    /// As it is followed from this country.
    pub fn booked(&self, country: &str) -> BookedParcel {
        BookedParcel {
            tracking_url: Some(tracking_link(country, &self.number)),
            tracking_number: self.number.clone(),
        }
    }
}

/// The parcels of a body, by their places, and the places in the order in which GLS tells them.
/// Nothing when one is missing or has no number.
pub fn parcels(body: &Json, reference: &str, count: usize) -> Option<(Vec<Created>, Vec<usize>)> {
    let entries = list(body.member("CreatedShipment")?, "ParcelData");
    if entries.len() != count {
        return None;
    }
    let own: Option<Vec<usize>> = entries.iter().map(|it| place(it, reference, count)).collect();
    let own = own.filter(|places| (0..count).all(|place| places.contains(&place)));
    let places = own.unwrap_or_else(|| (0..count).collect());
    let mut placed = Vec::new();
    for (entry, place) in entries.iter().zip(&places) {
        placed.push((*place, created(entry)?));
    }
    placed.sort_by_key(|(place, _)| *place);
    Some((placed.into_iter().map(|(_, created)| created).collect(), places))
}

fn place(entry: &Json, reference: &str, count: usize) -> Option<usize> {
    let names = list(entry, "ShipmentUnitReference");
    let is_named = |name: &str| names.iter().any(|it| *it == Json::from(name));
    (0..count).find(|place| is_named(&parcel_reference(reference, *place)))
}

/// One parcel of a body.
pub fn created(entry: &Json) -> Option<Created> {
    let track_id = text(entry, "TrackID")?.to_owned();
    let barcode = || within(entry, &["Barcodes"]).and_then(|it| text_or_number(it, "Primary1D"));
    let number = text_or_number(entry, "ParcelNumber").or_else(barcode);
    Some(Created { number: number.unwrap_or_else(|| track_id.clone()), track_id })
}

/// The labels of a body, as they came. When there is one for each parcel, they are in the order of
/// the parcels, which are told in the order of these places.
pub fn print_data(body: &Json, places: &[usize]) -> Vec<String> {
    let entries = body.member("CreatedShipment").map_or(&[][..], |it| list(it, "PrintData"));
    let told: Vec<String> = entries.iter().flat_map(data).map(str::to_owned).collect();
    if told.len() != places.len() {
        return told;
    }
    let mut placed: Vec<(usize, String)> = places.iter().copied().zip(told).collect();
    placed.sort_by_key(|(place, _)| *place);
    placed.into_iter().map(|(_, text)| text).collect()
}

/// The texts of an entry: one, or a list of them.
fn data(entry: &Json) -> Vec<&str> {
    match entry.member("Data") {
        Some(Json::List(texts)) => texts.iter().filter_map(own_text).collect(),
        Some(other) => own_text(other).into_iter().collect(),
        None => Vec::new(),
    }
}

fn own_text(json: &Json) -> Option<&str> {
    match json {
        Json::Text(text) if !text.is_empty() => Some(text),
        _ => None,
    }
}

/// The labels, one document each; nothing when one cannot be read. There is one for each of the
/// parcels at these places, or one for all of them.
pub fn files(print_data: &[String], format: Format, places: &[usize]) -> CarrierFiles {
    let is_each = print_data.len() == places.len();
    let file = |(index, text): (usize, &String)| {
        let bytes = STANDARD.decode(text.split_whitespace().collect::<String>()).ok()?;
        (!bytes.is_empty()).then(|| File {
            types: vec![DocumentType::Label],
            format,
            bytes,
            parcel: is_each.then(|| places[index]),
            ordered_mm: (format != Format::Pdf).then_some(LABEL_MM),
        })
    };
    let files: Option<Vec<File>> = print_data.iter().enumerate().map(file).collect();
    CarrierFiles { files: files.unwrap_or_default(), ..CarrierFiles::default() }
}
