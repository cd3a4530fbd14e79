//! A shipment as it is ordered: what a caller sends, merged with its template, read as one.
//!
//! An `Order` is checked by everything that holds for all carriers. What one service asks for
//! beyond that are the rows of its catalog entry (`catalog`). Accepted input is never edited.

mod customs;
mod delivery;
mod options;
mod units;

pub use customs::Customs;
pub use delivery::{Addon, AddonValue, Delivery, Window};
pub use options::Question;

use crate::fields::{FieldErrors, Fields, Text, each, read};
use crate::ids::TemplateId;
use crate::json::Json;
use crate::parcel::Parcel;
use crate::party::Party;
use crate::template::TemplateShipment;
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

/// Which template a request asks for, before anything else of it is read.
pub fn template_of(body: &Json) -> Result<Option<TemplateId>, FieldErrors> {
    match body.member("template_uuid") {
        None | Some(Json::Null) => Ok(None),
        Some(Json::Text(text)) => match TemplateId::parse(text) {
            Some(id) => Ok(Some(id)),
            None => Err(FieldErrors::one("template_uuid", Message::new("not-a-uuid"))),
        },
        Some(_) => Err(FieldErrors::one("template_uuid", Message::new("not-a-uuid"))),
    }
}

impl Order {
    /// Reads a request, merged with its template: the request's own value wins, arrays replace.
    pub fn parse(body: &Json, template: Option<&TemplateShipment>) -> Result<Order, FieldErrors> {
        let (order, errors) = Order::parse_mixed(body, template)?;
        if errors.is_empty() { Ok(order) } else { Err(errors) }
    }

    /// The same, with units that do not fit together told beside the order: whoever judges the
    /// order adds what else is wrong with it.
    pub fn parse_mixed(
        body: &Json,
        template: Option<&TemplateShipment>,
    ) -> Result<(Order, FieldErrors), FieldErrors> {
        let Some(template) = template else {
            let order = read(body, Order::read)?;
            let errors = units::check(&order, &[]);
            return Ok((order, errors));
        };
        let mut merged = template.to_input();
        merged.merge(&without_nulls(body));
        let order = read(&merged, Order::read)?;
        let errors = units::check(&order, &template.used_by(body));
        Ok((order, errors))
    }

    fn read(fields: &Fields) -> Option<Order> {
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
        let parcels = fields.list("parcels", 1..=99).then(|list| each(&list, Parcel::read));
        let parcels = parcels.required();
        let customs = fields.object("customs").then(|f| Customs::read(&f)).optional();
        Some(Order {
            identifier,
            reference,
            template,
            merchant,
            customer: customer?,
            delivery: delivery?,
            parcels: parcels?,
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

/// A null in a request means unknown: it does not take away what the template says.
fn without_nulls(body: &Json) -> Json {
    match body {
        Json::Object(members) => {
            let kept = members.iter().filter(|(_, value)| *value != Json::Null);
            Json::Object(kept.map(|(name, value)| (name.clone(), without_nulls(value))).collect())
        }
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests;
