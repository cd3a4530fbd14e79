use super::*;
use crate::json::parse;

fn names(text: &str) -> Names {
    Names::new(Language::ALL.map(|language| format!("{text} {language}")))
}

fn countries(codes: &str) -> Vec<Country> {
    codes.split_whitespace().map(|code| Country::parse(code).unwrap()).collect()
}

fn service(is_return: bool) -> Service {
    let addon = Addon {
        code: "sms_notification".into(),
        names: names("SMS"),
        descriptions: names("Tells."),
        value: ValueKind::Phone,
        is_required: true,
    };
    Service {
        code: "test:one".into(),
        names: names("One"),
        is_pickup: false,
        is_return,
        from_countries: countries("DK"),
        to_countries: countries("SE NO"),
        addons: vec![addon],
        draws_label: false,
        label_formats: vec![Format::Pdf],
        label_sizes: vec!["100x150".into()],
        last_mile: LastMile::default(),
        constraints: vec![Constraint::MaxParcels { max: 1 }],
        customs_papers: CustomsPaper::ALL.to_vec(),
        transit: None,
    }
}

fn paths(service: &Service, order: &str) -> Vec<String> {
    let problems = service.problems(&parse(order.as_bytes()).unwrap());
    problems.iter().map(|(path, messages)| format!("{path} {}", messages[0].key())).collect()
}

const ORDER: &str = r#"{"parties":{"merchant":{"address":{"country":"DK"}},
    "customer":{"address":{"country":"SE"}}},
    "delivery":{"service_code":"test:one","pickup_point":null,
    "addons":[{"code":"sms_notification","value":"+4530274735"}]},"parcels":[{}]}"#;

#[test]
fn what_a_service_is_implies_rows_of_its_own() {
    assert_eq!(paths(&service(false), ORDER), [""; 0]);
    let bad = ORDER
        .replace("\"DK\"", "\"FI\"")
        .replace("null", r#"{"code":"P"}"#)
        .replace("sms_notification", "signature")
        .replace("[{}]", "[{},{}]");
    assert_eq!(
        paths(&service(false), &bad),
        [
            "delivery.addons addon-required",
            "delivery.addons.0.code addon-not-offered",
            "delivery.pickup_point pickup-point-not-offered",
            "parcels too-many",
            "parties.merchant.address.country not-served-from",
        ]
    );
}

// Rules: Carrier roles 8; Parties and delivery 1: what is physical follows the direction, the
// parties keep their meaning.
#[test]
fn a_return_starts_at_the_customer_and_ends_at_the_merchant() {
    assert_eq!(
        paths(&service(true), ORDER),
        [
            "parties.customer.address.country not-served-from",
            "parties.merchant.address.country not-served-to",
        ]
    );
}

#[test]
fn a_merchant_that_is_not_yet_known_is_no_problem() {
    let order = ORDER.replace(r#"{"address":{"country":"DK"}}"#, "null");
    assert_eq!(paths(&service(false), &order), [""; 0]);
}

#[test]
fn a_body_needs_its_service_its_customer_and_parcels_unless_a_template_has_them() {
    let service = service(false);
    let needed =
        ["delivery.service_code required", "parcels required", "parties.customer required"];
    let told = paths(&service, "{}");
    assert!(needed.iter().all(|path| told.contains(&(*path).to_owned())), "{told:?}");
    let told = paths(&service, r#"{"template_uuid":"01a1e049-876b-7abf-afcc-5ff07827cff3"}"#);
    assert!(!told.iter().any(|path| path.starts_with("parcels")), "{told:?}");
    assert!(!told.iter().any(|path| path.contains("service_code")), "{told:?}");
    let other = ORDER.replace("test:one", "test:two");
    assert_eq!(paths(&service, &other), ["delivery.service_code not-one-of"]);
}

// The service collects in Denmark: to Norway goods cross a border, whoever sends them.
#[test]
fn customs_data_is_asked_for_as_soon_as_a_route_must_cross_a_border() {
    let order = ORDER.replace("\"SE\"", "\"NO\"");
    let told = ["customs required-by-customs", "parcels.0.items required-by-customs"];
    assert_eq!(paths(&service(false), &order), told);
    let unknown = order.replace(r#"{"address":{"country":"DK"}}"#, "null");
    assert_eq!(paths(&service(false), &unknown), told);
    let mut anywhere = service(false);
    anywhere.from_countries.clear();
    assert_eq!(paths(&anywhere, &order), told);
    assert_eq!(paths(&anywhere, &unknown), [""; 0]);
}

#[test]
fn the_last_mile_is_known_by_country() {
    let last_mile = LastMile {
        otherwise: Some("bring".into()),
        by_country: vec![(countries("DE")[0], None), (countries("DK")[0], Some("gls".into()))],
    };
    let carrier = |code: &str| last_mile.carrier(Country::parse(code).unwrap());
    assert_eq!(carrier("NO"), Some("bring"));
    assert_eq!(carrier("DE"), None);
    assert_eq!(carrier("DK"), Some("gls"));
}

#[test]
fn a_service_is_shown_in_the_language_that_was_asked_for() {
    let shown = service(false).to_json(Language::Da).to_string();
    assert!(shown.starts_with(r#"{"service_code":"test:one","service_name":"One da","#), "{shown}");
    assert!(shown.contains(r#""value_schema":{"type":"string","pattern":"#), "{shown}");
}

#[test]
fn what_all_services_say_the_same_is_known_without_a_service() {
    let postal = |mask: &str| Constraint::PostalCode {
        country: Country::parse("SE").unwrap(),
        masks: vec![mask.into()],
    };
    let catalog = |second: &str| {
        let mut services = vec![service(false), service(true)];
        services[0].constraints = vec![postal("999_99"), Constraint::MaxWeight { grams: 1 }];
        services[1].constraints = vec![postal(second), Constraint::MaxWeight { grams: 1 }];
        let colors = Colors { ground: "#000000".into(), ink: "#ffffff".into() };
        let carrier =
            Carrier { code: "test".into(), name: "Test".into(), colors, services, is_test: false };
        Catalog { carriers: vec![carrier] }
    };
    let order = parse(
        br#"{"parties":{"customer":{"address":{"country":"SE","postal_code":"1"}}},
        "delivery":{"addons":[{"code":"sms_notification","value":5}]},
        "parcels":[{"gross_weight":{"value":9,"unit":"kg"}}]}"#,
    );
    let order = order.unwrap();
    let told = |second: &str| {
        let problems = catalog(second).problems_anywhere(&order);
        problems.iter().map(|(path, _)| path.to_owned()).collect::<Vec<_>>()
    };
    let (addon, code) = ("delivery.addons.0.value", "parties.customer.address.postal_code");
    assert_eq!(told("999_99"), [addon, code]);
    assert_eq!(told("9999"), [addon], "the two do not agree on postal codes");
}
