//! A copy of a database while it is being written.

use std::fs::{File, OpenOptions, Permissions, TryLockError};
use std::io::{self, Read};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt, chown};
use std::path::{Path, PathBuf};

use rusqlite::Connection;
use rusqlite::backup::{Backup, StepResult};

use super::{
    BackupError, Copied, OnProgress, SIDE_FILES, file_error, find_key, open, sync_folder, verify,
};
use crate::sqlite::{FileId, progress, with_suffix};

/// Pages copied between two looks at the progress: 8 MiB.
const PAGES_AT_ONCE: i32 = 2048;

/// How every SQLite database begins.
const SQLITE_MAGIC: &[u8] = b"SQLite format 3\0";

/// A copy under a name of its own, until it is complete. It is removed when it is dropped.
pub(super) struct Draft {
    path: PathBuf,
    /// Holds the lock by which others know that somebody writes it. It is open for longer than any
    /// connection to the draft.
    _lock: File,
}

impl Draft {
    /// Begins an empty draft. What a killed program left under its name is replaced.
    pub(super) fn create(path: &Path) -> Result<Draft, BackupError> {
        if path.is_symlink() {
            return Err(BackupError::Exists(path.to_owned()));
        }
        let failed = file_error(path);
        let mut open = OpenOptions::new();
        open.read(true).write(true).create(true).truncate(false).mode(0o600);
        let mut file = open.open(path).map_err(&failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(BackupError::BeingWritten(path.to_owned()));
            }
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        // Whoever had the lock before us may have given the file its name, or removed it.
        let found = file.metadata().map_err(&failed)?;
        if FileId::of(path).ok() != Some(FileId::from(&found)) {
            return Err(BackupError::BeingWritten(path.to_owned()));
        }
        let mut head = Vec::new();
        file.by_ref().take(16).read_to_end(&mut head).map_err(&failed)?;
        // SQLite writes the beginning last: that of an unfinished copy is empty.
        let is_unfinished = head.iter().all(|byte| *byte == 0);
        if !is_unfinished && head != SQLITE_MAGIC {
            return Err(BackupError::Exists(path.to_owned()));
        }
        for suffix in SIDE_FILES {
            let _absent = std::fs::remove_file(with_suffix(path, suffix));
        }
        if found.nlink() > 1 {
            // It has its final name already: that file stays.
            std::fs::remove_file(path).map_err(&failed)?;
            return Draft::create(path);
        }
        file.set_len(0).map_err(&failed)?;
        file.set_permissions(Permissions::from_mode(0o600)).map_err(&failed)?;
        Ok(Draft { path: path.to_owned(), _lock: file })
    }

    pub(super) fn fill(
        &self,
        source: &Connection,
        progress: OnProgress<'_>,
    ) -> Result<(), BackupError> {
        // One snapshot for the whole copy: writers go on and the copy never begins again.
        source.execute_batch("BEGIN")?;
        source.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
        let mut target = open(&self.path)?;
        {
            let backup = Backup::new(source, &mut target)?;
            while backup.step(PAGES_AT_ONCE)? != StepResult::Done {
                let state = backup.progress();
                let total = u64::try_from(state.pagecount).unwrap_or(0);
                let left = u64::try_from(state.remaining).unwrap_or(0);
                progress(total.saturating_sub(left), total);
            }
        }
        source.execute_batch("COMMIT")?;
        // One file, without a log beside it.
        target.pragma_update(None, "journal_mode", "DELETE")?;
        target.close().map_err(|(_, error)| BackupError::Sqlite(error))
    }

    /// Reads the copy again, from a fresh connection. Complaints are about what it was made from.
    pub(super) fn verify(&self, origin: &Path) -> Result<Copied, BackupError> {
        let connection = open(&self.path)?;
        verify(&connection, origin)?;
        let count = "SELECT count(*) FROM blob WHERE place IS NOT NULL";
        let outside: i64 = connection.query_row(count, [], |row| row.get(0))?;
        let key = find_key(&connection)?;
        connection.close().map_err(|(_, error)| BackupError::Sqlite(error))?;
        let synced = File::open(&self.path).and_then(|file| {
            file.sync_all()?;
            Ok(file.metadata()?.len())
        });
        let bytes = synced.map_err(file_error(&self.path))?;
        progress::note_closed(&self.path);
        Ok(Copied { bytes, outside: outside.unsigned_abs(), key })
    }

    /// Gives the copy its name, unless somebody took it meanwhile.
    pub(super) fn publish(self, name: &Path) -> Result<(), BackupError> {
        std::fs::hard_link(&self.path, name).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => BackupError::Exists(name.to_owned()),
            _ => file_error(name)(error),
        })?;
        drop(self);
        sync_folder(name)
    }

    /// Gives the copy the name and the owner of the database that it replaces.
    pub(super) fn replace(self, name: &Path) -> Result<(), BackupError> {
        let old = name.metadata().map_err(file_error(name))?;
        // Only the superuser gives files away, and only such a one has to.
        let _not_ours = chown(&self.path, Some(old.uid()), Some(old.gid()));
        std::fs::rename(&self.path, name).map_err(file_error(name))?;
        sync_folder(name)
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        let _absent = std::fs::remove_file(&self.path);
        for suffix in SIDE_FILES {
            let _absent = std::fs::remove_file(with_suffix(&self.path, suffix));
        }
    }
}
