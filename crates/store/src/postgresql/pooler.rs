//! A pooler between us and PostgreSQL that gives a connection to somebody else after each
//! transaction. Our sessions hold prepared statements and settings, one of which keeps what was
//! acknowledged, and one session hears notifications: there they would get lost one by one.

use super::{Server, Session};
use crate::error::{Failure, OpenError};

/// Others who use the pooler may take the connection that would give it away.
const LOOKS: usize = 3;

/// Refuses a pooler of that kind. Seen through it, two of us share a connection, or one of us is
/// answered by two.
pub(crate) fn refuse_shared_connections(
    server: &Server,
    first: &mut Session,
) -> Result<(), OpenError> {
    // Where there is no room for a second connection, it will be told when it is needed.
    let Ok(mut second) = Session::connect(server) else { return Ok(()) };
    for _ in 0..LOOKS {
        match is_shared(first, &mut second) {
            Ok(false) => {}
            Ok(true) => return Err(OpenError::Pooler(server.place())),
            Err(failure) => {
                let why = format!("{}: {}", server.place(), failure.error);
                return Err(OpenError::Unreachable(why));
            }
        }
    }
    Ok(())
}

fn is_shared(first: &mut Session, second: &mut Session) -> Result<bool, Failure> {
    let before = first.backend()?;
    // While it is inside a transaction, nobody else has its connection.
    second.batch("BEGIN")?;
    let other = second.backend()?;
    let is_shared = other == before || first.backend()? != before;
    second.rollback()?;
    Ok(is_shared)
}
