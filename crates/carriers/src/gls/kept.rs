//! What is wanted back of a booking: the keys for cancelling, what it is looked up by, the day it
//! belongs to, and its labels until they are documents. No other call gives a label without making
//! another parcel of it.

use waybill_domain::json::{Json, parse};

use crate::booking::Booked;
use crate::members::{list, object, text, within};

/// What is kept of a booking.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Kept {
    /// GLS's own names of the parcels, in order.
    pub track_ids: Vec<String>,
    /// The weights of the parcels, in order.
    pub weights: Vec<String>,
    /// The day that it was booked for, `2026-11-16`.
    pub date: Option<String>,
    /// Whether it is a return.
    pub is_return: bool,
    /// The labels, as they came: in the order of the parcels, or one for all.
    pub print_data: Vec<String>,
}

impl Kept {
    /// What the body of a request to book says of it.
    pub fn of_request(body: &[u8]) -> Kept {
        let body = parse(body).unwrap_or(Json::Null);
        let Some(shipment) = body.member("Shipment") else { return Kept::default() };
        let weights =
            list(shipment, "ShipmentUnit").iter().filter_map(|unit| unit.member("Weight"));
        Kept {
            weights: weights.map(Json::to_string).collect(),
            date: text(shipment, "ShippingDate").map(str::to_owned),
            is_return: list(shipment, "Service").iter().any(|it| it.member("ShopReturn").is_some()),
            ..Kept::default()
        }
    }

    /// Where the customer is, by the same body.
    pub fn country(body: &[u8]) -> String {
        let body = parse(body).unwrap_or(Json::Null);
        let country = within(&body, &["Shipment", "Consignee", "Address"]);
        country.and_then(|address| text(address, "CountryCode")).unwrap_or_default().to_owned()
    }

    /// What was kept of this booking.
    pub fn of(booking: &Booked) -> Kept {
        Kept::read(booking.carrier_data.as_deref())
    }

    /// Reads what `to_text` or `to_text_with_labels` wrote.
    pub fn read(kept: Option<&str>) -> Kept {
        let kept = kept.and_then(|kept| parse(kept.as_bytes()).ok());
        let kept = kept.unwrap_or(Json::Null);
        let texts = |name| {
            let entries = list(&kept, name).iter();
            entries.filter_map(own_text).collect()
        };
        Kept {
            track_ids: texts("track_ids"),
            weights: texts("weights"),
            date: text(&kept, "date").map(str::to_owned),
            is_return: kept.member("is_return") == Some(&Json::Bool(true)),
            print_data: texts("print_data"),
        }
    }

    /// As it is stored when there are documents: without the labels.
    pub fn to_text(&self) -> String {
        Kept { print_data: Vec::new(), ..self.clone() }.to_text_with_labels()
    }

    /// As it is stored until there are documents.
    pub fn to_text_with_labels(&self) -> String {
        let texts = |texts: &[String]| Json::list(texts.iter().map(Json::text));
        object([
            ("track_ids", texts(&self.track_ids)),
            ("weights", texts(&self.weights)),
            ("date", self.date.as_deref().into()),
            ("is_return", self.is_return.into()),
            ("print_data", texts(&self.print_data)),
        ])
        .to_string()
    }
}

fn own_text(json: &Json) -> Option<String> {
    match json {
        Json::Text(text) => Some(text.clone()),
        _ => None,
    }
}
