//! Services and addons of a v1 body as addons of a shipment.

use super::lenient::{UNREADABLE, is_filled, number_of};
use super::methods::Meaning;
use super::names::Names;
use super::parcel::{decimals, money};
use super::party::{country, phone};
use crate::catalog::{Service, ValueKind};
use crate::fields::FieldErrors;
use crate::json::{Json, Number};
use crate::measure::MINOR_MAX;
use crate::words::Message;

/// Clients always send these, whatever the method: a service that lacks one does without.
pub(super) const NOTIFICATIONS: [&str; 2] = ["sms_notification", "email_notification"];
const FLEX_DELIVERY: &str = "flex_delivery";
/// Where a parcel is left when the method says that it may be and nobody says where.
const DOORSTEP: &str = "Doorstep";

/// The addons, one after the other.
struct Addons<'a> {
    body: &'a Json,
    service: Option<&'a Service>,
    /// The addon that comes with the method.
    of_method: Option<&'static str>,
    names: &'a mut Names,
    errors: &'a mut FieldErrors,
    /// The codes that were seen, also of what the service does without.
    seen: Vec<String>,
    found: Vec<Json>,
}

/// The addons that are asked for by a body and its method; nothing is known of the service when the
/// method is unknown.
pub fn addons(
    body: &Json,
    meaning: Option<&Meaning<'_>>,
    names: &mut Names,
    errors: &mut FieldErrors,
) -> Json {
    let service = meaning.map(|meaning| meaning.service);
    let of_method = meaning.and_then(|meaning| meaning.addon);
    let (seen, found) = (Vec::new(), Vec::new());
    let mut addons = Addons { body, service, of_method, names, errors, seen, found };
    if let Some(services) = body.member("services") {
        addons.add_services(services);
    }
    match body.member("addons") {
        Some(Json::List(entries)) => addons.add_entries(entries),
        None | Some(Json::Null) => {}
        Some(unreadable) => return unreadable.clone(),
    }
    if let Some(code) = of_method.filter(|code| !addons.seen.iter().any(|seen| seen == code)) {
        addons.add(code, DOORSTEP.into(), super::names::METHOD);
    }
    Json::List(addons.found)
}

impl Addons<'_> {
    fn add_services(&mut self, services: &Json) {
        for code in NOTIFICATIONS.into_iter().chain([FLEX_DELIVERY]) {
            let Some(value) = services.member(code).filter(|value| is_filled(Some(value))) else {
                continue;
            };
            let kind = self.kind(code);
            if kind.is_none() && NOTIFICATIONS.contains(&code) {
                self.seen.push(code.to_owned());
                continue;
            }
            let name = format!("services.{code}");
            let value = self.value(kind, value, &name);
            self.add(code, value, &name);
        }
    }

    fn add_entries(&mut self, entries: &[Json]) {
        for (index, entry) in entries.iter().enumerate() {
            let name = format!("addons.{index}");
            let Some(Json::Text(code)) = entry.member("code") else {
                // Of what is something else, it was said before.
                if entry.member("code") == Some(&Json::Null) {
                    self.errors.add(format!("{name}.code"), Message::new("required"));
                }
                continue;
            };
            if self.seen.contains(code) {
                self.errors.add(format!("{name}.code"), Message::new("duplicate-value"));
                continue;
            }
            let value = match entry.member("value").filter(|value| is_filled(Some(value))) {
                Some(value) => value.clone(),
                None if self.of_method == Some(code.as_str()) => DOORSTEP.into(),
                None => Json::Null,
            };
            let value = self.value(self.kind(code), &value, &format!("{name}.value"));
            self.add(code, value, &name);
        }
    }

    fn add(&mut self, code: &str, value: Json, name: &str) {
        let path = format!("delivery.addons.{}", self.found.len());
        if value == UNREADABLE {
            // It was said before, and there.
            self.names.note(format!("{path}.value"), format!("{name}.value"));
        }
        self.names.note(path, name);
        self.seen.push(code.to_owned());
        self.found.push(Json::object([("code", code.into()), ("value", value)]));
    }

    /// What the service wants to know for an addon, when it has it.
    fn kind(&self, code: &str) -> Option<ValueKind> {
        let addon = self.service?.addons.iter().find(|addon| addon.code == code)?;
        Some(addon.value.clone())
    }

    /// The value as a shipment has it: phones with their calling code, amounts in the minor unit.
    fn value(&mut self, kind: Option<ValueKind>, value: &Json, name: &str) -> Json {
        match (kind, value) {
            (Some(ValueKind::Phone), value) => self.phone(value),
            (Some(ValueKind::Money), Json::Text(text)) => self.amount(text, name),
            (_, value) => value.clone(),
        }
    }

    /// A phone number of the receiver. As long as the country is not known, that is what is wrong
    /// with a number that has no calling code.
    fn phone(&mut self, value: &Json) -> Json {
        let receiver = self.body.member("receiver");
        let country = receiver.and_then(country);
        let number = phone(value, country);
        let is_whole = matches!(&number, Json::Text(text) if text.starts_with('+'));
        if country.is_none() && !is_whole {
            let (name, missing) = match receiver {
                Some(Json::Object(_)) => {
                    ("receiver.country", receiver.and_then(|it| it.member("country")))
                }
                other => ("receiver", other),
            };
            if !is_filled(missing) {
                self.errors.add(name, Message::new("required"));
            }
            self.names.note(format!("delivery.addons.{}.value", self.found.len()), name);
        }
        number
    }

    fn amount(&mut self, text: &str, name: &str) -> Json {
        let Some(number) = number_of(text) else {
            self.errors.add(name, Message::new("not-a-number"));
            return UNREADABLE;
        };
        if number.is_negative() {
            self.errors.add(name, Message::new("too-small").text("min", 0));
            return UNREADABLE;
        }
        let currency = self.body.member("currency").unwrap_or(&Json::Null);
        if *currency == Json::Null {
            self.errors.add("currency", Message::new("unit-missing").text("path", name));
        }
        let decimals = decimals(currency);
        if number.rounded(decimals).is_none_or(|minor| minor > MINOR_MAX) {
            let max = Number::from_steps(MINOR_MAX.into(), decimals);
            self.errors.add(name, Message::new("too-large").text("max", max));
            return UNREADABLE;
        }
        money(Some(&Json::Number(number)), currency)
    }
}
