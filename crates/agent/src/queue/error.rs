//! Why a printer that cannot be asked what it has takes nothing now. Nothing was sent.

use std::io;
use std::path::PathBuf;

/// What the system says, in words alone.
pub fn plain(error: &io::Error) -> String {
    let words = error.to_string();
    let end = error.raw_os_error().map(|number| format!(" (os error {number})"));
    end.and_then(|end| words.strip_suffix(&end)).unwrap_or(&words).to_owned()
}

/// Why a device takes nothing now.
#[derive(Debug, thiserror::Error)]
pub enum DeviceError {
    /// Nobody takes a connection there.
    #[error("there is no connection: {}", plain(.0))]
    NoConnection(#[from] io::Error),
    /// There was no answer in time.
    #[error("there was no answer in time")]
    TooSlow,
    /// A folder cannot be used.
    #[error("{}: {}", path.display(), plain(source))]
    Folder {
        /// The folder.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The work was broken off.
    #[error("it was broken off")]
    BrokenOff,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_the_system_are_not_for_people() {
        let refused = DeviceError::from(io::Error::from_raw_os_error(111)).to_string();
        assert!(refused.starts_with("there is no connection: "), "{refused}");
        assert!(!refused.contains("os error"), "{refused}");
        assert_eq!(plain(&io::Error::other("a (b)")), "a (b)");
    }
}
