//! Code 128: text to symbol values, values to bars, and both ways back (ISO/IEC 15417).

use super::Modules;

/// The function character that GS1 puts first and between elements.
pub(crate) const FNC1: u8 = 102;
pub(crate) const TO_C: u8 = 99;
pub(crate) const TO_B: u8 = 100;
pub(crate) const START_B: u8 = 104;
pub(crate) const START_C: u8 = 105;
const STOP: u8 = 106;
/// How a separator of GS1 elements is written in text.
pub(crate) const SEPARATOR: char = '\u{1d}';

/// The symbol values of a text without check digit and stop, in few modules.
pub(crate) fn values(text: &str, is_gs1: bool) -> Option<Vec<u8>> {
    let bytes = text.as_bytes();
    let mut values = Vec::with_capacity(bytes.len() + 4);
    let digits = |from: usize| {
        bytes.get(from..).unwrap_or_default().iter().take_while(|b| b.is_ascii_digit()).count()
    };
    let starts_with_pairs = digits(0) >= 4 || (digits(0) == bytes.len() && digits(0) == 2);
    let mut in_c = starts_with_pairs;
    values.push(if in_c { START_C } else { START_B });
    if is_gs1 {
        values.push(FNC1);
    }
    let mut at = 0;
    while let Some(byte) = bytes.get(at).copied() {
        let run = digits(at);
        if is_gs1 && byte == SEPARATOR as u8 {
            values.push(FNC1);
            at += 1;
        } else if in_c && run >= 2 {
            let pair = bytes.get(at..at + 2)?;
            values.push((pair.first()? - b'0') * 10 + (pair.get(1)? - b'0'));
            at += 2;
        } else if in_c {
            values.push(TO_B);
            in_c = false;
        } else if run >= 6 && run % 2 == 0 || run >= 4 && run % 2 == 0 && at + run == bytes.len() {
            values.push(TO_C);
            in_c = true;
        } else {
            // Set B without its control characters: they belong on no label.
            let is_plain = (b' '..=b'~').contains(&byte);
            values.push(is_plain.then(|| byte - b' ')?);
            at += 1;
        }
    }
    Some(values)
}

/// The text of symbol values, or nothing when they are none of ours.
pub(crate) fn text(values: &[u8], is_gs1: bool) -> Option<String> {
    let (start, mut rest) = values.split_first()?;
    let mut in_c = match *start {
        START_B => false,
        START_C => true,
        _ => return None,
    };
    if is_gs1 {
        let (first, others) = rest.split_first()?;
        rest = (*first == FNC1).then_some(others)?;
    }
    let mut text = String::with_capacity(rest.len() * 2);
    for value in rest {
        match *value {
            FNC1 if is_gs1 => text.push(SEPARATOR),
            pair @ 0..=99 if in_c => {
                text.push(char::from(b'0' + pair / 10));
                text.push(char::from(b'0' + pair % 10));
            }
            TO_B if in_c => in_c = false,
            TO_C => in_c = true,
            letter @ 0..=94 => text.push(char::from(letter + b' ')),
            _ => return None,
        }
    }
    Some(text)
}

/// The bars of symbol values, with check digit and stop.
pub(crate) fn modules(values: &[u8]) -> Option<Modules> {
    let mut bits = Vec::with_capacity(values.len() * 11 + 24);
    for value in values.iter().copied().chain([check_digit(values), STOP]) {
        let mut is_black = true;
        for width in WIDTHS.get(usize::from(value))?.bytes() {
            bits.extend(std::iter::repeat_n(is_black, usize::from(width - b'0')));
            is_black = !is_black;
        }
    }
    Some(Modules { width: bits.len() as u32, bits })
}

/// The symbol values of bars, when check digit and stop are right.
pub(crate) fn read(modules: &Modules) -> Option<Vec<u8>> {
    let widths: Vec<u8> = modules.bits.chunk_by(|a, b| a == b).map(|run| run.len() as u8).collect();
    let (body, stop) = widths.split_at_checked(widths.len().checked_sub(7)?)?;
    if !*modules.bits.first()? || body.len() % 6 != 0 || value_of(stop)? != STOP {
        return None;
    }
    let mut values: Vec<u8> = body.chunks(6).map(value_of).collect::<Option<_>>()?;
    let check = values.pop()?;
    (check == check_digit(&values)).then_some(values)
}

fn check_digit(values: &[u8]) -> u8 {
    let weighted =
        values.iter().enumerate().map(|(at, value)| at.max(1) as u32 * u32::from(*value));
    (weighted.sum::<u32>() % 103) as u8
}

fn value_of(widths: &[u8]) -> Option<u8> {
    let is_it = |text: &str| text.bytes().map(|b| b - b'0').eq(widths.iter().copied());
    WIDTHS.iter().position(|text| is_it(text)).map(|value| value as u8)
}

/// The widths of bars and spaces of each value, a bar first.
const WIDTHS: [&str; 107] = [
    "212222", "222122", "222221", "121223", "121322", "131222", "122213", "122312", "132212",
    "221213", "221312", "231212", "112232", "122132", "122231", "113222", "123122", "123221",
    "223211", "221132", "221231", "213212", "223112", "312131", "311222", "321122", "321221",
    "312212", "322112", "322211", "212123", "212321", "232121", "111323", "131123", "131321",
    "112313", "132113", "132311", "211313", "231113", "231311", "112133", "112331", "132131",
    "113123", "113321", "133121", "313121", "211331", "231131", "213113", "213311", "213131",
    "311123", "311321", "331121", "312113", "312311", "332111", "314111", "221411", "431111",
    "111224", "111422", "121124", "121421", "141122", "141221", "112214", "112412", "122114",
    "122411", "142112", "142211", "241211", "221114", "413111", "241112", "134111", "111242",
    "121142", "121241", "114212", "124112", "124211", "411212", "421112", "421211", "212141",
    "214121", "412121", "111143", "111341", "131141", "114113", "114311", "411113", "411311",
    "113141", "114131", "311141", "411131", "211412", "211214", "211232", "2331112",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_go_in_pairs_where_that_is_shorter() {
        assert_eq!(values("123456", false).unwrap(), [START_C, 12, 34, 56]);
        assert_eq!(values("A1", false).unwrap(), [START_B, 33, 17]);
        assert_eq!(values("AB123456", false).unwrap(), [START_B, 33, 34, TO_C, 12, 34, 56]);
        assert_eq!(values("12345", false).unwrap(), [START_C, 12, 34, TO_B, 21]);
    }

    #[test]
    fn no_two_values_have_the_same_bars() {
        for (index, widths) in WIDTHS.iter().enumerate() {
            let total: u32 = widths.bytes().map(|b| u32::from(b - b'0')).sum();
            assert_eq!(total, if index == 106 { 13 } else { 11 }, "{index}");
            assert!(!WIDTHS.iter().skip(index + 1).any(|other| other == widths));
        }
    }
}
