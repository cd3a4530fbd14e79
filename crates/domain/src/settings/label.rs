//! What a team wants of its labels: formats, sizes and how fine they are printed.

use super::{choice, choices};
use crate::document::Format;
use crate::fields::{Fields, one_of};
use crate::json::Json;
use crate::words::Message;

const FORMATS: &[&str] = &["pdf", "zpl", "png"];
/// Every size, in the order that a new team wants them.
pub const LABEL_SIZES: &[&str] = &["100x150", "105x148", "102x152", "a4"];
const DPIS: &[&str] = &["203", "300"];

/// What a team wants of its labels.
#[derive(Clone, PartialEq, Debug)]
pub struct LabelSettings {
    formats: Vec<String>,
    sizes: Vec<String>,
    /// Dots an inch of the team's ZPL printers.
    pub dpi: i64,
}

impl Default for LabelSettings {
    fn default() -> LabelSettings {
        LabelSettings {
            formats: vec!["pdf".into(), "zpl".into()],
            sizes: LABEL_SIZES.iter().map(|size| (*size).to_owned()).collect(),
            dpi: 203,
        }
    }
}

impl LabelSettings {
    /// The formats, the most wanted first.
    pub fn formats(&self) -> Vec<Format> {
        self.formats.iter().filter_map(|name| Format::parse(name)).collect()
    }

    /// The first of the sizes that a service offers. When there is none, nothing else is quietly
    /// chosen.
    pub fn size_among<'a>(&self, offered: &'a [String]) -> Result<&'a str, Message> {
        let found = self.sizes.iter().find_map(|size| offered.iter().find(|other| *other == size));
        found.map(String::as_str).ok_or_else(|| {
            Message::new("no-size")
                .text("offered", offered.join(", "))
                .text("wanted", self.sizes.join(", "))
        })
    }

    /// Reads `documents.label`. Before there was a list, one size stood in `size`: settings that
    /// were stored then, and callers of that time, mean a list of one.
    pub(super) fn read(fields: &Fields) -> Option<LabelSettings> {
        let formats = choices(fields, "formats", FORMATS).required();
        let sizes = choices(fields, "sizes", LABEL_SIZES).optional();
        let size = choice(fields, "size", LABEL_SIZES).optional();
        let dpi = fields.integer("dpi", 0..=i64::MAX).optional();
        if dpi.is_some_and(|dpi| !DPIS.contains(&dpi.to_string().as_str())) {
            fields.refuse("dpi", one_of(DPIS));
        }
        let default = LabelSettings::default();
        let sizes = match (sizes, size) {
            (Some(sizes), Some(size)) if sizes.first() != Some(&size) => {
                fields.refuse("size", Message::new("not-the-first-size"));
                sizes
            }
            (Some(sizes), _) => sizes,
            (None, Some(size)) => vec![size],
            (None, None) => default.sizes,
        };
        Some(LabelSettings { formats: formats?, sizes, dpi: dpi.unwrap_or(default.dpi) })
    }

    /// The label settings as they are shown and stored.
    pub(super) fn to_json(&self) -> Json {
        let texts = |texts: &[String]| Json::list(texts.iter().map(Json::text));
        Json::object([
            ("formats", texts(&self.formats)),
            ("sizes", texts(&self.sizes)),
            ("size", self.sizes.first().map(Json::text).into()),
            ("dpi", self.dpi.into()),
        ])
    }
}

/// A patch that names the list or the one size replaces both.
pub(super) fn forget_replaced_sizes(settings: &mut Json, patch: &Json) {
    let label = patch.member("documents").and_then(|documents| documents.member("label"));
    let names = |name| label.is_some_and(|label| label.member(name).is_some());
    if names("sizes") || names("size") {
        forget_sizes(settings);
    }
}

/// Settings without sizes.
pub(super) fn forget_sizes(settings: &mut Json) {
    let nothing = Json::object([("sizes", Json::Null), ("size", Json::Null)]);
    let label = Json::object([("label", nothing)]);
    settings.merge(&Json::object([("documents", label)]));
}
