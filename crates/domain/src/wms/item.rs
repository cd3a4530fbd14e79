//! What lies in a warehouse.

use super::name;
use crate::country::Country;
use crate::fields::{FieldErrors, Fields, Text, read, read_knowing, read_stored};
use crate::json::Json;
use crate::measure::{Length, Money, Weight, WeightUnit};
use crate::parcel::{Item, parse_hs_code};
use crate::words::Message;

/// One kind of thing: what customers order and carriers are told.
#[derive(Clone, PartialEq, Debug)]
pub struct CatalogItem {
    /// The stock keeping unit: the team's own name of it, which never changes.
    pub sku: String,
    /// What it is.
    pub name: String,
    /// What a scanner reads.
    pub barcode: Option<String>,
    /// Of one piece.
    pub weight: Option<Weight>,
    /// The longest side.
    pub length: Option<Length>,
    /// Across.
    pub width: Option<Length>,
    /// Up.
    pub height: Option<Length>,
    /// The customs tariff number.
    pub hs_code: Option<String>,
    /// Where it was made.
    pub country_of_origin: Option<Country>,
    /// Of one piece.
    pub unit_price: Option<Money>,
}

impl CatalogItem {
    /// Reads a request body.
    pub fn parse(body: &Json) -> Result<CatalogItem, FieldErrors> {
        read(body, CatalogItem::read)
    }

    /// Reads what `to_json` wrote, under the rules of any day.
    pub fn stored(json: &Json) -> Result<CatalogItem, FieldErrors> {
        read_stored(json, CatalogItem::read)
    }

    fn read(fields: &Fields) -> Option<CatalogItem> {
        let length = |name| fields.object(name).then(|f| Length::read(&f)).optional();
        let sku = name::read(fields, "sku").required();
        let name = fields.text("name", Text::filled(255)).required();
        let barcode = fields.text("barcode", Text::filled(64)).optional();
        let weight = fields.object("weight").then(|f| Weight::read(&f)).optional();
        let sides = [length("length"), length("width"), length("height")];
        let hs_code = fields.parsed("hs_code", parse_hs_code, || Message::new("not-an-hs-code"));
        let hs_code = hs_code.optional();
        let country =
            fields.parsed("country_of_origin", Country::parse, || Message::new("not-a-country"));
        let country_of_origin = country.optional();
        let unit_price = fields.object("unit_price").then(|f| Money::read(&f)).optional();
        refuse_mixed_units(fields, sides);
        let [length, width, height] = sides;
        let (sku, name) = (sku?, name?);
        Some(CatalogItem {
            sku,
            name,
            barcode,
            weight,
            length,
            width,
            height,
            hs_code,
            country_of_origin,
            unit_price,
        })
    }

    /// This item with a merge patch applied and checked as a whole. The SKU stays what it is.
    pub fn patched(&self, patch: &Json) -> Result<CatalogItem, FieldErrors> {
        let mut known = FieldErrors::default();
        if patch.member("sku").is_some() {
            known.add("sku", Message::new("fixed-field"));
        }
        let mut merged = self.to_json();
        // A null takes a member away: one that nobody knows would go unseen.
        if let (Json::Object(changes), Json::Object(own)) = (patch, &merged) {
            for (name, _) in changes.iter().filter(|(_, change)| *change == Json::Null) {
                if !own.iter().any(|(known, _)| known == name) {
                    known.add(name.as_ref(), Message::new("unknown-field"));
                }
            }
        }
        merged.merge(patch);
        merged.merge(&Json::object([("sku", self.sku.as_str().into())]));
        read_knowing(&merged, known, CatalogItem::read)
    }

    /// The item as it is stored and shown.
    pub fn to_json(&self) -> Json {
        Json::object([
            ("sku", self.sku.as_str().into()),
            ("name", self.name.as_str().into()),
            ("barcode", self.barcode.as_deref().into()),
            ("weight", self.weight.map(Weight::to_json).into()),
            ("length", self.length.map(Length::to_json).into()),
            ("width", self.width.map(Length::to_json).into()),
            ("height", self.height.map(Length::to_json).into()),
            ("hs_code", self.hs_code.as_deref().into()),
            ("country_of_origin", self.country_of_origin.map(Json::text).into()),
            ("unit_price", self.unit_price.map(Money::to_json).into()),
        ])
    }

    /// So many pieces of it, as a carrier is told of them: the weight in the unit of the shipment.
    pub fn booked(&self, quantity: i64, unit: WeightUnit) -> Item {
        Item {
            identifier: None,
            sku: Some(self.sku.clone()),
            description: Some(self.name.clone()),
            quantity,
            net_weight: self.weight.map(|weight| weight.converted(unit)),
            unit_price: self.unit_price,
            hs_code: self.hs_code.clone(),
            country_of_origin: self.country_of_origin,
        }
    }
}

fn refuse_mixed_units(fields: &Fields, sides: [Option<Length>; 3]) {
    let mut units: Vec<&str> = Vec::new();
    for side in sides.iter().flatten() {
        if !units.contains(&side.unit.name()) {
            units.push(side.unit.name());
        }
    }
    if units.len() < 2 {
        return;
    }
    for (side, name) in sides.iter().zip(["length.unit", "width.unit", "height.unit"]) {
        if side.is_some() {
            let message = Message::new("wms-mixed-length-units").text("units", units.join(", "));
            fields.refuse(name, message);
        }
    }
}
