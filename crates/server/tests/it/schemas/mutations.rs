//! What careless callers make of a good body: one place is changed, by what kind of place it is.

use serde_json::{Value, json};

use super::bodies::remove;
use super::random::Random;

const CONTROLS: [&str; 10] = [
    "\u{0}", "\u{7}", "\n", "\t", "\u{7f}", "\u{85}", "\u{2028}", "\u{202e}", "\u{2066}", "\u{feff}",
];
const BLANKS: [&str; 4] = ["", " ", "\u{a0}\u{2003}", "\u{3000}"];
const LENGTHS: [usize; 9] = [10, 11, 20, 21, 36, 100, 101, 255, 256];
const LETTERS: [&str; 6] = ["a", "Ł", "ÿ", "中", "𝒜", "e\u{301}"];

/// What a field of this name may wrongly, or rightly, hold.
fn likely(name: &str) -> Vec<Value> {
    let texts = |texts: &[&str]| texts.iter().map(|text| json!(text)).collect();
    match name {
        "country" | "country_of_origin" => texts(&[
            "DK", "SE", "NO", "GB", "US", "GL", "AX", "JP", "ES", "RU", "dk", "ZZ", "UK", "EU",
            "DNK", "D", "XK",
        ]),
        "currency" => texts(&["EUR", "SEK", "JPY", "dkk", "ZZZ", "KR", "XXX", "XAU", "EURO"]),
        "unit" => texts(&["g", "kg", "lb", "oz", "mm", "cm", "in", "G", "gram", "m", "stone"]),
        "email" => texts(&[
            "a+b@sub.example.co", "é@example.dk", "ada@example", "ada", "@example.com", "a@b@c.de",
            "a b@example.com", "a@.example.com", "a@example..com", "<a@b.cd>", "a@b.cd\n",
            "a\u{200b}@b.cd", "a,b@c.de", "a@b.c", "\u{202e}a@b.cd",
        ]),
        "phone" => texts(&[
            "30274735", "(030) 27-47.35", "+", "123", "1234", "123456789012345",
            "1234567890123456", "+45 call me", "++4530274735", "30+274735", "٣٠٢٧٤٧٣٥",
            "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0                     x", "1234\n",
        ]),
        "postal_code" => texts(&[
            "2300", "111 22", "11122", "SW1A 1AA", "bt1 1aa", "BT1 1AA", "94107", "94107-1234",
            "3900", "22100", "FI-22100", "9170", "230", "DK-2300", "٢٣٠٠", "2300 ", "10115",
        ]),
        "hs_code" => texts(&["4901", "490199", "4901990000", "49019900000", "4901 99", "49019x"]),
        "un_number" => texts(&["UN1950", "un1263", "1263", "UN126", "UN12633", "UN١٢٦٣"]),
        "packing_group" => texts(&["I", "II", "IV", "i", ""]),
        "content_type" => texts(&["gift", "documents", "goods", "Gift"]),
        "incoterm" => texts(&["DDP", "CIF", "ddp", "DAF"]),
        "invoice_date" => texts(&[
            "2024-02-29", "2026-02-29", "2026-13-01", "2026-00-10", "2026-1-1", "14.11.2026",
            "2026-11-14T00:00:00Z", "20261114",
        ]),
        "start" | "end" => texts(&[
            "2099-11-20T16:00:00Z", "2099-11-20t16:00:00z", "2099-11-20T16:00:00.123456789Z",
            "2099-11-20T16:00:00", "2099-11-20", "2099-11-20 16:00:00Z", "2099-02-30T16:00:00Z",
            "2099-11-20T24:00:00Z", "2099-11-20T16:00:60Z", "2099-11-20T16:00Z",
            "2099-11-20T16:00:00+24:00", "2099-11-20T16:00:00.Z", "2099-11-20T16:00:00-0100",
            "2099-12-31T23:59:59+00:00", "tomorrow",
        ]),
        "template_uuid" => texts(&[
            "01a1e049-876b-7abf-afcc-5ff07827cff3", "01A1E049-876B-7ABF-AFCC-5FF07827CFF3",
            "01a1e049876b7abfafcc5ff07827cff3", "{01a1e049-876b-7abf-afcc-5ff07827cff3}", "T-1",
        ]),
        "service_code" => texts(&[
            "sandbox:home", "sandbox:letter", "sandbox:pickup_point", "sandbox:nope", "home",
            "gls:private", "SANDBOX:HOME",
        ]),
        "code" => texts(&[
            "sms_notification", "email_notification", "flex_delivery", "signature",
            "age_verification", "insurance", "cash_on_delivery", "gift_wrapping", "Signature",
        ]),
        "pickup_point" => vec![json!({"code": "P-1"}), json!({}), json!({"code": ""}), json!("P-1")],
        "is_limited_quantity" => vec![json!(true), json!(false), json!("true"), json!(1)],
        "value" => vec![
            json!(0), json!(-1), json!(1), json!(1.5), json!(0.043), json!(1.2345), json!(0.0001),
            json!(2.0), json!(35_000), json!(1_000_000_000), json!(1_000_000_000.5),
            json!(1_000_000_000_000_i64), json!(1_000_000_000_001_i64), json!("5"),
            json!({"value": 1, "currency": "DKK"}), json!({"value": 0, "currency": "DKK"}),
            json!({"value": 1}), json!("18"), json!("+4530274735"), json!("ada@example.com"),
        ],
        "quantity" => vec![json!(0), json!(1), json!(99_999), json!(100_000), json!(1.5), json!(3.0)],
        _ => Vec::new(),
    }
}

/// Changes one place of the body.
pub fn mutate(body: &mut Value, random: &mut Random) {
    let places = places(body, "");
    let pointer = random.pick(&places).clone();
    let name = pointer.rsplit('/').find(|step| step.parse::<usize>().is_err()).unwrap_or_default();
    let choices = likely(name);
    match random.below(10) {
        0 => remove(body, &pointer),
        1 => set(body, &pointer, Value::Null),
        2 => {
            let wrong = [json!("text"), json!(7), json!(true), json!([]), json!({}), json!([null])];
            set(body, &pointer, random.pick(&wrong).clone());
        }
        3 => stray(body, &pointer, random),
        4..=7 if !choices.is_empty() => set(body, &pointer, random.pick(&choices).clone()),
        _ => by_type(body, &pointer, random),
    }
}

/// A field that nobody knows, in the object or beside the value.
fn stray(body: &mut Value, pointer: &str, random: &mut Random) {
    let parent = pointer.rsplit_once('/').map_or("", |(parent, _)| parent);
    let names = ["extra", "countrie", "Value", "$ref", "name", "value"];
    for at in [pointer, parent] {
        if let Some(Value::Object(members)) = body.pointer_mut(at) {
            members.insert((*random.pick(&names)).to_owned(), json!(1));
            return;
        }
    }
}

fn by_type(body: &mut Value, pointer: &str, random: &mut Random) {
    let Some(value) = body.pointer_mut(pointer) else { return };
    match value {
        Value::String(text) => match random.below(4) {
            0 => *text = (*random.pick(&BLANKS)).to_owned(),
            1 => text.insert_str(random.below(2) * text.len(), random.pick(&CONTROLS)),
            2 => *text = random.pick(&LETTERS).repeat(*random.pick(&LENGTHS)),
            _ => text.push_str(random.pick(&LETTERS)),
        },
        Value::Array(entries) => match (random.below(3), entries.first().cloned()) {
            (0, _) => entries.clear(),
            (1, Some(first)) => entries.push(first),
            (_, Some(first)) => *entries = vec![first; *random.pick(&[2, 5, 6, 20, 21, 99, 100])],
            (_, None) => entries.push(json!({})),
        },
        Value::Number(_) => *value = random.pick(&likely("value")).clone(),
        Value::Object(members) => members.clear(),
        Value::Bool(flag) => *flag = !*flag,
        Value::Null => *value = json!("something"),
    }
}

fn set(body: &mut Value, pointer: &str, value: Value) {
    if let Some(place) = body.pointer_mut(pointer) {
        *place = value;
    }
}

/// The pointers to everything below.
fn places(value: &Value, at: &str) -> Vec<String> {
    let below: Vec<(String, &Value)> = match value {
        Value::Object(members) => {
            members.iter().map(|(name, value)| (format!("{at}/{name}"), value)).collect()
        }
        Value::Array(entries) => {
            let entries = entries.iter().enumerate();
            entries.map(|(index, value)| (format!("{at}/{index}"), value)).collect()
        }
        _ => Vec::new(),
    };
    let mut found = Vec::new();
    for (pointer, value) in below {
        found.extend(places(value, &pointer));
        found.push(pointer);
    }
    found
}
