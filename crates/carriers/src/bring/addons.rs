//! What is chosen beside the delivery, as additional services of Bring.

use waybill_domain::fields::FieldErrors;
use waybill_domain::json::Json;
use waybill_domain::measure::{Money, Weight, WeightUnit};
use waybill_domain::parcel::Parcel;
use waybill_domain::shipment::{Addon, AddonValue};
use waybill_domain::words::Message;

use super::account::Options;
use super::services::Product;
use crate::booking::Plan;
use crate::ends::{customer, has_addon};
use crate::members::object;

const SMS: &str = "sms_notification";
const EMAIL: &str = "email_notification";
const FLEX: &str = "flex_delivery";
const SIGNATURE: &str = "signature";

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
    services.extend(limited_quantity(&plan.order.parcels, product));
    if errors.is_empty() { Ok(services) } else { Err(errors) }
}

/// Within Norway the receiver is told without being asked.
fn notification(plan: &Plan, product: &Product) -> Option<Json> {
    let contact = customer(&plan.order).contact;
    let told = |code, to: Option<String>| to.filter(|_| has_addon(&plan.order, code));
    let (mobile, email) = (told(SMS, contact.phone), told(EMAIL, contact.email));
    let is_wanted = has_addon(&plan.order, SMS) || has_addon(&plan.order, EMAIL);
    (is_wanted && !product.is_norwegian).then(|| {
        object([("id", "EVARSLING".into()), ("mobile", mobile.into()), ("email", email.into())])
    })
}

fn service(
    addon: &Addon,
    plan: &Plan,
    product: &Product,
    options: Options<'_>,
) -> Result<Option<Json>, Message> {
    let not_here = || Message::new("addon-not-on-route");
    let id = |id: &str| Some(object([("id", id.into())]));
    match (addon.code.as_str(), &addon.value) {
        (SMS | EMAIL, _) => Ok(None),
        (FLEX, value) => {
            let message = match value {
                Some(AddonValue::Text(text)) => text.as_str().into(),
                _ => Json::Null,
            };
            Ok(Some(object([("id", "0041".into()), ("message", message)])))
        }
        (SIGNATURE, _) if has_addon(&plan.order, FLEX) => {
            Err(Message::new("addon-excludes").text("addon", FLEX))
        }
        (SIGNATURE, _) => Ok(id("1280")),
        ("age_verification", _) => product.age.map(id).ok_or_else(not_here),
        ("insurance", Some(AddonValue::Money(amount))) if product.is_insurable => {
            insured(*amount).map(|()| id("0068"))
        }
        ("cash_on_delivery", Some(AddonValue::Money(amount))) if product.takes_cash => {
            cash(*amount, plan, options).map(Some)
        }
        _ => Err(not_here()),
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
        ("id", "1000".into()),
        ("accountNumber", account.into()),
        ("amount", Json::Number(amount.decimal().number())),
        ("currencyCode", amount.currency.code().into()),
        ("codMessage", message),
    ]))
}

/// What weighs how much of the parcels with a little of dangerous goods in them.
fn limited_quantity(parcels: &[Parcel], product: &Product) -> Option<Json> {
    let limited =
        parcels.iter().filter(|it| it.dangerous_goods.iter().any(|it| it.is_limited_quantity));
    let weights: Vec<Weight> = limited.filter_map(|parcel| parcel.gross_weight).collect();
    let grams = Weight::total(weights.iter().copied(), WeightUnit::Gram, 0).to_string();
    (!weights.is_empty() && !product.is_norwegian)
        .then(|| object([("id", "0003".into()), ("limitedQuantitiesGrossWeight", grams.into())]))
}
