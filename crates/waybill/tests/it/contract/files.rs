//! The files that the contract is merged from: short, readable, and nothing of them is lost.

#[path = "../../../../api/build/merge.rs"]
pub mod merge;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use waybill_api::docs::OPENAPI;

use crate::program::Folder;

const FILE_MAX: usize = 600;

pub fn contract() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../contract").canonicalize().unwrap()
}

/// Every file below a folder, with its text.
fn files(folder: &Path) -> Vec<(PathBuf, String)> {
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let below = |path: PathBuf| match path.is_dir() {
        true => files(&path),
        false => vec![(path.clone(), fs::read_to_string(&path).unwrap())],
    };
    paths.flat_map(below).collect()
}

/// The merge of these files.
fn merged(files: &[(&str, &str)]) -> Result<Value, String> {
    let folder = Folder::new("merge");
    for (name, text) in files {
        let path = folder.0.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    merge::read(&folder.0)
}

#[test]
fn no_file_of_the_contract_is_too_long_to_review() {
    let all = files(&contract());
    assert!(all.len() > 40, "{}", all.len());
    for (path, text) in all {
        let lines = text.lines().count();
        assert!(lines <= FILE_MAX, "{} has {lines} lines", path.display());
    }
}

#[test]
fn the_served_document_is_the_merge_of_the_files() {
    let served: Value = serde_json::from_str(OPENAPI).unwrap();
    assert!(merge::read(&contract()).unwrap() == served);
}

#[test]
fn each_file_adds_to_the_section_that_its_place_names() {
    let merged = merged(&[
        ("openapi.yaml", "openapi: 3.1.0"),
        ("headers.yaml", "Allow: {schema: {type: string}}"),
        ("paths/b.yaml", "/b: {get: &get {operationId: b}}\n/c: {get: *get}"),
        ("paths/a.yaml", "/a: {}"),
        ("schemas/one.yaml", "One: {type: string}"),
        ("schemas/two.yaml", "Two: {type: string}"),
    ]);
    let expected = json!({
        "openapi": "3.1.0",
        "components": {
            "headers": {"Allow": {"schema": {"type": "string"}}},
            "schemas": {"One": {"type": "string"}, "Two": {"type": "string"}},
        },
        "paths": {
            "/a": {},
            "/b": {"get": {"operationId": "b"}},
            "/c": {"get": {"operationId": "b"}},
        },
    });
    assert_eq!(merged.unwrap().to_string(), expected.to_string());
}

#[test]
fn what_cannot_be_merged_stops_the_build_and_names_the_file() {
    let head = ("openapi.yaml", "openapi: 3.1.0");
    let (one, two) = (("paths/a.yaml", "/a: {}"), ("paths/b.yaml", "/a: {}"));
    let cases = [
        (vec![head, one, two], "paths/b.yaml: /a is also in another file"),
        (vec![head, ("paths/a.yaml", "/a: {}\n/a: {}")], "paths/a.yaml: "),
        (vec![head, ("paths/a.yaml", "/a: {")], "paths/a.yaml: "),
        (vec![head, ("paths/a.yaml", "/a: *elsewhere")], "paths/a.yaml: "),
        (vec![head, ("paths/a.yaml", "- /a")], "paths/a.yaml: "),
        (vec![head, ("links/a.yaml", "A: {}")], "links/a.yaml is not a part of the contract"),
        (vec![head, ("paths/a.yml", "/a: {}")], "paths/a.yml is not a part of the contract"),
        (vec![("openapi.yaml", "paths: []"), one], "openapi.yaml has a paths of another kind"),
        (vec![one], "openapi.yaml: "),
    ];
    for (files, expected) in cases {
        let problem = merged(&files).unwrap_err();
        assert!(problem.contains(expected), "{problem}");
    }
}

// A ` #` in a text without quotation marks begins a comment, and the rest of the text is gone.
#[test]
fn a_comment_has_a_line_of_its_own() {
    for (path, text) in files(&contract()) {
        let mut block = None;
        for (index, line) in text.lines().enumerate() {
            let indent = line.len() - line.trim_start().len();
            if block.is_some_and(|above| line.trim().is_empty() || indent > above) {
                continue;
            }
            block =
                [">-", ">", "|", "|-"].iter().any(|mark| line.ends_with(mark)).then_some(indent);
            let is_comment = line.trim_start().starts_with('#');
            let is_cut = !is_comment && unquoted(line).contains(" #");
            assert!(!is_cut, "{}:{}: {line}", path.display(), index + 1);
        }
    }
}

/// A line without what stands in quotation marks.
fn unquoted(line: &str) -> String {
    let mut quote = None;
    let mut outside = String::new();
    let mut before = ' ';
    for letter in line.chars() {
        match quote {
            Some(mark) if mark == letter => quote = None,
            Some(_) => {}
            None if "'\"".contains(letter) && " [{(,".contains(before) => quote = Some(letter),
            None => outside.push(letter),
        }
        before = letter;
    }
    outside
}

// A comma in a text without quotation marks ends it inside braces: the rest becomes a name.
#[test]
fn every_description_is_a_whole_sentence() {
    let mut problems = Vec::new();
    find_cut(&serde_json::from_str(OPENAPI).unwrap(), "", &mut problems);
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
}

fn find_cut(value: &Value, place: &str, problems: &mut Vec<String>) {
    for (index, value) in value.as_array().into_iter().flatten().enumerate() {
        find_cut(value, &format!("{place}/{index}"), problems);
    }
    for (name, value) in value.as_object().into_iter().flatten() {
        let is_data = ["example", "examples", "default", "const", "enum"].contains(&name.as_str());
        let place = format!("{place}/{name}");
        if is_data && !place.ends_with("/properties/example") {
            continue;
        }
        if value.is_null() {
            problems.push(format!("{place} has no value"));
        }
        let is_whole = |text: &str| text.trim_end().ends_with(['.', '`', ')', ':']);
        if name == "description" && value.as_str().is_some_and(|text| !is_whole(text)) {
            problems.push(format!("{place} ends early: {value}"));
        }
        find_cut(value, &place, problems);
    }
}
