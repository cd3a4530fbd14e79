//! The one style sheet, which stands in every page, and our mark. The policy names the sheet by its
//! hash. This is the only file that writes HTML which `maud` did not escape: files of ours.

use std::sync::LazyLock;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use maud::{Markup, PreEscaped, html};
use sha2::{Digest, Sha256};

const SHEET: &str = include_str!("../../assets/pages/pages.css");

/// A parcel, as the browser draws it in the colour of the text around it.
const MARK: &str = include_str!("../../assets/pages/mark.svg");

/// The sheet as an element.
pub fn element() -> Markup {
    html! { style { (PreEscaped(SHEET)) } }
}

/// Our mark.
pub fn mark() -> Markup {
    PreEscaped(MARK.to_owned())
}

/// What the policy calls the sheet.
pub fn source() -> &'static str {
    static SOURCE: LazyLock<String> =
        LazyLock::new(|| format!("'sha256-{}'", STANDARD.encode(Sha256::digest(SHEET))));
    &SOURCE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sheet_ends_no_element_and_loads_nothing() {
        for part in ["</", "<!--", "url(", "@import", "http:", "https:"] {
            assert!(!SHEET.contains(part), "{part}");
        }
        assert!(SHEET.len() < 8 * 1024, "{} bytes", SHEET.len());
    }
}
