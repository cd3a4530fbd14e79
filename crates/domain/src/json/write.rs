//! The writer: compact JSON that `parse` reads back to an equal value.

use std::fmt::{self, Write};

use super::Json;

impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A formatter is slow to write to in crumbs.
        let mut text = String::with_capacity(256);
        write(&mut text, self);
        f.write_str(&text)
    }
}

fn write(out: &mut String, json: &Json) {
    match json {
        Json::Null => out.push_str("null"),
        Json::Bool(true) => out.push_str("true"),
        Json::Bool(false) => out.push_str("false"),
        Json::Number(number) => out.push_str(number.as_str()),
        Json::Text(text) => write_string(out, text),
        Json::Written(text) => out.push_str(text),
        Json::List(values) => {
            out.push('[');
            for (index, value) in values.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write(out, value);
            }
            out.push(']');
        }
        Json::Object(members) => {
            out.push('{');
            for (index, (name, value)) in members.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write_string(out, name);
                out.push(':');
                write(out, value);
            }
            out.push('}');
        }
    }
}

fn write_string(out: &mut String, text: &str) {
    out.push('"');
    let mut start = 0;
    for (index, byte) in text.bytes().enumerate() {
        if byte >= 0x20 && byte != b'"' && byte != b'\\' && byte != 0x7f {
            continue;
        }
        out.push_str(&text[start..index]);
        match byte {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            other => {
                // Writing to a string cannot fail.
                let _ = write!(out, "\\u{other:04x}");
            }
        }
        start = index + 1;
    }
    out.push_str(&text[start..]);
    out.push('"');
}
