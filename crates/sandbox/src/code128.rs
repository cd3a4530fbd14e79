//! Code 128 (ISO/IEC 15417): text as bars.

/// The widths of bars and spaces of each symbol, in modules, beginning with a bar.
const SYMBOLS: [&[u8; 6]; 106] = [
    b"212222", b"222122", b"222221", b"121223", b"121322", b"131222", b"122213", b"122312",
    b"132212", b"221213", b"221312", b"231212", b"112232", b"122132", b"122231", b"113222",
    b"123122", b"123221", b"223211", b"221132", b"221231", b"213212", b"223112", b"312131",
    b"311222", b"321122", b"321221", b"312212", b"322112", b"322211", b"212123", b"212321",
    b"232121", b"111323", b"131123", b"131321", b"112313", b"132113", b"132311", b"211313",
    b"231113", b"231311", b"112133", b"112331", b"132131", b"113123", b"113321", b"133121",
    b"313121", b"211331", b"231131", b"213113", b"213311", b"213131", b"311123", b"311321",
    b"331121", b"312113", b"312311", b"332111", b"314111", b"221411", b"431111", b"111224",
    b"111422", b"121124", b"121421", b"141122", b"141221", b"112214", b"112412", b"122114",
    b"122411", b"142112", b"142211", b"241211", b"221114", b"413111", b"241112", b"134111",
    b"111242", b"121142", b"121241", b"114212", b"124112", b"124211", b"411212", b"421112",
    b"421211", b"212141", b"214121", b"412121", b"111143", b"111341", b"131141", b"114113",
    b"114311", b"411113", b"411311", b"113141", b"114131", b"311141", b"411131", b"211412",
    b"211214", b"211232",
];
const STOP: &[u8; 7] = b"2331112";
const CODE_C: u8 = 99;
const START_B: u8 = 104;

/// The widths of bars and spaces in modules, beginning with a bar, without quiet zones. Nothing
/// when the text has characters other than printable ASCII.
pub fn widths(text: &str) -> Option<Vec<u8>> {
    let symbols = symbols(text)?;
    let mut widths = Vec::with_capacity(symbols.len() * 6 + 7);
    for symbol in symbols {
        widths.extend(SYMBOLS[usize::from(symbol)].iter().map(|digit| digit - b'0'));
    }
    widths.extend(STOP.iter().map(|digit| digit - b'0'));
    Some(widths)
}

/// The symbols from start to check: set B, then set C for the pairs of digits at the end.
fn symbols(text: &str) -> Option<Vec<u8>> {
    let bytes = text.as_bytes();
    if !bytes.iter().all(|byte| (b' '..=b'~').contains(byte)) {
        return None;
    }
    let digits = bytes.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let paired = if digits >= 4 { digits & !1 } else { 0 };
    let (single, pairs) = bytes.split_at(bytes.len() - paired);
    let mut symbols = vec![START_B];
    symbols.extend(single.iter().map(|byte| byte - b' '));
    if !pairs.is_empty() {
        symbols.push(CODE_C);
        symbols.extend(pairs.chunks(2).map(|pair| (pair[0] - b'0') * 10 + (pair[1] - b'0')));
    }
    let weighted = symbols.iter().skip(1).zip(1u32..).map(|(symbol, at)| u32::from(*symbol) * at);
    let check = (u32::from(START_B) + weighted.sum::<u32>()) % 103;
    symbols.push(u8::try_from(check).ok()?);
    Some(symbols)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_symbol_is_eleven_modules_and_like_no_other() {
        for (index, symbol) in SYMBOLS.iter().enumerate() {
            let modules: u32 = symbol.iter().map(|digit| u32::from(digit - b'0')).sum();
            assert_eq!(modules, 11, "{index}");
            assert!(!SYMBOLS[..index].contains(symbol), "{index}");
            // In Code 128 the bars of a symbol are an even number of modules wide.
            let bars: u32 = symbol.iter().step_by(2).map(|digit| u32::from(digit - b'0')).sum();
            assert_eq!(bars % 2, 0, "{index}");
        }
    }

    #[test]
    fn the_check_symbol_is_the_one_of_the_worked_example() {
        // "PJJ123C" in set B has the check symbol 55 or "W"; in set A it is 54, as is well known.
        let symbols = symbols("PJJ123C").unwrap();
        assert_eq!(symbols, [104, 48, 42, 42, 17, 18, 19, 35, 55]);
    }

    #[test]
    fn digits_at_the_end_are_paired() {
        assert_eq!(symbols("A12345").unwrap()[..6], [104, 33, 17, 99, 23, 45]);
        assert_eq!(symbols("æ"), None);
    }
}
