use super::*;
use crate::language::Language;

fn problems(errors: &FieldErrors) -> Vec<String> {
    let say = |message: &Message| message.say(Language::En);
    errors
        .iter()
        .flat_map(|(path, messages)| messages.iter().map(move |m| format!("{path} {}", say(m))))
        .collect()
}

/// A small body in the shape of a real one.
fn read_person(body: &str) -> Result<(String, Vec<i64>), FieldErrors> {
    let json = read_object(body.as_bytes())?;
    read(&json, |fields| {
        let name = fields.text("name", Text::filled(10)).required();
        let address = fields.object("address").required();
        let city = address.as_ref().and_then(|a| a.text("city", Text::filled(5)).required());
        let weights = fields.list("weights", 1..=3).optional().unwrap_or_default();
        let weights = each(&weights, |weight| weight.object()?.quantity("value").required());
        city?;
        Some((name?, weights?))
    })
}

#[test]
fn a_good_body_gives_its_values() {
    let body = r#"{"name":"Ada","address":{"city":"Oslo"},"weights":[{"value":1.5}]}"#;
    assert_eq!(read_person(body), Ok(("Ada".into(), vec![1500])));
}

#[test]
fn all_problems_are_reported_at_once_at_their_dotted_paths() {
    let body = r#"{"nmae":"x","address":{"city":"Trondheim"},"weights":[{"value":0},{"valeu":1}]}"#;
    let errors = read_person(body).unwrap_err();
    assert_eq!(
        problems(&errors),
        [
            "address.city must be at most 5 characters",
            "name is required",
            "nmae is not a known field; did you mean name?",
            "weights.0.value must be greater than 0",
            "weights.1.valeu is not a known field; did you mean value?",
            "weights.1.value is required",
        ]
    );
}

#[test]
fn no_path_ends_in_a_dot() {
    let body = r#"{"":1,"x..":1,"name":"Ada","address":{"city":"Oslo","":1,".":2}}"#;
    let errors = read_person(body).unwrap_err();
    let paths: Vec<_> = errors.iter().map(|(path, _)| path).collect();
    assert_eq!(paths, ["address", "body", "x"]);
}

#[test]
fn null_is_absent() {
    let errors = read_person(r#"{"name":null,"address":{"city":"Oslo"}}"#).unwrap_err();
    assert_eq!(problems(&errors), ["name is required"]);
}

#[test]
fn a_wrong_type_is_one_problem_not_two() {
    let errors = read_person(r#"{"name":7,"address":[]}"#).unwrap_err();
    assert_eq!(problems(&errors), ["address must be an object", "name must be text"]);
}

#[test]
fn a_body_that_is_no_object_is_refused_at_body() {
    for (body, problem) in [
        ("[]", "body must be a JSON object"),
        ("", "body must be a JSON object, but the request has no body"),
        ("{\"a\":", "body is not valid JSON (byte 5)"),
    ] {
        assert_eq!(problems(&read_object(body.as_bytes()).unwrap_err()), [problem]);
    }
}

#[test]
fn quantities_are_exact_decimals() {
    let quantity = |value: &str| {
        read_person(&format!(
            r#"{{"name":"A","address":{{"city":"B"}},"weights":[{{"value":{value}}}]}}"#
        ))
        .map(|(_, weights)| weights[0])
        .map_err(|errors| problems(&errors).join("; "))
    };
    assert_eq!(quantity("0.1"), Ok(100));
    assert_eq!(quantity("1e3"), Ok(1_000_000));
    assert_eq!(quantity("0.0001").unwrap_err(), "weights.0.value must have at most 3 decimals");
    assert_eq!(quantity("-1").unwrap_err(), "weights.0.value must be greater than 0");
    assert_eq!(quantity("1e400").unwrap_err(), "weights.0.value must be at most 1000000000");
    assert_eq!(quantity("\"1\"").unwrap_err(), "weights.0.value must be a number");
}

#[test]
fn text_with_control_or_direction_characters_is_refused() {
    for name in ["a\\u0000b", "a\\nb", "\\u202eabc", "a\\u0085b"] {
        let body = format!(r#"{{"name":"{name}","address":{{"city":"B"}}}}"#);
        let errors = read_person(&body).unwrap_err();
        assert_eq!(problems(&errors), ["name must not contain control characters"], "{name}");
    }
    let errors = read_person(r#"{"name":"  ","address":{"city":"B"}}"#).unwrap_err();
    assert_eq!(problems(&errors), ["name must not be blank"]);
}

#[test]
fn no_more_than_a_thousand_paths_are_reported() {
    let fields: Vec<String> = (0..5000).map(|index| format!("\"x{index}\":1")).collect();
    let errors = read_person(&format!("{{{}}}", fields.join(","))).unwrap_err();
    assert_eq!(errors.iter().count(), 1000);
}

#[test]
fn a_time_beyond_all_known_ones_is_told_which_are_known() {
    let told = |at: &str| {
        let json = read_object(format!(r#"{{"at":"{at}"}}"#).as_bytes()).unwrap();
        read(&json, |fields| fields.time("at").required()).map_err(|errors| problems(&errors))
    };
    let known = "at must be a time from 0000-01-01T00:00:00.000000Z to 9999-12-30T22:00:00.000000Z";
    for at in ["9999-12-31T00:00:00Z", "9999-12-31T23:59:59+01:00", "0000-01-01T00:00:00+01:00"] {
        assert_eq!(told(at), Err(vec![known.to_owned()]), "{at}");
    }
    assert!(told("9999-12-30T22:00:00Z").is_ok() && told("0000-01-01T00:00:00Z").is_ok());
    for at in ["9999-13-31T00:00:00Z", "9999-12-31", "2026-02-30T00:00:00Z", "soon"] {
        assert!(told(at).unwrap_err()[0].contains("with a UTC offset"), "{at}");
    }
}
