//! Weights as GLS takes them: kilograms with two decimals, and not too little.

use waybill_domain::measure::{Decimal, Weight, WeightUnit};
use waybill_domain::parcel::Parcel;

/// GLS takes no parcel that is lighter: 0.11 kg.
const LIGHTEST: Weight = Weight { thousandths: 110, unit: WeightUnit::Kilogram };
const DECIMALS: u32 = 2;

fn kilograms(weight: Weight) -> Decimal {
    weight.in_unit(WeightUnit::Kilogram, DECIMALS)
}

/// The weight of a parcel. It is the same each time, because a booking is looked up by it.
pub fn of_parcel(parcel: &Parcel) -> Decimal {
    let weight = parcel.gross_weight.unwrap_or(LIGHTEST);
    kilograms(if weight.compare(LIGHTEST).is_lt() { LIGHTEST } else { weight })
}

/// The weight of what is dangerous in a parcel, when there is something in a limited quantity: of
/// the goods where all weights are known, or else of the parcel.
pub fn limited_quantity(parcel: &Parcel) -> Option<Decimal> {
    let goods: Vec<_> =
        parcel.dangerous_goods.iter().filter(|goods| goods.is_limited_quantity).collect();
    if goods.is_empty() {
        return None;
    }
    let known: Option<Vec<Weight>> = goods.iter().map(|goods| goods.net_weight).collect();
    let total = known.map(|all| Weight::total(all, WeightUnit::Kilogram, DECIMALS));
    Some(total.unwrap_or_else(|| of_parcel(parcel)))
}
