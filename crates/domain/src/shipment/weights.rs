//! What is in a parcel does not weigh more than the parcel.

use super::order::Order;
use crate::fields::FieldErrors;
use crate::measure::Weight;
use crate::parcel::Parcel;
use crate::words::Message;

/// Tells where the contents weigh more than the parcel with its packaging. What has no weight
/// counts as nothing, so what is told here is true whatever the missing weights are.
pub fn check(order: &Order) -> FieldErrors {
    let mut errors = FieldErrors::default();
    for (index, parcel) in order.parcels.iter().enumerate() {
        let Some(gross) = parcel.gross_weight else { continue };
        let net = contents(parcel);
        if net > gross.picograms() {
            let least = Weight::at_least(net, gross.unit);
            let message = Message::new("net-above-gross").text("net", least);
            errors.add(format!("parcels.{index}.gross_weight"), message);
        }
    }
    errors
}

/// Dangerous goods may be among the items, so the two are not added up.
fn contents(parcel: &Parcel) -> i128 {
    let items = parcel.items.iter().map(|item| (item.net_weight, item.quantity));
    let goods = parcel.dangerous_goods.iter().map(|goods| (goods.net_weight, 1));
    let sum = |(weight, count): (Option<Weight>, i64)| {
        weight.map_or(0, |weight| weight.picograms() * i128::from(count))
    };
    i128::max(items.map(sum).sum(), goods.map(sum).sum())
}
