//! Accounts and bookings, as they go over the wire and come back.

use waybill_carriers::booking::Plan;
use waybill_carriers::{Account, Cancelled, Verdict, postnord};
use waybill_domain::document::Format;
use waybill_domain::json::Json;
use waybill_replay::{Fault, Kind};

use super::{CREDENTIALS, account, conversation, label, moved, plan, with};
use crate::conversation::{Conversation, account_of, kept, with_parcels};

const LABEL: &[u8] = include_bytes!("../../../src/postnord/exchanges/label.pdf");

fn problems(conversation: &Conversation, credentials: &str, options: &str) -> Vec<String> {
    let Account { credentials, options, .. } = account_of(credentials, options);
    let found = conversation.carrier.check_account(credentials.expose(), &options);
    found.iter().map(|(path, _)| path.to_owned()).collect()
}

#[tokio::test]
async fn an_account_has_a_key_a_number_a_country_and_an_application() {
    let conversation = conversation().await;
    let options = |more: &str| {
        format!(r#"{{"customer_number":"12","agreement_country":"FI","application_id":7{more}}}"#)
    };
    assert_eq!(problems(&conversation, CREDENTIALS, &options("")), [""; 0]);
    let more = r#","environment":"test","label_type":"small","cod_account":{"bank":"IBAN",
        "number":"SE35","bic":null}"#;
    assert_eq!(problems(&conversation, CREDENTIALS, &options(more)), [""; 0]);
    let missing = [
        "credentials.api_key",
        "options.agreement_country",
        "options.application_id",
        "options.customer_number",
    ];
    assert_eq!(problems(&conversation, "{}", "{}"), missing);
    let wrong = r#"{"customer_number":12,"agreement_country":"DE","application_id":"7"}"#;
    assert_eq!(problems(&conversation, CREDENTIALS, wrong), missing[1..]);
    for (more, path) in [
        (r#","environment":"moon""#, "options.environment"),
        (r#","label_type":"huge""#, "options.label_type"),
        (r#","cod_account":{"bank":"X","number":"1"}"#, "options.cod_account.bank"),
        (r#","cod_account":{"bank":"Z04"}"#, "options.cod_account.number"),
        (r#","customer":"x""#, "options.customer"),
    ] {
        assert_eq!(problems(&conversation, CREDENTIALS, &options(more)), [path]);
    }
    let key = r#"{"api_key":"a","secret":"b"}"#;
    assert_eq!(problems(&conversation, key, &options("")), ["credentials.secret"]);
}

#[tokio::test]
async fn postnord_is_asked_whether_it_knows_the_number() {
    let good = conversation().await;
    assert_eq!(good.verify().await, Verdict::Good);
    let Verdict::Refused(why) = with(r#"{"customer_number":"12a"}"#).await.verify().await else {
        panic!("it is no number")
    };
    assert_eq!(why.said[0].path.as_deref(), Some("options.customer_number"));
    let forbidden = r#"{"error":{"status_code":403,"message":"Invalid API Key"}}"#;
    for status in [401, 403] {
        let kind = Kind::Status(status, "application/json".to_owned(), forbidden.to_owned());
        good.replay.fail("valid", Fault::before(kind));
        let Verdict::Refused(why) = good.verify().await else { panic!("{status}") };
        assert_eq!((why.said[0].message.as_str(), &why.said[0].path), ("Invalid API Key", &None));
    }
    for fault in [Fault::status(500), Fault::before(Kind::Drop), Fault::after(Kind::Page)] {
        good.replay.fail("valid", fault.clone());
        let verdict = good.verify().await;
        assert!(matches!(verdict, Verdict::Unknown(_)), "{fault:?}: {verdict:?}");
    }
}

#[tokio::test]
async fn a_booking_says_all_of_the_order_and_nothing_that_is_empty() {
    let conversation = conversation().await;
    let plan = plan("mypack_home", r#"{"delivery":{"instructions":"Ring twice"}}"#);
    let accepted = conversation.accepted(&plan).await;
    assert_eq!(conversation.replay.hits("home"), 1);
    let reference = &plan.reference;
    assert_eq!(accepted.carrier_reference, format!("BOOK-{reference}"));
    assert_eq!(accepted.parcels[0].tracking_number, format!("00{reference}"));
    let link = format!("https://tracking.postnord.com/dk/?id=00{reference}&x=1");
    assert_eq!(accepted.parcels[0].tracking_url, Some(link));
    let [file] = accepted.files.files.as_slice() else { panic!("{:?}", accepted.files) };
    assert_eq!((file.bytes.as_slice(), file.format, file.parcel), (LABEL, Format::Pdf, Some(0)));
    conversation.is_understood();
}

#[tokio::test]
async fn each_parcel_has_a_number_a_link_and_a_label_of_its_own() {
    for (agreement, folder) in [("DK", "dk"), ("SE", "se"), ("NO", "no"), ("FI", "fi")] {
        let conversation = with(&format!(r#"{{"agreement_country":"{agreement}"}}"#)).await;
        let plan = with_parcels(plan("parcel", "{}"), 3);
        let accepted = conversation.accepted(&plan).await;
        let places: Vec<_> = accepted.files.files.iter().map(|file| file.parcel).collect();
        assert_eq!(places, [Some(0), Some(1), Some(2)]);
        for (place, parcel) in accepted.parcels.iter().enumerate() {
            let number = format!("{}0{}", place + 1, plan.reference);
            assert_eq!(parcel.tracking_number, number);
            let link = format!("https://tracking.postnord.com/{folder}/?id={number}");
            assert_eq!(parcel.tracking_url, Some(link));
        }
        conversation.is_understood();
    }
}

#[tokio::test]
async fn a_label_in_zpl_is_the_text_itself_with_the_size_that_was_ordered() {
    for (options, size) in [("{}", (105.0, 190.0)), (r#"{"label_type":"small"}"#, (75.0, 105.0))] {
        let conversation = with(options).await;
        let plan = plan("mypack_home", "{}");
        let plan = Plan { label: label(Format::Zpl, "105x148"), ..with_parcels(plan, 2) };
        let accepted = conversation.accepted(&plan).await;
        let second = &accepted.files.files[1];
        let text = String::from_utf8(second.bytes.clone()).unwrap();
        let number = &accepted.parcels[1].tracking_number;
        assert_eq!(text, format!("^XA^LL1520^CI28^PON^XA^FO9,9^FD{number}^FS^XZ"));
        assert_eq!((second.format, second.ordered_mm), (Format::Zpl, Some(size)));
        conversation.is_understood();
    }
}

#[tokio::test]
async fn the_query_names_the_language_the_paper_and_the_type_of_label() {
    let conversation = with(r#"{"label_type":"small"}"#).await;
    let path = |changes: &str, label| {
        let plan = Plan { label, ..plan("mypack_home", changes) };
        conversation.prepared(&plan).unwrap().path
    };
    let a4 = "/rest/shipment/v3/edi/labels/pdf?locale=da&labelType=small&paperSize=A4\
              &multiPDF=true&definePrintout=onlyLabels";
    assert_eq!(path("{}", label(Format::Pdf, "a4")), a4);
    for (country, code, locale) in
        [("SE", "111 22", "sv"), ("NO", "0150", "no"), ("FI", "00100", "fi"), ("DE", "10115", "en")]
    {
        let changes = moved(("DK", "2300"), (country, code));
        let path = path(&changes, label(Format::Zpl, "a4"));
        let wanted = format!("/zpl?locale={locale}&labelType=small&multiZPL=true&dpmm=8dpmm&");
        assert!(path.contains(&wanted), "{path}");
        let body = conversation.body(&plan("mypack_home", &changes));
        assert_eq!(body.member_text("language"), Some(locale.to_uppercase().as_str()));
    }
}

#[tokio::test]
async fn a_return_goes_from_the_customer_under_our_number_and_has_a_qr_code() {
    let conversation = conversation().await;
    let order = plan("return_drop_off", "{}");
    let accepted = conversation.accepted(&order).await;
    assert_eq!(accepted.qr_codes, [format!("QR-{}", order.reference)]);
    assert_eq!(accepted.files.files.len(), 1);
    let collected = conversation.prepared(&plan("return_pickup", "{}")).unwrap();
    assert!(collected.path.starts_with("/rest/shipment/v3/edi/labels/pdf?"), "{}", collected.path);
    assert!(!collected.path.contains("QRCODE"));
    let cn = r#"{"referenceNo":"post_no","referenceType":"CN"}"#;
    let norwegian = moved(("NO", "0150"), ("NO", "0150"));
    for (service, changes, has_it) in [
        ("return_drop_off", norwegian.as_str(), true),
        ("return_pickup", norwegian.as_str(), false),
        ("return_drop_off", "{}", false),
    ] {
        let body = conversation.body(&plan(service, changes)).to_string();
        assert_eq!(body.contains(cn), has_it, "{service}");
    }
    conversation.is_understood();
}

#[tokio::test]
async fn the_test_service_is_told_that_it_is_a_test() {
    let body = with(r#"{"environment":"test"}"#).await.body(&plan("parcel", "{}"));
    assert_eq!(body.member("testIndicator"), Some(&Json::Bool(true)));
    let body = conversation().await.body(&plan("parcel", "{}"));
    assert_eq!(body.member("testIndicator"), None);
}

#[tokio::test]
async fn texts_weights_and_numbers_are_as_postnord_takes_them() {
    let conversation = conversation().await;
    let changes = r#"{"parties":{"customer":{"address":{"country":"SE","postal_code":"111 22"}}},
        "parcels":[{"description":"Thirty-five characters, and then some",
        "reference":"BOX-1","gross_weight":{"value":1000.4,"unit":"g"}},
        {"gross_weight":{"value":2000.4,"unit":"g"}}]}"#;
    let body = conversation.body(&plan("pallet", changes)).to_string();
    for part in [
        r#""goodsDescription":"Thirty-five characters, and then""#,
        r#""packageTypeCode":"PE""#,
        r#""postalCode":"11122""#,
        r#""totalGrossWeight":{"value":3.002,"unit":"KGM"}"#,
        r#""grossWeight":{"value":2.001,"unit":"KGM"}"#,
        r#""grossWeight":{"value":1.001,"unit":"KGM"}"#,
        r#"{"referenceNo":"BOX-1","referenceType":"ZPR"}"#,
        r#"{"referenceNo":"ORDER-1","referenceType":"ZPR"}"#,
    ] {
        assert!(body.contains(part), "{part} {body}");
    }
    assert!(!body.contains("dimensions"), "one side is not known");
    let nameless = plan("parcel", r#"{"reference":null}"#);
    assert!(!conversation.body(&nameless).to_string().contains("ZPR"));
}

#[tokio::test]
async fn a_notification_speaks_to_whom_it_names() {
    let conversation = conversation().await;
    let changes = r#"{"delivery":{"addons":[
        {"code":"sms_notification","value":"+46 70-123 45 67"},
        {"code":"email_notification","value":"ada@post.example"}]}}"#;
    let body = conversation.body(&plan("mypack_home", changes)).to_string();
    let contact =
        r#""emailAddress":"ada@post.example","phoneNo":"+46701234567","smsNo":"+46701234567""#;
    assert_eq!(body.matches(contact).count(), 1);
}

#[tokio::test]
async fn cancelling_asks_nobody_because_postnord_would_book_again() {
    let conversation = Conversation::after("", "postnord", postnord::open, account()).await;
    let plan = plan("parcel", "{}");
    let booking = kept(&plan, &conversation.accepted(&plan).await);
    assert_eq!(conversation.cancel(&booking).await, Cancelled::Done);
    assert_eq!(conversation.replay.bookings().len(), 1);
    conversation.is_understood();
}
