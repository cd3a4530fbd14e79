//! The entries of a JSON file, as one list or an object after another. They are read one by one, so
//! that a file may be larger than the memory.

use std::io::{self, BufRead};

/// No entry of a file is longer.
const PIECE_MAX: usize = 1024 * 1024;

/// The objects of a JSON file, as text. Nothing follows what could not be read.
pub struct Pieces<R> {
    reader: R,
    is_over: bool,
}

impl<R: BufRead> Pieces<R> {
    /// The objects that the reader has.
    pub fn new(reader: R) -> Pieces<R> {
        Pieces { reader, is_over: false }
    }

    fn read(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut piece = Vec::new();
        let mut scan = Scan::default();
        loop {
            let buffer = self.reader.fill_buf()?;
            if buffer.is_empty() && piece.is_empty() {
                return Ok(None);
            }
            if buffer.is_empty() || piece.len() > PIECE_MAX {
                return Err(broken("an entry does not end"));
            }
            let (used, is_whole) = scan.read(buffer, &mut piece)?;
            self.reader.consume(used);
            if is_whole {
                return Ok(Some(piece));
            }
        }
    }
}

impl<R: BufRead> Iterator for Pieces<R> {
    type Item = io::Result<Vec<u8>>;

    fn next(&mut self) -> Option<io::Result<Vec<u8>>> {
        if self.is_over {
            return None;
        }
        let read = self.read();
        self.is_over = !matches!(read, Ok(Some(_)));
        read.transpose()
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

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(text: &str) -> Vec<String> {
        let reader = std::io::BufReader::with_capacity(3, text.as_bytes());
        Pieces::new(reader).map(|piece| String::from_utf8(piece.unwrap()).unwrap()).collect()
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
            let last = Pieces::new(text.as_bytes()).last().unwrap();
            assert!(last.is_err(), "{text}");
        }
    }
}
