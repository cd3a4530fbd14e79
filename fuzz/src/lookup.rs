//! Which language a caller gets: RFC 4647, section 3.4, with the weights and lists of RFC 9110.
//!
//! What those leave open is as the domain documents it: the first twenty ranges count, a range with
//! a bad weight is no wish, `*` means the team's language, and any Norwegian is bokmål.

use std::sync::LazyLock;

use waybill_domain::language::Language;

const RANGES_MAX: usize = 20;

/// The language, found the slow way.
pub fn look_up(header: &str, team: Language) -> Language {
    let wishes = wishes(header);
    for weight in (1..=1000).rev() {
        for (range, _) in wishes.iter().filter(|wish| wish.1 == weight) {
            if range == "*" {
                return team;
            }
            if let Some(language) = truncate_until_known(range) {
                return language;
            }
        }
    }
    team
}

/// The ranges with their weights in thousandths, as written. Empty elements of the list do not
/// count (RFC 9110, section 5.6.1.2).
fn wishes(header: &str) -> Vec<(String, u32)> {
    let elements = header.split(',').map(strip).filter(|element| !element.is_empty());
    elements.take(RANGES_MAX).filter_map(wish).collect()
}

/// `language-range [ OWS ";" OWS "q=" qvalue ]`. What follows a good weight is not looked at.
fn wish(element: &str) -> Option<(String, u32)> {
    let pieces: Vec<&str> = element.split(';').map(strip).collect();
    if pieces[0].is_empty() {
        return None;
    }
    let weight = match pieces.get(1) {
        None => 1000,
        Some(weight) if weight.to_ascii_lowercase().starts_with("q=") => thousandths(&weight[2..])?,
        Some(_) => return None,
    };
    Some((pieces[0].to_owned(), weight))
}

/// The one weight in thousandths of which this is a spelling.
fn thousandths(text: &str) -> Option<u32> {
    static FULL: LazyLock<Vec<String>> =
        LazyLock::new(|| (0..=1000).map(|n| format!("{}.{:03}", n / 1000, n % 1000)).collect());
    FULL.iter().zip(0..).find(|(full, _)| is_short_for(text, full)).map(|(_, weight)| weight)
}

/// `"0" [ "." 0*3DIGIT ]` or `"1" [ "." 0*3"0" ]`: nothing but zeros and the point is left out.
fn is_short_for(text: &str, full: &str) -> bool {
    let is_nothing = |cut: &str| cut.bytes().all(|byte| byte == b'0' || byte == b'.');
    full.strip_prefix(text).is_some_and(|cut| !text.is_empty() && is_nothing(cut))
}

/// Takes subtags off the end until the rest is a language of ours. A single letter or digit that
/// comes to stand last goes with what it introduced.
fn truncate_until_known(range: &str) -> Option<Language> {
    let mut subtags: Vec<String> = range.split('-').map(str::to_ascii_lowercase).collect();
    while !subtags.is_empty() {
        if let Some(language) = known(&subtags.join("-")) {
            return Some(language);
        }
        subtags.pop();
        if subtags.last().is_some_and(|last| last.len() == 1) {
            subtags.pop();
        }
    }
    None
}

fn known(tag: &str) -> Option<Language> {
    Some(match tag {
        "en" => Language::En,
        "da" => Language::Da,
        "sv" => Language::Sv,
        "nb" | "nn" | "no" => Language::Nb,
        "fi" => Language::Fi,
        "de" => Language::De,
        _ => return None,
    })
}

/// Without the spaces and tabs around it.
fn strip(text: &str) -> &str {
    text.trim_matches([' ', '\t'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_spelt_as_rfc_9110_says() {
        for (text, weight) in [("0", 0), ("0.", 0), ("0.8", 800), ("0.05", 50), ("1.000", 1000)] {
            assert_eq!(thousandths(text), Some(weight), "{text}");
        }
        for bad in ["", ".5", "00.5", "1.001", "2", "0.1234", "1.0000", "-0", "0.x"] {
            assert_eq!(thousandths(bad), None, "{bad}");
        }
    }

    #[test]
    fn the_heaviest_range_that_is_known_wins() {
        assert_eq!(look_up("fr, da;q=0.1, de-x-y;q=0.2", Language::Sv), Language::De);
        assert_eq!(look_up("nn-NO", Language::Sv), Language::Nb);
        assert_eq!(look_up("*, da", Language::Sv), Language::Sv);
    }
}
