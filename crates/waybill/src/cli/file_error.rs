//! What the system says of a file that a command uses.

use std::io;
use std::path::{Path, PathBuf};

/// What the system says of a file.
#[derive(Debug, thiserror::Error)]
#[error("{}: {source}", path.display())]
pub struct FileError {
    path: PathBuf,
    source: io::Error,
}

impl FileError {
    /// For `map_err`: what was said is of this file.
    pub fn of(path: &Path) -> impl Fn(io::Error) -> FileError {
        move |source| FileError { path: path.to_owned(), source }
    }
}
