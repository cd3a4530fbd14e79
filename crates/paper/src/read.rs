//! Small readers that several papers share.

use jiff::civil::Date;
use waybill_domain::fields::{Field, Fields, Text};
use waybill_domain::language::Language;
use waybill_domain::words::Message;

use crate::layouts::PaperSize;

/// Longer text fits on no paper; the layout says so at its field, not here.
pub(crate) const TEXT_MAX: usize = 10_000;

/// Optional text.
pub(crate) fn text(fields: &Fields, name: &'static str) -> Option<String> {
    fields.text(name, Text::up_to(TEXT_MAX)).optional().filter(|text| !text.is_empty())
}

/// Text that must be there.
pub(crate) fn filled<'a>(fields: &Fields<'a>, name: &'static str) -> Field<'a, String> {
    fields.text(name, Text::filled(TEXT_MAX))
}

/// The language of a paper; English when none is asked for.
pub(crate) fn language(fields: &Fields) -> Language {
    let language =
        fields.parsed("language", Language::parse, || Message::new("not-a-language")).optional();
    language.unwrap_or(Language::En)
}

/// The paper of a label; 100 × 150 mm when none is asked for.
pub(crate) fn paper(fields: &Fields) -> PaperSize {
    let sizes = || waybill_domain::fields::one_of(PaperSize::NAMES);
    fields.parsed("paper", PaperSize::parse, sizes).optional().unwrap_or(PaperSize::Label100x150)
}

/// A day, `2026-11-15`.
pub(crate) fn date<'a>(fields: &Fields<'a>, name: &'static str) -> Field<'a, Date> {
    let parse = |text: &str| {
        let date: Date = text.parse().ok()?;
        (date.to_string() == text).then_some(date)
    };
    fields.parsed(name, parse, || Message::new("not-a-date"))
}
