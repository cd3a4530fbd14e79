//! What an error of PostgreSQL means for the transaction, and for whoever waits for it.

use std::error::Error as _;

use tokio_postgres::error::{DbError, SqlState};

use super::denied;
use crate::error::{Cause, Error, Failure, chain};

/// What to say of a pooler that showed only after the start.
const POOLER: &str =
    "a pooler gives this connection to others after each transaction: let it use pool_mode=session";

/// What an error of this statement means to this user, in a transaction that reads or writes.
pub(super) fn understand(
    error: &tokio_postgres::Error,
    sql: &str,
    user: &str,
    is_reading: bool,
) -> Failure {
    if let Some(told) = error.as_db_error() {
        return understand_server(told, sql, user, is_reading);
    }
    // What is neither told by the server nor of the network went wrong on our side.
    let is_network =
        error.is_closed() || error.source().is_some_and(|source| source.is::<std::io::Error>());
    let text = chain(error);
    match is_network {
        true => Failure::unavailable(text),
        false => Failure::in_statement(&text, sql),
    }
}

/// The message and never the detail, which quotes the row.
fn understand_server(told: &DbError, sql: &str, user: &str, is_reading: bool) -> Failure {
    let text = told.message().to_owned();
    let code = told.code();
    if *code == SqlState::UNIQUE_VIOLATION {
        let name = told.constraint().unwrap_or_default().to_owned();
        return Error::Conflict(name).into();
    }
    let unavailable = |cause| Failure { error: Error::Unavailable(text.clone()), cause };
    match code.code() {
        "40001" | "40P01" => unavailable(Cause::Collision),
        "55P03" => unavailable(Cause::LockTimeout),
        "42501" => Error::Denied(denied::explain(&text, user)).into(),
        // What we prepared is on another connection, or another's is on ours.
        "26000" | "42P05" => Error::Unavailable(format!("{text}: {POOLER}")).into(),
        // A statement that ran for too long, and a server that stops, starts or starves.
        "57014" | "57P01" | "57P02" | "57P03" | "25P03" => unavailable(Cause::Final),
        // A writer that may only read speaks to a standby after a fail-over.
        "25006" if !is_reading => unavailable(Cause::Final),
        other if matches!(other.get(..2), Some("08" | "53" | "58")) => unavailable(Cause::Final),
        other => Failure::in_statement(&format!("{text} ({other})"), sql),
    }
}
