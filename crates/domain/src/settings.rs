//! What a team has decided once, for all its bookings: language, addresses, document formats,
//! printing.

mod label;

pub use label::{LABEL_SIZES, LabelSettings};

use crate::fields::{Field, FieldErrors, Fields, Text, Value, each, one_of, read};
use crate::ids::parse_uuid;
use crate::json::{Json, Number};
use crate::language::Language;
use crate::party::Party;
use crate::words::Message;

const CUSTOMS_FORMATS: &[&str] = &["pdf"];
const PRINT_FORMATS: &[&str] = &["pdf", "zpl", "png", "xlsx"];

/// A team's settings, checked.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    /// The team's default language.
    pub language: Language,
    sender_address: Option<Party>,
    return_address: Option<Party>,
    /// What labels are made of, how large and how fine.
    pub label: LabelSettings,
    customs_formats: Vec<String>,
    prints_automatically: bool,
    print_rules: Vec<PrintRule>,
}

#[derive(Clone, PartialEq, Debug)]
struct PrintRule {
    format: String,
    max_width: Option<i64>,
    max_height: Option<i64>,
    printer: uuid::Uuid,
    copies: i64,
}

impl Settings {
    /// What a new team starts with.
    pub fn new(language: Language) -> Settings {
        Settings {
            language,
            sender_address: None,
            return_address: None,
            label: LabelSettings::default(),
            customs_formats: vec!["pdf".into()],
            prints_automatically: false,
            print_rules: Vec::new(),
        }
    }

    /// The addresses that stand on papers, with the names of their members.
    pub fn addresses(&self) -> [(&'static str, Option<&Party>); 2] {
        [
            ("sender_address", self.sender_address.as_ref()),
            ("return_address", self.return_address.as_ref()),
        ]
    }

    /// The team as the merchant of a shipment that names none. Returns go to the return address,
    /// or to the sender's where there is none.
    pub fn merchant(&self, is_return: bool) -> Option<&Party> {
        let returns = self.return_address.as_ref().filter(|_| is_return);
        returns.or(self.sender_address.as_ref())
    }

    /// These settings with a merge patch applied and checked as a whole. `is_printer` tells which
    /// printers the team has.
    pub fn patched(
        &self,
        patch: &Json,
        is_printer: impl Fn(uuid::Uuid) -> bool,
    ) -> Result<Settings, FieldErrors> {
        let mut merged = self.to_json();
        label::forget_replaced_sizes(&mut merged, patch);
        merged.merge(patch);
        // What a null has removed is back at its default.
        let mut whole = Settings::new(Language::En).to_json();
        label::forget_sizes(&mut whole);
        whole.merge(&merged);
        let settings = Settings::parse(&whole)?;
        let mut errors = FieldErrors::default();
        for (index, rule) in settings.print_rules.iter().enumerate() {
            if !is_printer(rule.printer) {
                let path = format!("printing.rules.{index}.printer_uuid");
                errors.add(path, Message::new("unknown-printer"));
            }
        }
        if errors.is_empty() { Ok(settings) } else { Err(errors) }
    }

    /// Reads settings as `to_json` writes them.
    pub fn parse(json: &Json) -> Result<Settings, FieldErrors> {
        read(json, Settings::read)
    }

    fn read(fields: &Fields) -> Option<Settings> {
        let language = fields
            .parsed("language", Language::parse, || Message::new("not-a-language"))
            .required();
        let sender_address = fields.object("sender_address").then(|f| Party::read(&f)).optional();
        let return_address = fields.object("return_address").then(|f| Party::read(&f)).optional();
        let documents = fields.object("documents").required();
        let label = documents.as_ref().and_then(|documents| documents.object("label").required());
        let label = label.as_ref().and_then(LabelSettings::read);
        let customs = documents.as_ref().and_then(|d| d.object("customs").required());
        let customs_formats =
            customs.as_ref().and_then(|c| choices(c, "formats", CUSTOMS_FORMATS).required());
        let printing = fields.object("printing").required();
        let automatic = printing.as_ref().and_then(|p| p.boolean("automatic").required());
        let rules = printing.as_ref().and_then(|printing| {
            let rules = printing.list("rules", 0..=50);
            rules.then(|rules| each(&rules, PrintRule::read)).required()
        });
        Some(Settings {
            language: language?,
            sender_address,
            return_address,
            label: label?,
            customs_formats: customs_formats?,
            prints_automatically: automatic?,
            print_rules: rules?,
        })
    }

    /// The settings as they are shown and stored.
    pub fn to_json(&self) -> Json {
        let texts = |texts: &[String]| Json::list(texts.iter().map(Json::text));
        let party = |party: &Option<Party>| party.as_ref().map_or(Json::Null, Party::to_json);
        let customs = Json::object([("formats", texts(&self.customs_formats))]);
        let printing = Json::object([
            ("automatic", self.prints_automatically.into()),
            ("rules", Json::list(self.print_rules.iter().map(PrintRule::to_json))),
        ]);
        Json::object([
            ("language", Json::text(self.language)),
            ("sender_address", party(&self.sender_address)),
            ("return_address", party(&self.return_address)),
            ("documents", Json::object([("label", self.label.to_json()), ("customs", customs)])),
            ("printing", printing),
        ])
    }
}

impl PrintRule {
    fn read(value: &Value) -> Option<PrintRule> {
        let fields = value.object()?;
        let format = choice(&fields, "format", PRINT_FORMATS).required();
        let max_width = millimetres(&fields, "max_width").optional();
        let max_height = millimetres(&fields, "max_height").optional();
        let printer =
            fields.parsed("printer_uuid", parse_uuid, || Message::new("not-a-uuid")).required();
        let copies = fields.integer("copies", 1..=99).optional().unwrap_or(1);
        Some(PrintRule { format: format?, max_width, max_height, printer: printer?, copies })
    }

    fn to_json(&self) -> Json {
        let distance = |millimetres: i64| {
            let value = Json::Number(Number::from_thousandths(millimetres));
            Json::object([("value", value), ("unit", "mm".into())])
        };
        Json::object([
            ("format", self.format.as_str().into()),
            ("max_width", self.max_width.map(distance).into()),
            ("max_height", self.max_height.map(distance).into()),
            ("printer_uuid", Json::text(self.printer)),
            ("copies", self.copies.into()),
        ])
    }
}

/// One of a few words.
fn choice<'a>(
    fields: &Fields<'a>,
    name: &'static str,
    choices: &'static [&'static str],
) -> Field<'a, String> {
    let known = |text: &str| choices.contains(&text).then(|| text.to_owned());
    fields.parsed(name, known, || one_of(choices))
}

/// An ordered list of words, the most wanted first, none of them twice.
fn choices<'a>(
    fields: &Fields<'a>,
    name: &'static str,
    known: &'static [&'static str],
) -> Field<'a, Vec<String>> {
    fields.list(name, 1..=known.len()).then(|values| {
        let mut seen: Vec<String> = Vec::new();
        each(&values, |value| {
            let text = value.text(Text::up_to(10))?;
            if !known.contains(&text.as_str()) {
                return value.refuse(one_of(known));
            }
            if seen.contains(&text) {
                return value.refuse(Message::new("duplicate-value"));
            }
            seen.push(text.clone());
            Some(text)
        })
    })
}

/// A distance on paper: a value, and `mm` as the only unit.
fn millimetres<'a>(fields: &Fields<'a>, name: &'static str) -> Field<'a, i64> {
    fields.object(name).then(|distance| {
        let value = distance.quantity("value").required();
        choice(&distance, "unit", &["mm"]).required()?;
        value
    })
}

#[cfg(test)]
mod tests;
