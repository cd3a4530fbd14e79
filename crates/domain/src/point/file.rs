//! Points as files hold them: JSON, as one list or an object after another, and CSV with a line of
//! headings. Both are read piece by piece, so that a file may be larger than the memory.

use std::io::{self, BufRead};

use super::{Hours, Point};
use crate::fields::FieldErrors;
use crate::json::{Json, parse};
use crate::words::Message;

/// No entry of a file is longer.
const PIECE_MAX: usize = 1024 * 1024;

/// The objects of a JSON file, as text.
pub struct Pieces<R>(pub R);

impl<R: BufRead> Iterator for Pieces<R> {
    type Item = io::Result<Vec<u8>>;

    fn next(&mut self) -> Option<io::Result<Vec<u8>>> {
        let mut piece = Vec::new();
        let mut scan = Scan::default();
        loop {
            let buffer = match self.0.fill_buf() {
                Ok([]) if piece.is_empty() => return None,
                Ok([]) => return Some(Err(broken("the file ends within an entry"))),
                Ok(buffer) => buffer,
                Err(error) => return Some(Err(error)),
            };
            let (used, end) = match scan.read(buffer, &mut piece) {
                Ok(found) => found,
                Err(error) => return Some(Err(error)),
            };
            self.0.consume(used);
            if end {
                return Some(Ok(piece));
            }
            if piece.len() > PIECE_MAX {
                return Some(Err(broken("an entry is too long")));
            }
        }
    }
}

/// Where in an object the reading is.
#[derive(Default)]
struct Scan {
    depth: usize,
    is_text: bool,
    is_escaped: bool,
}

impl Scan {
    /// Takes bytes up to the end of the object: how many, and whether it ended.
    fn read(&mut self, buffer: &[u8], piece: &mut Vec<u8>) -> io::Result<(usize, bool)> {
        for (index, byte) in buffer.iter().enumerate() {
            if self.depth == 0 && *byte != b'{' {
                // What stands between objects: the list's own marks, and the mark of UTF-8.
                match byte {
                    b'[' | b']' | b',' | b' ' | b'\t' | b'\r' | b'\n' | 0xef | 0xbb | 0xbf => {}
                    _ => return Err(broken("something stands between two entries")),
                }
                continue;
            }
            piece.push(*byte);
            match byte {
                _ if self.is_escaped => self.is_escaped = false,
                b'\\' if self.is_text => self.is_escaped = true,
                b'"' => self.is_text = !self.is_text,
                b'{' if !self.is_text => self.depth += 1,
                b'}' if !self.is_text => self.depth -= 1,
                _ => {}
            }
            if self.depth == 0 {
                return Ok((index + 1, true));
            }
        }
        Ok((buffer.len(), false))
    }
}

fn broken(words: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, words)
}

/// The records of a CSV file, as RFC 4180 has them.
pub struct Csv<R>(pub R);

impl<R: BufRead> Iterator for Csv<R> {
    type Item = io::Result<Vec<String>>;

    fn next(&mut self) -> Option<io::Result<Vec<String>>> {
        let mut line = Vec::new();
        loop {
            let length = line.len();
            match self.0.read_until(b'\n', &mut line) {
                Err(error) => return Some(Err(error)),
                Ok(0) if line.is_empty() => return None,
                Ok(0) => return Some(Err(broken("the file ends within quotes"))),
                Ok(_) => {}
            }
            // A line break between quotes belongs to the field.
            let is_whole = line.iter().filter(|byte| **byte == b'"').count() % 2 == 0;
            if is_whole && line.trim_ascii().is_empty() {
                line.clear();
            } else if is_whole {
                return Some(fields(&line));
            } else if line.len() > PIECE_MAX || line.len() == length {
                return Some(Err(broken("an entry is too long")));
            }
        }
    }
}

fn fields(line: &[u8]) -> io::Result<Vec<String>> {
    let text = std::str::from_utf8(line).map_err(|_| broken("the file is not UTF-8"))?;
    let text = text.trim_start_matches('\u{feff}').trim_end_matches(['\r', '\n']);
    let (mut fields, mut field) = (Vec::new(), String::new());
    let (mut is_quoted, mut letters) = (false, text.chars().peekable());
    while let Some(letter) = letters.next() {
        match letter {
            '"' if is_quoted && letters.peek() == Some(&'"') => {
                letters.next();
                field.push('"');
            }
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => fields.push(std::mem::take(&mut field)),
            letter => field.push(letter),
        }
    }
    fields.push(field);
    Ok(fields)
}

/// The columns of a CSV file of points, in any order, and whether each must be filled.
const COLUMNS: [(&str, bool); 13] = [
    ("carrier", true),
    ("country", true),
    ("code", true),
    ("name", true),
    ("type", true),
    ("address_line_1", true),
    ("address_line_2", false),
    ("postal_code", true),
    ("city", true),
    ("administrative_area", false),
    ("latitude", true),
    ("longitude", true),
    ("opening_hours", false),
];

/// A point of a record, by the names of its columns.
pub fn from_csv(headings: &[String], record: &[String]) -> Result<Point, FieldErrors> {
    let mut errors = FieldErrors::default();
    for heading in headings.iter().filter(|heading| !COLUMNS.iter().any(|(n, _)| n == heading)) {
        errors.add(heading.as_str(), Message::new("unknown-field"));
    }
    let text = |name: &str| {
        let index = headings.iter().position(|heading| heading == name)?;
        record.get(index).map(|text| text.trim()).filter(|text| !text.is_empty())
    };
    for (name, _) in COLUMNS.iter().filter(|(name, is_needed)| *is_needed && text(name).is_none()) {
        errors.add(*name, Message::new("required"));
    }
    let hours = text("opening_hours").map(|text| {
        let hours = Hours::parse_short(text);
        if hours.is_none() {
            errors.add("opening_hours", Message::new("not-opening-hours"));
        }
        hours.map(|hours| hours.to_json())
    });
    if !errors.is_empty() {
        return Err(errors);
    }
    let json = |name: &str| Json::from(text(name));
    let number =
        |name: &str| parse(text(name).unwrap_or_default().as_bytes()).unwrap_or(Json::Null);
    let lines = ["address_line_1", "address_line_2"].into_iter().filter_map(text);
    Point::parse(&Json::object([
        ("carrier", json("carrier")),
        ("code", json("code")),
        ("name", json("name")),
        ("type", json("type")),
        (
            "address",
            Json::object([
                ("address_lines", Json::list(lines.map(Json::from))),
                ("postal_code", json("postal_code")),
                ("city", json("city")),
                ("administrative_area", json("administrative_area")),
                ("country", json("country")),
            ]),
        ),
        (
            "coordinates",
            Json::object([("latitude", number("latitude")), ("longitude", number("longitude"))]),
        ),
        ("opening_hours", hours.flatten().into()),
    ]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(text: &str) -> Vec<String> {
        let reader = std::io::BufReader::with_capacity(3, text.as_bytes());
        Pieces(reader).map(|piece| String::from_utf8(piece.unwrap()).unwrap()).collect()
    }

    #[test]
    fn a_list_and_lines_have_the_same_entries() {
        let (one, two) = (r#"{"a":"}\"{","b":{}}"#, r#"{"c":[1]}"#);
        assert_eq!(pieces(&format!("\u{feff}[{one},\n {two}]\n")), [one, two]);
        assert_eq!(pieces(&format!("{one}\n{two}\n")), [one, two]);
        assert!(pieces("[]").is_empty());
    }

    #[test]
    fn a_file_that_ends_too_early_or_has_something_else_in_it_is_refused() {
        for text in ["{\"a\":", "[{}, 7]", "hello"] {
            let last = Pieces(text.as_bytes()).last().unwrap();
            assert!(last.is_err(), "{text}");
        }
    }

    #[test]
    fn quotes_hold_commas_quotes_and_line_breaks() {
        let text = "a,\"b, \"\"c\"\"\nd\",e\r\n\r\n1,,\n";
        let records: Vec<Vec<String>> = Csv(text.as_bytes()).map(Result::unwrap).collect();
        assert_eq!(records, [vec!["a", "b, \"c\"\nd", "e"], vec!["1", "", ""]]);
        assert!(Csv("a,\"b\n".as_bytes()).last().unwrap().is_err());
    }

    #[test]
    fn a_record_is_a_point_by_the_names_of_its_columns() {
        let text = "code,carrier,country,name,type,address_line_1,postal_code,city,latitude,\
                    longitude,opening_hours\n\
                    DK-1,dao,DK,Kiosk,locker,Gade 1,2300,København S,55.5,12.5,mo-su 00:00-24:00\n\
                    DK-2,dao,DK,Kiosk,locker,,2300,København S,north,12.5,always\n";
        let mut records = Csv(text.as_bytes()).map(Result::unwrap);
        let headings = records.next().unwrap();
        let point = from_csv(&headings, &records.next().unwrap()).unwrap();
        assert_eq!((point.code.as_str(), point.country().code()), ("DK-1", "DK"));
        let errors = from_csv(&headings, &records.next().unwrap()).unwrap_err();
        let paths: Vec<&str> = errors.iter().map(|(path, _)| path).collect();
        assert_eq!(paths, ["address_line_1", "opening_hours"]);
    }
}
