//! Phone numbers as people write them at home, made into such as work from everywhere.

use std::sync::LazyLock;

use crate::country::Country;

/// The table, read off its text. A test holds the text to its form.
static RULES: LazyLock<Vec<Rule>> =
    LazyLock::new(|| include_str!("calling_codes.txt").lines().filter_map(Rule::read).collect());

/// How numbers are written in a country.
struct Rule {
    country: Country,
    code: &'static str,
    trunks: Vec<Trunk>,
}

/// What is dialled before a number at home, and not from abroad.
struct Trunk {
    digits: &'static str,
    /// Where numbers may begin with the same digits: how many a number has with them.
    length: Option<usize>,
}

impl Rule {
    fn read(line: &'static str) -> Option<Rule> {
        let mut columns = line.split('#').next()?.split_whitespace();
        let (country, code) = (Country::parse(columns.next()?)?, columns.next()?);
        let trunks = columns.map(|column| match column.split_once('/') {
            Some((digits, length)) => Trunk { digits, length: length.parse().ok() },
            None => Trunk { digits: column, length: None },
        });
        Some(Rule { country, code, trunks: trunks.collect() })
    }

    fn without_trunk<'a>(&self, number: &'a str) -> &'a str {
        let is_dialled = |trunk: &&Trunk| trunk.length.is_none_or(|length| number.len() == length);
        let mut trunks = self.trunks.iter().filter(is_dialled);
        trunks.find_map(|trunk| number.strip_prefix(trunk.digits)).unwrap_or(number)
    }
}

/// The number with the calling code of its country. What is not a number stays as it is, and so
/// does one of a country that is not known: whoever reads on says what is wrong.
pub fn international(text: &str, country: Option<Country>) -> String {
    let plain: String = text.chars().filter(|c| !is_separator(*c)).collect();
    let (is_international, number) = match plain.strip_prefix('+').or(plain.strip_prefix("00")) {
        Some(number) => (true, number),
        None => (false, plain.as_str()),
    };
    if number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit()) {
        return text.to_owned();
    }
    if is_international {
        // A zero in parentheses is dialled at home alone.
        let home: String = text.replacen("(0)", "", 1);
        let home: String = home.chars().filter(|c| !is_separator(*c)).collect();
        let number = home.strip_prefix('+').or(home.strip_prefix("00")).unwrap_or(number);
        return format!("+{number}");
    }
    let rule = RULES.iter().find(|rule| Some(rule.country) == country);
    rule.map_or_else(
        || plain.clone(),
        |rule| format!("+{}{}", rule.code, rule.without_trunk(number)),
    )
}

/// What people put between digits: spaces, dashes, parentheses, dots and slashes.
fn is_separator(c: char) -> bool {
    let is_dash = matches!(c, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}');
    c.is_whitespace() || is_dash || matches!(c, '(' | ')' | '.' | '/')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patterns::is_e164;

    fn number(text: &str, country: &str) -> String {
        international(text, Country::parse(country))
    }

    #[test]
    fn every_country_has_one_line() {
        let countries: Vec<Country> = RULES.iter().map(|rule| rule.country).collect();
        assert_eq!(countries, Country::all().collect::<Vec<_>>());
        for rule in RULES.iter() {
            let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
            assert!((1..=3).contains(&rule.code.len()), "{}", rule.country);
            assert!(is_digits(rule.code) && !rule.code.starts_with('0'), "{}", rule.country);
            assert!(rule.trunks.iter().all(|trunk| is_digits(trunk.digits)), "{}", rule.country);
        }
    }

    #[test]
    fn a_number_gets_the_calling_code_of_its_country() {
        for (text, country, expected) in [
            ("30 27 47 35", "DK", "+4530274735"),
            ("30-27-47-35", "DK", "+4530274735"),
            ("070-123 45 67", "SE", "+46701234567"),
            ("08-123 456 78", "SE", "+46812345678"),
            ("412 34 567", "NO", "+4741234567"),
            ("050 123 4567", "FI", "+358501234567"),
            ("0151 23456789", "DE", "+4915123456789"),
            ("06 12345678", "NL", "+31612345678"),
            ("07911 123456", "GB", "+447911123456"),
            ("(212) 555-0123", "US", "+12125550123"),
            ("1 212 555 0123", "US", "+12125550123"),
            ("06 1234 5678", "IT", "+390612345678"),
            ("347 123 4567", "IT", "+393471234567"),
            ("06 20 123 4567", "HU", "+36201234567"),
            ("8 612 34567", "LT", "+37061234567"),
            ("0 612 34567", "LT", "+37061234567"),
            ("612 34567", "LT", "+37061234567"),
            ("800 12345", "LT", "+37080012345"),
            ("8 (812) 123-45-67", "RU", "+78121234567"),
            ("812 123-45-67", "RU", "+78121234567"),
            ("612 34 56 78", "ES", "+34612345678"),
            ("06.12.34.56.78", "FR", "+33612345678"),
            ("601 234 567", "PL", "+48601234567"),
            ("01 23 45 67 89", "CI", "+2250123456789"),
        ] {
            assert_eq!(number(text, country), expected, "{text} {country}");
            assert!(is_e164(expected));
        }
    }

    #[test]
    fn an_international_number_keeps_its_own_code() {
        for (text, expected) in [
            ("+45 30 27 47 35", "+4530274735"),
            ("0045 30274735", "+4530274735"),
            ("+46 (0)70 123 45 67", "+46701234567"),
            ("+46(70)1234567", "+46701234567"),
            ("0046 (0) 70-1234567", "+46701234567"),
        ] {
            assert_eq!(number(text, "DK"), expected, "{text}");
        }
    }

    #[test]
    fn what_is_not_a_number_stays_as_it_is() {
        for text in ["call me", "", "+", "00", "12a34", "+45+30274735", "()"] {
            assert_eq!(number(text, "DK"), text);
        }
        assert_eq!(international("30 27 47 35", None), "30274735");
    }
}
