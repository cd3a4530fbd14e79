//! Layers of a PDF file: its catalog says which of them are off, and a page that is taken over
//! leaves the catalog behind. Then all would be printed.

use lopdf::{Dictionary, Document as File, Object};

/// Whether every layer is printed. It is off by default, or only where it is printed.
pub(super) fn are_printed(file: &File) -> bool {
    let Some(layers) = file.catalog().ok().and_then(|root| dictionary(file, root, b"OCProperties"))
    else {
        return true;
    };
    let Some(usual) = dictionary(file, layers, b"D") else { return true };
    let base = usual.get_deref(b"BaseState", file).ok().and_then(|state| state.as_name().ok());
    let is_on = base.is_none_or(|state| state == b"ON") && list(file, usual, b"OFF").is_empty();
    is_on && !list(file, usual, b"AS").iter().any(|rule| is_off_on_paper(file, rule))
}

/// Whether a rule keeps a layer from being printed.
fn is_off_on_paper(file: &File, rule: &Object) -> bool {
    let Some(rule) = entries(file, rule) else { return false };
    let is_off = |layer: &Object| {
        let usage = entries(file, layer).and_then(|layer| dictionary(file, layer, b"Usage"));
        let print = usage.and_then(|usage| dictionary(file, usage, b"Print"));
        print.is_some_and(|print| is_name(file, print, b"PrintState", b"OFF"))
    };
    is_name(file, rule, b"Event", b"Print") && list(file, rule, b"OCGs").iter().any(is_off)
}

fn is_name(file: &File, entries: &Dictionary, key: &[u8], name: &[u8]) -> bool {
    entries.get_deref(key, file).and_then(Object::as_name).is_ok_and(|found| found == name)
}

fn entries<'a>(file: &'a File, object: &'a Object) -> Option<&'a Dictionary> {
    file.dereference(object).ok()?.1.as_dict().ok()
}

fn dictionary<'a>(file: &'a File, of: &'a Dictionary, key: &[u8]) -> Option<&'a Dictionary> {
    entries(file, of.get(key).ok()?)
}

fn list<'a>(file: &'a File, of: &'a Dictionary, key: &[u8]) -> &'a [Object] {
    let found = of.get_deref(key, file).and_then(Object::as_array);
    found.map(Vec::as_slice).unwrap_or_default()
}
