//! Why there is no answer, and whether the request can have left.

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SendError {
    /// Not a byte of the request left.
    #[error("not sent: {0}")]
    NotSent(String),
    /// The request may have arrived, and may have been acted on.
    #[error("no usable answer: {0}")]
    Unclear(String),
}
