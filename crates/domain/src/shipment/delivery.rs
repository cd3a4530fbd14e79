//! How a shipment travels: the service, a pickup point, addons, a window.

use crate::fields::{Fields, Text, Value, one_of};
use crate::json::Json;
use crate::measure::Money;
use crate::time::Time;
use crate::words::Message;

/// The delivery that was asked for.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Delivery {
    /// The carrier's service, such as `sandbox:home`.
    pub service_code: String,
    /// The carrier's code of the point.
    pub pickup_point: Option<String>,
    /// What is wanted beside the delivery itself.
    pub addons: Vec<Addon>,
    /// When it should arrive.
    pub window: Option<Window>,
    /// For the driver.
    pub instructions: Option<String>,
}

/// An addon with its value.
#[derive(Clone, PartialEq, Debug)]
pub struct Addon {
    /// One of the stable codes.
    pub code: String,
    /// What the addon needs to know.
    pub value: Option<AddonValue>,
}

/// The value of an addon.
#[derive(Clone, PartialEq, Debug)]
pub enum AddonValue {
    /// A phone number, an address, an age.
    Text(String),
    /// An amount.
    Money(Money),
}

/// A span of time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    /// From.
    pub start: Time,
    /// Until, later than `start`.
    pub end: Time,
}

const ADDONS: &[&str] = &[
    "sms_notification",
    "email_notification",
    "flex_delivery",
    "signature",
    "age_verification",
    "insurance",
    "cash_on_delivery",
];

impl Delivery {
    /// Reads the `delivery` object. What cannot be read of it is left empty.
    pub fn read(fields: &Fields) -> Option<Delivery> {
        let service_code = fields.text("service_code", Text::filled(100)).required();
        let point = fields.object("pickup_point");
        let point = point.then(|point| point.text("code", Text::filled(100)).required());
        let addons = fields.list("addons", 0..=20).then(|list| {
            let mut seen = Vec::new();
            Some(list.iter().filter_map(|entry| Addon::read(entry, &mut seen)).collect::<Vec<_>>())
        });
        let window = fields.object("delivery_window").then(|window| Window::read(&window));
        // Before any early end: a field that was not asked for would be told as unknown.
        let instructions = fields.text("instructions", Text::up_to(1000)).optional();
        Some(Delivery {
            service_code: service_code.unwrap_or_default(),
            pickup_point: point.optional(),
            addons: addons.optional().unwrap_or_default(),
            window: window.optional(),
            instructions,
        })
    }

    /// The delivery as it was asked for.
    pub fn to_json(&self) -> Json {
        let point = self.pickup_point.as_deref();
        Json::object([
            ("service_code", self.service_code.as_str().into()),
            ("pickup_point", point.map(|code| Json::object([("code", code.into())])).into()),
            ("addons", Json::list(self.addons.iter().map(Addon::to_json))),
            ("delivery_window", self.window.map(Window::to_json).into()),
            ("instructions", self.instructions.as_deref().into()),
        ])
    }
}

impl Addon {
    fn read(value: &Value, seen: &mut Vec<String>) -> Option<Addon> {
        let fields = value.object()?;
        let known = |text: &str| ADDONS.contains(&text).then(|| text.to_owned());
        let code = fields.parsed("code", known, || one_of(ADDONS)).required();
        let value = fields.value("value").then(|value| match value.json() {
            Json::Object(_) => value.object().and_then(|f| Money::read(&f)).map(AddonValue::Money),
            Json::Text(_) => value.text(Text::up_to(255)).map(AddonValue::Text),
            _ => value.refuse(Message::new("not-an-addon-value")),
        });
        let addon = Addon { code: code?, value: value.optional() };
        if seen.contains(&addon.code) {
            fields.refuse("code", Message::new("duplicate-value"));
            return None;
        }
        seen.push(addon.code.clone());
        Some(addon)
    }

    /// The addon as it was asked for.
    pub fn to_json(&self) -> Json {
        let value = match &self.value {
            None => Json::Null,
            Some(AddonValue::Text(text)) => text.as_str().into(),
            Some(AddonValue::Money(money)) => money.to_json(),
        };
        Json::object([("code", self.code.as_str().into()), ("value", value)])
    }
}

impl Window {
    fn read(fields: &Fields) -> Option<Window> {
        let (start, end) = (fields.time("start").required(), fields.time("end").required());
        let window = Window { start: start?, end: end? };
        if window.end <= window.start {
            fields.refuse("end", Message::new("not-after-start"));
            return None;
        }
        Some(window)
    }

    /// `{start, end}` in UTC.
    pub fn to_json(self) -> Json {
        Json::object([("start", Json::text(self.start)), ("end", Json::text(self.end))])
    }
}
