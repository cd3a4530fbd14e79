//! The papers look as they did. After a wanted change: `UPDATE_GOLDEN=1 cargo test -p
//! waybill-paper golden`, and look at every picture that changed.

use std::path::Path;

use waybill_domain::document::Format;
use waybill_paper::Dpi;

use crate::support::{PAPERS, PRESS, document, page, picture};

#[test]
fn golden_pictures_are_unchanged() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let mut changed = Vec::new();
    for (name, _) in PAPERS {
        let drawn = PRESS.render(&page(&document(name), 0), Format::Png, Dpi::Dpi203).unwrap();
        let path = folder.join(format!("{name}.png"));
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(&path, &drawn.bytes).unwrap();
        }
        let golden =
            std::fs::read(&path).unwrap_or_else(|_| panic!("{} is missing", path.display()));
        let (golden, drawn) = (picture(&golden), picture(&drawn.bytes));
        let dots = golden.luma.iter().zip(&drawn.luma).filter(|(one, other)| one != other).count();
        if dots > 0 || golden.luma.len() != drawn.luma.len() {
            changed.push(format!("{name} differs in {dots} dots"));
        }
    }
    assert!(changed.is_empty(), "{changed:#?}");
}
