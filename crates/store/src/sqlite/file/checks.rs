//! Paths at which a database must not be opened. SQLite names the write-ahead log after the path,
//! so whoever comes by another path does not see what is only in the log, and writes into a log of
//! its own that is lost.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::fs::{Access, AtFlags, CWD, accessat};
use rustix::process::{Flock, FlockOffsetType, FlockType, fcntl_getlk};

use super::{FileId, unreachable};
use crate::error::OpenError;
use crate::sqlite::integrity;
use crate::sqlite::log;
use crate::sqlite::paths::with_suffix;
use crate::sqlite::progress;
use crate::sqlite::wait::{LOOKS, PAUSE};

/// The bytes that SQLite's documentation names: who has a database open in WAL mode holds a shared
/// lock on the first range of the file, and one on the second range of the log's index.
const SHARED: (u64, u64) = (1_073_741_826, 510);
const DEAD_MAN_SWITCH: (u64, u64) = (128, 1);

/// Where a database says that it is in WAL mode.
const WRITE_VERSION: usize = 18;
const WAL: u8 = 2;

/// A log whose database is away holds what was committed. SQLite would delete it beside a new file.
pub(crate) fn refuse_log_without_database(path: &Path) -> Result<(), OpenError> {
    let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let size = |path: &Path| path.metadata().map_or(0, |found| found.len());
    match size(&real) == 0 && size(&with_suffix(&real, "-wal")) > 0 {
        true => Err(OpenError::LogWithoutDatabase(path.to_owned())),
        false => Ok(()),
    }
}

/// Refuses a file that we cannot write, before SQLite makes an index of the log beside it: that
/// would have the file's permissions, and nobody could use the database any more. Beside a server
/// the index is there, and who may read it can look.
pub(crate) fn refuse_unwritable(path: &Path) -> Result<(), OpenError> {
    let is_index_there = with_suffix(path, "-shm").exists();
    match path.exists() && !is_index_there && !is_writable(path) {
        true => Err(unreachable(path, &"the database cannot be written by us")),
        false => Ok(()),
    }
}

/// Whether we may write a file.
pub(crate) fn is_writable(path: &Path) -> bool {
    accessat(CWD, path, Access::WRITE_OK, AtFlags::EACCESS).is_ok()
}

/// Refuses what is left of a database whose log was taken away or cut off after its server was
/// killed. What somebody wrote into the file before the log went lacks nothing.
pub(super) fn refuse_lost_log(database: &Path) -> Result<(), OpenError> {
    if !progress::is_logged(database) || is_used(database).unwrap_or(true) {
        return Ok(());
    }
    let has_log = log::size(database) > 0;
    match integrity::lacks_log(database) {
        Ok(false) => Ok(()),
        Ok(true) if has_log => Err(OpenError::LogCutOff(database.to_owned())),
        Ok(true) => Err(OpenError::LogLost(database.to_owned())),
        Err(error) => Err(unreachable(database, &error)),
    }
}

/// Refuses a log that is not of the database beside it, before a connection could write it into
/// that. Only a copy that was put into the place of a database whose server was killed can have
/// one, so all pages are read only when the database looks like such a copy.
pub(crate) fn refuse_log_of_another(database: &Path) -> Result<(), OpenError> {
    if !is_newer_than_log(database) || is_used(database).unwrap_or(true) {
        return Ok(());
    }
    match integrity::verify_log(database, is_written_after_log(database)) {
        None => Ok(()),
        Some(why) => Err(OpenError::LogOfAnother { path: database.to_owned(), why }),
    }
}

/// Refuses a log that somebody has put beside a database after the last program of ours closed it.
/// Another program that was killed while it wrote to the database leaves a log too: that one goes
/// on where the database ends, and is believed.
pub(crate) fn refuse_stray_log(database: &Path) -> Result<(), OpenError> {
    let is_stray = log::has_frames(database)
        && progress::is_closed(database)
        && !is_used(database).unwrap_or(true)
        && !log::continues(database).unwrap_or(false);
    if is_stray { Err(OpenError::StrayLog(database.to_owned())) } else { Ok(()) }
}

/// A server writes the log and notes its progress at the file within moments. A copy comes later,
/// whatever time of change it was given. So does a checkpoint, which does no harm.
fn is_newer_than_log(database: &Path) -> bool {
    let log = with_suffix(database, "-wal").metadata().ok().filter(|log| log.len() > 0);
    let Some((log, found)) = log.zip(database.metadata().ok()) else { return false };
    let (written, changed) = times(&found);
    written.max(changed) > times(&log).0 + MOMENT
}

/// Whether the database was written after the log. An older copy of both that keeps its times was
/// not: the two belong together, and are a restore.
fn is_written_after_log(database: &Path) -> bool {
    let log = with_suffix(database, "-wal").metadata().ok();
    let both = log.zip(database.metadata().ok());
    both.is_some_and(|(log, found)| times(&found).0 > times(&log).0 + MOMENT)
}

/// A server does two things that belong together within this time, in nanoseconds.
const MOMENT: i128 = 20_000_000;

/// When the bytes of a file were last written, and when anything about it was changed.
fn times(found: &Metadata) -> (i128, i128) {
    let nanos = |seconds: i64, nanos: i64| i128::from(seconds) * 1_000_000_000 + i128::from(nanos);
    (nanos(found.mtime(), found.mtime_nsec()), nanos(found.ctime(), found.ctime_nsec()))
}

/// A folder has several names too, which would puzzle whoever gave it.
pub(crate) fn refuse_folder(database: &Path) -> Result<(), OpenError> {
    match database.is_dir() {
        true => Err(unreachable(database, &"this is a folder, and a file is needed")),
        false => Ok(()),
    }
}

/// Each name of a file has a log of its own.
pub(super) fn refuse_second_name(database: &Path) -> Result<(), OpenError> {
    let found = database.symlink_metadata().map_err(|error| unreachable(database, &error))?;
    match found.nlink() {
        0 | 1 => Ok(()),
        _ => Err(OpenError::SecondName {
            path: database.to_owned(),
            other: find_other_name(database),
        }),
    }
}

/// The other name, when it is in the same folder.
fn find_other_name(database: &Path) -> Option<PathBuf> {
    let id = FileId::of(database).ok()?;
    let mut beside = std::fs::read_dir(database.parent()?).ok()?.flatten().map(|it| it.path());
    beside.find(|path| path != database && FileId::of(path).ok() == Some(id))
}

/// A file that is mounted alone, as into a container, has its log outside the mount.
pub(super) fn refuse_mounted_file(database: &Path) -> Result<(), OpenError> {
    let mounts = std::fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
    match is_mount_point(database, &mounts) {
        true => Err(OpenError::MountedAlone(database.to_owned())),
        false => Ok(()),
    }
}

/// Looks for the path in the fifth column, which writes some characters as octal numbers.
fn is_mount_point(path: &Path, mounts: &str) -> bool {
    let Some(path) = path.to_str() else { return false };
    let mut escaped = path.replace('\\', "\\134");
    for (plain, octal) in [(" ", "\\040"), ("\t", "\\011"), ("\n", "\\012")] {
        escaped = escaped.replace(plain, octal);
    }
    mounts.lines().filter_map(|line| line.split(' ').nth(4)).any(|mount| mount == escaped)
}

/// Refuses when somebody uses the database and nobody uses the log beside this path, or the log is
/// not there any more. Who is just opening or closing it holds one lock without the other for a
/// moment.
pub(super) fn refuse_log_elsewhere(database: &Path) -> Result<(), OpenError> {
    let failed = |error: io::Error| unreachable(database, &error);
    let has_log = || with_suffix(database, "-wal").exists();
    for _ in 0..LOOKS {
        if !is_used(database).map_err(failed)? {
            return Ok(());
        }
        if is_log_used(database).map_err(failed)? && has_log() {
            return Ok(());
        }
        std::thread::sleep(PAUSE);
    }
    match is_log_used(database).map_err(failed)? {
        true => Err(OpenError::LogMoved(database.to_owned())),
        false => Err(OpenError::LogElsewhere(database.to_owned())),
    }
}

/// Whether another process has the database open in WAL mode, by whatever path.
fn is_used(database: &Path) -> io::Result<bool> {
    let mut file = File::open(database)?;
    let mut head = Vec::new();
    file.by_ref().take(100).read_to_end(&mut head)?;
    if head.get(WRITE_VERSION) != Some(&WAL) {
        return Ok(false);
    }
    let held = find_lock(&file, SHARED)?;
    Ok(held == Some(FlockType::ReadLock))
}

/// Whether another process uses the log beside this path.
fn is_log_used(database: &Path) -> io::Result<bool> {
    match File::open(with_suffix(database, "-shm")) {
        Ok(index) => Ok(find_lock(&index, DEAD_MAN_SWITCH)?.is_some()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// The lock of another process on this range.
fn find_lock(file: &File, (start, length): (u64, u64)) -> io::Result<Option<FlockType>> {
    let (typ, offset_type) = (FlockType::WriteLock, FlockOffsetType::Set);
    let wanted = Flock { start, length, pid: None, typ, offset_type };
    Ok(fcntl_getlk(file, &wanted)?.map(|found| found.typ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_mounted_alone_is_known_by_the_list_of_mounts() {
        let mounts = "22 1 8:1 / / rw - ext4 /dev/sda1 rw\n\
            41 22 8:1 /srv/w.db /data/my\\040shop/w.db rw,relatime - ext4 /dev/sda1 rw\n\
            42 22 8:1 /srv /data rw - ext4 /dev/sda1 rw\n";
        assert!(is_mount_point(Path::new("/data/my shop/w.db"), mounts));
        assert!(!is_mount_point(Path::new("/data/w.db"), mounts));
        assert!(!is_mount_point(Path::new("/srv/w.db"), mounts));
    }
}
