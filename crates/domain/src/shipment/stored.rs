//! What is kept of a shipment beside its columns, each read and written here.

use std::borrow::Cow;

use uuid::Uuid;

use super::order::Order;
use crate::document::Format;
use crate::fields::{Fields, Text, read_stored};
use crate::ids::{TrackingId, parse_uuid};
use crate::json::{Json, parse, split_members};
use crate::language::Language;
use crate::party::Address;
use crate::point::Position;
use crate::printing::PrintingSettings;

/// An order as it was accepted. It is kept as text, because it never changes and most readers of a
/// shipment do not look into it.
#[derive(Clone, PartialEq, Debug)]
pub struct StoredOrder(String);

impl StoredOrder {
    /// An order that is accepted.
    pub fn new(order: &Order) -> StoredOrder {
        StoredOrder(order.to_json().to_string())
    }

    /// An order that was accepted before.
    pub fn from_stored(text: String) -> StoredOrder {
        StoredOrder(text)
    }

    /// The text that is stored.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The members of the order in the shape of the API, each as text; nothing when the text is
    /// broken.
    pub fn members(&self) -> Option<Vec<(Cow<'_, str>, Cow<'_, str>)>> {
        if let Some(members) = split_members(&self.0) {
            let borrowed = |(name, value): (_, _)| (Cow::Borrowed(name), Cow::Borrowed(value));
            return Some(members.into_iter().map(borrowed).collect());
        }
        // Somebody else wrote it, with spaces perhaps.
        match parse(self.0.as_bytes()) {
            Ok(Json::Object(members)) => {
                let owned = |(name, value): (_, Json)| (name, Cow::Owned(value.to_string()));
                Some(members.into_iter().map(owned).collect())
            }
            _ => None,
        }
    }

    /// The order; nothing when the text is broken.
    pub fn read(&self) -> Option<Order> {
        Order::stored(&parse(self.0.as_bytes()).ok()?).ok()
    }
}

/// What was resolved when a shipment was accepted: later changes of settings, points and catalogs
/// do not touch it.
#[derive(Clone, PartialEq, Debug)]
pub struct Snapshot {
    /// What the label is made of.
    pub label_format: Format,
    /// How large it is, as settings spell it.
    pub label_size: String,
    /// Dots an inch of the team's ZPL printers.
    pub label_dpi: i64,
    /// The carrier that brings it to the door, where that is another one.
    pub last_mile: Option<String>,
    /// The language of the papers.
    pub language: Language,
    /// Where it is fetched.
    pub pickup_point: Option<PickupPoint>,
    /// Where its documents are printed by themselves; nothing when they are not.
    pub printing: Option<PrintingSettings>,
}

impl Snapshot {
    /// Reads what `to_json` wrote.
    pub fn stored(json: &Json) -> Option<Snapshot> {
        let pickup_point = match json.member("pickup_point") {
            None | Some(Json::Null) => None,
            Some(point) => Some(PickupPoint::stored(point)?),
        };
        let label_dpi = match json.member("label_dpi") {
            Some(Json::Number(dpi)) => dpi.as_integer()?,
            // Before teams could choose, all labels were this fine.
            None => 203,
            Some(_) => return None,
        };
        // Before papers were drawn in languages, all were in English.
        let language = match json.member("language") {
            Some(Json::Text(language)) => Language::parse(language)?,
            None => Language::En,
            Some(_) => return None,
        };
        let printing = match json.member("printing") {
            None | Some(Json::Null) => None,
            Some(printing) => Some(read_stored(printing, PrintingSettings::read).ok()?),
        };
        Some(Snapshot {
            label_format: Format::parse(json.member_text("label_format")?)?,
            label_size: json.member_text("label_size")?.to_owned(),
            label_dpi,
            last_mile: json.member_text("last_mile").map(str::to_owned),
            language,
            pickup_point,
            printing,
        })
    }

    /// What is stored.
    pub fn to_json(&self) -> Json {
        Json::object([
            ("label_format", self.label_format.name().into()),
            ("label_size", self.label_size.as_str().into()),
            ("label_dpi", self.label_dpi.into()),
            ("last_mile", self.last_mile.as_deref().into()),
            ("language", Json::text(self.language)),
            ("pickup_point", self.pickup_point.as_ref().map(PickupPoint::to_json).into()),
            ("printing", self.printing.as_ref().map(PrintingSettings::to_json).into()),
        ])
    }
}

/// A pickup point as it was when a shipment was accepted.
#[derive(Clone, PartialEq, Debug)]
pub struct PickupPoint {
    /// The carrier's own code of it.
    pub code: String,
    /// What it is called.
    pub name: String,
    /// Where it is, for people.
    pub address: Address,
    /// Where it is, for machines.
    pub position: Position,
}

impl PickupPoint {
    /// Reads what `to_json` wrote.
    fn stored(json: &Json) -> Option<PickupPoint> {
        read_stored(json, PickupPoint::read).ok()
    }

    fn read(fields: &Fields) -> Option<PickupPoint> {
        let code = fields.text("code", Text::filled(100)).required();
        let name = fields.text("name", Text::filled(255)).required();
        let address = fields.object("address").then(|address| Address::read(&address)).required();
        let position = fields.object("coordinates").then(|at| Position::read(&at)).required();
        Some(PickupPoint { code: code?, name: name?, address: address?, position: position? })
    }

    /// The point as it is stored and shown.
    pub fn to_json(&self) -> Json {
        Json::object([
            ("code", self.code.as_str().into()),
            ("name", self.name.as_str().into()),
            ("address", self.address.to_json()),
            ("coordinates", self.position.to_json()),
        ])
    }
}

/// A parcel of a shipment: our ids of it, and the carrier's number once it has one.
#[derive(Clone, PartialEq, Debug)]
pub struct ShipmentParcel {
    /// Our id.
    pub id: Uuid,
    /// The id under which it is tracked.
    pub tracking_id: TrackingId,
    /// The carrier's number; none while the carrier does not have it.
    pub tracking_number: Option<String>,
    /// Where people follow it.
    pub tracking_url: Option<String>,
}

impl ShipmentParcel {
    /// A parcel that no carrier has.
    pub fn new(id: Uuid, tracking_id: TrackingId) -> ShipmentParcel {
        ShipmentParcel { id, tracking_id, tracking_number: None, tracking_url: None }
    }

    /// Reads the parcels that `list_to_json` wrote.
    pub fn stored_list(json: &Json) -> Option<Vec<ShipmentParcel>> {
        let Json::List(parcels) = json else { return None };
        parcels.iter().map(ShipmentParcel::stored).collect()
    }

    fn stored(json: &Json) -> Option<ShipmentParcel> {
        let text = |name: &str| json.member_text(name);
        Some(ShipmentParcel {
            id: parse_uuid(text("uuid")?)?,
            tracking_id: TrackingId::parse(text("tracking_uuid")?)?,
            tracking_number: text("tracking_number").map(str::to_owned),
            tracking_url: text("tracking_url").map(str::to_owned),
        })
    }

    /// What is stored of the parcels of a shipment.
    pub fn list_to_json(parcels: &[ShipmentParcel]) -> Json {
        Json::list(parcels.iter().map(|parcel| {
            Json::object([
                ("uuid", Json::text(parcel.id)),
                ("tracking_uuid", Json::text(parcel.tracking_id)),
                ("tracking_number", parcel.tracking_number.as_deref().into()),
                ("tracking_url", parcel.tracking_url.as_deref().into()),
            ])
        }))
    }
}

/// Codes that a customer shows instead of a label.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Codes {
    /// What QR codes say.
    pub qr_codes: Vec<String>,
    /// Codes to be typed or written on the parcel.
    pub drop_off_codes: Vec<String>,
}

impl Codes {
    /// Reads what `to_json` wrote.
    pub fn stored(json: &Json) -> Option<Codes> {
        Some(Codes {
            qr_codes: texts(json.member("qr_codes")?)?,
            drop_off_codes: texts(json.member("drop_off_codes")?)?,
        })
    }

    /// What is stored.
    pub fn to_json(&self) -> Json {
        let texts = |texts: &[String]| Json::list(texts.iter().map(Json::text));
        Json::object([
            ("qr_codes", texts(&self.qr_codes)),
            ("drop_off_codes", texts(&self.drop_off_codes)),
        ])
    }
}

fn texts(json: &Json) -> Option<Vec<String>> {
    let Json::List(values) = json else { return None };
    let text = |value: &Json| match value {
        Json::Text(text) => Some(text.clone()),
        _ => None,
    };
    values.iter().map(text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_snapshot_of_an_older_release_is_read_and_a_broken_one_is_not() {
        let old = r#"{"label_format":"pdf","label_size":"100x150","last_mile":null}"#;
        let read = |text: &str| Snapshot::stored(&parse(text.as_bytes()).unwrap());
        let old = read(old).unwrap();
        assert_eq!((old.language, old.label_dpi, old.pickup_point), (Language::En, 203, None));
        for broken in [
            r#"{"label_size":"100x150"}"#,
            r#"{"label_format":"pdf","label_size":"100x150","language":7}"#,
            r#"{"label_format":"pdf","label_size":"100x150","label_dpi":"203"}"#,
            r#"{"label_format":"pdf","label_size":"100x150","pickup_point":{"code":"1"}}"#,
        ] {
            assert_eq!(read(broken), None, "{broken}");
        }
    }
}
