//! Whether a route crosses a customs border, and what customs then want to know.
//!
//! A border is where goods have to be declared: that of the EU's customs union, and those of areas
//! that belong to a member but not to the union or not to its VAT area. Two places have a border
//! between them when no territory holds both.

use super::path::{places, text};
use crate::country::Country;
use crate::fields::FieldErrors;
use crate::json::Json;
use crate::words::Message;

/// The members of the EU, and Monaco, which is in its customs territory by way of France.
const EU: &str =
    "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MC MT NL PL PT RO SE SI SK";

/// Country, how a postal code begins, and the territory that it means.
const AREAS: &[(&str, &str, &str)] = &[
    ("DE", "27498", "Heligoland"),
    // Büsingen is in the Swiss customs territory.
    ("DE", "78266", "CH"),
    ("DK", "39", "GL"),
    ("ES", "35", "Canary Islands"),
    ("ES", "38", "Canary Islands"),
    ("ES", "51", "Ceuta"),
    ("ES", "52", "Melilla"),
    ("FI", "22", "AX"),
    ("FR", "971", "GP"),
    ("FR", "972", "MQ"),
    ("FR", "973", "GF"),
    ("FR", "974", "RE"),
    ("FR", "975", "PM"),
    ("FR", "976", "YT"),
    ("FR", "977", "BL"),
    ("FR", "978", "MF"),
    ("FR", "986", "WF"),
    ("FR", "987", "PF"),
    ("FR", "988", "NC"),
    ("GR", "63086", "Mount Athos"),
    ("IT", "22061", "Campione"),
    ("IT", "23041", "Livigno"),
    ("NO", "8099", "SJ"),
    ("NO", "917", "SJ"),
];

/// Countries that share the territory of another.
const SHARED: &[(&str, &str)] = &[("IM", "GB"), ("LI", "CH"), ("PR", "US")];

/// What every item has to tell when it crosses a border.
const ITEM_FIELDS: [&str; 4] = ["hs_code", "country_of_origin", "unit_price", "net_weight"];

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

/// The customs territories that a place is in.
fn territories(country: &str, postal_code: &str) -> Vec<String> {
    let digits = postal_code.chars().filter(char::is_ascii_alphanumeric).collect::<String>();
    // Northern Ireland is in the United Kingdom, and in the union for goods.
    if country == "GB" && digits.to_ascii_uppercase().starts_with("BT") {
        return vec!["GB".to_owned(), "EU".to_owned()];
    }
    // Some write the country in front: FI-22100.
    let digits = digits.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let area = AREAS.iter().find(|(of, start, _)| *of == country && digits.starts_with(start));
    let shared = SHARED.iter().find(|(member, _)| *member == country);
    let territory = match (area, shared) {
        (Some((_, _, territory)), _) | (None, Some((_, territory))) => territory,
        (None, None) if EU.split(' ').any(|member| member == country) => "EU",
        (None, None) => country,
    };
    vec![territory.to_owned()]
}

/// What is missing for customs of an order in the API's shape. Nothing is, as long as the merchant
/// is not known.
pub fn customs_problems(order: &Json) -> FieldErrors {
    let mut errors = FieldErrors::default();
    if !is_declared(order) {
        return errors;
    }
    let mut paths = vec!["customs".to_owned(), "parcels.*.items".to_owned()];
    paths.extend(ITEM_FIELDS.map(|field| format!("parcels.*.items.*.{field}")));
    for (path, value) in paths.iter().flat_map(|path| places(order, path)) {
        let is_missing = match value {
            None => true,
            Some(Json::List(entries)) => entries.is_empty(),
            Some(_) => false,
        };
        if is_missing {
            errors.add(path, Message::new("required-by-customs"));
        }
    }
    errors
}

/// Whether an order in the API's shape has to be declared.
pub fn is_declared(order: &Json) -> bool {
    let place = |party: &str| {
        let at = |field: &str| text(order, &format!("parties.{party}.address.{field}"));
        Some((Country::parse(at("country")?)?, at("postal_code").unwrap_or_default()))
    };
    match (place("merchant"), place("customer")) {
        (Some((from, from_code)), Some((to, to_code))) => {
            crosses_border(&from, &to, from_code, to_code)
        }
        _ => false,
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
        assert_eq!(EU.split(' ').count(), 28);
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
        let mut unknown = order("NO");
        unknown.merge(&parse(br#"{"parties":{"merchant":null}}"#).unwrap());
        assert!(customs_problems(&unknown).is_empty());
    }
}
