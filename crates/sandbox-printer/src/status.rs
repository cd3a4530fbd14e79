//! How an operation ended, and the number that IPP has for it.

use std::fmt;

/// The statuses that the sandbox printer gives, RFC 8011 appendix B.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// It was done.
    Ok,
    /// The request is not one.
    BadRequest,
    /// The job is not in a state for that.
    NotPossible,
    /// There is no such job or printer.
    NotFound,
    /// The document is too large.
    TooLarge,
    /// The document is of a kind that it does not print.
    FormatNotSupported,
    /// A value is out of bounds.
    ValueNotSupported,
    /// The request is not in UTF-8.
    CharsetNotSupported,
    /// The document is compressed.
    CompressionNotSupported,
    /// It could not write.
    Internal,
    /// It does not know the operation.
    OperationNotSupported,
    /// It does not know the version of IPP.
    VersionNotSupported,
    /// It takes no jobs.
    NotAccepting,
    /// It takes no jobs at this moment.
    Busy,
    /// A job has one document.
    OneDocument,
}

impl Status {
    /// The number.
    pub fn code(self) -> u16 {
        match self {
            Status::Ok => 0x0000,
            Status::BadRequest => 0x0400,
            Status::NotPossible => 0x0404,
            Status::NotFound => 0x0406,
            Status::TooLarge => 0x0408,
            Status::FormatNotSupported => 0x040a,
            Status::ValueNotSupported => 0x040b,
            Status::CharsetNotSupported => 0x040d,
            Status::CompressionNotSupported => 0x040f,
            Status::Internal => 0x0500,
            Status::OperationNotSupported => 0x0501,
            Status::VersionNotSupported => 0x0503,
            Status::NotAccepting => 0x0506,
            Status::Busy => 0x0507,
            Status::OneDocument => 0x0509,
        }
    }
}

/// In words, for whoever reads the answer.
impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Status::Ok => "It was done.",
            Status::BadRequest => "The request is not a request of IPP.",
            Status::NotPossible => "The job is not in a state for that.",
            Status::NotFound => "There is no such job.",
            Status::TooLarge => "The document is too large.",
            Status::FormatNotSupported => "It prints PDF, ZPL and PNG.",
            Status::ValueNotSupported => "A value is out of bounds.",
            Status::CharsetNotSupported => "It understands UTF-8.",
            Status::CompressionNotSupported => "It takes no compressed documents.",
            Status::Internal => "It could not write what it had to write.",
            Status::OperationNotSupported => "It does not know this operation.",
            Status::VersionNotSupported => "It speaks IPP 1.1 and 2.0.",
            Status::NotAccepting => "It takes no jobs.",
            Status::Busy => "It takes no jobs at this moment.",
            Status::OneDocument => "A job has one document.",
        })
    }
}
