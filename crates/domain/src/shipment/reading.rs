//! A request on its way to an order. Nothing ends the reading early: each stage looks at what can
//! be read, and all that is wrong is told at once.

use super::order::Order;
use super::{units, weights};
use crate::fields::{FieldErrors, read_what_can_be};
use crate::json::Json;
use crate::party::Party;
use crate::template::TemplateShipment;
use crate::time::Time;
use crate::words::Message;

/// What a template can fill. As long as it is not known, nothing of this is missing.
const FROM_TEMPLATE: [&str; 4] =
    ["delivery", "delivery.service_code", "delivery.pickup_point", "parcels"];

/// The template that a request names.
#[derive(Clone, Copy)]
pub enum Template<'a> {
    /// It names none.
    None,
    /// The team has it.
    Known(&'a TemplateShipment),
    /// The team does not have it.
    Unknown,
}

impl Order {
    /// Reads a request, merged with its template: the request's own value wins, arrays replace.
    pub fn parse(body: &Json, template: Option<&TemplateShipment>) -> Result<Order, FieldErrors> {
        let template = template.map_or(Template::None, Template::Known);
        Reading::new(body, template)?.finish()
    }
}

/// What could be read of a request, and everything that is wrong with it so far.
#[derive(Clone, Debug)]
pub struct Reading {
    /// Empty where something could not be read: it may be checked, and it is never stored.
    order: Order,
    /// The request as it came, merged with its template.
    input: Json,
    errors: FieldErrors,
    /// Where nothing could be read: whatever else is said about these places is guesswork.
    unread: FieldErrors,
    /// What is wrong with addons in general. The service, or the addon itself, says it better.
    of_addons: FieldErrors,
    has_template_point: bool,
}

impl Reading {
    /// Reads a request, merged with its template. A body that is not an object has nothing to read.
    pub fn new(body: &Json, template: Template<'_>) -> Result<Reading, FieldErrors> {
        let (mut input, filled, has_template_point) = match template {
            Template::Known(template) => merged(body, template),
            Template::None | Template::Unknown => (body.clone(), Vec::new(), false),
        };
        let (order, mut errors) = read_what_can_be(&input, Order::read);
        let Some(order) = order else { return Err(errors) };
        let unknown = unknown_addons(&errors);
        let of_addons =
            errors.take(|path| addon_value(path).is_some() || unknown.iter().any(|it| it == path));
        if matches!(template, Template::Unknown) {
            errors.take(|path| FROM_TEMPLATE.contains(&path) && is_absent(body, path));
        }
        let mut unread = errors.clone();
        if matches!(template, Template::Unknown) {
            for path in FROM_TEMPLATE.iter().filter(|path| is_absent(body, path)) {
                unread.add(*path, Message::new("required"));
            }
            let unknown = Message::new("unknown-template");
            errors.extend_unless_covered(FieldErrors::one("template_uuid", unknown));
        }
        forget_endless_lists(&mut input, &errors);
        let mut reading = Reading { order, input, errors, unread, of_addons, has_template_point };
        reading.note(units::check(&reading.input, &filled));
        reading.note(weights::check(&reading.order));
        Ok(reading)
    }

    /// What could be read.
    pub fn order(&self) -> &Order {
        &self.order
    }

    /// The request as it came, merged with its template, its merchant and its point.
    pub fn input(&self) -> &Json {
        &self.input
    }

    /// Adds what a later stage found, except about places that could not be read.
    pub fn note(&mut self, found: FieldErrors) {
        for (path, messages) in found.iter().filter(|(path, _)| !self.unread.covers(path)) {
            messages.iter().for_each(|message| self.errors.add(path, message.clone()));
        }
    }

    /// Adds what a later stage found, except about places that something is said of already: what
    /// was refused there was not there for it to see.
    pub fn note_elsewhere(&mut self, mut found: FieldErrors) {
        found.take(|path| self.errors.covers(path));
        self.note(found);
    }

    /// Whether something could be read at this path.
    pub fn is_read(&self, path: &str) -> bool {
        !self.unread.covers(path)
    }

    /// Notes what should happen and cannot any more.
    pub fn check_time(&mut self, now: Time) {
        let window = self.input.member("delivery").and_then(|d| d.member("delivery_window"));
        if let Some(Json::Text(end)) = window.and_then(|window| window.member("end"))
            && Time::parse(end).is_some_and(|end| end <= now)
        {
            // It could be read, whatever it has to do with its start.
            self.errors.add("delivery.delivery_window.end", Message::new("in-the-past"));
        }
    }

    /// Makes the team the merchant of a request that names none.
    pub fn set_merchant(&mut self, team: Option<&Party>) {
        if self.order.merchant.is_some() {
            return;
        }
        let Some(team) = team.filter(|_| self.is_read("parties.merchant")) else { return };
        self.order.merchant = Some(team.clone());
        let parties = Json::object([("merchant", team.to_json())]);
        self.input.merge(&Json::object([("parties", parties)]));
    }

    /// Sets the point that the parcel goes to.
    pub fn set_pickup_point(&mut self, code: &str) {
        self.order.delivery.pickup_point = Some(code.to_owned());
        let point = Json::object([("code", code.into())]);
        self.input.merge(&Json::object([("delivery", Json::object([("pickup_point", point)]))]));
    }

    /// Refuses a point that only the template names, where the service goes to none. The request
    /// has no such field, so the template is what the caller has to look at.
    pub fn refuse_template_point(&mut self) {
        if !self.has_template_point {
            return;
        }
        self.note(FieldErrors::one("template_uuid", Message::new("template-pickup-point")));
        let delivery = Json::object([("pickup_point", Json::Null)]);
        self.input.merge(&Json::object([("delivery", delivery)]));
    }

    /// Refuses a point that only the template names, and that is not one of the service there.
    /// False when the request names it.
    pub fn refuse_unfit_template_point(&mut self) -> bool {
        if let Some(code) = self.order.delivery.pickup_point.as_deref()
            && self.has_template_point
        {
            let message = Message::new("template-point-unfit").text("code", code);
            self.note(FieldErrors::one("template_uuid", message));
        }
        self.has_template_point
    }

    /// The order when nothing is wrong with it, or all that is wrong.
    pub fn finish(self) -> Result<Order, FieldErrors> {
        let mut errors = self.errors;
        let said = errors.clone();
        let is_said =
            |path: &str| said.has(addon_value(path).unwrap_or(path)) || is_checked(&said, path);
        for (path, messages) in self.of_addons.iter().filter(|(path, _)| !is_said(path)) {
            messages.iter().for_each(|message| errors.add(path, message.clone()));
        }
        if errors.is_empty() { Ok(self.order) } else { Err(errors) }
    }
}

/// The request on top of the template, the paths that the template filled, and whether one of them
/// is the pickup point. A null means unknown and takes nothing away, except that of a pickup point:
/// it is the only way to say "not to a point".
fn merged(body: &Json, template: &TemplateShipment) -> (Json, Vec<&'static str>, bool) {
    let mut input = template.to_input();
    input.merge(&without_nulls(body));
    let own = body.member("delivery").and_then(|delivery| delivery.member("pickup_point"));
    let is_refused = own == Some(&Json::Null);
    if is_refused {
        let delivery = Json::object([("pickup_point", Json::Null)]);
        input.merge(&Json::object([("delivery", delivery)]));
    }
    let has_template_point = template.has_pickup_point() && own.is_none();
    (input, template.used_by(body), has_template_point)
}

fn without_nulls(body: &Json) -> Json {
    match body {
        Json::Object(members) => {
            let kept = members.iter().filter(|(_, value)| *value != Json::Null);
            Json::Object(kept.map(|(name, value)| (name.clone(), without_nulls(value))).collect())
        }
        other => other.clone(),
    }
}

fn is_absent(body: &Json, path: &str) -> bool {
    let found = path.split('.').try_fold(body, |at, name| at.member(name));
    matches!(found, None | Some(Json::Null))
}

/// Where a code is not one of an addon.
fn unknown_addons(errors: &FieldErrors) -> Vec<String> {
    let is_code = |path: &str| path.starts_with("delivery.addons.") && path.ends_with(".code");
    let unknown = errors.iter().filter(|(path, messages)| {
        is_code(path) && messages.iter().all(|message| message.key() == "not-one-of")
    });
    unknown.map(|(path, _)| path.to_owned()).collect()
}

/// Whether something is said of what stands at this path, not only of how it differs from others.
fn is_checked(said: &FieldErrors, path: &str) -> bool {
    let mut at = said.iter().filter(|(other, _)| *other == path);
    at.any(|(_, messages)| messages.iter().any(|message| message.key() != "mixed-currencies"))
}

/// The part `delivery.addons.N.value` of a path.
fn addon_value(path: &str) -> Option<&str> {
    let (_, below) = path.strip_prefix("delivery.addons.")?.split_once('.')?;
    let rest = below.strip_prefix("value")?;
    let is_whole = rest.is_empty() || rest.starts_with('.');
    is_whole.then(|| &path[..path.len() - rest.len()])
}

/// A list with more entries than there can be is not looked through again and again.
pub fn forget_endless_lists(input: &mut Json, errors: &FieldErrors) {
    for (path, messages) in errors.iter() {
        if messages.iter().any(|message| message.key() == "too-many")
            && let Some(list) = place(input, path)
        {
            *list = Json::Null;
        }
    }
}

fn place<'a>(json: &'a mut Json, path: &str) -> Option<&'a mut Json> {
    path.split('.').try_fold(json, |at, step| match at {
        Json::Object(members) => {
            members.iter_mut().find(|(name, _)| name == step).map(|m| &mut m.1)
        }
        Json::List(entries) => entries.get_mut(step.parse::<usize>().ok()?),
        _ => None,
    })
}

#[cfg(test)]
mod tests;
