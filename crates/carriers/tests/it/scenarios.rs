//! Every scenario of the sandbox carrier over real HTTP, and what the adapter makes of it.

use std::time::{Duration, Instant};

use waybill_carriers::Cancelled;
use waybill_carriers::booking::{Booked, Complaint, Found, Lookup, Outcome, Partial, Plan};
use waybill_domain::document::{DocumentType, Format};

use crate::harness::{Running, account, booked, folder, journaled, label, plan, sought};

#[tokio::test]
async fn a_booking_is_accepted_with_numbers_and_a_label() {
    let running = Running::start().await;
    let accepted = running.accepted(&plan("sandbox:home", "", 2)).await;
    assert!(accepted.carrier_reference.starts_with("SB-"));
    let numbers: Vec<_> = accepted.parcels.iter().map(|p| p.tracking_number.clone()).collect();
    assert_ne!(numbers[0], numbers[1]);
    for parcel in &accepted.parcels {
        let number = &parcel.tracking_number;
        assert!(number.starts_with("SBX") && number.len() == 16, "{number}");
        let url = format!("https://track.sandbox.example/{number}");
        assert_eq!(parcel.tracking_url, Some(url));
    }
    let [file] = accepted.files.files.as_slice() else { panic!("one file for all parcels") };
    assert_eq!((file.types.as_slice(), file.format), (&[DocumentType::Label][..], Format::Pdf));
    assert!(file.bytes.starts_with(b"%PDF-1.4"));
    assert!(accepted.qr_codes.is_empty() && accepted.drop_off_codes.is_empty());
}

#[tokio::test]
async fn a_label_for_a_label_printer_is_zpl_and_other_formats_are_refused() {
    let running = Running::start().await;
    let zpl = |service| Plan { label: Some(label(Format::Zpl)), ..plan(service, "", 2) };
    let accepted = running.accepted(&zpl("sandbox:home")).await;
    let text = String::from_utf8(accepted.files.files[0].bytes.clone()).unwrap();
    assert_eq!(text.matches("^XA").count(), 2);
    assert!(text.contains(&accepted.parcels[1].tracking_number));
    let png = Plan { label: Some(label(Format::Png)), ..plan("sandbox:home", "", 1) };
    for refused in [zpl("sandbox:letter"), png] {
        let outcome = running.book(&refused).await;
        let Outcome::Rejected(complaints) = outcome else { panic!("{outcome:?}") };
        assert_eq!(complaints[0].code.as_deref(), Some("no_such_label"));
    }
}

#[tokio::test]
async fn a_rejection_says_why_in_our_names() {
    let running = Running::start().await;
    let rejected = plan("sandbox:home", "sim:reject", 1);
    let complaint = Complaint {
        path: Some("parties.customer.address.postal_code".to_owned()),
        code: Some("not_served".to_owned()),
        message: "The sandbox does not deliver there, as it was told.".to_owned(),
    };
    assert_eq!(running.book(&rejected).await, Outcome::Rejected(vec![complaint]));
    assert_eq!(running.sandbox.find(&account(), &sought(&rejected)).await, Found::Absent);
    for (service, words) in [("sandbox:rocket", ""), ("sandbox:home", "sim:gold")] {
        let outcome = running.book(&plan(service, words, 1)).await;
        assert!(matches!(outcome, Outcome::Rejected(_)), "{outcome:?}");
    }
}

#[tokio::test]
async fn only_an_answer_that_proves_it_is_not_sent() {
    let running = Running::start().await;
    for (words, is_not_sent) in [
        ("sim:error=503", true),
        ("sim:error=429", true),
        ("sim:error=500", false),
        ("sim:error=502", false),
        ("sim:error=409", false),
    ] {
        let failed = plan("sandbox:home", words, 1);
        let outcome = running.book(&failed).await;
        assert_eq!(matches!(outcome, Outcome::NotSent(_)), is_not_sent, "{words} {outcome:?}");
        assert_eq!(matches!(outcome, Outcome::Unknown(_)), !is_not_sent, "{words} {outcome:?}");
        assert_eq!(running.sandbox.find(&account(), &sought(&failed)).await, Found::Absent);
    }
}

#[tokio::test]
async fn an_unclear_answer_is_found_by_its_reference() {
    let running = Running::start().await;
    for words in ["sim:drop", "sim:garbage"] {
        let unclear = plan("sandbox:home", words, 2);
        let outcome = running.book(&unclear).await;
        assert!(matches!(outcome, Outcome::Unknown(_)), "{words} {outcome:?}");
        let found = running.sandbox.find(&account(), &sought(&unclear)).await;
        let Found::Accepted(accepted) = found else { panic!("{words} {found:?}") };
        assert_eq!(accepted.parcels.len(), 2);
        let files = running.sandbox.documents(&account(), &booked(&unclear, &accepted)).await;
        assert_eq!(files.unwrap().files.len(), 1);
    }
}

#[tokio::test]
async fn a_delayed_booking_cannot_be_missed_even_when_the_caller_hangs_up() {
    let folder = folder("delay");
    let journal = folder.join("journal");
    let running = Running::with_journal(&journal).await;
    let slow = plan("sandbox:home", "sim:delay=600ms", 1);
    let hung_up = tokio::time::timeout(Duration::from_millis(200), running.book(&slow)).await;
    assert!(hung_up.is_err());
    let found = running.sandbox.find(&account(), &sought(&slow)).await;
    assert!(matches!(found, Found::Unknown(_)), "{found:?}");
    tokio::time::sleep(Duration::from_millis(700)).await;
    let found = running.sandbox.find(&account(), &sought(&slow)).await;
    assert!(matches!(found, Found::Accepted(_)), "{found:?}");
    assert_eq!(journaled(&journal, "booked", &slow.reference), 1);
}

#[tokio::test]
async fn a_late_answer_is_to_a_booking_that_can_be_found_at_once() {
    let running = Running::start().await;
    let late = plan("sandbox:home", "sim:late=700ms", 1);
    let look = async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        running.sandbox.find(&account(), &sought(&late)).await
    };
    #[expect(clippy::disallowed_methods, reason = "the test measures real time")]
    let started = Instant::now();
    let (outcome, found) = tokio::join!(running.book(&late), look);
    assert!(started.elapsed() >= Duration::from_millis(700));
    assert!(matches!(outcome, Outcome::Accepted(_)), "{outcome:?}");
    assert!(matches!(found, Found::Accepted(_)), "{found:?}");
}

#[tokio::test]
async fn a_part_is_booked_and_the_rest_complained_about() {
    let running = Running::start().await;
    let partial = plan("sandbox:home", "sim:partial", 3);
    let outcome = running.book(&partial).await;
    let Outcome::Partial(Partial { accepted, missing, complaints }) = outcome else {
        panic!("{outcome:?}")
    };
    assert_eq!((accepted.parcels.len(), missing.as_slice()), (2, &[2][..]));
    let taken: Vec<bool> = accepted.by_place(&missing).map(|parcel| parcel.is_some()).collect();
    assert_eq!(taken, [true, true, false]);
    assert_eq!(complaints.len(), 1);
    assert_eq!(complaints[0].path.as_deref(), Some("parcels.2"));
    let found = running.sandbox.find(&account(), &sought(&partial)).await;
    let Found::Partial(found) = found else { panic!("{found:?}") };
    assert_eq!((found.accepted.parcels, found.missing), (accepted.parcels, missing));
    // Of one parcel there is no part.
    let outcome = running.book(&plan("sandbox:home", "sim:partial", 1)).await;
    assert!(matches!(outcome, Outcome::Rejected(_)), "{outcome:?}");
}

#[tokio::test]
async fn codes_come_one_for_each_parcel() {
    let running = Running::start().await;
    for parcels in [1, 3] {
        let accepted = running.accepted(&plan("sandbox:home", "sim:qr sim:dropoff", parcels)).await;
        assert_eq!(accepted.qr_codes.len(), parcels);
        assert_eq!(accepted.drop_off_codes.len(), parcels);
        assert!(accepted.qr_codes[0].starts_with("SBXQR:SBX"));
        assert_eq!(accepted.drop_off_codes[0].len(), 8);
    }
}

#[tokio::test]
async fn those_who_draw_the_label_are_told_what_it_shows() {
    let running = Running::start().await;
    let order = Plan { label: None, ..plan("sandbox:home", "sim:track=1s", 1) };
    let accepted = running.accepted(&order).await;
    assert!(accepted.files.files.is_empty());
    let label_data = accepted.files.label_data.clone().unwrap();
    assert!(label_data.routing_code.as_deref().unwrap().starts_with("SBX "));
    let again = running.sandbox.documents(&account(), &booked(&order, &accepted)).await.unwrap();
    assert_eq!(again, accepted.files);
}

#[tokio::test]
async fn documents_fail_always_or_once_and_the_booking_stands() {
    let running = Running::start().await;
    for (words, second) in [("sim:documents=fail", false), ("sim:documents=fail-once", true)] {
        let order = plan("sandbox:home", words, 1);
        let accepted = running.accepted(&order).await;
        assert!(accepted.files.files.is_empty());
        let booking = booked(&order, &accepted);
        let first = running.sandbox.documents(&account(), &booking).await;
        let why = first.unwrap_err();
        assert_eq!(why.said[0].code.as_deref(), Some("no_documents"));
        assert!(why.to_string().contains("500: The label could not be made, as it was told."));
        let again = running.sandbox.documents(&account(), &booking).await;
        assert_eq!(again.is_ok(), second, "{words}");
    }
}

#[tokio::test]
async fn a_booking_is_cancelled_once_or_not_at_all() {
    let folder = folder("cancel");
    let journal = folder.join("journal");
    let running = Running::with_journal(&journal).await;
    let cancelling = running.sandbox.cancelling().unwrap();
    let order = plan("sandbox:home", "", 1);
    let booking = booked(&order, &running.accepted(&order).await);
    for _ in 0..2 {
        assert_eq!(cancelling.cancel(&account(), &booking).await, Cancelled::Done);
    }
    assert_eq!(journaled(&journal, "cancelled", &order.reference), 1);
    let order = plan("sandbox:home", "sim:cancel=refuse", 1);
    let booking = booked(&order, &running.accepted(&order).await);
    let cancelled = cancelling.cancel(&account(), &booking).await;
    assert!(matches!(cancelled, Cancelled::Refused(_)), "{cancelled:?}");
    let foreign = Booked { carrier_reference: "SB-1/../2".into(), ..booking };
    let cancelled = cancelling.cancel(&account(), &foreign).await;
    assert!(matches!(cancelled, Cancelled::Unknown(_)), "{cancelled:?}");
}

#[tokio::test]
async fn a_service_that_cannot_be_asked_is_not_answered_for() {
    let running = Running::start().await;
    let blind = plan("sandbox:no_lookup", "", 1);
    running.accepted(&blind).await;
    let found = running.sandbox.find(&account(), &sought(&blind)).await;
    assert!(matches!(found, Found::Unknown(_)), "{found:?}");
    assert_eq!(running.sandbox.lookup("sandbox:no_lookup"), Lookup::Never);
    let asked = Lookup::ByReference { settle: Duration::from_secs(1), is_certain: false };
    assert_eq!(running.sandbox.lookup("sandbox:home"), asked);
}

#[tokio::test]
async fn a_booking_may_hide_for_a_while() {
    let running = Running::with(None, Duration::from_millis(400)).await;
    let order = plan("sandbox:home", "", 1);
    running.accepted(&order).await;
    assert_eq!(running.sandbox.find(&account(), &sought(&order)).await, Found::Absent);
    tokio::time::sleep(Duration::from_millis(500)).await;
    let found = running.sandbox.find(&account(), &sought(&order)).await;
    assert!(matches!(found, Found::Accepted(_)), "{found:?}");
}

#[tokio::test]
async fn the_idempotent_service_books_a_reference_once_however_often_it_is_sent() {
    let folder = folder("idempotent");
    let journal = folder.join("journal");
    let running = Running::with_journal(&journal).await;
    assert_eq!(running.sandbox.lookup("sandbox:idempotent"), Lookup::Idempotent);
    let order = plan("sandbox:idempotent", "sim:drop sim:delay=100ms", 2);
    let (first, second) = tokio::join!(running.book(&order), running.book(&order));
    // One of them was the first, whose answer is dropped, and the other waited for it.
    let answers = [first, second];
    let is_unclear = |outcome: &&Outcome| matches!(outcome, Outcome::Unknown(_));
    assert_eq!(answers.iter().filter(is_unclear).count(), 1, "{answers:?}");
    let third = running.accepted(&order).await;
    let first = third.carrier_reference.clone();
    assert!(answers.contains(&Outcome::Accepted(third)), "{answers:?}");
    assert_eq!(journaled(&journal, "booked", &order.reference), 1);
    let other = plan("sandbox:idempotent", "", 2);
    assert_ne!(running.accepted(&other).await.carrier_reference, first);
    assert_eq!(journaled(&journal, "booked", &other.reference), 1);
}
