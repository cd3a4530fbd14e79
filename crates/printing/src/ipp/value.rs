//! The values that an attribute can have.

/// A name with one value or several.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Attribute {
    /// The name.
    pub name: String,
    /// The values.
    pub values: Vec<Value>,
}

/// A value, RFC 8010 section 3.9.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// No value, and the tag that says why: unsupported, unknown, no-value.
    OutOfBand(u8),
    /// A number.
    Integer(i32),
    /// A number that stands for a word.
    Enum(i32),
    /// Yes or no.
    Boolean(bool),
    /// The least and the greatest of some numbers.
    Range(i32, i32),
    /// Dots across and along, and the unit: 3 for an inch, 4 for a centimetre.
    Resolution(i32, i32, u8),
    /// A time as RFC 2579 writes it.
    DateTime([u8; 11]),
    /// Bytes of any meaning.
    Octets(Vec<u8>),
    /// A text. Only texts and names can have a language.
    Text {
        /// What kind of text.
        kind: Kind,
        /// Its language, when it is told with the text.
        language: Option<String>,
        /// The text itself.
        text: String,
    },
    /// Attributes in one value.
    Collection(Vec<Attribute>),
}

/// The kinds of texts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Words for people.
    Text,
    /// What people call something.
    Name,
    /// A word of the standard.
    Keyword,
    /// An address.
    Uri,
    /// The first part of an address.
    UriScheme,
    /// A character set.
    Charset,
    /// A language.
    Language,
    /// A media type.
    MimeType,
}

impl Kind {
    /// All kinds, each with its tag and the tag that it has with a language.
    pub(super) const ALL: [(Kind, u8, Option<u8>); 8] = [
        (Kind::Text, 0x41, Some(0x35)),
        (Kind::Name, 0x42, Some(0x36)),
        (Kind::Keyword, 0x44, None),
        (Kind::Uri, 0x45, None),
        (Kind::UriScheme, 0x46, None),
        (Kind::Charset, 0x47, None),
        (Kind::Language, 0x48, None),
        (Kind::MimeType, 0x49, None),
    ];
}

impl Value {
    /// A word of the standard.
    pub fn keyword(text: impl Into<String>) -> Value {
        Value::text(Kind::Keyword, text)
    }

    /// What people call something.
    pub fn name(text: impl Into<String>) -> Value {
        Value::text(Kind::Name, text)
    }

    /// An address.
    pub fn uri(text: impl Into<String>) -> Value {
        Value::text(Kind::Uri, text)
    }

    /// A text of any kind, in the language of the message.
    pub fn text(kind: Kind, text: impl Into<String>) -> Value {
        Value::Text { kind, language: None, text: text.into() }
    }

    /// The number, when it is one.
    pub fn as_integer(&self) -> Option<i32> {
        match self {
            Value::Integer(number) | Value::Enum(number) => Some(*number),
            _ => None,
        }
    }

    /// The text, when it is one.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Value::Text { text, .. } => Some(text),
            _ => None,
        }
    }

    /// The value of a member, when it is a collection that has it.
    pub fn member(&self, name: &str) -> Option<&Value> {
        let Value::Collection(members) = self else { return None };
        members.iter().find(|member| member.name == name)?.values.first()
    }
}
