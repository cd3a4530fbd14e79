//! One currency, one weight unit and one dimension unit in a shipment, across request and template.

use crate::catalog::texts;
use crate::fields::FieldErrors;
use crate::json::Json;
use crate::measure::{Currency, LengthUnit, WeightUnit};
use crate::words::Message;

const CURRENCIES: &[&str] = &[
    "parcels.*.items.*.unit_price.currency",
    "delivery.addons.*.value.currency",
    "customs.shipping_cost.currency",
    "customs.insured_value.currency",
];
const WEIGHTS: &[&str] = &[
    "parcels.*.gross_weight.unit",
    "parcels.*.items.*.net_weight.unit",
    "parcels.*.dangerous_goods.*.net_weight.unit",
];
const LENGTHS: &[&str] =
    &["parcels.*.length.unit", "parcels.*.width.unit", "parcels.*.height.unit"];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Currency,
    Weight,
    Length,
}

impl Kind {
    fn paths(self) -> &'static [&'static str] {
        match self {
            Kind::Currency => CURRENCIES,
            Kind::Weight => WEIGHTS,
            Kind::Length => LENGTHS,
        }
    }

    fn has(self, unit: &str) -> bool {
        match self {
            Kind::Currency => Currency::parse_listed(unit).is_some(),
            Kind::Weight => WeightUnit::parse(unit).is_some(),
            Kind::Length => LengthUnit::parse(unit).is_some(),
        }
    }

    fn message(self) -> Message {
        Message::new(match self {
            Kind::Currency => "mixed-currencies",
            Kind::Weight => "mixed-weight-units",
            Kind::Length => "mixed-length-units",
        })
    }
}

/// Tells where two units of one kind differ, in a body as it came: a unit counts even when its
/// value cannot be read. `from_template` are the paths that the template filled: a difference is
/// told at the request's own value, or at `template_uuid` when both values came from the template.
pub fn check(input: &Json, from_template: &[&str]) -> FieldErrors {
    let is_own = |path: &str| !from_template.iter().any(|filled| path.starts_with(filled));
    let mut errors = FieldErrors::default();
    for kind in [Kind::Currency, Kind::Weight, Kind::Length] {
        let places = kind.paths().iter().flat_map(|path| texts(input, path));
        let places: Vec<(String, &str)> = places.filter(|(_, unit)| kind.has(unit)).collect();
        let mut units: Vec<&str> = Vec::new();
        for (_, unit) in &places {
            if !units.contains(unit) {
                units.push(unit);
            }
        }
        if units.len() < 2 {
            continue;
        }
        let message = || kind.message().text("units", units.join(", "));
        let own: Vec<&str> =
            places.iter().map(|(path, _)| path.as_str()).filter(|path| is_own(path)).collect();
        for path in &own {
            errors.add(*path, message());
        }
        if own.is_empty() {
            errors.add("template_uuid", message());
        }
    }
    errors
}
