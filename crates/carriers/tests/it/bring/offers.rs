//! What Bring offers before a booking: points and prices.

use waybill_carriers::CarrierError;
use waybill_domain::country::Country;
use waybill_domain::measure::{Currency, Money};
use waybill_domain::point::{Hours, PointKind};
use waybill_replay::{Fault, Kind};

use super::{conversation, plan};
use crate::conversation::with_parcels;

#[tokio::test]
async fn all_points_of_a_country_come_in_one_answer() {
    let bring = conversation().await;
    let points = bring.carrier.service_points().unwrap();
    assert_eq!(points.countries(), ["NO", "SE", "DK", "FI"]);
    let country = |code| Country::parse(code).unwrap();
    let found = points.list(&bring.account, country("NO")).await.unwrap();
    let told: Vec<_> = found.iter().map(|it| (it.code.as_str(), it.kind)).collect();
    assert_eq!(told, [("121110", PointKind::ParcelShop), ("121111", PointKind::Locker)]);
    let hours = "mo-fr 08:00-22:00; sa 08:00-20:00";
    assert_eq!(found[0].hours, Hours::parse_short(hours));
    assert_eq!(found[1].hours, None);
    assert!(points.list(&bring.account, country("FI")).await.unwrap().is_empty());
    bring.replay.fail("points", Fault::before(Kind::Page));
    let failed = points.list(&bring.account, country("FI")).await;
    assert!(matches!(failed, Err(CarrierError::Unreadable(_))), "{failed:?}");
    bring.is_understood();
}

#[tokio::test]
async fn the_price_of_the_agreement_goes_before_that_of_the_list() {
    let bring = conversation().await;
    let pricing = bring.carrier.pricing().unwrap();
    let money = |minor, code| Some(Money { minor, currency: Currency::parse(code).unwrap() });
    let bergen = r#"{"parties":{"customer":{"address":{"postal_code":"5003"}}}}"#;
    let order = with_parcels(plan("pickup_parcel", "NO", "NO", bergen), 2);
    let price = pricing.quote(&bring.account, &order.order, order.now).await.unwrap();
    assert_eq!(price, money(12_450, "NOK"));
    let order = plan("pickup_parcel", "SE", "SE", "{}");
    let price = pricing.quote(&bring.account, &order.order, order.now).await.unwrap();
    assert_eq!(price, money(9900, "SEK"));
    bring.is_understood();
}

#[tokio::test]
async fn there_may_be_no_price_and_what_is_no_answer_is_none() {
    let bring = conversation().await;
    let pricing = bring.carrier.pricing().unwrap();
    let order = plan("home_mailbox_parcel", "NO", "NO", "{}");
    let price = pricing.quote(&bring.account, &order.order, order.now).await;
    assert_eq!(price, Ok(None));
    let elsewhere = plan("home_mailbox_parcel", "NO", "SE", "{}");
    let price = pricing.quote(&bring.account, &elsewhere.order, elsewhere.now).await;
    assert_eq!((price, bring.replay.hits("no price")), (Ok(None), 1), "there is nothing to ask");
    for kind in [Kind::Page, Kind::Drop, Kind::Status(401, String::new(), String::new())] {
        bring.replay.fail("no price", Fault::before(kind.clone()));
        let price = pricing.quote(&bring.account, &order.order, order.now).await;
        assert!(price.is_err(), "{kind:?} {price:?}");
    }
}

#[tokio::test]
async fn a_price_that_is_too_large_to_be_one_is_none() {
    let bring = conversation().await;
    let body = r#"{"consignments":[{"products":[{"price":{"netPrice":{"currencyCode":"NOK",
        "priceWithAdditionalServices":{"amountWithoutVAT":"9223372036854775.807"}}}}]}]}"#;
    let kind = Kind::Status(200, "application/json".to_owned(), body.to_owned());
    bring.replay.fail("no price", Fault::before(kind));
    let order = plan("home_mailbox_parcel", "NO", "NO", "{}");
    let pricing = bring.carrier.pricing().unwrap();
    assert_eq!(pricing.quote(&bring.account, &order.order, order.now).await, Ok(None));
}
