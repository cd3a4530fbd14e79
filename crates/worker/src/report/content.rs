//! What a report says about its rows, whatever they are.

use waybill_paper::{Cell, Chart, Column};

use super::pages::PagedRow;

/// A kind of report: a row of the spreadsheet for each of its rows, and figures over all of them.
pub trait ReportContent {
    /// What it is about.
    type Row: PagedRow;
    /// Its name, as a key of the words for people.
    const NAME: &'static str;

    /// The columns of the spreadsheet.
    fn columns(&self) -> Vec<Column>;
    /// One row of the spreadsheet.
    fn cells(&self, row: &Self::Row) -> Vec<Cell>;
    /// Counts one row more.
    fn count(&mut self, row: &Self::Row);
    /// What was counted, in numbers.
    fn figures(&self) -> Vec<(String, i64)>;
    /// What was counted, in bars.
    fn charts(&self) -> Vec<Chart>;
}
