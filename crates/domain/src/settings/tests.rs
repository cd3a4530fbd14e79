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
    assert_eq!(label(&settings, "formats"), r#"["zpl","pdf"]"#);
    assert_eq!(label(&settings, "sizes"), SIZES);
    assert_eq!(settings.language, Language::Da);
}

#[test]
fn a_null_restores_the_default() {
    assert!(patch(r#"{"return_address":null}"#).unwrap().return_address.is_none());
    assert_eq!(patch(r#"{"language":null}"#).unwrap().language, Language::En);
    let settings = patch(r#"{"documents":{"label":null},"printing":null}"#).unwrap();
    assert_eq!(label(&settings, "sizes"), SIZES);
}

const SIZES: &str = r#"["100x150","105x148","102x152","a4"]"#;

fn label(settings: &Settings, name: &str) -> String {
    let json = settings.to_json();
    json.member("documents").unwrap().member("label").unwrap().member(name).unwrap().to_string()
}

#[test]
fn a_new_team_takes_labels_of_every_size() {
    let settings = Settings::new(Language::En);
    assert_eq!(label(&settings, "sizes"), SIZES);
    assert_eq!(label(&settings, "size"), r#""100x150""#);
    assert_eq!(label(&settings, "dpi"), "203");
}

#[test]
fn one_size_is_a_list_of_one_and_a_list_replaces_it() {
    let one = patch(r#"{"documents":{"label":{"size":"a4"}}}"#).unwrap();
    assert_eq!((label(&one, "sizes"), label(&one, "size")), (r#"["a4"]"#.into(), r#""a4""#.into()));
    let list = json(r#"{"documents":{"label":{"sizes":["102x152","a4"],"dpi":300}}}"#);
    let list = one.patched(&list, |_| false).unwrap();
    assert_eq!(label(&list, "sizes"), r#"["102x152","a4"]"#);
    assert_eq!(label(&list, "size"), r#""102x152""#);
    assert_eq!(label(&list, "dpi"), "300");
    for nothing in [r#"{"sizes":null}"#, r#"{"size":null}"#, r#"{"size":null,"sizes":null}"#] {
        let nothing = json(&format!(r#"{{"documents":{{"label":{nothing}}}}}"#));
        let restored = list.patched(&nothing, |_| false).unwrap();
        assert_eq!(label(&restored, "sizes"), SIZES);
        assert_eq!(label(&restored, "dpi"), "300");
    }
    // What was read may be sent back as it is.
    assert_eq!(list.patched(&list.to_json(), |_| false), Ok(list));
}

#[test]
fn bad_sizes_and_dots_are_named_at_their_path() {
    let problems =
        patch(r#"{"documents":{"label":{"sizes":["a4","a4","a5"],"size":"100x150","dpi":600}}}"#);
    assert_eq!(
        problems.unwrap_err(),
        [
            "documents.label.dpi must be one of: 203, 300",
            "documents.label.sizes.1 occurs twice in the list",
            "documents.label.sizes.2 must be one of: 100x150, 105x148, 102x152, a4",
        ]
    );
    let problems = patch(r#"{"documents":{"label":{"sizes":["a4"],"size":"100x150"}}}"#);
    let said = ["documents.label.size must be the first of sizes, or be left out"];
    assert_eq!(problems.unwrap_err(), said);
    assert!(patch(r#"{"documents":{"label":{"sizes":[]}}}"#).is_err());
}

/// Before there was a list, one size was stored.
#[test]
fn settings_of_an_older_version_are_read() {
    let old = json(
        r#"{"language":"da","sender_address":null,"return_address":null,
            "documents":{"label":{"formats":["zpl"],"size":"102x152"},"customs":{"formats":["pdf"]}},
            "printing":{"automatic":false,"rules":[]}}"#,
    );
    let settings = Settings::parse(&old).unwrap();
    assert_eq!(label(&settings, "sizes"), r#"["102x152"]"#);
    assert_eq!(label(&settings, "dpi"), "203");
}

#[test]
fn the_first_wanted_size_that_is_offered_is_taken_and_no_other() {
    let settings = patch(r#"{"documents":{"label":{"sizes":["a4","102x152"]}}}"#).unwrap();
    let offered = |sizes: &[&str]| sizes.iter().map(|size| (*size).to_owned()).collect::<Vec<_>>();
    let (both, none) = (offered(&["102x152", "a4"]), offered(&["100x150", "105x148"]));
    assert_eq!(settings.label.size_among(&both), Ok("a4"));
    let message = settings.label.size_among(&none).unwrap_err().say(Language::En);
    assert_eq!(
        message,
        "offers labels of 100x150, 105x148, but the team's settings ask for a4, 102x152"
    );
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
            "documents.label.size must be one of: 100x150, 105x148, 102x152, a4",
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
