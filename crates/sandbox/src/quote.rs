//! What a booking with the sandbox carrier would cost. It bills in the currency of the sender.

use std::time::Duration;

use waybill_domain::json::Json;

use crate::reply::{Reply, refused};
use crate::scenario::Scenario;

/// A service: the price of a parcel and of each kilogram, in hundredths of a euro.
const PRICES: &[(&str, i64, i64)] = &[
    ("home", 690, 60),
    ("pickup_point", 490, 50),
    ("express", 1490, 120),
    ("business", 790, 55),
    ("return_drop_off", 590, 50),
    ("letter", 390, 90),
    ("no_lookup", 650, 60),
    ("idempotent", 650, 60),
];

/// Country, currency, and what a hundred euros are there.
const CURRENCIES: &[(&str, &str, i64)] = &[
    ("DK", "DKK", 746),
    ("SE", "SEK", 1120),
    ("NO", "NOK", 1170),
    ("GB", "GBP", 86),
    ("US", "USD", 115),
];

/// Another country costs so much more, in hundredths.
const ABROAD: i64 = 180;

/// A price on its way.
pub struct Quote {
    /// What is answered.
    pub reply: Reply,
    /// When.
    pub delay: Option<Duration>,
}

/// The price of what the body asks for.
pub fn price(body: &Json) -> Quote {
    let text = |json: Option<&Json>, name: &str| match json.and_then(|json| json.member(name)) {
        Some(Json::Text(text)) => text.clone(),
        _ => String::new(),
    };
    let service = text(Some(body), "service");
    let scenario = Scenario::parse(&text(Some(body), "customer_reference")).unwrap_or_default();
    let delay = scenario.slow_quote.filter(|(slow, _)| *slow == service).map(|(_, time)| time);
    let found = PRICES.iter().find(|(name, ..)| *name == service);
    let Some((_, parcel, kilo)) = found.filter(|_| !scenario.no_quote) else {
        return Quote { reply: refused(422, "no_price", "There is no price for this."), delay };
    };
    let parcels = match body.member("parcels") {
        Some(Json::List(parcels)) => parcels.as_slice(),
        _ => &[],
    };
    let kilos = |parcel: &Json| match parcel.member("weight_g") {
        Some(Json::Number(grams)) => grams.as_integer().unwrap_or(0).clamp(0, 1_000_000) / 1000 + 1,
        _ => 1,
    };
    let sum: i64 = parcels.iter().map(|entry| parcel + kilo * kilos(entry)).sum();
    let (from, to) = (text(body.member("from"), "country"), text(body.member("to"), "country"));
    let sum = if from == to { sum } else { sum * ABROAD / 100 };
    let known = CURRENCIES.iter().find(|(country, ..)| *country == from);
    let (currency, rate) = known.map_or(("EUR", 100), |(_, currency, rate)| (*currency, *rate));
    let price =
        Json::object([("amount", (sum * rate / 100).into()), ("currency", currency.into())]);
    Quote { reply: Reply::Json(200, Json::object([("price", price)])), delay }
}
