//! What is chosen beside the delivery, as additional services of Bring.

use waybill_domain::fields::FieldErrors;
use waybill_domain::json::Json;
use waybill_domain::measure::{Money, Weight, WeightUnit};
use waybill_domain::parcel::Parcel;
use waybill_domain::shipment::{Addon, AddonValue};
use waybill_domain::words::Message;

use super::account::Options;
use super::routes::{
    CASH, INSURANCE, LIMITED_QUANTITY, NOT_UNATTENDED, NOTIFICATION, SIGNATURE, UNATTENDED, age,
    is_offered,
};
use super::services::Product;
use crate::booking::Plan;
use crate::ends::{customer, has_addon};
use crate::members::object;

const SMS: &str = "sms_notification";
const EMAIL: &str = "email_notification";
const FLEX: &str = "flex_delivery";

/// What Bring insures for, in the currencies that it insures in.
const INSURED_MAX: &[(&str, i64)] =
    &[("NOK", 100_000), ("SEK", 100_000), ("DKK", 100_000), ("EUR", 10_000)];

/// The additional services of a booking.
pub fn additional_services(
    plan: &Plan,
    product: &Product,
    options: Options<'_>,
) -> Result<Vec<Json>, FieldErrors> {
    let (mut services, mut errors) = (Vec::new(), FieldErrors::default());
    services.extend(notification(plan, product));
    for (place, addon) in plan.order.delivery.addons.iter().enumerate() {
        match service(addon, plan, product, options) {
            Ok(service) => services.extend(service),
            Err(message) => errors.add(format!("delivery.addons.{place}.code"), message),
        }
    }
    match limited_quantity(&plan.order.parcels, product) {
        Ok(service) => services.extend(service),
        Err(found) => errors.extend(found),
    }
    if errors.is_empty() { Ok(services) } else { Err(errors) }
}

/// Within Norway the receiver is told without being asked.
fn notification(plan: &Plan, product: &Product) -> Option<Json> {
    let contact = customer(&plan.order).contact;
    let told = |code, to: Option<String>| to.filter(|_| has_addon(&plan.order, code));
    let (mobile, email) = (told(SMS, contact.phone), told(EMAIL, contact.email));
    let is_wanted = has_addon(&plan.order, SMS) || has_addon(&plan.order, EMAIL);
    (is_wanted && !product.is_norwegian).then(|| {
        object([("id", NOTIFICATION.into()), ("mobile", mobile.into()), ("email", email.into())])
    })
}

fn service(
    addon: &Addon,
    plan: &Plan,
    product: &Product,
    options: Options<'_>,
) -> Result<Option<Json>, Message> {
    let has = |service: &str| is_offered(service, product);
    if matches!(addon.code.as_str(), SMS | EMAIL) && product.is_norwegian {
        return Ok(None);
    }
    let service = match addon.code.as_str() {
        SMS | EMAIL => Some(NOTIFICATION),
        FLEX => Some(UNATTENDED),
        "signature" => Some(SIGNATURE),
        "age_verification" => age(product),
        "insurance" => Some(INSURANCE),
        "cash_on_delivery" => Some(CASH),
        _ => None,
    };
    let service = service.filter(|service| has(service));
    let service = service.ok_or_else(|| Message::new("addon-not-on-route"))?;
    if NOT_UNATTENDED.contains(&service) && has_addon(&plan.order, FLEX) {
        return Err(Message::new("addon-excludes").text("addon", FLEX));
    }
    match (service, &addon.value) {
        (NOTIFICATION, _) => Ok(None),
        (UNATTENDED, _) if has_limited_quantity(&plan.order.parcels) => {
            Err(Message::new("addon-excludes-dangerous-goods"))
        }
        (UNATTENDED, Some(AddonValue::Text(text))) => {
            Ok(Some(object([("id", UNATTENDED.into()), ("message", text.as_str().into())])))
        }
        (INSURANCE, Some(AddonValue::Money(amount))) => {
            insured(*amount).map(|()| Some(object([("id", INSURANCE.into())])))
        }
        (CASH, Some(AddonValue::Money(amount))) => cash(*amount, plan, options).map(Some),
        (INSURANCE | CASH, _) => Err(Message::new("not-an-amount")),
        (service, _) => Ok(Some(object([("id", service.into())]))),
    }
}

fn insured(amount: Money) -> Result<(), Message> {
    let code = amount.currency.code();
    let Some((_, max)) = INSURED_MAX.iter().find(|(known, _)| *known == code) else {
        let currencies: Vec<&str> = INSURED_MAX.iter().map(|(code, _)| *code).collect();
        return Err(Message::new("insurance-currency").text("choices", currencies.join(", ")));
    };
    let minor = max * 10_i64.pow(amount.currency.decimals().into());
    match amount.minor <= minor {
        true => Ok(()),
        false => Err(Message::new("insurance-too-high").text("max", format!("{max} {code}"))),
    }
}

fn cash(amount: Money, plan: &Plan, options: Options<'_>) -> Result<Json, Message> {
    let missing = || Message::new("account-option-missing").text("option", "cod_account");
    let account = options.cod_account().ok_or_else(missing)?;
    let message = object([("value", plan.reference.as_str().into()), ("type", "text".into())]);
    Ok(object([
        ("id", CASH.into()),
        ("accountNumber", account.into()),
        ("amount", Json::Number(amount.decimal().number())),
        ("currencyCode", amount.currency.code().into()),
        ("codMessage", message),
    ]))
}

fn is_limited(parcel: &Parcel) -> bool {
    parcel.dangerous_goods.iter().any(|goods| goods.is_limited_quantity)
}

fn has_limited_quantity(parcels: &[Parcel]) -> bool {
    parcels.iter().any(is_limited)
}

/// What the parcels weigh that have a little of dangerous goods in them. Where Bring cannot be told
/// of those, they are refused: they never travel unannounced.
fn limited_quantity(parcels: &[Parcel], product: &Product) -> Result<Option<Json>, FieldErrors> {
    let limited = || parcels.iter().enumerate().filter(|(_, parcel)| is_limited(parcel));
    if !is_offered(LIMITED_QUANTITY, product) {
        let mut errors = FieldErrors::default();
        for (place, _) in limited() {
            let message = Message::new("addon-not-on-route");
            errors.add(format!("parcels.{place}.dangerous_goods"), message);
        }
        return if errors.is_empty() { Ok(None) } else { Err(errors) };
    }
    let weights: Vec<Weight> = limited().filter_map(|(_, parcel)| parcel.gross_weight).collect();
    let grams = Weight::total(weights.iter().copied(), WeightUnit::Gram, 0).to_string();
    Ok((!weights.is_empty()).then(|| {
        object([("id", LIMITED_QUANTITY.into()), ("limitedQuantitiesGrossWeight", grams.into())])
    }))
}
