//! What is asked after a booking: cancelling, the end of the day, parcels.

use waybill_carriers::Cancelled;
use waybill_carriers::booking::{Booked, PapersAgain};
use waybill_carriers::closing::{CloseError, ClosingDay};
use waybill_domain::time::Time;
use waybill_replay::{Fault, Kind};

use super::{after, conversation, plan, refused};
use crate::conversation::{Conversation, codes, good, kept, report, with_parcels};

const NUMBERS: [&str; 2] = ["501234567890", "501234567891"];

async fn booked(conversation: &Conversation, parcels: usize) -> Booked {
    let plan = with_parcels(plan("private", "{}"), parcels);
    kept(&plan, &conversation.accepted(&plan).await)
}

fn answer(status: u16, body: &str) -> Fault {
    Fault::before(Kind::Status(status, "application/json".to_owned(), body.to_owned()))
}

#[tokio::test]
async fn every_parcel_is_cancelled_by_its_track_id() {
    let conversation = conversation().await;
    let booking = booked(&conversation, 2).await;
    assert_eq!(conversation.cancel(&booking).await, Cancelled::Done);
    let reference = &booking.reference;
    let ids = [format!("T1{reference}"), format!("T2{reference}")];
    assert_eq!(conversation.replay.kept("cancel", "id"), ids);
    conversation.is_understood();
}

#[tokio::test]
async fn labels_come_again_as_they_came_once_or_not_at_all() {
    let conversation = conversation().await;
    let accepted = conversation.accepted(&plan("private", "{}")).await;
    let again = |kept: &Option<String>| conversation.carrier.papers_again(kept.as_deref());
    assert_eq!(again(&accepted.carrier_data_with_files), PapersAgain::Kept);
    assert_eq!(again(&accepted.carrier_data), PapersAgain::Lost);
    assert_eq!(again(&None), PapersAgain::Lost);
}

#[tokio::test]
async fn the_first_parcel_decides_whether_cancelling_is_refused() {
    let words = r#"{"TrackID":"T","Result":"SCANNED"}"#;
    for (first, second, wanted) in [
        (r#"{"result":"CANCELLATION_PENDING"}"#, r#"{"Result":"CANCELLED"}"#, "done"),
        (words, r#"{"result":"CANCELLED"}"#, "refused"),
        (r#"{"result":"CANCELLED"}"#, words, "unknown"),
        (r#"{"result":"ODD"}"#, "{}", "unknown"),
        ("{}", "{}", "unknown"),
    ] {
        let conversation = conversation().await;
        let booking = booked(&conversation, 2).await;
        conversation.replay.fail("cancel", answer(200, first));
        conversation.replay.fail("cancel", answer(200, second));
        let cancelled = conversation.cancel(&booking).await;
        let is = match &cancelled {
            Cancelled::Done => "done",
            Cancelled::Refused(_) => "refused",
            Cancelled::NotSent(_) => "not sent",
            Cancelled::Unknown(_) => "unknown",
        };
        assert_eq!(is, wanted, "{first} {second} {cancelled:?}");
    }
}

#[tokio::test]
async fn a_500_means_that_it_is_gone_only_when_a_look_says_so() {
    // It is still there.
    let there = conversation().await;
    let booking = booked(&there, 2).await;
    there.replay.fail("cancel", Fault::status(500));
    assert!(matches!(there.cancel(&booking).await, Cancelled::Unknown(_)));
    // It was cancelled before.
    let path = "/shipit-farm/v1/backend/rs/shipments/updateparcelweight";
    let gone = after(&refused(path, 400, r#"error = "INVALID_SHIPMENT_ID""#)).await;
    let booking = booked(&gone, 2).await;
    for _ in 0..2 {
        gone.replay.fail("cancel", Fault::status(500));
    }
    assert_eq!(gone.cancel(&booking).await, Cancelled::Done);
    gone.replay.fail("cancel", Fault::status(502));
    assert!(matches!(gone.cancel(&booking).await, Cancelled::Unknown(_)));
}

#[tokio::test]
async fn a_refusal_to_cancel_has_the_words_of_gls_and_a_return_is_not_even_asked_for() {
    let path = "/shipit-farm/v1/backend/rs/shipments/cancel/{id}";
    let words = r#"error = "INVALID_TRACK_ID", message = "The parcel is on its way""#;
    let conversation = after(&refused(path, 400, words)).await;
    let booking = booked(&conversation, 1).await;
    let refused = Cancelled::Refused("The parcel is on its way".to_owned());
    assert_eq!(conversation.cancel(&booking).await, refused);
    let back = plan("shop_return", "{}");
    let back = kept(&back, &conversation.accepted(&back).await);
    let Cancelled::Refused(words) = conversation.cancel(&back).await else { panic!("cancelled") };
    assert!(words.contains("depot"), "{words}");
    assert_eq!(conversation.replay.hits("refused"), 1);
    let unknown = Booked { carrier_data: None, ..booking };
    assert!(matches!(conversation.cancel(&unknown).await, Cancelled::Unknown(_)));
}

#[tokio::test]
async fn a_refusal_to_cancel_without_words_says_that_there_are_none() {
    let conversation = conversation().await;
    let booking = booked(&conversation, 1).await;
    for (body, wanted) in [
        ("", "GLS does not cancel it, and does not say why."),
        ("{}", "GLS does not cancel it, and does not say why."),
        (r#"{"errors":[{"code":"E","message":"Too late"}]}"#, "Too late"),
    ] {
        conversation.replay.fail("cancel", answer(400, body));
        let refused = conversation.cancel(&booking).await;
        assert_eq!(refused, Cancelled::Refused(wanted.to_owned()), "{body}");
    }
}

fn day(bookings: Vec<Booked>) -> ClosingDay {
    ClosingDay { reference: "M".to_owned(), bookings, date: "2026-11-19".parse().unwrap() }
}

#[tokio::test]
async fn each_day_on_which_something_was_booked_is_closed_once() {
    let conversation = conversation().await;
    let mut bookings = vec![booked(&conversation, 1).await, booked(&conversation, 2).await];
    let mut later = plan("private", "{}");
    later.now = Time::parse("2026-11-18T09:00:00Z").unwrap();
    bookings.push(kept(&later, &conversation.accepted(&later).await));
    let closing = conversation.carrier.closing().unwrap();
    let files = closing.close(&conversation.account, &day(bookings.clone())).await;
    assert_eq!(files, Ok(Vec::new()));
    let dates = conversation.replay.kept("end of day", "date");
    assert_eq!(dates, ["2026-11-16", "2026-11-18"]);
    let unknown = Booked { carrier_data: None, ..bookings[0].clone() };
    closing.close(&conversation.account, &day(vec![unknown])).await.unwrap();
    assert_eq!(conversation.replay.kept("end of day", "date")[2], "2026-11-19");
}

#[tokio::test]
async fn a_day_that_is_not_closed_is_told_in_the_words_of_gls() {
    let path = "/shipit-farm/v1/backend/rs/shipments/endofday";
    let words = r#"error = "COULD_NOT_TRANSMIT", message = "Try again later""#;
    let conversation = after(&refused(path, 400, words)).await;
    let booking = booked(&conversation, 1).await;
    let closing = conversation.carrier.closing().unwrap();
    let closed = closing.close(&conversation.account, &day(vec![booking])).await;
    let Err(CloseError::Refused(why)) = closed else { panic!("{closed:?}") };
    assert_eq!(why.said[0].code.as_deref(), Some("COULD_NOT_TRANSMIT"));
    for fault in [Fault::status(500), Fault::after(Kind::Drop), Fault::after(Kind::Hang)] {
        let conversation = super::conversation().await;
        let booking = booked(&conversation, 1).await;
        conversation.replay.fail("end of day", fault.clone());
        let closing = conversation.carrier.closing().unwrap();
        let closed = closing.close(&conversation.account, &day(vec![booking])).await;
        assert!(matches!(closed, Err(CloseError::Unknown(_))), "{fault:?} {closed:?}");
    }
}

#[tokio::test]
async fn the_newest_event_is_what_the_parcel_says_and_older_ones_what_their_codes_say() {
    let conversation = conversation().await;
    let answers = conversation.track(&NUMBERS).await;
    assert_eq!(answers.len(), 1, "a number that GLS does not know is left out");
    let report = report(&answers, NUMBERS[0]);
    let wanted = ["info_received", "in_transit", "delivery_attempt_failed", "out_for_delivery"];
    assert_eq!(codes(report), wanted);
    let newest = good(report).last().unwrap();
    assert_eq!(newest.happened_at.unwrap().to_string(), "2024-10-08T05:30:00.000000Z");
    assert_eq!(newest.location.as_deref(), Some("Taulov, DK"));
    assert_eq!(newest.note.as_deref(), Some("The parcel is out for delivery."));
    assert_eq!(report.events.iter().filter(|event| event.is_err()).count(), 1);
    conversation.is_understood();
}

fn tracked(parcel: &str) -> String {
    format!(
        r#"
        [[exchange]]
        name = "one"
        request = {{ path = "/track-and-trace-v1/tracking/simple/trackids/1" }}
        answer = {{ json = '''{{"parcels": [{parcel}]}}''' }}"#
    )
}

#[tokio::test]
async fn every_status_of_a_parcel_has_its_meaning() {
    for (theirs, ours) in [
        ("PLANNEDPICKUP", "info_received"),
        ("INPICKUP", "info_received"),
        ("PREADVICE", "info_received"),
        ("INTRANSIT", "in_transit"),
        ("INWAREHOUSE", "arrived_at_terminal"),
        ("INDELIVERY", "out_for_delivery"),
        ("DELIVEREDPS", "available_for_pickup"),
        ("DELIVERED", "delivered"),
        ("FINAL", "delivered"),
        ("NOTDELIVERED", "delivery_attempt_failed"),
        ("NOTPICKEDUP", "exception"),
        ("CANCELED", "exception"),
    ] {
        let event = r#"{"code": "X", "eventDateTime": "2024-10-08T07:30:00+0200"}"#;
        let parcel = format!(r#"{{"requested": "1", "status": "{theirs}", "events": [{event}]}}"#);
        let conversation = after(&tracked(&parcel)).await;
        assert_eq!(codes(report(&conversation.track(&["1"]).await, "1")), [ours]);
        let bare = format!(
            r#"{{"requested": "1", "status": "{theirs}",
                "statusDateTime": "2024-10-08T07:30:00+0200"}}"#
        );
        let conversation = after(&tracked(&bare)).await;
        assert_eq!(codes(report(&conversation.track(&["1"]).await, "1")), [ours]);
    }
}

#[tokio::test]
async fn an_older_event_means_what_its_code_begins_with() {
    for (code, ours) in [
        ("DELIVD.PARCELSHOP", "available_for_pickup"),
        ("DELIVD.SIGNED", "delivered"),
        ("PREADV", "info_received"),
        ("INTIAL.PREADVICE", "info_received"),
        ("INTIAL.E48_DATA", "info_received"),
        ("INTIAL.NORMAL", "in_transit"),
        ("CANCEL.NORMAL", "exception"),
        ("CHANGD.MONEWADDR", "in_transit"),
        ("CHANGD.PARCELBOX", "in_transit"),
        ("INDELI", "out_for_delivery"),
        ("OUTDEL", "out_for_delivery"),
        ("NODELI", "delivery_attempt_failed"),
        ("NOTDEL.CLOSED", "delivery_attempt_failed"),
        ("ANYTHING", "in_transit"),
    ] {
        let parcel = format!(
            r#"{{"requested": "1", "status": "INTRANSIT", "events": [
                {{"code": "{code}", "eventDateTime": "2024-10-07T07:30:00+0200"}},
                {{"code": "NEWEST", "eventDateTime": "2024-10-08T07:30:00+0200"}}]}}"#
        );
        let conversation = after(&tracked(&parcel)).await;
        let answers = conversation.track(&["1"]).await;
        assert_eq!(codes(report(&answers, "1")), [ours, "in_transit"], "{code}");
    }
}

#[tokio::test]
async fn of_events_of_one_second_only_the_newest_is_what_the_parcel_says() {
    let event = |code: &str, second: &str| {
        format!(r#"{{"code": "{code}", "eventDateTime": "2024-10-08T07:30:{second}+0200"}}"#)
    };
    let (newest, older) = (event("NOTDEL.CLOSED", "05"), event("INDELI", "05"));
    let (oldest, wanted) =
        (event("PREADV", "00"), ["info_received", "out_for_delivery", "delivery_attempt_failed"]);
    for (status, events) in [
        // As GLS tells them, and the other way round.
        ("NOTDELIVERED", [&newest, &older, &oldest]),
        ("NOTDELIVERED", [&oldest, &older, &newest]),
    ] {
        let events = events.map(String::as_str).join(",");
        let parcel = format!(r#"{{"requested": "1", "status": "{status}", "events": [{events}]}}"#);
        let conversation = after(&tracked(&parcel)).await;
        let answers = conversation.track(&["1"]).await;
        assert_eq!(codes(report(&answers, "1")), wanted, "{events}");
    }
    // Nothing but one second: GLS tells the newest first.
    let events = format!("{newest},{older}");
    let parcel = format!(r#"{{"requested": "1", "status": "FINAL", "events": [{events}]}}"#);
    let conversation = after(&tracked(&parcel)).await;
    let answers = conversation.track(&["1"]).await;
    assert_eq!(codes(report(&answers, "1")), ["out_for_delivery", "delivered"]);
}

#[tokio::test]
async fn a_question_about_parcels_that_fails_is_an_error_of_all_of_them() {
    let conversation = conversation().await;
    let tracking = conversation.carrier.tracking().unwrap();
    assert_eq!(tracking.batch_max(), 10);
    let pace = tracking.pace();
    let minutes = [pace.first, pace.shortest, pace.longest].map(|it| it.as_secs() / 60);
    assert_eq!(minutes, [1, 15, 360]);
    let numbers = NUMBERS.map(str::to_owned);
    for fault in [Fault::status(500), Fault::status(429), Fault::after(Kind::Page)] {
        conversation.replay.fail("track", fault.clone());
        let failed = tracking.track(&conversation.account, &numbers).await;
        assert!(failed.is_err(), "{fault:?}");
    }
    conversation.replay.fail("track", Fault::status(404));
    assert_eq!(tracking.track(&conversation.account, &numbers).await.unwrap(), []);
}
