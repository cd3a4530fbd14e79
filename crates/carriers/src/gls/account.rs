//! What an account with GLS has.

use waybill_domain::fields::{FieldErrors, Fields, Text};
use waybill_domain::json::Json;

use super::plain;
use crate::account::{check_members, read_time_zone};
use crate::environment::Environment;
use crate::members::text;

/// By what GLS bills those who send for others.
const MIDDLEWARE: &str = "Waybill";

/// What is wrong with an account.
pub fn check(credentials: &Json, options: &Json) -> FieldErrors {
    check_members((credentials, &read_credentials), (options, &read_options))
}

fn read_credentials(fields: &Fields) -> bool {
    let id = fields.text("client_id", Text::filled(200)).required();
    let secret = fields.text("client_secret", Text::filled(200)).required();
    id.is_some() && secret.is_some()
}

fn read_options(fields: &Fields) -> bool {
    let contact = fields.text("contact_id", Text::filled(20)).required();
    let environment = Environment::read(fields);
    let _ = fields.text("middleware", Text::filled(40)).optional();
    let _ = fields.boolean("alternative_shipper").optional();
    let _ = read_time_zone(fields);
    contact.is_some() && environment.is_some()
}

/// The options of an account that were checked before.
#[derive(Clone, Copy)]
pub struct Options<'a>(pub &'a Json);

impl<'a> Options<'a> {
    /// Whom GLS knows the merchant as.
    pub fn contact_id(self) -> &'a str {
        text(self.0, "contact_id").unwrap_or_default()
    }

    /// The program that sends.
    pub fn middleware(self) -> &'a str {
        // A text of which GLS is told nothing is none: it takes no booking without one.
        text(self.0, "middleware").filter(|told| plain::says(told)).unwrap_or(MIDDLEWARE)
    }

    /// Whether the merchant's own address stands on the label.
    pub fn has_alternative_shipper(self) -> bool {
        self.0.member("alternative_shipper") != Some(&Json::Bool(false))
    }
}
