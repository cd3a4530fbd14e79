//! Why bytes cannot be kept or given.

use std::io;
use std::path::PathBuf;

use waybill_outbound::ProxyError;

use super::Home;

/// What is wrong with the name of a place.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum HomeError {
    /// It has no form that we know.
    #[error("\"{0}\" is none of db, file:DIR and s3://BUCKET/PREFIX")]
    Unknown(String),
    /// A folder without a name.
    #[error("\"{0}\" names no folder")]
    NoFolder(String),
    /// A bucket that cannot be one.
    #[error("\"{0}\" is not the name of a bucket")]
    Bucket(String),
    /// A prefix that would be read in several ways.
    #[error("\"{0}\" may hold letters, digits and -_./ only")]
    Prefix(String),
}

/// Why nothing can be done with a place.
#[derive(Debug, thiserror::Error)]
pub enum FilesError {
    /// It has no name.
    #[error(transparent)]
    Name(#[from] HomeError),
    /// The database is not a folder or a bucket.
    #[error("db is not a place for objects")]
    Database,
    /// Its folder is not there and cannot be.
    #[error("the folder cannot be made: {0}")]
    Folder(#[source] io::Error),
    /// It cannot be opened.
    #[error("{0}")]
    Open(#[source] object_store::Error),
    /// This program cannot speak to buckets.
    #[error("this program was built without S3 (the feature s3)")]
    WithoutS3,
    /// Nothing says who we are.
    #[error("the credentials for S3 are missing: set {0}")]
    NoCredentials(&'static str),
    /// The proxy of the environment is none.
    #[error(transparent)]
    Proxy(#[from] ProxyError),
    /// It belongs to somebody else.
    #[error("the files of another database are there: give each its own place")]
    OfAnother,
    /// It was ours, and is empty.
    #[error(
        "this database has kept files here, and they are gone: mount their disk or put them back; \
         to begin anew, name another place"
    )]
    Gone,
    /// It does not do what it is asked.
    #[error("{place}: {source}")]
    Object {
        /// The place.
        place: String,
        /// What it says.
        source: object_store::Error,
    },
    /// It does not answer.
    #[error("{place}: no answer in {seconds} s")]
    TooSlow {
        /// The place.
        place: String,
        /// How long it was waited for.
        seconds: u64,
    },
    /// Drafts cannot be cleared.
    #[error("{folder}: {source}", folder = folder.display())]
    Drafts {
        /// The folder.
        folder: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The work was cut off.
    #[error(transparent)]
    Task(#[from] tokio::task::JoinError),
    /// The same, for one who does not know which place it is.
    #[error("{home}: {source}")]
    At {
        /// The place.
        home: String,
        /// What is wrong there.
        source: Box<FilesError>,
    },
}

impl FilesError {
    pub(super) fn at(self, home: &Home) -> FilesError {
        FilesError::At { home: home.to_string(), source: Box::new(self) }
    }
}

/// Why bytes cannot be given.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The place does not answer now.
    #[error(transparent)]
    Unreachable(#[from] FilesError),
    /// The place answers, and the bytes are not there.
    #[error("{key} is not in {place}")]
    Missing {
        /// The name of the object.
        key: String,
        /// Where it should be.
        place: String,
    },
    /// The place answers, and the bytes are others.
    #[error("{key} in {place} has other bytes")]
    Altered {
        /// The name of the object.
        key: String,
        /// Where it is.
        place: String,
    },
}
