//! What PostNord tells customs.

use waybill_carriers::booking::Plan;
use waybill_domain::json::{Json, parse};

use super::{conversation, plan};
use crate::conversation::Conversation;

const CUSTOMS: &str = r#"{
    "parties": {
        "merchant": {"identifiers": {"vat": "DK12345678", "eori": "DK12345678", "voec": "2024001"}},
        "customer": {"address": {"country": "NO", "postal_code": "0150", "city": "Oslo"}}},
    "parcels": [{"gross_weight": {"value": 3, "unit": "kg"}, "items": [
        {"sku": "MUG", "description": "Mug", "quantity": 2, "hs_code": "691110",
            "country_of_origin": "DK", "net_weight": {"value": 400.4, "unit": "g"},
            "unit_price": {"value": 4950, "currency": "NOK"}},
        {"description": "Plate", "quantity": 1, "hs_code": "691200", "country_of_origin": "SE",
            "net_weight": {"value": 1, "unit": "kg"},
            "unit_price": {"value": 10000, "currency": "NOK"}}]}],
    "customs": {"content_type": "commercial_goods", "incoterm": "DDP", "invoice_number": "INV-1",
        "invoice_date": "2026-11-14", "shipping_cost": {"value": 2550, "currency": "NOK"}}
}"#;

fn declared(service: &str, changes: &str) -> Plan {
    let mut all = parse(CUSTOMS.as_bytes()).unwrap();
    all.merge(&parse(changes.as_bytes()).unwrap());
    Plan { is_declared: true, ..plan(service, &all.to_string()) }
}

fn member(conversation: &Conversation, plan: &Plan, name: &str) -> Option<Json> {
    let Some(Json::List(shipments)) = conversation.body(plan).member("shipment").cloned() else {
        panic!("no shipment")
    };
    shipments[0].member(name).cloned()
}

fn same(told: Option<Json>, wanted: &str) {
    let wanted = parse(wanted.as_bytes()).unwrap();
    assert_eq!(told.unwrap().to_string(), wanted.to_string());
}

#[tokio::test]
async fn a_parcel_across_a_border_has_an_invoice() {
    let conversation = conversation().await;
    let plan = declared("mypack_home", "{}");
    same(
        member(&conversation, &plan, "customsInvoice"),
        r#"{"declarationType": "invoiceExportDeclaration", "type": "COMMERCIAL",
        "voec": "2024001",
        "seller": {"partyIdentification": {"partyId": "1234567890", "partyIdType": "160"},
            "vatNo": "DK12345678", "name": "Holm ApS", "streets": ["Torvet 1", "2. sal"],
            "city": "Kolding", "postalCode": "6000", "countryCode": "DK",
            "contacts": {"name": "Mads Holm", "phoneNo": "+4570102030",
                "emailAddress": "post@holm.example"}, "eoriNo": "DK12345678"},
        "buyer": {"name": "Åse Nørgård", "streets": ["Islands Brygge 39", "2. th"],
            "city": "Oslo", "postalCode": "0150", "countryCode": "NO",
            "contacts": {"name": "Åse Nørgård", "phoneNo": "+4530274735",
                "emailAddress": "aase@post.example"}},
        "invoice": {"invoiceNo": "INV-1", "shippingDate": "2026-11-14",
            "reasonForExportation": "1000", "termsOfSale": "DDP"},
        "detailedDescription": [
            {"quantity": 2, "hsTariffNumber": "691110", "content": "Mug",
                "countryOfOrigin": "DK", "netWeight": {"value": 0.801, "unit": "KGM"},
                "itemValue": {"amount": 99, "currency": "NOK"}, "articleNumber": "MUG"},
            {"quantity": 1, "hsTariffNumber": "691200", "content": "Plate",
                "countryOfOrigin": "SE", "netWeight": {"value": 1, "unit": "KGM"},
                "itemValue": {"amount": 100, "currency": "NOK"}}],
        "totalNetWeight": {"value": 1.801, "unit": "KGM"},
        "totalGrossWeight": {"value": 3, "unit": "KGM"},
        "totalNumberOfPackages": {"value": 1},
        "freightCost": {"amount": 25.5, "currency": "NOK"},
        "invoiceTotal": {"amount": 224.5, "currency": "NOK"}}"#,
    );
    assert_eq!(member(&conversation, &plan, "customsDeclarationCN22"), None);
    conversation.accepted(&plan).await;
    let domestic = Plan { is_declared: false, ..plan };
    assert_eq!(member(&conversation, &domestic, "customsInvoice"), None);
}

#[tokio::test]
async fn what_the_order_does_not_say_of_the_invoice_is_found_elsewhere() {
    let conversation = conversation().await;
    let invoice = |changes: &str| {
        member(&conversation, &declared("parcel", changes), "customsInvoice").unwrap()
    };
    let bare = r#"{"customs":{"content_type":"gift","incoterm":"CIF","invoice_number":null,
        "invoice_date":null,"shipping_cost":null}}"#;
    let told = invoice(bare);
    let head =
        r#"{"invoiceNo":"ORDER-1","shippingDate":"2026-11-16","reasonForExportation":"1000"}"#;
    assert_eq!(told.member("invoice").unwrap().to_string(), head);
    assert_eq!((told.member_text("type"), told.member("freightCost")), (Some("PROFORMA"), None));
    let mut nameless = declared("parcel", bare);
    nameless.order.reference = None;
    let told = member(&conversation, &nameless, "customsInvoice").unwrap();
    let number = told.member("invoice").unwrap().member_text("invoiceNo").unwrap().to_owned();
    assert_eq!(number, nameless.reference.as_str());
    let told = invoice(r#"{"customs":{"content_type":"returned_goods"}}"#);
    let reason = told.member("invoice").unwrap().member_text("reasonForExportation");
    assert_eq!(reason, Some("1040"));
}

#[tokio::test]
async fn a_letter_across_a_border_has_a_declaration_of_its_own() {
    let conversation = conversation().await;
    for service in ["letter_tracked", "letter_registered"] {
        let plan = declared(service, "{}");
        same(
            member(&conversation, &plan, "customsDeclarationCN22"),
            r#"{"EORIorPersonalIdNumber": "DK12345678", "voec": "2024001",
            "categoryOfItem": {"categoryType": ["SALE OF GOODS"]},
            "detailedDescription": [
                {"content": "Mug", "quantity": {"value": 2},
                    "grossWeight": {"value": 0.801, "unit": "KGM"},
                    "value": {"amount": 99, "currency": "NOK"}, "hsTariffNumber": "691110",
                    "countryCode": "DK"},
                {"content": "Plate", "quantity": {"value": 1},
                    "grossWeight": {"value": 1, "unit": "KGM"},
                    "value": {"amount": 100, "currency": "NOK"}, "hsTariffNumber": "691200",
                    "countryCode": "SE"}],
            "totalGrossWeight": {"value": 3, "unit": "KGM"},
            "totalValue": {"amount": 199, "currency": "NOK"},
            "postalCharges": {"amount": 25.5, "currency": "NOK"}}"#,
        );
        assert_eq!(member(&conversation, &plan, "customsInvoice"), None);
    }
    for (ours, theirs) in [
        ("commercial_sample", "COMMERCIAL SAMPLE"),
        ("gift", "GIFT"),
        ("documents", "DOCUMENT"),
        ("returned_goods", "RETURNED GOODS"),
        ("other", "OTHER"),
    ] {
        let changes = format!(r#"{{"customs":{{"content_type":"{ours}"}}}}"#);
        let plan = declared("letter_tracked", &changes);
        let told = member(&conversation, &plan, "customsDeclarationCN22").unwrap().to_string();
        assert!(told.contains(&format!(r#""categoryType":["{theirs}"]"#)), "{told}");
    }
}

#[tokio::test]
async fn what_customs_need_of_the_parties_is_asked_for_at_its_place() {
    let conversation = conversation().await;
    let without = |service| {
        let nobody = r#"{"parties":{"merchant":{"identifiers":null}}}"#;
        let mut plan = declared(service, nobody);
        plan.order.customer.contact.phone = None;
        plan.order.merchant.as_mut().unwrap().contact.phone = None;
        plan
    };
    let wanted = [
        "parties.customer.contact.phone",
        "parties.merchant.contact.phone",
        "parties.merchant.identifiers.vat",
    ];
    assert_eq!(conversation.refused(&without("pallet")), wanted);
    assert_eq!(conversation.refused(&without("letter_tracked")), ["parties.merchant.identifiers"]);
    for service in ["pallet", "letter_tracked"] {
        let mut nameless = declared(service, "{}");
        nameless.order.parcels[0].items[1].description = Some(" ".to_owned());
        let refused = conversation.refused(&nameless);
        assert_eq!(refused, ["parcels.0.items.1.description"], "{service}");
    }
    let ioss = r#"{"parties":{"merchant":{"identifiers":{"eori":null,"voec":null,
        "ioss":"IM2080000001"}}}}"#;
    let told = member(&conversation, &declared("letter_tracked", ioss), "customsDeclarationCN22");
    assert_eq!(told.unwrap().member_text("ioss"), Some("IM2080000001"));
}
