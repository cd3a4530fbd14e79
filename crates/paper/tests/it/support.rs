//! Papers to draw, and other people's tools to look at them with.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use waybill_domain::fields::read_object;
use waybill_paper::{AnyPaper, Document, Layout, Press};

/// One press for all tests, as in the server.
pub static PRESS: LazyLock<Press> = LazyLock::new(Press::new);

/// Every paper there is, one at least of each kind.
pub const PAPERS: &[(&str, &str)] = &[
    ("label", include_str!("papers/label.json")),
    ("return", include_str!("papers/return.json")),
    ("pickup", include_str!("papers/pickup.json")),
    ("scripts", include_str!("papers/scripts.json")),
    ("a4", include_str!("papers/a4.json")),
    ("cn22", include_str!("papers/cn22.json")),
    ("cn23", include_str!("papers/cn23.json")),
    ("commercial_invoice", include_str!("papers/commercial_invoice.json")),
    ("proforma_invoice", include_str!("papers/proforma_invoice.json")),
    ("packing_list", include_str!("papers/packing_list.json")),
    ("manifest", include_str!("papers/manifest.json")),
    ("qr", include_str!("papers/qr.json")),
    ("report", include_str!("papers/report.json")),
];

pub fn source(name: &str) -> &'static str {
    PAPERS.iter().find(|(known, _)| *known == name).unwrap().1
}

pub fn paper(text: &str) -> AnyPaper {
    let json = read_object(text.as_bytes()).unwrap();
    AnyPaper::from_json(&json).unwrap_or_else(|errors| panic!("{errors:?}"))
}

pub fn document(name: &str) -> Document {
    paper(source(name)).layout(&PRESS).unwrap_or_else(|errors| panic!("{name}: {errors:?}"))
}

/// The document with one of its pages alone.
pub fn page(document: &Document, index: usize) -> Document {
    Document { pages: vec![document.pages[index].clone()], ..document.clone() }
}

/// A directory of its own for a test.
pub fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Runs a tool and gives what it prints. A missing tool fails the test: nothing is skipped.
pub fn tool(name: &str, arguments: &[&str]) -> String {
    let output = Command::new(name).args(arguments).output();
    let output = output.unwrap_or_else(|error| {
        panic!("{name} could not be started ({error}): ./tools installs what the tests need")
    });
    assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// What zbar reads in a picture.
pub fn zbar(picture: &Path) -> Vec<String> {
    let said = tool("zbarimg", &["-q", "--raw", picture.to_str().unwrap()]);
    said.lines().map(str::to_owned).collect()
}
