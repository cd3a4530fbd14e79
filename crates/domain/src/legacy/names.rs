//! By which v1 name a problem is told that was found at a v2 path. Callers of v1 have never heard
//! of the other paths, so none of them may leave: what is not known here is told of the method.

use std::collections::BTreeMap;

/// Where a problem is told that no other name fits.
pub const METHOD: &str = "shipping_method";
const SENDER: &str = "sender";

/// The names of one body.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Names {
    /// Where a value comes from, when that is not where such a value usually comes from.
    moved: BTreeMap<String, String>,
    /// Whether the body names its sender; else it is the team, and the body has no field of it.
    has_sender: bool,
}

/// What is told under the same name whatever is below it. The longest that fits counts.
const SHIPMENT: &[(&str, &str)] = &[
    ("body", "body"),
    ("identifier", "internal_id"),
    ("reference", "internal_reference"),
    ("parties", "receiver"),
    ("delivery.pickup_point", "agent.agent_no"),
    ("delivery.addons", "addons"),
    ("parcels", "parcels"),
    ("customs.invoice_number", "internal_reference"),
    ("customs.shipping_cost", "shipping_price_excluding_tax"),
];
const PARTY: &[(&str, &str)] = &[
    ("identifier", "internal_id"),
    ("reference", "internal_reference"),
    ("contact", "name_line1"),
    ("contact.company", "company"),
    ("contact.email", "email"),
    ("contact.phone", "sms"),
    ("address", "address_line1"),
    ("address.address_lines.1", "address_line2"),
    ("address.address_lines.2", "name_line2"),
    ("address.postal_code", "postal_code"),
    ("address.city", "city"),
    ("address.administrative_area", "state"),
    ("address.country", "country"),
];
const PARCEL: &[(&str, &str)] = &[
    ("identifier", "internal_id"),
    ("reference", "internal_reference"),
    ("description", "freetext"),
    ("gross_weight", "weight"),
    ("length", "length"),
    ("width", "width"),
    ("height", "height"),
    ("items", "items"),
];
const ITEM: &[(&str, &str)] = &[
    ("identifier", "internal_id"),
    ("sku", "sku"),
    ("description", "name"),
    ("quantity", "quantity"),
    ("net_weight", "unit_weight"),
    ("unit_price", "unit_price_excluding_tax"),
    ("hs_code", "hs_code"),
    ("country_of_origin", "country_of_origin"),
];

impl Names {
    /// Notes that the value at a path comes from this member of the body.
    pub(super) fn note(&mut self, path: impl Into<String>, name: impl Into<String>) {
        self.moved.insert(path.into(), name.into());
    }

    /// Notes that the body names its sender.
    pub(super) fn note_sender(&mut self) {
        self.has_sender = true;
    }

    /// Of the addons only those at these places are left.
    pub(super) fn renumber_addons(&mut self, left: &[usize]) {
        const ADDONS: &str = "delivery.addons.";
        let moved = std::mem::take(&mut self.moved);
        let renumbered = moved.into_iter().filter_map(|(path, name)| {
            let Some(below) = path.strip_prefix(ADDONS) else { return Some((path, name)) };
            let (index, rest) = below.split_once('.').unwrap_or((below, ""));
            let index: usize = index.parse().ok()?;
            let new = left.iter().position(|old| *old == index)?;
            Some((joined(&format!("{ADDONS}{new}"), rest), name))
        });
        self.moved = renumbered.collect();
    }

    /// The v1 name of what is at a v2 path.
    pub fn of(&self, path: &str) -> String {
        // A v1 body has one currency for all of its amounts.
        if path.ends_with(".currency") {
            return "currency".to_owned();
        }
        if let Some(name) = longest(path, |start| self.moved.get(start).map(String::as_str)) {
            return name.to_owned();
        }
        if let Some(below) = below(path, "parties.customer") {
            return joined("receiver", known(below, PARTY).unwrap_or_default());
        }
        if let Some(below) = below(path, "parties.merchant") {
            let name = known(below, PARTY).filter(|_| self.has_sender);
            return joined(SENDER, name.unwrap_or_default());
        }
        if let Some((index, below)) = below(path, "parcels").and_then(entry) {
            return joined(&format!("parcels.{index}"), &parcel(below));
        }
        known(path, SHIPMENT).unwrap_or(METHOD).to_owned()
    }
}

/// The name of something in a parcel, from there on.
fn parcel(path: &str) -> String {
    if let Some((index, below)) = below(path, "items").and_then(entry) {
        return joined(&format!("items.{index}"), known(below, ITEM).unwrap_or_default());
    }
    known(path, PARCEL).unwrap_or_default().to_owned()
}

/// The first that is found for the path, for what it is part of, and so on.
fn longest<'a, T>(path: &'a str, find: impl Fn(&'a str) -> Option<T>) -> Option<T> {
    let ends = path.rmatch_indices('.').map(|(end, _)| end);
    [path.len()].into_iter().chain(ends).find_map(|end| find(&path[..end]))
}

fn known(path: &str, table: &[(&'static str, &'static str)]) -> Option<&'static str> {
    longest(path, |start| table.iter().find(|(other, _)| *other == start).map(|row| row.1))
}

/// What follows this start; empty when nothing does.
fn below<'a>(path: &'a str, start: &str) -> Option<&'a str> {
    let rest = path.strip_prefix(start)?;
    if rest.is_empty() { Some("") } else { rest.strip_prefix('.') }
}

/// The number of an entry, and what follows it.
fn entry(path: &str) -> Option<(usize, &str)> {
    let (index, rest) = path.split_once('.').unwrap_or((path, ""));
    Some((index.parse().ok()?, rest))
}

fn joined(start: &str, end: &str) -> String {
    if end.is_empty() { start.to_owned() } else { format!("{start}.{end}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_is_told_where_such_a_value_comes_from() {
        let mut names = Names::default();
        for (path, name) in [
            ("identifier", "internal_id"),
            ("parties.customer.contact.phone", "receiver.sms"),
            ("parties.customer.address.address_lines", "receiver.address_line1"),
            ("parties.customer.address.address_lines.1", "receiver.address_line2"),
            ("parties.customer.address.address_lines.4", "receiver.address_line1"),
            ("parties.customer.identifiers.vat", "receiver"),
            ("parties.customer", "receiver"),
            ("parties", "receiver"),
            ("parties.merchant", "sender"),
            ("parties.merchant.contact.phone", "sender"),
            ("parties.customers", "receiver"),
            ("delivery.pickup_point.code", "agent.agent_no"),
            ("delivery.service_code", "shipping_method"),
            ("delivery", "shipping_method"),
            ("delivery.delivery_window.end", "shipping_method"),
            ("parcels", "parcels"),
            ("parcels.12.gross_weight.value", "parcels.12.weight"),
            ("parcels.0.dangerous_goods.0.un_number", "parcels.0"),
            ("parcels.0.items.7.unit_price.value", "parcels.0.items.7.unit_price_excluding_tax"),
            ("parcels.0.items.7", "parcels.0.items.7"),
            ("parcels.0.items", "parcels.0.items"),
            ("parcels.x", "parcels"),
            ("customs.shipping_cost.value", "shipping_price_excluding_tax"),
            ("customs", "shipping_method"),
            ("template_uuid", "shipping_method"),
            ("", "shipping_method"),
        ] {
            assert_eq!(names.of(path), name, "{path}");
        }
        names.note_sender();
        assert_eq!(names.of("parties.merchant.contact.phone"), "sender.sms");
        assert_eq!(names.of("parties.merchant.identifiers.vat"), "sender");
        names.note("parties.merchant.contact.phone", "elsewhere");
        assert_eq!(names.of("parties.merchant.contact.phone.x"), "elsewhere");
    }
}
