//! The names of the files beside a database.

use std::path::{Path, PathBuf};

/// The file that SQLite has beside a database under this suffix.
pub(crate) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}
