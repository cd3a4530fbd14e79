//! Objects of a PDF file as bytes.

use std::io::Write;

use lopdf::{Dictionary, Object, ObjectId, StringFormat};

/// Writing to memory does not fail, so what `write!` returns is dropped.
macro_rules! put {
    ($out:expr, $($text:tt)*) => {{ let _ = write!($out, $($text)*); }};
}
pub(super) use put;

/// Writes an object. `number` tells the number that an object of the old file has in the new one;
/// none for what is not there any more.
pub(super) fn write(
    out: &mut Vec<u8>,
    object: &Object,
    number: &mut impl FnMut(ObjectId) -> Option<u32>,
) {
    match object {
        Object::Null => out.extend(b"null"),
        Object::Boolean(value) => put!(out, "{value}"),
        Object::Integer(value) => put!(out, "{value}"),
        Object::Real(value) => put!(out, "{value}"),
        Object::Name(name) => write_name(out, name),
        Object::String(text, format) => write_string(out, text, *format),
        Object::Array(items) => {
            out.push(b'[');
            for item in items {
                out.push(b' ');
                write(out, item, number);
            }
            out.push(b']');
        }
        Object::Dictionary(entries) => write_dictionary(out, entries, number),
        Object::Stream(stream) => {
            // The length may have stood elsewhere, or be wrong.
            let mut entries = stream.dict.clone();
            entries.set("Length", stream.content.len() as i64);
            write_dictionary(out, &entries, number);
            out.extend(b"stream\n");
            out.extend(&stream.content);
            out.extend(b"\nendstream");
        }
        Object::Reference(id) => match number(*id) {
            Some(number) => put!(out, "{number} 0 R"),
            None => out.extend(b"null"),
        },
    }
}

fn write_dictionary(
    out: &mut Vec<u8>,
    entries: &Dictionary,
    number: &mut impl FnMut(ObjectId) -> Option<u32>,
) {
    out.extend(b"<<");
    for (key, value) in entries {
        write_name(out, key);
        out.push(b' ');
        write(out, value, number);
    }
    out.extend(b">>");
}

fn write_name(out: &mut Vec<u8>, name: &[u8]) {
    out.push(b'/');
    for byte in name {
        match byte {
            b'!'..=b'~' if !b"()<>[]{}/%#".contains(byte) => out.push(*byte),
            _ => put!(out, "#{byte:02X}"),
        }
    }
}

fn write_string(out: &mut Vec<u8>, text: &[u8], format: StringFormat) {
    if format == StringFormat::Hexadecimal {
        out.push(b'<');
        text.iter().for_each(|byte| put!(out, "{byte:02X}"));
        out.push(b'>');
        return;
    }
    out.push(b'(');
    for byte in text {
        match byte {
            b'(' | b')' | b'\\' => out.extend([b'\\', *byte]),
            b'\r' => out.extend(b"\\r"),
            _ => out.push(*byte),
        }
    }
    out.push(b')');
}

/// Every object that this one refers to.
pub(super) fn references(object: &Object, see: &mut impl FnMut(ObjectId)) {
    match object {
        Object::Reference(id) => see(*id),
        Object::Array(items) => items.iter().for_each(|item| references(item, see)),
        Object::Dictionary(entries) => {
            entries.iter().for_each(|(_, value)| references(value, see));
        }
        Object::Stream(stream) => {
            stream.dict.iter().for_each(|(_, value)| references(value, see));
        }
        _ => {}
    }
}
