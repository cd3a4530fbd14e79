//! The outgoing connection.

/// An open connection.
pub struct Line;
