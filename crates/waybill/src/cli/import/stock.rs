//! Counted stock from a file: how many pieces of what lie where.

use std::collections::HashMap;

use waybill_domain::fields::read;
use waybill_domain::json::Json;
use waybill_domain::wms::{Adjustment, LEVEL_MAX};

use super::error::ContentsError;
use super::lines::{CsvLine, CsvLines, Problems};

const HEADINGS: &[&str] = &["sku", "location", "quantity"];

/// The reason of what an import changes.
const REASON: &str = "import";

/// So many pieces of an item were counted at a location.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counted {
    /// The line of the file.
    pub line: u64,
    /// Of what.
    pub sku: String,
    /// Where.
    pub location: String,
    /// How many.
    pub quantity: i64,
}

impl Counted {
    /// What makes a level of so many pieces the counted one; nothing when it is that.
    pub fn adjustment(&self, on_hand: i64) -> Option<Adjustment> {
        let delta = self.quantity - on_hand;
        (delta != 0).then(|| Adjustment {
            sku: self.sku.clone(),
            location: self.location.clone(),
            delta,
            reason: Some(REASON.to_owned()),
        })
    }
}

/// Reads a file.
pub fn read_csv(bytes: &[u8], problems: &mut Problems) -> Result<Vec<Counted>, ContentsError> {
    let lines = CsvLines::new(bytes, HEADINGS, &[], problems)?;
    let (mut all, mut seen) = (Vec::new(), HashMap::new());
    lines.each(problems, |line, problems| {
        let Some(counted) = read_line(line, problems) else { return };
        let place = (counted.sku.clone(), counted.location.clone());
        match seen.insert(place, line.number) {
            None => all.push(counted),
            Some(first) => {
                let words = format!("was counted at this location on line {first} already");
                problems.add(line.number, "sku", &words);
            }
        }
    })?;
    Ok(all)
}

fn read_line(line: &CsvLine<'_>, problems: &mut Problems) -> Option<Counted> {
    let body = Json::object([
        ("sku", line.text("sku").into()),
        ("location", line.text("location").into()),
        // Any change there can be: the names are read as those of a change that somebody makes.
        ("delta", 1.into()),
    ]);
    let count = Json::object([("quantity", line.number("quantity"))]);
    let names = Adjustment::parse(&body);
    let count = read(&count, |fields| fields.integer("quantity", 0..=LEVEL_MAX).required());
    for found in [names.as_ref().err(), count.as_ref().err()].into_iter().flatten() {
        problems.add_fields(line.number, found, str::to_owned);
    }
    let (names, quantity) = (names.ok()?, count.ok()?);
    let Adjustment { sku, location, .. } = names;
    Some(Counted { line: line.number, sku, location, quantity })
}
