//! Bookings, as they go over the wire and come back.

use waybill_carriers::booking::{LabelRequest, Plan};
use waybill_domain::document::Format;
use waybill_domain::json::Json;
use waybill_domain::time::Time;

use super::{after, conversation, plan, with, without_papers};
use crate::conversation::{Conversation, kept, with_parcels};

const LABEL: &[u8] = include_bytes!("../../../src/gls/exchanges/label.pdf");

fn shipment(conversation: &Conversation, plan: &Plan) -> Json {
    conversation.body(plan).member("Shipment").unwrap().clone()
}

#[tokio::test]
async fn a_booking_says_all_of_the_order_and_nothing_that_is_empty() {
    let conversation = conversation().await;
    let plan = plan("private", r#"{"delivery":{"instructions":"Ring twice"}}"#);
    let accepted = conversation.accepted(&plan).await;
    assert_eq!(conversation.replay.hits("home"), 1);
    let reference = &plan.reference;
    assert_eq!(accepted.carrier_reference, format!("T1{reference}"));
    assert_eq!(accepted.parcels[0].tracking_number, format!("501{reference}"));
    let link = format!("https://gls-group.com/DK/da/find-pakke?match=501{reference}");
    assert_eq!(accepted.parcels[0].tracking_url, Some(link));
    let [file] = accepted.files.files.as_slice() else { panic!("{:?}", accepted.files) };
    assert_eq!((file.bytes.as_slice(), file.format, file.parcel), (LABEL, Format::Pdf, Some(0)));
    conversation.is_understood();
}

#[tokio::test]
async fn each_parcel_has_a_number_and_a_label_of_its_own() {
    let conversation = conversation().await;
    let sweden = r#"{"parties":{"customer":{"address":{"country":"SE","postal_code":"111 22"}}}}"#;
    let plan = with_parcels(plan("business", sweden), 3);
    let accepted = conversation.accepted(&plan).await;
    let places: Vec<_> = accepted.files.files.iter().map(|file| file.parcel).collect();
    assert_eq!(places, [Some(0), Some(1), Some(2)]);
    for (place, parcel) in accepted.parcels.iter().enumerate() {
        let number = format!("50{}{}", place + 1, plan.reference);
        let link = format!("https://gls-group.com/track/{number}");
        assert_eq!((&parcel.tracking_number, parcel.tracking_url.as_ref()), (&number, Some(&link)));
    }
    conversation.is_understood();
}

#[tokio::test]
async fn labels_are_kept_and_never_asked_for_again() {
    let conversation = conversation().await;
    let plan = with_parcels(plan("private", "{}"), 2);
    let accepted = conversation.accepted(&plan).await;
    let printed = kept(&plan, &accepted).carrier_data.unwrap();
    assert!(!printed.contains("print_data"), "what is a document is not kept twice: {printed}");
    let booking = without_papers(&plan, &accepted);
    let papers = conversation.papers(&booking).await;
    assert_eq!(papers, [(Some(0), LABEL.to_vec()), (Some(1), LABEL.to_vec())]);
    assert_eq!(conversation.replay.hits("reprint"), 0);
    conversation.is_understood();
}

#[test]
fn only_the_size_that_labels_have_is_offered() {
    let catalog = waybill_carriers::catalog::load().unwrap();
    for code in ["shop_delivery", "private", "business", "shop_return"] {
        let (_, service) = catalog.service(&format!("gls:{code}")).unwrap();
        assert_eq!(service.label_sizes, ["105x148"], "{code}");
    }
}

#[tokio::test]
async fn each_format_has_its_own_printing_options() {
    let conversation = conversation().await;
    for (format, template, theirs, ordered) in [
        (Format::Pdf, "NONE", "PDF", None),
        (Format::Png, "NONE", "PNG", Some((105.0, 148.0))),
        (Format::Zpl, "ZPL_200", "ZEBRA", Some((105.0, 148.0))),
    ] {
        let label = Some(LabelRequest { format, size: "105x148".to_owned() });
        let plan = Plan { label, ..with_parcels(plan("private", "{}"), 2) };
        let options = conversation.body(&plan).member("PrintingOptions").unwrap().to_string();
        let wanted = format!(
            r#"{{"ReturnLabels":{{"TemplateSet":"{template}","LabelFormat":"{theirs}"}}}}"#
        );
        assert_eq!(options, wanted);
        let accepted = conversation.accepted(&plan).await;
        let file = &accepted.files.files[0];
        assert_eq!((file.format, file.ordered_mm), (format, ordered));
        let booking = without_papers(&plan, &accepted);
        let again = conversation.carrier.documents(&conversation.account, &booking).await;
        assert_eq!(again.unwrap(), accepted.files);
    }
}

#[tokio::test]
async fn the_options_name_the_middleware_and_leave_out_the_merchants_address() {
    let options = r#"{"middleware":"Shop","alternative_shipper":false,"contact_id":"2080000001"}"#;
    let conversation = with(options).await;
    let shipment = shipment(&conversation, &plan("private", "{}"));
    assert_eq!(shipment.member_text("Middleware"), Some("Shop"));
    assert_eq!(shipment.member("Shipper").unwrap().to_string(), r#"{"ContactID":"2080000001"}"#);
}

#[tokio::test]
async fn the_date_is_that_of_the_merchant() {
    let late = Time::parse("2026-11-16T23:30:00Z").unwrap();
    let plan = Plan { now: late, ..plan("private", "{}") };
    for (zone, date) in [("{}", "2026-11-17"), (r#"{"time_zone":"Europe/London"}"#, "2026-11-16")] {
        let conversation = with(zone).await;
        assert_eq!(shipment(&conversation, &plan).member_text("ShippingDate"), Some(date));
    }
}

#[tokio::test]
async fn who_pays_duties_is_told_when_it_goes_to_another_country() {
    let conversation = conversation().await;
    let to = |country: &str, customs: &str| {
        format!(
            r#"{{"parties":{{"customer":{{"address":{{"country":"{country}",
                "postal_code":"0150"}}}}}},"customs":{customs}}}"#
        )
    };
    for (country, customs, code) in [
        ("DK", "null", None),
        ("SE", "null", Some("20")),
        ("NO", r#"{"incoterm":"DDP"}"#, Some("10")),
        ("NO", r#"{"incoterm":"DAP"}"#, Some("20")),
        ("NO", r#"{"content_type":"gift"}"#, Some("20")),
    ] {
        let shipment = shipment(&conversation, &plan("private", &to(country, customs)));
        assert_eq!(shipment.member_text("IncotermCode"), code, "{country} {customs}");
    }
}

#[tokio::test]
async fn weights_are_kilograms_with_two_decimals_and_not_too_light() {
    let conversation = conversation().await;
    for (grams, wanted) in
        [("1", "0.11"), ("110", "0.11"), ("110.1", "0.12"), ("1200.4", "1.21"), ("2000", "2")]
    {
        let changes =
            format!(r#"{{"parcels":[{{"gross_weight":{{"value":{grams},"unit":"g"}}}}]}}"#);
        let body = conversation.body(&plan("private", &changes)).to_string();
        assert!(body.contains(&format!(r#""Weight":{wanted}}}"#)), "{grams} {body}");
    }
}

#[tokio::test]
async fn characters_that_trouble_gls_are_spaces_in_every_text() {
    let conversation = conversation().await;
    let changes = r#"{"reference":"A;B|C","parties":{"customer":{"contact":{
        "name":"Åse \"Ås\" (Nørgård)","company":"Bøger, {Kort} & Mere"},
        "address":{"address_lines":["Torvet 1, 2\\3"]}}},
        "delivery":{"instructions":"Ring (twice); then wait"},
        "parcels":[{"reference":"X,1","description":"Books; maps",
        "gross_weight":{"value":1,"unit":"kg"}}]}"#;
    let plan = plan("private", changes);
    let body = conversation.body(&plan).to_string();
    for part in [
        r#""ShipmentReference":["#,
        r#""A B C""#,
        r#""Name1":"Bøger   Kort  & Mere""#,
        r#""Name2":"Åse  Ås   Nørgård""#,
        r#""Street":"Torvet 1  2 3""#,
        r#""Note1":"Books  maps""#,
        r#""Note2":"Ring  twice   then wait""#,
        r#""X 1""#,
    ] {
        assert!(body.contains(part), "{part} {body}");
    }
    conversation.accepted(&plan).await;
}

#[tokio::test]
async fn a_text_of_which_nothing_is_left_is_not_told() {
    let conversation = with(r#"{"middleware":";;"}"#).await;
    let changes = r#"{"reference":"(;)","parties":{"customer":{"contact":{"name":" {Bo}; "},
        "address":{"address_lines":["Torvet 1","()"],"postal_code":"|"}}},
        "delivery":{"instructions":"\"\"","addons":[
        {"code":"cash_on_delivery","value":{"value":100,"currency":"DKK"}}]},
        "parcels":[{"reference":",","description":"{}","gross_weight":{"value":1,"unit":"kg"}}]}"#;
    let plan = plan("private", changes);
    let shipment = shipment(&conversation, &plan);
    let reference = &plan.reference;
    let references = shipment.member("ShipmentReference").unwrap().to_string();
    assert_eq!(references, format!(r#"["{reference}"]"#));
    assert_eq!(shipment.member_text("Middleware"), Some("Waybill"));
    let address = shipment.member("Consignee").unwrap().member("Address").unwrap();
    assert_eq!(address.member_text("Name1"), Some("Bo"));
    for name in ["Name3", "ZIPCode", "ContactPerson"] {
        assert_eq!(address.member(name), None, "{name}");
    }
    let unit = shipment.member("ShipmentUnit").unwrap().to_string();
    assert!(
        unit.starts_with(&format!(r#"[{{"ShipmentUnitReference":["{reference}-1"],"W"#)),
        "{unit}"
    );
    assert!(!unit.contains("Note"), "{unit}");
    assert!(unit.contains(&format!(r#""Reason":"{reference}""#)), "{unit}");
}

#[tokio::test]
async fn what_gls_needs_and_nothing_is_left_of_is_refused_where_it_stands() {
    let conversation = conversation().await;
    let customer = |contact: &str, line: &str, city: &str| {
        format!(
            r#"{{"parties":{{"customer":{{"contact":{contact},
                "address":{{"address_lines":["{line}"],"city":"{city}"}}}}}}}}"#
        )
    };
    for (changes, paths) in [
        (customer(r#"{"name":";"}"#, "Torvet 1", "Kolding"), &["contact.name"][..]),
        (customer(r#"{"company":"()"}"#, "Torvet 1", "Kolding"), &["contact.company"][..]),
        (customer("{}", "{,}", "Kolding"), &["address.address_lines.0"][..]),
        (customer("{}", "|", "|"), &["address.address_lines.0", "address.city"][..]),
    ] {
        let mut refused = conversation.refused(&plan("private", &changes));
        refused.sort();
        let wanted: Vec<_> = paths.iter().map(|it| format!("parties.customer.{it}")).collect();
        assert_eq!(refused, wanted, "{changes}");
    }
    let place = r#"{"delivery":{"addons":[{"code":"flex_delivery","value":"();"}]}}"#;
    assert_eq!(conversation.refused(&plan("private", place)), ["delivery.addons.0.value"]);
    let merchant = r#"{"parties":{"merchant":{"contact":{"company":";"}}}}"#;
    let refused = conversation.refused(&plan("private", merchant));
    assert_eq!(refused, ["parties.merchant.contact.company"]);
}

#[tokio::test]
async fn notes_are_cut_at_a_word_and_further_lines_share_one_field() {
    let conversation = conversation().await;
    let lines = |second: &str| {
        format!(
            r#"{{"parties":{{"customer":{{"contact":{{"name":"Bo"}},"address":{{
                "address_lines":["Torvet 1","{second}","c/o Holm"]}}}}}},
                "delivery":{{"instructions":"{}"}}}}"#,
            "word ".repeat(20)
        )
    };
    let shipment = shipment(&conversation, &plan("private", &lines("2. sal"))).to_string();
    let note = format!(r#""Note2":"{}""#, "word ".repeat(10).trim_end());
    assert!(shipment.contains(&note), "{shipment}");
    assert!(shipment.contains(r#""Name3":"2. sal c/o Holm""#), "{shipment}");
    let bo = shipment.contains(r#""ContactPerson":"Bo""#);
    assert!(!bo, "a name of at most five characters is no person to GLS");
    let path = "parties.customer.address.address_lines.1";
    let long = plan("private", &lines(&"x".repeat(40)));
    assert_eq!(conversation.refused(&long), [path]);
}

/// An answer with parcels in another order, without a reference, or with another number.
fn answered(parcels: &str, print_data: &str) -> String {
    format!(
        r#"
        [[exchange]]
        name = "answer"
        books = "{{reference}}"
        request = {{ path = "/shipit-farm/v1/backend/rs/shipments", json = '''
            {{"Shipment": {{"ShipmentReference": ["{{reference}}", "{{more}}"]}}}}''' }}
        answer = {{ json = '''{{"CreatedShipment": {{"ParcelData": {parcels},
            "PrintData": {print_data}}}}}''' }}"#
    )
}

#[tokio::test]
async fn parcels_and_labels_are_matched_by_reference_and_else_in_order() {
    let named = |number: &str, place: usize| {
        format!(
            r#"{{"TrackID": "T{number}", "ParcelNumber": "{number}",
                "ShipmentUnitReference": ["{{reference}}-{place}", "X"]}}"#
        )
    };
    let labels = r#"[{"LabelFormat": "PDF", "Data": ["Qg==", "QQ=="]}]"#;
    let turned = format!("[{},{}]", named("B", 2), named("A", 1));
    let plain = r#"[{"TrackID": "TA", "Barcodes": {"Primary1D": "A"}}, {"TrackID": "B"}]"#;
    for (parcels, bytes) in [(turned.as_str(), [b"A", b"B"]), (plain, [b"B", b"A"])] {
        let conversation = after(&answered(parcels, labels)).await;
        let plan = with_parcels(plan("private", "{}"), 2);
        let accepted = conversation.accepted(&plan).await;
        let numbers: Vec<_> =
            accepted.parcels.iter().map(|parcel| parcel.tracking_number.as_str()).collect();
        assert_eq!(numbers, ["A", "B"], "{parcels}");
        let mut files = accepted.files.files.clone();
        files.sort_by_key(|file| file.parcel);
        let found: Vec<&[u8]> = files.iter().map(|file| file.bytes.as_slice()).collect();
        assert_eq!(found, bytes);
        let booking = without_papers(&plan, &accepted);
        let mut again = conversation.papers(&booking).await;
        again.sort();
        assert_eq!(again[0], (Some(0), bytes[0].to_vec()));
    }
}

#[tokio::test]
async fn one_label_may_be_for_all_parcels() {
    let parcels = r#"[{"TrackID": "A", "ParcelNumber": 501}, {"TrackID": "B"}]"#;
    let label = r#"[{"LabelFormat": "PDF", "Data": "QQ=="}]"#;
    let conversation = after(&answered(parcels, label)).await;
    let plan = with_parcels(plan("private", "{}"), 2);
    let accepted = conversation.accepted(&plan).await;
    assert_eq!(accepted.parcels[0].tracking_number, "501");
    let [file] = accepted.files.files.as_slice() else { panic!("{:?}", accepted.files) };
    assert_eq!((file.parcel, file.bytes.as_slice()), (None, &b"A"[..]));
}

#[tokio::test]
async fn a_label_that_is_missing_or_broken_leaves_the_booking() {
    let parcels = r#"[{"TrackID": "A", "ParcelNumber": "501"}]"#;
    for labels in ["[]", "null", r#"[{"Data": "%%"}]"#, r#"[{"Data": ""}]"#, r#"[{"Data": 7}]"#] {
        let conversation = after(&answered(parcels, labels)).await;
        let plan = plan("private", "{}");
        let accepted = conversation.accepted(&plan).await;
        assert!(accepted.files.is_empty(), "{labels}");
        let booking = without_papers(&plan, &accepted);
        assert!(conversation.carrier.documents(&conversation.account, &booking).await.is_err());
        assert_eq!(conversation.replay.bookings().len(), 1);
        conversation.is_understood();
    }
}
