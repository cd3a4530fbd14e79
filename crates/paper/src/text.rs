//! Text into lines: composed, checked letter by letter, wrapped, and shrunk down to a stated
//! minimum. What does not fit then, or cannot be printed at all, is a problem at its field.

use std::borrow::Cow;

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};
use waybill_domain::words::Message;

use crate::font::Font;
use crate::page::{Align, Area, Block, Line, Role, Weight};

/// Millimetres in a typographic point.
pub(crate) const POINT: f32 = 25.4 / 72.0;
/// From the upper edge of a line down to what its letters stand on, in ems: room for `Å`.
const ASCENT: f32 = 0.94;
/// From one line to the next, in ems.
const LEADING: f32 = 1.2;
/// Below the baseline of the last line, in ems.
const DESCENT: f32 = 0.24;

/// How a text is set.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Style {
    /// The wanted size in points.
    pub size: f32,
    /// The smallest size that is still read at a hub.
    pub least: f32,
    pub weight: Weight,
    pub align: Align,
    pub is_white: bool,
    pub role: Role,
    /// No more lines than this, however high the area is.
    pub lines: usize,
}

impl Style {
    pub const fn new(size: f32, least: f32) -> Style {
        Style {
            size,
            least,
            weight: Weight::Regular,
            align: Align::Left,
            is_white: false,
            role: Role::Paragraph,
            lines: usize::MAX,
        }
    }

    pub const fn bold(self) -> Style {
        Style { weight: Weight::Bold, ..self }
    }

    pub const fn centred(self) -> Style {
        Style { align: Align::Centre, ..self }
    }

    pub const fn right(self) -> Style {
        Style { align: Align::Right, ..self }
    }

    pub const fn white(self) -> Style {
        Style { is_white: true, ..self }
    }

    pub const fn heading(self) -> Style {
        Style { role: Role::Heading, ..self }
    }

    pub const fn lines(self, lines: usize) -> Style {
        Style { lines, ..self }
    }
}

/// Composed text of which every letter can be printed, or what is wrong with it.
pub(crate) fn printable<'a>(font: &Font, text: &'a str) -> Result<Cow<'a, str>, Message> {
    let text = match is_nfc_quick(text.chars()) {
        IsNormalized::Yes => Cow::Borrowed(text),
        _ => Cow::Owned(text.nfc().collect()),
    };
    match text.chars().find(|letter| font.glyph(*letter).is_none()) {
        None => Ok(text),
        Some(letter) if letter.is_control() => Err(Message::new("control-character")),
        Some(letter) => Err(Message::new("unprintable-character")
            .text("character", letter)
            .text("code", format!("U+{:04X}", u32::from(letter)))),
    }
}

/// Sets a text into an area.
pub(crate) fn fit(font: &Font, area: Area, style: Style, text: &str) -> Result<Block, Message> {
    let text = printable(font, text)?;
    let words: Vec<Word> = words(font, &text).collect();
    let mut size = style.size;
    loop {
        let em = size * POINT;
        let room = (((area.height / em - ASCENT - DESCENT) / LEADING) + 1.001).max(0.0) as usize;
        let most = style.lines.min(room);
        let units = (area.width / em * font.units).max(0.0) as u32;
        // Breaking a word is the last resort: first the whole text gets smaller.
        let may_break = size <= style.least;
        if let Some(lines) = wrap(font, &text, &words, units, most, may_break) {
            return Ok(block(font, area, style, em, &lines));
        }
        if size <= style.least {
            return Err(Message::new("no-room-on-paper"));
        }
        size = (size - 0.5).max(style.least);
    }
}

/// A word in a text: where it is, and how wide.
struct Word {
    start: usize,
    end: usize,
    units: u32,
}

fn words<'a>(font: &'a Font, text: &'a str) -> impl Iterator<Item = Word> + 'a {
    let start = text.as_ptr() as usize;
    text.split(' ').filter(|word| !word.is_empty()).map(move |word| {
        let start = word.as_ptr() as usize - start;
        Word { start, end: start + word.len(), units: font.width(word) }
    })
}

/// The lines, or nothing when they are too many or a word is too long.
fn wrap<'a>(
    font: &Font,
    text: &'a str,
    words: &[Word],
    units: u32,
    most: usize,
    may_break: bool,
) -> Option<Vec<&'a str>> {
    let space = font.advance(' ');
    let mut lines = Vec::new();
    let mut open: Option<(usize, usize, u32)> = None;
    for word in words {
        if let Some((start, _, used)) = open
            && used + space + word.units <= units
        {
            open = Some((start, word.end, used + space + word.units));
            continue;
        }
        if let Some((start, end, _)) = open.take() {
            lines.push(text.get(start..end)?);
        }
        if word.units <= units {
            open = Some((word.start, word.end, word.units));
        } else if may_break {
            open = Some(break_up(font, text, word, units, most, &mut lines)?);
        } else {
            return None;
        }
        if lines.len() >= most {
            return None;
        }
    }
    if let Some((start, end, _)) = open {
        lines.push(text.get(start..end)?);
    }
    (lines.len() <= most).then_some(lines)
}

/// Cuts a word that is wider than the area; the rest of it is the line that stays open.
fn break_up<'a>(
    font: &Font,
    text: &'a str,
    word: &Word,
    units: u32,
    most: usize,
    lines: &mut Vec<&'a str>,
) -> Option<(usize, usize, u32)> {
    let (mut start, mut used) = (word.start, 0);
    for (offset, letter) in text.get(word.start..word.end)?.char_indices() {
        let (at, advance) = (word.start + offset, font.advance(letter));
        if used + advance > units {
            if at == start || lines.len() >= most {
                return None;
            }
            lines.push(text.get(start..at)?);
            (start, used) = (at, 0);
        }
        used += advance;
    }
    Some((start, word.end, used))
}

fn block(font: &Font, area: Area, style: Style, em: f32, lines: &[&str]) -> Block {
    let lines = lines.iter().enumerate().map(|(index, text)| Line {
        baseline: area.y + em * (ASCENT + LEADING * index as f32),
        width: font.width(text) as f32 / font.units * em,
        text: (*text).to_owned(),
    });
    Block {
        x: area.x,
        width: area.width,
        em,
        weight: style.weight,
        align: style.align,
        is_white: style.is_white,
        role: style.role,
        lines: lines.collect(),
    }
}

/// How high a number of lines of this size are, in millimetres.
pub(crate) fn height_of(size: f32, lines: usize) -> f32 {
    size * POINT * (ASCENT + DESCENT + LEADING * lines.saturating_sub(1) as f32) + 0.01
}
