//! Numbers, amounts and dates the way each language writes them.

use jiff::civil::Date;
use waybill_domain::country::Country;
use waybill_domain::language::Language;
use waybill_domain::measure::{Currency, Money, Weight};

/// A space that no line breaks at.
const HARD_SPACE: char = '\u{a0}';

/// Between thousands, and before decimals.
fn signs(language: Language) -> (char, char) {
    match language {
        Language::En => (',', '.'),
        Language::Da | Language::De => ('.', ','),
        Language::Sv | Language::Nb | Language::Fi => (HARD_SPACE, ','),
    }
}

/// A number that is given in its smallest part, such as 1234567 with two decimals: 12.345,67.
pub(crate) fn decimal(parts: i128, decimals: u16, language: Language) -> String {
    let (thousands, point) = signs(language);
    let base = 10_u128.saturating_pow(u32::from(decimals.min(20)));
    let whole = (parts.unsigned_abs() / base).to_string();
    let mut text = String::with_capacity(whole.len() * 2);
    if parts < 0 {
        text.push('-');
    }
    for (index, digit) in whole.char_indices() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) {
            text.push(thousands);
        }
        text.push(digit);
    }
    if decimals > 0 {
        let rest = parts.unsigned_abs() % base;
        text.push(point);
        text.push_str(&format!("{rest:0>width$}", width = usize::from(decimals)));
    }
    text
}

/// A whole number.
pub(crate) fn count(number: i64, language: Language) -> String {
    decimal(i128::from(number), 0, language)
}

/// An amount without its currency.
pub(crate) fn amount(money: Money, language: Language) -> String {
    decimal(i128::from(money.minor), money.currency.decimals(), language)
}

/// An amount with its currency.
pub(crate) fn money(money: Money, language: Language) -> String {
    format!("{}{HARD_SPACE}{}", money.currency.code(), amount(money, language))
}

/// A sum of amounts with their currency.
pub(crate) fn sum(minor: i128, currency: Currency, language: Language) -> String {
    format!("{}{HARD_SPACE}{}", currency.code(), decimal(minor, currency.decimals(), language))
}

/// A weight in kilograms, to the gram.
pub(crate) fn kilograms(grams: i64, language: Language) -> String {
    format!("{}{HARD_SPACE}kg", decimal(i128::from(grams), 3, language))
}

/// A single weight: without the last decimal where that says nothing.
pub(crate) fn weight(weight: Weight, language: Language) -> String {
    match weight.grams() {
        grams if grams % 10 == 0 => {
            format!("{}{HARD_SPACE}kg", decimal(i128::from(grams / 10), 2, language))
        }
        grams => kilograms(grams, language),
    }
}

/// A day.
pub(crate) fn date(date: Date, language: Language) -> String {
    let (year, month, day) = (date.year(), date.month(), date.day());
    match language {
        // Figures alone would be read differently on either side of the ocean.
        Language::En => format!("{day} {} {year}", english_month(month)),
        Language::Sv => format!("{year:04}-{month:02}-{day:02}"),
        Language::Da | Language::Nb | Language::De => format!("{day:02}.{month:02}.{year:04}"),
        Language::Fi => format!("{day}.{month}.{year:04}"),
    }
}

fn english_month(month: i8) -> &'static str {
    match month {
        1 => "Jan",
        2 => "Feb",
        3 => "Mar",
        4 => "Apr",
        5 => "May",
        6 => "Jun",
        7 => "Jul",
        8 => "Aug",
        9 => "Sep",
        10 => "Oct",
        11 => "Nov",
        _ => "Dec",
    }
}

/// The country's English name, which postal services of every country read.
pub(crate) fn country(country: Country) -> &'static str {
    let names = include_str!("../assets/countries.txt").lines();
    let mut entries = names.filter_map(|line| line.split_once(' '));
    entries.find(|(code, _)| *code == country.code()).map_or("", |(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_follow_their_language() {
        let written = |language| decimal(123_456_789, 2, language);
        assert_eq!(written(Language::En), "1,234,567.89");
        assert_eq!(written(Language::Da), "1.234.567,89");
        assert_eq!(written(Language::De), "1.234.567,89");
        assert_eq!(written(Language::Sv), "1\u{a0}234\u{a0}567,89");
        assert_eq!(decimal(-5, 3, Language::En), "-0.005");
        assert_eq!(decimal(999, 0, Language::Fi), "999");
    }

    #[test]
    fn dates_follow_their_language() {
        let day = jiff::civil::date(2026, 3, 7);
        let written = Language::ALL.map(|language| date(day, language));
        assert_eq!(written.len(), 6);
        assert_eq!(date(day, Language::En), "7 Mar 2026");
        assert_eq!(date(day, Language::Da), "07.03.2026");
        assert_eq!(date(day, Language::Sv), "2026-03-07");
        assert_eq!(date(day, Language::Fi), "7.3.2026");
    }

    #[test]
    fn currencies_have_their_own_decimals() {
        let money = |minor, code| Money { minor, currency: Currency::parse(code).unwrap() };
        assert_eq!(amount(money(123_456, "DKK"), Language::En), "1,234.56");
        assert_eq!(amount(money(123_456, "JPY"), Language::En), "123,456");
        assert_eq!(amount(money(123_456, "KWD"), Language::En), "123.456");
        assert_eq!(amount(money(i64::MAX, "DKK"), Language::En), "92,233,720,368,547,758.07");
    }

    #[test]
    fn every_country_has_a_name() {
        assert_eq!(country(Country::parse("DK").unwrap()), "Denmark");
        assert_eq!(country(Country::parse("GB").unwrap()), "United Kingdom");
    }
}
