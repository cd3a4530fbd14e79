//! Which members a v1 body has, in the order in which a shipment shows them, and what each holds.

/// What a member holds.
#[derive(Clone, Copy)]
pub enum Kind {
    /// Text, or a whole number in its place.
    Text,
    /// Text, or any number in its place: what it means depends on something else.
    Value,
    /// The two letters of a country.
    Country,
    /// The code of a currency.
    Currency,
    /// A day, `2026-11-14`.
    Date,
    /// A weight in kilograms, kept in whole grams.
    Weight,
    /// The weight of one piece in kilograms, kept in milligrams: what is in a parcel would
    /// otherwise weigh more than the parcel.
    UnitWeight,
    /// A length in centimetres, kept in millimetres.
    Length,
    /// An amount in the major unit of the shipment's currency, kept in the minor one.
    Price,
    /// How many, from 1.
    Quantity,
    /// An object with these members.
    Object(Members),
    /// Any number of such.
    List(&'static Kind),
}

/// The members of an object.
pub type Members = &'static [(&'static str, Kind)];

/// What is posted to book a shipment.
pub const SHIPMENT: Members = &[
    ("internal_id", Kind::Text),
    ("internal_reference", Kind::Text),
    ("shipping_carrier", Kind::Text),
    ("shipping_method", Kind::Text),
    ("receiver", Kind::Object(PARTY)),
    ("sender", Kind::Object(PARTY)),
    ("agent", Kind::Object(AGENT)),
    ("parcels", Kind::List(&Kind::Object(PARCEL))),
    ("subtotal_price_excluding_tax", Kind::Price),
    ("subtotal_price_including_tax", Kind::Price),
    ("shipping_price_excluding_tax", Kind::Price),
    ("shipping_price_including_tax", Kind::Price),
    ("total_price_excluding_tax", Kind::Price),
    ("total_price_including_tax", Kind::Price),
    ("total_tax_amount", Kind::Price),
    ("currency", Kind::Currency),
    ("shipping_date", Kind::Date),
    ("services", Kind::Object(SERVICES)),
    ("addons", Kind::List(&Kind::Object(ADDON))),
];

/// Who receives or sends.
pub const PARTY: Members = &[
    ("internal_id", Kind::Text),
    ("internal_reference", Kind::Text),
    ("company", Kind::Text),
    ("name_line1", Kind::Text),
    ("name_line2", Kind::Text),
    ("address_line1", Kind::Text),
    ("address_line2", Kind::Text),
    ("postal_code", Kind::Text),
    ("city", Kind::Text),
    ("state", Kind::Text),
    ("region", Kind::Text),
    ("country", Kind::Country),
    ("email", Kind::Text),
    ("sms", Kind::Text),
];

/// Where it is fetched.
pub const AGENT: Members = &[
    ("internal_id", Kind::Text),
    ("internal_reference", Kind::Text),
    ("agent_no", Kind::Text),
    ("company", Kind::Text),
    ("name_line1", Kind::Text),
    ("name_line2", Kind::Text),
    ("address_line1", Kind::Text),
    ("address_line2", Kind::Text),
    ("postal_code", Kind::Text),
    ("city", Kind::Text),
    ("state", Kind::Text),
    ("region", Kind::Text),
    ("country", Kind::Country),
    ("email", Kind::Text),
    ("sms", Kind::Text),
];

/// A parcel.
pub const PARCEL: Members = &[
    ("internal_id", Kind::Text),
    ("internal_reference", Kind::Text),
    ("weight", Kind::Weight),
    ("height", Kind::Length),
    ("width", Kind::Length),
    ("length", Kind::Length),
    ("freetext", Kind::Text),
    ("freetext1", Kind::Text),
    ("freetext2", Kind::Text),
    ("freetext3", Kind::Text),
    ("total_price_excluding_tax", Kind::Price),
    ("total_price_including_tax", Kind::Price),
    ("total_tax_amount", Kind::Price),
    ("items", Kind::List(&Kind::Object(ITEM))),
];

/// What is in a parcel.
pub const ITEM: Members = &[
    ("internal_id", Kind::Text),
    ("internal_reference", Kind::Text),
    ("sku", Kind::Text),
    ("name", Kind::Text),
    ("description", Kind::Text),
    ("hs_code", Kind::Text),
    ("country_of_origin", Kind::Country),
    ("image_url", Kind::Text),
    ("unit_weight", Kind::UnitWeight),
    ("unit_price_excluding_tax", Kind::Price),
    ("unit_price_including_tax", Kind::Price),
    ("quantity", Kind::Quantity),
    ("total_price_excluding_tax", Kind::Price),
    ("total_price_including_tax", Kind::Price),
    ("total_tax_amount", Kind::Price),
];

/// What is wanted beside the delivery, each with its value.
pub const SERVICES: Members = &[
    ("sms_notification", Kind::Text),
    ("email_notification", Kind::Text),
    ("flex_delivery", Kind::Text),
];

/// The newer form of the same.
pub const ADDON: Members = &[("code", Kind::Text), ("value", Kind::Value)];

/// Another name that clients have for a member.
pub fn alias(name: &str) -> Option<&'static str> {
    match name {
        "subtotal_price_excluding_tax" => Some("sub_total_price_excluding_tax"),
        "subtotal_price_including_tax" => Some("sub_total_price_including_tax"),
        _ => None,
    }
}
