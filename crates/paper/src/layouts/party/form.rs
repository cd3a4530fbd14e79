//! Where the postal code stands: before the city, behind it, or in a row of its own. What each
//! country does is a line of `address_forms.txt`.

use std::collections::HashMap;
use std::sync::LazyLock;

use waybill_domain::country::Country;

/// What the countries do that the file does not name: all of continental Europe.
const OTHERWISE: &str = "code city | area";

static FORMS: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| {
    let lines = include_str!("../../../assets/address_forms.txt").lines();
    lines.filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once(' ')).collect()
});

/// Postal code, city, area and country of an address.
type Parts<'a> = (&'a str, &'a str, Option<&'a str>, Option<Country>);

/// The rows between street and country: whether each names the city or its code, the field that its
/// problems belong to, which is the longest in it, and its text.
pub(super) fn rows((code, city, area, country): Parts) -> Vec<(bool, &'static str, String)> {
    let form = country.and_then(|country| FORMS.get(country.code())).unwrap_or(&OTHERWISE);
    let value = |name: &str| match name {
        "code" => ("postal_code", code),
        "city" => ("city", city),
        _ => ("administrative_area", area.unwrap_or_default()),
    };
    let row = |row: &str| {
        let (mut text, mut longest, mut is_city) = (String::new(), ("", ""), false);
        for word in row.split_whitespace() {
            // A sign before a name stands before its value, and goes when there is none.
            let name = word.trim_start_matches([',', '-']);
            let (field, value) = value(name);
            if value.is_empty() {
                continue;
            }
            match word.strip_suffix(name) {
                _ if text.is_empty() => {}
                Some(",") => text.push_str(", "),
                Some("-") => text.push_str(" - "),
                _ => text.push(' '),
            }
            text.push_str(value);
            is_city |= name != "area";
            if value.chars().count() > longest.1.chars().count() {
                longest = (field, value);
            }
        }
        (!text.is_empty()).then_some((is_city, longest.0, text))
    };
    form.split('|').filter_map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(country: &str, code: &str, city: &str, area: Option<&str>) -> String {
        let rows = rows((code, city, area, Country::parse(country)));
        rows.into_iter().map(|(_, _, text)| text).collect::<Vec<_>>().join(" / ")
    }

    #[test]
    fn each_country_has_its_postal_code_where_its_post_looks_for_it() {
        assert_eq!(form("DK", "2300", "København S", None), "2300 København S");
        assert_eq!(form("DE", "80331", "München", Some("Bayern")), "80331 München / Bayern");
        assert_eq!(form("US", "02138", "Cambridge", Some("MA")), "Cambridge, MA 02138");
        assert_eq!(form("US", "02138", "Cambridge", None), "Cambridge 02138");
        assert_eq!(form("CA", "K1A 0B1", "Ottawa", Some("ON")), "Ottawa ON K1A 0B1");
        assert_eq!(form("GB", "SW1A 2AA", "London", None), "London / SW1A 2AA");
        assert_eq!(
            form("GB", "CB3 0FD", "Cambridge", Some("Cambs")),
            "Cambridge / Cambs / CB3 0FD"
        );
        assert_eq!(form("NL", "1012 JS", "Amsterdam", None), "1012 JS Amsterdam");
        assert_eq!(form("IT", "00144", "Roma", Some("RM")), "00144 Roma RM");
        assert_eq!(form("BR", "01310-100", "São Paulo", Some("SP")), "São Paulo - SP / 01310-100");
    }

    #[test]
    fn every_line_of_the_file_names_a_country_and_all_its_parts_once() {
        for (code, form) in FORMS.iter() {
            assert!(Country::parse(code).is_some(), "{code}");
            let mut names: Vec<&str> = form
                .split(['|', ' '])
                .map(|word| word.trim_start_matches([',', '-']))
                .filter(|name| !name.is_empty())
                .collect();
            names.sort_unstable();
            assert_eq!(names, ["area", "city", "code"], "{code}");
        }
    }
}
