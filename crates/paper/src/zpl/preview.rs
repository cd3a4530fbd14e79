//! ZPL as a picture: the commands that we write, drawn the way a printer does. The printer's font
//! 0 is narrower than ours, so our letters are drawn narrower here.

use std::cell::Cell;

use super::FONT_ASCENT;
use super::field;
use super::graphic;
use super::parse::{Command, commands};
use crate::bitmap::{Bitmap, Letters};
use crate::fonts::FontSet;
use crate::page::Weight;
use crate::problem::Problem;
use crate::symbol::code128;

/// Font 0 beside ours: how wide its letters are, and how large its em is in its height.
const NARROW: f32 = 0.8;
const SIZE: f32 = 1.0;
/// No printer is larger, in dots.
const SIDE_MAX: i64 = 12_000;
/// More labels than this are not shown at once.
const LABELS_MAX: usize = 100;
/// The largest letters, in dots: printers have none larger than a label.
const FONT_MAX: i64 = 4_000;
/// So many dots are looked at for one file, however often they are drawn over.
pub(crate) const DOTS_MAX: i64 = 600_000_000;
/// So many to find out whether it can be drawn.
pub(crate) const DOTS_TRIED: i64 = 100_000_000;

/// Which labels of a file are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LabelRange {
    All,
    /// The one with this number, from 1.
    Only(u32),
}

/// In dots, of labels that do not say it.
pub(crate) type DefaultSize = Option<(i64, i64)>;

/// What the commands so far ask of the next field.
#[derive(Default)]
struct Field<'a> {
    at: (i64, i64),
    font: Option<(i64, i64)>,
    block: Option<(i64, u8)>,
    bars: Option<i64>,
    hex: Option<u8>,
    is_reverse: bool,
    data: &'a [u8],
    dots: Option<Bitmap>,
}

/// A label being drawn.
struct Label<'a> {
    fonts: &'a FontSet,
    bitmap: Bitmap,
    home: (i64, i64),
    module: i64,
    /// Dots that may still be looked at.
    left: &'a Cell<i64>,
}

/// Draws labels of a file, looking at so many dots. Unknown commands are an error: a preview never
/// leaves things out.
pub(crate) fn draw(
    fonts: &FontSet,
    bytes: &[u8],
    range: LabelRange,
    size: DefaultSize,
    dots_max: i64,
) -> Result<Vec<Bitmap>, Problem> {
    if range == LabelRange::All {
        super::rules::allow(bytes)?;
    }
    let (_, commands) = commands(bytes);
    let (mut labels, left) = (Vec::new(), Cell::new(dots_max));
    let (mut number, mut label, mut is_open) = (0, Vec::new(), false);
    for command in commands {
        match &command.name {
            b"XA" => is_open = true,
            b"XZ" => {
                // A printer goes on with the label that it has begun.
                number += u32::from(is_open);
                let is_wanted = range == LabelRange::All || range == LabelRange::Only(number);
                if std::mem::take(&mut is_open) && is_wanted {
                    if labels.len() == LABELS_MAX {
                        return Err(Problem::file("document-too-large"));
                    }
                    labels.push(draw_label(fonts, &label, &left, size)?);
                }
                label.clear();
            }
            _ if is_open => label.push(command),
            // What stands between labels may change them.
            _ => return Err(refused(&command)),
        }
    }
    Ok(labels)
}

fn draw_label(
    fonts: &FontSet,
    commands: &[Command],
    left: &Cell<i64>,
    default: DefaultSize,
) -> Result<Bitmap, Problem> {
    let size = |name: &[u8; 2], default: Option<i64>| {
        let told = commands.iter().find(|command| &command.name == name);
        let value = told.and_then(|command| command.number(0)).or(default)?;
        u32::try_from(value.clamp(1, SIDE_MAX)).ok()
    };
    let (width, height) = default.unzip();
    let (Some(width), Some(height)) = (size(b"PW", width), size(b"LL", height)) else {
        return Err(Problem::file("document-no-size"));
    };
    let bitmap = Bitmap::new(width, height);
    let mut label = Label { fonts, bitmap, home: (0, 0), module: 2, left };
    label.spend(i64::from(width), i64::from(height))?;
    let mut field = Field::default();
    for command in commands {
        label.obey(command, &mut field)?;
    }
    Ok(label.bitmap)
}

impl<'a> Label<'a> {
    fn obey(&mut self, command: &Command<'a>, field: &mut Field<'a>) -> Result<(), Problem> {
        let number = |index| command.number(index).unwrap_or(0).clamp(-SIDE_MAX, SIDE_MAX);
        let letter = |index| command.parameters().nth(index).and_then(|text| text.first().copied());
        match &command.name {
            b"CI" | b"PW" | b"LL" | b"FX" => {}
            b"LH" => self.home = (number(0), number(1)),
            b"FO" => field.at = (self.home.0 + number(0), self.home.1 + number(1)),
            b"A " if command.rest.first() == Some(&b'0') => {
                let height = number(1);
                let width = command.number(2).unwrap_or(height);
                if height > FONT_MAX || width > FONT_MAX {
                    return Err(refused(command));
                }
                field.font = Some((height, width));
            }
            b"FB" => field.block = Some((number(0), letter(3).unwrap_or(b'L'))),
            b"FH" => field.hex = Some(command.rest.first().copied().unwrap_or(b'_')),
            b"FR" => field.is_reverse = true,
            b"BY" => self.module = number(0).max(1),
            b"BC" => field.bars = Some(number(1)),
            b"FD" => field.data = command.rest,
            b"GB" => self.draw_box(command, field)?,
            b"GF" => field.dots = Some(dots(command).ok_or_else(|| refused(command))?),
            b"FS" => {
                self.finish(field)?;
                *field = Field::default();
            }
            _ => return Err(refused(command)),
        }
        Ok(())
    }

    /// Counts dots before they are drawn: a small file must not keep us busy for long.
    fn spend(&self, width: i64, height: i64) -> Result<(), Problem> {
        let dots = width.max(0).saturating_mul(height.max(0));
        self.left.set(self.left.get().saturating_sub(dots));
        if self.left.get() < 0 { Err(Problem::file("document-too-large")) } else { Ok(()) }
    }

    fn draw_box(&mut self, command: &Command, field: &Field) -> Result<(), Problem> {
        let number = |index| command.number(index).unwrap_or(1).clamp(1, SIDE_MAX);
        let (width, height, line) = (number(0), number(1), number(2));
        let (x, y) = field.at;
        let (width, height) = (width.max(line), height.max(line));
        self.spend(line, 2 * (width + height))?;
        self.bitmap.fill(x, y, width, line);
        self.bitmap.fill(x, y + height - line, width, line);
        self.bitmap.fill(x, y, line, height);
        self.bitmap.fill(x + width - line, y, line, height);
        Ok(())
    }

    fn finish(&mut self, field: &Field) -> Result<(), Problem> {
        let data = match field.hex {
            Some(mark) => field::unescape(field.data, mark),
            None => field.data.to_vec(),
        };
        if let Some(dots) = &field.dots {
            self.put(dots, field.at, field.is_reverse)?;
        } else if let Some(height) = field.bars {
            let bars = field::read_code128(&data).and_then(|values| code128::modules(&values));
            let bars = bars.ok_or_else(|| Problem::file("document-barcode"))?;
            self.spend(self.module.saturating_mul(i64::from(bars.width)), height)?;
            self.bitmap.draw_modules(&bars, field.at, (self.module, height));
        } else if let Some((height, width)) = field.font {
            let text = String::from_utf8_lossy(&data);
            self.write(field, (width as f32, height as f32), &text)?;
        }
        Ok(())
    }

    fn write(
        &mut self,
        field: &Field,
        (width, height): (f32, f32),
        text: &str,
    ) -> Result<(), Problem> {
        let font = self.fonts.font(Weight::Bold);
        let em = (width * SIZE * NARROW, height * SIZE);
        let length = font.width(text) as f32 / font.units * em.0;
        let room = field.block.map_or(length, |(room, _)| room as f32) - length;
        let indent = match field.block {
            Some((_, b'C')) => room / 2.0,
            Some((_, b'R')) => room,
            _ => 0.0,
        };
        // What would stand to the right of the label is not drawn.
        let length = length.min(self.bitmap.width() as f32 + indent.abs() + SIDE_MAX as f32);
        let size = (length.max(0.0) as u32 + 8, (height * 1.4).max(0.0) as u32 + 1);
        self.spend(i64::from(size.0), i64::from(size.1))?;
        let mut dots = Bitmap::new(size.0, size.1);
        let letters = Letters { font, em, is_white: false };
        letters.draw(&mut dots, 2.0, height, text);
        let top = height - height * FONT_ASCENT;
        let at = (field.at.0 + indent.round() as i64 - 2, field.at.1 - top.round() as i64);
        self.put(&dots, at, field.is_reverse)
    }

    /// Adds dots to the label, or turns the label's own dots over.
    fn put(&mut self, dots: &Bitmap, at: (i64, i64), is_reverse: bool) -> Result<(), Problem> {
        self.spend(i64::from(dots.width()), i64::from(dots.height()))?;
        for y in 0..i64::from(dots.height()) {
            for x in 0..i64::from(dots.width()) {
                if dots.is_black(x, y) {
                    let (x, y) = (at.0 + x, at.1 + y);
                    let is_black = !(is_reverse && self.bitmap.is_black(x, y));
                    self.bitmap.set(x, y, is_black);
                }
            }
        }
        Ok(())
    }
}

/// The dots of a `^GFA` command.
pub(crate) fn dots(command: &Command) -> Option<Bitmap> {
    let total = usize::try_from(command.number(2)?).ok()?;
    let stride = usize::try_from(command.number(3)?).ok()?;
    let mut commas = command.rest.iter().enumerate().filter(|(_, byte)| **byte == b',');
    let (start, _) = commas.nth(3)?;
    graphic::unpack(command.rest.get(start + 1..)?, stride, total)
}

fn refused(command: &Command) -> Problem {
    let message = waybill_domain::words::Message::new("document-zpl-command");
    Problem::new("document", message.text("command", command.title()))
}
