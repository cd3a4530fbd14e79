//! The reader: RFC 8259, strict, one pass, bounded depth, every duplicate key named.

use super::{Json, MemberName, Number};

/// Deeper nesting than this is refused.
const DEPTH_MAX: usize = 32;
/// More values than these are nothing of ours: a hundred shipments with all that they may have.
pub const VALUES_MAX: usize = 250_000;
/// So many duplicate keys are named before the rest is left unsaid.
const DUPLICATES_MAX: usize = 20;

/// Why bytes are not JSON that we accept.
#[derive(PartialEq, Eq, Debug)]
pub enum Fault {
    /// Not JSON; the offset of the first byte that cannot be right.
    Syntax(usize),
    /// Nested too deeply.
    TooDeep,
    /// It has more values than it may have.
    TooMany,
    /// These dotted paths occur twice in one object.
    Duplicates(Vec<String>),
}

/// Reads one JSON value that fills the whole input.
pub fn parse(input: &[u8]) -> Result<Json, Fault> {
    parse_within(input, VALUES_MAX)
}

/// The same of something that has at most so many values.
pub fn parse_within(input: &[u8], values_max: usize) -> Result<Json, Fault> {
    let text = std::str::from_utf8(input).map_err(|error| Fault::Syntax(error.valid_up_to()))?;
    let mut reader = Reader {
        bytes: text.as_bytes(),
        text,
        at: 0,
        values: 0,
        values_max,
        path: Vec::new(),
        duplicates: Vec::new(),
    };
    reader.space();
    let value = reader.value()?;
    reader.space();
    if reader.at < reader.bytes.len() {
        return Err(Fault::Syntax(reader.at));
    }
    if reader.duplicates.is_empty() { Ok(value) } else { Err(Fault::Duplicates(reader.duplicates)) }
}

struct Reader<'a> {
    bytes: &'a [u8],
    text: &'a str,
    at: usize,
    values: usize,
    values_max: usize,
    path: Vec<Step>,
    duplicates: Vec<String>,
}

enum Step {
    Member(String),
    Index(usize),
}

impl Reader<'_> {
    fn value(&mut self) -> Result<Json, Fault> {
        self.values += 1;
        if self.values > self.values_max {
            return Err(Fault::TooMany);
        }
        match self.peek() {
            Some(b'{') => self.object(),
            Some(b'[') => self.list(),
            Some(b'"') => self.string().map(Json::Text),
            Some(b't') => self.word("true", Json::Bool(true)),
            Some(b'f') => self.word("false", Json::Bool(false)),
            Some(b'n') => self.word("null", Json::Null),
            _ => self.number(),
        }
    }

    fn object(&mut self) -> Result<Json, Fault> {
        self.open()?;
        let mut members: Vec<(MemberName, Json)> = Vec::new();
        if self.eat(b'}') {
            return Ok(Json::Object(members));
        }
        loop {
            self.space();
            let name = self.string()?;
            self.space();
            self.expect(b':')?;
            self.space();
            self.path.push(Step::Member(name));
            let value = self.value()?;
            let Some(Step::Member(name)) = self.path.pop() else {
                return Err(Fault::Syntax(self.at));
            };
            members.push((name.into(), value));
            self.space();
            if self.eat(b'}') {
                break;
            }
            self.expect(b',')?;
        }
        self.note_duplicates(&members);
        Ok(Json::Object(members))
    }

    fn list(&mut self) -> Result<Json, Fault> {
        self.open()?;
        let mut values = Vec::new();
        if self.eat(b']') {
            return Ok(Json::List(values));
        }
        loop {
            self.space();
            self.path.push(Step::Index(values.len()));
            values.push(self.value()?);
            self.path.pop();
            self.space();
            if self.eat(b']') {
                return Ok(Json::List(values));
            }
            self.expect(b',')?;
        }
    }

    /// Steps over the opening bracket, unless that goes too deep.
    fn open(&mut self) -> Result<(), Fault> {
        if self.path.len() >= DEPTH_MAX {
            return Err(Fault::TooDeep);
        }
        self.at += 1;
        self.space();
        Ok(())
    }

    fn note_duplicates(&mut self, members: &[(MemberName, Json)]) {
        let mut names: Vec<&str> = members.iter().map(|(name, _)| name.as_ref()).collect();
        names.sort_unstable();
        let twice = names.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]);
        let mut twice: Vec<&str> = twice.collect();
        twice.dedup();
        for name in twice {
            if self.duplicates.len() < DUPLICATES_MAX {
                self.duplicates.push(self.path_to(name));
            }
        }
    }

    fn path_to(&self, name: &str) -> String {
        let mut path = String::new();
        for step in &self.path {
            match step {
                Step::Member(name) => path.push_str(name),
                Step::Index(index) => path.push_str(&index.to_string()),
            }
            path.push('.');
        }
        path + name
    }

    fn string(&mut self) -> Result<String, Fault> {
        self.expect(b'"')?;
        let mut out = String::new();
        loop {
            let start = self.at;
            while self.peek().is_some_and(|byte| byte != b'"' && byte != b'\\' && byte >= 0x20) {
                self.at += 1;
            }
            out.push_str(&self.text[start..self.at]);
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(out);
                }
                Some(b'\\') => {
                    self.at += 1;
                    out.push(self.escape()?);
                }
                _ => return Err(Fault::Syntax(self.at)),
            }
        }
    }

    fn escape(&mut self) -> Result<char, Fault> {
        let at = self.at;
        let byte = self.peek().ok_or(Fault::Syntax(at))?;
        self.at += 1;
        Ok(match byte {
            b'"' => '"',
            b'\\' => '\\',
            b'/' => '/',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => return self.unicode(),
            _ => return Err(Fault::Syntax(at)),
        })
    }

    /// `\uXXXX`, or two of them for one character. A lone surrogate is not a character.
    fn unicode(&mut self) -> Result<char, Fault> {
        let at = self.at;
        let high = self.hex4()?;
        if !(0xD800..0xE000).contains(&high) {
            return char::from_u32(high).ok_or(Fault::Syntax(at));
        }
        if high >= 0xDC00 || !(self.eat(b'\\') && self.eat(b'u')) {
            return Err(Fault::Syntax(at));
        }
        let low = self.hex4()?;
        if !(0xDC00..0xE000).contains(&low) {
            return Err(Fault::Syntax(at));
        }
        char::from_u32(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00)).ok_or(Fault::Syntax(at))
    }

    fn hex4(&mut self) -> Result<u32, Fault> {
        let digits = self.bytes.get(self.at..self.at + 4).ok_or(Fault::Syntax(self.at))?;
        let mut value = 0;
        for digit in digits {
            let digit = char::from(*digit).to_digit(16).ok_or(Fault::Syntax(self.at))?;
            value = value * 16 + digit;
        }
        self.at += 4;
        Ok(value)
    }

    fn number(&mut self) -> Result<Json, Fault> {
        let start = self.at;
        self.eat(b'-');
        if !self.eat(b'0') {
            self.digits()?;
        }
        if self.eat(b'.') {
            self.digits()?;
        }
        if self.eat(b'e') || self.eat(b'E') {
            let _sign = self.eat(b'+') || self.eat(b'-');
            self.digits()?;
        }
        Ok(Json::Number(Number::from_checked(&self.text[start..self.at])))
    }

    fn digits(&mut self) -> Result<(), Fault> {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        if self.at > start { Ok(()) } else { Err(Fault::Syntax(self.at)) }
    }

    fn word(&mut self, word: &str, value: Json) -> Result<Json, Fault> {
        if self.bytes[self.at..].starts_with(word.as_bytes()) {
            self.at += word.len();
            Ok(value)
        } else {
            Err(Fault::Syntax(self.at))
        }
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn eat(&mut self, byte: u8) -> bool {
        let is_next = self.peek() == Some(byte);
        self.at += usize::from(is_next);
        is_next
    }

    fn expect(&mut self, byte: u8) -> Result<(), Fault> {
        if self.eat(byte) { Ok(()) } else { Err(Fault::Syntax(self.at)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duplicate_key_is_named_by_its_path() {
        let fault = parse(br#"{"a":[{"b":1,"b":2}],"c":1,"c":1,"c":1}"#).unwrap_err();
        assert_eq!(fault, Fault::Duplicates(vec!["a.0.b".into(), "c".into()]));
    }

    #[test]
    fn an_escaped_key_is_the_same_key() {
        assert!(matches!(parse(br#"{"a":1,"\u0061":2}"#), Err(Fault::Duplicates(_))));
    }

    #[test]
    fn a_hundred_thousand_brackets_are_refused_without_a_crash() {
        assert_eq!(parse("[".repeat(100_000).as_bytes()), Err(Fault::TooDeep));
        assert_eq!(parse("{\"a\":".repeat(100_000).as_bytes()), Err(Fault::TooDeep));
    }

    #[test]
    fn more_values_than_any_request_has_are_refused() {
        let list = |count: usize| format!("[{}0]", "0,".repeat(count - 1));
        assert!(parse(list(VALUES_MAX - 1).as_bytes()).is_ok());
        assert_eq!(parse(list(VALUES_MAX).as_bytes()), Err(Fault::TooMany));
    }

    #[test]
    fn lone_surrogates_and_bad_utf8_are_refused() {
        for text in [&br#""\ud800""#[..], br#""\udc00\ud800""#, br#""\ud800\u0041""#, b"\"\xff\""] {
            assert!(matches!(parse(text), Err(Fault::Syntax(_))), "{text:?}");
        }
        assert_eq!(parse(br#""\ud83d\ude00""#), Ok(Json::Text("😀".into())));
    }

    #[test]
    fn what_a_careless_reader_accepts_is_refused() {
        for text in [
            "",
            " ",
            "{",
            "[1,]",
            "{\"a\":1,}",
            "01",
            "1.",
            ".5",
            "+1",
            "1e",
            "NaN",
            "tru",
            "1 2",
            "\"\n\"",
            "'a'",
            "{a:1}",
            "-",
            "\"\\x\"",
            "\"\\u12\"",
            "\u{feff}{}",
        ] {
            assert!(matches!(parse(text.as_bytes()), Err(Fault::Syntax(_))), "{text:?}");
        }
    }
}
