//! One document from many files. `openapi.yaml` is the head. Every other file adds its members to
//! one section, and its place says which: `headers.yaml` is `components.headers`, and all files in
//! `schemas/` together are `components.schemas`. An anchor holds within its file.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

const HEAD: &str = "openapi.yaml";
/// Sections that stand beside `components` and not inside.
const TOP: [&str; 2] = ["paths", "webhooks"];
/// Sections of `components`.
const COMPONENTS: [&str; 6] =
    ["securitySchemes", "parameters", "headers", "responses", "examples", "schemas"];

/// Reads what is served. The same files always make the same text: they are added in the order of
/// their names.
pub fn read(folder: &Path) -> Result<Value, String> {
    let mut document = members(&folder.join(HEAD))?;
    add(&mut document, folder)?;
    Ok(Value::Object(document))
}

/// Adds every file of a folder.
pub fn add(document: &mut Map<String, Value>, folder: &Path) -> Result<(), String> {
    for file in files(folder)? {
        let section = section(folder, &file)?;
        let target = match TOP.contains(&section.as_str()) {
            true => child(document, &section),
            false => child(document, "components").and_then(|all| child(all, &section)),
        };
        let target = target.ok_or_else(|| format!("{HEAD} has a {section} of another kind"))?;
        for (name, value) in members(&file)? {
            if target.contains_key(&name) {
                return Err(format!("{}: {name} is also in another file", file.display()));
            }
            target.insert(name, value);
        }
    }
    Ok(())
}

/// Every file of the contract but its head, in the order of their names.
fn files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    for path in entries(folder)? {
        match path.is_dir() {
            true => found.extend(entries(&path)?),
            false if path.ends_with(HEAD) => {}
            false => found.push(path),
        }
    }
    Ok(found)
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let unreadable = |error: std::io::Error| format!("{}: {error}", folder.display());
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        found.push(entry.map_err(unreadable)?.path());
    }
    found.sort();
    Ok(found)
}

/// The section that a file adds to: the name of its folder, or its own.
fn section(folder: &Path, file: &Path) -> Result<String, String> {
    let unknown = || format!("{} is not a part of the contract", file.display());
    let place = file.strip_prefix(folder).map_err(|_| unknown())?.with_extension("");
    let first = place.iter().next().and_then(|name| name.to_str()).ok_or_else(unknown)?;
    let is_yaml = file.extension().is_some_and(|extension| extension == "yaml");
    let is_known = TOP.contains(&first) || COMPONENTS.contains(&first);
    (is_yaml && is_known).then(|| first.to_owned()).ok_or_else(unknown)
}

/// What a file holds.
fn members(file: &Path) -> Result<Map<String, Value>, String> {
    let text = fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    // The budget is for files of strangers: ours repeat a few anchors many times.
    let options = serde_saphyr::options! { budget: None };
    serde_saphyr::from_str_with_options(&text, options)
        .map_err(|error| format!("{}: {error}", file.display()))
}

fn child<'a>(parent: &'a mut Map<String, Value>, name: &str) -> Option<&'a mut Map<String, Value>> {
    parent.entry(name).or_insert_with(|| Value::Object(Map::new())).as_object_mut()
}
