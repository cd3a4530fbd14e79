//! Why there is no carrier to replay.

use std::io;
use std::path::PathBuf;

/// Why there is no carrier to replay.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// A file or the folder cannot be read.
    #[error("{path}: {error}", path = path.display())]
    Unreadable {
        /// Which one.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A file is not as it should be.
    #[error("{file}: {fault}")]
    Malformed {
        /// Which one.
        file: String,
        /// What is wrong with it.
        fault: Malformed,
    },
    /// There is no port for it.
    #[error("the carrier cannot listen: {0}")]
    NoPort(io::Error),
}

/// What is wrong with a file.
#[derive(Debug, thiserror::Error)]
pub enum Malformed {
    /// It is not TOML of this shape.
    #[error("{0}")]
    Shape(#[from] toml::de::Error),
    /// It is not UTF-8.
    #[error("it is not a text in UTF-8")]
    NotText,
    /// What should be JSON is not.
    #[error("the exchange \"{0}\": its JSON cannot be read")]
    Json(String),
    /// What should be base64 is not.
    #[error("the exchange \"{0}\": its base64 cannot be read")]
    Base64(String),
    /// There are two kinds of body.
    #[error("the exchange \"{0}\" has more than one body")]
    Bodies(String),
    /// A rule that does not exist.
    #[error("the exchange \"{exchange}\": {rule}")]
    Rule {
        /// Where it is.
        exchange: String,
        /// Which one.
        rule: UnknownRule,
    },
    /// A name that cannot be in a header, or a status that HTTP does not have.
    #[error("the exchange \"{0}\": its answer has a status or a header that HTTP cannot have")]
    Head(String),
    /// Two exchanges have one name.
    #[error("two exchanges are called \"{0}\"")]
    Twice(String),
    /// It waits for an exchange that is not there.
    #[error("the exchange \"{exchange}\" comes after \"{after}\", which does not exist")]
    After {
        /// Which one.
        exchange: String,
        /// What it waits for.
        after: String,
    },
}

/// A rule that does not exist.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there is no rule \"{0}\"")]
pub struct UnknownRule(pub String);

/// An answer has a place for which nothing was kept.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("nothing was kept as \"{0}\"")]
pub struct Unkept(pub String);

/// No exchange fits a request.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct Unmatched(pub String);
