//! Parcel shops and lockers.

use waybill_carriers::{CarrierError, registry};
use waybill_domain::country::Country;
use waybill_domain::point::PointKind;
use waybill_replay::{Fault, Kind};

use super::conversation;

#[tokio::test]
async fn points_have_the_hours_of_the_clock_without_the_breaks() {
    let conversation = conversation().await;
    let service = conversation.carrier.service_points().unwrap();
    let denmark = Country::parse("DK").unwrap();
    let points = service.list(&conversation.account, denmark).await.unwrap();
    let told: Vec<_> = points.iter().map(|it| (it.code.as_str(), it.kind)).collect();
    let wanted =
        [("GLS_DK-2080095614", PointKind::ParcelShop), ("GLS_DK-2080095615", PointKind::Locker)];
    assert_eq!(told, wanted, "one without a position is left out");
    assert_eq!(points[0].name, "Kiosken");
    assert_eq!(points[1].address.lines, ["Torvet 1"]);
    assert_eq!(
        (points[0].position.latitude, points[0].position.longitude),
        (55_660_000, 12_570_000)
    );
    let wanted = concat!(
        r#"{"regular":[{"weekday":"monday","periods":[{"opens":"09:00","closes":"12:00"},"#,
        r#"{"opens":"12:30","closes":"18:00"}]},"#,
        r#"{"weekday":"tuesday","periods":[{"opens":"00:00","closes":"24:00"}]},"#,
        r#"{"weekday":"saturday","periods":[{"opens":"10:00","closes":"14:00"}]}],"special":[]}"#,
    );
    assert_eq!(points[0].hours.as_ref().unwrap().to_json().to_string(), wanted);
    assert_eq!(points[1].hours.as_ref().map(|hours| hours.to_json().to_string()), None);
    conversation.is_understood();
    for fault in [Fault::status(500), Fault::after(Kind::Page)] {
        conversation.replay.fail("points", fault);
        let failed = service.list(&conversation.account, denmark).await;
        assert!(!matches!(failed, Ok(_) | Err(CarrierError::AccessDenied(_))), "{failed:?}");
    }
}

#[test]
fn points_are_listed_in_every_country_that_a_parcel_can_be_fetched_in() {
    let catalog = waybill_carriers::catalog::load().unwrap();
    let (_, service) = catalog.service("gls:shop_delivery").unwrap();
    let network = crate::harness::network();
    let urls = waybill_carriers::CarrierUrls::default();
    let carriers = waybill_carriers::Carriers::open(registry::CARRIERS, &network, &urls).unwrap();
    let gls = carriers.get("gls").unwrap();
    let mut listed = gls.service_points().unwrap().countries().to_vec();
    let mut served: Vec<&str> = service.to_countries.iter().map(Country::code).collect();
    listed.sort_unstable();
    served.sort_unstable();
    assert_eq!(listed, served);
}

#[tokio::test]
async fn a_list_of_points_may_be_longer_than_any_other_answer() {
    let conversation = conversation().await;
    let many = "0,".repeat(300_000);
    let point = r#"{"ParcelShopID":"GLS_DK-1","Type":"SHOP","Address":{"Name1":"Kiosken",
        "Street":"Torvet 9","ZIPCode":"2300","City":"København S"},
        "Location":{"Latitude":"55.66","Longitude":"12.57"}}"#;
    let body = format!(r#"{{"ParcelShop":[{many}{point}]}}"#);
    let kind = Kind::Status(200, "application/json".to_owned(), body);
    conversation.replay.fail("points", Fault::before(kind));
    let service = conversation.carrier.service_points().unwrap();
    let denmark = Country::parse("DK").unwrap();
    let points = service.list(&conversation.account, denmark).await.unwrap();
    assert_eq!(points.len(), 1);
    assert_eq!(points[0].code, "GLS_DK-1");
}
