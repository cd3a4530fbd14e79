//! What cannot be printed is said up front, at the field it is in, by the layout alone.

use waybill_domain::fields::FieldErrors;
use waybill_domain::language::Language;
use waybill_paper::{AnyPaper, Labels, Layout};

use crate::support::{PRESS, paper, source};

fn label() -> Labels {
    match paper(source("label")) {
        AnyPaper::Labels(labels) => labels,
        other => panic!("{other:?}"),
    }
}

fn problems(change: impl FnOnce(&mut Labels)) -> FieldErrors {
    let mut labels = label();
    change(&mut labels);
    labels.layout(&PRESS).unwrap_err()
}

fn say(errors: &FieldErrors, path: &str) -> String {
    let found = errors.iter().find(|(known, _)| *known == path);
    let (_, messages) = found.unwrap_or_else(|| panic!("nothing at {path}: {errors:?}"));
    messages[0].say(Language::En)
}

#[test]
fn other_scripts_and_emoji_are_named_with_their_field() {
    let cases = [
        ("王小明", "王 (U+738B)"),
        ("Zoë 🎁", "🎁 (U+1F381)"),
        ("שלום", "ש (U+05E9)"),
        ("مرحبا", "م (U+0645)"),
        ("a\u{202e}b", "(U+202E)"),
        ("ภาษาไทย", "ภ (U+0E20)"),
    ];
    for (name, shown) in cases {
        let errors = problems(|labels| labels.labels[0].receiver.contact.name = name.to_owned());
        let said = say(&errors, "labels.0.receiver.contact.name");
        assert!(said.contains(shown), "{said}");
    }
    let errors = problems(|labels| labels.labels[0].receiver.contact.name = "a\u{7}".to_owned());
    assert_eq!(
        say(&errors, "labels.0.receiver.contact.name"),
        "must not contain control characters"
    );
}

#[test]
fn letters_with_separate_accents_are_composed() {
    let mut labels = label();
    labels.labels[0].receiver.contact.name = "A\u{30a}sa Lindstro\u{308}m".to_owned();
    let one = labels.layout(&PRESS).unwrap();
    labels.labels[0].receiver.contact.name = "Åsa Lindström".to_owned();
    assert_eq!(one, labels.layout(&PRESS).unwrap());
}

#[test]
fn every_field_that_is_too_long_is_named_at_once() {
    let long = "Wordy ".repeat(1_700);
    let errors = problems(|labels| {
        let label = &mut labels.labels[0];
        label.receiver.contact.name = long.clone();
        label.sender.address.lines[0] = "x".repeat(10_000);
        label.reference = Some(long.clone());
        label.routing_code = Some(long.clone());
        label.addons = vec![long.clone()];
        label.tracking.content = "7".repeat(10_000);
        label.tracking.text = Some(long.clone());
        label.matrix.as_mut().unwrap().content = long.clone();
    });
    for field in [
        "receiver.contact.name",
        "sender.address.address_lines.0",
        "reference",
        "routing_code",
        "addons",
        "tracking.text",
    ] {
        let said = say(&errors, &format!("labels.0.{field}"));
        assert_eq!(said, "is too long for the paper that it is printed on", "{field}");
    }
    assert!(errors.has("labels.0.matrix.content") && errors.has("labels.0.tracking.content"));
}

#[test]
fn long_text_shrinks_before_it_is_refused() {
    let mut labels = label();
    let label = &mut labels.labels[0];
    label.receiver.contact.name =
        "Maximiliane Wolkenstein-Trostburg von und zu Hohenfels".to_owned();
    label.receiver.address.lines = (1..=5)
        .map(|line| format!("Zeile {line} einer Anschrift, die niemand kurz nennen würde"))
        .collect();
    labels.layout(&PRESS).unwrap();
}

#[test]
fn a_barcode_that_does_not_fit_or_cannot_be_read_is_refused() {
    let errors = problems(|labels| {
        labels.labels[0].tracking.symbology = waybill_paper::Symbology::Code128;
        labels.labels[0].tracking.content = "Ærlig".to_owned();
    });
    assert_eq!(say(&errors, "labels.0.tracking.content"), "cannot be written as a barcode");
    let errors = problems(|labels| {
        labels.labels[0].tracking.symbology = waybill_paper::Symbology::Code128;
        labels.labels[0].tracking.content = "AbCdEfGhIj".repeat(4);
    });
    assert!(errors.has("labels.0.tracking.content"));
}

#[test]
fn amounts_of_two_currencies_are_not_added() {
    let AnyPaper::Invoice(mut invoice) = paper(source("commercial_invoice")) else { panic!() };
    invoice.items[1].unit_price.as_mut().unwrap().currency =
        waybill_domain::measure::Currency::parse("EUR").unwrap();
    let errors = invoice.layout(&PRESS).unwrap_err();
    assert!(errors.has("items.1.unit_price.currency"), "{errors:?}");
}

#[test]
fn a_cn22_holds_only_so_many_items() {
    let AnyPaper::Customs(mut form) = paper(source("cn22")) else { panic!() };
    form.items = vec![form.items[0].clone(); 7];
    assert!(form.layout(&PRESS).unwrap_err().has("items"));
    form.kind = waybill_paper::CustomsKind::Cn23;
    form.layout(&PRESS).unwrap();
}
