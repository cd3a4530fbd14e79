//! Messages, and how their attributes are found.

use super::value::{Attribute, Value};

/// A request or an answer, without the document that may follow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Message {
    /// The version of IPP: the number before the point and the one behind it.
    pub version: (u8, u8),
    /// The operation of a request, the status of an answer.
    pub code: u16,
    /// The number of the request, repeated in its answer.
    pub request_id: i32,
    /// The attributes, in groups.
    pub groups: Vec<Group>,
}

/// Attributes of one thing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Group {
    /// What it is: a number of [`super::group`].
    pub tag: u8,
    /// Its attributes, in their order.
    pub attributes: Vec<Attribute>,
}

impl Message {
    /// A request or an answer that has no attributes yet.
    pub fn new(version: (u8, u8), code: u16, request_id: i32) -> Message {
        Message { version, code, request_id, groups: Vec::new() }
    }

    /// The same with one more group.
    pub fn with(mut self, group: Group) -> Message {
        self.groups.push(group);
        self
    }

    /// The first group of this kind.
    pub fn group(&self, tag: u8) -> Option<&Group> {
        self.groups_of(tag).next()
    }

    /// All groups of this kind.
    pub fn groups_of(&self, tag: u8) -> impl Iterator<Item = &Group> {
        self.groups.iter().filter(move |group| group.tag == tag)
    }
}

impl Group {
    /// A group without attributes.
    pub fn new(tag: u8) -> Group {
        Group { tag, attributes: Vec::new() }
    }

    /// The same with one more attribute.
    pub fn with(self, name: &str, value: Value) -> Group {
        self.with_all(name, vec![value])
    }

    /// The same with one more attribute of several values.
    pub fn with_all(mut self, name: &str, values: Vec<Value>) -> Group {
        self.attributes.push(Attribute { name: name.to_owned(), values });
        self
    }

    /// The values of an attribute; none when it is not there.
    pub fn values(&self, name: &str) -> &[Value] {
        let found = self.attributes.iter().find(|attribute| attribute.name == name);
        found.map(|attribute| attribute.values.as_slice()).unwrap_or_default()
    }

    /// Whether the attribute is there with a value, and not only said to have none.
    pub fn has(&self, name: &str) -> bool {
        self.values(name).iter().any(|value| !matches!(value, Value::OutOfBand(_)))
    }

    /// The first value, when it is an integer or an enum.
    pub fn integer(&self, name: &str) -> Option<i32> {
        self.values(name).first().and_then(Value::as_integer)
    }

    /// The first value, when it is a boolean.
    pub fn boolean(&self, name: &str) -> Option<bool> {
        match self.values(name).first() {
            Some(Value::Boolean(value)) => Some(*value),
            _ => None,
        }
    }

    /// The first value, when it is a text of any kind.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.values(name).first().and_then(Value::as_text)
    }

    /// The values that are texts of any kind.
    pub fn texts(&self, name: &str) -> impl Iterator<Item = &str> {
        self.values(name).iter().filter_map(Value::as_text)
    }
}
