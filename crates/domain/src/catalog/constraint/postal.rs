//! Postal codes as masks: `999_99` is three digits, a space or nothing, two digits.

/// Whether the text fits the mask.
pub fn fits(mask: &str, text: &str) -> bool {
    let Some(want) = mask.chars().next() else { return text.is_empty() };
    let rest = &mask[want.len_utf8()..];
    if want == '_' && fits(rest, text) {
        return true;
    }
    let Some(c) = text.chars().next() else { return false };
    let is_good = match want {
        '9' => c.is_ascii_digit(),
        'A' => c.is_ascii_alphabetic(),
        '_' => c == ' ',
        other => c == other,
    };
    is_good && fits(rest, &text[c.len_utf8()..])
}

/// The masks as one regular expression of JSON Schema.
pub fn pattern(masks: &[String]) -> String {
    let one = |mask: &String| -> String { mask.chars().map(piece).collect() };
    format!("^(?:{})$", masks.iter().map(one).collect::<Vec<_>>().join("|"))
}

fn piece(want: char) -> String {
    match want {
        '9' => "[0-9]".to_owned(),
        'A' => "[A-Za-z]".to_owned(),
        '_' => " ?".to_owned(),
        other if other.is_ascii_alphanumeric() || other == ' ' || other == '-' => other.to_string(),
        other => format!("\\u{:04x}", u32::from(other)),
    }
}

/// A mask as people read it: `123 45`.
pub fn example(masks: &[String]) -> String {
    let mask = masks.first().map_or("", String::as_str);
    let mut digits = ('1'..='9').cycle();
    let mut letters = ('A'..='Z').cycle();
    let letter = |want| match want {
        '9' => digits.next().unwrap_or('1'),
        'A' => letters.next().unwrap_or('A'),
        '_' => ' ',
        other => other,
    };
    mask.chars().map(letter).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mask_stands_for_digits_letters_and_an_optional_space() {
        for good in ["11122", "111 22"] {
            assert!(fits("999_99", good), "{good}");
        }
        for bad in ["1112", "111  22", "111-22", "111 222", "1११ 22", ""] {
            assert!(!fits("999_99", bad), "{bad}");
        }
        assert!(fits("9999_AA", "1011ab"));
        assert_eq!(pattern(&["999_99".into()]), "^(?:[0-9][0-9][0-9] ?[0-9][0-9])$");
        assert_eq!(example(&["9999_AA".into()]), "1234 AB");
    }
}
