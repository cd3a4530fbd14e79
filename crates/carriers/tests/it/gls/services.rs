//! Which services go with a shipment, and what GLS cannot be told.

use waybill_domain::json::Json;

use super::{conversation, plan, with};
use crate::conversation::{Conversation, to_point, with_parcels};

fn addons(list: &str) -> String {
    format!(r#"{{"delivery":{{"addons":[{list}]}}}}"#)
}

const SMS: &str = r#"{"code":"sms_notification","value":"+4511111111"}"#;
const EMAIL: &str = r#"{"code":"email_notification","value":"ada@post.example"}"#;
const FLEX: &str = r#"{"code":"flex_delivery","value":"In the shed"}"#;
const SIGNATURE: &str = r#"{"code":"signature","value":null}"#;
const FLEXDELIVERY: &str = r#"{"Service":{"ServiceName":"service_flexdelivery"}}"#;
const DEPOSIT: &str =
    r#"{"Deposit":{"ServiceName":"service_deposit","PlaceOfDeposit":"In the shed"}}"#;

fn services(body: &Json) -> String {
    let shipment = body.member("Shipment").unwrap();
    shipment.member("Service").map_or(String::new(), Json::to_string)
}

fn units(body: &Json) -> Vec<String> {
    let Some(Json::List(units)) = body.member("Shipment").unwrap().member("ShipmentUnit") else {
        panic!("no units")
    };
    units.iter().map(|it| it.member("Service").map_or(String::new(), Json::to_string)).collect()
}

#[tokio::test]
async fn each_service_and_each_addon_has_its_name() {
    let conversation = conversation().await;
    for (service, list, wanted) in [
        ("private", String::new(), String::new()),
        ("business", String::new(), String::new()),
        ("business", SMS.to_owned(), String::new()),
        ("private", SMS.to_owned(), format!("[{FLEXDELIVERY}]")),
        ("private", format!("{EMAIL},{SMS}"), format!("[{FLEXDELIVERY}]")),
        ("private", FLEX.to_owned(), format!("[{DEPOSIT}]")),
        ("private", format!("{FLEX},{EMAIL}"), format!("[{DEPOSIT},{FLEXDELIVERY}]")),
        (
            "private",
            SIGNATURE.to_owned(),
            r#"[{"Service":{"ServiceName":"service_signature"}}]"#.to_owned(),
        ),
        (
            "shop_return",
            SMS.to_owned(),
            r#"[{"ShopReturn":{"ServiceName":"service_shopreturn","NumberOfLabels":1}}]"#
                .to_owned(),
        ),
    ] {
        let body = conversation.body(&plan(service, &addons(&list)));
        assert_eq!(services(&body), wanted, "{service} {list}");
    }
    let body = conversation.body(&to_point(plan("shop_delivery", &addons(SMS)), "GLS_DK-1"));
    let wanted =
        r#"[{"ShopDelivery":{"ServiceName":"service_shopdelivery","ParcelShopID":"GLS_DK-1"}}]"#;
    assert_eq!(services(&body), wanted);
}

#[tokio::test]
async fn a_company_is_another_kind_of_customer() {
    let conversation = conversation().await;
    for (service, category) in
        [("private", "PRIVATE"), ("business", "BUSINESS"), ("shop_return", "PRIVATE")]
    {
        let body = conversation.body(&plan(service, "{}"));
        let consignee = body.member("Shipment").unwrap().member("Consignee").unwrap();
        assert_eq!(consignee.member_text("Category"), Some(category));
        // On a return, too: GLS exchanges the two by itself.
        let name = consignee.member("Address").unwrap().member_text("Name1");
        assert_eq!(name, Some("Åse Nørgård"));
        let shipper = body.member("Shipment").unwrap().member("Shipper").unwrap();
        assert!(shipper.to_string().contains(r#""Name1":"Holm ApS""#));
    }
}

#[tokio::test]
async fn a_notification_speaks_to_whom_it_names() {
    let conversation = conversation().await;
    let body = conversation.body(&plan("business", &addons(&format!("{SMS},{EMAIL}"))));
    let address = concat!(
        r#""eMail":"ada@post.example","ContactPerson":"Åse Nørgård","#,
        r#""FixedLinePhonenumber":"+4511111111","MobilePhoneNumber":"+4511111111"}"#,
    );
    assert!(body.to_string().contains(address), "{body}");
}

#[tokio::test]
async fn a_signature_excludes_what_gives_the_receiver_a_choice() {
    let conversation = conversation().await;
    for (list, place) in [
        (format!("{SIGNATURE},{FLEX}"), 0),
        (format!("{SMS},{SIGNATURE}"), 1),
        (format!("{EMAIL},{SIGNATURE}"), 1),
    ] {
        let paths = conversation.refused(&plan("private", &addons(&list)));
        assert_eq!(paths, [format!("delivery.addons.{place}.code")], "{list}");
    }
}

#[tokio::test]
async fn a_parcel_to_a_shop_needs_a_mail_address_and_a_shop_in_the_customers_country() {
    let conversation = conversation().await;
    let nobody = r#"{"parties":{"customer":{"contact":{"email":null}}}}"#;
    let email = "parties.customer.contact.email";
    let point = "delivery.pickup_point.code";
    let refused = |conversation: &Conversation, changes: &str| {
        conversation.refused(&to_point(plan("shop_delivery", changes), "GLS_DK-1"))
    };
    assert_eq!(refused(&conversation, nobody), [email]);
    assert_eq!(conversation.refused(&plan("shop_delivery", "{}")), [point]);
    let mut abroad = to_point(plan("shop_delivery", "{}"), "GLS_SE-1");
    abroad.pickup_point.as_mut().unwrap().address.country =
        waybill_domain::country::Country::parse("SE").unwrap();
    assert_eq!(conversation.refused(&abroad), [point]);
    assert_eq!(conversation.refused(&plan("rocket", "{}")), ["delivery.service_code"]);
}

#[tokio::test]
async fn parcels_share_an_insurance_and_the_first_is_paid_for() {
    let conversation = conversation().await;
    let list = r#"{"code":"insurance","value":{"value":10001,"currency":"DKK"}},
        {"code":"cash_on_delivery","value":{"value":12950,"currency":"DKK"}}"#;
    let order = with_parcels(plan("private", &addons(list)), 3);
    let body = conversation.body(&order);
    let liability = r#"{"AddonLiability":{"ServiceName":"service_addonliability","Amount":"33.34","Currency":"DKK"}}"#;
    let cash = r#"{"Cash":{"ServiceName":"service_cash","Reason":"ORDER-1","Amount":129.5,"Currency":"DKK"}}"#;
    let wanted =
        [format!("[{liability},{cash}]"), format!("[{liability}]"), format!("[{liability}]")];
    assert_eq!(units(&body), wanted);
    let mut nameless = plan("private", &addons(list));
    nameless.order.reference = None;
    let reason = format!(r#""Reason":"{}""#, nameless.reference);
    assert!(conversation.body(&nameless).to_string().contains(&reason));
}

#[tokio::test]
async fn what_is_dangerous_in_limited_quantity_is_told_with_its_parcel() {
    let conversation = conversation().await;
    let parcel = |goods: &str| {
        format!(r#"{{"gross_weight":{{"value":3,"unit":"kg"}},"dangerous_goods":[{goods}]}}"#)
    };
    let goods = |weight: &str| {
        format!(r#"{{"un_number":"UN1263","is_limited_quantity":true,"net_weight":{weight}}}"#)
    };
    let known = goods(r#"{"value":0.75,"unit":"kg"}"#);
    let changes = format!(
        r#"{{"parcels":[{},{},{}]}}"#,
        parcel(&format!("{known},{known}")),
        parcel(&goods("null")),
        parcel("")
    );
    let wanted = |weight: &str| {
        format!(
            r#"[{{"LimitedQuantities":{{"ServiceName":"service_limitedquantities","Weight":{weight}}}}}]"#
        )
    };
    let body = conversation.body(&plan("private", &changes));
    assert_eq!(units(&body), [wanted("1.5"), wanted("3"), String::new()]);
}

#[tokio::test]
async fn a_mail_address_of_a_notification_is_as_short_as_the_customers_own() {
    let conversation = conversation().await;
    let told = |letters: usize| {
        let address = format!("{}@post.example", "a".repeat(letters));
        addons(&format!(r#"{SMS},{{"code":"email_notification","value":"{address}"}}"#))
    };
    let longest = 80 - "@post.example".len();
    for service in ["private", "business", "shop_return"] {
        let refused = conversation.refused(&plan(service, &told(longest + 1)));
        assert_eq!(refused, ["delivery.addons.1.value"], "{service}");
        assert!(conversation.prepared(&plan(service, &told(longest))).is_ok(), "{service}");
    }
}

#[tokio::test]
async fn a_return_goes_to_the_merchant_whoever_stands_on_other_labels() {
    let conversation = with(r#"{"alternative_shipper":false}"#).await;
    let shipper = |service: &str| {
        let body = conversation.body(&plan(service, "{}"));
        body.member("Shipment").unwrap().member("Shipper").unwrap().clone()
    };
    let merchant = shipper("shop_return").member("AlternativeShipperAddress").cloned();
    assert_eq!(merchant.unwrap().member_text("Name1"), Some("Holm ApS"));
    assert_eq!(shipper("private").member("AlternativeShipperAddress"), None);
}
