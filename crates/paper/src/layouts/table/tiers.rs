//! Tables whose rows have several lines of cells, with barcodes below some of them: what is scanned
//! while it is read.

use std::ops::RangeInclusive;

use waybill_domain::words::Message;

use super::{CELL_HEIGHT, Cell, Column, PAGES_MAX, Paged};
use crate::page::Area;
use crate::sheet::{DOT, DOTS_LEAST, dots};
use crate::symbol::{Symbol, Symbology};
use crate::text::{POINT, Style, fit, height_of};

/// How high bars are, in millimetres.
const BARS: f32 = 8.0;
/// The room of a square: it holds the longest text that has a barcode here.
const SQUARE: f32 = 18.4;
/// How many dots at 203 dpi a module has at most.
const DOTS_MOST: u32 = 3;
/// The same for a QR code on a large page, and the room for one.
const DOTS_WIDE: u32 = 6;
const SQUARE_WIDE: f32 = 26.0;
/// Between a text and its barcode, and below each line of cells.
const GAP: f32 = 0.8;

/// A cell of a row, how it is set, and the barcode below it.
pub(crate) struct Tile {
    pub cell: Cell,
    pub style: Style,
    pub code: Option<Coded>,
}

/// A barcode that has its place in a column.
pub(crate) struct Coded {
    symbol: Symbol,
    dots: u32,
    width: f32,
    height: f32,
}

/// One line of a row that was measured: its columns, its cells, and how high it is.
type Measured<'a> = (&'a [Column], Vec<&'a Tile>, f32);

impl Coded {
    /// The barcode of a text in a column of this width: bars where there is room for them, else a
    /// square. Only in a QR code are letters beyond ASCII read as they are. Modules are `wide`
    /// where the page is large: a picture of it has few dots for each of them.
    pub fn new(text: &str, column: f32, is_wide: bool) -> Option<Coded> {
        if !text.is_ascii() {
            let (room, most) = if is_wide { (SQUARE_WIDE, DOTS_WIDE) } else { (SQUARE, DOTS_MOST) };
            let square = Symbol::new(Symbology::Qr, text).ok()?;
            return Coded::in_room(square, (room, room), DOTS_LEAST..=most);
        }
        let least = if is_wide { DOTS_MOST } else { DOTS_LEAST };
        let bars = Symbol::new(Symbology::Code128, text).ok();
        let bars = bars.and_then(|bars| Coded::in_room(bars, (column, BARS), least..=DOTS_MOST));
        bars.or_else(|| {
            let square = Symbol::new(Symbology::DataMatrix, text).ok()?;
            Coded::in_room(square, (SQUARE, SQUARE), DOTS_LEAST..=DOTS_MOST)
        })
    }

    fn in_room(symbol: Symbol, room: (f32, f32), range: RangeInclusive<u32>) -> Option<Coded> {
        let dots = dots(&symbol, room, range)?;
        let (across, down) = symbol.size();
        let side = |modules: u32| (modules * dots) as f32 * DOT;
        let height = if symbol.symbology.is_linear() { BARS } else { side(down) };
        let width = side(across);
        Some(Coded { symbol, dots, width, height })
    }
}

impl Paged<'_> {
    /// A table in which a row has a line for each tier of columns. Its head is repeated on every
    /// page, and a row stays on one.
    pub fn tiers(&mut self, tiers: &[&[Column]], rows: impl IntoIterator<Item = Vec<Tile>>) {
        self.need(8.0 * tiers.len() as f32 + 40.0);
        self.head(tiers);
        for row in rows {
            let lines = self.measured(tiers, &row);
            let height: f32 = lines.iter().map(|(.., height)| height + GAP).sum();
            if self.y + height > self.frame.bottom {
                if self.full.len() >= PAGES_MAX {
                    self.sheet.errors.add("document", Message::new("document-too-large"));
                    return;
                }
                self.turn();
                self.head(tiers);
            }
            for (columns, tiles, height) in lines {
                self.tier(columns, &tiles);
                self.y += height + GAP;
            }
            self.y += 0.6;
            self.sheet.fill(Area::new(self.frame.left, self.y, self.frame.inner, 0.125));
        }
        self.y += 4.0;
    }

    fn measured<'a>(&self, tiers: &[&'a [Column]], row: &'a [Tile]) -> Vec<Measured<'a>> {
        let mut tiles = row.iter();
        let lines = tiers.iter().map(|columns| {
            let tiles: Vec<&Tile> = tiles.by_ref().take(columns.len()).collect();
            let heights = columns.iter().zip(&tiles).map(|(column, tile)| {
                let code = tile.code.as_ref().map_or(0.0, |code| code.height + GAP);
                self.text_height(column, tile) + code
            });
            let height = heights.fold(0.0, f32::max);
            (*columns, tiles, height)
        });
        lines.collect()
    }

    fn tier(&mut self, columns: &[Column], tiles: &[&Tile]) {
        let mut x = self.frame.left;
        for (column, tile) in columns.iter().zip(tiles) {
            let (path, text) = &tile.cell;
            let height = self.text_height(column, tile);
            let style = Style { align: column.align, ..tile.style };
            let area = Area::new(x + 1.0, self.y + GAP, column.width - 2.0, height);
            self.sheet.text(area, style, path, text);
            if let Some(code) = &tile.code {
                let y = self.y + GAP + height + GAP;
                let area = Area::new(x + 1.0, y, code.width, code.height);
                self.sheet.symbol(area, code.dots, code.symbol.clone());
            }
            x += column.width;
        }
    }

    /// How high a text is. One that does not fit is reported when it is drawn.
    fn text_height(&self, column: &Column, tile: &Tile) -> f32 {
        let area = Area::new(0.0, 0.0, column.width - 2.0, CELL_HEIGHT);
        let font = self.renderer.font(tile.style.weight);
        let block = fit(font, area, tile.style, &tile.cell.1);
        let one = height_of(tile.style.size, 1);
        block.map_or(one, |block| height_of(block.em / POINT, block.lines.len()).max(one))
    }
}
