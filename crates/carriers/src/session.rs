//! A connection to a carrier with whatever authentication it needs, ready to send.

use std::time::Duration;

use waybill_domain::secret::Secret;
use waybill_outbound::Line;

use crate::booking::Why;

/// An open connection, and what the carrier wants to see with each request.
#[derive(Debug)]
pub struct Session {
    /// The connection.
    pub line: Line,
    /// The access token, where the carrier gives one.
    pub token: Option<Secret<String>>,
}

impl Session {
    /// A session that needs no token.
    pub fn plain(line: Line) -> Session {
        Session { line, token: None }
    }

    /// The first byte leaves within this time or never does.
    pub fn send_within(self, time: Duration) -> Session {
        Session { line: self.line.send_within(time), ..self }
    }
}

/// Why there is no session. Nothing was sent that could book.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum DialFailure {
    /// The carrier is not there now. It is tried again.
    #[error("{0}")]
    Unreachable(Why),
    /// The carrier refused us. It is not tried again.
    #[error("{0}")]
    AccessDenied(Why),
}
