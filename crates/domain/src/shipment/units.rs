//! One currency, one weight unit and one dimension unit in a shipment, across request and template.

use super::{AddonValue, Order};
use crate::fields::FieldErrors;
use crate::words::Message;

/// One place that has a unit: its path, its unit, and which kind of unit it is.
struct Place {
    path: String,
    kind: Kind,
    unit: &'static str,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Currency,
    Weight,
    Length,
}

impl Kind {
    fn message(self) -> Message {
        Message::new(match self {
            Kind::Currency => "mixed-currencies",
            Kind::Weight => "mixed-weight-units",
            Kind::Length => "mixed-length-units",
        })
    }
}

/// Tells where two units of one kind differ. `from_template` are the paths that the template
/// filled: a difference is told at the request's own value, or at `template_uuid` when both
/// differing values came from the template.
pub fn check(order: &Order, from_template: &[&str]) -> FieldErrors {
    let places = places(order);
    let is_own = |place: &Place| !from_template.iter().any(|path| place.path.starts_with(path));
    let mut errors = FieldErrors::default();
    for kind in [Kind::Currency, Kind::Weight, Kind::Length] {
        let of_kind: Vec<&Place> = places.iter().filter(|place| place.kind == kind).collect();
        let Some(first) = of_kind.first() else { continue };
        if of_kind.iter().all(|place| place.unit == first.unit) {
            continue;
        }
        let mut units: Vec<&str> = Vec::new();
        for place in &of_kind {
            if !units.contains(&place.unit) {
                units.push(place.unit);
            }
        }
        let message = || kind.message().text("units", units.join(", "));
        let own: Vec<&&Place> = of_kind.iter().filter(|place| is_own(place)).collect();
        for place in &own {
            errors.add(place.path.as_str(), message());
        }
        if own.is_empty() {
            errors.add("template_uuid", message());
        }
    }
    errors
}

fn places(order: &Order) -> Vec<Place> {
    let mut places = Vec::new();
    let mut note = |path: String, kind, unit: Option<&'static str>| {
        if let Some(unit) = unit {
            places.push(Place { path, kind, unit });
        }
    };
    for (index, parcel) in order.parcels.iter().enumerate() {
        let at = |name: &str| format!("parcels.{index}.{name}");
        let weight = parcel.gross_weight.map(|weight| weight.unit.name());
        note(at("gross_weight.unit"), Kind::Weight, weight);
        let sides = [("length", parcel.length), ("width", parcel.width), ("height", parcel.height)];
        for (name, side) in sides {
            let unit = side.map(|side| side.unit.name());
            note(at(&format!("{name}.unit")), Kind::Length, unit);
        }
        for (item_index, item) in parcel.items.iter().enumerate() {
            let at = |name: &str| at(&format!("items.{item_index}.{name}"));
            note(at("net_weight.unit"), Kind::Weight, item.net_weight.map(|w| w.unit.name()));
            let currency = item.unit_price.map(|price| price.currency.code());
            note(at("unit_price.currency"), Kind::Currency, currency);
        }
        for (goods_index, goods) in parcel.dangerous_goods.iter().enumerate() {
            let path = at(&format!("dangerous_goods.{goods_index}.net_weight.unit"));
            note(path, Kind::Weight, goods.net_weight.map(|weight| weight.unit.name()));
        }
    }
    for (index, addon) in order.delivery.addons.iter().enumerate() {
        if let Some(AddonValue::Money(money)) = &addon.value {
            let path = format!("delivery.addons.{index}.value.currency");
            note(path, Kind::Currency, Some(money.currency.code()));
        }
    }
    if let Some(customs) = &order.customs {
        for (name, money) in
            [("shipping_cost", customs.shipping_cost), ("insured_value", customs.insured_value)]
        {
            let path = format!("customs.{name}.currency");
            note(path, Kind::Currency, money.map(|money| money.currency.code()));
        }
    }
    places
}
