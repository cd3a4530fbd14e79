//! The folder of a spool, and who may use it.
//!
//! SQLite's locks are POSIX locks, which a process loses when it closes any descriptor of the file.
//! So what is opened here to lock the file stays open for longer than the connection.

use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, UNIX_EPOCH};

use super::error::SpoolError;

const FILE: &str = "agent.db";
/// Whoever asks for the status holds the lock for a moment.
const LOCK_TRIES: u32 = 20;
const LOCK_PAUSE: Duration = Duration::from_millis(50);

/// The file of a spool.
pub fn file_in(folder: &Path) -> PathBuf {
    folder.join(FILE)
}

/// Makes folder and file for their owner alone, and locks the file for one agent. The system frees
/// the lock when the process ends, however it ends.
pub fn lock(folder: &Path) -> Result<File, SpoolError> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |source| SpoolError::File { path, source }
    };
    let made = DirBuilder::new().recursive(true).mode(0o700).create(folder);
    made.map_err(failed(folder))?;
    let path = file_in(folder);
    let mut options = OpenOptions::new();
    let file = options.read(true).write(true).create(true).truncate(false).mode(0o600).open(&path);
    let file = file.map_err(failed(&path))?;
    for _ in 0..LOCK_TRIES {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) => sleep(LOCK_PAUSE),
            Err(TryLockError::Error(source)) => return Err(failed(&path)(source)),
        }
    }
    Err(SpoolError::InUse(path))
}

/// Whether an agent runs with this spool. The file must not be open in this process.
pub fn is_in_use(folder: &Path) -> io::Result<bool> {
    match File::open(file_in(folder))?.try_lock_shared() {
        Ok(()) => Ok(false),
        Err(TryLockError::WouldBlock) => Ok(true),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// What tells this file from a copy of it. A number may be given again after a removal, but not
/// with the same time of birth; file systems that keep none leave it out.
pub fn name_of(file: &File) -> io::Result<String> {
    let found = file.metadata()?;
    let born = found.created().ok().and_then(|at| at.duration_since(UNIX_EPOCH).ok());
    Ok(format!("{} {}", found.ino(), born.map_or(0, |at| at.as_nanos())))
}
