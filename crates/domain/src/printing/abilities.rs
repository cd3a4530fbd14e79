//! What a printer says of itself.

use super::media::{Media, PaperSize};
use crate::fields::{Fields, Text, Value, read_what_can_be};
use crate::json::{Json, Number};

/// What a printer says of itself, as far as it matters for what is sent to it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Abilities {
    /// `document-format-supported`.
    pub types: Vec<String>,
    /// `printer-make-and-model`.
    pub model: Option<String>,
    /// `printer-device-id`.
    pub device_id: Option<String>,
    /// The papers that it names; nothing when it does not speak of papers at all.
    pub sizes: Option<Vec<PaperSize>>,
    /// The smallest and the largest paper that it takes beside them.
    pub custom: Option<(PaperSize, PaperSize)>,
    /// How many copies it makes of a document.
    pub copies_max: Option<i64>,
    /// How many it makes of documents of a type, where it was asked about that.
    pub copies_by_type: Vec<(String, i64)>,
    /// Whether it is CUPS, which drops a document that was cut off.
    pub is_cups: bool,
    /// Whether it takes a job first and its document afterwards.
    pub has_create_job: bool,
    /// Whether it can be told to leave the size as it is.
    pub has_no_scaling: bool,
    /// Whether it can be told to print on one side.
    pub has_one_sided: bool,
}

impl Abilities {
    /// What it is told of a page of this size, in thousandths of a millimetre.
    pub fn media_for(&self, width: Option<i64>, height: Option<i64>) -> Option<Media> {
        let sizes = self.sizes.as_deref().unwrap_or_default();
        Media::choose(sizes, self.custom.as_ref(), (width?, height?))
    }

    /// As it is stored.
    pub fn to_json(&self) -> Json {
        let text = |text: &Option<String>| text.as_deref().into();
        let sizes = |sizes: &[PaperSize]| Json::list(sizes.iter().map(size_to_json));
        let custom = self
            .custom
            .as_ref()
            .map(|(least, most)| Json::list([size_to_json(least), size_to_json(most)]));
        Json::object([
            ("types", Json::list(self.types.iter().map(Json::text))),
            ("model", text(&self.model)),
            ("device_id", text(&self.device_id)),
            ("sizes", self.sizes.as_deref().map(sizes).into()),
            ("custom", custom.into()),
            ("copies_max", self.copies_max.into()),
            ("copies_by_type", Json::list(self.copies_by_type.iter().map(copies_to_json))),
            ("is_cups", self.is_cups.into()),
            ("has_create_job", self.has_create_job.into()),
            ("has_no_scaling", self.has_no_scaling.into()),
            ("has_one_sided", self.has_one_sided.into()),
        ])
    }

    /// Reads what `to_json` wrote. It is another program's word: what cannot be read of it is left
    /// out, and never stands in the way of the rest.
    pub fn from_json(json: &Json) -> Abilities {
        let (found, _unreadable) = read_what_can_be(json, Abilities::read);
        found.unwrap_or_default()
    }

    fn read(fields: &Fields) -> Option<Abilities> {
        let text = |name| fields.text(name, Text::up_to(usize::MAX)).optional();
        let is = |name| fields.boolean(name).optional().unwrap_or(false);
        let types = fields.list("types", 0..=usize::MAX);
        let types = types.optional().unwrap_or_default();
        let types = types.iter().filter_map(|kind| kind.text(Text::up_to(usize::MAX)));
        let sizes = |name| {
            let list = fields.list(name, 0..=usize::MAX);
            let sizes = list.optional()?;
            Some(sizes.iter().filter_map(size_from_json).collect::<Vec<_>>())
        };
        let custom = sizes("custom").and_then(|sizes| match &sizes[..] {
            [least, most] => Some((least.clone(), most.clone())),
            _ => None,
        });
        let copies = fields.list("copies_by_type", 0..=usize::MAX);
        let copies = copies.optional().unwrap_or_default();
        Some(Abilities {
            types: types.collect(),
            model: text("model"),
            device_id: text("device_id"),
            sizes: sizes("sizes"),
            custom,
            copies_max: fields.integer("copies_max", 0..=i64::MAX).optional(),
            copies_by_type: copies.iter().filter_map(copies_from_json).collect(),
            is_cups: is("is_cups"),
            has_create_job: is("has_create_job"),
            has_no_scaling: is("has_no_scaling"),
            has_one_sided: is("has_one_sided"),
        })
    }
}

fn copies_to_json((kind, most): &(String, i64)) -> Json {
    Json::object([("type", Json::text(kind)), ("max", (*most).into())])
}

fn copies_from_json(value: &Value) -> Option<(String, i64)> {
    let fields = value.object()?;
    let kind = fields.text("type", Text::up_to(usize::MAX)).required()?;
    Some((kind, fields.integer("max", 0..=i64::MAX).required()?))
}

fn size_to_json(size: &PaperSize) -> Json {
    Json::object([
        ("name", size.name.as_str().into()),
        ("width", size.width.map(|side| Json::Number(Number::from(side))).into()),
        ("height", size.height.map(|side| Json::Number(Number::from(side))).into()),
    ])
}

fn size_from_json(value: &Value) -> Option<PaperSize> {
    let fields = value.object()?;
    let side = |name| fields.integer(name, 0..=i64::MAX).optional();
    Some(PaperSize {
        name: fields.text("name", Text::up_to(usize::MAX)).required()?,
        width: side("width"),
        height: side("height"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_stored_is_read_again() {
        let abilities = Abilities {
            types: vec!["application/pdf".to_owned()],
            model: Some("Eve".to_owned()),
            device_id: None,
            sizes: Some(vec![PaperSize::named("iso_a4_210x297mm"), PaperSize::named("Odd")]),
            custom: Some((PaperSize::named("a_1x1mm"), PaperSize::named("a_9x9mm"))),
            copies_max: Some(99),
            copies_by_type: vec![("application/pdf".to_owned(), 1)],
            is_cups: true,
            has_create_job: true,
            has_no_scaling: false,
            has_one_sided: true,
        };
        assert_eq!(Abilities::from_json(&abilities.to_json()), abilities);
        let nothing = Abilities::default();
        assert_eq!(Abilities::from_json(&nothing.to_json()), nothing);
    }

    #[test]
    fn what_cannot_be_read_is_left_out() {
        let odd = Abilities {
            types: vec!["a\u{202e}b".to_owned(), "application/pdf".to_owned()],
            model: Some("\u{feff}Eve".to_owned()),
            sizes: Some(vec![
                PaperSize { name: "x".to_owned(), width: Some(-1), height: Some(5) },
                PaperSize::named("iso_a4_210x297mm"),
            ]),
            copies_max: Some(-1),
            is_cups: true,
            ..Abilities::default()
        };
        let read = Abilities::from_json(&odd.to_json());
        assert!(read.types.contains(&"application/pdf".to_owned()) && read.is_cups);
        assert_eq!(read.copies_max, None);
        assert!(read.sizes.unwrap().contains(&PaperSize::named("iso_a4_210x297mm")));
        assert_eq!(Abilities::from_json(&Json::Null), Abilities::default());
    }
}
