//! What a team pays for a service: rows of zone and weight bracket, and the price that they give.
//!
//! A row applies above its first weight up to and including its second. Of the rows that fit a
//! parcel, the one whose zone says the most about the destination decides.

use crate::country::Country;
use crate::fields::{FieldErrors, Fields, Text, Value, each, one_of, read, read_stored};
use crate::json::Json;
use crate::measure::{Money, Weight, WeightUnit};
use crate::point::postal_key;
use crate::words::Message;

/// So many rows one team may have.
pub const ROWS_MAX: usize = 20_000;

/// Where a row applies: a country, possibly with the beginning of its postal codes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Zone {
    /// As it was written.
    text: String,
    /// The country.
    pub country: Country,
    /// How a postal code begins, in the form in which postal codes are compared.
    start: String,
}

impl Zone {
    /// Reads `NO` or `NO:9`.
    pub fn parse(text: &str) -> Option<Zone> {
        let (country, start) = text.split_once(':').unwrap_or((text, ""));
        let is_start = |byte: u8| byte.is_ascii_alphanumeric() || b" -".contains(&byte);
        let is_good = start.len() <= 10 && start.bytes().all(is_start);
        let is_filled = !text.contains(':') || !postal_key(start).is_empty();
        let country = Country::parse(country).filter(|_| is_good && is_filled)?;
        Some(Zone { text: text.to_owned(), country, start: postal_key(start) })
    }

    /// As it was written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// How much of the destination it names, when it holds it.
    fn holds(&self, country: Country, postal_key: &str) -> Option<usize> {
        let is_in = self.country == country && postal_key.starts_with(&self.start);
        is_in.then(|| 1 + self.start.len())
    }
}

/// One row.
#[derive(Clone, PartialEq, Debug)]
pub struct Rate {
    /// Which service.
    pub service_code: String,
    /// Where to; nothing means everywhere that has no zone of its own.
    pub zone: Option<Zone>,
    /// Above this weight, which may be zero.
    pub from: Weight,
    /// Up to and including this weight.
    pub to: Weight,
    /// What one parcel costs.
    pub price: Money,
}

impl Rate {
    /// Reads all rows of a request. Brackets of one service and zone must not overlap; `is_known`
    /// tells which services there are.
    pub fn parse_all(
        body: &Json,
        is_known: impl Fn(&str) -> bool,
    ) -> Result<Vec<Rate>, FieldErrors> {
        let rates = read(body, |fields| {
            let rows = fields.list("data", 0..=ROWS_MAX);
            rows.then(|rows| each(&rows, |row| Rate::read(row, &is_known))).required()
        })?;
        let errors = overlaps(&rates);
        if errors.is_empty() { Ok(rates) } else { Err(errors) }
    }

    fn read(value: &Value, is_known: &impl Fn(&str) -> bool) -> Option<Rate> {
        let fields = value.object()?;
        let service_code = fields.text("service_code", Text::filled(100)).then(|code| {
            if !is_known(&code) {
                fields.refuse("service_code", Message::new("unknown-service"));
                return None;
            }
            Some(code)
        });
        let service_code = service_code.required();
        let zone = fields.parsed("zone", Zone::parse, || Message::new("not-a-zone")).optional();
        let from = fields.object("from_weight").then(|weight| read_from(&weight)).required();
        let to = fields.object("to_weight").then(|weight| Weight::read(&weight)).required();
        let price = fields.object("price").then(|price| Money::read(&price)).required();
        let (from, to) = (from?, to?);
        if from.compare(to).is_ge() {
            fields.refuse("to_weight", Message::new("not-heavier"));
            return None;
        }
        Some(Rate { service_code: service_code?, zone, from, to, price: price? })
    }

    /// The row as it came in.
    pub fn to_json(&self) -> Json {
        Json::object([
            ("service_code", self.service_code.as_str().into()),
            ("zone", self.zone.as_ref().map(Zone::as_str).into()),
            ("from_weight", self.from.to_json()),
            ("to_weight", self.to.to_json()),
            ("price", self.price.to_json()),
        ])
    }

    /// Reads a row that we wrote.
    pub fn from_stored(json: &Json) -> Option<Rate> {
        let row = Json::object([("row", json.clone())]);
        read_stored(&row, |fields| Rate::read(&fields.value("row").required()?, &|_| true)).ok()
    }

    /// Before or behind another row in a list: by service, zone and weight.
    pub fn order(&self, other: &Rate) -> std::cmp::Ordering {
        let zone = |rate: &Rate| rate.zone.as_ref().map(|zone| zone.text.clone());
        // What is for everywhere else stands behind what names a place.
        let place = |rate: &Rate| (rate.zone.is_none(), zone(rate));
        let by_service = self.service_code.cmp(&other.service_code);
        let by_zone = by_service.then_with(|| place(self).cmp(&place(other)));
        by_zone.then_with(|| self.from.compare(other.from))
    }

    fn is_for(&self, weight: Weight) -> bool {
        self.from.compare(weight).is_lt() && weight.compare(self.to).is_le()
    }
}

/// A weight that may be zero.
fn read_from(fields: &Fields) -> Option<Weight> {
    let value = fields.value("value").then(|value| match value.json() {
        Json::Number(number) if number.canonical() == "0" => Some(0),
        _ => value.quantity(),
    });
    let unit = fields.parsed("unit", WeightUnit::parse, || one_of(WeightUnit::NAMES)).required();
    Some(Weight { thousandths: value.required()?, unit: unit? })
}

/// Every row that begins before the one before it has ended.
fn overlaps(rates: &[Rate]) -> FieldErrors {
    let mut errors = FieldErrors::default();
    let mut order: Vec<usize> = (0..rates.len()).collect();
    order.sort_by(|one, two| rates[*one].order(&rates[*two]));
    for pair in order.windows(2) {
        let (one, two) = (&rates[pair[0]], &rates[pair[1]]);
        let is_same = one.service_code == two.service_code && one.zone == two.zone;
        if is_same && two.from.compare(one.to).is_lt() {
            let message = Message::new("overlapping-rates").text("row", pair[0]);
            errors.add(format!("data.{}.from_weight", pair[1]), message);
        }
    }
    errors
}

/// The price of parcels with a service: each by its own bracket, added up. Nothing when a weight is
/// unknown, no row fits, or the rows have different currencies.
pub fn price(
    rates: &[&Rate],
    country: Country,
    postal_code: &str,
    weights: &[Option<Weight>],
) -> Option<Money> {
    let key = postal_key(postal_code);
    let holds = |rate: &Rate| match &rate.zone {
        Some(zone) => zone.holds(country, &key),
        None => Some(0),
    };
    let mut sum: Option<Money> = None;
    for weight in weights {
        let weight = (*weight)?;
        let fitting = rates.iter().filter(|rate| rate.is_for(weight));
        let best = fitting.filter_map(|rate| Some((holds(rate)?, rate)));
        let (_, rate) = best.max_by_key(|(length, _)| *length)?;
        sum = Some(match sum {
            None => rate.price,
            Some(so_far) if so_far.currency == rate.price.currency => {
                Money { minor: so_far.minor.checked_add(rate.price.minor)?, ..so_far }
            }
            Some(_) => return None,
        });
    }
    sum
}

#[cfg(test)]
mod tests;
