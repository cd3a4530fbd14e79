//! Who hands the parcels over and who gets them, and what was agreed on beside that.

use waybill_domain::fields::FieldErrors;
use waybill_domain::party::Party;
use waybill_domain::shipment::{Addon, AddonValue, Order};
use waybill_domain::words::Message;

use crate::texts;

/// The two ends of the way, as carriers want them: a return begins at the customer.
#[derive(Clone, Debug)]
pub struct Ends {
    /// Who hands the parcels over.
    pub sender: Party,
    /// Who gets them.
    pub receiver: Party,
}

impl Ends {
    /// The ends of an order with its merchant.
    pub fn of(order: &Order, is_return: bool) -> Result<Ends, FieldErrors> {
        let Some(merchant) = &order.merchant else {
            return Err(FieldErrors::one("parties.merchant", Message::new("no-merchant")));
        };
        let (merchant, customer) = (reached(merchant.clone()), customer(order));
        Ok(match is_return {
            false => Ends { sender: merchant, receiver: customer },
            true => Ends { sender: customer, receiver: merchant },
        })
    }

    /// Whether both ends are in this country.
    pub fn are_within(&self, country: &str) -> bool {
        let code = |party: &Party| party.address.country.code() == country;
        code(&self.sender) && code(&self.receiver)
    }
}

/// The customer. A number or an address that is given with a notification goes before the
/// customer's own.
pub fn customer(order: &Order) -> Party {
    let mut customer = order.customer.clone();
    let told = |code| addon_text(order, code).map(str::to_owned);
    customer.contact.phone = told("sms_notification").or(customer.contact.phone);
    customer.contact.email = told("email_notification").or(customer.contact.email);
    reached(customer)
}

fn reached(mut party: Party) -> Party {
    party.contact.phone = party.contact.phone.map(|number| texts::phone(&number));
    party
}

/// The items that a carrier cannot tell customs about, because nobody says what they are.
pub fn undescribed(order: &Order) -> FieldErrors {
    let mut errors = FieldErrors::default();
    for (parcel, of) in order.parcels.iter().enumerate() {
        for (place, item) in of.items.iter().enumerate() {
            if item.description.as_deref().is_none_or(|text| text.trim().is_empty()) {
                let path = format!("parcels.{parcel}.items.{place}.description");
                errors.add(path, Message::new("required-by-customs"));
            }
        }
    }
    errors
}

/// Whom a party is known as: the company, or else the person.
pub fn business_name(party: &Party) -> &str {
    let company = party.contact.company.as_deref().filter(|company| !company.trim().is_empty());
    company.unwrap_or(&party.contact.name)
}

/// An addon that was chosen, with the path of its code.
pub fn addon<'a>(order: &'a Order, code: &str) -> Option<(String, &'a Addon)> {
    let place = order.delivery.addons.iter().position(|addon| addon.code == code)?;
    Some((format!("delivery.addons.{place}.code"), &order.delivery.addons[place]))
}

/// Whether an addon was chosen.
pub fn has_addon(order: &Order, code: &str) -> bool {
    order.delivery.addons.iter().any(|addon| addon.code == code)
}

/// The text that was given with an addon.
pub fn addon_text<'a>(order: &'a Order, code: &str) -> Option<&'a str> {
    match addon(order, code)?.1.value.as_ref()? {
        AddonValue::Text(text) => Some(text).filter(|text| !text.trim().is_empty()).map(|it| &**it),
        AddonValue::Money(_) => None,
    }
}
