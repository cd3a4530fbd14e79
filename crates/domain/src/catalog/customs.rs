//! Whether a route crosses a customs border, and what customs then want to know.
//!
//! Two places have a border between them when no customs territory holds both.

mod schema;
mod territory;

pub(super) use schema::{crossing, definitions, schema, staying};

use super::Role;
use super::path::{places, text};
use crate::country::Country;
use crate::fields::FieldErrors;
use crate::json::Json;
use crate::shipment::Order;
use crate::words::Message;
use territory::{reach, territories};

/// What every item has to tell when it crosses a border, and of which type that is.
const ITEM_FIELDS: [(&str, &str); 4] = [
    ("hs_code", "string"),
    ("country_of_origin", "string"),
    ("unit_price", "object"),
    ("net_weight", "object"),
];

/// Whether goods between the two places have to be declared.
pub fn crosses_border(
    from: &Country,
    to: &Country,
    from_postal_code: &str,
    to_postal_code: &str,
) -> bool {
    let from = territories(from.code(), from_postal_code);
    let to = territories(to.code(), to_postal_code);
    !from.iter().any(|territory| to.contains(territory))
}

/// What is missing for customs of an order in the API's shape. Nothing is, as long as the merchant
/// is not known.
pub fn customs_problems(order: &Json) -> FieldErrors {
    let mut errors = FieldErrors::default();
    if is_input_declared(order) {
        for path in missing(order) {
            errors.add(path, Message::new("required-by-customs"));
        }
    }
    errors
}

/// What customs want to know and the order does not tell.
fn missing(order: &Json) -> Vec<String> {
    let has_customs = order.member("customs").is_some_and(|customs| *customs != Json::Null);
    // What is missing of an object that is missing is told with it.
    let of_all = if has_customs { "customs.content_type" } else { "customs" };
    let mut paths = vec![of_all.to_owned(), "parcels.*.items".to_owned()];
    paths.extend(ITEM_FIELDS.map(|(field, _)| format!("parcels.*.items.*.{field}")));
    let is_missing = |value: Option<&Json>| match value {
        None => true,
        Some(Json::List(entries)) => entries.is_empty(),
        Some(_) => false,
    };
    let found = paths.iter().flat_map(|path| places(order, path));
    found.filter(|(_, value)| is_missing(*value)).map(|(path, _)| path).collect()
}

/// Whether an order has to be declared. It does not, as long as the merchant is not known.
pub fn is_declared(order: &Order) -> bool {
    let Some(merchant) = &order.merchant else { return false };
    let (from, to) = (&merchant.address, &order.customer.address);
    crosses_border(&from.country, &to.country, &from.postal_code, &to.postal_code)
}

/// The same of an order in the API's shape, which may be wrong in places.
pub fn is_input_declared(order: &Json) -> bool {
    route_crosses(order) == Some(true)
}

/// Whether the route of an order crosses a border, as soon as both ends are known.
pub(super) fn route_crosses(order: &Json) -> Option<bool> {
    let (from, from_code) = place(order, "merchant")?;
    let (to, to_code) = place(order, "customer")?;
    Some(crosses_border(&from, &to, from_code, to_code))
}

/// Country and postal code of a party.
fn place<'a>(order: &'a Json, party: &str) -> Option<(Country, &'a str)> {
    let at = |field: &str| text(order, &format!("parties.{party}.address.{field}"));
    Some((Country::parse(at("country")?)?, at("postal_code").unwrap_or_default()))
}

/// Between which countries a service carries, none meaning any: enough to know of some routes that
/// they cross a border before the merchant is known. One end at least is limited: a schema can
/// compare two countries only by naming them.
#[derive(Clone, PartialEq, Debug)]
pub struct RouteCountries {
    /// Where a merchant may be.
    merchants: Vec<Country>,
    /// Where a customer may be.
    customers: Vec<Country>,
}

impl RouteCountries {
    /// Where a service carries that starts and ends in these countries; nothing when it names none.
    pub fn new(from: &[Country], to: &[Country], is_return: bool) -> Option<RouteCountries> {
        if from.is_empty() && to.is_empty() {
            return None;
        }
        let (merchants, customers) = if is_return { (to, from) } else { (from, to) };
        Some(RouteCountries { merchants: merchants.to_vec(), customers: customers.to_vec() })
    }

    /// The places in the order that miss what customs want to know.
    pub(super) fn problems(&self, order: &Json) -> Vec<String> {
        if self.cross(order) { missing(order) } else { Vec::new() }
    }

    /// Whether a route that is served crosses a border, wherever the merchant turns out to be.
    pub(super) fn cross(&self, order: &Json) -> bool {
        let Some((to, to_code)) = place(order, "customer") else { return false };
        let Some((from, from_code)) = place(order, "merchant") else {
            let near = reach(self.merchants.iter().copied());
            let there = territories(to.code(), to_code);
            let is_near = there.iter().any(|territory| near.contains(*territory));
            return !self.merchants.is_empty() && !is_near;
        };
        self.serve(&from, &to) && crosses_border(&from, &to, from_code, to_code)
    }

    /// Whether a route that is served crosses no border. Both ends are known then.
    pub(super) fn stay_within(&self, order: &Json) -> bool {
        let ends = place(order, "merchant").zip(place(order, "customer"));
        let is_served = ends.is_some_and(|((from, _), (to, _))| self.serve(&from, &to));
        is_served && route_crosses(order) == Some(false)
    }

    fn serve(&self, from: &Country, to: &Country) -> bool {
        match self.told_by() {
            Role::Merchant => self.merchants.contains(from),
            Role::Customer => self.customers.contains(to),
        }
    }

    /// Which party is in fewer countries: its territories are all that both can be in. A route from
    /// or to elsewhere is not served, and nothing more is asked of it.
    fn told_by(&self) -> Role {
        match (self.merchants.len(), self.customers.len()) {
            (0, _) => Role::Customer,
            (_, 0) => Role::Merchant,
            (merchants, customers) if merchants <= customers => Role::Merchant,
            _ => Role::Customer,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::parse;

    fn crosses(from: &str, to: &str) -> bool {
        let place = |text: &str| {
            let (country, postal_code) = text.split_once(' ').unwrap_or((text, ""));
            (Country::parse(country).unwrap(), postal_code.to_owned())
        };
        let ((from, from_code), (to, to_code)) = (place(from), place(to));
        let there = crosses_border(&from, &to, &from_code, &to_code);
        assert_eq!(there, crosses_border(&to, &from, &to_code, &from_code), "{from} {to}");
        there
    }

    #[test]
    fn goods_move_freely_within_a_customs_territory() {
        for (from, to) in [
            ("DK 2300", "SE 111 22"),
            ("DK 2300", "DK 8000"),
            ("FR 75001", "MC 98000"),
            ("CH 8001", "LI 9490"),
            ("DE 78266", "CH 8200"),
            ("IE", "GB BT1 1AA"),
            ("GB SW1A 1AA", "GB bt11aa"),
            ("GB SW1A 1AA", "IM IM1 1AA"),
            ("NO 0150", "NO 9016"),
            ("ES 35001", "ES 38001"),
            ("AX 22100", "FI FI-22150"),
            ("GP 97100", "FR 97110"),
            ("US 10001", "PR 00901"),
            ("GL 3900", "DK 3900"),
        ] {
            assert!(!crosses(from, to), "{from} {to}");
        }
    }

    #[test]
    fn goods_are_declared_between_territories_of_one_country_too() {
        for (from, to) in [
            ("DK 2300", "NO 0150"),
            ("DK 2300", "GB SW1A 1AA"),
            ("DK 2300", "FO 100"),
            ("DK 2300", "GL 3900"),
            ("FI 00100", "AX 22100"),
            ("FI 00100", "FI 22100"),
            ("ES 28001", "ES 35001"),
            ("ES 35001", "ES 51001"),
            ("ES 51001", "ES 52001"),
            ("DE 10115", "DE 27498"),
            ("DE 10115", "DE 78266"),
            ("IT 20121", "IT 23041"),
            ("IT 20121", "IT 22061"),
            ("FR 75001", "RE 97400"),
            ("FR 75001", "FR 97400"),
            ("NO 0150", "SJ 9170"),
            ("NO 0150", "NO 9170"),
            ("IT 00118", "SM 47890"),
            ("IT 00118", "VA 00120"),
            ("ES 08001", "AD AD500"),
            ("GB BT1 1AA", "NO 0150"),
            ("US 10001", "VI 00801"),
        ] {
            assert!(crosses(from, to), "{from} {to}");
        }
    }

    // Decisions 4.2.
    #[test]
    fn customs_want_the_object_an_item_in_each_parcel_and_four_fields_of_each_item() {
        let order = |to: &str| {
            let body = format!(
                r#"{{"parties":{{"merchant":{{"address":{{"postal_code":"2300","country":"DK"}}}},
                "customer":{{"address":{{"postal_code":"0150","country":"{to}"}}}}}},"customs":null,
                "parcels":[{{"items":[]}},{{"items":[{{"hs_code":"490199","unit_price":null,
                "net_weight":null,"country_of_origin":"DK"}}]}}]}}"#
            );
            parse(body.as_bytes()).unwrap()
        };
        let problems = customs_problems(&order("NO"));
        let paths: Vec<&str> = problems.iter().map(|(path, _)| path).collect();
        assert_eq!(
            paths,
            [
                "customs",
                "parcels.0.items",
                "parcels.1.items.0.net_weight",
                "parcels.1.items.0.unit_price"
            ]
        );
        assert!(customs_problems(&order("SE")).is_empty());
        let mut empty = order("NO");
        empty.merge(&parse(br#"{"customs":{},"parcels":[{"items":[]}]}"#).unwrap());
        let problems = customs_problems(&empty);
        let paths: Vec<&str> = problems.iter().map(|(path, _)| path).collect();
        assert_eq!(paths, ["customs.content_type", "parcels.0.items"]);
        let mut unknown = order("NO");
        unknown.merge(&parse(br#"{"parties":{"merchant":null}}"#).unwrap());
        assert!(customs_problems(&unknown).is_empty());
    }
}
