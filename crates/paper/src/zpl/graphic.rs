//! Dots in a `^GFA` field: hexadecimal digits with the printer's own run lengths.

use crate::bitmap::{Bitmap, DOTS_MAX};

const HEX: &[u8; 16] = b"0123456789ABCDEF";

/// Writes the rows: `:` repeats the row above, `,` fills up with white, `!` with black.
pub(crate) fn pack(out: &mut String, dots: &Bitmap) {
    let mut above: &[u8] = &[];
    for row in dots.rows().chunks(dots.stride().max(1)) {
        if row == above {
            out.push(':');
        } else {
            pack_row(out, row);
        }
        above = row;
    }
}

fn pack_row(out: &mut String, row: &[u8]) {
    let digits: Vec<u8> = row.iter().flat_map(|byte| [byte >> 4, byte & 15]).collect();
    let mut rest = digits.as_slice();
    while let Some(digit) = rest.first() {
        let run = rest.iter().take_while(|other| *other == digit).count();
        let is_last = run == rest.len();
        match digit {
            0 if is_last => out.push(','),
            15 if is_last => out.push('!'),
            _ => pack_run(out, run, char::from(HEX[usize::from(digit & 15)])),
        }
        rest = rest.get(run..).unwrap_or_default();
    }
}

/// `z` is 400, `y` 380 … `g` 20, then `Y` 19 … `G` 1.
fn pack_run(out: &mut String, mut run: usize, digit: char) {
    while run > 419 {
        out.push('z');
        out.push(digit);
        run -= 400;
    }
    if run > 2 {
        if run >= 20 {
            out.push(char::from(b'g' + (run / 20 - 1) as u8));
        }
        if !run.is_multiple_of(20) {
            out.push(char::from(b'G' + (run % 20 - 1) as u8));
        }
        out.push(digit);
    } else {
        out.extend(std::iter::repeat_n(digit, run));
    }
}

/// Reads such rows; `stride` is the number of bytes in a row, `total` in all.
pub(crate) fn unpack(data: &[u8], stride: usize, total: usize) -> Option<Bitmap> {
    let digits = stride.checked_mul(2).filter(|digits| *digits > 0)?;
    if total > DOTS_MAX as usize / 8 || !total.is_multiple_of(stride) {
        return None;
    }
    let mut all: Vec<u8> = Vec::with_capacity(total * 2);
    let mut repeat = 0;
    for byte in data.iter().filter(|byte| !byte.is_ascii_whitespace()) {
        let filled = all.len() % digits;
        match *byte {
            letter @ b'G'..=b'Y' => repeat += usize::from(letter - b'G') + 1,
            letter @ b'g'..=b'z' => repeat += (usize::from(letter - b'g') + 1) * 20,
            b',' => all.resize(all.len() + digits - filled, 0),
            b'!' => all.resize(all.len() + digits - filled, 15),
            b':' if filled == 0 => {
                let above = all.len().checked_sub(digits)?;
                all.extend_from_within(above..);
            }
            digit => {
                let digit = char::from(digit).to_digit(16)? as u8;
                all.extend(std::iter::repeat_n(digit, repeat.max(1)));
                repeat = 0;
            }
        }
        if all.len() > total * 2 {
            return None;
        }
    }
    all.resize(total * 2, 0);
    let rows = all.chunks(2).map(|pair| pair.iter().fold(0, |byte, digit| byte << 4 | digit));
    Bitmap::from_rows(u32::try_from(stride * 8).ok()?, rows.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_read_back_as_they_were() {
        let mut dots = Bitmap::new(3400, 9);
        dots.fill(5, 1, 17, 2);
        dots.fill(0, 4, 3400, 1);
        dots.fill(100, 5, 3200, 3);
        dots.fill(3399, 8, 1, 1);
        let mut packed = String::new();
        pack(&mut packed, &dots);
        let read = unpack(packed.as_bytes(), dots.stride(), dots.rows().len()).unwrap();
        assert_eq!(read.rows(), dots.rows());
        assert!(packed.len() < 200, "{packed}");
    }

    #[test]
    fn rows_beyond_the_stated_size_are_refused() {
        assert!(unpack(b"zFzFzFzF", 1, 1).is_none());
        assert!(unpack(b"FF", 0, 0).is_none());
        assert!(unpack(b":", 1, 1).is_none());
        assert!(unpack(b"", 1, usize::MAX).is_none());
    }
}
