//! The ways in which a text is written inside others: in an address, a form, JSON or a page.

/// Where a cut text may still be told by its beginning.
const CUT_MIN: usize = 4;
const CUT_MAX: usize = 8;
/// No entity of a page is longer, with its signs.
const ENTITY_MAX: usize = 10;
/// The letters that JSON writes after a backslash.
const ESCAPES: [(u8, char); 8] = [
    (b'"', '"'),
    (b'\\', '\\'),
    (b'/', '/'),
    (b'b', '\u{8}'),
    (b'f', '\u{c}'),
    (b'n', '\n'),
    (b'r', '\r'),
    (b't', '\t'),
];
const ENTITIES: [(&str, char); 5] =
    [("amp", '&'), ("lt", '<'), ("gt", '>'), ("quot", '"'), ("apos", '\'')];

/// How exactly a text must stand there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Precision {
    /// Letter by letter.
    Exact,
    /// In capitals or not.
    AnyCase,
    /// The same, and the end of it may have been cut off with all that followed.
    Cut,
}

/// Where a text ends that these bytes begin with, each of its letters in any spelling.
pub fn end(rest: &[u8], text: &str, precision: Precision) -> Option<usize> {
    let mut letters = text.chars();
    let mut ends = Vec::new();
    spellings(rest, letters.next()?, precision, |length| ends.push(length));
    let enough = (text.chars().count() / 2).clamp(CUT_MIN, CUT_MAX);
    for (read, letter) in letters.enumerate() {
        if ends.is_empty() {
            return None;
        }
        let is_known = precision == Precision::Cut && read + 1 >= enough;
        if is_known && ends.iter().any(|end| is_cut(&rest[*end..])) {
            return Some(rest.len());
        }
        let mut next = Vec::new();
        for end in ends {
            spellings(&rest[end..], letter, precision, |length| {
                if !next.contains(&(end + length)) {
                    next.push(end + length);
                }
            });
        }
        ends = next;
    }
    ends.into_iter().max()
}

/// Whether nothing stands there but perhaps the beginning of a letter.
fn is_cut(rest: &[u8]) -> bool {
    rest.is_empty() || (rest.len() < ENTITY_MAX && matches!(rest[0], b'%' | b'\\' | b'&'))
}

/// Whether the text ends with a letter that is written in another way: what follows is no part of
/// the same word.
pub fn ends_escaped(text: &[u8]) -> bool {
    match text {
        [.., b'%', a, b] => [a, b].iter().all(|digit| digit.is_ascii_hexdigit()),
        [.., b'\\', b'u', a, b, c, d] => [a, b, c, d].iter().all(|it| it.is_ascii_hexdigit()),
        [.., b'\\', b'b' | b'f' | b'n' | b'r' | b't'] => true,
        _ => false,
    }
}

/// Tells how many bytes a letter takes in each spelling that these bytes begin with.
fn spellings(rest: &[u8], letter: char, precision: Precision, mut found: impl FnMut(usize)) {
    let mut buffer = [0; 4];
    let own = letter.encode_utf8(&mut buffer).as_bytes();
    let start = rest.get(..own.len()).unwrap_or_default();
    let is_same = match precision {
        Precision::Exact => start == own,
        Precision::AnyCase | Precision::Cut => start.eq_ignore_ascii_case(own),
    };
    if is_same {
        found(own.len());
    }
    match rest.first() {
        Some(b'+') if letter == ' ' => found(1),
        Some(b'%') if is_in_address(rest, own) => found(own.len() * 3),
        Some(b'\\') => in_json(rest, letter).into_iter().for_each(found),
        Some(b'&') => in_page(rest, letter).into_iter().for_each(found),
        _ => {}
    }
}

/// `%C3%B8`
fn is_in_address(rest: &[u8], own: &[u8]) -> bool {
    let is_byte = |(place, byte): (usize, &u8)| match rest.get(place * 3..place * 3 + 3) {
        Some([b'%', digits @ ..]) => number(digits, 16) == Some(u32::from(*byte)),
        _ => false,
    };
    own.iter().enumerate().all(is_byte)
}

/// `\"`, `\u00f8`
fn in_json(rest: &[u8], letter: char) -> Option<usize> {
    let escaped = ESCAPES.iter().find(|(_, meant)| *meant == letter);
    if escaped.is_some_and(|(written, _)| rest.get(1) == Some(written)) {
        return Some(2);
    }
    let mut units = [0; 2];
    let units = letter.encode_utf16(&mut units);
    let is_unit = |(place, unit): (usize, &u16)| match rest.get(place * 6..place * 6 + 6) {
        Some([b'\\', b'u', digits @ ..]) => number(digits, 16) == Some(u32::from(*unit)),
        _ => false,
    };
    units.iter().enumerate().all(is_unit).then_some(units.len() * 6)
}

/// `&amp;`, `&#38;`, `&#x26;`
fn in_page(rest: &[u8], letter: char) -> Option<usize> {
    let end = rest.iter().take(ENTITY_MAX).position(|byte| *byte == b';')?;
    let is_meant = match &rest[1..end] {
        [b'#', b'x' | b'X', digits @ ..] => number(digits, 16) == Some(u32::from(letter)),
        [b'#', digits @ ..] => number(digits, 10) == Some(u32::from(letter)),
        name => ENTITIES.iter().any(|(it, meant)| it.as_bytes() == name && *meant == letter),
    };
    is_meant.then_some(end + 1)
}

fn number(digits: &[u8], radix: u32) -> Option<u32> {
    let digits = std::str::from_utf8(digits).ok()?;
    u32::from_str_radix(digits, radix).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_known_in_every_spelling_and_any_mixture_of_them() {
        let text = "a b&ø\"/\u{1f600}";
        for written in [
            "a b&ø\"/\u{1f600}",
            "a+b%26%C3%B8%22%2F%F0%9F%98%80",
            "a%20b%26%c3%b8%22/%f0%9f%98%80",
            "a b&\\u00f8\\\"\\/\\ud83d\\ude00",
            "a b&amp;&#xF8;&quot;&#47;&#128512;",
            "\\u0061%20b&#38;ø\\u0022/\u{1f600}",
        ] {
            let rest = format!("{written} and more");
            let found = end(rest.as_bytes(), text, Precision::Exact);
            assert_eq!(found, Some(written.len()), "{written}");
        }
        for other in ["a b&ø\"", "a-b&ø\"/\u{1f600}", "A b&ø\"/\u{1f600}", "a%2b&ø", ""] {
            assert_eq!(end(other.as_bytes(), text, Precision::Exact), None, "{other}");
        }
        assert_eq!(end(b"A+B", "a b", Precision::AnyCase), Some(3));
    }

    #[test]
    fn signs_that_begin_a_spelling_are_also_meant_as_they_are() {
        for (written, text) in [("50%25", "50%25"), ("a&b;c", "a&b;c"), ("x\\n+", "x\\n+")] {
            assert_eq!(end(written.as_bytes(), text, Precision::Exact), Some(written.len()));
        }
        assert_eq!(end(b"50%2525", "50%25", Precision::Exact), Some(7));
    }

    #[test]
    fn the_beginning_of_a_text_counts_only_where_everything_ends() {
        let text = "hush-hush-hush";
        for written in ["hush-hu", "hush-hush%", "HUSH-HUSH&#4", "hush-hush\\u00"] {
            let found = end(written.as_bytes(), text, Precision::Cut);
            assert_eq!(found, Some(written.len()), "{written}");
            assert_eq!(end(written.as_bytes(), text, Precision::AnyCase), None, "{written}");
        }
        for written in ["hush", "hush-hu sh", "hush-hush, and so on"] {
            assert_eq!(end(written.as_bytes(), text, Precision::Cut), None, "{written}");
        }
    }

    #[test]
    fn a_word_begins_after_a_letter_in_another_spelling() {
        for before in ["kode%3D", "\\u003d", "line\\n"] {
            assert!(ends_escaped(before.as_bytes()), "{before}");
        }
        for before in ["3D", "%3", "n", "u003d", ""] {
            assert!(!ends_escaped(before.as_bytes()), "{before}");
        }
    }
}
