//! The one description of what is on paper: pages of marks in millimetres.
//!
//! Text in a page is already broken into lines that fit, and barcodes are already modules, so the
//! three back ends only draw. The origin is the upper left corner.

use waybill_domain::language::Language;

use crate::bitmap::Bitmap;
use crate::symbol::Symbol;

/// A paper to be drawn.
#[derive(Clone, PartialEq, Debug)]
pub struct Document {
    /// What kind of paper it is, in its language. Never text from a request.
    pub title: String,
    /// The language of its captions.
    pub language: Language,
    /// The pages, all of one size.
    pub pages: Vec<Page>,
}

/// One page, or one label.
#[derive(Clone, PartialEq, Debug)]
pub struct Page {
    /// Millimetres.
    pub width: f32,
    /// Millimetres.
    pub height: f32,
    /// What is on it, in reading order.
    pub marks: Vec<Mark>,
}

/// One thing on a page.
#[derive(Clone, PartialEq, Debug)]
pub enum Mark {
    /// Lines of text.
    Text(Block),
    /// A black area: a rule, a side of a frame, a bar of a chart.
    Fill(Area),
    /// A barcode.
    Code(Code),
    /// A black and white picture, stretched over an area.
    Picture(Area, Bitmap),
}

/// A rectangle in millimetres.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Area {
    /// From the left edge of the page.
    pub x: f32,
    /// From the upper edge of the page.
    pub y: f32,
    /// To the right.
    pub width: f32,
    /// Downwards.
    pub height: f32,
}

impl Area {
    /// A rectangle by its corner and its size.
    pub const fn new(x: f32, y: f32, width: f32, height: f32) -> Area {
        Area { x, y, width, height }
    }

    /// The rectangle moved.
    pub fn moved(self, x: f32, y: f32) -> Area {
        Area { x: self.x + x, y: self.y + y, ..self }
    }

    /// The rectangle without a margin on every side.
    pub fn inset(self, by: f32) -> Area {
        let (width, height) = ((self.width - 2.0 * by).max(0.0), (self.height - 2.0 * by).max(0.0));
        Area { x: self.x + by, y: self.y + by, width, height }
    }
}

/// Thin or thick letters.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Weight {
    /// Thin.
    Regular,
    /// Thick.
    Bold,
}

/// Where a line stands in its area.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Align {
    /// At the left edge.
    Left,
    /// In the middle.
    Centre,
    /// At the right edge.
    Right,
}

/// What a block is to somebody who listens to the page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// A heading.
    Heading,
    /// Anything else.
    Paragraph,
}

/// Lines of text that belong together.
#[derive(Clone, PartialEq, Debug)]
pub struct Block {
    /// From the left edge of the page to the area's left edge.
    pub x: f32,
    /// Of the area that the lines are aligned in.
    pub width: f32,
    /// The size of the letters: the em in millimetres.
    pub em: f32,
    /// Thin or thick.
    pub weight: Weight,
    /// Where the lines stand in their area.
    pub align: Align,
    /// White letters, for a black ground.
    pub is_white: bool,
    /// What it is.
    pub role: Role,
    /// The lines from above.
    pub lines: Vec<Line>,
}

/// One line of text.
#[derive(Clone, PartialEq, Debug)]
pub struct Line {
    /// From the upper edge of the page to the line that letters stand on.
    pub baseline: f32,
    /// How wide the letters are together.
    pub width: f32,
    /// The letters.
    pub text: String,
}

impl Block {
    /// The block moved.
    pub(crate) fn moved(mut self, x: f32, y: f32) -> Block {
        self.x += x;
        self.lines.iter_mut().for_each(|line| line.baseline += y);
        self
    }

    /// Where the letters of a line begin.
    pub fn left_of(&self, line: &Line) -> f32 {
        let room = self.width - line.width;
        match self.align {
            Align::Left => self.x,
            Align::Centre => self.x + room / 2.0,
            Align::Right => self.x + room,
        }
    }
}

/// A barcode in its place.
#[derive(Clone, PartialEq, Debug)]
pub struct Code {
    /// What it says, and its bars.
    pub symbol: Symbol,
    /// The whole room for it, quiet zones included. It stands in the middle.
    pub area: Area,
    /// The width of one module in millimetres.
    pub module: f32,
    /// What to call it for somebody who listens to the page.
    pub name: &'static str,
}

impl Page {
    /// The barcodes, in order.
    pub fn codes(&self) -> impl Iterator<Item = &Code> {
        self.marks.iter().filter_map(|mark| match mark {
            Mark::Code(code) => Some(code),
            _ => None,
        })
    }
}
