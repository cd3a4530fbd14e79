//! A shipment as it is ordered: what a caller sends, merged with its template, read as one.
//!
//! An `Order` is checked by everything that holds for all carriers. What one service asks for
//! beyond that are the rows of its catalog entry (`catalog`). Accepted input is never edited.

mod customs;
mod delivery;
mod options;
mod order;
mod reading;
mod state;
mod stored;
mod units;
mod weights;

pub use customs::Customs;
pub use delivery::{Addon, AddonValue, Delivery, Window};
pub use options::Question;
pub use order::Order;
pub use reading::{Reading, Template};
pub use state::ShipmentState;
pub use stored::{Codes, PickupPoint, ShipmentParcel, Snapshot, StoredOrder};

use crate::fields::FieldErrors;
use crate::ids::TemplateId;
use crate::json::Json;
use crate::words::Message;

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

#[cfg(test)]
mod tests;
