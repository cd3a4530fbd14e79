//! A team's rates on their way into the store and out of it.

use waybill_domain::json::parse;
use waybill_domain::tariff::Rate;
use waybill_store::Error;
use waybill_store::tariffs::Row;

/// The rows of a table, in the order in which they are listed.
pub fn rows(mut rates: Vec<Rate>) -> Vec<Row> {
    rates.sort_by(Rate::order);
    let row = |rate: Rate| Row {
        service_code: rate.service_code.clone(),
        country: rate.zone.as_ref().map(|zone| zone.country.to_string()),
        body: rate.to_json().to_string(),
    };
    rates.into_iter().map(row).collect()
}

/// The rates of stored rows. Without one of them, a price could be wrong: it is an error.
pub fn rates(bodies: &[String]) -> Result<Vec<Rate>, Error> {
    let rate = |body: &String| Rate::from_stored(&parse(body.as_bytes()).ok()?);
    let unreadable =
        |index: usize| Error::Broken(format!("row {} of the rates cannot be read", index + 1));
    let rates = bodies.iter().enumerate();
    rates.map(|(index, body)| rate(body).ok_or_else(|| unreadable(index))).collect()
}
