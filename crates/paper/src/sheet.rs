//! A page while it is laid out: texts are fitted as they are put down, and what can not be printed
//! is noted at its field, so that one pass finds every problem.

use waybill_domain::fields::FieldErrors;
use waybill_domain::language::Language;
use waybill_domain::words::Message;

use crate::page::{Area, Code, Mark, Page};
use crate::press::Press;
use crate::symbol::{Symbol, Symbology};
use crate::text::{Style, fit, height_of};

/// One dot at 203 dpi, in millimetres. Modules are whole dots, so that bars stay crisp there.
const DOT: f32 = 0.125;
/// Narrower modules are not read reliably.
const DOTS_LEAST: u32 = 2;

pub(crate) struct Sheet<'a> {
    pub press: &'a Press,
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

impl<'a> Sheet<'a> {
    pub fn new(press: &'a Press, language: Language, width: f32, height: f32) -> Sheet<'a> {
        let page = Page { width, height, marks: Vec::with_capacity(64) };
        Sheet { press, language, page, errors: FieldErrors::default(), origin: (0.0, 0.0) }
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
        match fit(self.press.font(style.weight), area, style, text) {
            Ok(block) => self.page.marks.push(Mark::Text(block)),
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
        let place = area.moved(self.origin.0, self.origin.1);
        let mut scale = 1.0_f32;
        loop {
            match self.stacked(place, rows, scale) {
                Ok(marks) => return self.page.marks.extend(marks),
                Err(_) if scale > 0.5 => scale -= 0.08,
                Err((path, message)) => return self.errors.add(path, message),
            }
        }
    }

    fn stacked(
        &self,
        area: Area,
        rows: &[Row],
        scale: f32,
    ) -> Result<Vec<Mark>, (String, Message)> {
        let mut marks = Vec::with_capacity(rows.len());
        let mut y = area.y;
        for row in rows.iter().filter(|row| !row.text.is_empty()) {
            let size = (row.style.size * scale).max(row.style.least);
            // The height left is for this row; a row of its own size must at least begin there.
            let left = Area { y, height: (area.y + area.height - y).max(0.0), ..area };
            let least = row.style.least.max(size * 0.75).min(size);
            let style = Style { size, least, ..row.style };
            let font = self.press.font(style.weight);
            let block =
                fit(font, left, style, &row.text).map_err(|message| (row.path.clone(), message))?;
            let fitted = block.em / crate::text::POINT;
            y += height_of(fitted, block.lines.len());
            marks.push(Mark::Text(block));
        }
        Ok(marks)
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
        let across = symbol.modules.width + 2 * kind.quiet();
        let down = symbol.modules.height() + 2 * kind.quiet();
        let fitting = |room: f32, count: u32| (room / DOT / count as f32 + 0.001) as u32;
        let mut dots = fitting(area.width, across).min(most);
        if !kind.is_linear() {
            dots = dots.min(fitting(area.height, down));
        }
        if dots < DOTS_LEAST {
            return self.errors.add(path, Message::new("no-room-on-paper"));
        }
        let area = area.moved(self.origin.0, self.origin.1);
        let module = dots as f32 * DOT;
        self.page.marks.push(Mark::Code(Code { symbol, area, module, name: kind.title() }));
    }

    /// The page, or what is wrong with its fields.
    pub fn done(self) -> Result<Page, FieldErrors> {
        if self.errors.is_empty() { Ok(self.page) } else { Err(self.errors) }
    }
}

/// How thick a rule is: three dots at 203 dpi.
pub(crate) const RULE: f32 = 0.375;
