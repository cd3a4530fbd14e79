//! Tracking parcels of the sandbox carrier.

use std::time::Duration;

use waybill_domain::tracking::{Known, Pace, State, TrackingAnswer, TrackingReport, diff};

use crate::harness::{Running, account, booked, folder, plan};

/// The states that the events of a report lead through.
fn states(report: &TrackingReport) -> Vec<State> {
    // Later than everything that is told.
    let now = waybill_domain::time::Time(4_000_000_000_000_000);
    let change = diff(&Known::default(), report, now);
    assert_eq!(change.unreadable, []);
    change.entries.iter().map(|entry| entry.after.state).collect()
}

/// What the carrier knows of a number.
fn known(answer: &TrackingAnswer) -> &TrackingReport {
    match answer {
        TrackingAnswer::Report(report) => report,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_parcel_walks_to_the_door_or_to_the_pickup_point() {
    use State::{AvailableForPickup, Delivered, InTransit, InfoReceived, OutForDelivery};
    let running = Running::start().await;
    let tracking = running.sandbox.tracking().unwrap();
    for (service, last) in
        [("sandbox:home", OutForDelivery), ("sandbox:pickup_point", AvailableForPickup)]
    {
        let accepted = running.accepted(&plan(service, "sim:track=20ms", 2)).await;
        let numbers: Vec<String> =
            accepted.parcels.iter().map(|parcel| parcel.tracking_number.clone()).collect();
        tokio::time::sleep(Duration::from_millis(200)).await;
        let told = tracking.track(&account(), &numbers).await.unwrap();
        assert_eq!(told.len(), 2);
        for ((said, answer), number) in told.iter().zip(&numbers) {
            assert_eq!(said, number);
            let report = known(answer);
            assert_eq!(report.poll_after, Some(Duration::from_millis(20)));
            let walk = [InfoReceived, InTransit, InTransit, InTransit, InTransit, last, Delivered];
            assert_eq!(states(report), walk);
        }
    }
}

#[tokio::test]
async fn a_parcel_is_told_of_from_its_booking_on_and_not_after_it_is_cancelled() {
    let folder = folder("following");
    let journal = folder.join("journal");
    let running = Running::with_journal(&journal).await;
    let order = plan("sandbox:home", "sim:track=50ms", 1);
    let accepted = running.accepted(&order).await;
    let number = accepted.parcels[0].tracking_number.clone();
    let booking = booked(&order, &accepted);
    running.sandbox.cancelling().unwrap().cancel(&account(), &booking).await;
    tokio::time::sleep(Duration::from_millis(120)).await;
    running.stop().await;
    let again = Running::with_journal(&journal).await;
    let tracking = again.sandbox.tracking().unwrap();
    let told = tracking.track(&account(), std::slice::from_ref(&number)).await.unwrap();
    assert_eq!(known(&told[0].1).events.len(), 1);
    let unknown = ["SBX9999999999999".to_owned(), "Æ,&?".to_owned()];
    assert_eq!(tracking.track(&account(), &unknown).await.unwrap(), []);
    let many = vec![number; 101];
    assert!(tracking.track(&account(), &many).await.is_err());
}

#[tokio::test]
async fn a_hurried_parcel_is_polled_often() {
    let running = Running::start().await;
    let hurried = running.accepted(&plan("sandbox:home", "sim:track=1s", 1)).await;
    assert_eq!(hurried.poll_after, Some(Duration::from_secs(1)));
    let calm = running.accepted(&plan("sandbox:home", "", 1)).await;
    assert_eq!(calm.poll_after, None);
    let pace = running.sandbox.tracking().unwrap().pace();
    assert!(pace.first >= Duration::from_secs(30) && pace.longest >= Duration::from_hours(1));
    assert_eq!(Pace::every(Duration::from_secs(1)).shortest, Duration::from_secs(1));
}
