//! The records of a CSV file, one by one. All have as many fields as the first.

use std::io::{self, BufRead};

use csv::{ReaderBuilder, StringRecordsIntoIter};

/// The records, headings included.
pub struct Records<R>(StringRecordsIntoIter<R>);

impl<R: BufRead> Records<R> {
    /// The records that the reader has.
    pub fn new(reader: R) -> Records<R> {
        Records(ReaderBuilder::new().has_headers(false).from_reader(reader).into_records())
    }
}

impl<R: BufRead> Iterator for Records<R> {
    type Item = io::Result<Vec<String>>;

    fn next(&mut self) -> Option<io::Result<Vec<String>>> {
        let record = self.0.next()?.map_err(io::Error::from);
        Some(record.map(|record| record.iter().map(str::to_owned).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_hold_commas_quotes_and_line_breaks() {
        let text = "\u{feff}a,\"b, \"\"c\"\"\nd\",e\r\n\r\n1,,\n";
        let records: Vec<Vec<String>> = Records::new(text.as_bytes()).map(Result::unwrap).collect();
        assert_eq!(records, [vec!["a", "b, \"c\"\nd", "e"], vec!["1", "", ""]]);
    }

    #[test]
    fn a_record_with_fewer_fields_and_a_quote_that_does_not_end_are_refused() {
        for text in ["a,b,c\n1,2\n", "a,b,c\n\"1,2,3\n4,5,6\n"] {
            assert!(Records::new(text.as_bytes()).last().unwrap().is_err(), "{text}");
        }
    }
}
