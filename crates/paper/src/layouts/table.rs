//! Papers of several pages: a heading, facts, and tables that go on overleaf.

pub(crate) mod tiers;

use waybill_domain::fields::{FieldErrors, Text};
use waybill_domain::language::Language;
use waybill_domain::words::Message;

use super::paper_size::PaperSize;
use crate::page::{Align, Area, Document};
use crate::renderer::Renderer;
use crate::sheet::{Row, Sheet};
use crate::symbol::Symbology;
use crate::text::{POINT, Style, fit, height_of};

/// Text in a JSON file; what is too long for paper is said by the layout.
pub(crate) const TEXT: Text = Text::up_to(crate::read::TEXT_MAX);

/// The left edge of everything on A4, and how wide everything is.
pub(crate) const LEFT: f32 = 15.0;
pub(crate) const INNER: f32 = 180.0;
/// The side of the square beside the heading.
const CORNER: f32 = 12.5;
const CAPTION: Style = Style::new(7.0, 5.0).lines(1);
const FACT: Style = Style::new(9.5, 6.0).bold().lines(2);
const FACT_AREA: Area = Area::new(0.0, 0.0, 44.0, 8.0);
const CELL: Style = Style::new(8.5, 6.0).lines(16);
/// Higher than any cell gets.
const CELL_HEIGHT: f32 = 80.0;
/// More pages than this are not one paper.
const PAGES_MAX: usize = 500;

/// What of a page is printed on, in millimetres.
#[derive(Clone, Copy)]
pub(crate) struct Frame {
    /// Width and height of the page.
    pub page: (f32, f32),
    pub left: f32,
    pub inner: f32,
    pub top: f32,
    bottom: f32,
    /// Where the number of the page stands.
    foot: f32,
    /// How many short facts stand on a line.
    facts: usize,
}

impl Frame {
    fn of(paper: PaperSize) -> Frame {
        let page = paper.size();
        match paper {
            PaperSize::A4 => Frame {
                page,
                left: LEFT,
                inner: INNER,
                top: 15.0,
                bottom: 280.0,
                foot: 285.0,
                facts: 4,
            },
            _ => Frame {
                page,
                left: 5.0,
                inner: page.0 - 10.0,
                top: 5.0,
                bottom: page.1 - 9.0,
                foot: page.1 - 7.5,
                facts: 2,
            },
        }
    }
}

/// A column of a table.
#[derive(Clone, Copy)]
pub(crate) struct Column {
    pub caption: &'static str,
    pub width: f32,
    pub align: Align,
}

pub(crate) const fn column(caption: &'static str, width: f32, align: Align) -> Column {
    Column { caption, width, align }
}

/// A cell: the path of its field, and its text.
pub(crate) type Cell = (String, String);

/// A paper while it is laid out. Every part is put below the one before.
pub(crate) struct Paged<'a> {
    renderer: &'a Renderer,
    language: Language,
    title: String,
    full: Vec<Sheet<'a>>,
    pub frame: Frame,
    pub sheet: Sheet<'a>,
    /// Where the next part begins.
    pub y: f32,
}

impl<'a> Paged<'a> {
    pub fn new(renderer: &'a Renderer, language: Language, title: &'static str) -> Paged<'a> {
        Paged::on(PaperSize::A4, renderer, language, title)
    }

    /// The same on other paper.
    pub fn on(
        paper: PaperSize,
        renderer: &'a Renderer,
        language: Language,
        title: &'static str,
    ) -> Paged<'a> {
        let (title, frame) = (Message::new(title).say(language), Frame::of(paper));
        let sheet = Sheet::new(renderer, language, frame.page.0, frame.page.1);
        let (full, y) = (Vec::new(), frame.top);
        let mut paged = Paged { renderer, language, title, full, frame, sheet, y };
        let style = Style::new(20.0, 12.0).bold().lines(1).heading();
        let heading = paged.title.clone();
        let area = Area::new(frame.left, frame.top, frame.inner.min(140.0) - 20.0, 10.0);
        paged.sheet.text(area, style, "language", &heading);
        paged.y = frame.top + 13.0;
        paged
    }

    /// A small square with a number in the corner beside the heading.
    pub fn corner(&mut self, path: &str, content: &str) {
        let Frame { left, inner, top, .. } = self.frame;
        let area = Area::new(left + inner - CORNER, top, CORNER, CORNER);
        self.sheet.code(area, 3, path, (Symbology::DataMatrix, content));
    }

    fn turn(&mut self) {
        let next = Sheet::new(self.renderer, self.language, self.frame.page.0, self.frame.page.1);
        self.full.push(std::mem::replace(&mut self.sheet, next));
        self.y = self.frame.top;
    }

    /// Begins a new page unless so much is left of this one.
    pub fn need(&mut self, height: f32) {
        if self.y + height > self.frame.bottom {
            self.turn();
        }
    }

    /// Boxes beside each other, each with a caption and rows. They are higher than wanted when
    /// their rows do not fit otherwise.
    pub fn boxes(&mut self, height: f32, boxes: &[(&'static str, Vec<Row>)]) {
        let width = self.frame.inner / boxes.len().max(1) as f32;
        let mut stacks = Vec::with_capacity(boxes.len());
        for (_, rows) in boxes {
            let stack = self.sheet.fitted(Area::new(0.0, 0.0, width - 4.0, height - 5.6), rows);
            match stack {
                Ok(stack) => stacks.push(stack),
                Err(problems) => return self.sheet.add(problems),
            }
        }
        let height = stacks.iter().fold(height, |height, stack| height.max(stack.height + 5.6));
        self.need(height);
        for (index, ((caption, _), stack)) in boxes.iter().zip(stacks).enumerate() {
            let area = Area::new(self.frame.left + width * index as f32, self.y, width, height);
            self.sheet.frame(area);
            self.sheet.words(
                Area::new(area.x + 2.0, area.y + 1.0, width - 4.0, 3.6),
                CAPTION,
                caption,
            );
            self.sheet.put(stack, area.x + 2.0, area.y + 4.6);
        }
        self.y += height + 4.0;
    }

    /// A caption with a long value, over the whole width.
    pub fn fact(&mut self, key: &'static str, path: &str, text: &str) {
        let style = Style::new(9.5, 6.0).bold().lines(40);
        let row = Row { path: path.to_owned(), text: text.into(), style };
        let Frame { left, inner, top, bottom, .. } = self.frame;
        match self.sheet.fitted(Area::new(0.0, 0.0, inner, bottom - top), &[row]) {
            Ok(stack) => {
                let height = stack.height + 3.4;
                self.need(height);
                self.sheet.words(Area::new(left, self.y, inner, 3.6), CAPTION, key);
                self.sheet.put(stack, left, self.y + 3.4);
                self.y += height + 2.0;
            }
            Err(problems) => self.sheet.add(problems),
        }
    }

    /// Captions with short values, four on a line.
    pub fn facts(&mut self, facts: &[(&'static str, &str, Option<&str>)]) {
        let known = facts.iter().filter_map(|(key, path, text)| Some((*key, *path, (*text)?)));
        let known: Vec<_> = known.collect();
        let width = self.frame.inner / self.frame.facts as f32;
        for line in known.chunks(self.frame.facts) {
            self.need(11.0);
            for (index, (key, path, text)) in line.iter().enumerate() {
                let x = self.frame.left + width * index as f32;
                self.sheet.words(Area::new(x, self.y, 44.0, 3.6), CAPTION, key);
                self.sheet.text(FACT_AREA.moved(x, self.y + 3.4), FACT, path, text);
            }
            self.y += 11.5;
        }
    }

    /// The same for values of any length: one that is too long for its place has the whole width.
    pub fn long_facts(&mut self, facts: &[(&'static str, &str, Option<&str>)]) {
        let font = self.renderer.font(FACT.weight);
        let is_long = |(_, _, text): &&(_, _, Option<&str>)| {
            text.is_some_and(|text| fit(font, FACT_AREA, FACT, text).is_err())
        };
        let (long, short): (Vec<_>, Vec<_>) = facts.iter().partition(is_long);
        for (key, path, text) in long {
            self.fact(key, path, text.unwrap_or_default());
        }
        self.facts(&short);
    }

    /// A table. Its head is repeated on every page.
    pub fn table(&mut self, columns: &[Column], rows: impl IntoIterator<Item = Vec<Cell>>) {
        self.need(20.0);
        self.head(&[columns]);
        for row in rows {
            let height = self.height(columns, &row);
            if self.y + height > self.frame.bottom {
                if self.full.len() >= PAGES_MAX {
                    self.sheet.errors.add("document", Message::new("document-too-large"));
                    return;
                }
                self.turn();
                self.head(&[columns]);
            }
            let mut x = self.frame.left;
            for (column, (path, text)) in columns.iter().zip(&row) {
                let area = Area::new(x + 1.0, self.y + 0.8, column.width - 2.0, height);
                let style = Style { align: column.align, ..CELL };
                self.sheet.text(area, style, path, text);
                x += column.width;
            }
            self.y += height + 1.4;
            self.sheet.fill(Area::new(self.frame.left, self.y, self.frame.inner, 0.125));
        }
        self.y += 4.0;
    }

    fn head(&mut self, tiers: &[&[Column]]) {
        self.sheet.rule(self.frame.left, self.y, self.frame.inner);
        for columns in tiers {
            let mut x = self.frame.left;
            for column in *columns {
                let area = Area::new(x + 1.0, self.y + 1.0, column.width - 2.0, 6.4);
                let style = Style { align: column.align, ..Style::new(7.5, 5.0).bold().lines(2) };
                self.sheet.words(area, style, column.caption);
                x += column.width;
            }
            self.y += 7.4;
        }
        self.sheet.rule(self.frame.left, self.y, self.frame.inner);
    }

    /// How high the highest cell of a row is. A cell that does not fit is reported when drawn.
    fn height(&self, columns: &[Column], row: &[Cell]) -> f32 {
        let cells = columns.iter().zip(row).map(|(column, (_, text))| {
            let area = Area::new(0.0, 0.0, column.width - 2.0, CELL_HEIGHT);
            let block = fit(self.renderer.font(CELL.weight), area, CELL, text);
            block.map_or(0.0, |block| height_of(block.em / POINT, block.lines.len()))
        });
        cells.fold(height_of(CELL.size, 1), f32::max)
    }

    /// A row of sums at the right.
    pub fn sum(&mut self, key: &'static str, path: &str, text: &str, is_last: bool) {
        self.need(7.0);
        let style = Style::new(9.5, 6.0).lines(1);
        let style = if is_last { style.bold() } else { style };
        let left = self.frame.left;
        self.sheet.words(Area::new(left + 90.0, self.y, 45.0, 5.0), style.right(), key);
        self.sheet.text(Area::new(left + 136.0, self.y, 43.0, 5.0), style.right(), path, text);
        self.y += 5.6;
        if is_last {
            self.sheet.rule(left + 110.0, self.y, 70.0);
            self.y += 4.0;
        }
    }

    /// A paragraph of our own words.
    pub fn paragraph(&mut self, key: &'static str) {
        self.need(12.0);
        let style = Style::new(8.5, 6.5).lines(3);
        self.sheet.words(Area::new(self.frame.left, self.y, self.frame.inner, 12.0), style, key);
        self.y += 12.0;
    }

    /// A line to sign on, for each caption.
    pub fn signatures(&mut self, captions: &[&'static str]) {
        self.need(24.0);
        for (index, caption) in captions.iter().enumerate() {
            let x = self.frame.left + 95.0 * index as f32;
            self.sheet.rule(x, self.y + 14.0, 85.0);
            self.sheet.words(Area::new(x, self.y + 15.0, 85.0, 4.0), CAPTION, caption);
        }
        self.y += 22.0;
    }

    /// The paper, with page numbers, or what is wrong with its fields.
    pub fn done(mut self) -> Result<Document, FieldErrors> {
        self.full.push(self.sheet);
        let (mut pages, mut errors) = (Vec::new(), FieldErrors::default());
        let count = self.full.len();
        for (index, mut sheet) in self.full.into_iter().enumerate() {
            let number = Message::new("paper-page").text("page", index + 1).text("pages", count);
            let text = number.say(self.language);
            let area = Area::new(self.frame.left, self.frame.foot, self.frame.inner, 4.0);
            sheet.text(area, Style::new(7.5, 5.0).right().lines(1), "language", &text);
            match sheet.done() {
                Ok(page) => pages.push(page),
                Err(problems) => errors.extend(problems),
            }
        }
        let document = Document { title: self.title, language: self.language, pages };
        if errors.is_empty() { Ok(document) } else { Err(errors) }
    }
}
