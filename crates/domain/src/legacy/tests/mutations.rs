//! Bodies as careless clients may send them: whatever is in them, nothing panics, every problem is
//! told at a v1 name, and what is translated without a problem is a shipment.

use proptest::prelude::*;

use super::super::body::{Kind, SHIPMENT};
use super::super::{Context, Translation, translate};
use super::bodies::BODY;
use super::catalog::catalog;
use crate::json::{Json, Number, parse};
use crate::measure::MINOR_MAX;
use crate::party::Party;
use crate::shipment::{Order, Reading, Template};
use crate::time::Time;

/// Whether a name is one of a v1 body, as the tables of it say.
fn is_name(name: &str) -> bool {
    let whole = Kind::Object(SHIPMENT);
    let end = name.split('.').try_fold(whole, |kind, step| match kind {
        Kind::Object(members) => {
            let plain = step.strip_prefix("sub_total_").map(|rest| format!("subtotal_{rest}"));
            let step = plain.as_deref().unwrap_or(step);
            members.iter().find(|(member, _)| *member == step).map(|(_, kind)| *kind)
        }
        Kind::List(kind) => step.parse::<usize>().ok().map(|_| *kind),
        _ => None,
    });
    end.is_some()
}

/// What a careless client may put anywhere.
fn junk() -> impl Strategy<Value = Json> {
    let texts = prop_oneof![
        Just("".to_owned()),
        Just(" ".to_owned()),
        Just("invalid".to_owned()),
        Just("1.25".to_owned()),
        Just("1,25".to_owned()),
        Just("00453027".to_owned()),
        Just("homedelivery".to_owned()),
        Just("returndropoff".to_owned()),
        Just("NO".to_owned()),
        Just("\u{0}\n\u{202e}".to_owned()),
        Just("x".repeat(300)),
        ".{0,12}",
    ];
    let numbers = prop_oneof![
        any::<i64>().prop_map(Number::from),
        (any::<i32>(), 0..12_u32).prop_map(|(value, at)| Number::from_steps(value.into(), at)),
        Just(Number::from(0)),
        Just(Number::from(MINOR_MAX)),
    ];
    let huge = ["1e400", "-1e400", "1e-400", "33.333333333333336", "1e99999999999999999999"];
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::Bool),
        texts.prop_map(Json::Text),
        numbers.prop_map(Json::Number),
        prop::sample::select(huge.to_vec()).prop_map(|text| parse(text.as_bytes()).unwrap()),
        Just(Json::List(Vec::new())),
        Just(Json::Object(Vec::new())),
        Just(Json::List(vec![Json::Object(Vec::new()); 1500])),
        Just(deep(25)),
    ];
    leaf.prop_recursive(2, 8, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Json::List),
            prop::collection::vec((prop::sample::select(NAMES.to_vec()), inner), 0..4).prop_map(
                |members| {
                    let members = members.into_iter().map(|(name, value)| (name.into(), value));
                    Json::Object(members.collect())
                }
            ),
        ]
    })
}

/// Names that mean something somewhere, and one that does not.
const NAMES: [&str; 8] =
    ["code", "value", "agent_no", "country", "quantity", "items", "sms_notification", "unheard_of"];

fn deep(levels: usize) -> Json {
    (0..levels).fold(Json::Null, |inner, _| Json::object([("items", Json::list([inner]))]))
}

/// Everything in a body, from the outside to the inside.
fn visit(json: &mut Json, at: &mut usize, put: &Json) {
    if *at == 0 {
        *json = put.clone();
    }
    *at = at.wrapping_sub(1);
    match json {
        Json::Object(members) => members.iter_mut().for_each(|(_, value)| visit(value, at, put)),
        Json::List(entries) => entries.iter_mut().for_each(|entry| visit(entry, at, put)),
        _ => {}
    }
}

/// Whether a sentence says that our own order is not of the right form.
fn is_ours(path: &str, key: &str) -> bool {
    let form = [
        "unknown-field",
        "unknown-field-near",
        "not-an-object",
        "not-a-list",
        "not-text",
        "not-a-number",
        "not-an-integer",
        "not-an-addon-value",
        "too-many-decimals",
        "not-positive",
        "too-small",
        "too-large",
        "mixed-currencies",
        "mixed-weight-units",
        "mixed-length-units",
    ];
    // What a body may lack.
    let party = ["contact.name", "address.address_lines", "address.postal_code", "address.city"];
    let ends = [".quantity", ".address.country", "parties.customer", "parcels"];
    let is_lacking = party.iter().chain(&ends).any(|end| path.ends_with(end));
    form.contains(&key) || (key == "required" && !is_lacking)
}

fn check(translation: &Translation) -> Result<(), TestCaseError> {
    let found = match Reading::new(&translation.order, Template::None) {
        Ok(reading) => reading.finish().err().unwrap_or_default(),
        Err(errors) => errors,
    };
    if translation.errors.is_empty() {
        for (path, messages) in found.iter() {
            for message in messages {
                prop_assert!(!is_ours(path, message.key()), "{path} {}", message.key());
            }
        }
    }
    let is_good = found.is_empty() && translation.errors.is_empty();
    let told = translation.told(found);
    prop_assert_eq!(told.is_empty(), is_good, "{}", told);
    for (name, _) in told.iter() {
        prop_assert!(is_name(name), "{name}");
    }
    Ok(())
}

fn team() -> Party {
    let body = translate(&parse(BODY.as_bytes()).unwrap(), &catalog(), Context { is_demo: false });
    Order::parse(&body.order, None).unwrap().customer
}

#[test]
fn the_names_of_a_body_are_known() {
    for name in ["receiver.sms", "parcels.3.items.0.sku", "agent", "addons.1", "addons.1.code"] {
        assert!(is_name(name), "{name}");
    }
    for name in ["parties.customer", "receiver.contact", "parcels.x", "delivery", "", "sms"] {
        assert!(!is_name(name), "{name}");
    }
}

/// One of each that a value may be and should not.
const OTHERS: [&str; 24] = [
    "null",
    "true",
    "\"\"",
    "\" \"",
    "[]",
    "{}",
    "[[]]",
    "[null]",
    "[{}]",
    "0",
    "-1",
    "-0.001",
    "0.0001",
    "1.5",
    "7",
    "1e400",
    "-1e400",
    "1e-400",
    "1e12",
    "\"-1\"",
    "\"1,25\"",
    "\"NO\"",
    "\"flexhome\"",
    "\"\\u0000\"",
];

#[test]
fn whatever_stands_in_one_place_is_translated_or_told() {
    let whole = parse(BODY.as_bytes()).unwrap();
    let (catalog, team) = (catalog(), team());
    let mut good = 0;
    for place in 0.. {
        let mut left = place;
        visit(&mut whole.clone(), &mut left, &Json::Null);
        if left <= place {
            assert!(place > 70 && good > 500, "{place} {good}");
            return;
        }
        for other in OTHERS {
            let mut body = whole.clone();
            visit(&mut body, &mut { place }, &parse(other.as_bytes()).unwrap());
            for is_demo in [false, true] {
                let mut translation = translate(&body, &catalog, Context { is_demo });
                check(&translation).unwrap_or_else(|error| panic!("{other}: {error}\n{body}"));
                translation.declare(Some(&team), Time(0));
                check(&translation).unwrap_or_else(|error| panic!("{other}: {error}\n{body}"));
                good += usize::from(translation.errors.is_empty());
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn whatever_is_sent_is_translated_or_told(
        changes in prop::collection::vec((0..90_usize, junk()), 0..4),
        is_demo in any::<bool>(),
    ) {
        let mut body = parse(BODY.as_bytes()).unwrap();
        for (at, put) in changes {
            visit(&mut body, &mut { at }, &put);
        }
        let mut translation = translate(&body, &catalog(), Context { is_demo });
        check(&translation)?;
        translation.declare(Some(&team()), Time(0));
        check(&translation)?;
    }

    #[test]
    fn any_text_of_a_number_is_read_or_refused(text in "[-+0-9.eE ]{0,14}|.{0,6}") {
        if let Some(number) = super::super::lenient::number_of(&text) {
            let read = parse(number.as_str().as_bytes());
            prop_assert_eq!(read, Ok(Json::Number(number)));
        }
    }
}
