//! What is in a shipment: parcels, their items and their dangerous goods.

use crate::country::Country;
use crate::fields::{Text, Value, each_or_default, one_of};
use crate::json::Json;
use crate::measure::{Length, Money, Weight};
use crate::words::Message;

/// One parcel. The order of a shipment's parcels never changes.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Parcel {
    /// The caller's own id.
    pub identifier: Option<String>,
    /// The caller's own reference.
    pub reference: Option<String>,
    /// What is in it.
    pub description: Option<String>,
    /// With packaging.
    pub gross_weight: Option<Weight>,
    /// The longest side.
    pub length: Option<Length>,
    /// Across.
    pub width: Option<Length>,
    /// Up.
    pub height: Option<Length>,
    /// What is in it, one by one.
    pub items: Vec<Item>,
    /// What is dangerous in it.
    pub dangerous_goods: Vec<DangerousGoods>,
}

/// One kind of thing in a parcel.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Item {
    /// The caller's own id.
    pub identifier: Option<String>,
    /// The stock keeping unit.
    pub sku: Option<String>,
    /// What it is.
    pub description: Option<String>,
    /// How many.
    pub quantity: i64,
    /// Of one.
    pub net_weight: Option<Weight>,
    /// Of one.
    pub unit_price: Option<Money>,
    /// The customs tariff number, 6 to 10 digits.
    pub hs_code: Option<String>,
    /// Where it was made.
    pub country_of_origin: Option<Country>,
}

/// One kind of dangerous goods in a parcel.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct DangerousGoods {
    /// `UN` and four digits.
    pub un_number: String,
    /// The proper shipping name.
    pub proper_shipping_name: Option<String>,
    /// The hazard class, such as `3` or `2.1`.
    pub class: Option<String>,
    /// `I`, `II` or `III`.
    pub packing_group: Option<String>,
    /// Of the goods themselves.
    pub net_weight: Option<Weight>,
    /// Whether the exemption for limited quantities applies.
    pub is_limited_quantity: bool,
}

const PACKING_GROUPS: &[&str] = &["I", "II", "III"];

impl Parcel {
    /// Reads one entry of `parcels`. What cannot be read of it is left empty.
    pub fn read(value: &Value) -> Option<Parcel> {
        let fields = value.object()?;
        let text = |name, max| fields.text(name, Text::up_to(max)).optional();
        let length = |name| fields.object(name).then(|f| Length::read(&f)).optional();
        let items = fields.list("items", 0..=1000);
        let items = items.then(|items| Some(each_or_default(&items, Item::read)));
        let goods = fields.list("dangerous_goods", 0..=99);
        let goods = goods.then(|goods| Some(each_or_default(&goods, DangerousGoods::read)));
        Some(Parcel {
            identifier: text("identifier", 255),
            reference: text("reference", 255),
            description: text("description", 255),
            gross_weight: fields.object("gross_weight").then(|f| Weight::read(&f)).optional(),
            length: length("length"),
            width: length("width"),
            height: length("height"),
            items: items.optional().unwrap_or_default(),
            dangerous_goods: goods.optional().unwrap_or_default(),
        })
    }

    /// The sides from the longest to the shortest, whatever they were called, when all are known.
    pub fn sides(&self) -> Option<[Length; 3]> {
        let mut sides = [self.length?, self.width?, self.height?];
        sides.sort_by_key(|side| std::cmp::Reverse(side.nanometres()));
        Some(sides)
    }

    /// The parcel as it was accepted.
    pub fn to_json(&self) -> Json {
        Json::object([
            ("identifier", self.identifier.as_deref().into()),
            ("reference", self.reference.as_deref().into()),
            ("description", self.description.as_deref().into()),
            ("gross_weight", self.gross_weight.map(Weight::to_json).into()),
            ("length", self.length.map(Length::to_json).into()),
            ("width", self.width.map(Length::to_json).into()),
            ("height", self.height.map(Length::to_json).into()),
            ("items", Json::list(self.items.iter().map(Item::to_json))),
            (
                "dangerous_goods",
                Json::list(self.dangerous_goods.iter().map(DangerousGoods::to_json)),
            ),
        ])
    }
}

impl Item {
    /// Reads one entry of `items`.
    pub fn read(value: &Value) -> Option<Item> {
        let fields = value.object()?;
        let text = |name, max| fields.text(name, Text::up_to(max)).optional();
        let hs_code = fields.parsed("hs_code", parse_hs_code, || Message::new("not-an-hs-code"));
        let country =
            fields.parsed("country_of_origin", Country::parse, || Message::new("not-a-country"));
        let quantity = fields.integer("quantity", 1..=99_999).required();
        Some(Item {
            identifier: text("identifier", 255),
            sku: text("sku", 255),
            description: text("description", 255),
            quantity: quantity.unwrap_or(1),
            net_weight: fields.object("net_weight").then(|f| Weight::read(&f)).optional(),
            unit_price: fields.object("unit_price").then(|f| Money::read(&f)).optional(),
            hs_code: hs_code.optional(),
            country_of_origin: country.optional(),
        })
    }

    pub(crate) fn to_json(&self) -> Json {
        Json::object([
            ("identifier", self.identifier.as_deref().into()),
            ("sku", self.sku.as_deref().into()),
            ("description", self.description.as_deref().into()),
            ("quantity", self.quantity.into()),
            ("net_weight", self.net_weight.map(Weight::to_json).into()),
            ("unit_price", self.unit_price.map(Money::to_json).into()),
            ("hs_code", self.hs_code.as_deref().into()),
            ("country_of_origin", self.country_of_origin.map(Json::text).into()),
        ])
    }
}

impl DangerousGoods {
    /// Reads one entry of `dangerous_goods`.
    pub fn read(value: &Value) -> Option<DangerousGoods> {
        let fields = value.object()?;
        let text = |name, max| fields.text(name, Text::up_to(max)).optional();
        let un_number =
            fields.parsed("un_number", parse_un_number, || Message::new("not-a-un-number"));
        let group = |text: &str| PACKING_GROUPS.contains(&text).then(|| text.to_owned());
        let packing_group = fields.parsed("packing_group", group, || one_of(PACKING_GROUPS));
        let un_number = un_number.required();
        Some(DangerousGoods {
            un_number: un_number.unwrap_or_default(),
            proper_shipping_name: text("proper_shipping_name", 255),
            class: text("class", 10),
            packing_group: packing_group.optional(),
            net_weight: fields.object("net_weight").then(|f| Weight::read(&f)).optional(),
            is_limited_quantity: fields.boolean("is_limited_quantity").optional().unwrap_or(false),
        })
    }

    fn to_json(&self) -> Json {
        Json::object([
            ("un_number", self.un_number.as_str().into()),
            ("proper_shipping_name", self.proper_shipping_name.as_deref().into()),
            ("class", self.class.as_deref().into()),
            ("packing_group", self.packing_group.as_deref().into()),
            ("net_weight", self.net_weight.map(Weight::to_json).into()),
            ("is_limited_quantity", self.is_limited_quantity.into()),
        ])
    }
}

pub(crate) fn parse_hs_code(text: &str) -> Option<String> {
    let is_good = (6..=10).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    is_good.then(|| text.to_owned())
}

fn parse_un_number(text: &str) -> Option<String> {
    let digits = text.strip_prefix("UN")?;
    let is_good = digits.len() == 4 && digits.bytes().all(|b| b.is_ascii_digit());
    is_good.then(|| text.to_owned())
}
