//! Texts as carriers take them.

use waybill_domain::party::Address;

/// Where spaces belong to a postal code.
const SPACED: [&str; 4] = ["GB", "IE", "MT", "CA"];

/// A phone number without spaces, dots, brackets, hyphens and slashes.
pub fn phone(number: &str) -> String {
    number.chars().filter(|c| !c.is_whitespace() && !".()[]-/".contains(*c)).collect()
}

/// The postal code without its spaces, but for the countries in which they belong to it.
pub fn postal_code(address: &Address) -> String {
    match SPACED.contains(&address.country.code()) {
        true => address.postal_code.clone(),
        false => address.postal_code.chars().filter(|c| !c.is_whitespace()).collect(),
    }
}

/// At most so many characters of a text, cut at the end of a word where there is one.
pub fn cut(text: &str, max: usize) -> &str {
    let text = text.trim();
    let Some((end, next)) = text.char_indices().nth(max) else { return text };
    let kept = &text[..end];
    let ends_a_word = next.is_whitespace();
    let word_end = kept.rfind(char::is_whitespace).filter(|_| !ends_a_word);
    word_end.map_or(kept, |at| &kept[..at]).trim_end()
}

/// A value as one segment of a path or a query.
pub fn escape(value: &str) -> String {
    let mut escaped = String::with_capacity(value.len());
    for byte in value.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            escaped.push(char::from(byte));
        } else {
            escaped.push_str(&format!("%{byte:02X}"));
        }
    }
    escaped
}

/// A query of these names and values, without those that have nothing to say.
pub fn query<'a>(pairs: impl IntoIterator<Item = (&'a str, String)>) -> String {
    let pairs = pairs.into_iter().filter(|(_, value)| !value.is_empty());
    let pairs = pairs.map(|(name, value)| format!("{name}={}", escape(&value)));
    pairs.collect::<Vec<_>>().join("&")
}

#[cfg(test)]
mod tests {
    use waybill_domain::country::Country;

    use super::*;

    #[test]
    fn a_phone_number_keeps_its_plus_alone() {
        assert_eq!(phone("+45 (30) 27.47-3/5"), "+4530274735");
    }

    #[test]
    fn spaces_leave_a_postal_code_except_where_they_belong_to_it() {
        let code = |country, code: &str| {
            let country = Country::parse(country).unwrap();
            postal_code(&Address { country, postal_code: code.to_owned(), ..Address::default() })
        };
        assert_eq!(code("SE", "111 22"), "11122");
        for country in ["GB", "IE", "MT", "CA"] {
            assert_eq!(code(country, "AB1 2CD"), "AB1 2CD", "{country}");
        }
    }

    #[test]
    fn a_text_is_cut_at_the_end_of_a_word() {
        assert_eq!(cut("Books and maps", 14), "Books and maps");
        assert_eq!(cut("Books and maps", 13), "Books and");
        assert_eq!(cut("Books and maps", 9), "Books and");
        assert_eq!(cut("Books and maps", 10), "Books and");
        assert_eq!(cut("Bøgerogkort", 5), "Bøger");
        assert_eq!(cut("  ", 5), "");
    }

    #[test]
    fn a_query_is_utf_8_and_says_nothing_of_what_is_empty() {
        let pairs = [("navn", "Åse & Co".to_owned()), ("email", String::new())];
        assert_eq!(query(pairs), "navn=%C3%85se%20%26%20Co");
    }
}
