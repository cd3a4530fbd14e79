//! What a client is told that gets nothing.

use axum::http::{HeaderName, StatusCode, header};
use waybill_domain::json::Json;
use waybill_domain::oauth::ErrorCode;
use waybill_store::Error;

use crate::reply::{ApiError, Reply};

/// Why a client gets nothing.
#[derive(Debug)]
pub enum Refusal {
    /// It, or its request, is wrong in a way that RFC 6749 has a word for.
    Code(ErrorCode),
    /// Its body was not read to its end.
    Unread,
    /// Anything else.
    Other(ApiError),
}

impl Refusal {
    /// The answer, or the error that the dialect tells.
    pub fn into_reply(self) -> Result<Reply, ApiError> {
        match self {
            Refusal::Code(code) => Ok(reply(code)),
            // What is left of the body must not be taken for the next request.
            Refusal::Unread => {
                Ok(reply(ErrorCode::InvalidRequest).header(header::CONNECTION, "close"))
            }
            Refusal::Other(error) => Err(error),
        }
    }
}

impl From<ErrorCode> for Refusal {
    fn from(code: ErrorCode) -> Refusal {
        Refusal::Code(code)
    }
}

impl From<ApiError> for Refusal {
    fn from(error: ApiError) -> Refusal {
        Refusal::Other(error)
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Refusal {
        Refusal::Other(error.into())
    }
}

/// An answer that nobody keeps a copy of.
pub fn unstored(reply: Reply) -> Reply {
    let pragma = HeaderName::from_static("pragma");
    reply.header(header::CACHE_CONTROL, "no-store").header(pragma, "no-cache")
}

/// The error as RFC 6749, section 5.2, has it.
pub fn reply(code: ErrorCode) -> Reply {
    let status = match code {
        ErrorCode::InvalidClient => StatusCode::UNAUTHORIZED,
        _ => StatusCode::BAD_REQUEST,
    };
    let body = Json::object([
        ("error", code.name().into()),
        ("error_description", code.description().into()),
    ]);
    let reply = unstored(Reply::json(status, body));
    match code {
        ErrorCode::InvalidClient => {
            reply.header(header::WWW_AUTHENTICATE, "Basic realm=\"waybill\"")
        }
        _ => reply,
    }
}
