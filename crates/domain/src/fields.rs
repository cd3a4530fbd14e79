//! Reads a request body once: typed values come out, every problem is collected at its dotted path.
//!
//! A field that nobody asked for is a problem too: bookings cost money, so a typo must not be
//! ignored. The unknown ones are reported when the reader of their object goes out of scope.

mod checks;
mod errors;
mod value;

use std::cell::RefCell;

pub use checks::{Text, one_of, unknown};
pub use errors::FieldErrors;
pub use value::{Field, Value, each, each_or_default};

use crate::json::{Fault, Json, MemberName, VALUES_MAX, parse_within};
use crate::time::Time;
use crate::words::Message;

/// Reads the bytes of a body as a JSON object, or says what is wrong with it as a whole.
pub fn read_object(body: &[u8]) -> Result<Json, FieldErrors> {
    read_object_within(body, VALUES_MAX)
}

/// The same of a body that has at most so many values.
pub fn read_object_within(body: &[u8], values_max: usize) -> Result<Json, FieldErrors> {
    if body.iter().all(u8::is_ascii_whitespace) {
        return Err(FieldErrors::one("body", Message::new("body-missing")));
    }
    match parse_within(body, values_max) {
        Ok(object @ Json::Object(_)) => Ok(object),
        Ok(_) => Err(FieldErrors::one("body", Message::new("body-not-object"))),
        Err(Fault::TooDeep) => Err(FieldErrors::one("body", Message::new("body-too-deep"))),
        Err(Fault::TooMany) => {
            let max = i64::try_from(values_max).unwrap_or(i64::MAX);
            Err(FieldErrors::one("body", Message::new("body-too-many").count("max", max)))
        }
        Err(Fault::Syntax(offset)) => {
            Err(FieldErrors::one("body", Message::new("body-not-json").text("offset", offset)))
        }
        Err(Fault::Duplicates(paths)) => {
            let mut errors = FieldErrors::default();
            for path in paths {
                errors.add(path, Message::new("duplicate-field"));
            }
            Err(errors)
        }
    }
}

/// Reads an object with `read`, and gives its value only when nothing at all was wrong.
pub fn read<T>(json: &Json, read: impl FnOnce(&Fields) -> Option<T>) -> Result<T, FieldErrors> {
    match read_what_can_be(json, read) {
        (Some(value), errors) if errors.is_empty() => Ok(value),
        (_, errors) => Err(errors),
    }
}

/// Reads what we stored. It keeps the rules of its day: one that came later does not make it
/// unreadable.
pub fn read_stored<T>(
    json: &Json,
    read: impl FnOnce(&Fields) -> Option<T>,
) -> Result<T, FieldErrors> {
    let (value, errors) = read_what_can_be(json, read);
    let errors = errors.without("not-money");
    value.filter(|_| errors.is_empty()).ok_or(errors)
}

/// Reads an object, and gives the value beside everything that is wrong with it. The value is there
/// when `read` has put something in the place of what could not be read.
pub fn read_what_can_be<T>(
    json: &Json,
    read: impl FnOnce(&Fields) -> Option<T>,
) -> (Option<T>, FieldErrors) {
    let errors = RefCell::new(FieldErrors::default());
    let value = Value { json, path: String::new(), errors: &errors };
    let result = value.object().and_then(|fields| read(&fields));
    (result, errors.into_inner())
}

/// Reads an object of which some problems are known already: all are told at once.
pub fn read_knowing<T>(
    json: &Json,
    mut known: FieldErrors,
    read_fields: impl FnOnce(&Fields) -> Option<T>,
) -> Result<T, FieldErrors> {
    match read(json, read_fields) {
        Ok(value) if known.is_empty() => return Ok(value),
        Ok(_) => {}
        Err(errors) => known.extend(errors),
    }
    Err(known)
}

/// The reader of one object. It remembers which names were asked for.
pub struct Fields<'a> {
    members: &'a [(MemberName, Json)],
    path: String,
    errors: &'a RefCell<FieldErrors>,
    known: RefCell<Vec<&'static str>>,
}

impl<'a> Fields<'a> {
    /// The value under this name, whatever its type. Null and absent are the same: unknown.
    pub fn value(&self, name: &'static str) -> Field<'a, Value<'a>> {
        self.known.borrow_mut().push(name);
        let json = self.members.iter().find(|(key, _)| key == name).map(|(_, value)| value);
        let path = self.path_of(name);
        let value = json.filter(|json| **json != Json::Null).map(|json| Value {
            json,
            path: path.clone(),
            errors: self.errors,
        });
        Field { value, is_bad: false, path, errors: self.errors }
    }

    /// A nested object.
    pub fn object(&self, name: &'static str) -> Field<'a, Fields<'a>> {
        self.value(name).then(|value| value.object())
    }

    /// A list with a bounded number of entries.
    pub fn list(
        &self,
        name: &'static str,
        count: std::ops::RangeInclusive<usize>,
    ) -> Field<'a, Vec<Value<'a>>> {
        self.value(name).then(|value| value.list(count))
    }

    /// Text that keeps the given rule.
    pub fn text(&self, name: &'static str, rule: Text) -> Field<'a, String> {
        self.value(name).then(|value| value.text(rule))
    }

    /// Text that `parse` understands; otherwise `message` at its path.
    pub fn parsed<T>(
        &self,
        name: &'static str,
        parse: impl FnOnce(&str) -> Option<T>,
        message: impl FnOnce() -> Message,
    ) -> Field<'a, T> {
        self.value(name).then(|value| value.parsed(parse, message))
    }

    /// A moment.
    pub fn time(&self, name: &'static str) -> Field<'a, Time> {
        self.value(name).then(|value| value.time())
    }

    /// True or false.
    pub fn boolean(&self, name: &'static str) -> Field<'a, bool> {
        self.value(name).then(|value| value.boolean())
    }

    /// A whole number within bounds.
    pub fn integer(
        &self,
        name: &'static str,
        range: std::ops::RangeInclusive<i64>,
    ) -> Field<'a, i64> {
        self.value(name).then(|value| value.integer(range))
    }

    /// A measured quantity in thousandths: above zero, at most three decimals.
    pub fn quantity(&self, name: &'static str) -> Field<'a, i64> {
        self.value(name).then(|value| value.quantity())
    }

    /// Notes a problem at a path below this object.
    pub fn refuse(&self, name: &str, message: Message) {
        self.errors.borrow_mut().add(self.path_of(name), message);
    }

    /// The dotted path of a member of this object. One without a name is a problem of the object,
    /// so that no path ends in a dot.
    pub fn path_of(&self, name: &str) -> String {
        match (self.path.is_empty(), name.trim_end_matches('.')) {
            (true, "") => "body".to_owned(),
            (true, name) => name.to_owned(),
            (false, "") => self.path.clone(),
            (false, name) => format!("{}.{name}", self.path),
        }
    }
}

impl Drop for Fields<'_> {
    fn drop(&mut self) {
        let known = self.known.borrow();
        for (name, _) in self.members {
            if self.errors.borrow().is_full() {
                return;
            }
            if !known.contains(&name.as_ref()) {
                self.refuse(name, checks::unknown("unknown-field", name, &known));
            }
        }
    }
}

#[cfg(test)]
mod tests;
