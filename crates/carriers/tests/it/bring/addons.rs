//! Addons, as additional services of Bring.

use waybill_domain::json::{Json, parse};

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
}

#[tokio::test]
async fn an_addon_that_is_not_on_the_route_is_refused_at_its_code() {
    let bring = with(r#"{"cod_account":"NO93","consolidated_shipment_id":"C"}"#).await;
    let age = r#"{"code":"age_verification","value":"18"}"#;
    let cash = r#"{"code":"cash_on_delivery","value":{"value":100,"currency":"NOK"}}"#;
    let insured = r#"{"code":"insurance","value":{"value":100,"currency":"NOK"}}"#;
    for (route, addon, wanted) in [
        (("pickup_parcel", "NO", "NO"), age, Some("1082")),
        (("pickup_parcel", "SE", "SE"), age, Some("1229")),
        (("home_delivery_parcel", "SE", "SE"), age, Some("1082")),
        (("business_parcel", "SE", "SE"), age, None),
        (("pickup_parcel", "NO", "NO"), cash, Some("1000")),
        (("pickup_parcel", "SE", "SE"), cash, None),
        (("pickup_parcel_bulk", "SE", "NO"), cash, Some("1000")),
        (("business_parcel", "NO", "NO"), insured, None),
        (("business_parcel", "SE", "NO"), insured, Some("0068")),
        (("business_pallet", "SE", "NO"), insured, None),
        (("pickup_parcel_return", "SE", "SE"), insured, None),
    ] {
        let Some(id) = wanted else {
            let sms = r#"{"code":"sms_notification"}"#;
            let paths = refused(&bring, route, &format!("{sms},{addon}"));
            assert_eq!(paths, ["delivery.addons.1.code"], "{route:?} {addon}");
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
async fn a_little_of_dangerous_goods_is_told_with_its_weight_outside_norway() {
    let bring = conversation().await;
    let told = |from, to| {
        let mut order = with_parcels(plan("business_parcel", from, to, "{}"), 3);
        let goods = waybill_domain::parcel::DangerousGoods {
            un_number: "UN1263".to_owned(),
            is_limited_quantity: true,
            ..Default::default()
        };
        order.order.parcels[0].dangerous_goods = vec![goods.clone()];
        order.order.parcels[2].dangerous_goods = vec![goods];
        at(&bring.body(&order), &["product", "additionalServices"])
    };
    let wanted = json(r#"[{"id":"0003","limitedQuantitiesGrossWeight":"2401"}]"#);
    assert_eq!(told("SE", "SE"), wanted);
    assert_eq!(told("NO", "NO"), Json::Null);
}
