//! Bodies: our reader against `serde_json`, what we write against what we read, and the fingerprint
//! against every other spelling. Then the same value as a template and as a settings patch.

#![no_main]

use libfuzzer_sys::fuzz_target;
use uuid::Uuid;
use waybill_domain::fields::{FieldErrors, read_object};
use waybill_domain::idempotency::fingerprint;
use waybill_domain::json::{Fault, Json, Number, VALUES_MAX, parse};
use waybill_domain::language::Language;
use waybill_domain::settings::Settings;
use waybill_domain::template::Template;
use waybill_fuzz::merge::{is_same, merge_patch};
use waybill_fuzz::mirror::{self, DEPTH_MAX, Refusal};
use waybill_fuzz::number::scaled;
use waybill_fuzz::respell::{Speller, reverse_lists, reverse_members};

/// So many paths are the most that a body may bring about.
const PATHS_MAX: usize = 1000;
/// So many messages are the most at one path.
const MESSAGES_MAX: usize = 100;
/// So many duplicate keys are named.
const DUPLICATES_MAX: usize = 20;

fuzz_target!(|input: &[u8]| {
    let language = Language::ALL[input.len() % Language::ALL.len()];
    check_as_body(input, language);
    match parse(input) {
        Ok(json) => {
            let mirror = mirror::read(input).expect("serde_json refuses what we accept");
            assert!(mirror.is(&json), "serde_json reads something else");
            assert!(mirror.duplicates().is_empty(), "a duplicate key was not seen");
            check_value(&json, input, language);
        }
        Err(fault) => check_fault(input, fault),
    }
});

/// A body is an object, or it has problems.
fn check_as_body(input: &[u8], language: Language) {
    match (read_object(input), parse(input)) {
        (Ok(body), Ok(json)) => assert_eq!(body, json),
        (Err(errors), Ok(json)) => {
            assert!(!matches!(json, Json::Object(_)));
            check_errors(&errors, language);
        }
        (Err(errors), Err(_)) => check_errors(&errors, language),
        (Ok(_), Err(_)) => panic!("a body without a value"),
    }
}

/// Whatever we refuse, `serde_json` refuses too, or it is too deep or has duplicate keys.
fn check_fault(input: &[u8], fault: Fault) {
    let mirror = mirror::read(input);
    match fault {
        Fault::Syntax(offset) => {
            assert_eq!(mirror.err(), Some(Refusal::NotJson), "serde_json accepts it");
            check_offset(input, offset);
        }
        Fault::TooDeep => {
            assert!(mirror.is_err(), "it is not deep at all");
            assert!(mirror::depth(input) > DEPTH_MAX);
        }
        Fault::TooMany => assert!(input.len() > VALUES_MAX, "it has few values"),
        Fault::Duplicates(paths) => {
            let mut expected = mirror.expect("serde_json accepts duplicates").duplicates();
            assert_eq!(paths.len(), expected.len().min(DUPLICATES_MAX));
            for path in paths {
                let place = expected.binary_search(&path).expect("no duplicate there");
                expected.remove(place);
            }
        }
    }
}

/// The fault is in the bytes up to the offset: what follows does not matter.
fn check_offset(input: &[u8], offset: usize) {
    assert!(offset <= input.len());
    if std::str::from_utf8(input).is_ok() {
        let enough = &input[..input.len().min(offset + 1)];
        assert_eq!(parse(enough), Err(Fault::Syntax(offset)));
    }
}

fn check_value(json: &Json, input: &[u8], language: Language) {
    assert_eq!(parse(json.to_string().as_bytes()).as_ref(), Ok(json), "written and read again");
    check_numbers(json);
    check_fingerprint(json, input);
    if let Json::List(values) = json
        && let [target, patch, ..] = values.as_slice()
    {
        check_merge(target, patch);
    }
    check_template(json, language);
    check_settings(json, language);
}

fn check_numbers(json: &Json) {
    match json {
        Json::Number(number) => check_number(number),
        Json::List(values) => values.iter().for_each(check_numbers),
        Json::Object(members) => members.iter().for_each(|(_, value)| check_numbers(value)),
        _ => {}
    }
}

fn check_number(number: &Number) {
    if let Some(integer) = scaled(number.as_str(), 0) {
        assert_eq!(number.as_integer(), integer, "{number}");
    }
    if let Some(thousandths) = scaled(number.as_str(), 3) {
        assert_eq!(number.as_thousandths(), thousandths, "{number}");
    }
    if let Some(thousandths) = number.as_thousandths() {
        assert_eq!(*number, Number::from_thousandths(thousandths));
    }
}

/// Orders of members and spellings do not count; orders of lists do.
fn check_fingerprint(json: &Json, input: &[u8]) {
    let print = fingerprint(json);
    let seed = input.iter().fold(7, |sum: u64, byte| sum.rotate_left(5) ^ u64::from(*byte));
    let respelt = Speller::new(seed).spell(json);
    let respelt = parse(respelt.as_bytes()).expect("a spelling of ours is refused");
    assert_eq!(respelt, *json, "another spelling is another value");
    assert_eq!(fingerprint(&respelt), print, "another spelling");
    assert_eq!(fingerprint(&reverse_members(json)), print, "another order of members");
    let turned = reverse_lists(json);
    assert_eq!(fingerprint(&turned) == print, is_same(&turned, json), "another order of lists");
}

fn check_merge(target: &Json, patch: &Json) {
    let mut merged = target.clone();
    merged.merge(patch);
    assert!(is_same(&merged, &merge_patch(target, patch)), "not the merge of RFC 7396");
    let once = merged.clone();
    merged.merge(patch);
    assert_eq!(merged, once, "the same patch again");
}

/// A template that is accepted is the same after it was shown and sent again.
fn check_template(json: &Json, language: Language) {
    match Template::parse(json) {
        Ok(template) => {
            let shown = Json::object([
                ("title", template.title.as_str().into()),
                ("description", template.description.as_deref().into()),
                ("shipment", template.shipment.to_json()),
            ]);
            assert_eq!(Template::parse(&reread(&shown)), Ok(template));
        }
        Err(errors) => check_errors(&errors, language),
    }
}

/// Settings that are accepted are the same after they were shown and read, or patched again.
fn check_settings(patch: &Json, language: Language) {
    let is_printer = |printer: Uuid| printer.as_bytes()[15] % 2 == 1;
    match Settings::new(language).patched(patch, is_printer) {
        Ok(settings) => {
            let shown = reread(&settings.to_json());
            assert_eq!(Settings::parse(&shown).as_ref(), Ok(&settings));
            assert_eq!(settings.patched(&shown, is_printer).as_ref(), Ok(&settings));
            assert_eq!(settings.patched(patch, is_printer).as_ref(), Ok(&settings));
            assert!(settings.patched(patch, |_| false).is_err() == has_rules(&shown));
        }
        Err(errors) => check_errors(&errors, language),
    }
}

fn has_rules(settings: &Json) -> bool {
    let rules = settings.member("printing").and_then(|printing| printing.member("rules"));
    !matches!(rules, Some(Json::List(rules)) if rules.is_empty())
}

fn reread(json: &Json) -> Json {
    parse(json.to_string().as_bytes()).expect("what we write is JSON")
}

/// A refusal has a reason, not too many of them, and each is a sentence without blanks.
fn check_errors(errors: &FieldErrors, language: Language) {
    let paths = errors.iter().count();
    assert!((1..=PATHS_MAX).contains(&paths), "{paths} paths");
    for (path, messages) in errors.iter() {
        assert!((1..=MESSAGES_MAX).contains(&messages.len()), "{} at {path}", messages.len());
    }
    for message in errors.iter().take(3).flat_map(|(_, messages)| messages.first()) {
        let sentence = message.say(language);
        assert_ne!(sentence, message.key());
        assert!(!sentence.contains("{$"), "{sentence}");
    }
}
