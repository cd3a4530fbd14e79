//! Why a file was not imported.

use std::io;
use std::path::PathBuf;

use waybill_domain::fields::FieldErrors;

use crate::cli::file_error::FileError;

/// What is wrong with a file to import.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// It cannot be opened.
    #[error(transparent)]
    File(#[from] FileError),
    /// It is not a file.
    #[error("{}: this is a folder, and a file is needed", .0.display())]
    Folder(PathBuf),
    /// It holds something else.
    #[error("{}: {source}", path.display())]
    Contents {
        /// The file.
        path: PathBuf,
        /// What is wrong in it.
        source: ContentsError,
    },
    /// Some of its lines are wrong, which was told of each.
    #[error(
        "{}: {count} {}, and nothing was imported",
        path.display(),
        if *count == 1 { "problem" } else { "problems" }
    )]
    Refused {
        /// The file.
        path: PathBuf,
        /// How many problems.
        count: usize,
    },
    /// It was not done to its end.
    #[error("{source}; {done} of {all} lines were done: import the file again")]
    Stopped {
        /// How many lines were done.
        done: usize,
        /// How many there are.
        all: usize,
        /// Why.
        source: waybill_store::Error,
    },
}

/// What is wrong in a file to import.
#[derive(Debug, thiserror::Error)]
pub enum ContentsError {
    /// It cannot be read to its end.
    #[error("{0}")]
    Read(#[from] io::Error),
    /// A cell has no end.
    #[error("a quotation mark is not closed; within a cell in quotation marks it is written twice")]
    OpenQuote,
    /// An entry cannot be told from the next.
    #[error("entry {number}: {source}")]
    Entry {
        /// Which, from one.
        number: u64,
        /// Why.
        source: EntryError,
    },
    /// It has not even a line of headings.
    #[error("the file is empty")]
    Empty,
    /// Its columns are separated by something else.
    #[error("its columns must be separated by commas")]
    Separator,
    /// A column is missing.
    #[error("the first line has no heading {0}")]
    NoHeading(String),
    /// It is not what a request to replace rates has.
    #[error("this is not a JSON object as PUT …/rates takes it")]
    NotRates,
    /// A price has a decimal point.
    #[error(
        "entry {number}: price {price}: prices are whole numbers of the minor unit, such as 3900 \
         for 39.00"
    )]
    Price {
        /// Which, from one.
        number: u64,
        /// As it is written.
        price: String,
    },
    /// Rates of a JSON file that cannot be, at the paths of a request.
    #[error("{0}")]
    Rates(FieldErrors),
    /// Rates of a CSV file that cannot be, by their entries.
    #[error("{}", by_entry(&.0.to_string()))]
    Entries(FieldErrors),
}

/// Why an entry cannot be told from the next.
#[derive(Debug, thiserror::Error)]
pub enum EntryError {
    /// A JSON file has something else here.
    #[error("{0} (a JSON list or an object on each line is needed; a CSV file ends in .csv)")]
    Json(#[source] io::Error),
    /// A CSV file has.
    #[error("{0}")]
    Csv(#[source] io::Error),
}

/// Says `entry 2: price` where a request has `data.1.price`.
fn by_entry(complaints: &str) -> String {
    let rewritten = complaints.split("; ").map(|complaint| {
        let rest = complaint.strip_prefix("data.").and_then(|rest| rest.split_once('.'));
        let entry = rest.and_then(|(place, rest)| Some((place.parse::<usize>().ok()?, rest)));
        entry.map_or(complaint.to_owned(), |(place, rest)| format!("entry {}: {rest}", place + 1))
    });
    rewritten.collect::<Vec<_>>().join("; ")
}
