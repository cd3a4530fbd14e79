use uuid::Uuid;
use waybill_domain::ids::AccountId;
use waybill_domain::json::parse;
use waybill_domain::secret::Secret;

use super::*;
use crate::IssuedTokens;

const BODY: &[u8] = br#"{"eventId":"E1"}"#;

fn account(credentials: &str) -> Account {
    Account {
        id: AccountId(Uuid::nil()),
        changed_at: Time(0),
        credentials: Secret::new(parse(credentials.as_bytes()).unwrap()),
        options: Json::Null,
        issued: IssuedTokens::default(),
    }
}

fn headers(name: &'static str, value: &str) -> HeaderMap {
    let mut headers = HeaderMap::new();
    headers.insert(name, value.parse().unwrap());
    headers
}

fn signature() -> Vec<u8> {
    let mut mac = <Hmac<Sha1> as KeyInit>::new_from_slice(b"hush").unwrap();
    mac.update(BODY);
    mac.finalize().into_bytes().to_vec()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn a_signature_may_be_hexadecimal_or_base64_and_counts_in_every_bit() {
    let ours = account(r#"{"api_key":"k","api_secret":"hush"}"#);
    let signature = signature();
    for told in [hex(&signature), hex(&signature).to_uppercase(), STANDARD.encode(&signature)] {
        let headers = headers(SIGNATURE, &told);
        assert!(is_authentic(&ours, &headers, BODY), "{told}");
        assert!(!is_authentic(&ours, &headers, b"{}"), "{told}");
        assert!(!is_authentic(&account("{}"), &headers, BODY), "{told}");
    }
    for bit in 0..160 {
        let mut changed = signature.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        assert!(!is_authentic(&ours, &headers(SIGNATURE, &hex(&changed)), BODY), "bit {bit}");
    }
}

#[test]
fn a_name_and_a_password_let_in_where_the_account_has_them() {
    let ours = account(
        r#"{"api_key":"k","api_secret":"hush","webhook_username":"u","webhook_password":"p"}"#,
    );
    let basic = |pair: &str| headers("authorization", &format!("Basic {}", STANDARD.encode(pair)));
    assert!(is_authentic(&ours, &basic("u:p"), BODY));
    for pair in ["u:q", "v:p", ":", "u:p:", "k:hush"] {
        assert!(!is_authentic(&ours, &basic(pair), BODY), "{pair}");
    }
    let without = account(r#"{"api_key":"k","api_secret":"hush"}"#);
    for pair in ["u:p", ":", "k:hush"] {
        assert!(!is_authentic(&without, &basic(pair), BODY), "{pair}");
    }
    assert!(!is_authentic(&ours, &HeaderMap::new(), BODY));
    let mut both = basic("u:q");
    both.insert(SIGNATURE, hex(&signature()).parse().unwrap());
    assert!(is_authentic(&ours, &both, BODY), "one proof is enough");
}

fn message(id: &str, code: &str) -> Json {
    let message = format!(
        r#"{{"eventId":"{id}","eventType":"{code}","timestamp":"2026-11-16T08:12:00.250+01:00",
        "orderId":"O","packageId":"P1","party":"BUDBEE","flow":"DELIVERY","eventData":{{}}}}"#
    );
    parse(message.as_bytes()).unwrap()
}

#[test]
fn every_event_has_its_meaning_and_an_unknown_one_is_set_aside() {
    let undone = [
        ("RETURN_PICKUP_FAILED", Status::Exception),
        ("RETURN_HOME_PICKUP_CANCELLED", Status::Exception),
    ];
    for (code, status) in EVENTS.iter().copied().chain(undone) {
        let event = event(&message("E1", code)).unwrap();
        assert_eq!(event.kind, TrackingEventKind::Seen(status), "{code}");
        assert_eq!(event.happened_at.unwrap().to_string(), "2026-11-16T07:12:00.250000Z");
    }
    for code in ["BEAMED_UP", "RETURN_BEAMED", "PICKUP_FAILED"] {
        let (number, answer) = answer(&message("E1", code)).unwrap();
        let report = answer.into_report();
        assert_eq!((number.as_str(), report.events.len()), ("P1", 1));
        assert!(report.events[0].is_err(), "{code}");
    }
}

#[test]
fn the_same_id_twice_is_one_event_and_what_names_no_parcel_is_no_message() {
    let print = |id, code| event(&message(id, code)).unwrap().fingerprint;
    assert_eq!(print("E1", "PARCEL_CREATED"), print("E1", "DELIVERY_FAILED"));
    assert_ne!(print("E1", "PARCEL_CREATED"), print("E2", "PARCEL_CREATED"));
    for body in ["{}", "[]", "null", r#"{"eventType":"PARCEL_CREATED"}"#, r#"{"packageId":"P1"}"#] {
        assert_eq!(answer(&parse(body.as_bytes()).unwrap()), None, "{body}");
    }
}
