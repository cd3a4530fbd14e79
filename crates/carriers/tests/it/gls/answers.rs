//! What each answer to a booking means.

use waybill_carriers::booking::Outcome;
use waybill_replay::{Fault, Kind};

use super::{SHIPMENTS, after, conversation, plan, refused};
use crate::conversation::with_parcels;
use crate::faults::Ends;

#[tokio::test]
async fn an_error_in_the_headers_is_a_rejection_with_our_path() {
    let field = |field: &str| format!("Invalid field {field}. Value must not be empty");
    for (field, path) in [
        ("Shipment.Consignee.Address.ZIPCode", Some("parties.customer.address.postal_code")),
        ("Shipment.Consignee.Address.City", Some("parties.customer.address.city")),
        ("Shipment.Consignee.Address.Street", Some("parties.customer.address.address_lines.0")),
        ("Shipment.Consignee.Address.Name1", Some("parties.customer.contact.name")),
        ("Shipment.Consignee.Address.eMail", Some("parties.customer.contact.email")),
        (
            "Shipment.Shipper.AlternativeShipperAddress.ZIPCode",
            Some("parties.merchant.address.postal_code"),
        ),
        ("Shipment.Service.ShopDelivery.ParcelShopID", Some("delivery.pickup_point.code")),
        ("Shipment.Product", Some("delivery.service_code")),
        ("Shipment.Service", Some("delivery.service_code")),
        ("Shipment.ShipmentUnit.Weight", Some("parcels.0.gross_weight")),
        ("Shipment.Middleware", None),
    ]
    .map(|(name, path)| (field(name), path))
    {
        let headers = format!(r#"error = "INVALID_FIELD_VALUE", message = "{field}""#);
        let conversation = after(&refused(SHIPMENTS, 400, &headers)).await;
        let complaints = conversation.rejected(&plan("private", "{}")).await;
        assert_eq!(complaints[0].path.as_deref(), path, "{field}");
        assert_eq!(complaints[0].code.as_deref(), Some("INVALID_FIELD_VALUE"));
        assert_eq!(complaints[0].message, field);
    }
}

fn json(status: u16, body: &str) -> Fault {
    Fault::before(Kind::Status(status, "application/json".to_owned(), body.to_owned()))
}

#[tokio::test]
async fn the_gateway_tells_its_errors_in_the_body() {
    let conversation = conversation().await;
    let errors = r#"{"errors":[{"code":"E_400_01","message":"Not a postal code",
        "field":"consignee.zip"},{"code":7,"message":"Not an address","field":"email"},
        {"code":"E","message":"Too heavy","field":"weight"}]}"#;
    conversation.replay.fail("book", json(400, errors));
    let complaints = conversation.rejected(&with_parcels(plan("private", "{}"), 2)).await;
    let told: Vec<_> = complaints.iter().map(|it| it.path.as_deref().unwrap()).collect();
    let wanted = [
        "parties.customer.address.postal_code",
        "parties.customer.contact.email",
        "parcels.0.gross_weight",
    ];
    assert_eq!(told, wanted);
    assert_eq!(complaints[1].code.as_deref(), Some("7"));
}

#[tokio::test]
async fn a_refusal_of_us_is_not_a_rejection() {
    for headers in [
        r#"error = "ACCESS_TO_SHIPPER_DENIED", message = "No access""#,
        r#"error = "INVALID_FIELD_VALUE", message = "Invalid field Shipment.Shipper.ContactID. x""#,
    ] {
        let conversation = after(&refused(SHIPMENTS, 400, headers)).await;
        let outcome = conversation.book(&plan("private", "{}")).await;
        assert_eq!(Ends::of(&outcome), Ends::AccessDenied, "{headers}");
    }
    let conversation = conversation().await;
    let fault = r#"{"fault":{"faultstring":"Rate limit quota violation"}}"#;
    for (status, ends) in [
        (400, Ends::Unknown),
        (403, Ends::AccessDenied),
        (429, Ends::NotSent),
        (500, Ends::Unknown),
    ] {
        conversation.replay.fail("book", json(status, fault));
        let outcome = conversation.book(&with_parcels(plan("private", "{}"), 2)).await;
        assert_eq!(Ends::of(&outcome), ends, "{status}");
        let (Outcome::Unknown(why) | Outcome::AccessDenied(why) | Outcome::NotSent(why)) = outcome
        else {
            panic!("{outcome:?}")
        };
        assert_eq!(why.said[0].message, "Rate limit quota violation");
    }
}

#[tokio::test]
async fn what_says_nothing_is_unknown() {
    let busy = after(&refused(SHIPMENTS, 503, r#"retry-after = "30""#)).await;
    let outcome = busy.book(&plan("private", "{}")).await;
    assert_eq!(Ends::of(&outcome), Ends::NotSent);
    let conversation = conversation().await;
    let parcels = |count: usize| {
        let parcel = r#"{"TrackID":"T","ParcelNumber":"1"}"#;
        format!(r#"{{"CreatedShipment":{{"ParcelData":[{}]}}}}"#, vec![parcel; count].join(","))
    };
    let nameless = r#"{"CreatedShipment":{"ParcelData":[{"TrackID":"T"},{"ParcelNumber":"1"}]}}"#;
    for (status, body) in [
        (400, ""),
        (400, "{}"),
        (404, ""),
        (409, ""),
        (503, ""),
        (200, ""),
        (200, "{}"),
        (201, parcels(1).as_str()),
        (200, parcels(3).as_str()),
        (200, nameless),
        (202, parcels(2).as_str()),
    ] {
        conversation.replay.fail("book", json(status, body));
        let outcome = conversation.book(&with_parcels(plan("private", "{}"), 2)).await;
        assert_eq!(Ends::of(&outcome), Ends::Unknown, "{status} {body}");
    }
}

#[tokio::test]
async fn a_wrong_first_name_is_the_companys_where_there_is_one() {
    let company = r#"{"parties":{"customer":{"contact":{"company":"Nørgård ApS"}}}}"#;
    let alone = r#"{"parties":{"merchant":{"contact":{"company":null}}}}"#;
    for (changes, party, path) in [
        ("{}", "Consignee.Address", "parties.customer.contact.name"),
        (company, "Consignee.Address", "parties.customer.contact.company"),
        ("{}", "Shipper.AlternativeShipperAddress", "parties.merchant.contact.company"),
        (alone, "Shipper.AlternativeShipperAddress", "parties.merchant.contact.name"),
    ] {
        let headers = format!(
            r#"error = "INVALID_FIELD_VALUE", message = "Invalid field Shipment.{party}.Name1. x""#
        );
        let conversation = after(&refused(SHIPMENTS, 400, &headers)).await;
        let complaints = conversation.rejected(&plan("private", changes)).await;
        assert_eq!(complaints[0].path.as_deref(), Some(path), "{changes}");
    }
}
