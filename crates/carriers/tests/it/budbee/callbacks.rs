//! What Budbee says by itself.

use hyper::header::HeaderMap;
use waybill_carriers::tracking::{Callback, Refused};
use waybill_carriers::{Account, budbee};

use super::account;
use crate::conversation::{Conversation, account_of, codes, report};

const BODY: &str = r#"{"eventId":"E1","eventType":"DELIVERED_TO_LOCKER",
    "timestamp":"2026-11-16T08:12:00Z","orderId":"O","packageId":"P1","party":"BUDBEE",
    "flow":"DELIVERY","eventData":{"lockerId":"BOX0001"}}"#;

fn with_password() -> Account {
    let credentials = r#"{"api_key":"key","api_secret":"secret","webhook_username":"hook",
        "webhook_password":"pass"}"#;
    account_of(credentials, r#"{"collection_id":17}"#)
}

fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for (name, value) in pairs {
        headers.insert(*name, value.parse().unwrap());
    }
    headers
}

#[tokio::test]
async fn a_message_with_a_proof_is_an_event_of_its_parcel() {
    let budbee = Conversation::with("budbee", budbee::open, with_password()).await;
    let tracking = budbee.carrier.tracking().unwrap();
    // hook:pass
    let told = headers(&[
        ("authorization", "Basic aG9vazpwYXNz"),
        ("budbee-event", "DELIVERED_TO_LOCKER"),
        ("budbee-event-id", "E1"),
    ]);
    let callback = Callback { headers: &told, body: BODY.as_bytes() };
    let answers = tracking.parse_callback(&budbee.account, &callback).unwrap();
    assert_eq!(codes(report(&answers, "P1")), ["available_for_pickup"]);
    let again = tracking.parse_callback(&budbee.account, &callback).unwrap();
    assert_eq!(again, answers, "the same fingerprint: it counts once");
    let callback = Callback { headers: &told, body: b"[]" };
    let refused = tracking.parse_callback(&budbee.account, &callback);
    assert_eq!(refused, Err(Refused::Unreadable));
}

#[tokio::test]
async fn a_message_without_a_proof_is_not_taken() {
    for account in [with_password(), account()] {
        let budbee = Conversation::with("budbee", budbee::open, account).await;
        let tracking = budbee.carrier.tracking().unwrap();
        for told in [
            headers(&[]),
            headers(&[("authorization", "Basic a2V5OnNlY3JldA==")]),
            headers(&[("authorization", "Basic Og==")]),
            headers(&[("x-budbee-signature", "")]),
            headers(&[("x-budbee-signature", "0000000000000000000000000000000000000000")]),
        ] {
            let callback = Callback { headers: &told, body: BODY.as_bytes() };
            let refused = tracking.parse_callback(&budbee.account, &callback);
            assert_eq!(refused, Err(Refused::Unauthenticated), "{told:?}");
        }
    }
}
