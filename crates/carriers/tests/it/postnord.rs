//! Conversations with PostNord.

mod answers;
mod booking;
mod customs;
mod faults;
mod later;
mod points;
mod services;

use waybill_carriers::booking::{LabelRequest, Plan};
use waybill_carriers::{Account, postnord};
use waybill_domain::document::Format;

use crate::conversation::{Conversation, account_of, plan_for};

const CREDENTIALS: &str = r#"{"api_key":"key&1"}"#;
const OPTIONS: &str = r#"{"customer_number":"1234567890","agreement_country":"DK",
    "application_id":1438}"#;

fn account() -> Account {
    account_of(CREDENTIALS, OPTIONS)
}

async fn conversation() -> Conversation {
    Conversation::with("postnord", postnord::open, account()).await
}

/// With these exchanges before the others.
async fn after(first: &str) -> Conversation {
    let first = format!("[always]\nquery = {{ apikey = 'key&1' }}\n{first}");
    Conversation::after(&first, "postnord", postnord::open, account()).await
}

async fn with(options: &str) -> Conversation {
    let account = crate::conversation::with_options(&account(), options);
    Conversation::with("postnord", postnord::open, account).await
}

fn label(format: Format, size: &str) -> Option<LabelRequest> {
    Some(LabelRequest { format, size: size.to_owned() })
}

/// A booking with a label that PostNord makes.
fn plan(service: &str, changes: &str) -> Plan {
    let is_return = service.starts_with("return_");
    let plan = plan_for(&format!("postnord:{service}"), changes);
    Plan { label: label(Format::Pdf, "105x148"), is_return, ..plan }
}

/// Changes of the order that put an end in another country.
fn moved(merchant: (&str, &str), customer: (&str, &str)) -> String {
    let address = |(country, code): (&str, &str)| {
        format!(r#"{{"address":{{"country":"{country}","postal_code":"{code}"}}}}"#)
    };
    format!(
        r#"{{"parties":{{"merchant":{},"customer":{}}}}}"#,
        address(merchant),
        address(customer)
    )
}
