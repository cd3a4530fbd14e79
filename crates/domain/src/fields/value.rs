//! One value at one path, and what became of reading it.

use std::cell::RefCell;
use std::ops::RangeInclusive;

use super::{FieldErrors, Fields, Text};
use crate::json::Json;
use crate::time::Time;
use crate::words::Message;

/// The largest quantity we weigh or measure, in thousandths of a unit.
const QUANTITY_MAX: i64 = 1_000_000_000_000;

/// A value that is there, at its path. Each reading method notes a problem when the type is wrong.
pub struct Value<'a> {
    pub(super) json: &'a Json,
    pub(super) path: String,
    pub(super) errors: &'a RefCell<FieldErrors>,
}

impl<'a> Value<'a> {
    /// The value as it came, for what has no type of its own.
    pub fn json(&self) -> &'a Json {
        self.json
    }

    /// Its dotted path.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// As an object.
    pub fn object(&self) -> Option<Fields<'a>> {
        match self.json {
            Json::Object(members) => Some(Fields {
                members,
                path: self.path.clone(),
                errors: self.errors,
                known: RefCell::default(),
            }),
            _ => self.refuse(Message::new("not-an-object")),
        }
    }

    /// As a list with a bounded number of entries.
    pub fn list(&self, count: RangeInclusive<usize>) -> Option<Vec<Value<'a>>> {
        let Json::List(values) = self.json else {
            return self.refuse(Message::new("not-a-list"));
        };
        if values.len() < *count.start() {
            return self.refuse(Message::new("too-few").count("min", as_count(*count.start())));
        }
        if values.len() > *count.end() {
            return self.refuse(Message::new("too-many").count("max", as_count(*count.end())));
        }
        let entry = |(index, json)| Value {
            json,
            path: format!("{}.{index}", self.path),
            errors: self.errors,
        };
        Some(values.iter().enumerate().map(entry).collect())
    }

    /// As text that keeps the rule.
    pub fn text(&self, rule: Text) -> Option<String> {
        match self.json {
            Json::Text(text) => match rule.problem(text) {
                None => Some(text.clone()),
                Some(problem) => self.refuse(problem),
            },
            _ => self.refuse(Message::new("not-text")),
        }
    }

    /// As text that `parse` understands.
    pub fn parsed<T>(
        &self,
        parse: impl FnOnce(&str) -> Option<T>,
        message: impl FnOnce() -> Message,
    ) -> Option<T> {
        match self.json {
            Json::Text(text) => parse(text).or_else(|| self.refuse(message())),
            _ => self.refuse(Message::new("not-text")),
        }
    }

    /// As a moment.
    pub fn time(&self) -> Option<Time> {
        match self.json {
            Json::Text(text) => Time::parse(text).or_else(|| self.refuse(Time::problem(text))),
            _ => self.refuse(Message::new("not-text")),
        }
    }

    /// As true or false.
    pub fn boolean(&self) -> Option<bool> {
        match self.json {
            Json::Bool(value) => Some(*value),
            _ => self.refuse(Message::new("not-a-boolean")),
        }
    }

    /// As a whole number within bounds.
    pub fn integer(&self, range: RangeInclusive<i64>) -> Option<i64> {
        let Json::Number(number) = self.json else {
            return self.refuse(Message::new("not-an-integer"));
        };
        match number.as_integer() {
            None => self.refuse(Message::new("not-an-integer")),
            Some(value) if value < *range.start() => {
                self.refuse(Message::new("too-small").text("min", range.start()))
            }
            Some(value) if value > *range.end() => {
                self.refuse(Message::new("too-large").text("max", range.end()))
            }
            value => value,
        }
    }

    /// As a measured quantity in thousandths: above zero, at most three decimals.
    pub fn quantity(&self) -> Option<i64> {
        let Json::Number(number) = self.json else {
            return self.refuse(Message::new("not-a-number"));
        };
        if number.as_str().starts_with('-') || number.canonical() == "0" {
            return self.refuse(Message::new("not-positive"));
        }
        match number.as_thousandths() {
            Some(value) if value <= QUANTITY_MAX => Some(value),
            None if !number.is_huge() => self.refuse(Message::new("too-many-decimals")),
            _ => self.refuse(Message::new("too-large").text("max", QUANTITY_MAX / 1000)),
        }
    }

    /// Notes a problem here. Gives nothing, in any type.
    pub fn refuse<T>(&self, message: Message) -> Option<T> {
        self.errors.borrow_mut().add(self.path.clone(), message);
        None
    }
}

/// Reads every entry, so that each has its problems noted; the values only when all are good.
pub fn each<'a, T>(
    values: &[Value<'a>],
    read: impl FnMut(&Value<'a>) -> Option<T>,
) -> Option<Vec<T>> {
    let read: Vec<Option<T>> = values.iter().map(read).collect();
    read.into_iter().collect()
}

/// Reads every entry. An empty value takes the place of one that cannot be read, so that the
/// others keep theirs.
pub fn each_or_default<'a, T: Default>(
    values: &[Value<'a>],
    read: impl FnMut(&Value<'a>) -> Option<T>,
) -> Vec<T> {
    values.iter().map(read).map(Option::unwrap_or_default).collect()
}

/// What became of reading one member: a value, nothing, or a problem already noted.
#[must_use = "say whether the field is required or optional"]
pub struct Field<'a, T> {
    pub(super) value: Option<T>,
    pub(super) is_bad: bool,
    pub(super) path: String,
    pub(super) errors: &'a RefCell<FieldErrors>,
}

impl<'a, T> Field<'a, T> {
    /// The value; when it is absent or null, that is a problem.
    pub fn required(self) -> Option<T> {
        if self.value.is_none() && !self.is_bad {
            self.errors.borrow_mut().add(self.path, Message::new("required"));
        }
        self.value
    }

    /// Whether it was left out, or is null.
    pub fn is_absent(&self) -> bool {
        self.value.is_none() && !self.is_bad
    }

    /// The value, or nothing.
    pub fn optional(self) -> Option<T> {
        self.value
    }

    /// Reads on. A `None` from `read` means that it has noted a problem.
    pub fn then<U>(self, read: impl FnOnce(T) -> Option<U>) -> Field<'a, U> {
        let was_there = self.value.is_some();
        let value = self.value.and_then(read);
        let is_bad = self.is_bad || (was_there && value.is_none());
        Field { value, is_bad, path: self.path, errors: self.errors }
    }
}

fn as_count(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
