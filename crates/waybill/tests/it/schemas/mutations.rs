//! What careless callers make of a good body: one place is changed, by what kind of place it is.

use serde_json::{Value, json};

use super::bodies::remove;
use super::random::Random;

const CONTROLS: [&str; 10] = [
    "\u{0}", "\u{7}", "\n", "\t", "\u{7f}", "\u{85}", "\u{2028}", "\u{202e}", "\u{2066}",
    "\u{feff}",
];
const BLANKS: [&str; 4] = ["", " ", "\u{a0}\u{2003}", "\u{3000}"];
const LENGTHS: [usize; 9] = [10, 11, 20, 21, 36, 100, 101, 255, 256];
const LETTERS: [&str; 8] = ["a", "Ł", "ÿ", "中", "𝒜", "e\u{301}", "–", "ɐ"];

/// What a text of this name may wrongly, or rightly, be; between bars.
const TEXTS: [(&str, &str); 20] = [
    ("administrative_area", "NY|CA|ny|N|NYC|New York|Ñ1|"),
    ("country", "DK|SE|NO|GB|US|GL|AX|JP|ES|RU|dk|ZZ|UK|EU|DNK|D|XK"),
    ("country_of_origin", "DK|CN|cn|ZZ|UK|CHN"),
    ("currency", "EUR|SEK|JPY|dkk|ZZZ|KR|XXX|XAU|EURO"),
    ("unit", "g|kg|lb|oz|mm|cm|in|G|gram|m|stone"),
    (
        "email",
        "a+b@sub.example.co|é@example.dk|ada@example|ada|@example.com|a@b@c.de|a b@example.com|\
         a@.example.com|a@example..com|<a@b.cd>|a@b.cd\n|a\u{200b}@b.cd|a,b@c.de|\u{202e}a@b.cd",
    ),
    (
        "phone",
        "30274735|(030) 27-47.35|+|123|1234|123456789012345|1234567890123456|+45 call me|\
         ++4530274735|30+274735|٣٠٢٧٤٧٣٥|1234\n|\
         0 0 0 0 0                                        0 ",
    ),
    (
        "postal_code",
        "2300|111 22|11122|SW1A 1AA|bt1 1aa|BT1 1AA|94107|94107-1234|3900|22100|FI-22100|9170|230|\
         DK-2300|٢٣٠٠|2300 |10115",
    ),
    ("hs_code", "4901|490199|4901990000|49019900000|4901 99|49019x"),
    ("un_number", "UN1950|un1263|1263|UN126|UN12633|UN١٢٦٣"),
    ("packing_group", "I|II|IV|i|"),
    ("content_type", "gift|documents|goods|Gift"),
    ("incoterm", "DDP|CIF|ddp|DAF"),
    (
        "invoice_date",
        "2024-02-29|2026-02-29|2026-13-01|2026-00-10|2026-1-1|14.11.2026|20261114|\
         2026-11-14T00:00:00Z",
    ),
    ("start", TIMES),
    ("end", TIMES),
    (
        "template_uuid",
        "01a1e049-876b-7abf-afcc-5ff07827cff3|01A1E049-876B-7ABF-AFCC-5FF07827CFF3|T-1|\
         01a1e049876b7abfafcc5ff07827cff3|{01a1e049-876b-7abf-afcc-5ff07827cff3}",
    ),
    (
        "service_code",
        "sandbox:home|sandbox:letter|sandbox:pickup_point|sandbox:nope|home|gls:private|\
         SANDBOX:HOME",
    ),
    (
        "code",
        "sms_notification|email_notification|flex_delivery|signature|age_verification|insurance|\
         cash_on_delivery|gift_wrapping|Signature",
    ),
    ("description", "Cup|=1+1|^XA~JR|<b>|\u{200b}"),
];
const TIMES: &str = "2099-11-20T16:00:00Z|2099-11-20t16:00:00z|2099-11-20T16:00:00.123456789Z|\
    2099-11-20T16:00:00|2099-11-20|2099-11-20 16:00:00Z|2099-02-30T16:00:00Z|2099-11-20T24:00:00Z|\
    2099-11-20T16:00:60Z|2099-11-20T16:00Z|2099-11-20T16:00:00+24:00|2099-11-20T16:00:00.Z|\
    2099-11-20T16:00:00-0100|2099-12-31T23:59:59+00:00|2099-11-20T16:00:00.1234567890Z|tomorrow";
/// The same for what is not text.
const OTHERS: [(&str, &str); 4] = [
    ("pickup_point", r#"[{"code": "P-1"}, {}, {"code": ""}, "P-1"]"#),
    ("is_limited_quantity", r#"[true, false, "true", 1]"#),
    (
        "value",
        r#"[0, -1, 1, 1.5, 0.043, 1.2345, 0.0001, 2.0, 35000, 1000000000, 1000000000.5, "5", "18",
            1000000000000, 1000000000001, {"value": 1, "currency": "DKK"}, {"value": 1},
            {"value": 0, "currency": "DKK"}, "+4530274735", "ada@example.com"]"#,
    ),
    ("quantity", "[0, 1, 99999, 100000, 1.5, 3.0]"),
];

/// What a field of this name may wrongly, or rightly, hold.
fn likely(name: &str) -> Vec<Value> {
    let texts = TEXTS.iter().filter(|(other, _)| *other == name);
    let texts = texts.flat_map(|(_, texts)| texts.split('|')).map(|text| json!(text));
    let others = OTHERS.iter().filter(|(other, _)| *other == name);
    let others = others.flat_map(|(_, text)| serde_json::from_str::<Vec<Value>>(text).unwrap());
    texts.chain(others).collect()
}

/// Places that matter more than their number says.
const WEIGHTY: [&str; 9] = [
    "/parties/customer/address/administrative_area",
    "/template_uuid",
    "/delivery/service_code",
    "/delivery/pickup_point",
    "/delivery/delivery_window/end",
    "/parties/merchant/address/country",
    "/parties/customer/address/country",
    "/parties/customer/address/postal_code",
    "/parcels/0/gross_weight/value",
];

/// Changes one place of the body.
pub fn mutate(body: &mut Value, random: &mut Random) {
    let places = places(body, "");
    let weighty: Vec<&String> = places.iter().filter(|at| WEIGHTY.contains(&at.as_str())).collect();
    let pointer = match !weighty.is_empty() && random.once_in(4) {
        true => (*random.pick(&weighty)).clone(),
        false => random.pick(&places).clone(),
    };
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
            1 => text.insert_str(random.below(2) * text.len(), random.pick::<&str>(&CONTROLS)),
            2 => *text = random.pick(&LETTERS).repeat(*random.pick(&LENGTHS)),
            _ => text.push_str(random.pick::<&str>(&LETTERS)),
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
