//! What comes after a booking with Bring: labels, cancelling, tracking.

use std::time::Duration;

use waybill_carriers::Cancelled;
use waybill_carriers::booking::{Found, PapersAgain};
use waybill_domain::tracking::TrackingAnswer;
use waybill_replay::{Fault, Kind};

use super::{conversation, plan, with};
use crate::conversation::{codes, good, kept, report};

#[tokio::test]
async fn the_label_is_one_file_behind_a_link_that_leads_on() {
    let bring = conversation().await;
    let order = plan("business_parcel", "SE", "SE", "{}");
    let booking = kept(&order, &bring.accepted(&order).await);
    for _ in 0..2 {
        let papers = bring.papers(&booking).await;
        let [(None, label)] = papers.as_slice() else { panic!("{papers:?}") };
        assert!(label.ends_with(order.reference.as_str().as_bytes()));
    }
    assert_eq!(bring.replay.hits("label file"), 2, "it can be had again");
    bring.is_understood();
}

#[tokio::test]
async fn a_booking_that_was_found_has_no_label_and_says_where_to_print_one() {
    let bring = conversation().await;
    let order = plan("business_parcel", "SE", "SE", "{}");
    let mut booking = kept(&order, &bring.accepted(&order).await);
    booking.carrier_data = None;
    let why = bring.carrier.documents(&bring.account, &booking).await.unwrap_err();
    assert!(why.said[0].message.contains("Mybring"), "{why}");
    assert_eq!(bring.carrier.papers_again(None), PapersAgain::Lost);
    assert_eq!(bring.carrier.papers_again(Some("https://api.bring.com/x")), PapersAgain::Asked);
    assert_eq!(bring.replay.hits("label"), 0);
}

#[tokio::test]
async fn an_answer_without_a_link_is_a_booking_without_a_label() {
    let bring = conversation().await;
    let order = plan("business_parcel", "SE", "SE", "{}");
    let name = format!("{}-1", order.reference);
    let body = format!(
        r#"{{"consignments":[{{"confirmation":{{"consignmentNumber":"C","links":{{}},
        "packages":[{{"packageNumber":"P","correlationId":"{name}"}}]}}}}]}}"#
    );
    bring.replay.fail("book", Fault::after(Kind::Status(200, String::new(), body)));
    let booking = kept(&order, &bring.accepted(&order).await);
    assert_eq!(booking.carrier_data, None);
    assert!(bring.carrier.documents(&bring.account, &booking).await.is_err());
    assert_eq!(bring.replay.bookings().len(), 1);
}

#[tokio::test]
async fn a_parcel_is_followed_at_brings_own_page_when_its_answer_has_no_link() {
    let bring = conversation().await;
    let order = plan("business_parcel", "SE", "SE", "{}");
    for link in ["null", r#"" ""#] {
        let body = format!(
            r#"{{"consignments":[{{"confirmation":{{"consignmentNumber":"C",
            "links":{{"tracking":{link}}},"packages":[{{"packageNumber":"P 1"}}]}}}}]}}"#
        );
        bring.replay.fail("book", Fault::after(Kind::Status(200, String::new(), body)));
        let accepted = bring.accepted(&order).await;
        let url = "https://tracking.bring.com/tracking.html?q=P%201";
        assert_eq!(accepted.parcels[0].tracking_url.as_deref(), Some(url));
    }
    let Found::Accepted(found) = bring.find(&order).await else { panic!("not found") };
    let url = format!("https://tracking.bring.com/tracking.html?q=P-{}-1", order.reference);
    assert_eq!(found.parcels[0].tracking_url, Some(url));
}

#[tokio::test]
async fn a_parcel_that_nothing_can_be_said_of_now_is_asked_about_later() {
    let bring = conversation().await;
    for code in [400, 503] {
        let error = format!(r#"{{"consignmentSet":[{{"error":{{"code":{code}}}}}]}}"#);
        bring.replay.fail("track", Fault::before(Kind::Status(200, String::new(), error)));
        let answers = bring.track(&["TESTPACKAGE"]).await;
        assert_eq!(answers, [("TESTPACKAGE".to_owned(), TrackingAnswer::Later(None))]);
    }
}

#[tokio::test]
async fn a_label_that_is_missing_or_broken_is_told_and_can_be_had_later() {
    let bring = conversation().await;
    let order = plan("business_parcel", "SE", "SE", "{}");
    let booking = kept(&order, &bring.accepted(&order).await);
    for kind in [
        Kind::Page,
        Kind::Drop,
        Kind::Big(24),
        Kind::Status(404, String::new(), String::new()),
        Kind::Status(200, "application/pdf".to_owned(), String::new()),
    ] {
        bring.replay.fail("label file", Fault::before(kind.clone()));
        let files = bring.carrier.documents(&bring.account, &booking).await;
        assert!(files.is_err(), "{kind:?}");
    }
    for to in ["http://127.0.0.1:9/elsewhere", "https://elsewhere.example/label.pdf"] {
        bring.replay.fail("label", Fault::before(Kind::Redirect(to.to_owned())));
        let why = bring.carrier.documents(&bring.account, &booking).await.unwrap_err();
        assert_eq!(why.reason, "a link to elsewhere", "{to}");
        let said: Vec<&str> = why.said.iter().map(|it| it.message.as_str()).collect();
        assert_eq!(said, ["The answer has no file, but a link to elsewhere"], "{to}");
    }
    assert_eq!(bring.papers(&booking).await.len(), 1);
}

#[tokio::test]
async fn a_booking_is_cancelled_here_alone_or_not_at_all() {
    let order = plan("business_parcel", "SE", "SE", "{}");
    for (options, is_done) in
        [("{}", false), (r#"{"cancel":"refuse"}"#, false), (r#"{"cancel":"local"}"#, true)]
    {
        let bring = with(options).await;
        let booking = kept(&order, &Default::default());
        match bring.cancel(&booking).await {
            Cancelled::Done => assert!(is_done, "{options}"),
            Cancelled::Refused(words) => assert!(!is_done && words.contains("Mybring"), "{words}"),
            other => panic!("{other:?}"),
        }
        bring.is_understood();
    }
}

#[tokio::test]
async fn a_parcel_is_told_of_by_its_own_number() {
    let bring = conversation().await;
    let answers = bring.track(&["TESTPACKAGE", "7"]).await;
    assert_eq!(answers.len(), 1, "one that is not known is left out");
    let report = report(&answers, "TESTPACKAGE");
    assert_eq!(codes(report), ["available_for_pickup", "collected"]);
    assert_eq!(report.events.iter().filter(|event| event.is_err()).count(), 1);
    let first = good(report).next().unwrap();
    assert_eq!(first.location.as_deref(), Some("BERGEN, NO"));
    assert_eq!(first.happened_at.unwrap().to_string(), "2026-11-17T08:30:00.000000Z");
    let window = report.estimate.unwrap();
    assert_eq!(window.start.to_string(), "2026-11-17T15:00:00.000000Z");
    assert_eq!(window.end.to_string(), "2026-11-17T19:00:00.000000Z");
    let tracking = bring.carrier.tracking().unwrap();
    assert_eq!((tracking.pace().first, tracking.batch_max()), (Duration::from_mins(1), 10));
    bring.is_understood();
}

#[tokio::test]
async fn numbers_that_could_not_be_asked_about_are_put_off() {
    let bring = conversation().await;
    bring.replay.fail("find nothing", Fault::status(429));
    let answers = bring.track(&["TESTPACKAGE", "7", "8"]).await;
    let numbers: Vec<&str> = answers.iter().map(|(number, _)| number.as_str()).collect();
    assert_eq!(numbers, ["TESTPACKAGE", "7", "8"]);
    bring.replay.fail("track", Fault::before(Kind::Page));
    let answers = bring.track(&["TESTPACKAGE"]).await;
    let unreadable = &answers[0].1;
    assert!(matches!(unreadable, TrackingAnswer::Unreadable(_)));
    bring.replay.fail("track", Fault::before(Kind::Drop));
    let tracking = bring.carrier.tracking().unwrap();
    assert!(tracking.track(&bring.account, &["TESTPACKAGE".to_owned()]).await.is_err());
}
