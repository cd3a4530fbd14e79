//! Why a carrier could not be asked, or what is wrong with its answer.

use waybill_outbound::line::{DialError, SendError};

use crate::booking::Why;

/// What went wrong in a call that is harmless to repeat.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum CarrierError {
    /// There is no connection.
    #[error("{0}")]
    Unreachable(String),
    /// The carrier refused us.
    #[error("{0}")]
    AccessDenied(Why),
    /// There is no usable answer.
    #[error("{0}")]
    NoAnswer(String),
    /// The answer has a status that proves nothing.
    #[error("{0}")]
    Unexpected(Why),
    /// The answer cannot be read.
    #[error("{0} that cannot be read")]
    Unreadable(&'static str),
    /// We cannot write the request.
    #[error("the request cannot be written: {0}")]
    Unwritable(String),
    /// The carrier did not answer in time.
    #[error("no answer in time")]
    TooSlow,
}

impl From<DialError> for CarrierError {
    fn from(error: DialError) -> CarrierError {
        CarrierError::Unreachable(error.to_string())
    }
}

impl From<SendError> for CarrierError {
    fn from(error: SendError) -> CarrierError {
        match error {
            SendError::NotSent(reason) => CarrierError::Unreachable(reason),
            SendError::Unclear(reason) => CarrierError::NoAnswer(reason),
        }
    }
}

impl From<CarrierError> for Why {
    fn from(error: CarrierError) -> Why {
        match error {
            CarrierError::AccessDenied(why) | CarrierError::Unexpected(why) => why,
            other => Why::from(other.to_string()),
        }
    }
}
