//! Data in a field: escapes, and the way Code 128 values are spelled for a printer.

use crate::symbol::code128::{self, FNC1, START_B, START_C, TO_B, TO_C};
use crate::symbol::{Symbol, Symbology};

const HEX: &[u8; 16] = b"0123456789ABCDEF";

/// Writes text so that none of it is a command, whatever prefixes the printer listens to: letters
/// and a few signs as they are, every other byte as `_` and two digits.
pub(crate) fn escape(out: &mut String, text: &str) {
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b" .-/:;()<>=+".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push('_');
            out.push(char::from(HEX[usize::from(byte >> 4)]));
            out.push(char::from(HEX[usize::from(byte & 15)]));
        }
    }
}

/// The bytes of an escaped field.
pub(crate) fn unescape(data: &[u8], mark: u8) -> Vec<u8> {
    let digit = |byte: Option<&u8>| char::from(*byte?).to_digit(16);
    let mut bytes = Vec::with_capacity(data.len());
    let mut at = 0;
    while let Some(byte) = data.get(at) {
        match (digit(data.get(at + 1)), digit(data.get(at + 2))) {
            (Some(high), Some(low)) if *byte == mark => {
                bytes.push((high * 16 + low) as u8);
                at += 3;
            }
            _ => {
                bytes.push(*byte);
                at += 1;
            }
        }
    }
    bytes
}

/// The data of a Code 128 field in mode N: every start, switch and function code is spelled out,
/// so the printer draws exactly the bars that were checked.
pub(crate) fn code128(symbol: &Symbol) -> String {
    let is_gs1 = symbol.symbology == Symbology::Gs1Code128;
    let values = code128::values(&symbol.content, is_gs1).unwrap_or_default();
    let mut data = String::with_capacity(values.len() * 2 + 4);
    let mut in_c = false;
    for value in values {
        match value {
            START_B => data.push_str(">:"),
            START_C => data.push_str(">;"),
            FNC1 => data.push_str(">8"),
            TO_C if !in_c => data.push_str(">5"),
            TO_B if in_c => data.push_str(">6"),
            pair if in_c => {
                data.push(char::from(b'0' + pair / 10));
                data.push(char::from(b'0' + pair % 10));
            }
            letter => match char::from(letter + b' ') {
                '>' => data.push_str(">0"),
                '^' => data.push_str("><"),
                '~' => data.push_str(">="),
                plain => data.push(plain),
            },
        }
        in_c = matches!(value, START_C | TO_C) || (in_c && value != TO_B);
    }
    data
}

/// The Code 128 values of such data.
pub(crate) fn read_code128(data: &[u8]) -> Option<Vec<u8>> {
    let mut values = Vec::with_capacity(data.len());
    let mut in_c = false;
    let mut rest = data;
    loop {
        rest = match rest {
            [] => return Some(values),
            [b'>', b':', rest @ ..] if values.is_empty() => (values.push(START_B), rest).1,
            [b'>', b';', rest @ ..] if values.is_empty() => {
                in_c = true;
                (values.push(START_C), rest).1
            }
            [b'>', b'8', rest @ ..] => (values.push(FNC1), rest).1,
            [b'>', b'5', rest @ ..] if !in_c => {
                in_c = true;
                (values.push(TO_C), rest).1
            }
            [b'>', b'6', rest @ ..] if in_c => {
                in_c = false;
                (values.push(TO_B), rest).1
            }
            [b'>', b'0', rest @ ..] if !in_c => (values.push(b'>' - b' '), rest).1,
            [b'>', b'<', rest @ ..] if !in_c => (values.push(b'^' - b' '), rest).1,
            [b'>', b'=', rest @ ..] if !in_c => (values.push(b'~' - b' '), rest).1,
            [b'>', ..] => return None,
            [a @ b'0'..=b'9', b @ b'0'..=b'9', rest @ ..] if in_c => {
                (values.push((a - b'0') * 10 + b - b'0'), rest).1
            }
            [letter @ b' '..=b'~', rest @ ..] if !in_c => (values.push(letter - b' '), rest).1,
            _ => return None,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escaped_text_has_no_prefix_and_reads_back() {
        let hostile = "A^XZ~JR,_\\\u{1e}XZ\u{10}\n{}æ日! U1 setvar";
        let mut out = String::new();
        escape(&mut out, hostile);
        assert!(
            !out.bytes().any(|b| b"^~,\\{}!".contains(&b) || !(b' '..=b'~').contains(&b)),
            "{out}"
        );
        assert_eq!(unescape(out.as_bytes(), b'_'), hostile.as_bytes());
    }

    #[test]
    fn code_128_data_reads_back_to_the_same_values() {
        for content in ["A>B^C~D", "123456", "AB123456", "12345", "0037012345>678901234567"] {
            let symbol = Symbol::new(Symbology::Code128, content).unwrap();
            let values = code128::values(content, false).unwrap();
            assert_eq!(read_code128(code128(&symbol).as_bytes()), Some(values), "{content}");
        }
        let symbol = Symbol::new(Symbology::Gs1Code128, "(10)AB(21)123456").unwrap();
        let values = read_code128(code128(&symbol).as_bytes()).unwrap();
        assert_eq!(code128::text(&values, true).as_deref(), Some("10AB\u{1d}21123456"));
    }
}
