//! What can go wrong below a closure. Nothing here carries a row's contents, so all of it may be
//! logged.

use std::error::Error as _;
use std::path::PathBuf;

use uuid::Uuid;

/// The answer of every store function.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a transaction did not commit.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Error {
    /// The database cannot answer now and the caller may try again: full, locked, unreachable.
    /// When the connection broke during the commit, the work may have been committed.
    #[error("the database is unavailable: {0}")]
    Unavailable(String),
    /// A unique index refused a second row; this is the index's name, equal on both databases.
    #[error("{0} refused a second row")]
    Conflict(String),
    /// The team for which something was to be written was deleted.
    #[error("the team was deleted")]
    TeamDeleted,
    /// PostgreSQL does not let this user do it: what is missing, and who can grant it.
    #[error("the database does not allow it: {0}")]
    Denied(String),
    /// A fault of ours: a statement that does not prepare, a column of another type, a panic.
    #[error("the store is broken: {0}")]
    Broken(String),
}

impl Error {
    /// A part of a row that cannot be read. It names the row and not what is in it: that may be
    /// logged.
    pub(crate) fn unreadable((table, id): (&str, Uuid), part: &str) -> Error {
        Error::Broken(format!("the stored {part} of the {table} {id} cannot be read"))
    }
}

/// Why a store did not open. Each is one line that tells the operator what to do.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The URL names no database that we know.
    #[error("the database must be sqlite:PATH or postgres://USER@HOST/NAME: {0}")]
    Url(#[source] UrlError),
    /// The database must be there, and nothing of ours is in it.
    #[error("there is no Waybill database at {0}")]
    Missing(String),
    /// Another server has the lock beside this SQLite database.
    #[error("another server is using {}", .0.display())]
    Locked(PathBuf),
    /// A newer release has migrated this database.
    #[error(
        "the database has migration {version} of a newer release; this one knows {known}: run the \
         newer release, or restore a backup that is older than the upgrade"
    )]
    Newer {
        /// The first recorded migration that is unknown.
        version: i64,
        /// The last migration of this release.
        known: i64,
    },
    /// A migration that was applied has another text than ours.
    #[error("migration {0} was changed after it was applied to this database")]
    Changed(i64),
    /// A migration failed and was rolled back.
    #[error("migration {0} failed and was rolled back: {1}")]
    Migration(i64, Error),
    /// The file is a database of something else.
    #[error("this is not a database of Waybill")]
    NotOurs,
    /// The file is a database of another program.
    #[error("{} is the database of another program: name another file", .0.display())]
    Foreign(PathBuf),
    /// The file has a hard link.
    #[error(
        "{} has a second name{} (a hard link), and each name has a write-ahead log of its own: \
         remove one of the names, when nobody uses the database",
        path.display(),
        other.as_ref().map(|other| format!(", {}", other.display())).unwrap_or_default()
    )]
    SecondName {
        /// The file.
        path: PathBuf,
        /// The other name, when it is in the same folder.
        other: Option<PathBuf>,
    },
    /// The file is a mount point, and its write-ahead log is not in the mount.
    #[error(
        "{} is mounted as a single file, without its write-ahead log: mount its folder",
        .0.display()
    )]
    MountedAlone(PathBuf),
    /// Somebody uses the file by another path, where its write-ahead log is.
    #[error(
        "{path} is in use under another path, and its write-ahead log is there: use that path. If \
         {path}-shm was moved or removed beneath a running server, move it back, or stop the \
         server and start it again",
        path = .0.display()
    )]
    LogElsewhere(PathBuf),
    /// Somebody uses the file, and its write-ahead log is not beside it any more.
    #[error(
        "{path}-wal, the write-ahead log, was moved or removed beneath a running server: move it \
         back, or stop the server (a kill would lose what is in the log) and start it again",
        path = .0.display()
    )]
    LogMoved(PathBuf),
    /// There is a log, and what it belongs to is not there.
    #[error(
        "{} is missing or empty, but its write-ahead log {}-wal is there and holds bookings: put \
         the database back beside it. When it is lost, `waybill restore` puts a copy in its place",
        .0.display(),
        .0.display()
    )]
    LogWithoutDatabase(PathBuf),
    /// There was a log, and what it held is missing.
    #[error(
        "{path} lacks what was written last: its write-ahead log {path}-wal is missing or cut \
         off, or an older copy was put here. Put the log back. When it is lost, or the older copy \
         is wanted, `cp {path} copy.db` and `waybill restore copy.db` make that a restore",
        path = .0.display()
    )]
    LogLost(PathBuf),
    /// There is a log, and some of what it held is missing.
    #[error(
        "{path} lacks what was written last: its write-ahead log {path}-wal is cut off, or \
         another one was put here. Put the whole log back. When it is lost, copy both files into \
         another folder: `waybill restore` of that copy goes on with what is left",
        path = .0.display()
    )]
    LogCutOff(PathBuf),
    /// A copy was put beside the log of another database.
    #[error(
        "{} and its write-ahead log {}-wal do not belong together ({why}): the log is of the \
         database that was here before. Put that one back, or use `waybill restore COPY`, which \
         moves the log aside",
        path.display(),
        path.display()
    )]
    LogOfAnother {
        /// The file.
        path: PathBuf,
        /// What SQLite finds first.
        why: String,
    },
    /// A log was put beside a database that had none.
    #[error(
        "the write-ahead log {path}-wal is not of {path}, which was closed with all that it had: \
         move the log away",
        path = .0.display()
    )]
    StrayLog(PathBuf),
    /// The connection cannot be encrypted as the URL wants it.
    #[error("the database cannot be opened: {0}")]
    Tls(#[from] TlsError),
    /// A pooler gives connections to others after each transaction.
    #[error(
        "{0} is a pooler that gives a connection to others after each transaction (PgBouncer's \
         pool_mode=transaction), and Waybill keeps prepared statements and settings in its \
         connections: let it use pool_mode=session, or name PostgreSQL itself"
    )]
    Pooler(String),
    /// The database cannot be reached, opened or set up as we need it.
    #[error("the database cannot be opened: {0}")]
    Unreachable(String),
}

/// What is wrong with the URL of a database, as far as its text tells.
#[derive(Debug, thiserror::Error)]
pub enum UrlError {
    /// The URL of a SQLite database names no file.
    #[error("the path of a file is needed")]
    NoFile,
    /// It is of neither kind of database.
    #[error("another kind of database was given")]
    UnknownKind,
    /// The system's authorities vouch for names, and the name would not be compared.
    #[error("sslrootcert=system needs sslmode=verify-full")]
    SystemUnchecked,
    /// Authorities are named, and would not be asked.
    #[error("sslrootcert needs sslmode=verify-full or verify-ca")]
    AuthoritiesUnchecked,
    /// Authorities are to be asked, and none is named.
    #[error("sslmode=verify-ca needs sslrootcert, or use verify-full")]
    NoAuthorities,
    /// There is no such mode.
    #[error("sslmode is disable, prefer, require, verify-ca or verify-full")]
    UnknownMode,
    /// The PostgreSQL library cannot read it.
    #[error("{}", chain(.0))]
    Postgres(#[source] tokio_postgres::Error),
}

/// Why a connection to PostgreSQL cannot be encrypted as its URL wants.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// The library refuses its own defaults.
    #[error("TLS does not start: {0}")]
    Start(#[source] rustls::Error),
    /// The file with authorities cannot be read.
    #[error("sslrootcert {file}: {source}")]
    Unreadable {
        /// The file.
        file: String,
        /// Why.
        source: rustls::pki_types::pem::Error,
    },
    /// There is no authority to ask.
    #[error("sslrootcert: {0} has no certificate of an authority")]
    NoAuthority(String),
    /// The authorities cannot be used.
    #[error("sslrootcert: {0}")]
    Authorities(#[source] rustls::client::VerifierBuilderError),
}

/// An [`Error`] together with what may be done about it inside this crate.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) error: Error,
    pub(crate) cause: Cause,
}

/// What a failed statement allows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Cause {
    /// Nothing: the transaction is rolled back and the caller told.
    Final,
    /// PostgreSQL rolled back one of several transactions that stood in each other's way: run the
    /// closure again.
    Collision,
    /// Another transaction held a lock for too long.
    LockTimeout,
    /// A statement that was put off did not do what its closure took for granted: run the closure
    /// again, in the end with nothing put off.
    Surprise,
}

impl Failure {
    pub(crate) fn broken(text: impl Into<String>) -> Failure {
        Failure { error: Error::Broken(text.into()), cause: Cause::Final }
    }

    /// A statement that cannot work, with enough of its text to find it.
    pub(crate) fn in_statement(why: &str, sql: &str) -> Failure {
        let words: Vec<&str> = sql.split_whitespace().take(12).collect();
        Failure::broken(format!("{why}, in: {}", words.join(" ")))
    }

    pub(crate) fn unavailable(text: impl Into<String>) -> Failure {
        Failure { error: Error::Unavailable(text.into()), cause: Cause::Final }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure { error, cause: Cause::Final }
    }
}

/// An error and its causes in one line: the outermost alone says little.
pub(crate) fn chain(error: &tokio_postgres::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let cause_text = cause.to_string();
        if !text.contains(&cause_text) {
            text = format!("{text}: {cause_text}");
        }
        source = cause.source();
    }
    text
}
