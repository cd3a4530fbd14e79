//! What several calls of agents have in their bodies.

use uuid::Uuid;
use waybill_domain::fields::{Fields, Text};
use waybill_domain::ids::parse_uuid;
use waybill_domain::words::Message;

/// The session that a call is made in.
pub fn session(fields: &Fields) -> Option<Uuid> {
    fields.parsed("session", parse_uuid, || Message::new("not-a-uuid")).required()
}

/// What a program says of itself: its machine and its version.
pub fn program(fields: &Fields) -> (Option<String>, Option<String>) {
    let hostname = fields.text("hostname", Text::filled(255)).required();
    let version = fields.text("version", Text::filled(100)).required();
    (hostname, version)
}

/// The name that a program has given to the place where it keeps its jobs.
pub fn instance(fields: &Fields) -> Option<String> {
    fields.text("instance", Text::filled(100)).required()
}
