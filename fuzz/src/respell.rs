//! The same value, written another way: spaces, escapes, other spellings of numbers, other orders.

use waybill_domain::json::{Json, MemberName};

use crate::number::{Decimal, decimal};

/// Writes values with spellings that the seed chooses.
pub struct Speller(u64);

impl Speller {
    /// Chooses by this seed.
    pub fn new(seed: u64) -> Speller {
        Speller(seed | 1)
    }

    /// The text of the value.
    pub fn spell(&mut self, json: &Json) -> String {
        let mut out = String::new();
        self.value(&mut out, json);
        out
    }

    fn value(&mut self, out: &mut String, json: &Json) {
        self.space(out);
        match json {
            Json::Null => out.push_str("null"),
            Json::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
            Json::Number(number) => out.push_str(&self.number(number.as_str())),
            Json::Text(text) => self.string(out, text),
            Json::List(values) => self.list(out, values),
            Json::Object(members) => self.object(out, members),
            // What was written before is never read, so no reader gives it.
            Json::Written(text) => out.push_str(text),
        }
        self.space(out);
    }

    fn list(&mut self, out: &mut String, values: &[Json]) {
        out.push('[');
        self.space(out);
        for (index, value) in values.iter().enumerate() {
            out.push_str(if index > 0 { "," } else { "" });
            self.value(out, value);
        }
        out.push(']');
    }

    fn object(&mut self, out: &mut String, members: &[(MemberName, Json)]) {
        out.push('{');
        self.space(out);
        for (index, (name, value)) in members.iter().enumerate() {
            out.push_str(if index > 0 { "," } else { "" });
            self.space(out);
            self.string(out, name);
            self.space(out);
            out.push(':');
            self.value(out, value);
        }
        out.push('}');
    }

    fn string(&mut self, out: &mut String, text: &str) {
        out.push('"');
        for c in text.chars() {
            let must_escape = c < ' ' || c == '"' || c == '\\';
            match (c, self.choose(4)) {
                ('\n', 0) => out.push_str("\\n"),
                ('\u{8}', 0) => out.push_str("\\b"),
                ('\u{c}', 0) => out.push_str("\\f"),
                ('"' | '\\' | '/', 0) => out.extend(['\\', c]),
                (c, 0 | 1) => self.escape(out, c),
                (c, _) if must_escape => self.escape(out, c),
                (c, _) => out.push(c),
            }
        }
        out.push('"');
    }

    fn escape(&mut self, out: &mut String, c: char) {
        for unit in c.encode_utf16(&mut [0; 2]) {
            let digits = format!("\\u{unit:04x}");
            let digits =
                if self.choose(2) == 0 { digits } else { digits.to_uppercase().replace('U', "u") };
            out.push_str(&digits);
        }
    }

    /// Numbers whose exponent is too long to move are left alone: only their text counts.
    fn number(&mut self, text: &str) -> String {
        let Some(Decimal { is_negative, digits, power }) = decimal(text) else {
            return text.to_owned();
        };
        let sign = if is_negative { "-" } else { "" };
        let zeros = self.choose(3);
        let moved = power - i64::try_from(zeros).unwrap_or(0);
        let whole = digits.trim_start_matches('0');
        let whole = if whole.is_empty() { "0".to_owned() } else { whole.to_owned() };
        let padded = if whole == "0" { whole.clone() } else { whole.clone() + &"0".repeat(zeros) };
        match self.choose(4) {
            0 => format!("{sign}{padded}e{moved}"),
            1 => format!("{sign}{padded}E{moved:+}"),
            2 => format!("{sign}{whole}.{}e{power}", "0".repeat(zeros + 1)),
            _ => {
                let shifted = power + i64::try_from(digits.len()).unwrap_or(0);
                format!("{sign}0.{digits}E{shifted:+04}")
            }
        }
    }

    fn space(&mut self, out: &mut String) {
        let index = self.choose(8);
        out.push_str(["", "", "", "", " ", "\t", "\r\n", "\n "][index]);
    }

    /// One of `count` choices: xorshift.
    fn choose(&mut self, count: u64) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from((self.0 >> 33) % count).unwrap_or(0)
    }
}

/// The members of every object in reverse order.
pub fn reverse_members(json: &Json) -> Json {
    match json {
        Json::List(values) => Json::list(values.iter().map(reverse_members)),
        Json::Object(members) => {
            let member =
                |(name, value): &(MemberName, Json)| (name.clone(), reverse_members(value));
            Json::Object(members.iter().rev().map(member).collect())
        }
        simple => simple.clone(),
    }
}

/// The entries of every list in reverse order.
pub fn reverse_lists(json: &Json) -> Json {
    match json {
        Json::List(values) => Json::list(values.iter().rev().map(reverse_lists)),
        Json::Object(members) => {
            let member = |(name, value): &(MemberName, Json)| (name.clone(), reverse_lists(value));
            Json::Object(members.iter().map(member).collect())
        }
        simple => simple.clone(),
    }
}
