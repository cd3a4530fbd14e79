//! What is printed by itself, and where, as settings say it.

use super::choice;
use crate::document::Format;
use crate::fields::{Field, Fields, Value, each, one_of};
use crate::ids::parse_uuid;
use crate::json::{Json, Number};
use crate::printing::{COPIES_MAX, PrintRule, PrintingSettings};
use crate::words::Message;

/// A team has no more rules than this.
const RULES_MAX: usize = 50;

impl PrintingSettings {
    /// Reads them.
    pub fn read(fields: &Fields) -> Option<PrintingSettings> {
        let automatic = fields.boolean("automatic").required();
        let rules = fields.list("rules", 0..=RULES_MAX);
        let rules = rules.then(|rules| each(&rules, PrintRule::read)).required();
        Some(PrintingSettings { automatic: automatic?, rules: rules? })
    }

    /// As they are shown and stored.
    pub fn to_json(&self) -> Json {
        Json::object([
            ("automatic", self.automatic.into()),
            ("rules", Json::list(self.rules.iter().map(PrintRule::to_json))),
        ])
    }
}

impl PrintRule {
    fn read(value: &Value) -> Option<PrintRule> {
        let fields = value.object()?;
        let format = fields.parsed("format", Format::parse, || one_of(Format::NAMES)).required();
        let max_width = millimetres(&fields, "max_width").optional();
        let max_height = millimetres(&fields, "max_height").optional();
        let printer =
            fields.parsed("printer_uuid", parse_uuid, || Message::new("not-a-uuid")).required();
        let copies = fields.integer("copies", 1..=COPIES_MAX).optional().unwrap_or(1);
        Some(PrintRule { format: format?, max_width, max_height, printer: printer?, copies })
    }

    fn to_json(&self) -> Json {
        let distance = |millimetres: i64| {
            let value = Json::Number(Number::from_thousandths(millimetres));
            Json::object([("value", value), ("unit", "mm".into())])
        };
        Json::object([
            ("format", self.format.name().into()),
            ("max_width", self.max_width.map(distance).into()),
            ("max_height", self.max_height.map(distance).into()),
            ("printer_uuid", Json::text(self.printer)),
            ("copies", self.copies.into()),
        ])
    }
}

/// A distance on paper: a value, and `mm` as the only unit.
fn millimetres<'a>(fields: &Fields<'a>, name: &'static str) -> Field<'a, i64> {
    fields.object(name).then(|distance| {
        let value = distance.quantity("value").required();
        choice(&distance, "unit", &["mm"]).required()?;
        value
    })
}
