//! What the sandbox carrier offers before a booking: its service points and its prices.

use std::time::Duration;

use waybill_carriers::{Pricing, ServicePoints};
use waybill_domain::country::Country;
use waybill_domain::shipment::Order;
use waybill_domain::time::Time;

use crate::harness::{Running, account, plan};

fn country(code: &str) -> Country {
    Country::parse(code).unwrap()
}

/// The order of a plan, with words for the carrier in the customer's reference.
fn order(service: &str, words: &str) -> Order {
    let mut order = plan(service, "", 1).order;
    order.customer.reference = Some(words.to_owned());
    order
}

#[tokio::test]
async fn every_country_has_points_where_its_postal_codes_are() {
    let running = Running::start().await;
    let ability: &dyn ServicePoints = running.sandbox.service_points().unwrap();
    let mut count = 0;
    for code in ability.countries() {
        let points = ability.list(&account(), country(code)).await.unwrap();
        assert!(points.iter().all(|point| point.country() == country(code)), "{code}");
        assert!(points.iter().all(|point| point.hours.is_some()), "{code}");
        count += points.len();
    }
    assert!((100..105).contains(&count), "{count}");
    assert!(ability.list(&account(), country("US")).await.unwrap().is_empty());
    running.stop().await;
}

#[tokio::test]
async fn the_same_points_are_told_each_time() {
    let running = Running::start().await;
    let ability = running.sandbox.service_points().unwrap();
    let first = ability.list(&account(), country("DK")).await.unwrap();
    assert_eq!(first, ability.list(&account(), country("DK")).await.unwrap());
    assert_eq!(first[0].code, "DK-1001");
    running.stop().await;
}

#[tokio::test]
async fn a_price_is_in_the_currency_of_the_sender() {
    let running = Running::start().await;
    let pricing: &dyn Pricing = running.sandbox.pricing().unwrap();
    let quote =
        pricing.quote(&account(), &order("sandbox:home", ""), Time(0)).await.unwrap().unwrap();
    assert_eq!((quote.minor, quote.currency.code()), (6042, "DKK"));
    let none = pricing.quote(&account(), &order("sandbox:home", "sim:quote=fail"), Time(0)).await;
    assert!(none.is_err());
    running.stop().await;
}

#[tokio::test]
async fn a_price_may_be_slow_for_one_service() {
    let running = Running::start().await;
    let pricing = running.sandbox.pricing().unwrap();
    let words = "sim:quote=home:10s";
    let (account, slow) = (account(), order("sandbox:home", words));
    let slow = pricing.quote(&account, &slow, Time(0));
    assert!(tokio::time::timeout(Duration::from_millis(200), slow).await.is_err());
    let quick = order("sandbox:express", words);
    assert!(pricing.quote(&account, &quick, Time(0)).await.unwrap().is_some());
    running.stop().await;
}
