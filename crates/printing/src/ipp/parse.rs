//! Reads messages of others.

use super::encode::{COLLECTION, COLLECTION_END, END, MEMBER_NAME};
use super::message::{Group, Message};
use super::value::{Attribute, Kind, Value};

/// The attributes of a message may not be longer. The document behind them may be.
pub const BYTES_MAX: usize = 2 * 1024 * 1024;
/// A message may not have more groups and values, those that are passed over included.
pub const VALUES_MAX: usize = 10_000;
/// Collections may not lie deeper in each other.
pub const DEPTH_MAX: usize = 8;

/// Why bytes are not a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum IppError {
    /// They end too early.
    #[error("the message is cut off")]
    Cut,
    /// The attributes are too long.
    #[error("the message has more than {BYTES_MAX} bytes of attributes")]
    TooLong,
    /// There is too much in it.
    #[error("the message has more than {VALUES_MAX} values")]
    TooMany,
    /// Collections lie in collections in collections.
    #[error("the message has more than {DEPTH_MAX} collections in each other")]
    TooDeep,
    /// A group begins inside of a collection.
    #[error("a collection does not end")]
    OpenCollection,
}

/// Reads a message, and gives what stands behind it: the document.
pub fn parse(bytes: &[u8]) -> Result<(Message, &[u8]), IppError> {
    let mut reader = Reader { all: bytes, at: 0, values: 0 };
    let [major, minor] = reader.array()?;
    let code = reader.u16()?;
    let request_id = i32::from_be_bytes(reader.array()?);
    let mut message = Message::new((major, minor), code, request_id);
    loop {
        match reader.peek()? {
            END => break,
            tag if is_group(tag) => {
                reader.at += 1;
                reader.count()?;
                let attributes = reader.attributes()?;
                message.groups.push(Group { tag, attributes });
            }
            // Values that stand before every group belong to nothing.
            _ => drop(reader.attributes()?),
        }
    }
    Ok((message, &bytes[reader.at + 1..]))
}

/// Tags below 0x10 begin a group, also those that no standard has yet.
fn is_group(tag: u8) -> bool {
    tag < 0x10
}

struct Reader<'a> {
    all: &'a [u8],
    at: usize,
    values: usize,
}

/// A value as it stands there.
struct Raw<'a> {
    tag: u8,
    name: &'a [u8],
    value: &'a [u8],
}

impl<'a> Reader<'a> {
    fn take(&mut self, length: usize) -> Result<&'a [u8], IppError> {
        let end = self.at + length;
        if end > BYTES_MAX {
            return Err(IppError::TooLong);
        }
        let taken = self.all.get(self.at..end).ok_or(IppError::Cut)?;
        self.at = end;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], IppError> {
        self.take(N)?.try_into().map_err(|_| IppError::Cut)
    }

    fn u16(&mut self) -> Result<u16, IppError> {
        Ok(u16::from_be_bytes(self.array()?))
    }

    fn peek(&self) -> Result<u8, IppError> {
        self.all.get(self.at).copied().ok_or(IppError::Cut)
    }

    fn count(&mut self) -> Result<(), IppError> {
        self.values += 1;
        if self.values > VALUES_MAX { Err(IppError::TooMany) } else { Ok(()) }
    }

    fn raw(&mut self) -> Result<Raw<'a>, IppError> {
        self.count()?;
        let [tag] = self.array()?;
        let length = self.u16()?;
        let name = self.take(usize::from(length))?;
        let length = self.u16()?;
        let value = self.take(usize::from(length))?;
        Ok(Raw { tag, name, value })
    }

    /// Everything up to the next group. An attribute of which no value can be read is left out.
    fn attributes(&mut self) -> Result<Vec<Attribute>, IppError> {
        let mut all: Vec<Attribute> = Vec::new();
        while !is_group(self.peek()?) {
            let raw = self.raw()?;
            if !raw.name.is_empty() {
                all.push(Attribute { name: text(raw.name), values: Vec::new() });
            }
            let value = self.value(&raw, 1)?;
            if let Some(current) = all.last_mut() {
                current.values.extend(value);
            }
        }
        all.retain(|attribute| !attribute.values.is_empty());
        Ok(all)
    }

    /// The value, or nothing when it is none that can be read. `depth` is that of a collection
    /// that begins here.
    fn value(&mut self, raw: &Raw, depth: usize) -> Result<Option<Value>, IppError> {
        if raw.tag == COLLECTION {
            return self.collection(depth).map(|members| Some(Value::Collection(members)));
        }
        Ok(scalar(raw.tag, raw.value))
    }

    fn collection(&mut self, depth: usize) -> Result<Vec<Attribute>, IppError> {
        if depth > DEPTH_MAX {
            return Err(IppError::TooDeep);
        }
        let mut members: Vec<Attribute> = Vec::new();
        let mut is_named = false;
        loop {
            if is_group(self.peek()?) {
                return Err(IppError::OpenCollection);
            }
            let raw = self.raw()?;
            match raw.tag {
                COLLECTION_END => break,
                MEMBER_NAME => {
                    is_named = !raw.value.is_empty();
                    if is_named {
                        members.push(Attribute { name: text(raw.value), values: Vec::new() });
                    }
                }
                _ => {
                    let value = self.value(&raw, depth + 1)?;
                    if let Some(current) = members.last_mut().filter(|_| is_named) {
                        current.values.extend(value);
                    }
                }
            }
        }
        members.retain(|member| !member.values.is_empty());
        Ok(members)
    }
}

fn scalar(tag: u8, bytes: &[u8]) -> Option<Value> {
    Some(match tag {
        0x10..=0x1f => Value::OutOfBand(tag),
        0x21 => Value::Integer(number(bytes)?),
        0x22 => match bytes {
            [byte] => Value::Boolean(*byte != 0),
            _ => return None,
        },
        0x23 => Value::Enum(number(bytes)?),
        0x30 => Value::Octets(bytes.to_vec()),
        0x31 => Value::DateTime(bytes.try_into().ok()?),
        0x32 => match (number(bytes.get(..4)?), number(bytes.get(4..8)?), bytes.get(8..)?) {
            (Some(across), Some(along), [unit]) => Value::Resolution(across, along, *unit),
            _ => return None,
        },
        0x33 => Value::Range(number(bytes.get(..4)?)?, number(bytes.get(4..)?)?),
        _ => return read_text(tag, bytes),
    })
}

fn read_text(tag: u8, bytes: &[u8]) -> Option<Value> {
    Kind::ALL.into_iter().find_map(|(kind, plain, with_language)| {
        if tag == plain {
            return Some(Value::text(kind, text(bytes)));
        }
        let (language, rest) = with_language.filter(|it| *it == tag).and_then(|_| part(bytes))?;
        let (words, rest) = part(rest)?;
        let language = Some(text(language));
        rest.is_empty().then(|| Value::Text { kind, language, text: text(words) })
    })
}

/// A length of two bytes and so many more; and the rest.
fn part(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = bytes.split_first_chunk()?;
    rest.split_at_checked(usize::from(u16::from_be_bytes(*length)))
}

fn number(bytes: &[u8]) -> Option<i32> {
    Some(i32::from_be_bytes(bytes.try_into().ok()?))
}

/// Bytes that are not UTF-8 become question marks, so that a text never grows.
fn text(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        if !chunk.invalid().is_empty() {
            text.push('?');
        }
    }
    text
}

#[cfg(test)]
mod tests;
