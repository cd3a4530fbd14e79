//! What is asked after a booking: labels, references, parcels.

use waybill_carriers::CarrierError;
use waybill_carriers::booking::{Booked, Found};
use waybill_domain::tracking::TrackingAnswer;
use waybill_replay::{Fault, Kind};

use super::{after, conversation, moved, plan};
use crate::conversation::{codes, good, kept, report, with_parcels};

const NUMBER: &str = "00370700000000000017";

#[tokio::test]
async fn labels_come_again_by_the_names_of_the_booking_or_by_the_numbers_of_its_parcels() {
    let conversation = conversation().await;
    let plan = with_parcels(plan("parcel", "{}"), 2);
    let booking = kept(&plan, &conversation.accepted(&plan).await);
    let papers = conversation.papers(&booking).await;
    assert_eq!(papers.len(), 2);
    assert_eq!(conversation.replay.bookings().len(), 1);
    let found = Booked { carrier_data: None, ..booking };
    let papers = conversation.papers(&found).await;
    let places: Vec<_> = papers.iter().map(|(place, _)| *place).collect();
    assert_eq!(places, [Some(0), Some(1)]);
    let reference = &plan.reference;
    let asked = conversation.replay.kept_of_each("labels", "item", "id");
    let wanted = [
        [format!("P1-{reference}"), format!("P2-{reference}")],
        [format!("10{reference}"), format!("20{reference}")],
    ];
    assert_eq!(asked, wanted);
    let kinds = conversation.replay.kept_of_each("labels", "item", "kind");
    assert_eq!(kinds, [["standard", "standard"], ["standard", "standard"]]);
    conversation.is_understood();
}

#[tokio::test]
async fn labels_are_asked_for_again_in_the_language_of_the_booking() {
    let first = r#"
        [[exchange]]
        name = "no labels"
        [exchange.request]
        path = "/rest/shipment/v3/labels/ids/{format}"
        query = { locale = "{locale}" }
        [exchange.answer]
        status = 500"#;
    let conversation = after(first).await;
    for (country, locale) in [("DK", "da"), ("SE", "sv"), ("NO", "no"), ("FI", "fi"), ("DE", "en")]
    {
        let code = if country == "SE" { "11122" } else { "2300" };
        let plan = plan("parcel", &moved(("DK", "6000"), (country, code)));
        let booked = kept(&plan, &conversation.accepted(&plan).await);
        let Found::Accepted(found) = conversation.find(&plan).await else { panic!("{country}") };
        for booking in [booked, kept(&plan, &found)] {
            let papers = conversation.carrier.documents(&conversation.account, &booking).await;
            assert!(papers.is_err());
            let asked = conversation.replay.kept("no labels", "locale");
            assert_eq!(asked.last().map(String::as_str), Some(locale), "{country}");
        }
    }
    assert_eq!(conversation.replay.hits("no labels"), 10);
}

#[tokio::test]
async fn what_was_kept_of_older_bookings_is_read_as_well() {
    let conversation = conversation().await;
    let plan = plan("parcel", "{}");
    let booking = kept(&plan, &conversation.accepted(&plan).await);
    let older = Booked { carrier_data: Some(r#"["P1","P2"]"#.to_owned()), ..booking };
    conversation.papers(&older).await;
    assert_eq!(conversation.replay.kept_of_each("labels", "item", "id"), [["P1", "P2"]]);
}

#[tokio::test]
async fn labels_that_do_not_come_are_a_failure_in_postnords_words() {
    let conversation = conversation().await;
    let plan = plan("parcel", "{}");
    let booking = kept(&plan, &conversation.accepted(&plan).await);
    let failed = r#"[{"itemIds": [{"itemIds": "A", "status": "FAIL", "errorResponse":
        {"message": "The item is not known"}}]}]"#;
    for (status, body, words) in [
        (200, failed, "The item is not known"),
        (400, r#"{"message": "Missing id"}"#, "Missing id"),
        (500, "", "no labels, but an answer with status 500"),
        (200, "[]", "no labels, but an answer with status 200"),
    ] {
        let kind = Kind::Status(status, "application/json".to_owned(), body.to_owned());
        conversation.replay.fail("labels", Fault::before(kind));
        let why = conversation.carrier.documents(&conversation.account, &booking).await;
        let why = why.unwrap_err().to_string();
        assert!(why.contains(words), "{why}");
    }
}

#[tokio::test]
async fn only_an_empty_answer_and_a_404_with_a_fault_prove_that_it_is_not_there() {
    let conversation = conversation().await;
    let plan = plan("parcel", "{}");
    assert_eq!(conversation.find(&plan).await, Found::Absent);
    let fault = r#"{"compositeFault": {"faults": [{"explanationText": "No shipment found"}]}}"#;
    let inside = format!(r#"{{"TrackingInformationResponse": {fault}}}"#);
    let foreign = r#"{"TrackingInformationResponse": {"shipments": [{"shipmentId": "S",
        "shipmentReferences": [{"value": "OTHER"}], "items": [{"itemId": "A"}]}]}}"#;
    for (status, body, is_absent) in [
        (404, fault, true),
        (404, inside.as_str(), true),
        (404, "", false),
        (404, "{}", false),
        (403, fault, false),
        (429, "", false),
        (500, fault, false),
        (200, "{}", false),
        (200, foreign, false),
        (200, r#"{"TrackingInformationResponse": {"shipments": [{"items": []}]}}"#, false),
    ] {
        let kind = Kind::Status(status, "application/json".to_owned(), body.to_owned());
        conversation.replay.fail("absent", Fault::before(kind));
        let found = conversation.find(&plan).await;
        assert_eq!(found == Found::Absent, is_absent, "{status} {body} {found:?}");
        assert_eq!(matches!(found, Found::Unknown(_)), !is_absent, "{status} {body} {found:?}");
    }
}

#[tokio::test]
async fn items_are_matched_by_the_reference_that_we_gave_them_and_else_in_order() {
    let item = |number: &str, reference: &str| {
        format!(r#"{{"itemId": "{number}", "references": [{{"value": "{reference}"}}]}}"#)
    };
    for (items, wanted) in [
        ([item("B", "{reference}-2"), item("A", "{reference}-1")], ["A", "B"]),
        ([item("B", "x"), item("A", "y")], ["B", "A"]),
    ] {
        let first = format!(
            r#"
            [[exchange]]
            name = "look"
            request = {{ path = "/rest/shipment/v7/trackandtrace/customernumber/1234567890/reference/{{reference}}/public" }}
            answer = {{ json = '''{{"TrackingInformationResponse": {{"shipments": [
                {{"shipmentId": "S1", "items": [{}]}}]}}}}''' }}"#,
            items.join(",")
        );
        let conversation = after(&first).await;
        let plan = with_parcels(plan("parcel", "{}"), 2);
        let Found::Accepted(found) = conversation.find(&plan).await else { panic!("{wanted:?}") };
        let numbers: Vec<_> = found.parcels.iter().map(|it| it.tracking_number.as_str()).collect();
        assert_eq!((numbers.as_slice(), found.carrier_reference.as_str()), (&wanted[..], "S1"));
        // With another count of parcels it is not ours, or not all of it.
        let more = with_parcels(plan, 3);
        assert!(matches!(conversation.find(&more).await, Found::Unknown(_)));
    }
}

#[tokio::test]
async fn items_with_the_references_of_other_parcels_are_not_ours() {
    let conversation = conversation().await;
    let foreign = r#"{"TrackingInformationResponse": {"shipments": [{"shipmentId": "S", "items": [
        {"itemId": "A", "references": [{"value": "OTHER-1", "type": "ACD"}]}]}]}}"#;
    let kind = Kind::Status(200, "application/json".to_owned(), foreign.to_owned());
    conversation.replay.fail("absent", Fault::before(kind));
    let found = conversation.find(&plan("parcel", "{}")).await;
    assert!(matches!(found, Found::Unknown(_)), "{found:?}");
}

#[tokio::test]
async fn events_are_told_in_our_words_at_the_time_of_their_place() {
    let conversation = conversation().await;
    let answers = conversation.track(&[NUMBER]).await;
    let report = report(&answers, NUMBER);
    assert_eq!(codes(report), ["info_received", "in_transit", "in_transit"]);
    let events: Vec<_> = good(report).collect();
    let at = |index: usize| events[index].happened_at.unwrap().to_string();
    assert_eq!(at(0), "2026-11-16T07:12:00.000000Z");
    assert_eq!(at(1), "2026-11-17T07:00:00.000000Z", "it happened in Finland");
    assert_eq!(at(2), "2026-11-17T11:00:00.000000Z");
    assert_eq!(events[0].location.as_deref(), Some("PostNord Taulov"));
    assert_eq!(events[0].note.as_deref(), Some("The shipment has been reported"));
    assert_eq!(events[1].location.as_deref(), Some("Terminal, Vantaa"));
    assert_eq!(report.events.iter().filter(|event| event.is_err()).count(), 2);
    let estimate = report.estimate.unwrap();
    assert_eq!(estimate.start.to_string(), "2026-11-18T13:00:00.000000Z");
    assert_eq!(estimate.end.to_string(), "2026-11-18T15:00:00.000000Z");
    let again = conversation.track(&[NUMBER]).await;
    let prints = |answers| {
        let report = crate::conversation::report(answers, NUMBER);
        good(report).map(|event| event.fingerprint).collect::<Vec<_>>()
    };
    assert_eq!(prints(&again), prints(&answers));
}

#[tokio::test]
async fn every_status_has_its_meaning() {
    for (theirs, ours) in [
        ("CREATED", "info_received"),
        ("INFORMED", "info_received"),
        ("EN_ROUTE", "in_transit"),
        ("OTHER", "in_transit"),
        ("AVAILABLE_FOR_DELIVERY", "available_for_pickup"),
        ("AVAILABLE_FOR_DELIVERY_PAR_LOC", "available_for_pickup"),
        ("DELAYED", "delayed"),
        ("EXPECTED_DELAY", "delayed"),
        ("DELIVERED", "delivered"),
        ("DELIVERY_IMPOSSIBLE", "delivery_attempt_failed"),
        ("DELIVERY_REFUSED", "exception"),
        ("STOPPED", "exception"),
        ("RETURNED", "returned"),
    ] {
        let conversation = after(&format!(
            r#"
            [[exchange]]
            name = "one"
            request = {{ path = "/rest/shipment/v7/trackandtrace/id/{{number}}/public" }}
            answer = {{ json = '''{{"TrackingInformationResponse": {{"shipments": [{{"items": [
                {{"itemId": "{{number}}", "events": [{{"eventTime": "2026-11-16T08:12:00",
                    "status": "{theirs}"}}]}}]}}]}}}}''' }}"#
        ))
        .await;
        let answers = conversation.track(&["1"]).await;
        assert_eq!(codes(report(&answers, "1")), [ours], "{theirs}");
    }
}

#[tokio::test]
async fn what_is_not_known_is_left_out_and_a_failure_puts_off_the_rest() {
    let conversation = conversation().await;
    let numbers = ["4041", "1", NUMBER];
    let told: Vec<String> = conversation.track(&numbers).await.into_iter().map(|it| it.0).collect();
    assert_eq!(told, [NUMBER]);
    conversation.replay.fail("track", Fault::status(429));
    let answers = conversation.track(&[NUMBER]).await;
    assert_eq!(answers, [(NUMBER.to_owned(), TrackingAnswer::Later(None))]);
    conversation.replay.fail("nothing known", Fault::status(500));
    let answers = conversation.track(&[NUMBER, "1", "2"]).await;
    let later: Vec<&str> = answers[1..].iter().map(|(number, _)| number.as_str()).collect();
    assert_eq!(later, ["1", "2"]);
    assert!(answers[1..].iter().all(|(_, it)| *it == TrackingAnswer::Later(None)));
    let tracking = conversation.carrier.tracking().unwrap();
    conversation.replay.fail("track", Fault::status(403));
    let refused = tracking.track(&conversation.account, &[NUMBER.to_owned()]).await;
    assert!(matches!(refused, Err(CarrierError::AccessDenied(_))), "{refused:?}");
    assert_eq!(tracking.batch_max(), 10);
    let pace = tracking.pace();
    let minutes = [pace.first, pace.shortest, pace.longest].map(|it| it.as_secs() / 60);
    assert_eq!(minutes, [1, 15, 360]);
}
