//! What goes wrong elsewhere, as an error of the API.

use waybill_domain::fields::FieldErrors;
use waybill_domain::words::Message;
use waybill_engine::agents::AgentError;
use waybill_engine::papers::PapersError;

use super::{ApiError, NoCaller};

impl From<FieldErrors> for ApiError {
    fn from(errors: FieldErrors) -> ApiError {
        ApiError::Invalid(errors)
    }
}

impl From<AgentError> for ApiError {
    fn from(error: AgentError) -> ApiError {
        match error {
            AgentError::Unknown => ApiError::Unauthenticated(NoCaller::Unknown),
            AgentError::SessionOver => ApiError::Conflict(Message::new("agent-session-over")),
            AgentError::NoRoom(message) => ApiError::Conflict(message),
            AgentError::Store(error) => error.into(),
        }
    }
}

impl From<PapersError> for ApiError {
    fn from(error: PapersError) -> ApiError {
        match error {
            PapersError::Store(error) => error.into(),
            PapersError::Files(cause) => ApiError::Unavailable(cause.to_string()),
            broken => ApiError::Internal(broken.to_string()),
        }
    }
}

impl From<waybill_store::Error> for ApiError {
    fn from(error: waybill_store::Error) -> ApiError {
        match error {
            waybill_store::Error::Unavailable(cause) => ApiError::Unavailable(cause),
            waybill_store::Error::TeamDeleted => ApiError::NotFound,
            other => ApiError::Internal(other.to_string()),
        }
    }
}
