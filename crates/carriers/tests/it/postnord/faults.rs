//! Whatever goes wrong, a shipment is never booked twice.

use waybill_carriers::booking::{Found, Lookup, Outcome};
use waybill_carriers::postnord;

use super::{account, after, conversation, plan};
use crate::conversation::with_parcels;
use crate::faults::{Ends, Labels, Subject, books_over_tls, never_two, settle};
use crate::texts::texts_arrive_or_are_refused;

fn subject() -> Subject {
    Subject {
        code: "postnord",
        open: postnord::open,
        account: account(),
        plan: with_parcels(plan("mypack_home", "{}"), 2),
        booking: "book",
        unauthorized: Ends::AccessDenied,
        forbidden: Ends::AccessDenied,
        busy: Ends::NotSent,
        incomplete: r#"{"bookingResponse":{"bookingId":"B","idInformation":[{"status":"OK",
            "ids":[{"idType":"itemId","value":"37001"}]}]}}"#,
        labels: Labels::Inside(
            r#"{"bookingResponse":{"bookingId":"B","idInformation":[{"status":"OK",
            "ids":[{"idType":"itemId","value":"37001"},{"idType":"itemId","value":"37002"}]}]},
            "labelPrintout":[]}"#,
            r#"{"bookingResponse":{"bookingId":"B","idInformation":[{"status":"OK",
            "ids":[{"idType":"itemId","value":"37001"},{"idType":"itemId","value":"37002"}]}]},
            "labelPrintout":[{"itemIds":[],"printout":{"type":"LABEL","encoding":"base64",
            "data":"!"}}]}"#,
        ),
    }
}

#[tokio::test]
async fn a_fault_never_leads_to_a_second_booking() {
    never_two(&subject()).await;
}

#[tokio::test]
async fn it_is_booked_over_tls() {
    books_over_tls(&subject()).await;
}

#[tokio::test]
async fn what_people_write_arrives_whole_or_is_refused_where_it_stands() {
    texts_arrive_or_are_refused(&subject()).await;
}

#[tokio::test]
async fn tracking_knows_a_booking_by_its_reference_after_a_while() {
    let conversation = conversation().await;
    let lookup = conversation.carrier.lookup("postnord:mypack_home");
    let Lookup::ByReference { settle, is_certain } = lookup else { panic!("{lookup:?}") };
    assert_eq!((settle.as_secs(), is_certain), (7200, false));
}

#[tokio::test]
async fn an_unclear_answer_is_found_by_its_reference_with_its_parcels_in_order() {
    let conversation = conversation().await;
    let plan = subject().plan;
    conversation.replay.fail("book", waybill_replay::Fault::after(waybill_replay::Kind::Cut));
    let outcome = conversation.book(&plan).await;
    assert_eq!(Ends::of(&outcome), Ends::Unknown);
    let Found::Accepted(found) = conversation.find(&plan).await else { panic!("not found") };
    let numbers: Vec<&str> = found.parcels.iter().map(|it| it.tracking_number.as_str()).collect();
    let reference = plan.reference.as_str();
    assert_eq!(numbers, [format!("10{reference}"), format!("20{reference}")]);
    settle(&conversation, &plan, outcome).await;
    assert_eq!(conversation.replay.bookings(), [reference]);
    conversation.is_understood();
}

/// Two parcels, of which one was refused.
const PARTIAL: &str = r#"
[[exchange]]
name = "partial"
books = "{reference}"
request = { method = "POST", path = "/rest/shipment/v3/edi/labels/pdf", json = '''
  {"messageId": "{reference}"}''' }
answer = { json = '''
  {"bookingResponse": {"bookingId": "B", "idInformation": [
    {"status": "FAIL", "references": {"item": [{"referenceNo": "{reference}-1"}]},
      "errorResponse": {"message": "refused", "compositeFault": {"faults": [
        {"explanationText": "Too heavy", "faultCode": "BR-1"}]}}},
    {"status": "OK", "references": {"item": [{"referenceNo": "{reference}-2"}]},
      "ids": [{"idType": "itemId", "value": "0037002"}]}]},
   "labelPrintout": [{"itemIds": [{"itemIds": "0037002", "status": "OK"}], "printout":
     {"type": "LABEL", "encoding": "none", "data": "^XA^XZ"}}]}''' }
"#;

#[tokio::test]
async fn a_part_that_was_booked_is_not_booked_again() {
    let conversation = after(PARTIAL).await;
    let plan = subject().plan;
    let outcome = conversation.book(&plan).await;
    let Outcome::Partial(partial) = &outcome else { panic!("{outcome:?}") };
    assert_eq!(partial.missing, [0]);
    assert_eq!(partial.accepted.parcels[0].tracking_number, "0037002");
    assert_eq!(partial.accepted.files.files[0].parcel, Some(1));
    let complaint = &partial.complaints[0];
    assert_eq!(
        (complaint.message.as_str(), complaint.code.as_deref()),
        ("Too heavy", Some("BR-1"))
    );
    settle(&conversation, &plan, outcome).await;
    assert_eq!(conversation.replay.bookings().len(), 1);
    conversation.is_understood();
}
