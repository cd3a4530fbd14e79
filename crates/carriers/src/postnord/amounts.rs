//! Weights, lengths and amounts as PostNord writes them.

use waybill_domain::json::Json;
use waybill_domain::measure::{Decimal, Length, LengthUnit, Money, Weight, WeightUnit};

use crate::members::object;

/// So many decimals a weight in kilograms has at most.
const WEIGHT_DECIMALS: u32 = 3;
/// So many decimals a length in centimetres has at most.
const LENGTH_DECIMALS: u32 = 1;

fn measured(value: Decimal, unit: &str) -> Json {
    object([("value", Json::Number(value.number())), ("unit", unit.into())])
}

/// Kilograms, of all together; nothing when there are none. A total is the sum of what is sent of
/// its parts.
pub fn kilograms(weights: impl IntoIterator<Item = Weight>) -> Json {
    let total = Weight::total_of_rounded(weights, WeightUnit::Kilogram, WEIGHT_DECIMALS);
    if total.whole() == Some(0) { Json::Null } else { measured(total, "KGM") }
}

/// Centimetres.
pub fn centimetres(length: Length) -> Json {
    measured(length.in_unit(LengthUnit::Centimetre, LENGTH_DECIMALS), "CMT")
}

/// So many.
pub fn count(count: usize) -> Json {
    object([("value", i64::try_from(count).unwrap_or(i64::MAX).into())])
}

/// An amount in the major unit.
pub fn amount(money: Money) -> Json {
    let amount = Json::Number(money.decimal().number());
    object([("amount", amount), ("currency", money.currency.code().into())])
}

/// The sum of amounts; nothing when there are none. A shipment has one currency throughout.
pub fn sum(amounts: impl IntoIterator<Item = Money>) -> Option<Money> {
    let add =
        |sum: Money, money: Money| Money { minor: sum.minor.saturating_add(money.minor), ..sum };
    amounts.into_iter().reduce(add)
}
