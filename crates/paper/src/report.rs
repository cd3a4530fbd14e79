//! Reports: a spreadsheet of every row, and a summary on paper.

pub(crate) mod summary;
pub(crate) mod table;
