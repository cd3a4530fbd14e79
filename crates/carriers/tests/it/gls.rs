//! Conversations with GLS.

mod answers;
mod booking;
mod faults;
mod later;
mod look;
mod points;
mod services;
mod tokens;

use waybill_carriers::booking::{Accepted, Booked, LabelRequest, Plan};
use waybill_carriers::{Account, gls};
use waybill_domain::document::Format;

use crate::conversation::{Conversation, account_of, kept, plan_for};

const CREDENTIALS: &str = r#"{"client_id":"client","client_secret":"hush"}"#;
const OPTIONS: &str = r#"{"contact_id":"2080000001"}"#;
const SHIPMENTS: &str = "/shipit-farm/v1/backend/rs/shipments";

fn account() -> Account {
    account_of(CREDENTIALS, OPTIONS)
}

async fn conversation() -> Conversation {
    Conversation::with("gls", gls::open, account()).await
}

/// With these exchanges before the others.
async fn after(first: &str) -> Conversation {
    Conversation::after(first, "gls", gls::open, account()).await
}

async fn with(options: &str) -> Conversation {
    let account = crate::conversation::with_options(&account(), options);
    Conversation::with("gls", gls::open, account).await
}

/// A booking with a label as a PDF file.
fn plan(service: &str, changes: &str) -> Plan {
    let is_return = service == "shop_return";
    let label = Some(LabelRequest { format: Format::Pdf, size: "105x148".to_owned() });
    Plan { label, is_return, ..plan_for(&format!("gls:{service}"), changes) }
}

/// A booking of whose labels no papers could be made.
fn without_papers(plan: &Plan, accepted: &Accepted) -> Booked {
    let mut accepted = accepted.clone();
    accepted.keep_files();
    kept(plan, &accepted)
}

/// An exchange that answers a request to book, or another one, with an error in headers.
fn refused(path: &str, status: u16, headers: &str) -> String {
    format!(
        r#"
        [[exchange]]
        name = "refused"
        request = {{ method = "POST", path = "{path}" }}
        answer = {{ status = {status}, headers = {{ {headers} }} }}"#
    )
}
