use super::*;
use crate::json::parse;

fn json(text: &str) -> Json {
    parse(text.as_bytes()).unwrap()
}

fn patch(text: &str) -> Result<Settings, Vec<String>> {
    Settings::new(Language::Da).patched(&json(text), |_| false).map_err(|errors| {
        let say = |m: &Message| m.say(Language::En);
        errors.iter().map(|(path, m)| format!("{path} {}", say(&m[0]))).collect()
    })
}

const SENDER: &str = r#"{"sender_address":{"contact":{"name":"Nordic Books","email":"x@nb.dk"},
    "address":{"address_lines":["Vestergade 1"],"postal_code":"1456","city":"København K",
    "country":"DK"},"identifiers":{"vat":"DK12345678"}}}"#;

#[test]
fn settings_are_written_as_they_are_read() {
    let settings = patch(SENDER).unwrap();
    assert_eq!(Settings::parse(&settings.to_json()), Ok(settings.clone()));
    let sender = settings.to_json();
    let sender = sender.member("sender_address").unwrap();
    assert_eq!(sender.member("identifiers").unwrap().member("eori"), Some(&Json::Null));
}

#[test]
fn a_patch_changes_what_it_names_and_keeps_the_rest() {
    let settings = patch(r#"{"documents":{"label":{"formats":["zpl","pdf"]}}}"#).unwrap();
    assert_eq!(settings.label_formats, ["zpl", "pdf"]);
    assert_eq!(settings.label_size, "100x150");
    assert_eq!(settings.language, Language::Da);
}

#[test]
fn a_null_restores_the_default() {
    assert!(patch(r#"{"return_address":null}"#).unwrap().return_address.is_none());
    assert_eq!(patch(r#"{"language":null}"#).unwrap().language, Language::En);
    let settings = patch(r#"{"documents":{"label":null},"printing":null}"#).unwrap();
    assert_eq!(settings.label_size, "100x150");
}

#[test]
fn every_bad_setting_is_named_at_its_path() {
    let problems = patch(
        r#"{"languge":"da","documents":{"label":{"formats":["pdf","pdf"],"size":"a5"},
            "customs":{"formats":["zpl"]}},"sender_address":{"contact":{}},
            "printing":{"rules":[{"format":"doc","printer_uuid":"x","copies":0,
            "max_width":{"value":100,"unit":"cm"}}]}}"#,
    )
    .unwrap_err();
    assert_eq!(
        problems,
        [
            "documents.customs.formats.0 must be one of: pdf",
            "documents.label.formats.1 occurs twice in the list",
            "documents.label.size must be one of: 100x150, 102x152, 105x148, a4",
            "languge is not a known field; did you mean language?",
            "printing.rules.0.copies must be at least 1",
            "printing.rules.0.format must be one of: pdf, zpl, png, xlsx",
            "printing.rules.0.max_width.unit must be one of: mm",
            "printing.rules.0.printer_uuid must be a UUID such as \
             0199a1b2-3c4d-7e5f-8a6b-7c8d9e0f1a2b",
            "sender_address.address is required",
            "sender_address.contact.name is required",
        ]
    );
}

#[test]
fn a_rule_must_name_a_printer_of_the_team() {
    let rule = r#"{"printing":{"rules":[{"format":"zpl","max_width":{"value":104.5,"unit":"mm"},
        "printer_uuid":"0199a1b2-3c4d-7e5f-8a6b-7c8d9e0f1a2b"}]}}"#;
    let problems = patch(rule).unwrap_err();
    assert_eq!(problems, ["printing.rules.0.printer_uuid is not a printer of this team"]);
    let settings = Settings::new(Language::En).patched(&json(rule), |_| true).unwrap();
    assert_eq!(Settings::parse(&settings.to_json()), Ok(settings));
}
