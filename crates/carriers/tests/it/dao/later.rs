//! What comes after a booking with dao: labels, cancelling, tracking, shops.

use std::time::{Duration, Instant};

use tokio::net::TcpListener;
use waybill_carriers::booking::{Booked, LabelRequest};
use waybill_carriers::{Cancelled, CarrierError, dao};
use waybill_domain::country::Country;
use waybill_domain::document::Format;
use waybill_domain::point::Hours;
use waybill_domain::tracking::TrackingAnswer;
use waybill_replay::{Fault, Kind};

use super::{account, conversation};
use crate::conversation::{adapter, codes, good, kept, plan_for, report};

const NUMBER: &str = "00057126901000001";
const LABEL: &[u8] = include_bytes!("../../../src/dao/exchanges/label.pdf");
const LARGE_LABEL: &[u8] = include_bytes!("../../../src/dao/exchanges/label-a4.pdf");
const SCANNED: &str = "00057126901000003";

fn booking(number: &str, size: &str) -> Booked {
    let label = LabelRequest { format: Format::Pdf, size: size.to_owned() };
    let plan = plan_for("dao:home", "{}");
    Booked {
        carrier_reference: number.to_owned(),
        label: Some(label),
        ..kept(&plan, &Default::default())
    }
}

#[tokio::test]
async fn the_label_is_a_pdf_of_the_size_that_was_agreed_on_and_can_be_had_again() {
    let dao = conversation().await;
    for (size, label) in [("100x150", LABEL), ("a4", LARGE_LABEL)] {
        for _ in 0..2 {
            let papers = dao.papers(&booking(NUMBER, size)).await;
            assert_eq!(papers, [(Some(0), label.to_vec())], "{size}");
        }
    }
    dao.is_understood();
}

#[tokio::test]
async fn what_is_no_pdf_is_no_label_and_dao_says_why() {
    let dao = conversation().await;
    let why = dao.carrier.documents(&dao.account, &booking(SCANNED, "100x150")).await.unwrap_err();
    assert_eq!(why.said[0].message, "Pakken er annulleret");
    for kind in [Kind::Page, Kind::Status(200, "application/pdf".to_owned(), String::new())] {
        dao.replay.fail("label", Fault::before(kind.clone()));
        let files = dao.carrier.documents(&dao.account, &booking(NUMBER, "100x150")).await;
        assert!(files.is_err(), "{kind:?}");
    }
}

#[tokio::test]
async fn a_parcel_is_cancelled_until_it_is_scanned() {
    let dao = conversation().await;
    assert_eq!(dao.cancel(&booking(NUMBER, "a4")).await, Cancelled::Done);
    let refused = dao.cancel(&booking(SCANNED, "a4")).await;
    assert_eq!(refused, Cancelled::Refused("Pakken er scannet".to_owned()));
    for kind in
        [Kind::Page, Kind::Drop, Kind::Hang, Kind::Status(500, String::new(), String::new())]
    {
        dao.replay.fail("cancel", Fault::before(kind.clone()));
        let unclear = dao.cancel(&booking(NUMBER, "a4")).await;
        assert!(matches!(unclear, Cancelled::Unknown(_)), "{kind:?} {unclear:?}");
    }
}

#[tokio::test]
async fn a_cancellation_that_reached_nobody_is_told_as_not_sent() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let carrier = adapter(dao::open, &format!("http://{}", listener.local_addr().unwrap()));
    drop(listener);
    let cancelling = carrier.cancelling().unwrap();
    let asked = cancelling.cancel(&account(), &booking(NUMBER, "a4")).await;
    assert!(matches!(asked, Cancelled::NotSent(_)), "{asked:?}");
    assert!(!cancelling.refusal_is_certain(), "it says the same of what is cancelled already");
}

#[tokio::test]
async fn a_parcel_is_told_of_by_the_clock_of_copenhagen() {
    let dao = conversation().await;
    let answers = dao.track(&[NUMBER, "7"]).await;
    assert_eq!(answers.len(), 1, "one that is not known is left out");
    let report = report(&answers, NUMBER);
    let wanted = ["arrived_at_terminal", "out_for_delivery", "delivered", "in_transit"];
    assert_eq!(codes(report), wanted);
    let first = good(report).next().unwrap();
    assert_eq!(first.happened_at.unwrap().to_string(), "2026-11-16T19:12:00.000000Z");
    assert_eq!(first.location.as_deref(), Some("Fredericia"));
    assert_eq!(good(report).last().unwrap().note.as_deref(), Some("Photo taken"));
    dao.is_understood();
}

#[tokio::test]
async fn numbers_that_could_not_be_asked_about_are_asked_about_again_soon() {
    let dao = conversation().await;
    dao.replay.fail("track what it does not know", Fault::before(Kind::Drop));
    let answers = dao.track(&[NUMBER, "7", "8"]).await;
    let later = |answer: &TrackingAnswer| *answer == TrackingAnswer::Later(None);
    let told: Vec<(&str, bool)> = answers.iter().map(|(no, it)| (no.as_str(), later(it))).collect();
    assert_eq!(told, [(NUMBER, false), ("7", true), ("8", true)]);
    dao.replay.fail("track", Fault::before(Kind::Drop));
    let tracking = dao.carrier.tracking().unwrap();
    assert!(tracking.track(&dao.account, &[NUMBER.to_owned()]).await.is_err());
}

#[tokio::test]
async fn it_is_called_no_more_than_five_times_a_second() {
    let dao = conversation().await;
    #[expect(clippy::disallowed_methods, reason = "the test measures real time")]
    let begun = Instant::now();
    dao.track(&["1", "2", "3", "4", "5", "6"]).await;
    assert!(begun.elapsed() >= Duration::from_secs(1));
    let pace = dao.carrier.tracking().unwrap().pace();
    assert_eq!(pace.first, Duration::from_mins(1));
    assert_eq!((pace.shortest, pace.longest), (Duration::from_mins(15), Duration::from_hours(6)));
    assert_eq!(dao.carrier.tracking().unwrap().batch_max(), 10);
}

#[tokio::test]
async fn all_shops_of_denmark_come_in_one_answer() {
    let dao = conversation().await;
    let points = dao.carrier.service_points().unwrap();
    assert_eq!(points.countries(), ["DK"]);
    let denmark = Country::parse("DK").unwrap();
    let shops = points.list(&dao.account, denmark).await.unwrap();
    let told: Vec<&str> = shops.iter().map(|shop| shop.code.as_str()).collect();
    assert_eq!(told, ["4041", "4042"], "one without a position is left out");
    let hours = "mo 08:00-22:00; tu 08:00-23:59; we-fr 08:00-22:00";
    assert_eq!(shops[0].hours, Hours::parse_short(hours));
    assert_eq!(shops[1].hours, None);
    assert_eq!(shops[0].address.postal_code, "2300");
    dao.is_understood();
    dao.replay.fail("shops", Fault::before(Kind::Page));
    let failed = points.list(&dao.account, denmark).await;
    assert!(matches!(failed, Err(CarrierError::Unexpected(_))), "{failed:?}");
}
