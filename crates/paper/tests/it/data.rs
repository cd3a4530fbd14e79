//! Papers as JSON files, and what is said about wrong ones.

use waybill_domain::fields::{FieldErrors, read_object};
use waybill_paper::AnyPaper;

use crate::support::{PAPERS, source};

fn problems(text: &str) -> FieldErrors {
    AnyPaper::from_json(&read_object(text.as_bytes()).unwrap()).unwrap_err()
}

#[test]
fn every_paper_is_read_from_json() {
    for (name, text) in PAPERS {
        let json = read_object(text.as_bytes()).unwrap();
        assert!(AnyPaper::from_json(&json).is_ok(), "{name}");
    }
}

#[test]
fn all_problems_are_found_at_their_paths() {
    let text = source("label")
        .replace("\"gs1_128\"", "\"ean\"")
        .replace("\"routing_code\"", "\"routing\"")
        .replace("\"2026-11-15\"", "\"15.11.2026\"")
        .replace("\"100x150\"", "\"10x15\"");
    let errors = problems(&text);
    for path in ["paper", "labels.0.tracking.symbology", "labels.0.routing", "labels.0.date"] {
        assert!(errors.has(path), "{path} in {errors:?}");
    }
    assert!(problems(r#"{"type": "poem"}"#).has("type"));
    assert!(problems(r#"{"type": "label"}"#).has("labels"));
    assert!(problems(r#"{"type": "manifest", "lines": []}"#).has("lines"));
}
