//! Conversations with dao.

mod booking;
mod faults;
mod later;

use waybill_carriers::{Account, dao};

use crate::conversation::{Conversation, account_of};

const CREDENTIALS: &str = r#"{"customer_id":"1332","code":"hush&quiet"}"#;

fn account() -> Account {
    account_of(CREDENTIALS, "{}")
}

async fn conversation() -> Conversation {
    Conversation::with("dao", dao::open, account()).await
}
