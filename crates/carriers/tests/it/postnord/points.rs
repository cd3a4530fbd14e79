//! Service points.

use waybill_carriers::CarrierError;
use waybill_domain::country::Country;
use waybill_domain::point::PointKind;
use waybill_replay::{Fault, Kind};

use super::conversation;

#[tokio::test]
async fn points_are_read_page_by_page_with_when_they_are_open() {
    let conversation = conversation().await;
    let service = conversation.carrier.service_points().unwrap();
    assert_eq!(service.countries()[..4], ["DK", "SE", "NO", "FI"]);
    let country = |code| Country::parse(code).unwrap();
    let points = service.list(&conversation.account, country("DK")).await.unwrap();
    let told: Vec<_> = points.iter().map(|it| (it.code.as_str(), it.kind)).collect();
    let (shop, locker, office) = (PointKind::ParcelShop, PointKind::Locker, PointKind::PostOffice);
    assert_eq!(told, [("8271", shop), ("9001", locker), ("9003", office)]);
    let first = &points[0];
    assert_eq!(
        (first.address.lines.as_slice(), first.address.city.as_str()),
        (&["Torvet 9".to_owned()][..], "København S")
    );
    assert_eq!((first.position.latitude, first.position.longitude), (55_660_000, 12_570_000));
    let wanted = concat!(
        r#"{"regular":[{"weekday":"monday","periods":[{"opens":"08:00","closes":"12:00"},"#,
        r#"{"opens":"13:00","closes":"18:00"}]},{"weekday":"saturday","periods":"#,
        r#"[{"opens":"10:00","closes":"14:00"}]}],"special":["#,
        r#"{"date":"2026-12-24","is_closed":true,"periods":[]},"#,
        r#"{"date":"2026-12-25","is_closed":true,"periods":[]},"#,
        r#"{"date":"2026-12-26","is_closed":true,"periods":[]},"#,
        r#"{"date":"2026-12-31","is_closed":false,"periods":[{"opens":"08:00","closes":"12:00"}]}]}"#,
    );
    assert_eq!(first.hours.as_ref().unwrap().to_json().to_string(), wanted);
    assert_eq!(points[1].hours, None);
    assert_eq!(points[1].address.lines, ["Torvet"]);
    conversation.is_understood();
}

#[tokio::test]
async fn a_country_whose_points_are_not_told_is_a_failure_in_postnords_words() {
    let conversation = conversation().await;
    let service = conversation.carrier.service_points().unwrap();
    let country = |code| Country::parse(code).unwrap();
    let refused = service.list(&conversation.account, country("SE")).await.unwrap_err();
    assert!(matches!(refused, CarrierError::AccessDenied(_)), "{refused:?}");
    assert!(refused.to_string().contains("Invalid API Key"), "{refused}");
    let failed = service.list(&conversation.account, country("NO")).await.unwrap_err();
    assert!(failed.to_string().contains("Missing parameter"), "{failed}");
}

#[tokio::test]
async fn points_are_told_of_every_country_in_which_parcels_go_to_one() {
    let conversation = conversation().await;
    let service = conversation.carrier.service_points().unwrap();
    let catalog = waybill_carriers::catalog::load().unwrap();
    let (_, collected) = catalog.service("postnord:mypack_collect").unwrap();
    let countries: Vec<&str> = collected.to_countries.iter().map(|it| it.code()).collect();
    assert_eq!(service.countries(), countries);
    let germany = Country::parse("DE").unwrap();
    let points = service.list(&conversation.account, germany).await.unwrap();
    let codes: Vec<&str> = points.iter().map(|it| it.code.as_str()).collect();
    assert_eq!(codes, ["4711"], "the other one is in Austria");
    conversation.is_understood();
}

#[tokio::test]
async fn a_list_of_points_may_be_longer_than_any_other_answer() {
    let conversation = conversation().await;
    let many = "0,".repeat(300_000);
    let point = r#"{"servicePointId":"8271","name":"Kiosken","visitingAddress":{
        "streetName":"Torvet","postalCode":"2300","city":"København S"},
        "coordinates":[{"srId":"EPSG:4326","northing":55.66,"easting":12.57}]}"#;
    let body = format!(
        r#"{{"servicePointInformationResponse":{{"paging":{{"totalPages":1}},
        "servicePoints":[{many}{point}]}}}}"#
    );
    let kind = Kind::Status(200, "application/json".to_owned(), body);
    conversation.replay.fail("page 1", Fault::before(kind));
    let service = conversation.carrier.service_points().unwrap();
    let denmark = Country::parse("DK").unwrap();
    let points = service.list(&conversation.account, denmark).await.unwrap();
    let codes: Vec<&str> = points.iter().map(|it| it.code.as_str()).collect();
    assert_eq!(codes, ["8271"]);
}
