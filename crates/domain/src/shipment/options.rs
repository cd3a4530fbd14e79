//! A shipment that is not ordered yet: who, what, and when. Which services would take it?

use std::time::Duration;

use super::customs::Customs;
use super::delivery::Delivery;
use super::order::Order;
use super::reading::forget_endless_lists;
use super::{units, weights};
use crate::country::Country;
use crate::fields::{FieldErrors, Fields, Text, each, each_or_default, read_what_can_be};
use crate::json::Json;
use crate::parcel::Parcel;
use crate::party::{Address, Party};
use crate::time::Time;
use crate::words::Message;

/// "Now" on the caller's clock may be a little ago on ours.
const SHIP_AT_GRACE: Duration = Duration::from_mins(1);

/// A question for delivery options. It keeps the rules of an order.
#[derive(Clone, PartialEq, Debug)]
pub struct Question {
    /// Only services of these carriers; nothing means all.
    pub carriers: Option<Vec<String>>,
    /// When the parcels are ready; nothing means now.
    pub ship_at: Option<Time>,
    merchant: Option<Party>,
    customer: Party,
    parcels: Vec<Parcel>,
    customs: Option<Customs>,
}

impl Question {
    /// Reads a request. `is_known` tells which carriers there are.
    pub fn parse(
        body: &Json,
        now: Time,
        is_known: impl Fn(&str) -> bool,
    ) -> Result<Question, FieldErrors> {
        let (question, mut errors) =
            read_what_can_be(body, |fields| Question::read(fields, &is_known));
        let Some(question) = question else { return Err(errors) };
        let mut input = body.clone();
        forget_endless_lists(&mut input, &errors);
        let mut others = units::check(&input, &[]);
        others.extend(weights::check(&question.order("", None)));
        if question.ship_at.is_some_and(|at| at.plus(SHIP_AT_GRACE) < now) {
            others.add("ship_at", Message::new("in-the-past"));
        }
        errors.extend_unless_covered(others);
        if errors.is_empty() { Ok(question) } else { Err(errors) }
    }

    fn read(fields: &Fields, is_known: &impl Fn(&str) -> bool) -> Option<Question> {
        let parties = fields.object("parties").required();
        let party = |name| parties.as_ref().map(|parties| parties.object(name));
        let merchant = party("merchant").and_then(|p| p.then(|f| Party::read(&f)).optional());
        let customer = party("customer").and_then(|p| p.then(|f| Party::read(&f)).required());
        let parcels = fields.list("parcels", 1..=99);
        let parcels = parcels.then(|list| Some(each_or_default(&list, Parcel::read))).required();
        let customs = fields.object("customs").then(|f| Customs::read(&f)).optional();
        let carriers = fields.list("carrier_codes", 1..=50).then(|codes| {
            let mut seen: Vec<String> = Vec::new();
            each(&codes, |code| {
                let text = code.text(Text::filled(50))?;
                if !is_known(&text) {
                    return code.refuse(Message::new("unknown-carrier"));
                }
                if seen.contains(&text) {
                    return code.refuse(Message::new("duplicate-value"));
                }
                seen.push(text.clone());
                Some(text)
            })
        });
        let carriers = carriers.optional();
        let ship_at = fields.time("ship_at").optional();
        Some(Question {
            carriers,
            ship_at,
            merchant,
            customer: customer.unwrap_or_default(),
            parcels: parcels.unwrap_or_default(),
            customs,
        })
    }

    /// Where the customer is.
    pub fn address(&self) -> &Address {
        &self.customer.address
    }

    /// Where the merchant is, when the question names one.
    pub fn merchant_country(&self) -> Option<Country> {
        self.merchant.as_ref().map(|party| party.address.country)
    }

    /// The order that would be made of it with this service. The team is the merchant unless the
    /// question names one.
    pub fn order(&self, service_code: &str, team: Option<&Party>) -> Order {
        Order {
            identifier: None,
            reference: None,
            template: None,
            merchant: self.merchant.as_ref().or(team).cloned(),
            customer: self.customer.clone(),
            delivery: Delivery {
                service_code: service_code.to_owned(),
                pickup_point: None,
                addons: Vec::new(),
                window: None,
                instructions: None,
            },
            parcels: self.parcels.clone(),
            customs: self.customs.clone(),
        }
    }
}
