//! A page while it is laid out: texts are fitted as they are put down, and what cannot be printed
//! is noted at its field, so that one pass finds every problem.

use std::ops::RangeInclusive;

use waybill_domain::fields::FieldErrors;
use waybill_domain::language::Language;
use waybill_domain::words::Message;

use crate::bitmap::Bitmap;
use crate::page::{Area, Block, Code, Mark, Page};
use crate::renderer::Renderer;
use crate::symbol::{Symbol, Symbology};
use crate::text::{Style, fit, height_of};

/// One dot at 203 dpi, in millimetres. Modules are whole dots, so that bars stay crisp there.
pub(crate) const DOT: f32 = 0.125;
/// Narrower modules are not read reliably.
pub(crate) const DOTS_LEAST: u32 = 2;

pub(crate) struct Sheet<'a> {
    pub renderer: &'a Renderer,
    pub language: Language,
    pub page: Page,
    pub errors: FieldErrors,
    /// Where the layout's own corner is on the page.
    origin: (f32, f32),
}

/// One row of a stack: what it says, where that came from, and its size.
pub(crate) struct Row<'a> {
    pub path: String,
    pub text: std::borrow::Cow<'a, str>,
    pub style: Style,
}

/// Rows that were set below each other, from a corner of their own.
#[derive(Default)]
pub(crate) struct Stack {
    blocks: Vec<Block>,
    /// In millimetres.
    pub height: f32,
    /// Which row has the most lines.
    pub longest: usize,
    /// How many it has.
    pub lines: usize,
}

/// What is wrong, each at its path.
pub(crate) type Problems = Vec<(String, Message)>;

/// How much smaller rows get at a time when they are too high together, and how small at most.
/// The least size of each row still holds.
pub(crate) const SCALE_STEP: f32 = 0.08;
pub(crate) const SCALE_LEAST: f32 = 0.4;
/// Higher than any paper.
const HEIGHT_MAX: f32 = 1000.0;

impl<'a> Sheet<'a> {
    pub fn new(renderer: &'a Renderer, language: Language, width: f32, height: f32) -> Sheet<'a> {
        let page = Page { width, height, marks: Vec::with_capacity(64) };
        Sheet { renderer, language, page, errors: FieldErrors::default(), origin: (0.0, 0.0) }
    }

    /// The same sheet with its corner elsewhere on the page.
    pub fn at(mut self, x: f32, y: f32) -> Sheet<'a> {
        self.origin = (x, y);
        self
    }

    /// Text from a field.
    pub fn text(&mut self, area: Area, style: Style, path: &str, text: &str) {
        if text.is_empty() {
            return;
        }
        let area = area.moved(self.origin.0, self.origin.1);
        match fit(self.renderer.font(style.weight), area, style, text) {
            Ok(block) => self.page.marks.push(Mark::Text(block)),
            Err(message) => self.errors.add(path, message),
        }
    }

    /// Text from a field in the middle of an area, from above and below.
    pub fn middle(&mut self, area: Area, style: Style, path: &str, text: &str) {
        let area = area.moved(self.origin.0, self.origin.1);
        match fit(self.renderer.font(style.weight), area, style, text) {
            Ok(block) => {
                let height = height_of(block.em / crate::text::POINT, block.lines.len());
                let block = block.moved(0.0, ((area.height - height) / 2.0).max(0.0));
                self.page.marks.push(Mark::Text(block));
            }
            Err(message) => self.errors.add(path, message),
        }
    }

    /// A sentence of our own.
    pub fn words(&mut self, area: Area, style: Style, key: &'static str) {
        let text = self.say(key);
        self.text(area, style, "language", &text);
    }

    /// A sentence in the sheet's language.
    pub fn say(&self, key: &'static str) -> String {
        Message::new(key).say(self.language)
    }

    /// Rows below each other. When they are too high together, all get smaller.
    pub fn stack(&mut self, area: Area, rows: &[Row]) {
        match self.fitted(area, rows) {
            Ok(stack) if stack.height <= area.height => self.put(stack, area.x, area.y),
            Ok(stack) => self.refuse(rows, stack.longest),
            Err(problems) => self.add(problems),
        }
    }

    /// Rows as large as an area allows; in their smallest size when they are too high even then.
    pub fn fitted(&self, area: Area, rows: &[Row]) -> Result<Stack, Problems> {
        let mut scale = 1.0_f32;
        loop {
            let set = self.set(area.width, rows, scale);
            let is_good = set.as_ref().is_ok_and(|stack| stack.height <= area.height);
            if is_good || scale <= SCALE_LEAST {
                return set;
            }
            scale -= SCALE_STEP;
        }
    }

    /// Rows below each other, as high as they are, or what is wrong with each that does not fit.
    pub fn set(&self, width: f32, rows: &[Row], scale: f32) -> Result<Stack, Problems> {
        let mut stack = Stack { blocks: Vec::with_capacity(rows.len()), ..Stack::default() };
        let mut problems = Vec::new();
        for (index, row) in rows.iter().enumerate().filter(|(_, row)| !row.text.is_empty()) {
            let size = (row.style.size * scale).max(row.style.least);
            let least = row.style.least.max(size * 0.75).min(size);
            let style = Style { size, least, ..row.style };
            let area = Area::new(0.0, stack.height, width, HEIGHT_MAX);
            let block = match fit(self.renderer.font(style.weight), area, style, &row.text) {
                Ok(block) => block,
                Err(message) => {
                    problems.push((row.path.clone(), message));
                    continue;
                }
            };
            stack.height += height_of(block.em / crate::text::POINT, block.lines.len());
            if block.lines.len() > stack.lines {
                (stack.lines, stack.longest) = (block.lines.len(), index);
            }
            stack.blocks.push(block);
        }
        if problems.is_empty() { Ok(stack) } else { Err(problems) }
    }

    /// Puts rows that were set into their place.
    pub fn put(&mut self, stack: Stack, x: f32, y: f32) {
        let (x, y) = (x + self.origin.0, y + self.origin.1);
        let marks = stack.blocks.into_iter().map(|block| Mark::Text(block.moved(x, y)));
        self.page.marks.extend(marks);
    }

    /// Notes that there is no room for a row: the longest of those that are too high together.
    pub fn refuse(&mut self, rows: &[Row], index: usize) {
        if let Some(row) = rows.get(index) {
            self.errors.add(row.path.clone(), Message::new("no-room-on-paper"));
        }
    }

    /// Notes what is wrong.
    pub fn add(&mut self, problems: Problems) {
        problems.into_iter().for_each(|(path, message)| self.errors.add(path, message));
    }

    /// A black and white picture.
    pub fn picture(&mut self, area: Area, picture: Bitmap) {
        let area = area.moved(self.origin.0, self.origin.1);
        self.page.marks.push(Mark::Picture(area, picture));
    }

    /// A black area.
    pub fn fill(&mut self, area: Area) {
        self.page.marks.push(Mark::Fill(area.moved(self.origin.0, self.origin.1)));
    }

    /// A horizontal rule.
    pub fn rule(&mut self, x: f32, y: f32, width: f32) {
        self.fill(Area::new(x, y, width, RULE));
    }

    /// A vertical rule.
    pub fn bar(&mut self, x: f32, y: f32, height: f32) {
        self.fill(Area::new(x, y, RULE, height));
    }

    /// The four sides of a rectangle.
    pub fn frame(&mut self, area: Area) {
        self.rule(area.x, area.y, area.width);
        self.rule(area.x, area.y + area.height - RULE, area.width);
        self.bar(area.x, area.y, area.height);
        self.bar(area.x + area.width - RULE, area.y, area.height);
    }

    /// A barcode as large as its area allows, with modules of at most so many dots at 203 dpi.
    pub fn code(&mut self, area: Area, most: u32, path: &str, (kind, content): (Symbology, &str)) {
        let symbol = match Symbol::new(kind, content) {
            Ok(symbol) => symbol,
            Err(message) => return self.errors.add(path, message),
        };
        match dots(&symbol, (area.width, area.height), DOTS_LEAST..=most) {
            Some(dots) => self.symbol(area, dots, symbol),
            None => self.errors.add(path, Message::new("no-room-on-paper")),
        }
    }

    /// A barcode with modules of so many dots at 203 dpi.
    pub fn symbol(&mut self, area: Area, dots: u32, symbol: Symbol) {
        let area = area.moved(self.origin.0, self.origin.1);
        let (module, name) = (dots as f32 * DOT, symbol.symbology.title());
        self.page.marks.push(Mark::Code(Code { symbol, area, module, name }));
    }

    /// The page, or what is wrong with its fields.
    pub fn done(self) -> Result<Page, FieldErrors> {
        if self.errors.is_empty() { Ok(self.page) } else { Err(self.errors) }
    }
}

/// How thick a rule is: three dots at 203 dpi.
pub(crate) const RULE: f32 = 0.375;

/// How many dots at 203 dpi each module of a barcode gets in a room of this width and height, and
/// nothing when that is less than the range begins with.
pub(crate) fn dots(
    symbol: &Symbol,
    (width, height): (f32, f32),
    range: RangeInclusive<u32>,
) -> Option<u32> {
    let fitting = |room: f32, count: u32| (room / DOT / count as f32 + 0.001) as u32;
    let (across, down) = symbol.size();
    let mut dots = fitting(width, across).min(*range.end());
    if !symbol.symbology.is_linear() {
        dots = dots.min(fitting(height, down));
    }
    (dots >= *range.start()).then_some(dots)
}
