//! A v1 body as the body of a shipment.

use super::addons::{NOTIFICATIONS, addons};
use super::customs::customs;
use super::kept::kept as kept_of;
use super::lenient;
use super::methods::{self, Meaning};
use super::names::{METHOD, Names};
use super::parcel::parcel;
use super::party::{is_said, party};
use crate::catalog::customs::is_input_declared;
use crate::catalog::{Catalog, Service};
use crate::fields::FieldErrors;
use crate::json::Json;
use crate::party::Party;
use crate::time::Time;
use crate::words::Message;

/// What is said of an addon that the carrier does not offer on the route.
const NOT_ON_ROUTE: &str = "addon-not-on-route";

/// What a body is translated by.
#[derive(Clone, Copy)]
pub struct Context {
    /// Whether it came to a demo path: the service is one of a carrier for trying things out.
    pub is_demo: bool,
}

/// What became of a body.
#[derive(Clone, PartialEq, Debug)]
pub struct Translation {
    /// The body of a v2 shipment. Where something could not be read it is wrong there, too.
    pub order: Json,
    /// What a v1 shipment shows of the body.
    pub kept: Json,
    /// What is wrong, at v1 names, before the order is looked at.
    pub errors: FieldErrors,
    /// At which v1 name a problem of the order is told.
    pub names: Names,
    /// The carrier that was asked for; empty when none can be read.
    pub carrier: String,
    /// The method that was asked for; empty when none can be read.
    pub method: String,
    /// The service that is booked, when carrier and method mean one.
    pub service_code: Option<String>,
    /// Whether that travels from the customer to the merchant.
    pub is_return: bool,
    body: Json,
}

/// Translates a body. What is not an object has nothing to translate.
pub fn translate(body: &Json, catalog: &Catalog, context: Context) -> Translation {
    let (body, mut errors) = lenient::read(body);
    let mut names = Names::default();
    let meaning = meaning(&body, catalog, context, &mut errors);
    let service = meaning.as_ref().map(|meaning| meaning.service);
    let order = order(&body, meaning.as_ref(), &mut names, &mut errors);
    let text = |member: &str| body.member_text(member).unwrap_or_default().to_owned();
    Translation {
        kept: kept_of(&body, &order),
        carrier: text("shipping_carrier"),
        method: text(METHOD),
        service_code: service.map(|service| service.code.clone()),
        is_return: service.is_some_and(|service| service.is_return),
        order,
        errors,
        names,
        body,
    }
}

impl Translation {
    /// Adds what customs want to know, when the shipment crosses a border. `team` is who sends, or
    /// gets a return, when the body names no sender.
    pub fn declare(&mut self, team: Option<&Party>, now: Time) {
        let mut route = self.order.clone();
        let has_sender = route
            .member("parties")
            .and_then(|parties| parties.member("merchant"))
            .is_some_and(|merchant| *merchant != Json::Null);
        if let Some(team) = team.filter(|_| !has_sender) {
            let parties = Json::object([("merchant", team.to_json())]);
            route.merge(&Json::object([("parties", parties)]));
        }
        if is_input_declared(&route) {
            let customs = customs(&self.body, self.is_return, now, &mut self.names);
            self.order.merge(&Json::object([("customs", customs)]));
        }
    }

    /// Leaves out the notifications that are not offered on this route: clients always ask for
    /// both. Tells whether there were any.
    pub fn leave_out_notifications(&mut self, told: &FieldErrors) -> bool {
        let is_refused = |code: &str| {
            let name = format!("services.{code}");
            let mut found = told.iter().filter(|(path, _)| *path == name);
            found.any(|(_, said)| said.iter().any(|message| message.key() == NOT_ON_ROUTE))
        };
        let refused: Vec<&str> =
            NOTIFICATIONS.into_iter().filter(|code| is_refused(code)).collect();
        let addons = self.order.member("delivery").and_then(|it| it.member("addons"));
        let Some(Json::List(addons)) = addons.filter(|_| !refused.is_empty()) else { return false };
        let is_kept =
            |addon: &Json| addon.member_text("code").is_none_or(|code| !refused.contains(&code));
        let kept: Vec<(usize, &Json)> =
            addons.iter().enumerate().filter(|(_, addon)| is_kept(addon)).collect();
        self.names.renumber_addons(&kept.iter().map(|(index, _)| *index).collect::<Vec<_>>());
        let left = Json::list(kept.into_iter().map(|(_, addon)| addon.clone()));
        let delivery = Json::object([("addons", left)]);
        self.order.merge(&Json::object([("delivery", delivery)]));
        self.kept = kept_of(&self.body, &self.order);
        true
    }

    /// All that is wrong, at v1 names: what the translation found, and what is wrong with its order
    /// beside that.
    pub fn told(&self, found: FieldErrors) -> FieldErrors {
        let mut told = self.errors.clone();
        let mut others = FieldErrors::default();
        for (path, messages) in found.iter() {
            // Why there is no service was said of the carrier, or of the method; and what it wants
            // to know for its addons is not known.
            let is_of_service = matches!(path, "delivery.service_code" | "delivery")
                || path.starts_with("delivery.addons.");
            if self.service_code.is_none() && is_of_service {
                continue;
            }
            for message in messages {
                others.add(self.name(path, message), message.clone());
            }
        }
        told.extend_unless_covered(others);
        told
    }

    fn name(&self, path: &str, message: &Message) -> String {
        match message.key() {
            "no-account" | "carrier-not-bookable" => "shipping_carrier".to_owned(),
            _ => self.names.of(path),
        }
    }
}

/// What carrier and method mean, or else what is wrong with them. The methods of a carrier that is
/// not known are not either.
fn meaning<'a>(
    body: &Json,
    catalog: &'a Catalog,
    context: Context,
    errors: &mut FieldErrors,
) -> Option<Meaning<'a>> {
    let missing = |name: &str| body.member(name).is_none_or(|value| *value == Json::Null);
    for name in ["shipping_carrier", METHOD].into_iter().filter(|name| missing(name)) {
        errors.add(name, Message::new("required"));
    }
    let code = body.member_text("shipping_carrier")?;
    let Some(carrier) = catalog.carrier(code) else {
        errors.add("shipping_carrier", Message::new("unknown-carrier"));
        return None;
    };
    let method = body.member_text(METHOD)?;
    let found = methods::find(catalog, carrier, method, context.is_demo);
    found.map_err(|message| errors.add(METHOD, message)).ok()
}

fn order(
    body: &Json,
    meaning: Option<&Meaning<'_>>,
    names: &mut Names,
    errors: &mut FieldErrors,
) -> Json {
    let member = |name: &str| body.member(name).cloned().unwrap_or(Json::Null);
    let service = meaning.map(|meaning| meaning.service);
    let sender = member("sender");
    let merchant = match is_said(&sender) {
        true => {
            names.note_sender();
            party(&sender, "sender", "parties.merchant", names)
        }
        false => Json::Null,
    };
    let customer = party(&member("receiver"), "receiver", "parties.customer", names);
    let currency = member("currency");
    let parcels =
        match member("parcels") {
            Json::List(parcels) => Json::list(parcels.iter().enumerate().map(|(index, given)| {
                parcel(given, &currency, &format!("parcels.{index}"), names)
            })),
            other => other,
        };
    let delivery = Json::object([
        ("service_code", service.map(|service| service.code.as_str()).into()),
        ("pickup_point", pickup_point(&member("agent"), service, errors)),
        ("addons", addons(body, meaning, names, errors)),
    ]);
    Json::object([
        ("identifier", member("internal_id")),
        ("reference", member("internal_reference")),
        ("parties", Json::object([("merchant", merchant), ("customer", customer)])),
        ("delivery", delivery),
        ("parcels", parcels),
    ])
}

/// The point of a service that goes to points. Clients send the one that was chosen at the checkout
/// also when the parcel goes to the door after all.
fn pickup_point(agent: &Json, service: Option<&Service>, errors: &mut FieldErrors) -> Json {
    let is_pickup = service.is_some_and(|service| service.is_pickup);
    match agent {
        _ if !is_pickup => Json::Null,
        Json::Object(_) => {
            let number = agent.member("agent_no").cloned().unwrap_or(Json::Null);
            if number == Json::Null {
                errors.add("agent.agent_no", Message::new("required"));
            }
            Json::object([("code", number)])
        }
        other => other.clone(),
    }
}
