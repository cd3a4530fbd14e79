//! Items of a shipment: their sums, exact, and what they are sent for.

use waybill_domain::fields::{Fields, each};
use waybill_domain::measure::{Currency, Money, Weight};
use waybill_domain::parcel::Item;
use waybill_domain::words::Message;

use crate::problem::Problem;
use crate::sheet::Sheet;

/// Reads `items`.
pub(crate) fn read(fields: &Fields) -> Option<Vec<Item>> {
    fields.list("items", 1..=999).then(|items| each(&items, Item::read)).required()
}

/// What all items of a row are worth together, in the minor unit.
pub(crate) fn value(item: &Item) -> Option<(i128, Currency)> {
    let price = item.unit_price?;
    Some((i128::from(price.minor) * i128::from(item.quantity), price.currency))
}

/// What everything is worth together. Amounts of two currencies have no sum: that is noted, and
/// what else is wrong with the paper is still found.
pub(crate) fn sum(
    sheet: &mut Sheet,
    items: &[Item],
    others: &[Option<Money>],
) -> Option<(i128, Currency)> {
    total(items, others).unwrap_or_else(|Problem { path, message }| {
        sheet.errors.add(path, message);
        None
    })
}

fn total(items: &[Item], others: &[Option<Money>]) -> Result<Option<(i128, Currency)>, Problem> {
    let prices = items.iter().enumerate().filter_map(|(index, item)| {
        value(item).map(|value| (format!("items.{index}.unit_price.currency"), value))
    });
    let others = others.iter().flatten();
    let others =
        others.map(|money| ("currency".to_owned(), (i128::from(money.minor), money.currency)));
    let mut total: Option<(i128, Currency)> = None;
    for (path, (minor, currency)) in prices.chain(others) {
        total = match total {
            Some((_, known)) if known != currency => {
                let units = format!("{}, {}", known.code(), currency.code());
                return Err(Problem::new(
                    path,
                    Message::new("mixed-currencies").text("units", units),
                ));
            }
            Some((sum, _)) => Some((sum + minor, currency)),
            None => Some((minor, currency)),
        };
    }
    Ok(total)
}

/// What all items of a row weigh together, in grams.
pub(crate) fn grams(item: &Item) -> Option<i64> {
    // The sum is rounded once, not each item.
    let unit = item.net_weight?;
    let thousandths = unit.thousandths.saturating_mul(item.quantity);
    Some(Weight { thousandths, ..unit }.grams())
}

/// What everything weighs together, in grams.
pub(crate) fn total_grams(items: &[Item]) -> i64 {
    items.iter().filter_map(grams).fold(0, i64::saturating_add)
}

/// Why something is sent, as customs call it.
pub(crate) const REASONS: &[(&str, &str)] = &[
    ("commercial_goods", "paper-commercial-goods"),
    ("commercial_sample", "paper-commercial-sample"),
    ("gift", "paper-gift"),
    ("documents", "paper-documents"),
    ("returned_goods", "paper-returned-goods"),
    ("other", "paper-other"),
];

/// Reads a reason; nothing when it is not given.
pub(crate) fn reason(fields: &Fields) -> Option<String> {
    let known = |text: &str| REASONS.iter().any(|(name, _)| *name == text).then(|| text.to_owned());
    let names: Vec<&str> = REASONS.iter().map(|(name, _)| *name).collect();
    fields.parsed("content_type", known, || waybill_domain::fields::one_of(&names)).optional()
}
