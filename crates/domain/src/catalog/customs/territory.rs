//! Customs territories: which one a place is in, as a check and as JSON Schema.
//!
//! A territory is that of the EU's customs union, that of a country, or an area that belongs to a
//! member but not to the union or not to its VAT area.

use std::collections::BTreeSet;

use crate::country::Country;
use crate::json::Json;

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

/// Northern Ireland is in the United Kingdom, and in the union for goods.
const NORTHERN_IRELAND: (&str, &str, &str) = ("GB", "BT", "EU");

/// The customs territories that a place is in.
pub fn territories<'a>(country: &'a str, postal_code: &str) -> Vec<&'a str> {
    let (of, start, union) = NORTHERN_IRELAND;
    if country == of && compact(postal_code).to_ascii_uppercase().starts_with(start) {
        return vec![country, union];
    }
    // Some write the country in front: FI-22100.
    let digits = compact(postal_code.trim_start_matches(|c: char| !c.is_ascii_digit()));
    let area = AREAS.iter().find(|(of, start, _)| *of == country && digits.starts_with(start));
    vec![area.map_or_else(|| home(country), |(_, _, territory)| territory)]
}

/// The territory of a country, its areas apart.
fn home(country: &str) -> &str {
    match SHARED.iter().find(|(member, _)| *member == country) {
        Some((_, territory)) => territory,
        None if EU.split(' ').any(|member| member == country) => "EU",
        None => country,
    }
}

fn compact(postal_code: &str) -> String {
    postal_code.chars().filter(|c| *c != ' ').collect()
}

/// Every territory that some place in these countries is in.
pub fn reach(countries: impl IntoIterator<Item = Country>) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for country in countries {
        let areas = AREAS.iter().chain([&NORTHERN_IRELAND]);
        let areas = areas.filter(|(of, _, _)| *of == country.code());
        found.extend(areas.map(|(_, _, territory)| (*territory).to_owned()));
        found.insert(home(country.code()).to_owned());
    }
    found
}

/// A schema of an address that is in the territory.
pub fn address_in(territory: &str) -> Json {
    let members: Vec<Country> =
        Country::all().filter(|country| home(country.code()) == territory).collect();
    let mut ways = Vec::new();
    if !members.is_empty() {
        let codes = Json::list(members.iter().map(|country| country.code().into()));
        let is_out = |of: &str, to: &str| to != territory && home(of) == territory;
        let members = ("properties", Json::object([("country", Json::object([("enum", codes)]))]));
        let required = ("required", Json::list(["country".into()]));
        ways.push(match areas(is_out) {
            none if none.is_empty() => Json::object([required, members]),
            out => {
                let not = ("not", Json::object([("anyOf", Json::List(out))]));
                Json::object([required, members, not])
            }
        });
    }
    ways.extend(areas(|of, to| to == territory && home(of) != territory));
    if NORTHERN_IRELAND.2 == territory {
        ways.push(area(NORTHERN_IRELAND.0, "^ *[Bb] *[Tt]"));
    }
    match <[Json; 1]>::try_from(ways) {
        Ok([only]) => only,
        Err(ways) => Json::object([("anyOf", Json::List(ways))]),
    }
}

/// Schemas of the areas that are meant, one for each country that has some.
fn areas(is_meant: impl Fn(&str, &str) -> bool) -> Vec<Json> {
    let mut by_country: Vec<(&str, Vec<String>)> = Vec::new();
    for (of, start, _) in AREAS.iter().filter(|(of, _, to)| is_meant(of, to)) {
        let digits: Vec<String> = start.chars().map(String::from).collect();
        let start = digits.join(" *");
        match by_country.iter_mut().find(|(country, _)| country == of) {
            Some((_, starts)) => starts.push(start),
            None => by_country.push((of, vec![start])),
        }
    }
    let one = |(country, starts): (&str, Vec<String>)| {
        area(country, &format!("^[^0-9]*(?:{})", starts.join("|")))
    };
    by_country.into_iter().map(one).collect()
}

/// A schema of an address in this country whose postal code looks so.
fn area(country: &str, pattern: &str) -> Json {
    let country = Json::object([("const", country.into())]);
    let code = Json::object([("type", "string".into()), ("pattern", pattern.into())]);
    Json::object([
        ("required", Json::list(["country".into(), "postal_code".into()])),
        ("properties", Json::object([("country", country), ("postal_code", code)])),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_union_has_its_members_and_monaco() {
        assert_eq!(EU.split(' ').count(), 28);
    }

    #[test]
    fn a_country_reaches_into_its_own_territory_and_those_of_its_areas() {
        let reach = |code: &str| reach([Country::parse(code).unwrap()]);
        assert_eq!(reach("DK").into_iter().collect::<Vec<_>>(), ["EU", "GL"]);
        assert_eq!(reach("GB").into_iter().collect::<Vec<_>>(), ["EU", "GB"]);
        assert_eq!(reach("LI").into_iter().collect::<Vec<_>>(), ["CH"]);
    }

    #[test]
    fn an_area_is_told_by_how_its_postal_code_begins() {
        let said = address_in("AX").to_string();
        assert!(said.contains(r#"{"const":"FI"}"#) && said.contains("^[^0-9]*(?:2 *2)"), "{said}");
        assert!(said.contains(r#"{"enum":["AX"]}"#), "{said}");
        let union = address_in("EU").to_string();
        assert!(union.contains(r#""not":{"anyOf":["#) && union.contains("^ *[Bb] *[Tt]"));
    }
}
