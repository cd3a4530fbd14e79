//! Whether PostNord knows an account.

use waybill_outbound::line::Response;

use super::account::Options;
use super::answers::denied;
use crate::Verdict;
use crate::answers::odd;
use crate::booking::{Complaint, Why};
use crate::texts::query;

/// Path and query of the question, without the key.
pub fn path(options: Options<'_>) -> String {
    let pairs = [
        ("customerNumber", options.customer_number().to_owned()),
        ("countryCode", options.country().to_owned()),
    ];
    format!("/rest/shipment/v1/validate/customernumber?{}", query(pairs))
}

/// What the answer says of the account.
pub fn verdict(response: &Response) -> Verdict {
    let said = String::from_utf8_lossy(&response.body);
    match (response.status.as_u16(), said.trim().trim_matches('"')) {
        (200, "VALID") => Verdict::Good,
        (200, "INVALID") => Verdict::Refused(unknown_number()),
        (401 | 403, _) => Verdict::Refused(denied(response)),
        _ => Verdict::Unknown(odd(response)),
    }
}

fn unknown_number() -> Why {
    let message = "the customer number is not valid in this country".to_owned();
    let path = Some("options.customer_number".to_owned());
    let complaint = Complaint { path, code: Some("INVALID".to_owned()), message };
    Why { reason: complaint.message.clone(), said: vec![complaint] }
}
