//! The six languages we speak, and which one a caller gets.

use std::fmt;

/// A language that every message and name is available in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Language {
    /// English, the fallback of all.
    En,
    /// Danish.
    Da,
    /// Swedish.
    Sv,
    /// Norwegian bokmål.
    Nb,
    /// Finnish.
    Fi,
    /// German.
    De,
}

/// So many ranges of an `Accept-Language` header are read; nobody speaks more.
const RANGES_MAX: usize = 20;

impl Language {
    /// All of them, the fallback first.
    pub const ALL: [Language; 6] =
        [Language::En, Language::Da, Language::Sv, Language::Nb, Language::Fi, Language::De];

    /// The BCP 47 tag.
    pub fn tag(self) -> &'static str {
        match self {
            Language::En => "en",
            Language::Da => "da",
            Language::Sv => "sv",
            Language::Nb => "nb",
            Language::Fi => "fi",
            Language::De => "de",
        }
    }

    /// Reads one of our tags, exactly.
    pub fn parse(tag: &str) -> Option<Language> {
        Language::ALL.into_iter().find(|language| language.tag() == tag)
    }

    /// RFC 4647 lookup: the caller's ranges by weight, each shortened until one fits, then the
    /// team's language. `*` and an empty header mean the team's language too.
    pub fn look_up(accept: Option<&str>, team: Language) -> Language {
        let mut ranges: Vec<(u16, &str)> = accept
            .unwrap_or_default()
            .split(',')
            .filter(|item| !item.trim().is_empty())
            .take(RANGES_MAX)
            .filter_map(weighted)
            .filter(|(weight, _)| *weight > 0)
            .collect();
        // Stable: among equal weights the first written wins.
        ranges.sort_by_key(|(weight, _)| std::cmp::Reverse(*weight));
        for (_, range) in ranges {
            if range == "*" {
                return team;
            }
            if let Some(language) = shortened(range) {
                return language;
            }
        }
        team
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.tag())
    }
}

/// One range with its weight in thousandths. A range with a bad weight is ignored.
fn weighted(item: &str) -> Option<(u16, &str)> {
    let mut parts = item.split(';').map(str::trim);
    let range = parts.next().filter(|range| !range.is_empty())?;
    let Some(parameter) = parts.next() else { return Some((1000, range)) };
    let weight = parameter.strip_prefix("q=").or_else(|| parameter.strip_prefix("Q="))?;
    Some((thousandths(weight)?, range))
}

/// `0`, `0.8`, `1.000`: the grammar of RFC 9110 for weights.
fn thousandths(weight: &str) -> Option<u16> {
    let (whole, part) = weight.split_once('.').unwrap_or((weight, ""));
    if part.len() > 3 || !part.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let part: u16 = format!("{part:0<3}").parse().ok()?;
    match (whole, part) {
        ("0", part) => Some(part),
        ("1", 0) => Some(1000),
        _ => None,
    }
}

/// Cuts subtags off the end until the rest is a language of ours.
fn shortened(range: &str) -> Option<Language> {
    let primary = range.split('-').next()?.to_ascii_lowercase();
    match primary.as_str() {
        // Who asks for Norwegian, or for nynorsk, is best served with bokmål.
        "no" | "nn" => Some(Language::Nb),
        tag => Language::parse(tag),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look_up(accept: &str) -> Language {
        Language::look_up(Some(accept), Language::Sv)
    }

    #[test]
    fn the_callers_wish_comes_before_the_teams_language() {
        assert_eq!(look_up("da-DK"), Language::Da);
        assert_eq!(look_up("da;q=0.5, de;q=0.8"), Language::De);
        assert_eq!(look_up("fr, fi;q=0.1"), Language::Fi);
        assert_eq!(look_up("DE-at"), Language::De);
        assert_eq!(look_up("no"), Language::Nb);
    }

    #[test]
    fn without_a_wish_that_we_can_meet_the_team_decides() {
        for accept in ["", "*", "fr", "da;q=0", ";;;,,,", "da;q=2", "da;q=x", "xx-da"] {
            assert_eq!(look_up(accept), Language::Sv, "{accept}");
        }
        assert_eq!(Language::look_up(None, Language::Fi), Language::Fi);
    }

    #[test]
    fn only_the_first_twenty_ranges_are_read() {
        assert_eq!(look_up(&format!("{}da", "fr,".repeat(19))), Language::Da);
        assert_eq!(look_up(&format!("{}da", "fr,".repeat(20))), Language::Sv);
    }
}
