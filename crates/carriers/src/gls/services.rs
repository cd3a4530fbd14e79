//! Which services go with a shipment and with each of its parcels.

use waybill_domain::fields::FieldErrors;
use waybill_domain::json::Json;
use waybill_domain::measure::Money;
use waybill_domain::parcel::Parcel;
use waybill_domain::shipment::{AddonValue, Order};
use waybill_domain::words::Message;

use super::plain;
use super::uncertain::insured_amount;
use super::weights::limited_quantity;
use crate::booking::Plan;
use crate::ends::{addon, addon_text, customer, has_addon};
use crate::members::object;
use crate::texts::cut;

const SMS: &str = "sms_notification";
const EMAIL: &str = "email_notification";
const FLEX: &str = "flex_delivery";
const SIGNATURE: &str = "signature";
const INSURANCE: &str = "insurance";
const CASH: &str = "cash_on_delivery";

/// The longest mail address.
const EMAIL_MAX: u8 = 80;
/// The longest place that a parcel is left at.
const PLACE_MAX: usize = 60;
/// The longest reason of a payment.
const REASON_MAX: usize = 160;

/// What a shipment is booked as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Product {
    /// To a parcel shop.
    Shop,
    /// To somebody's home.
    Private,
    /// To a company.
    Business,
    /// From a parcel shop to the merchant.
    Return,
}

impl Product {
    /// The product of a service, or that there is none.
    pub fn of(order: &Order) -> Result<Product, FieldErrors> {
        Ok(match order.delivery.service_code.as_str() {
            "gls:shop_delivery" => Product::Shop,
            "gls:private" => Product::Private,
            "gls:business" => Product::Business,
            "gls:shop_return" => Product::Return,
            _ => {
                let message = Message::new("unknown-service");
                return Err(FieldErrors::one("delivery.service_code", message));
            }
        })
    }

    /// What the customer is to GLS.
    pub fn category(self) -> &'static str {
        if self == Product::Business { "BUSINESS" } else { "PRIVATE" }
    }
}

fn named(kind: &'static str, name: &str) -> Json {
    Json::object([(kind, object([("ServiceName", name.into())]))])
}

/// The services of a whole shipment, or what GLS cannot be told.
pub fn of_shipment(plan: &Plan, product: Product) -> Result<Vec<Json>, FieldErrors> {
    let order = &plan.order;
    match product {
        Product::Shop => Ok(vec![shop_delivery(plan)?]),
        Product::Return => Ok(vec![shop_return()]),
        Product::Business => Ok(Vec::new()),
        Product::Private => {
            let is_told = has_addon(order, SMS) || has_addon(order, EMAIL);
            let place = place_of_deposit(order)?;
            if has_addon(order, SIGNATURE) {
                check_signature(order)?;
            }
            let deposit = place.map(|place| {
                let deposit = object([
                    ("ServiceName", "service_deposit".into()),
                    ("PlaceOfDeposit", place.into()),
                ]);
                Json::object([("Deposit", deposit)])
            });
            let told = is_told.then(|| named("Service", "service_flexdelivery"));
            let signs = has_addon(order, SIGNATURE);
            let signed = signs.then(|| named("Service", "service_signature"));
            Ok(deposit.into_iter().chain(told).chain(signed).collect())
        }
    }
}

/// Where a parcel may be left, when GLS is told a place.
fn place_of_deposit(order: &Order) -> Result<Option<&str>, FieldErrors> {
    let Some(place) = addon_text(order, FLEX) else { return Ok(None) };
    let mut errors = FieldErrors::default();
    if let Some(index) = order.delivery.addons.iter().position(|it| it.code == FLEX) {
        plain::check(place, format!("delivery.addons.{index}.value"), &mut errors);
    }
    if errors.is_empty() { Ok(Some(cut(place, PLACE_MAX))) } else { Err(errors) }
}

/// A mail address that goes before the customer's own has to fit where that one stands.
pub fn check_email(order: &Order) -> Result<(), FieldErrors> {
    let Some(place) = order.delivery.addons.iter().position(|it| it.code == EMAIL) else {
        return Ok(());
    };
    match addon_text(order, EMAIL).is_some_and(|told| told.chars().count() > EMAIL_MAX.into()) {
        true => {
            let message = Message::new("too-long").count("max", EMAIL_MAX.into());
            Err(FieldErrors::one(format!("delivery.addons.{place}.value"), message))
        }
        false => Ok(()),
    }
}

/// A signature leaves the receiver no other choice, and the other services give one.
fn check_signature(order: &Order) -> Result<(), FieldErrors> {
    let others = [FLEX, EMAIL, SMS].into_iter().find(|code| has_addon(order, code));
    match (addon(order, SIGNATURE), others) {
        (Some((path, _)), Some(other)) => {
            Err(FieldErrors::one(path, Message::new("addon-excludes").text("addon", other)))
        }
        _ => Ok(()),
    }
}

fn shop_delivery(plan: &Plan) -> Result<Json, FieldErrors> {
    const POINT: &str = "delivery.pickup_point.code";
    let mut errors = FieldErrors::default();
    let customer = customer(&plan.order);
    if customer.contact.email.is_none() {
        errors.add("parties.customer.contact.email", Message::new("required"));
    }
    match &plan.pickup_point {
        None => errors.add(POINT, Message::new("required")),
        Some(point) if point.address.country != customer.address.country => {
            errors.add(POINT, Message::new("no-such-pickup-point"));
        }
        Some(_) => {}
    }
    let Some(point) = plan.pickup_point.as_ref().filter(|_| errors.is_empty()) else {
        return Err(errors);
    };
    let delivery = object([
        ("ServiceName", "service_shopdelivery".into()),
        ("ParcelShopID", point.code.as_str().into()),
    ]);
    Ok(Json::object([("ShopDelivery", delivery)]))
}

fn shop_return() -> Json {
    let returned =
        object([("ServiceName", "service_shopreturn".into()), ("NumberOfLabels", 1.into())]);
    Json::object([("ShopReturn", returned)])
}

/// The services of one parcel.
pub fn of_parcel(plan: &Plan, place: usize, parcel: &Parcel) -> Vec<Json> {
    let order = &plan.order;
    let insured = money(order, INSURANCE).map(|whole| {
        let share = share(whole, order.parcels.len());
        let liability = object([
            ("ServiceName", "service_addonliability".into()),
            ("Amount", insured_amount(share.decimal())),
            ("Currency", share.currency.code().into()),
        ]);
        Json::object([("AddonLiability", liability)])
    });
    let cash = money(order, CASH).filter(|_| place == 0).map(|money| {
        let own = order.reference.as_deref().filter(|own| plain::says(own));
        let cash = object([
            ("ServiceName", "service_cash".into()),
            ("Reason", cut(own.unwrap_or(plan.reference.as_str()), REASON_MAX).into()),
            ("Amount", Json::Number(money.decimal().number())),
            ("Currency", money.currency.code().into()),
        ]);
        Json::object([("Cash", cash)])
    });
    let limited = limited_quantity(parcel).map(|weight| {
        let limited = object([
            ("ServiceName", "service_limitedquantities".into()),
            ("Weight", Json::Number(weight.number())),
        ]);
        Json::object([("LimitedQuantities", limited)])
    });
    insured.into_iter().chain(cash).chain(limited).collect()
}

fn money(order: &Order, code: &str) -> Option<Money> {
    match addon(order, code)?.1.value {
        Some(AddonValue::Money(money)) => Some(money),
        _ => None,
    }
}

/// An amount for one of so many parcels, rounded up.
fn share(whole: Money, parcels: usize) -> Money {
    let parcels = i64::try_from(parcels.max(1)).unwrap_or(i64::MAX);
    Money { minor: (whole.minor + parcels - 1) / parcels, ..whole }
}
