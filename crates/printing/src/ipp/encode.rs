//! Writes messages.

use bytes::{BufMut, Bytes, BytesMut};

use super::message::Message;
use super::value::{Attribute, Kind, Value};

/// Ends the attributes; the document follows.
pub(super) const END: u8 = 0x03;
pub(super) const COLLECTION: u8 = 0x34;
pub(super) const COLLECTION_END: u8 = 0x37;
pub(super) const MEMBER_NAME: u8 = 0x4a;

impl Message {
    /// The message as bytes. A document may follow it. Nothing on the wire is longer than 65,535
    /// bytes: a longer text of ours is cut.
    pub fn encode(&self) -> Bytes {
        let mut out = BytesMut::with_capacity(1024);
        out.put_slice(&[self.version.0, self.version.1]);
        out.put_u16(self.code);
        out.put_i32(self.request_id);
        for group in &self.groups {
            out.put_u8(group.tag);
            for attribute in &group.attributes {
                put_attribute(&mut out, attribute);
            }
        }
        out.put_u8(END);
        out.freeze()
    }
}

fn put_attribute(out: &mut BytesMut, attribute: &Attribute) {
    let names = std::iter::once(attribute.name.as_str()).chain(std::iter::repeat(""));
    for (name, value) in names.zip(&attribute.values) {
        put_value(out, name, value);
    }
}

/// Tag, name and value. Values after an attribute's first have no name.
fn put_value(out: &mut BytesMut, name: &str, value: &Value) {
    match value {
        Value::OutOfBand(tag) => put(out, *tag, name, &[]),
        Value::Integer(number) => put(out, 0x21, name, &number.to_be_bytes()),
        Value::Boolean(is_true) => put(out, 0x22, name, &[u8::from(*is_true)]),
        Value::Enum(number) => put(out, 0x23, name, &number.to_be_bytes()),
        Value::Octets(bytes) => put(out, 0x30, name, bytes),
        Value::DateTime(bytes) => put(out, 0x31, name, bytes),
        Value::Resolution(across, along, unit) => {
            let dots = [across.to_be_bytes(), along.to_be_bytes()].concat();
            put(out, 0x32, name, &[dots.as_slice(), &[*unit]].concat());
        }
        Value::Range(least, most) => {
            put(out, 0x33, name, &[least.to_be_bytes(), most.to_be_bytes()].concat());
        }
        Value::Text { kind, language, text } => put_text(out, name, *kind, language.as_ref(), text),
        Value::Collection(members) => {
            put(out, COLLECTION, name, &[]);
            for member in members.iter().filter(|member| !member.values.is_empty()) {
                put(out, MEMBER_NAME, "", member.name.as_bytes());
                member.values.iter().for_each(|value| put_value(out, "", value));
            }
            put(out, COLLECTION_END, "", &[]);
        }
    }
}

fn put_text(out: &mut BytesMut, name: &str, kind: Kind, language: Option<&String>, text: &str) {
    for (known, tag, with_language) in Kind::ALL {
        if known != kind {
            continue;
        }
        match language.zip(with_language) {
            None => put(out, tag, name, text.as_bytes()),
            Some((language, tag)) => {
                let mut both = BytesMut::new();
                put_cut(&mut both, language.as_bytes());
                put_cut(&mut both, text.as_bytes());
                put(out, tag, name, &both);
            }
        }
    }
}

fn put(out: &mut BytesMut, tag: u8, name: &str, value: &[u8]) {
    out.put_u8(tag);
    put_cut(out, name.as_bytes());
    put_cut(out, value);
}

/// The length and then so many bytes.
fn put_cut(out: &mut BytesMut, bytes: &[u8]) {
    let length = u16::try_from(bytes.len()).unwrap_or(u16::MAX);
    out.put_u16(length);
    out.put_slice(&bytes[..usize::from(length)]);
}
