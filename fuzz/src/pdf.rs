//! A second reader of the PDF files that we write, from the standard (ISO 32000-1, 7.2, 7.3, 7.5):
//! one object after the other, and nothing between them. What does not follow it panics.

use std::collections::BTreeMap;

/// What an object is made of. Texts are not told apart, and numbers only where they count.
enum Value {
    Dictionary(BTreeMap<String, Value>),
    Array(Vec<Value>),
    Name(String),
    Reference(u64),
    Number(f64),
    Text,
    Word(String),
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

/// The shapes of the objects of a file by their numbers, with that of its trailer as number 0.
pub fn shapes(bytes: &[u8]) -> BTreeMap<u64, String> {
    assert!(bytes.starts_with(b"%PDF-"), "a file begins with its version");
    let (mut reader, mut found) = (Reader { bytes, at: 0 }, BTreeMap::new());
    loop {
        reader.skip_space();
        if reader.bytes[reader.at..].starts_with(b"xref") {
            break;
        }
        let number = reader.whole().expect("an object has a number");
        reader.whole().expect("and a generation");
        reader.expect("obj");
        let value = reader.value();
        reader.skip_stream(&value);
        reader.expect("endobj");
        assert!(found.insert(number, shape(&value)).is_none(), "two objects {number}");
    }
    found.insert(0, reader.trailer(found.len()));
    found
}

impl Reader<'_> {
    fn trailer(&mut self, objects: usize) -> String {
        self.expect("xref");
        self.whole();
        let entries = self.whole().expect("a table has a length");
        assert!(entries > objects as u64, "every object is in the table");
        for _ in 0..entries {
            self.whole();
            self.whole();
            self.word();
        }
        self.expect("trailer");
        let value = self.value();
        self.expect("startxref");
        self.whole();
        assert_eq!(self.bytes[self.at..].trim_ascii(), b"%%EOF", "the file ends here");
        shape(&value)
    }

    /// Goes over the bytes of a stream, if one follows.
    fn skip_stream(&mut self, value: &Value) {
        self.skip_space();
        if !self.bytes[self.at..].starts_with(b"stream") {
            return;
        }
        let Value::Dictionary(entries) = value else { panic!("a stream has a dictionary") };
        let Some(Value::Number(length)) = entries.get("Length") else {
            panic!("a stream has a length")
        };
        self.expect("stream");
        let end_of_line = if self.bytes[self.at..].starts_with(b"\r\n") { 2 } else { 1 };
        self.at += end_of_line + *length as usize;
        self.expect("endstream");
    }

    fn value(&mut self) -> Value {
        self.skip_space();
        let rest = &self.bytes[self.at..];
        match rest.first().expect("the file goes on") {
            b'<' if rest.starts_with(b"<<") => self.dictionary(),
            b'<' => self.hexadecimal(),
            b'(' => self.literal(),
            b'[' => self.array(),
            b'/' => Value::Name(self.name()),
            b'0'..=b'9' | b'+' | b'-' | b'.' => self.number(),
            _ => Value::Word(self.word()),
        }
    }

    fn dictionary(&mut self) -> Value {
        let mut entries = BTreeMap::new();
        self.at += 2;
        loop {
            self.skip_space();
            if self.bytes[self.at..].starts_with(b">>") {
                self.at += 2;
                return Value::Dictionary(entries);
            }
            let key = self.name();
            let value = self.value();
            assert!(entries.insert(key, value).is_none(), "a key comes once");
        }
    }

    fn array(&mut self) -> Value {
        let mut items = Vec::new();
        self.at += 1;
        loop {
            self.skip_space();
            if self.bytes[self.at] == b']' {
                self.at += 1;
                return Value::Array(items);
            }
            items.push(self.value());
        }
    }

    fn hexadecimal(&mut self) -> Value {
        let rest = &self.bytes[self.at + 1..];
        let end = rest.iter().position(|byte| *byte == b'>').expect("a text ends");
        assert!(rest[..end].iter().all(|byte| byte.is_ascii_hexdigit() || is_space(*byte)));
        self.at += end + 2;
        Value::Text
    }

    /// Parentheses nest, and a backslash takes the next byte with it.
    fn literal(&mut self) -> Value {
        let mut depth = 0;
        loop {
            match self.bytes[self.at] {
                b'(' => depth += 1,
                b')' => depth -= 1,
                b'\\' => self.at += 1,
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                return Value::Text;
            }
        }
    }

    fn name(&mut self) -> String {
        assert_eq!(self.bytes[self.at], b'/', "a name begins with a slash");
        self.at += 1;
        self.regular()
    }

    /// A number, or with another number and an R behind it a reference.
    fn number(&mut self) -> Value {
        let text = self.regular();
        let behind = self.at;
        if let Ok(object) = text.parse()
            && self.whole().is_some()
            && self.word() == "R"
        {
            return Value::Reference(object);
        }
        self.at = behind;
        Value::Number(text.parse().expect("a number"))
    }

    fn whole(&mut self) -> Option<u64> {
        self.skip_space();
        let before = self.at;
        let number = self.regular().parse().ok();
        if number.is_none() {
            self.at = before;
        }
        number
    }

    fn word(&mut self) -> String {
        self.skip_space();
        self.regular()
    }

    fn expect(&mut self, word: &str) {
        assert_eq!(self.word(), word);
    }

    fn regular(&mut self) -> String {
        let rest = &self.bytes[self.at..];
        let is_end = |byte: &u8| is_space(*byte) || b"()<>[]{}/%".contains(byte);
        let end = rest.iter().position(is_end).unwrap_or(rest.len());
        self.at += end;
        String::from_utf8_lossy(&rest[..end]).into_owned()
    }

    fn skip_space(&mut self) {
        while let Some(byte) = self.bytes.get(self.at) {
            if *byte == b'%' {
                let rest = &self.bytes[self.at..];
                let is_end = |byte: &u8| *byte == b'\n' || *byte == b'\r';
                self.at += rest.iter().position(is_end).unwrap_or(rest.len());
            } else if is_space(*byte) {
                self.at += 1;
            } else {
                return;
            }
        }
    }
}

fn is_space(byte: u8) -> bool {
    b"\0\t\n\x0c\r ".contains(&byte)
}

/// Keys, names and references; no text, no numbers, and no names of font subsets.
fn shape(value: &Value) -> String {
    match value {
        Value::Dictionary(entries) => {
            let shape = |(key, value): (&String, &Value)| match key.as_str() {
                "BaseFont" | "FontName" => format!("{key} font"),
                _ => format!("{key} {}", shape(value)),
            };
            format!("<<{}>>", entries.iter().map(shape).collect::<Vec<_>>().join(", "))
        }
        Value::Array(items) => {
            let mut shapes: Vec<String> = items.iter().map(shape).collect();
            shapes.dedup();
            format!("[{}]", shapes.join(", "))
        }
        Value::Name(name) => format!("/{name}"),
        Value::Reference(object) => format!("{object} R"),
        Value::Number(_) => "number".to_owned(),
        Value::Text => "text".to_owned(),
        Value::Word(word) => word.clone(),
    }
}
