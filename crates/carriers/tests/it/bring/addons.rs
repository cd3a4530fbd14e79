//! Addons, as additional services of Bring.

use waybill_domain::json::{Json, parse};
use waybill_domain::parcel::DangerousGoods;

use super::{at, conversation, plan, with};
use crate::conversation::{Conversation, with_parcels};

fn json(text: &str) -> Json {
    parse(text.as_bytes()).unwrap()
}

fn chosen(addons: &str) -> String {
    format!(r#"{{"delivery":{{"addons":[{addons}]}}}}"#)
}

/// The additional services of an order with these addons.
fn services(bring: &Conversation, route: (&str, &str, &str), addons: &str) -> Json {
    let (service, from, to) = route;
    let body = bring.body(&plan(service, from, to, &chosen(addons)));
    at(&body, &["product", "additionalServices"])
}

fn refused(bring: &Conversation, route: (&str, &str, &str), addons: &str) -> Vec<String> {
    let (service, from, to) = route;
    bring.refused(&plan(service, from, to, &chosen(addons)))
}

fn limited() -> DangerousGoods {
    DangerousGoods {
        un_number: "UN1263".to_owned(),
        is_limited_quantity: true,
        ..DangerousGoods::default()
    }
}

#[tokio::test]
async fn a_notification_is_asked_for_outside_norway_alone() {
    let bring = conversation().await;
    let (sms, email) = (r#"{"code":"sms_notification"}"#, r#"{"code":"email_notification"}"#);
    let both = format!("{sms},{email}");
    for (addons, wanted) in [
        (both.as_str(), r#"{"id":"EVARSLING","mobile":"+4530274735","email":"aase@post.example"}"#),
        (sms, r#"{"id":"EVARSLING","mobile":"+4530274735"}"#),
        (email, r#"{"id":"EVARSLING","email":"aase@post.example"}"#),
        (
            r#"{"code":"sms_notification","value":"+46 70 1"}"#,
            r#"{"id":"EVARSLING","mobile":"+46701"}"#,
        ),
    ] {
        let told = services(&bring, ("business_parcel", "SE", "SE"), addons);
        assert_eq!(told, json(&format!("[{wanted}]")), "{addons}");
        let told = services(&bring, ("business_parcel", "NO", "NO"), addons);
        assert_eq!(told, Json::Null, "{addons}");
    }
}

#[tokio::test]
async fn a_place_to_leave_it_goes_with_no_signature() {
    let bring = conversation().await;
    let flex = r#"{"code":"flex_delivery","value":"In the shed"}"#;
    let home = ("home_delivery_parcel", "SE", "SE");
    let told = services(&bring, home, flex);
    assert_eq!(told, json(r#"[{"id":"0041","message":"In the shed"}]"#));
    let signature = r#"{"code":"signature"}"#;
    assert_eq!(services(&bring, home, signature), json(r#"[{"id":"1280"}]"#));
    let both = refused(&bring, home, &format!("{flex},{signature}"));
    assert_eq!(both, ["delivery.addons.1.code"]);
    let age = r#"{"code":"age_verification","value":"18"}"#;
    assert_eq!(refused(&bring, home, &format!("{flex},{age}")), ["delivery.addons.1.code"]);
    let mut dangerous = plan("home_delivery_parcel", "SE", "SE", &chosen(flex));
    dangerous.order.parcels[0].dangerous_goods = vec![limited()];
    assert_eq!(bring.refused(&dangerous), ["delivery.addons.0.code"]);
}

#[tokio::test]
async fn an_addon_that_is_not_on_the_route_is_refused_at_its_code() {
    let bring = with(r#"{"cod_account":"NO93","consolidated_shipment_id":"C"}"#).await;
    let age = r#"{"code":"age_verification","value":"18"}"#;
    let cash = r#"{"code":"cash_on_delivery","value":{"value":100,"currency":"NOK"}}"#;
    let insured = r#"{"code":"insurance","value":{"value":100,"currency":"NOK"}}"#;
    let (signed, left) = (r#"{"code":"signature"}"#, r#"{"code":"flex_delivery"}"#);
    let told = r#"{"code":"email_notification"}"#;
    for (route, addon, wanted) in [
        (("pickup_parcel", "NO", "NO"), age, Some("1082")),
        (("pickup_parcel", "SE", "SE"), age, Some("1229")),
        (("pickup_parcel", "SE", "NO"), age, None),
        (("home_delivery_parcel", "SE", "SE"), age, Some("1082")),
        (("home_delivery_parcel", "DK", "DK"), age, None),
        (("business_parcel", "SE", "SE"), age, None),
        (("pickup_parcel", "NO", "NO"), cash, Some("1000")),
        (("pickup_parcel", "SE", "SE"), cash, None),
        (("pickup_parcel_bulk", "SE", "NO"), cash, Some("1000")),
        (("pickup_parcel_bulk", "SE", "SE"), cash, None),
        (("business_parcel", "NO", "NO"), insured, None),
        (("business_parcel", "SE", "NO"), insured, Some("0068")),
        (("business_pallet", "SE", "NO"), insured, None),
        (("pickup_parcel_return", "SE", "SE"), insured, None),
        (("business_parcel_bulk", "DK", "DK"), insured, None),
        (("business_parcel", "DK", "NO"), signed, Some("1280")),
        (("business_parcel", "SE", "FI"), signed, None),
        (("business_parcel_bulk", "DK", "DK"), signed, None),
        (("express_nordic_0900", "NO", "NO"), signed, None),
        (("home_mailbox_parcel", "NO", "NO"), left, None),
        (("home_delivery_parcel", "SE", "NO"), left, Some("0041")),
        (("pickup_parcel_return", "SE", "SE"), told, None),
        (("business_parcel_return", "SE", "NO"), told, None),
        (("pickup_parcel", "NO", "SE"), told, None),
        (("pickup_parcel", "SE", "NO"), told, Some("EVARSLING")),
    ] {
        let Some(id) = wanted else {
            let paths = refused(&bring, route, addon);
            assert_eq!(paths, ["delivery.addons.0.code"], "{route:?} {addon}");
            continue;
        };
        let told = services(&bring, route, addon);
        let Json::List(told) = told else { panic!("{route:?} {told}") };
        assert_eq!(told[0].member("id"), Some(&id.into()), "{route:?}");
    }
}

#[tokio::test]
async fn insurance_has_no_amount_and_a_limit_in_its_own_currencies() {
    let bring = conversation().await;
    let insured = |value: i64, currency: &str| {
        let value = format!(r#"{{"value":{value},"currency":"{currency}"}}"#);
        plan(
            "business_parcel",
            "SE",
            "SE",
            &chosen(&format!(r#"{{"code":"insurance","value":{value}}}"#)),
        )
    };
    for (max, currency) in
        [(10_000_000, "SEK"), (10_000_000, "NOK"), (10_000_000, "DKK"), (1_000_000, "EUR")]
    {
        let body = bring.body(&insured(max, currency));
        let told = at(&body, &["product", "additionalServices"]);
        assert_eq!(told, json(r#"[{"id":"0068"}]"#), "{currency}");
        let refused = bring.refused(&insured(max + 1, currency));
        assert_eq!(refused, ["delivery.addons.0.code"], "{currency}");
    }
    assert_eq!(bring.refused(&insured(1, "USD")), ["delivery.addons.0.code"]);
}

#[tokio::test]
async fn money_is_collected_for_an_account_under_our_reference() {
    let cash = r#"{"code":"cash_on_delivery","value":{"value":12950,"currency":"NOK"}}"#;
    let order = plan("pickup_parcel", "NO", "NO", &chosen(cash));
    let bring = conversation().await;
    assert_eq!(bring.refused(&order), ["delivery.addons.0.code"]);
    let bring = with(r#"{"cod_account":"12345678903"}"#).await;
    let told = at(&bring.body(&order), &["product", "additionalServices"]);
    let wanted = format!(
        r#"[{{"id":"1000","accountNumber":"12345678903","amount":129.5,"currencyCode":"NOK",
        "codMessage":{{"value":"{}","type":"text"}}}}]"#,
        order.reference
    );
    assert_eq!(told, json(&wanted));
}

#[tokio::test]
async fn a_little_of_dangerous_goods_is_told_with_its_weight_or_refused() {
    let bring = conversation().await;
    let order = |from, to| {
        let mut order = with_parcels(plan("business_parcel", from, to, "{}"), 3);
        order.order.parcels[0].dangerous_goods = vec![limited()];
        order.order.parcels[2].dangerous_goods = vec![limited()];
        order
    };
    let wanted = json(r#"[{"id":"0003","limitedQuantitiesGrossWeight":"2401"}]"#);
    for (from, to) in [("SE", "SE"), ("SE", "NO"), ("NO", "SE"), ("SE", "IS")] {
        let body = bring.body(&order(from, to));
        assert_eq!(at(&body, &["product", "additionalServices"]), wanted, "{from} {to}");
    }
    for (from, to) in [("NO", "NO"), ("SE", "DE")] {
        let refused = bring.refused(&order(from, to));
        let both = ["parcels.0.dangerous_goods", "parcels.2.dangerous_goods"];
        assert_eq!(refused, both, "{from} {to}: it never travels unannounced");
    }
}
