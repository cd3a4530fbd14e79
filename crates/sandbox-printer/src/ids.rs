//! The numbers of jobs. No number is given out twice, also not after a crash: before one of a block
//! of numbers is given out, a file beside the journal says that the block is used up.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::output::sync_folder_of;

/// How many numbers are set aside at once, so that few jobs wait for the disk.
const BLOCK: i32 = 1000;

/// Where numbers come from.
pub struct Ids {
    path: PathBuf,
    next: i32,
    /// The first number that is not set aside.
    end: i32,
}

impl Ids {
    /// Goes on after all numbers that were set aside, and after the last one in the journal.
    pub fn open(journal: &Path, last: i32) -> io::Result<Ids> {
        let mut path = OsString::from(journal);
        path.push(".ids");
        let path = PathBuf::from(path);
        let found = match std::fs::read_to_string(&path) {
            Ok(text) => text.trim().parse().map_err(io::Error::other)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => 1,
            Err(error) => return Err(error),
        };
        let next = last.saturating_add(1).max(found);
        Ok(Ids { path, next, end: next })
    }

    /// A number that no job had before.
    pub fn next(&mut self) -> io::Result<i32> {
        if self.next >= self.end {
            let end = self.next.checked_add(BLOCK);
            let end = end.ok_or_else(|| io::Error::other("there are no numbers left"))?;
            self.write(end)?;
            self.end = end;
        }
        self.next += 1;
        Ok(self.next - 1)
    }

    /// A crash leaves the old file or the new one.
    fn write(&self, end: i32) -> io::Result<()> {
        let new = self.path.with_extension("ids-new");
        let mut file = File::create(&new)?;
        writeln!(file, "{end}")?;
        file.sync_all()?;
        std::fs::rename(&new, &self.path)?;
        sync_folder_of(&self.path)
    }
}
