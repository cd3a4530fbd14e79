//! The sandbox carrier's own format: what a booking looks like on the way out, and how its replies
//! are read. Pure functions; nothing here decides what a reply means.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use waybill_domain::country::Country;
use waybill_domain::document::{DocumentType, Format};
use waybill_domain::json::Json;
use waybill_domain::measure::{Currency, Length, Money, Weight};
use waybill_domain::parcel::Parcel;
use waybill_domain::party::{Address, Party};
use waybill_domain::point::{Hours, Point, PointKind, Position};
use waybill_domain::shipment::{Addon, Order};
use waybill_domain::time::Time;

use crate::CarrierBooking;
use crate::booking::{Accepted, BookedParcel, CarrierFiles, Complaint, File, LabelData, Plan};
pub use crate::members::{list, text};
pub use crate::texts::escape;

/// The label format of those who draw their label themselves.
pub const NO_FILE: &str = "none";

/// The body of a request to book.
pub fn booking(plan: &Plan) -> Json {
    let order = &plan.order;
    let service = &order.delivery.service_code;
    let window = order.delivery.window.map(|window| {
        Json::object([("from", Json::text(window.start)), ("until", Json::text(window.end))])
    });
    let format = plan.label.as_ref().map_or(NO_FILE, |label| label.format.name());
    Json::object([
        ("reference", plan.reference.as_str().into()),
        ("customer_reference", order.reference.as_deref().into()),
        ("service", service.strip_prefix("sandbox:").unwrap_or(service).into()),
        ("label_format", format.into()),
        ("from", order.merchant.as_ref().map(party).into()),
        ("to", party(&order.customer)),
        ("pickup_point", order.delivery.pickup_point.as_deref().into()),
        ("parcels", Json::list(order.parcels.iter().map(parcel))),
        ("addons", Json::list(order.delivery.addons.iter().map(Addon::to_json))),
        ("window", window.into()),
        ("note", order.delivery.instructions.as_deref().into()),
    ])
}

/// Whether the order asks the sandbox to do something wrong. It may leave no answer in which it
/// could say so.
pub fn is_simulated_failure(order: &Order) -> bool {
    let reference = order.reference.as_deref().unwrap_or_default();
    reference.split_whitespace().any(|word| word.starts_with("sim:"))
}

/// The body of a request for a price. The words that tell the sandbox how to behave stand in the
/// reference of the customer, because nothing is ordered yet.
pub fn question(order: &Order) -> Json {
    let service = &order.delivery.service_code;
    Json::object([
        ("customer_reference", order.customer.reference.as_deref().into()),
        ("service", service.strip_prefix("sandbox:").unwrap_or(service).into()),
        ("from", order.merchant.as_ref().map(party).into()),
        ("to", party(&order.customer)),
        ("parcels", Json::list(order.parcels.iter().map(parcel))),
    ])
}

/// The price in the answer to a question; nothing when there is none.
pub fn price(body: &Json) -> Option<Money> {
    let price = body.member("price")?;
    let amount = match price.member("amount") {
        Some(Json::Number(amount)) => amount.as_integer().filter(|amount| *amount >= 0)?,
        _ => return None,
    };
    Some(Money { minor: amount, currency: Currency::parse(text(price, "currency")?)? })
}

/// A service point; nothing when it cannot be read.
pub fn point(entry: &Json) -> Option<Point> {
    let field = |name| text(entry, name).map(str::to_owned);
    let kind = match text(entry, "kind")? {
        "shop" => PointKind::ParcelShop,
        "box" => PointKind::Locker,
        "post" => PointKind::PostOffice,
        _ => PointKind::Depot,
    };
    let degrees = |name, max| Position::parse_degrees(text(entry, name)?, max);
    Some(Point {
        carrier: "sandbox".to_owned(),
        code: field("number")?,
        name: field("title")?,
        kind,
        address: Address {
            lines: vec![field("street")?],
            postal_code: field("postal_code")?,
            city: field("city")?,
            administrative_area: None,
            country: Country::parse(text(entry, "country")?)?,
        },
        position: Position { latitude: degrees("lat", 90)?, longitude: degrees("lng", 180)? },
        hours: text(entry, "hours").and_then(Hours::parse_short),
    })
}

fn party(party: &Party) -> Json {
    let (contact, address) = (&party.contact, &party.address);
    Json::object([
        ("name", contact.name.as_str().into()),
        ("company", contact.company.as_deref().into()),
        ("street", Json::list(address.lines.iter().map(Json::text))),
        ("postal_code", address.postal_code.as_str().into()),
        ("city", address.city.as_str().into()),
        ("area", address.administrative_area.as_deref().into()),
        ("country", Json::text(address.country)),
        ("email", contact.email.as_deref().into()),
        ("phone", contact.phone.as_deref().into()),
    ])
}

fn parcel(parcel: &Parcel) -> Json {
    Json::object([
        ("reference", parcel.reference.as_deref().into()),
        ("content", parcel.description.as_deref().into()),
        ("weight_g", parcel.gross_weight.map(Weight::grams).into()),
        ("length_mm", parcel.length.map(Length::millimetres).into()),
        ("width_mm", parcel.width.map(Length::millimetres).into()),
        ("height_mm", parcel.height.map(Length::millimetres).into()),
    ])
}

/// The sandbox's names for fields, and ours.
const FIELDS: &[(&str, &str)] = &[
    ("customer_reference", "reference"),
    ("service", "delivery.service_code"),
    ("from", "parties.merchant"),
    ("from.postal_code", "parties.merchant.address.postal_code"),
    ("to", "parties.customer"),
    ("to.postal_code", "parties.customer.address.postal_code"),
    ("pickup_point", "delivery.pickup_point.code"),
];

/// Our path for a field of the sandbox; nothing when the caller has no such field.
fn our_path(field: &str) -> Option<String> {
    let is_parcel = |rest: &str| rest.bytes().all(|byte| byte.is_ascii_digit());
    if field.strip_prefix("parcels.").is_some_and(is_parcel) {
        return Some(field.to_owned());
    }
    FIELDS.iter().find(|(theirs, _)| *theirs == field).map(|(_, ours)| (*ours).to_owned())
}

/// What the carrier has, of a body that says that it has something, and the places of the parcels
/// that it does not have. Nothing without an id.
pub fn accepted(body: &Json) -> Option<(Accepted, Vec<usize>)> {
    let texts = |name| {
        let texts = list(body, name).iter().filter_map(|entry| match entry {
            Json::Text(text) => Some(text.clone()),
            _ => None,
        });
        texts.collect()
    };
    let (mut parcels, mut missing) = (Vec::new(), Vec::new());
    for (place, entry) in list(body, "parcels").iter().enumerate() {
        match text(entry, "tracking_number") {
            Some(number) => parcels.push(BookedParcel {
                tracking_number: number.to_owned(),
                tracking_url: text(entry, "tracking_url").map(str::to_owned),
            }),
            None => missing.push(place),
        }
    }
    let accepted = Accepted {
        carrier_reference: text(body, "id")?.to_owned(),
        parcels,
        files: papers(body),
        qr_codes: texts("qr_codes"),
        drop_off_codes: texts("drop_off_codes"),
        carrier_data: None,
        carrier_data_with_files: None,
        poll_after: millis(body, "track_after_ms"),
    };
    Some((accepted, missing))
}

/// A span of time in milliseconds.
pub fn millis(body: &Json, name: &str) -> Option<Duration> {
    match body.member(name) {
        Some(Json::Number(number)) => {
            number.as_integer().and_then(|millis| millis.try_into().ok()).map(Duration::from_millis)
        }
        _ => None,
    }
}

/// A booking of the list of bookings.
pub fn listed(entry: &Json) -> Option<CarrierBooking> {
    let numbers = list(entry, "parcels").iter().filter_map(|entry| text(entry, "tracking_number"));
    Some(CarrierBooking {
        reference: text(entry, "reference")?.to_owned(),
        carrier_reference: text(entry, "id")?.to_owned(),
        customer_reference: text(entry, "customer_reference").map(str::to_owned),
        tracking_numbers: numbers.map(str::to_owned).collect(),
        booked_at: Time::parse(text(entry, "booked_at")?)?,
        is_cancelled: text(entry, "status")? == "cancelled",
    })
}

/// The papers of a body. A file that cannot be read is left out: it can be asked for again.
pub fn papers(body: &Json) -> CarrierFiles {
    let label_data = body.member("label").filter(|label| matches!(label, Json::Object(_)));
    let routing = |label: &Json| text(label, "routing_code").map(str::to_owned);
    let label_data = label_data.map(|label| LabelData { routing_code: routing(label) });
    CarrierFiles { files: files(body), label_data, ..CarrierFiles::default() }
}

fn files(body: &Json) -> Vec<File> {
    let files = list(body, "files").iter().filter_map(|entry| {
        let format = Format::parse(text(entry, "format")?)?;
        let bytes = STANDARD.decode(text(entry, "data")?).ok()?;
        Some(File {
            types: vec![DocumentType::Label],
            format,
            bytes,
            parcel: None,
            ordered_mm: None,
        })
    });
    files.collect()
}

/// What the carrier said against it. An entry without words is none.
pub fn complaints(body: &Json) -> Vec<Complaint> {
    let complaints = list(body, "errors").iter().filter_map(|entry| {
        Some(Complaint {
            path: text(entry, "field").and_then(our_path),
            code: text(entry, "code").map(str::to_owned),
            message: text(entry, "message")?.to_owned(),
        })
    });
    complaints.collect()
}
