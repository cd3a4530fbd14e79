//! How far a database has come, noted beside its contents.
//!
//! An operator may put the contents of an old copy into the file (`cp copy.db waybill.db`). That
//! leaves the file what it is, and nothing in the contents can tell. So the number of rows in
//! tables that only grow is noted as an attribute of the file, which such a copy does not touch.
//! A file system without attributes keeps no note, and such a copy is then not noticed.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use rusqlite::Connection;
use rustix::fs::{XattrFlags, getxattr, setxattr};

const ATTRIBUTE: &str = "user.waybill.progress";

/// The numbers of the last shipment, call to a carrier and event.
pub(crate) type Progress = [i64; 3];

/// What was last noted about a file.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Note {
    /// How often the contents were older than noted.
    generation: i64,
    progress: Progress,
}

/// The note of a file that is in use.
pub(crate) struct ProgressNote(Mutex<Note>);

impl ProgressNote {
    /// Reads the note, and compares it with the contents. Whoever finds older contents begins a new
    /// generation with them.
    pub(crate) fn read(database: &Path, progress: Progress) -> ProgressNote {
        let noted = Note::read(database).unwrap_or_default();
        let is_older = noted.progress.iter().zip(&progress).any(|(noted, found)| noted > found);
        let generation = noted.generation + i64::from(is_older);
        // Not yet noted, so that the first commit notes it.
        ProgressNote(Mutex::new(Note { generation, progress: Progress::default() }))
    }

    pub(crate) fn generation(&self) -> i64 {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).generation
    }

    /// Notes what is in the contents now.
    pub(crate) fn write(&self, database: &Path, progress: Progress) {
        let mut noted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if noted.progress != progress {
            *noted = Note { progress, ..*noted };
            noted.write(database);
        }
    }
}

impl Note {
    fn read(database: &Path) -> Option<Note> {
        let mut bytes = [0; 100];
        let length = getxattr(database, ATTRIBUTE, &mut bytes).ok()?;
        let text = std::str::from_utf8(&bytes[..length]).ok()?;
        let numbers: Option<Vec<i64>> = text.split(' ').map(|number| number.parse().ok()).collect();
        let [generation, shipments, calls, events] = numbers?.try_into().ok()?;
        Some(Note { generation, progress: [shipments, calls, events] })
    }

    fn write(self, database: &Path) {
        let Note { generation, progress: [shipments, calls, events] } = self;
        let text = format!("{generation} {shipments} {calls} {events}");
        if let Err(error) = setxattr(database, ATTRIBUTE, text.as_bytes(), XattrFlags::empty()) {
            tracing::debug!(%error, "the progress of the database is not noted");
        }
    }
}

/// Rows of these tables are never deleted, so their numbers only grow.
pub(crate) fn find(connection: &Connection) -> rusqlite::Result<Progress> {
    let mut statement = connection.prepare_cached(
        "SELECT COALESCE((SELECT max(rowid) FROM shipment), 0),
                COALESCE((SELECT max(rowid) FROM carrier_call), 0),
                COALESCE((SELECT max(rowid) FROM event), 0)",
    )?;
    statement.query_row([], |row| Ok([row.get(0)?, row.get(1)?, row.get(2)?]))
}
