//! The order itself, and how it is stored.

use super::customs::Customs;
use super::delivery::Delivery;
use crate::fields::{FieldErrors, Fields, Text, each_or_default, read_stored};
use crate::ids::TemplateId;
use crate::json::Json;
use crate::parcel::Parcel;
use crate::party::Party;
use crate::words::Message;

/// Booking input, read and merged; the merchant may still be the team's own.
#[derive(Clone, PartialEq, Debug)]
pub struct Order {
    /// The caller's own id.
    pub identifier: Option<String>,
    /// The caller's own reference, such as an order number.
    pub reference: Option<String>,
    /// The template it was merged with.
    pub template: Option<TemplateId>,
    /// Who sells; nothing means the team's own address.
    pub merchant: Option<Party>,
    /// Who buys.
    pub customer: Party,
    /// How it travels.
    pub delivery: Delivery,
    /// What travels, in a stable order.
    pub parcels: Vec<Parcel>,
    /// What customs want to know.
    pub customs: Option<Customs>,
}

impl Order {
    /// Reads what `to_json` wrote, under the rules of any day.
    pub fn stored(json: &Json) -> Result<Order, FieldErrors> {
        read_stored(json, Order::read)
    }

    /// Reads what can be read. The rest is left empty, with its problems noted.
    pub(super) fn read(fields: &Fields) -> Option<Order> {
        let identifier = fields.text("identifier", Text::up_to(255)).optional();
        let reference = fields.text("reference", Text::up_to(255)).optional();
        let template =
            fields.parsed("template_uuid", TemplateId::parse, || Message::new("not-a-uuid"));
        let template = template.optional();
        let parties = fields.object("parties").required();
        let party = |name| parties.as_ref().map(|parties| parties.object(name));
        let merchant = party("merchant").and_then(|p| p.then(|f| Party::read(&f)).optional());
        let customer = party("customer").and_then(|p| p.then(|f| Party::read(&f)).required());
        let delivery = fields.object("delivery").then(|f| Delivery::read(&f)).required();
        let parcels = fields.list("parcels", 1..=99);
        let parcels = parcels.then(|list| Some(each_or_default(&list, Parcel::read))).required();
        let customs = fields.object("customs").then(|f| Customs::read(&f)).optional();
        Some(Order {
            identifier,
            reference,
            template,
            merchant,
            customer: customer.unwrap_or_default(),
            delivery: delivery.unwrap_or_default(),
            // There is always one: a label is tried out even when no parcel can be read.
            parcels: parcels.unwrap_or_else(|| vec![Parcel::default()]),
            customs,
        })
    }

    /// The order as it is stored and shown. Read again by `parse`, it is the same.
    pub fn to_json(&self) -> Json {
        let merchant = self.merchant.as_ref().map_or(Json::Null, Party::to_json);
        Json::object([
            ("identifier", self.identifier.as_deref().into()),
            ("reference", self.reference.as_deref().into()),
            ("template_uuid", self.template.map(Json::text).into()),
            (
                "parties",
                Json::object([("merchant", merchant), ("customer", self.customer.to_json())]),
            ),
            ("delivery", self.delivery.to_json()),
            ("parcels", Json::list(self.parcels.iter().map(Parcel::to_json))),
            ("customs", self.customs.as_ref().map_or(Json::Null, Customs::to_json)),
        ])
    }
}
