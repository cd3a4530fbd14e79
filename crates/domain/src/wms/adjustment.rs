//! A change of stock that somebody makes: goods received, counted, broken.

use super::level::LEVEL_MAX;
use super::name;
use crate::fields::{FieldErrors, Text, read};
use crate::json::Json;
use crate::words::Message;

/// The reason of the lines that shipping writes.
pub const SHIPPED: &str = "shipped";

/// What a caller sends to change a level.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Adjustment {
    /// Of what.
    pub sku: String,
    /// Where.
    pub location: String,
    /// How many come in, or go out with a minus; never 0.
    pub delta: i64,
    /// Why.
    pub reason: Option<String>,
}

impl Adjustment {
    /// Reads a request body.
    pub fn parse(body: &Json) -> Result<Adjustment, FieldErrors> {
        read(body, |fields| {
            let sku = name::read(fields, "sku").required();
            let location = name::read(fields, "location").required();
            let delta = fields.value("delta").then(|value| {
                match value.integer(-LEVEL_MAX..=LEVEL_MAX)? {
                    0 => value.refuse(Message::new("wms-delta-zero")),
                    delta => Some(delta),
                }
            });
            let delta = delta.required();
            let reason = fields.text("reason", Text::up_to(255)).optional();
            Some(Adjustment { sku: sku?, location: location?, delta: delta?, reason })
        })
    }
}
