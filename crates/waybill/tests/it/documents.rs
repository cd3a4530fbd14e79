//! Documents that are joined, and pictures of their pages.

mod merging;
mod previews;

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::harness::Reply;
use crate::harness::fixture::{Fixture, order_with};

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

fn beta(fixture: &Fixture, rest: &str) -> String {
    format!("/beta/teams/{}{rest}", fixture.app.team)
}

/// From now on labels are made in the first of these formats.
pub async fn labels_in(fixture: &Fixture, formats: &[&str]) {
    let body = json!({"documents": {"label": {"formats": formats}}}).to_string();
    let settings = fixture.app.path("/settings");
    fixture.app.patch(&settings).admin().json(&body).send().await.expect(200);
}

/// A parcel to Norway, with papers for customs.
fn to_norway(reference: &str) -> Value {
    order_with(
        reference,
        json!({
            "parties": {"customer": {"address": {"address_lines": ["Karl Johans gate 1"],
                "postal_code": "0154", "city": "Oslo", "country": "NO"},
                "contact": {"phone": "+4740612345"}}},
            "customs": {"content_type": "commercial_goods", "incoterm": "DAP",
                "invoice_number": "INV-1", "invoice_date": "2026-11-10"},
            "parcels": [{"gross_weight": {"value": 1200, "unit": "g"}, "items": [{
                "sku": "B-1", "description": "Book", "quantity": 1,
                "unit_price": {"value": 19900, "currency": "DKK"},
                "net_weight": {"value": 400, "unit": "g"}, "hs_code": "490199",
                "country_of_origin": "DK"}]}],
        }),
    )
}

/// The bytes behind a URL of ours.
pub async fn fetch(fixture: &Fixture, url: &Value) -> Reply {
    let url = text(url);
    let path = url.strip_prefix("http://waybill.test").unwrap();
    fixture.app.get(path).send().await
}

/// A file of a test, by a name that no other test has.
pub fn put(fixture: &Fixture, name: &str, bytes: &[u8]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("documents");
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(format!("{}-{}-{name}", std::process::id(), fixture.app.team));
    std::fs::write(&path, bytes).unwrap();
    path
}

/// What a tool prints. A missing tool fails the test.
fn tool(name: &str, arguments: &[&str], path: &Path) -> String {
    let standard_output = if name == "pdftotext" { &["-"][..] } else { &[] };
    let mut command = Command::new(name);
    let output = command.args(arguments).arg(path).args(standard_output).output();
    let output = output.unwrap_or_else(|error| panic!("{name}: {error}; run ./tools"));
    assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The pages of a PDF file as text.
pub fn pages(path: &Path) -> Vec<String> {
    let text = tool("pdftotext", &[], path);
    let pages = text.split('\u{c}').map(str::trim).filter(|page| !page.is_empty());
    pages.map(str::to_owned).collect()
}
