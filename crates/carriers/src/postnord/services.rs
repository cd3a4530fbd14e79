//! Which code each service and each addon has, and what goes with what.

use waybill_domain::country::Country;
use waybill_domain::fields::{FieldErrors, one_of};
use waybill_domain::shipment::{AddonValue, Order};
use waybill_domain::words::Message;

use super::account::Options;
use super::uncertain::{
    HOME_SMALL, LETTERS, REGISTERED_LETTER, REGISTERED_LETTER_DANISH, TRACKED_LETTER,
    TRACKED_LETTER_DANISH, TRACKED_LETTER_SWEDISH,
};
use crate::booking::Plan;
use crate::ends::{Ends, addon, has_addon};

const TO_A_POINT: &str = "19";
const HOME: &str = "17";
const PARCEL: &str = "18";
const PALLET: &str = "52";
const RETURN: &str = "24";

/// Where the carrier chooses no point by itself, though it asks for none elsewhere.
const CHOOSES_A_POINT: [&str; 2] = ["DK", "SE"];
/// Where business parcels are handed over against a signature.
const SIGNS: [&str; 2] = ["DK", "SE"];
/// Where a letter may tell that a parcel waits.
const WRITES: [&str; 5] = ["DK", "SE", "NO", "FI", "AX"];
/// What is paid with at the door, where that is not the euro.
const CURRENCIES: [(&str, &str); 4] = [("DK", "DKK"), ("SE", "SEK"), ("NO", "NOK"), ("PL", "PLN")];
const EURO: &str = "EUR";
/// So many characters an address for mails has.
const EMAIL_MAX: usize = 70;

const SMS: &str = "sms_notification";
const EMAIL: &str = "email_notification";
const FLEX: &str = "flex_delivery";
const SIGNATURE: &str = "signature";
const AGE: &str = "age_verification";
const INSURANCE: &str = "insurance";
const CASH: &str = "cash_on_delivery";

/// What is booked.
#[derive(Clone, PartialEq, Debug)]
pub struct Service {
    /// The basic service.
    pub code: &'static str,
    /// What goes with it, each once.
    pub additional: Vec<&'static str>,
}

impl Service {
    /// The service of a plan, or what PostNord cannot be told.
    pub fn of(plan: &Plan, ends: &Ends, options: Options<'_>) -> Result<Service, FieldErrors> {
        let code = basic(plan, ends, options)?;
        let errors = impossible(plan, code, ends, options);
        if !errors.is_empty() {
            return Err(errors);
        }
        let mut additional = always(plan, code, ends);
        for (chosen, its) in
            [(SMS, "A3"), (EMAIL, "A4"), (FLEX, "A6"), (AGE, "D8"), (INSURANCE, "A5"), (CASH, "A1")]
        {
            additional.extend(has_addon(&plan.order, chosen).then_some(its));
        }
        let signs = code == PARCEL && has_addon(&plan.order, SIGNATURE);
        additional.extend(signs.then_some("D2"));
        let goods = plan.order.parcels.iter().flat_map(|parcel| &parcel.dangerous_goods);
        additional.extend(goods.filter(|goods| goods.is_limited_quantity).map(|_| "A8"));
        let mut once: Vec<&'static str> = Vec::new();
        for code in additional {
            if !once.contains(&code) {
                once.push(code);
            }
        }
        Ok(Service { code, additional: once })
    }

    /// Whether it is a letter.
    pub fn is_letter(&self) -> bool {
        LETTERS.contains(&self.code)
    }

    /// Whether the customer fetches it.
    pub fn is_to_a_point(&self) -> bool {
        self.code == TO_A_POINT
    }

    /// Whether it is booked as a return.
    pub fn is_return(&self) -> bool {
        self.code == RETURN
    }

    /// What the goods are packed in.
    pub fn packaging(&self) -> &'static str {
        if self.code == PALLET { "PE" } else { "PC" }
    }
}

fn basic(plan: &Plan, ends: &Ends, options: Options<'_>) -> Result<&'static str, FieldErrors> {
    let is_danish = options.country() == "DK";
    Ok(match plan.order.delivery.service_code.as_str() {
        "postnord:mypack_collect" => TO_A_POINT,
        "postnord:mypack_home" => HOME,
        "postnord:mypack_home_small" => HOME_SMALL,
        "postnord:parcel" => PARCEL,
        "postnord:pallet" => PALLET,
        "postnord:letter_registered" if is_danish => REGISTERED_LETTER_DANISH,
        "postnord:letter_registered" => REGISTERED_LETTER,
        "postnord:letter_tracked" if ends.are_within("SE") => TRACKED_LETTER_SWEDISH,
        "postnord:letter_tracked" if is_danish => TRACKED_LETTER_DANISH,
        "postnord:letter_tracked" => TRACKED_LETTER,
        "postnord:return_drop_off" => RETURN,
        "postnord:return_pickup" => "20",
        _ => {
            let message = Message::new("unknown-service");
            return Err(FieldErrors::one("delivery.service_code", message));
        }
    })
}

/// What a service always has.
fn always(plan: &Plan, code: &str, ends: &Ends) -> Vec<&'static str> {
    match code {
        TO_A_POINT => {
            let mut codes = Vec::new();
            codes.extend(plan.pickup_point.is_some().then_some("A7"));
            let contact = &ends.receiver.contact;
            let is_told = has_addon(&plan.order, SMS) || has_addon(&plan.order, EMAIL);
            codes.extend((!is_told).then_some(match (&contact.phone, &contact.email) {
                (Some(_), _) => "A3",
                (None, Some(_)) => "A4",
                (None, None) => "A2",
            }));
            codes
        }
        HOME if !has_addon(&plan.order, FLEX) => vec!["C7"],
        _ => Vec::new(),
    }
}

/// What PostNord does not do, at the places where it was asked for.
fn impossible(plan: &Plan, code: &str, ends: &Ends, options: Options<'_>) -> FieldErrors {
    let (order, mut errors) = (&plan.order, FieldErrors::default());
    let mut refuse = |chosen: &str, message: Message| {
        if let Some((path, _)) = addon(order, chosen) {
            errors.add(path, message);
        }
    };
    let to = ends.receiver.address.country;
    if code == HOME && to.code() == "NO" {
        refuse(FLEX, Message::new("addon-not-on-route"));
    }
    if has_addon(order, SIGNATURE) {
        refuse(FLEX, Message::new("addon-excludes").text("addon", SIGNATURE));
    }
    if code == PARCEL && !SIGNS.contains(&to.code()) {
        refuse(SIGNATURE, Message::new("addon-not-on-route"));
    }
    if !ends.are_within("SE") {
        refuse(AGE, Message::new("addon-not-on-route"));
    }
    if options.cod_account().is_none() {
        refuse(CASH, Message::new("account-option-missing").text("option", "cod_account"));
    } else if let Some(lacking) = options.lacks_for_euros().filter(|_| currency(to) == EURO) {
        refuse(CASH, Message::new("account-option-missing").text("option", lacking));
    }
    errors.extend(values(order, to));
    let contact = &ends.receiver.contact;
    let is_told = contact.phone.is_some() || contact.email.is_some();
    if code == TO_A_POINT && !is_told && !WRITES.contains(&to.code()) {
        errors.add("parties.customer.contact.phone", Message::new("required"));
    }
    if code == TO_A_POINT && plan.pickup_point.is_none() && !CHOOSES_A_POINT.contains(&to.code()) {
        errors.add("delivery.pickup_point.code", Message::new("required"));
    }
    for (place, parcel) in order.parcels.iter().enumerate() {
        let full = parcel.dangerous_goods.iter().position(|goods| !goods.is_limited_quantity);
        if let Some(index) = full {
            let path = format!("parcels.{place}.dangerous_goods.{index}.is_limited_quantity");
            errors.add(path, Message::new("limited-quantity-only"));
        }
    }
    errors
}

/// What is paid with in a country.
fn currency(country: Country) -> &'static str {
    let row = CURRENCIES.iter().find(|(code, _)| *code == country.code());
    row.map_or(EURO, |(_, currency)| currency)
}

/// What is wrong with the values of addons: no rule of the catalog is about one addon's alone.
fn values(order: &Order, to: Country) -> FieldErrors {
    let mut errors = FieldErrors::default();
    for (place, addon) in order.delivery.addons.iter().enumerate() {
        match (addon.code.as_str(), &addon.value) {
            (EMAIL, Some(AddonValue::Text(text))) if text.chars().count() > EMAIL_MAX => {
                let max = i64::try_from(EMAIL_MAX).unwrap_or(i64::MAX);
                let message = Message::new("too-long").count("max", max);
                errors.add(format!("delivery.addons.{place}.value"), message);
            }
            (CASH, Some(AddonValue::Money(money))) if money.currency.code() != currency(to) => {
                let path = format!("delivery.addons.{place}.value.currency");
                errors.add(path, one_of(&[currency(to)]));
            }
            _ => {}
        }
    }
    errors
}
