//! How far a database has come, noted beside its contents.
//!
//! An operator may put the contents of an old copy into the file (`cp copy.db waybill.db`), or an
//! old file into its place (`mv old.db waybill.db`). Nothing in the contents can tell. So the
//! number of rows in tables that only grow is noted twice: as an attribute of the file, which goes
//! where the file goes, and as one of its folder, which neither `cp -a` nor `mv` of a file touches.
//! A file system without attributes keeps no note, and such a copy is then not noticed.
//!
//! A second attribute of the file says that a write-ahead log beside it may hold what the file does
//! not: from the first commit of a server until it has stopped and the log is gone. A log that is
//! taken away meanwhile is missed by that.
//!
//! A third one says that the last program of ours has left the file without a log, and as which
//! file: its size and the time of its last change. A log that is found beside such a file was put
//! there by somebody else.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use rusqlite::Connection;
use rustix::fs::{XattrFlags, getxattr, removexattr, setxattr};

const ATTRIBUTE: &str = "user.waybill.progress";
const LOGGED: &str = "user.waybill.logged";
const CLOSED: &str = "user.waybill.closed";

/// The numbers of the last shipment, call to a carrier, event and epoch. Every start of a server
/// begins an epoch, whatever else it writes.
pub(crate) type Progress = [i64; 4];

/// What was last noted about a file.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Note {
    /// How often the contents were older than noted.
    generation: i64,
    progress: Progress,
}

/// The note of a file that is in use.
pub(crate) struct ProgressNote {
    database: PathBuf,
    noted: Mutex<Note>,
    logged: OnceLock<()>,
}

impl ProgressNote {
    /// Reads the notes, and compares them with the contents. Whoever finds older contents begins a
    /// new generation with them.
    pub(crate) fn read(database: &Path, progress: Progress) -> ProgressNote {
        let generation = notes(database).map(|note| note.generation).max().unwrap_or(0);
        let generation = generation + i64::from(is_older(database, progress));
        // Not yet noted, so that the first commit notes it.
        let noted = Mutex::new(Note { generation, progress: Progress::default() });
        ProgressNote { database: database.to_owned(), noted, logged: OnceLock::new() }
    }

    pub(crate) fn generation(&self) -> i64 {
        self.noted().generation
    }

    /// Whether the contents are older than what was noted since the file is in use.
    pub(crate) fn is_ahead_of(&self, progress: Progress) -> bool {
        self.noted().is_ahead_of(progress)
    }

    /// Notes what is in the contents now, and that some of it may be in the log alone.
    pub(crate) fn write(&self, progress: Progress) {
        self.logged.get_or_init(|| set(&self.database, LOGGED, "1"));
        let mut noted = self.noted();
        if noted.progress != progress {
            *noted = Note { progress, ..*noted };
            for (path, name) in places(&self.database) {
                noted.write(path, &name);
            }
        }
    }

    /// Notes that all of it is in the file.
    pub(crate) fn forget_log(&self) {
        forget_log(&self.database);
    }

    fn noted(&self) -> MutexGuard<'_, Note> {
        self.noted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether contents that have come so far are older than what was noted about the file.
pub(crate) fn is_older(database: &Path, progress: Progress) -> bool {
    notes(database).any(|note| note.is_ahead_of(progress))
}

/// Whether a log may hold what the file does not.
pub(crate) fn is_logged(database: &Path) -> bool {
    getxattr(database, LOGGED, &mut [0; 8]).is_ok()
}

fn forget_log(database: &Path) {
    let _absent = removexattr(database, LOGGED);
}

/// Notes that a file was closed, and has no log beside it: whoever closed it has taken it in.
pub(crate) fn note_closed(database: &Path) {
    forget_log(database);
    if let Some(state) = state(database) {
        set(database, CLOSED, &state);
    }
}

/// Notes that a file is about to be used, and may get a log.
pub(crate) fn forget_closed(database: &Path) {
    let _absent = removexattr(database, CLOSED);
}

/// Whether a file was closed without a log, and nobody has written it since.
pub(crate) fn is_closed(database: &Path) -> bool {
    let mut bytes = [0; 100];
    let noted = getxattr(database, CLOSED, &mut bytes).ok();
    let noted = noted.and_then(|length| std::str::from_utf8(&bytes[..length]).ok());
    noted.is_some() && noted == state(database).as_deref() && !is_logged(database)
}

/// What changes whenever somebody writes a file.
fn state(database: &Path) -> Option<String> {
    let found = database.metadata().ok()?;
    Some(format!("{} {} {}", found.size(), found.mtime(), found.mtime_nsec()))
}

/// Whether a file without its log lacks what was noted about it: all tables, or the newest rows.
pub(crate) fn lacks_log(database: &Path, connection: &Connection) -> bool {
    let tables = "SELECT count(*) FROM sqlite_schema";
    let tables = connection.query_row(tables, [], |row| row.get::<_, i64>(0));
    let noted = Note::read(database, ATTRIBUTE);
    let is_older = |found| noted.is_some_and(|noted| noted.is_ahead_of(found));
    matches!(tables, Ok(0)) || find(connection).is_ok_and(is_older)
}

fn set(path: &Path, name: &str, text: &str) {
    if let Err(error) = setxattr(path, name, text.as_bytes(), XattrFlags::empty()) {
        tracing::debug!(%error, name, "the progress of the database is not noted");
    }
}

fn notes(database: &Path) -> impl Iterator<Item = Note> {
    places(database).into_iter().filter_map(|(path, name)| Note::read(path, &name))
}

/// What has the attribute, and the attribute's name. A folder has one for each of its databases.
fn places(database: &Path) -> Vec<(&Path, String)> {
    let folder = database
        .parent()
        .zip(database.file_name())
        .map(|(folder, name)| (folder, format!("{ATTRIBUTE}.{}", name.to_string_lossy())));
    std::iter::once((database, ATTRIBUTE.to_owned())).chain(folder).collect()
}

impl Note {
    fn is_ahead_of(&self, progress: Progress) -> bool {
        self.progress.iter().zip(&progress).any(|(noted, found)| noted > found)
    }

    fn read(path: &Path, name: &str) -> Option<Note> {
        let mut bytes = [0; 100];
        let length = getxattr(path, name, &mut bytes).ok()?;
        let text = std::str::from_utf8(&bytes[..length]).ok()?;
        let numbers: Option<Vec<i64>> = text.split(' ').map(|number| number.parse().ok()).collect();
        let mut numbers = numbers?;
        // Older releases noted no epoch.
        numbers.resize(numbers.len().max(5), 0);
        let [generation, progress @ ..]: [i64; 5] = numbers.try_into().ok()?;
        Some(Note { generation, progress })
    }

    fn write(self, path: &Path, name: &str) {
        let Note { generation, progress: [shipments, calls, events, epoch] } = self;
        set(path, name, &format!("{generation} {shipments} {calls} {events} {epoch}"));
    }
}

/// Rows of these tables are never deleted, so their numbers only grow.
pub(crate) fn find(connection: &Connection) -> rusqlite::Result<Progress> {
    let mut statement = connection.prepare_cached(
        "SELECT COALESCE((SELECT max(rowid) FROM shipment), 0),
                COALESCE((SELECT max(rowid) FROM carrier_call), 0),
                COALESCE((SELECT max(rowid) FROM event), 0),
                COALESCE((SELECT max(number) FROM epoch), 0)",
    )?;
    statement.query_row([], |row| Ok([row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?]))
}
