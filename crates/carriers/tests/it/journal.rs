//! The sandbox carrier's journal: what was acknowledged is in it, and a restart forgets nothing.

use std::fs;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use waybill_carriers::Cancelled;
use waybill_carriers::booking::{Found, Outcome};
use waybill_domain::json::{Json, parse};
use waybill_domain::time::Time;
use waybill_sandbox::serve;

use crate::harness::{Running, account, booked, folder, journaled, options, plan, sandbox, sought};

#[tokio::test]
async fn a_line_says_who_booked_what_and_when() {
    let journal = folder("line").join("journal");
    let running = Running::with_journal(&journal).await;
    let order = plan("sandbox:home", "", 1);
    let accepted = running.accepted(&order).await;
    let line = parse(fs::read_to_string(&journal).unwrap().trim_end().as_bytes()).unwrap();
    let member = |name| line.member(name).unwrap();
    assert_eq!(member("type"), &"booked".into());
    assert_eq!(member("reference"), &order.reference.as_str().into());
    assert_eq!(member("customer_reference"), &"ORDER-1 ".into());
    assert_eq!(member("carrier_reference"), &accepted.carrier_reference.as_str().into());
    let Json::Text(at) = member("at") else { panic!("no time") };
    assert!(Time::parse(at).is_some() && at.ends_with('Z'));
}

#[tokio::test]
async fn a_restart_finds_old_bookings_and_gives_new_numbers() {
    let journal = folder("restart").join("journal");
    let running = Running::with_journal(&journal).await;
    let (kept, cancelled) = (plan("sandbox:home", "", 2), plan("sandbox:home", "", 1));
    let first = running.accepted(&kept).await;
    let second = booked(&cancelled, &running.accepted(&cancelled).await);
    let cancelling = running.sandbox.cancelling().unwrap();
    assert_eq!(cancelling.cancel(&account(), &second).await, Cancelled::Done);
    running.stop().await;

    let running = Running::with_journal(&journal).await;
    let found = running.sandbox.find(&account(), &sought(&kept)).await;
    let Found::Accepted(found) = found else { panic!("{found:?}") };
    assert_eq!(found.parcels, first.parcels);
    let files = running.sandbox.documents(&account(), &booked(&kept, &first)).await.unwrap();
    assert_eq!(files, first.files, "the label is the same one");
    let cancelling = running.sandbox.cancelling().unwrap();
    assert_eq!(cancelling.cancel(&account(), &second).await, Cancelled::Done);
    assert_eq!(journaled(&journal, "cancelled", &cancelled.reference), 1);
    let third = running.accepted(&plan("sandbox:home", "", 1)).await;
    assert!(third.carrier_reference > second.carrier_reference);
}

#[tokio::test]
async fn it_books_the_same_reference_twice_when_asked_to() {
    let journal = folder("twice").join("journal");
    let running = Running::with_journal(&journal).await;
    let order = plan("sandbox:home", "", 1);
    let first = running.accepted(&order).await;
    let second = running.accepted(&order).await;
    assert_ne!(first.carrier_reference, second.carrier_reference);
    assert_eq!(journaled(&journal, "booked", &order.reference), 2);
    let found = running.sandbox.find(&account(), &sought(&order)).await;
    let Found::Accepted(found) = found else { panic!("{found:?}") };
    assert_eq!(found.carrier_reference, first.carrier_reference);
}

#[tokio::test(flavor = "multi_thread")]
async fn bookings_at_the_same_time_are_all_journaled_under_numbers_of_their_own() {
    let journal = folder("together").join("journal");
    let running = Arc::new(Running::with_journal(&journal).await);
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..50 {
        let running = Arc::clone(&running);
        tasks.spawn(async move {
            let order = plan("sandbox:home", "", 3);
            let accepted = running.accepted(&order).await;
            (order.reference, accepted.parcels)
        });
    }
    let all = tasks.join_all().await;
    let mut numbers: Vec<_> = all.iter().flat_map(|(_, parcels)| parcels.clone()).collect();
    numbers.sort_by(|left, right| left.tracking_number.cmp(&right.tracking_number));
    numbers.dedup();
    assert_eq!(numbers.len(), 150);
    for (reference, _) in all {
        assert_eq!(journaled(&journal, "booked", &reference), 1);
    }
}

#[tokio::test]
async fn a_torn_last_line_is_cut_off_and_a_broken_one_is_told() {
    let journal = folder("torn").join("journal");
    let running = Running::with_journal(&journal).await;
    let order = plan("sandbox:home", "", 1);
    running.accepted(&order).await;
    running.stop().await;
    let whole = fs::read_to_string(&journal).unwrap();
    fs::write(&journal, format!("{whole}{}", &whole[..40])).unwrap();
    let running = Running::with_journal(&journal).await;
    running.accepted(&plan("sandbox:home", "", 1)).await;
    running.stop().await;
    let after = fs::read_to_string(&journal).unwrap();
    assert!(after.starts_with(&whole));
    assert_eq!(after.lines().count(), 2);
    assert!(after.lines().all(|line| parse(line.as_bytes()).is_ok()));

    fs::write(&journal, format!("nonsense\n{whole}")).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let options = options(Some(journal), Duration::ZERO);
    let error = serve(listener, options, std::future::pending()).await.unwrap_err().to_string();
    assert!(error.contains("line 1 is not JSON"), "{error}");
}

#[tokio::test]
async fn two_carriers_do_not_share_a_journal() {
    let journal = folder("shared").join("journal");
    let running = Running::with_journal(&journal).await;
    running.accepted(&plan("sandbox:home", "", 1)).await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let options = options(Some(journal), Duration::ZERO);
    let error = serve(listener, options, std::future::pending()).await.unwrap_err().to_string();
    assert!(error.contains("another process"), "{error}");
}

#[tokio::test]
async fn what_waits_when_it_stops_is_turned_away_unbooked() {
    let journal = folder("stopping").join("journal");
    let running = Running::with_journal(&journal).await;
    let order = plan("sandbox:home", "sim:delay=1m", 1);
    let sandbox = sandbox(&running.address);
    let session = sandbox.dial(&account()).await.unwrap();
    let prepared = sandbox.prepare(&order, &Json::Null).unwrap();
    let permit = waybill_domain::booking::Permit::for_committed_intent();
    let (account, reference) = (account(), order.reference.clone());
    let call = sandbox.book(session, &account, prepared, &reference, permit);
    let stop = async {
        tokio::time::sleep(Duration::from_millis(200)).await;
        running.stop().await;
    };
    let (outcome, ()) = tokio::join!(call, stop);
    assert!(matches!(outcome, Outcome::NotSent(_)), "{outcome:?}");
    assert_eq!(journaled(&journal, "booked", &order.reference), 0);
}
