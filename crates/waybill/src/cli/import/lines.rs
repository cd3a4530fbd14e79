//! The lines of a CSV file by the names of their columns, and everything that is wrong with them,
//! each with its line and column.

use csv::{ErrorKind, Reader, ReaderBuilder, StringRecord};
use waybill_domain::fields::FieldErrors;
use waybill_domain::json::{Json, parse};
use waybill_domain::language::Language;
use waybill_domain::words::Message;

use super::error::ContentsError;

/// One line of a file after the headings.
pub struct CsvLine<'a> {
    /// Which line of the file it begins on, from one.
    pub number: u64,
    headings: &'a [String],
    record: StringRecord,
}

/// Everything that is wrong with a file.
#[derive(Default)]
pub struct Problems(Vec<String>);

/// A file whose headings were read.
pub struct CsvLines<'a> {
    reader: Reader<&'a [u8]>,
    headings: Vec<String>,
    place: LinePosition<'a>,
}

/// A place in a file, and the line that it is on. The reader counts lines, too, but not those that
/// end as on Windows, and not empty ones.
struct LinePosition<'a> {
    bytes: &'a [u8],
    at: usize,
    line: u64,
}

impl LinePosition<'_> {
    /// The line of the record that the reader found from this byte on.
    fn line_of(&mut self, byte: u64) -> u64 {
        let from = usize::try_from(byte).unwrap_or(usize::MAX).min(self.bytes.len());
        let ends = self.bytes[from..].iter().take_while(|byte| matches!(byte, b'\r' | b'\n'));
        let start = from + ends.count();
        let passed = self.bytes.get(self.at..start).unwrap_or_default();
        self.line += passed.iter().filter(|byte| **byte == b'\n').count() as u64;
        self.at = self.at.max(start);
        self.line
    }
}

impl<'a> CsvLines<'a> {
    /// Reads the headings: those that must be there, and those that may. A heading that is not
    /// known is a problem, because its column would go unnoticed.
    pub fn new(
        bytes: &'a [u8],
        needed: &[&str],
        optional: &[&str],
        problems: &mut Problems,
    ) -> Result<CsvLines<'a>, ContentsError> {
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        // A quote within a cell is written twice, so a whole file has an even number of them.
        if bytes.iter().filter(|byte| **byte == b'"').count() % 2 == 1 {
            return Err(ContentsError::OpenQuote);
        }
        let mut reader = ReaderBuilder::new().has_headers(false).flexible(true).from_reader(bytes);
        let mut first = StringRecord::new();
        if !reader.read_record(&mut first).map_err(std::io::Error::from)? {
            return Err(ContentsError::Empty);
        }
        let headings: Vec<String> = first.iter().map(|text| text.trim().to_owned()).collect();
        if let Some(missing) = needed.iter().find(|name| !headings.iter().any(|text| text == *name))
        {
            let is_other = headings.len() == 1 && headings[0].contains([';', '\t']);
            let missing = ContentsError::NoHeading((*missing).to_owned());
            return Err(if is_other { ContentsError::Separator } else { missing });
        }
        let mut place = LinePosition { bytes, at: 0, line: 1 };
        let line = place.line_of(first.position().map_or(0, csv::Position::byte));
        for (index, heading) in headings.iter().enumerate() {
            let is_known = |name: &&str| name == heading;
            if headings[..index].contains(heading) {
                problems.add(line, heading, "stands in the headings twice");
            } else if !needed.iter().chain(optional).any(is_known) {
                let known = [needed, optional].concat().join(", ");
                problems.add(line, heading, &format!("is not one of {known}"));
            }
        }
        Ok(CsvLines { reader, headings, place })
    }

    /// Reads every line. What a line means is said by `take`; what is wrong is noted.
    pub fn each(
        mut self,
        problems: &mut Problems,
        mut take: impl FnMut(&CsvLine<'_>, &mut Problems),
    ) -> Result<(), ContentsError> {
        let mut record = StringRecord::new();
        loop {
            let before = self.reader.position().byte();
            match self.reader.read_record(&mut record) {
                Ok(false) => return Ok(()),
                Ok(true) => {
                    let number = self.place.line_of(before);
                    let line = CsvLine { number, headings: &self.headings, record };
                    let (wanted, found) = (self.headings.len(), line.record.len());
                    if found == wanted {
                        take(&line, problems);
                    } else {
                        let words = format!("has {found} cells where the headings are {wanted}");
                        problems.add_line(number, &words);
                    }
                    record = line.record;
                }
                Err(error) => match error.kind() {
                    ErrorKind::Utf8 { .. } => {
                        problems.add_line(self.place.line_of(before), "is not UTF-8");
                    }
                    _ => return Err(std::io::Error::from(error).into()),
                },
            }
        }
    }
}

impl CsvLine<'_> {
    /// What stands in a column, without spaces around it; nothing when that is empty.
    pub fn text(&self, heading: &str) -> Option<&str> {
        let index = self.headings.iter().position(|name| name == heading)?;
        self.record.get(index).map(str::trim).filter(|text| !text.is_empty())
    }

    /// The same as a number. What is none is told as that, by whoever checks it.
    pub fn number(&self, heading: &str) -> Json {
        let number = |text: &str| match parse(text.as_bytes()) {
            Ok(number @ Json::Number(_)) => number,
            _ => text.into(),
        };
        self.text(heading).map_or(Json::Null, number)
    }
}

impl Problems {
    /// Something is wrong in this column of this line.
    pub fn add(&mut self, line: u64, column: &str, words: &str) {
        self.0.push(format!("line {line}, column {column}: {words}"));
    }

    /// Something is wrong with a whole line.
    pub fn add_line(&mut self, line: u64, words: &str) {
        self.0.push(format!("line {line}: {words}"));
    }

    /// What is wrong with the fields of a line, each in the column that its field came from.
    pub fn add_fields(&mut self, line: u64, found: &FieldErrors, column: impl Fn(&str) -> String) {
        for (path, messages) in found.iter() {
            for message in messages {
                self.add(line, &column(path), &say(message));
            }
        }
    }

    /// Tells everything, and how many there are.
    pub fn tell(&self) -> usize {
        self.0.iter().for_each(|problem| eprintln!("{problem}"));
        self.0.len()
    }
}

fn say(message: &Message) -> String {
    message.say(Language::En)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Vec<(u64, Option<String>)>, Vec<String>) {
        let (mut taken, mut problems) = (Vec::new(), Problems::default());
        let lines = CsvLines::new(text.as_bytes(), &["a"], &["b"], &mut problems).unwrap();
        let take = |line: &CsvLine<'_>, _: &mut Problems| {
            taken.push((line.number, line.text("b").map(str::to_owned)));
        };
        lines.each(&mut problems, take).unwrap();
        (taken, problems.0)
    }

    #[test]
    fn lines_are_numbered_as_an_editor_does() {
        let text = |text: &str| Some(text.to_owned());
        for end in ["\n", "\r\n"] {
            let file = "\u{feff}a, b\n1,\"x\ny\"\n\n\n2, z \n3,\n".replace('\n', end);
            let (taken, problems) = read(&file);
            let first = format!("x{end}y");
            assert_eq!(taken, [(2, text(&first)), (6, text("z")), (7, None)]);
            assert!(problems.is_empty(), "{problems:?}");
        }
    }

    #[test]
    fn every_problem_is_told_with_its_line_and_the_rest_is_read() {
        let (taken, problems) = read("a,b,c,a\n1,2\n1,2,3,4\n1,2,3,4,5\n");
        assert_eq!(taken.len(), 1);
        assert_eq!(
            problems,
            [
                "line 1, column c: is not one of a, b",
                "line 1, column a: stands in the headings twice",
                "line 2: has 2 cells where the headings are 4",
                "line 4: has 5 cells where the headings are 4",
            ]
        );
    }

    #[test]
    fn bytes_that_are_no_text_are_a_problem_of_their_line() {
        let (mut count, mut problems) = (0, Problems::default());
        let bytes: &[u8] = b"a,b\n1,\xff\n2,3\n";
        let lines = CsvLines::new(bytes, &["a"], &["b"], &mut problems).unwrap();
        lines.each(&mut problems, |_, _| count += 1).unwrap();
        assert_eq!((count, problems.0), (1, vec!["line 2: is not UTF-8".to_owned()]));
    }

    #[test]
    fn a_file_without_its_headings_is_none() {
        let wrong = |text: &str| {
            let found = CsvLines::new(text.as_bytes(), &["a"], &[], &mut Problems::default());
            found.err().unwrap().to_string()
        };
        assert_eq!(wrong(""), "the file is empty");
        assert_eq!(wrong("b\n"), "the first line has no heading a");
        assert_eq!(wrong("a;b\n"), "its columns must be separated by commas");
    }
}
