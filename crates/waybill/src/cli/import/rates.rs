//! Rates from a file, in the shape of a request to replace them.

use std::io::BufRead;

use waybill_domain::fields::read_object;
use waybill_domain::json::{Json, parse};

use super::error::ContentsError;
use super::records::Records;

const HEADINGS: [&str; 7] =
    ["service_code", "zone", "from_weight", "to_weight", "weight_unit", "price", "currency"];

/// Reads what `PUT …/rates` takes.
pub fn read_json(mut reader: impl BufRead) -> Result<Json, ContentsError> {
    let mut bytes = Vec::new();
    reader.read_to_end(&mut bytes)?;
    read_object(&bytes).map_err(|_| ContentsError::NotRates)
}

/// The first line of a CSV file, which must have these headings: a file with another separator, or
/// without headings, would be taken for one that has nothing in it.
pub fn headings(
    records: &mut Records<impl BufRead>,
    needed: &[&str],
) -> Result<Vec<String>, ContentsError> {
    let first = records.next().ok_or(ContentsError::Empty)??;
    let is_there = |heading: &&str| first.iter().any(|found| found.trim() == *heading);
    match needed.iter().find(|heading| !is_there(heading)) {
        None => Ok(first),
        Some(_) if first.len() == 1 && first[0].contains([';', '\t']) => {
            Err(ContentsError::Separator)
        }
        Some(missing) => Err(ContentsError::NoHeading((*missing).to_owned())),
    }
}

/// Rates by the names of their columns: prices in the minor unit, weights in `weight_unit`.
pub fn read_csv(reader: impl BufRead) -> Result<Json, ContentsError> {
    let mut records = Records::new(reader);
    let headings = headings(&mut records, &HEADINGS)?;
    let mut rates = Vec::new();
    for (number, record) in (1u64..).zip(records) {
        let record = record?;
        let text = |name: &str| {
            let index = headings.iter().position(|heading| heading.trim() == name)?;
            record.get(index).map(|text| text.trim()).filter(|text| !text.is_empty())
        };
        if let Some(price) = text("price").filter(|price| price.contains(['.', ','])) {
            return Err(ContentsError::Price { number, price: price.to_owned() });
        }
        // What is not a number is told as that, by whoever checks it.
        let number = |name| text(name).map(|text| parse(text.as_bytes()).unwrap_or(text.into()));
        let weight = |name| {
            Json::object([("value", number(name).into()), ("unit", text("weight_unit").into())])
        };
        let price = Json::object([
            ("value", number("price").into()),
            ("currency", text("currency").into()),
        ]);
        rates.push(Json::object([
            ("service_code", text("service_code").into()),
            ("zone", text("zone").into()),
            ("from_weight", weight("from_weight")),
            ("to_weight", weight("to_weight")),
            ("price", price),
        ]));
    }
    Ok(Json::object([("data", Json::List(rates))]))
}
