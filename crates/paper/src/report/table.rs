//! Spreadsheets: typed columns, a frozen head with filters, and text that is never a formula.
//!
//! Rows are written as they are added, so a hundred thousand of them need no more memory than one;
//! the unfinished sheet is kept in a temporary file by the library.

use jiff::civil::DateTime;
use rust_xlsxwriter::{Format, FormatAlign, Workbook, Worksheet, XlsxError};
use waybill_domain::measure::Money;

use crate::problem::Problem;

/// A column of a spreadsheet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Column {
    /// What stands in its head.
    pub name: String,
    /// What its cells are.
    pub kind: ColumnKind,
    /// In characters.
    pub width: u16,
}

/// What the cells of a column are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ColumnKind {
    /// Text, whatever it looks like.
    Text,
    /// Whole numbers.
    Integer,
    /// Numbers with three decimals, such as kilograms.
    Decimal,
    /// Amounts in major units.
    Money,
    /// Days with a time.
    Moment,
}

/// One cell. A cell of another kind than its column is written as it is.
#[derive(Clone, PartialEq, Debug)]
pub enum Cell {
    /// Nothing.
    Empty,
    /// Text.
    Text(String),
    /// A whole number.
    Integer(i64),
    /// Thousandths.
    Decimal(i64),
    /// An amount; its currency wants a column of its own.
    Money(Money),
    /// A day with a time, in whatever zone the report is for.
    Moment(DateTime),
}

/// What fits into a cell (a limit of the format).
const CELL_MAX: usize = 32_767;
/// How long the name of a sheet may be.
const NAME_MAX: usize = 31;
/// How many rows fit into a sheet, the head included.
const ROWS_MAX: u32 = 1_048_576;

/// A spreadsheet that is being written. Rows beyond the last one that fits are left out.
pub struct SpreadsheetWriter {
    book: Workbook,
    formats: Vec<Format>,
    last_row: u32,
}

impl SpreadsheetWriter {
    /// Writes the head.
    pub fn begin(name: &str, columns: &[Column]) -> Result<SpreadsheetWriter, Problem> {
        begin(name, columns).map_err(not_drawn)
    }

    /// Writes one row more.
    pub fn add_row(&mut self, cells: &[Cell]) -> Result<(), Problem> {
        if self.last_row + 1 == ROWS_MAX {
            return Ok(());
        }
        self.last_row += 1;
        self.write_row(cells).map_err(not_drawn)
    }

    /// The whole file.
    pub fn finish(self) -> Result<Vec<u8>, Problem> {
        self.end().map_err(not_drawn)
    }

    fn write_row(&mut self, cells: &[Cell]) -> Result<(), XlsxError> {
        let sheet = self.book.worksheet_from_index(0)?;
        for ((index, cell), format) in (0_u16..).zip(cells).zip(&self.formats) {
            write_cell(sheet, (self.last_row, index), cell, format)?;
        }
        Ok(())
    }

    fn end(mut self) -> Result<Vec<u8>, XlsxError> {
        let last_column = self.formats.len().checked_sub(1);
        if let Some(column) = last_column.and_then(|column| u16::try_from(column).ok()) {
            self.book.worksheet_from_index(0)?.autofilter(0, 0, self.last_row, column)?;
        }
        self.book.save_to_buffer()
    }
}

fn not_drawn(_: XlsxError) -> Problem {
    Problem::file("document-not-drawn")
}

fn begin(name: &str, columns: &[Column]) -> Result<SpreadsheetWriter, XlsxError> {
    let mut book = Workbook::new();
    // The same rows give the same bytes: the file is dated at the start of its format's time.
    let date = rust_xlsxwriter::ExcelDateTime::from_ymd(2000, 1, 1)?;
    book.set_properties(&rust_xlsxwriter::DocProperties::new().set_creation_datetime(&date));
    let sheet = book.add_worksheet_with_constant_memory()?;
    sheet.set_name(sheet_name(name))?;
    sheet.set_freeze_panes(1, 0)?;
    let bold = Format::new().set_bold();
    for (index, column) in (0_u16..).zip(columns) {
        sheet.set_column_width(index, f64::from(column.width))?;
        sheet.write_string_with_format(0, index, clean(&column.name), &bold)?;
    }
    let formats = columns.iter().map(|column| format(column.kind)).collect();
    Ok(SpreadsheetWriter { book, formats, last_row: 0 })
}

fn format(kind: ColumnKind) -> Format {
    let format = Format::new();
    match kind {
        // Quoted, so that no program takes a text for a formula, also when somebody edits it.
        ColumnKind::Text => format.set_align(FormatAlign::Left).set_quote_prefix(),
        ColumnKind::Integer => format.set_num_format("#,##0"),
        ColumnKind::Decimal => format.set_num_format("#,##0.000"),
        ColumnKind::Money => format.set_num_format("#,##0.00"),
        ColumnKind::Moment => format.set_num_format("yyyy-mm-dd hh:mm"),
    }
}

fn write_cell(
    sheet: &mut Worksheet,
    (row, column): (u32, u16),
    cell: &Cell,
    format: &Format,
) -> Result<(), XlsxError> {
    let number = |parts: i64, decimals: u16| parts as f64 / 10_f64.powi(i32::from(decimals));
    match cell {
        Cell::Empty => return Ok(()),
        Cell::Text(text) => sheet.write_string_with_format(row, column, clean(text), format)?,
        Cell::Integer(value) => {
            sheet.write_number_with_format(row, column, *value as f64, format)?
        }
        Cell::Decimal(value) => {
            sheet.write_number_with_format(row, column, number(*value, 3), format)?
        }
        Cell::Money(money) => {
            let value = number(money.minor, money.currency.decimals());
            sheet.write_number_with_format(row, column, value, format)?
        }
        Cell::Moment(moment) => {
            sheet.write_number_with_format(row, column, serial(*moment), format)?
        }
    };
    Ok(())
}

/// Days since the last day of 1899, which is how the format counts.
fn serial(moment: DateTime) -> f64 {
    let epoch = jiff::civil::date(1899, 12, 30);
    let days = moment.date().since(epoch).map_or(0, |span| span.get_days());
    let time = moment.time();
    let seconds = i64::from(time.hour()) * 3600 + i64::from(time.minute()) * 60;
    f64::from(days) + (seconds + i64::from(time.second())) as f64 / 86_400.0
}

/// Text without control characters, which XML has no way to write, and no longer than a cell.
fn clean(text: &str) -> String {
    let kept = text.chars().map(|c| if c.is_control() || is_no_character(c) { ' ' } else { c });
    cut(kept, CELL_MAX)
}

/// What fits. The format counts in units of UTF-16.
fn cut(text: impl Iterator<Item = char>, max: usize) -> String {
    let mut units = 0;
    text.take_while(|c| {
        units += c.len_utf16();
        units <= max
    })
    .collect()
}

fn is_no_character(c: char) -> bool {
    matches!(c, '\u{fffe}' | '\u{ffff}')
}

/// A name that a sheet may have: not too long, and none of the forbidden characters.
fn sheet_name(name: &str) -> String {
    let is_forbidden = |c: char| "[]:*?/\\'".contains(c) || c.is_control() || is_no_character(c);
    let kept = cut(name.chars().filter(|c| !is_forbidden(*c)), NAME_MAX);
    if kept.trim().is_empty() { "Report".to_owned() } else { kept.trim().to_owned() }
}
