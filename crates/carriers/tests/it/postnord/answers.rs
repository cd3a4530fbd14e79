//! What each answer to a booking means.

use waybill_carriers::booking::{Complaint, Outcome};
use waybill_replay::{Fault, Kind};

use super::{after, conversation, plan};
use crate::conversation::{kept, with_parcels};
use crate::faults::Ends;

/// A fault as PostNord tells it.
const FAULT: &str = r#"{"message":"The request is not valid","compositeFault":{"faults":[
    {"explanationText":"Invalid postal code","faultCode":"SE-1",
        "faultReferences":[{"key":"x.subType","value":"SACUS-BR-24062502"}]},
    {"explanationText":"Invalid phone","faultCode":"SE-2"}]}}"#;

fn json(status: u16, body: &str) -> Fault {
    Fault::before(Kind::Status(status, "application/json".to_owned(), body.to_owned()))
}

#[tokio::test]
async fn only_an_answer_that_says_what_was_wrong_is_a_rejection() {
    let conversation = conversation().await;
    for (fault, ends) in [
        (json(400, FAULT), Ends::Rejected),
        (json(404, FAULT), Ends::Rejected),
        (json(405, FAULT), Ends::Rejected),
        (json(499, FAULT), Ends::Rejected),
        (json(400, r#"{"message":"Missing customer number"}"#), Ends::Rejected),
        (
            json(
                400,
                r#"{"message":"No","bookingResponse":{"idInformation":[{"status":"FAIL"}]}}"#,
            ),
            Ends::Rejected,
        ),
        (json(400, "{}"), Ends::Unknown),
        (json(404, ""), Ends::Unknown),
        (json(409, FAULT), Ends::Unknown),
        (json(500, FAULT), Ends::Unknown),
        (json(504, FAULT), Ends::Unknown),
        (json(429, ""), Ends::NotSent),
        (json(503, ""), Ends::Unknown),
        (json(200, "{}"), Ends::Unknown),
        (json(200, "null"), Ends::Unknown),
        (json(201, "{}"), Ends::Unknown),
    ] {
        conversation.replay.fail("book", fault.clone());
        let outcome = conversation.book(&with_parcels(plan("parcel", "{}"), 2)).await;
        assert_eq!(Ends::of(&outcome), ends, "{fault:?}: {outcome:?}");
    }
    assert!(conversation.replay.bookings().is_empty());
}

#[tokio::test]
async fn a_503_is_not_sent_only_when_it_says_when_to_come_back() {
    let conversation = after(
        r#"
        [[exchange]]
        name = "busy"
        request = { method = "POST" }
        answer = { status = 503, headers = { retry-after = "30" } }"#,
    )
    .await;
    let outcome = conversation.book(&plan("parcel", "{}")).await;
    assert_eq!(Ends::of(&outcome), Ends::NotSent);
}

#[tokio::test]
async fn a_rejection_has_postnords_words_and_its_own_code() {
    let conversation = conversation().await;
    conversation.replay.fail("book", json(400, FAULT));
    let complaint = |code: &str, message: &str| Complaint {
        path: None,
        code: Some(code.to_owned()),
        message: message.to_owned(),
    };
    let wanted =
        [complaint("SACUS-BR-24062502", "Invalid postal code"), complaint("SE-2", "Invalid phone")];
    assert_eq!(conversation.rejected(&plan("parcel", "{}")).await, wanted);
}

#[tokio::test]
async fn who_is_refused_is_told_in_the_words_of_the_gateway() {
    let conversation = conversation().await;
    let words = r#"{"error":{"status_code":403,"error_type":"Forbidden",
        "message":"Invalid API Key"}}"#;
    for status in [401, 403] {
        conversation.replay.fail("book", json(status, words));
        let outcome = conversation.book(&plan("parcel", "{}")).await;
        let Outcome::AccessDenied(why) = outcome else { panic!("{outcome:?}") };
        assert_eq!(why.said[0].message, "Invalid API Key");
    }
}

fn answered(information: &str, printouts: &str) -> String {
    answered_with(200, information, printouts)
}

fn answered_with(status: u16, information: &str, printouts: &str) -> String {
    format!(
        r#"
        [[exchange]]
        name = "answer"
        books = "{{reference}}"
        request = {{ method = "POST", path = "/rest/shipment/v3/edi/labels/pdf", json = '''
            {{"messageId": "{{reference}}"}}''' }}
        answer = {{ status = {status}, json = '''{{"bookingResponse": {{"bookingId": "B1", "idInformation": {information}}},
            "labelPrintout": {printouts}}}''' }}"#
    )
}

const TWO: &str = r#"[{"status": "OK", "ids": [{"idType": "shipmentId", "value": "S"},
    {"idType": "itemId", "value": "A"}, {"idType": "itemId", "value": "B"}]}]"#;
const ONE: &str = r#"[{"status": "OK", "ids": [{"idType": "itemId", "value": "A"}]}]"#;

#[tokio::test]
async fn a_parcel_without_a_number_and_without_a_word_why_is_unknown() {
    for information in [
        ONE,
        "[]",
        r#"[{"status": "OK", "ids": []}]"#,
        r#"[{"status": "FAIL"}]"#,
        r#"[{"status": "OK", "ids": [{"idType": "itemId", "value": "A"}]}, {"status": "FAIL"}]"#,
    ] {
        let conversation = after(&answered(information, "[]")).await;
        let outcome = conversation.book(&with_parcels(plan("parcel", "{}"), 2)).await;
        assert_eq!(Ends::of(&outcome), Ends::Unknown, "{information}: {outcome:?}");
    }
}

const REFUSED: &str = r#"{"status": "FAIL", "errorResponse": {"message": "Too heavy"}}"#;

#[tokio::test]
async fn it_is_a_rejection_when_all_failed_and_no_number_stands_anywhere() {
    let item = |status: &str, number: &str| {
        format!(
            r#"{{"status": "{status}", "ids": [{{"idType": "itemId", "value": "{number}"}}],
                "errorResponse": {{"message": "Too heavy"}}}}"#
        )
    };
    let printed = r#"[{"itemIds": [{"itemIds": "A", "status": "OK"}]}]"#;
    let nothing = r#"{"status": "OK", "ids": []}"#;
    for (information, printouts, ends) in [
        (format!("[{REFUSED},{REFUSED}]"), "[]", Ends::Rejected),
        (format!("[{},{}]", item("FAIL", "0"), item("ERROR", "0")), "[]", Ends::Rejected),
        (format!("[{REFUSED},{REFUSED}]"), printed, Ends::Unknown),
        (format!("[{}]", item("FAIL", "A")), "[]", Ends::Unknown),
        (format!("[{REFUSED},{nothing}]"), "[]", Ends::Unknown),
        (format!("[{REFUSED},{nothing},{REFUSED}]"), "[]", Ends::Unknown),
        ("[]".to_owned(), printed, Ends::Unknown),
        (format!("[{REFUSED},{}]", item("OK", "B")), "[]", Ends::Partial),
        (TWO.to_owned(), "[]", Ends::Accepted),
    ] {
        for status in [200, 400, 404, 405, 499] {
            let conversation = after(&answered_with(status, &information, printouts)).await;
            let outcome = conversation.book(&with_parcels(plan("parcel", "{}"), 2)).await;
            assert_eq!(Ends::of(&outcome), ends, "{status} {information}: {outcome:?}");
        }
    }
}

#[tokio::test]
async fn links_follow_their_numbers_when_they_come_in_another_order() {
    let entry = |place: usize, number: &str, urls: &str| {
        format!(
            r#"{{"status": "OK",
                "references": {{"item": [{{"referenceNo": "{{reference}}-{place}"}}]}},
                "ids": [{{"idType": "itemId", "value": "{number}"}}], "urls": [{urls}]}}"#
        )
    };
    let url = |link: &str| format!(r#"{{"type": "TRACKING", "url": "https://p.example/{link}"}}"#);
    let told = async |first: &str| {
        let information = format!("[{},{}]", entry(2, "B", &url("b")), entry(1, "A", first));
        let conversation = after(&answered(&information, "[]")).await;
        let accepted = conversation.accepted(&with_parcels(plan("parcel", "{}"), 2)).await;
        let links = accepted.parcels.into_iter().map(|it| it.tracking_url.unwrap());
        links.collect::<Vec<String>>()
    };
    assert_eq!(told(&url("a")).await, ["https://p.example/a", "https://p.example/b"]);
    let own = "https://tracking.postnord.com/dk/?id=";
    assert_eq!(told("").await, [format!("{own}A"), format!("{own}B")]);
}

#[tokio::test]
async fn when_all_failed_it_is_a_rejection() {
    for status in ["FAIL", "ERROR"] {
        let error = r#"{"message": "m", "compositeFault": {"faults": [
            {"explanationText": "Too heavy", "faultCode": "BR-1"}]}}"#;
        let information = format!(r#"[{{"status": "{status}", "errorResponse": {error}}}]"#);
        let conversation = after(&answered(&information, "[]")).await;
        let complaints = conversation.rejected(&with_parcels(plan("parcel", "{}"), 2)).await;
        assert_eq!(complaints[0].message, "Too heavy");
    }
}

#[tokio::test]
async fn a_label_that_is_missing_or_broken_leaves_the_booking_and_is_fetched_again() {
    let failed = r#"[{"itemIds": [{"itemIds": "A", "status": "FAIL", "errorResponse":
        {"message": "no label now"}}], "printout": {"type": "LABEL"}}]"#;
    let broken = r#"[{"itemIds": [{"itemIds": "A", "status": "OK"}], "printout":
        {"type": "LABEL", "encoding": "base64", "data": "%%%"}}]"#;
    let half = r#"[{"itemIds": [{"itemIds": "A", "status": "OK"}], "printout":
        {"type": "LABEL", "encoding": "base64", "data": "aGk="}},
        {"itemIds": [{"itemIds": "B", "status": "ERROR"}]}]"#;
    for printouts in ["[]", "null", failed, broken, half] {
        let conversation = after(&answered(TWO, printouts)).await;
        let plan = with_parcels(plan("parcel", "{}"), 2);
        let accepted = conversation.accepted(&plan).await;
        assert!(accepted.files.is_empty(), "{printouts}");
        assert_eq!(accepted.parcels.len(), 2);
        let papers = conversation.papers(&kept(&plan, &accepted)).await;
        assert_eq!(papers.len(), 2);
        assert_eq!(conversation.replay.bookings().len(), 1);
        conversation.is_understood();
    }
}

#[tokio::test]
async fn a_label_without_an_encoding_is_base64_unless_it_is_zpl() {
    for (data, bytes) in [("aGk=", &b"hi"[..]), ("^XA^FDx^FS^XZ", b"^XA^FDx^FS^XZ")] {
        let printouts = format!(
            r#"[{{"itemIds": [{{"itemIds": "A", "status": "OK"}}],
                "printout": {{"type": "LABEL", "data": "{data}"}}}}]"#
        );
        let conversation = after(&answered(ONE, &printouts)).await;
        let accepted = conversation.accepted(&plan("parcel", "{}")).await;
        assert_eq!(accepted.files.files[0].bytes, bytes);
    }
}
