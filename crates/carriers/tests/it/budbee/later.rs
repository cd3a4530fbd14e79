//! What comes after an order with Budbee: labels, links, cancelling, lockers.

use std::time::Duration;

use tokio::time::Instant;
use waybill_carriers::registry::Connector;
use waybill_carriers::urls::BaseUrl;
use waybill_carriers::{Cancelled, CarrierError, budbee};
use waybill_domain::country::Country;
use waybill_domain::point::{Hours, PointKind};
use waybill_replay::{Fault, Kind};

use super::{conversation, full_plan, plan};
use crate::conversation::kept;
use crate::harness::network;

#[tokio::test]
async fn a_label_is_behind_a_link_that_is_called_byte_for_byte_and_lets_in_by_itself() {
    let budbee = conversation().await;
    let plan = plan("budbee:home", "{}");
    let booking = kept(&plan, &budbee.accepted(&plan).await);
    let files = budbee.carrier.documents(&budbee.account, &booking).await.unwrap();
    let reference = plan.reference.as_str();
    let [file] = files.files.as_slice() else { panic!("{files:?}") };
    assert_eq!(file.parcel, Some(0));
    assert!(file.bytes.ends_with(format!("% of {reference}-1").as_bytes()));
    let url = format!("https://track.budbee.example/{reference}");
    assert_eq!(files.tracking_urls, [Some(url)]);
    assert_eq!(budbee.replay.hits("labels again"), 0);
    budbee.is_understood();
}

#[tokio::test]
async fn links_that_work_no_more_are_replaced_and_each_parcel_keeps_its_own_label() {
    let budbee = conversation().await;
    let plan = full_plan();
    let booking = kept(&plan, &budbee.accepted(&plan).await);
    let files = budbee.carrier.documents(&budbee.account, &booking).await.unwrap();
    let reference = plan.reference.as_str();
    let places: Vec<_> = files.files.iter().map(|file| file.parcel).collect();
    assert_eq!(places, [Some(0), Some(1)]);
    for (n, file) in (1..).zip(&files.files) {
        assert!(file.bytes.ends_with(format!("% of {reference}-{n}").as_bytes()));
    }
    let fallback = format!("https://tracking.budbee.com/P-{reference}-2");
    assert_eq!(files.tracking_urls[1].as_deref(), Some(fallback.as_str()));
    assert_eq!(budbee.replay.hits("label after two days"), 1, "one that is gone is enough");
    budbee.is_understood();
}

#[tokio::test]
async fn labels_do_not_wait_for_links_that_are_not_told() {
    let budbee = conversation().await;
    let plan = full_plan();
    let booking = kept(&plan, &budbee.accepted(&plan).await);
    budbee.replay.fail("where people look", Fault::before(Kind::Hang));
    let files = budbee.carrier.documents(&budbee.account, &booking).await.unwrap();
    assert_eq!(files.files.len(), 2);
    let link = |n| format!("https://tracking.budbee.com/P-{}-{n}", plan.reference);
    assert_eq!(files.tracking_urls, [Some(link(1)), Some(link(2))]);
    assert_eq!(budbee.replay.hits("where people look, not told"), 0);
}

#[tokio::test]
async fn labels_wait_no_longer_than_two_seconds_for_a_link_that_does_not_come() {
    let budbee = conversation().await;
    let plan = plan("budbee:home", "{}");
    let booking = kept(&plan, &budbee.accepted(&plan).await);
    let url = BaseUrl::parse(budbee.replay.url()).unwrap();
    // As patient as a server is.
    let patient = budbee::open(Connector::new(&network(), Some(url)));
    budbee.replay.fail("where people look", Fault::before(Kind::Hang));
    let begun = Instant::now();
    let files = patient.documents(&budbee.account, &booking).await.unwrap();
    assert!(begun.elapsed() < Duration::from_secs(8), "{:?}", begun.elapsed());
    let link = format!("https://tracking.budbee.com/P-{}-1", plan.reference);
    assert_eq!((files.files.len(), &files.tracking_urls[..]), (1, &[Some(link)][..]));
}

#[tokio::test]
async fn a_label_that_is_missing_or_broken_is_told_and_can_be_had_later() {
    let budbee = conversation().await;
    let plan = plan("budbee:home", "{}");
    let booking = kept(&plan, &budbee.accepted(&plan).await);
    let no_link = r#"[{"packageId":"P","label":null}]"#.to_owned();
    let other = Kind::Status(200, "application/json".to_owned(), no_link);
    for (again, label) in [
        (None, Kind::Page),
        (None, Kind::Status(200, "application/pdf".to_owned(), String::new())),
        (None, Kind::Redirect("http://127.0.0.1:9/elsewhere".to_owned())),
        (Some(other), Kind::Page),
        (Some(Kind::Drop), Kind::Page),
    ] {
        budbee.replay.fail("label", Fault::before(label.clone()));
        match again {
            Some(again) => budbee.replay.fail("labels again", Fault::before(again)),
            None => budbee.replay.fail("label", Fault::before(label.clone())),
        }
        let files = budbee.carrier.documents(&budbee.account, &booking).await;
        assert!(files.is_err(), "{label:?}");
    }
    assert_eq!(budbee.papers(&booking).await.len(), 1);
}

#[tokio::test]
async fn an_order_is_cancelled_as_often_as_one_likes() {
    let budbee = conversation().await;
    let plan = plan("budbee:home", "{}");
    let booking = kept(&plan, &budbee.accepted(&plan).await);
    assert_eq!(budbee.cancel(&booking).await, Cancelled::Done);
    let order = budbee.replay.kept("cancel", "order");
    assert_eq!(order, [format!("O-{}", plan.reference)]);
    let said = r#"{"message":"It is on its way."}"#.to_owned();
    budbee.replay.fail("cancel", Fault::before(Kind::Status(409, String::new(), said)));
    let refused = budbee.cancel(&booking).await;
    assert_eq!(refused, Cancelled::Refused("It is on its way.".to_owned()));
    budbee.replay.fail("cancel", Fault::after(Kind::Drop));
    let unclear = budbee.cancel(&booking).await;
    assert!(matches!(unclear, Cancelled::Unknown(_)), "{unclear:?}");
    budbee.is_understood();
}

#[tokio::test]
async fn it_is_not_polled() {
    let budbee = conversation().await;
    let tracking = budbee.carrier.tracking().unwrap();
    assert_eq!(tracking.pace().first, Duration::from_hours(24));
    assert_eq!(tracking.pace().shortest, Duration::from_hours(24));
    assert!(budbee.track(&["P1", "P2"]).await.is_empty());
    budbee.is_understood();
}

#[tokio::test]
async fn all_points_are_lockers_and_a_list_may_stand_alone() {
    let budbee = conversation().await;
    let points = budbee.carrier.service_points().unwrap();
    assert_eq!(points.countries(), ["SE", "DK", "FI", "NL", "BE"]);
    let country = |code| Country::parse(code).unwrap();
    let lockers = points.list(&budbee.account, country("SE")).await.unwrap();
    let codes: Vec<&str> = lockers.iter().map(|locker| locker.code.as_str()).collect();
    assert_eq!(codes, ["BOX0001", "BOX0002"], "one without a position is left out");
    assert!(lockers.iter().all(|locker| locker.kind == PointKind::Locker));
    assert_eq!(lockers[0].hours, Hours::parse_short("mo-su 00:00-23:59"));
    assert_eq!(lockers[1].hours, Hours::parse_short("mo 08:00-20:00"));
    assert!(points.list(&budbee.account, country("BE")).await.unwrap().is_empty());
    budbee.replay.fail("lockers", Fault::before(Kind::Page));
    let failed = points.list(&budbee.account, country("BE")).await;
    assert!(matches!(failed, Err(CarrierError::Unreadable(_))), "{failed:?}");
}
