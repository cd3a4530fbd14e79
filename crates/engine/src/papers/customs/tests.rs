use waybill_carriers::catalog;
use waybill_domain::json::parse;
use waybill_domain::shipment::Order;
use waybill_paper::PaperSize;

use super::*;

/// Two parcels from Denmark to Norway; one thing in them has this description.
fn order(description: &str) -> Order {
    let party = |country: &str| {
        format!(
            r#"{{"contact":{{"name":"Ada Jensen"}},"address":{{"address_lines":["Havnegade 1"],
            "postal_code":"2300","city":"Somewhere","country":"{country}"}}}}"#
        )
    };
    let parcel = format!(
        r#"{{"gross_weight":{{"value":1.2,"unit":"kg"}},"items":[{{"quantity":1,
        "description":"{description}","net_weight":{{"value":1,"unit":"kg"}},"hs_code":"490199",
        "unit_price":{{"value":9900,"currency":"DKK"}},"country_of_origin":"DK"}}]}}"#
    );
    let body = format!(
        r#"{{"parties":{{"merchant":{},"customer":{}}},"delivery":{{"service_code":"sandbox:home"}},
        "parcels":[{parcel},{parcel}],"customs":{{"content_type":"commercial_goods"}}}}"#,
        party("DK"),
        party("NO")
    );
    Order::parse(&parse(body.as_bytes()).unwrap(), None).unwrap()
}

/// The papers that are drawn when these are ours, and whether a text that none of our fonts has is
/// noticed.
fn drawn(ours: &[CustomsPaper]) -> (Vec<DocumentType>, bool) {
    let catalog = catalog::load().unwrap();
    let (carrier, service) = catalog.service("sandbox:home").unwrap();
    let mut service = service.clone();
    service.customs_papers = ours.to_vec();
    let renderer = Renderer::new();
    let inputs = |order| DocumentInputs {
        order,
        carrier,
        service: &service,
        language: Language::En,
        size: PaperSize::Label100x150,
        pickup_point: None,
        date: jiff::civil::date(2026, 11, 16),
        is_declared: true,
    };
    let (good, bad) = (order("Paperback"), order("本"));
    let numbers = ["1".repeat(20), "2".repeat(20)];
    let papers = papers(&renderer, &inputs(&good), &numbers).unwrap();
    let types = papers.iter().flat_map(|paper| paper.types.clone()).collect();
    (types, !problems(&renderer, &inputs(&bad)).is_empty())
}

#[test]
fn only_the_papers_that_are_ours_are_drawn_and_checked() {
    use DocumentType::{CommercialInvoice, CustomsDeclaration};
    let all = vec![CustomsDeclaration, CommercialInvoice, DocumentType::PackingList];
    assert_eq!(drawn(CustomsPaper::ALL), (all, true));
    assert_eq!(drawn(&[CustomsPaper::Declaration]), (vec![CustomsDeclaration], true));
    assert_eq!(drawn(&[CustomsPaper::Invoice]), (vec![CommercialInvoice], true));
    assert_eq!(drawn(&[CustomsPaper::PackingList]), (vec![DocumentType::PackingList], true));
    assert_eq!(drawn(&[]), (vec![], false));
}
