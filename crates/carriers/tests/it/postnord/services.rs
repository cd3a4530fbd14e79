//! Which codes a booking has, and what PostNord cannot be told.

use waybill_domain::json::Json;

use super::{conversation, moved, plan, with};
use crate::conversation::to_point;

const AT_HOME: (&str, &str) = ("DK", "2300");

fn merged(first: &str, second: &str) -> String {
    let mut all = waybill_domain::json::parse(first.as_bytes()).unwrap();
    all.merge(&waybill_domain::json::parse(second.as_bytes()).unwrap());
    all.to_string()
}

fn addons(list: &str) -> String {
    format!(r#"{{"delivery":{{"addons":[{list}]}}}}"#)
}

fn addon(code: &str) -> String {
    let value = match code {
        "sms_notification" => r#""+46701234567""#,
        "email_notification" => r#""ada@post.example""#,
        "flex_delivery" => r#""In the shed""#,
        "age_verification" => r#""18""#,
        "insurance" | "cash_on_delivery" => r#"{"value":12950,"currency":"DKK"}"#,
        _ => "null",
    };
    format!(r#"{{"code":"{code}","value":{value}}}"#)
}

fn shipment(body: &Json) -> &Json {
    let Some(Json::List(shipments)) = body.member("shipment") else { panic!("{body}") };
    &shipments[0]
}

/// The basic code, and the additional ones with spaces between.
fn codes(body: &Json) -> (String, String) {
    let service = shipment(body).member("service").unwrap();
    let additional = match service.member("additionalServiceCode") {
        Some(Json::List(codes)) => codes.iter().map(|it| it.to_string().replace('"', "")).collect(),
        _ => Vec::new(),
    };
    (service.member_text("basicServiceCode").unwrap().to_owned(), additional.join(" "))
}

#[tokio::test]
async fn each_service_has_its_code_by_route_and_agreement() {
    let (dk, se, no, de) = (AT_HOME, ("SE", "111 22"), ("NO", "0150"), ("DE", "10115"));
    for (service, agreement, from, to, code) in [
        ("mypack_home", "SE", se, se, "17"),
        ("mypack_home_small", "SE", se, se, "30"),
        ("parcel", "DK", dk, se, "18"),
        ("pallet", "DK", dk, dk, "52"),
        ("letter_registered", "SE", se, se, "RR"),
        ("letter_registered", "NO", no, no, "RR"),
        ("letter_registered", "DK", dk, dk, "RE"),
        ("letter_tracked", "SE", se, se, "86"),
        ("letter_tracked", "SE", se, de, "34"),
        ("letter_tracked", "DK", dk, dk, "04"),
        ("letter_tracked", "DK", dk, de, "04"),
        ("letter_tracked", "NO", no, no, "34"),
        ("return_drop_off", "DK", dk, dk, "24"),
        ("return_pickup", "DK", dk, dk, "20"),
    ] {
        let conversation = with(&format!(r#"{{"agreement_country":"{agreement}"}}"#)).await;
        let body = conversation.body(&plan(service, &moved(from, to)));
        assert_eq!(codes(&body).0, code, "{service} {agreement} {from:?} {to:?}");
    }
}

#[tokio::test]
async fn each_addon_has_its_code_and_none_is_there_twice() {
    let cod = r#"{"cod_account":{"bank":"Z01","number":"12-3","bic":"SWEDSESS"}}"#;
    let conversation = with(cod).await;
    let (dk, se) = (AT_HOME, ("SE", "111 22"));
    for (service, route, chosen, wanted) in [
        ("mypack_home", dk, &[][..], "C7"),
        ("mypack_home", dk, &["sms_notification", "email_notification"], "C7 A3 A4"),
        ("mypack_home", dk, &["flex_delivery"], "A6"),
        ("mypack_home", dk, &["signature"], "C7"),
        ("mypack_home", se, &["age_verification", "insurance"], "C7 D8 A5"),
        ("mypack_home", dk, &["cash_on_delivery"], "C7 A1"),
        ("parcel", dk, &["signature"], "D2"),
        ("parcel", dk, &[], ""),
        ("return_pickup", dk, &["sms_notification"], "A3"),
    ] {
        let list = chosen.iter().map(|code| addon(code)).collect::<Vec<_>>().join(",");
        let changes = merged(&moved(route, route), &addons(&list));
        let body = conversation.body(&plan(service, &changes));
        assert_eq!(codes(&body).1, wanted, "{service} {chosen:?}");
    }
    let goods = r#"{"un_number":"UN1263","is_limited_quantity":true}"#;
    let parcel = format!(
        r#"{{"gross_weight":{{"value":1,"unit":"kg"}},"dangerous_goods":[{goods},{goods}]}}"#
    );
    let body = conversation.body(&plan("parcel", &format!(r#"{{"parcels":[{parcel},{parcel}]}}"#)));
    assert_eq!(codes(&body).1, "A8");
}

#[tokio::test]
async fn a_parcel_to_a_point_is_announced_in_one_way_at_least() {
    let conversation = conversation().await;
    let without = |phone: &str, email: &str| {
        format!(r#"{{"parties":{{"customer":{{"contact":{{"phone":{phone},"email":{email}}}}}}}}}"#)
    };
    for (changes, wanted) in [
        (without(r#""+4530274735""#, "null"), "A7 A3"),
        (without("null", r#""ada@post.example""#), "A7 A4"),
        (without("null", "null"), "A7 A2"),
        (addons(&addon("email_notification")), "A7 A4"),
    ] {
        let body = conversation.body(&to_point(plan("mypack_collect", &changes), "8271"));
        assert_eq!(codes(&body), ("19".to_owned(), wanted.to_owned()), "{changes}");
        let party = shipment(&body).member("parties").unwrap().member("deliveryParty").unwrap();
        let wanted = r#"{"partyIdentification":{"partyId":"8271","partyIdType":"156"},"party":{"nameIdentification":{"name":"Kiosken"},"address":{"streets":["Torvet 9"],"postalCode":"2300","city":"København S","countryCode":"DK"}}}"#;
        assert_eq!(party.to_string(), wanted);
    }
    // At home PostNord chooses a point by itself.
    assert_eq!(codes(&conversation.body(&plan("mypack_collect", "{}"))).1, "A3");
    for to in [("NO", "0150"), ("FI", "00100"), ("DE", "10115")] {
        let paths = conversation.refused(&plan("mypack_collect", &moved(AT_HOME, to)));
        assert_eq!(paths, ["delivery.pickup_point.code"], "{to:?}");
    }
}

#[tokio::test]
async fn what_postnord_does_not_do_is_refused_at_its_addon() {
    let conversation = conversation().await;
    let (se, no) = (("SE", "111 22"), ("NO", "0150"));
    for (service, from, to, chosen, path) in [
        ("mypack_home", AT_HOME, no, &["flex_delivery"][..], "delivery.addons.0.code"),
        ("mypack_home", se, se, &["signature", "flex_delivery"], "delivery.addons.1.code"),
        ("parcel", AT_HOME, no, &["signature"], "delivery.addons.0.code"),
        ("mypack_home", AT_HOME, AT_HOME, &["age_verification"], "delivery.addons.0.code"),
        ("mypack_home", se, AT_HOME, &["age_verification"], "delivery.addons.0.code"),
        ("parcel", AT_HOME, AT_HOME, &["cash_on_delivery"], "delivery.addons.0.code"),
    ] {
        let list = chosen.iter().map(|code| addon(code)).collect::<Vec<_>>().join(",");
        let changes = merged(&moved(from, to), &addons(&list));
        assert_eq!(conversation.refused(&plan(service, &changes)), [path], "{service} {chosen:?}");
    }
    let goods = r#"{"parcels":[{"gross_weight":{"value":1,"unit":"kg"},
        "dangerous_goods":[{"un_number":"UN1263"}]}]}"#;
    let path = "parcels.0.dangerous_goods.0.is_limited_quantity";
    assert_eq!(conversation.refused(&plan("parcel", goods)), [path]);
    assert_eq!(conversation.refused(&plan("rocket", "{}")), ["delivery.service_code"]);
}

#[tokio::test]
async fn money_goes_over_the_wire_in_major_units_with_the_account_it_is_sent_to() {
    let cod = r#"{"cod_account":{"bank":"Z01","number":"12-3","bic":"SWEDSESS"}}"#;
    let conversation = with(cod).await;
    let both = format!("{},{}", addon("insurance"), addon("cash_on_delivery"));
    let booking = plan("mypack_home", &addons(&both));
    let body = conversation.body(&booking);
    let amount = r#"{"amount":129.5,"currency":"DKK"}"#;
    let member = |name: &str| shipment(&body).member(name).unwrap().to_string();
    let insured = format!(r#"{{"typeOfInsurance":"DOMESTICDK","insuranceAmount":{amount}}}"#);
    assert_eq!(member("insurance"), insured);
    let reference = &booking.reference;
    let cash = format!(r#"{{"transactionIdentifier":"{reference}","codAmount":{amount}}}"#);
    assert_eq!(member("cashOnDelivery"), cash);
    let account = r#""account":{"accountNo":"12-3","bankName":"Z01","swiftCode":"SWEDSESS"}"#;
    assert_eq!(member("parties").matches(account).count(), 1);
    let abroad = merged(&moved(AT_HOME, ("SE", "111 22")), &addons(&addon("insurance")));
    let abroad = conversation.body(&plan("mypack_home", &abroad));
    let insured = shipment(&abroad).member("insurance").unwrap();
    assert_eq!(insured.member_text("typeOfInsurance"), Some("EUROPE"));
    let swedish = with(r#"{"agreement_country":"SE"}"#).await;
    let swedish = swedish.body(&plan("mypack_home", &addons(&addon("insurance"))));
    let wanted = format!(r#"{{"insuranceAmount":{amount}}}"#);
    assert_eq!(shipment(&swedish).member("insurance").unwrap().to_string(), wanted);
}

#[tokio::test]
async fn outside_the_nordic_countries_no_letter_tells_that_a_parcel_waits() {
    let conversation = conversation().await;
    let silent = |country, code, changes: &str| {
        let route = merged(&moved(AT_HOME, (country, code)), changes);
        let mut plan = to_point(plan("mypack_collect", &route), "8271");
        plan.order.customer.contact.phone = None;
        plan.order.customer.contact.email = None;
        plan
    };
    let refused = conversation.refused(&silent("DE", "10115", "{}"));
    assert_eq!(refused, ["parties.customer.contact.phone"]);
    assert_eq!(codes(&conversation.body(&silent("SE", "111 22", "{}"))).1, "A7 A2");
    let told = addons(&addon("email_notification"));
    assert_eq!(codes(&conversation.body(&silent("DE", "10115", &told))).1, "A7 A4");
}

#[tokio::test]
async fn a_notification_goes_to_an_address_that_postnord_has_room_for() {
    let conversation = conversation().await;
    let to = |count: usize| {
        let address = format!("{}@post.example", "a".repeat(count - "@post.example".len()));
        let addon = format!(r#"{{"code":"email_notification","value":"{address}"}}"#);
        plan("parcel", &addons(&addon))
    };
    assert_eq!(conversation.refused(&to(71)), ["delivery.addons.0.value"]);
    conversation.body(&to(70));
}

#[tokio::test]
async fn money_is_collected_in_the_currency_of_the_country_and_euros_for_an_account_with_iban() {
    let cash = |from: (&str, &str), to: (&str, &str), currency: &str| {
        let value = format!(r#"{{"value":100,"currency":"{currency}"}}"#);
        let addon = format!(r#"{{"code":"cash_on_delivery","value":{value}}}"#);
        plan("parcel", &merged(&moved(from, to), &addons(&addon)))
    };
    let (se, fi, no) = (("SE", "111 22"), ("FI", "00100"), ("NO", "0150"));
    let giro = with(r#"{"cod_account":{"bank":"Z01","number":"12-3","bic":"SWEDSESS"}}"#).await;
    for (from, to, currency) in [(se, se, "SEK"), (no, no, "NOK"), (se, AT_HOME, "DKK")] {
        giro.body(&cash(from, to, currency));
        let refused = giro.refused(&cash(from, to, "USD"));
        assert_eq!(refused, ["delivery.addons.0.value.currency"], "{to:?}");
    }
    assert_eq!(giro.refused(&cash(se, fi, "EUR")), ["delivery.addons.0.code"]);
    let nameless = with(r#"{"cod_account":{"bank":"IBAN","number":"FI1"}}"#).await;
    assert_eq!(nameless.refused(&cash(se, fi, "EUR")), ["delivery.addons.0.code"]);
    let whole = with(r#"{"cod_account":{"bank":"IBAN","number":"FI1","bic":"NDEAFIHH"}}"#).await;
    whole.body(&cash(se, fi, "EUR"));
    let refused = whole.refused(&cash(se, fi, "SEK"));
    assert_eq!(refused, ["delivery.addons.0.value.currency"]);
}

#[tokio::test]
async fn an_age_is_told_with_each_parcel_and_a_place_with_the_instructions() {
    let conversation = conversation().await;
    let se = ("SE", "111 22");
    let changes = merged(&moved(se, se), &addons(&addon("age_verification")));
    let body = conversation.body(&plan("mypack_collect", &changes)).to_string();
    assert!(body.contains(r#"{"referenceNo":"18","referenceType":"ZAG"}"#), "{body}");
    let changes = addons(&addon("flex_delivery"))
        .replace(r#""delivery":{"#, r#""delivery":{"instructions":"Ring twice","#);
    let body = conversation.body(&plan("mypack_home", &changes));
    let texts =
        r#"[{"usageCode":"DEL","text":"Ring twice"},{"usageCode":"DEL","text":"In the shed"}]"#;
    assert_eq!(shipment(&body).member("freeText").unwrap().to_string(), texts);
}
