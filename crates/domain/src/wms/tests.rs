use super::*;
use crate::fields::FieldErrors;
use crate::json::{Json, parse};
use crate::language::Language;
use crate::measure::{Weight, WeightUnit};
use crate::template::Template;

fn json(text: &str) -> Json {
    parse(text.as_bytes()).unwrap()
}

fn said(errors: &FieldErrors) -> Vec<String> {
    let say = |path: &str, message: &crate::words::Message| {
        format!("{path} {}", message.say(Language::En))
    };
    errors.iter().flat_map(|(path, all)| all.iter().map(move |it| say(path, it))).collect()
}

fn item(text: &str) -> CatalogItem {
    CatalogItem::parse(&json(text)).unwrap()
}

#[test]
fn every_cell_of_the_state_table_is_as_the_contract_has_it() {
    use RequestState as S;
    let states = [
        S::Received,
        S::Backordered,
        S::Allocated,
        S::Picking,
        S::Packed,
        S::Shipped,
        S::Cancelled,
    ];
    let (no, same) = (Step::Refused, Step::AsItIs);
    let cancel = Step::To(S::Cancelled);
    let table = [
        (Action::Allocate, [Step::LookForStock, Step::LookForStock, same, no, no, no, no]),
        (Action::Pick, [no, no, Step::To(S::Picking), same, no, no, no]),
        (Action::Pack, [no, no, no, Step::To(S::Packed), same, no, no]),
        (Action::Ship, [no, no, no, no, Step::Book, same, no]),
        (Action::Cancel, [cancel, cancel, cancel, cancel, Step::CancelUnlessBooking, no, same]),
    ];
    assert_eq!(table.len(), Action::ALL.len());
    assert_eq!(states.len(), RequestState::ALL.len());
    for (action, row) in table {
        for (state, step) in states.into_iter().zip(row) {
            assert_eq!(act(state, action), step, "{action} of {state}");
        }
    }
}

fn wanted(quantity: i64, shelves: &[(&str, i64)]) -> Wanted {
    let shelf = |(location, available): &(&str, i64)| Shelf {
        location: (*location).to_owned(),
        available: *available,
    };
    Wanted { quantity, shelves: shelves.iter().map(shelf).collect() }
}

#[test]
fn stock_is_taken_in_the_order_of_the_bytes_of_the_locations() {
    let line = wanted(7, &[("b", 9), ("a", 2), ("B", 3), ("é", 1), ("C", 0)]);
    let take = |location: &str, quantity| Take { location: location.to_owned(), quantity };
    let whole = Allocation::Whole(vec![vec![take("B", 3), take("a", 2), take("b", 2)]]);
    assert_eq!(allocate(&[line]), whole);
}

#[test]
fn all_lines_get_their_stock_or_none_does() {
    let lines = [wanted(3, &[("a", 9)]), wanted(5, &[("a", 1), ("b", 1)]), wanted(1, &[])];
    assert_eq!(allocate(&lines), Allocation::Short(vec![0, 3, 1]));
}

#[test]
fn a_level_never_leaves_its_bounds() {
    let level = Level { on_hand: 10, reserved: 4 };
    assert_eq!(level.adjusted(-6), Ok(Level { on_hand: 4, reserved: 4 }));
    assert_eq!(level.adjusted(-7), Err(LevelFault::TooFew { available: 6 }));
    let fault = LevelFault::TooMany { on_hand: 10 };
    assert_eq!(level.adjusted(LEVEL_MAX - 9), Err(fault));
    assert_eq!(level.adjusted(i64::MAX), Err(fault));
    assert_eq!(level.adjusted(i64::MIN), Err(LevelFault::TooFew { available: 6 }));
    assert_eq!(level.reserved(6), Some(Level { on_hand: 10, reserved: 10 }));
    assert_eq!(level.reserved(7), None);
    assert_eq!(level.released(4), Some(Level { on_hand: 10, reserved: 0 }));
    assert_eq!(level.released(5), None);
    assert_eq!(level.shipped(4), Some(Level { on_hand: 6, reserved: 0 }));
    assert_eq!(level.shipped(5), None);
}

#[test]
fn weights_are_converted_exactly_and_rounded_half_up() {
    let convert =
        |thousandths, from, to| Weight { thousandths, unit: from }.converted(to).to_string();
    let (g, kg, lb, oz) =
        (WeightUnit::Gram, WeightUnit::Kilogram, WeightUnit::Pound, WeightUnit::Ounce);
    assert_eq!(convert(1_500, kg, g), "1500 g");
    assert_eq!(convert(500, g, kg), "0.001 kg", "half of the last step goes up");
    assert_eq!(convert(499, g, kg), "0.001 kg", "and never down to nothing");
    assert_eq!(convert(1_499, g, kg), "0.001 kg");
    assert_eq!(convert(1_500, g, kg), "0.002 kg");
    assert_eq!(convert(1_000, lb, g), "453.592 g");
    assert_eq!(convert(1_000, lb, oz), "16 oz");
    assert_eq!(convert(1_000, oz, g), "28.35 g");
}

#[test]
fn an_item_is_read_with_all_that_is_wrong() {
    let bad = json(
        r#"{"sku":" A","name":"","weight":{"value":0,"unit":"g"},"length":{"value":1,"unit":"cm"},
            "width":{"value":1,"unit":"mm"},"hs_code":"12","colour":"red"}"#,
    );
    assert_eq!(
        said(&CatalogItem::parse(&bad).unwrap_err()),
        [
            "colour is not a known field",
            "hs_code must be a customs tariff number of 6 to 10 digits",
            "length.unit must be in one unit of length throughout the item, not in cm, mm",
            "name must not be blank",
            "sku must not begin or end with a space",
            "weight.value must be greater than 0",
            "width.unit must be in one unit of length throughout the item, not in cm, mm",
        ]
    );
}

#[test]
fn a_patch_changes_what_it_names_and_never_the_sku() {
    let old = item(r#"{"sku":"A","name":"Pen","barcode":"1","weight":{"value":5,"unit":"g"}}"#);
    assert_eq!(old.patched(&json("{}")).unwrap(), old);
    let new = old.patched(&json(r#"{"name":"Ink","barcode":null}"#)).unwrap();
    assert_eq!((new.name.as_str(), new.barcode, new.weight), ("Ink", None, old.weight));
    let errors = old.patched(&json(r#"{"sku":"A","name":null,"nmae":1}"#)).unwrap_err();
    let paths: Vec<&str> = errors.iter().map(|(path, _)| path).collect();
    assert_eq!(paths, ["name", "nmae", "sku"]);
}

#[test]
fn an_adjustment_is_a_whole_number_that_is_not_zero() {
    let read = |delta: &str| {
        Adjustment::parse(&json(&format!(r#"{{"sku":"A","location":"B","delta":{delta}}}"#)))
    };
    assert_eq!(read("-1000000000").unwrap().delta, -LEVEL_MAX);
    assert_eq!(read("2.0").unwrap().delta, 2);
    for bad in ["0", "1000000001", "-1000000001", "1.5", "\"1\"", "null"] {
        assert!(read(bad).unwrap_err().has("delta"), "{bad}");
    }
}

const LINES: &str = r#""lines":[{"sku":"A","quantity":2},{"sku":"B","quantity":1,"parcel":1}]"#;

fn request(shipment: &str) -> RequestReading {
    RequestReading::new(&json(&format!(
        r#"{{"identifier":"i","reference":"r",{LINES},"shipment":{shipment}}}"#
    )))
}

fn items() -> [Option<CatalogItem>; 2] {
    [
        Some(item(r#"{"sku":"A","name":"Pen","weight":{"value":5,"unit":"g"}}"#)),
        Some(item(r#"{"sku":"B","name":"Ink","weight":{"value":1,"unit":"lb"}}"#)),
    ]
}

#[test]
fn items_go_into_the_parcels_of_their_lines_in_the_unit_of_the_shipment() {
    let given = r#"{"reference":"own","parcels":[{"gross_weight":{"value":1,"unit":"kg"},
        "items":null},{}]}"#;
    let read = request(given);
    assert!(read.errors.is_empty());
    let built = booking_input(&read.input, &items(), None);
    assert!(built.errors.is_empty());
    let text = built.body.to_string();
    assert!(text.contains(r#""reference":"own""#) && text.contains(r#""identifier":"i""#));
    let pen =
        r#""sku":"A","description":"Pen","quantity":2,"net_weight":{"value":0.005,"unit":"kg"}"#;
    let ink =
        r#""sku":"B","description":"Ink","quantity":1,"net_weight":{"value":0.454,"unit":"kg"}"#;
    let (first, second) = text.split_once("Pen").unwrap();
    assert!(text.contains(pen) && text.contains(ink) && !first.contains("Ink"), "{text}");
    assert!(second.contains("Ink"));
}

#[test]
fn parcels_of_a_template_get_items_too() {
    let template = r#"{"title":"t","shipment":{"weight_unit":"oz","parcels":[{"gross_weight":9},
        {}]}}"#;
    let template = Template::parse(&json(template)).unwrap();
    let built = booking_input(&request("{}").input, &items(), Some(&template.shipment));
    assert!(built.errors.is_empty());
    assert!(built.body.to_string().contains(r#""net_weight":{"value":16,"unit":"oz"}"#));
}

#[test]
fn problems_are_told_where_the_caller_wrote_what_they_are_about() {
    let read = request(r#"{"parcels":[{},{}]}"#);
    let built = booking_input(&read.input, &items(), None);
    let mut found = FieldErrors::default();
    let required = || crate::words::Message::new("required");
    for path in ["parcels.1.items.0.hs_code", "parcels.0.items.0.unit_price.currency"] {
        found.add(path, required());
    }
    for path in ["parcels.0.items.0.quantity", "parcels.0.gross_weight", "parties"] {
        found.add(path, required());
    }
    assert_eq!(
        said(&built.told(found)),
        [
            "lines.0.quantity is required",
            "lines.0.sku names a catalog item whose unit_price is required",
            "lines.1.sku names a catalog item whose hs_code is required",
            "shipment.parcels.0.gross_weight is required",
            "shipment.parties is required",
        ]
    );
}

#[test]
fn a_request_is_not_promised_pieces_at_very_many_places() {
    let shelf = |place: usize| Shelf { location: format!("{place:05}"), available: 1 };
    let wanted = |places: usize| {
        let quantity = i64::try_from(places).unwrap();
        [Wanted { quantity, shelves: (0..places).map(shelf).collect() }]
    };
    assert!(matches!(allocate(&wanted(TAKES_MAX)), Allocation::Whole(_)));
    assert_eq!(allocate(&wanted(TAKES_MAX + 1)), Allocation::Scattered);
}

#[test]
fn what_nobody_can_mend_at_a_line_is_told_at_the_shipment() {
    let read = request(r#"{"parcels":[{},{}]}"#);
    let built = booking_input(&read.input, &items(), None);
    let mut found = FieldErrors::default();
    found.add("parcels.1.items", crate::words::Message::new("required"));
    // Weights of items are converted: their unit is ours.
    found.add("parcels.0.items.0.net_weight.unit", crate::words::Message::new("required"));
    assert_eq!(
        said(&built.told(found)),
        ["shipment.parcels.1 contains nothing: no line goes into this parcel"]
    );
}

#[test]
fn a_line_goes_into_a_parcel_that_is_there_and_brings_no_items() {
    let read = request(r#"{"parcels":[{"items":[]}]}"#);
    let own = "shipment.parcels.0.items must be left out: what is in a parcel comes from the \
               lines and the catalog";
    assert_eq!(said(&read.errors), [own]);
    let built = booking_input(&read.input, &items(), None);
    assert!(built.errors.has("lines.1.parcel") && !built.errors.has("lines.0.parcel"));
}

#[test]
fn a_request_names_an_item_once() {
    let body = r#"{"lines":[{"sku":"A","quantity":1},{"sku":"A","quantity":0}],"shipment":{}}"#;
    let read = RequestReading::new(&json(body));
    let paths: Vec<&str> = read.errors.iter().map(|(path, _)| path).collect();
    assert_eq!(paths, ["lines.1.quantity", "lines.1.sku"]);
}
