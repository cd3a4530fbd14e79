//! What a team has decided once, for all its bookings: language, addresses, document formats,
//! printing.

mod label;
mod printing;

pub use label::{LABEL_SIZES, LabelSettings};

use crate::fields::{Field, FieldErrors, Fields, Text, each, one_of, read};
use crate::json::Json;
use crate::language::Language;
use crate::party::Party;
use crate::printing::PrintingSettings;
use crate::words::Message;

const CUSTOMS_FORMATS: &[&str] = &["pdf"];

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
    /// What is printed by itself, and where.
    pub printing: PrintingSettings,
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
            printing: PrintingSettings::default(),
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
    /// printers the team has: rules that the patch brings must name one. Those that were there may
    /// name one that is gone.
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
        let brings = patch.member("printing").and_then(|printing| printing.member("rules"));
        let rules = brings.map_or(&[][..], |_| &settings.printing.rules);
        for (index, rule) in rules.iter().enumerate() {
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
        let printing = printing.as_ref().and_then(PrintingSettings::read);
        Some(Settings {
            language: language?,
            sender_address,
            return_address,
            label: label?,
            customs_formats: customs_formats?,
            printing: printing?,
        })
    }

    /// The settings as they are shown and stored.
    pub fn to_json(&self) -> Json {
        let texts = |texts: &[String]| Json::list(texts.iter().map(Json::text));
        let party = |party: &Option<Party>| party.as_ref().map_or(Json::Null, Party::to_json);
        let customs = Json::object([("formats", texts(&self.customs_formats))]);
        Json::object([
            ("language", Json::text(self.language)),
            ("sender_address", party(&self.sender_address)),
            ("return_address", party(&self.return_address)),
            ("documents", Json::object([("label", self.label.to_json()), ("customs", customs)])),
            ("printing", self.printing.to_json()),
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

#[cfg(test)]
mod tests;
