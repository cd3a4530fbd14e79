//! Where papers come out: a file for each in a folder, and a synced line in the journal. The line
//! is the paper: what has none was not printed, whatever else there is of it.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, BufRead, BufReader, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use sha2::{Digest, Sha256};
use waybill_domain::json::{Json, parse};
use waybill_domain::time::Time;

use crate::job::{Document, Ticket};

/// A name of a file has at most 255 bytes on most systems, and carries more than a job's name.
const NAME_BYTES_MAX: usize = 150;

/// Why the journal or the folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    /// The system does not let us.
    #[error("{}: {source}", path.display())]
    Open {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// It has a writer already.
    #[error("{}: another process writes to this journal", .0.display())]
    InUse(PathBuf),
    /// A whole line of it is not one that we write.
    #[error("{}: line {number} is no line of this journal", path.display())]
    Line {
        /// The journal.
        path: PathBuf,
        /// The line, from one.
        number: usize,
    },
}

/// What is known of a paper beside its document.
pub struct Slip<'a> {
    /// The path of the printer.
    pub printer: &'a str,
    /// The number of the job.
    pub job_id: i32,
    /// What was said of the job.
    pub ticket: &'a Ticket,
    /// When it comes out.
    pub at: Time,
}

/// The folder and the journal.
pub struct Output {
    folder: PathBuf,
    journal: Mutex<Journal>,
}

struct Journal {
    file: File,
    length: u64,
}

impl Output {
    /// Opens both, and makes what is not there. Tells the highest number that a job in the journal
    /// has. What a crash left half-written at the journal's end is cut off.
    pub fn open(folder: &Path, journal: &Path) -> Result<(Output, i32), OutputError> {
        let failed = |path: &Path| {
            let path = path.to_owned();
            move |source| OutputError::Open { path, source }
        };
        // Papers have names and addresses on them.
        let made = DirBuilder::new().recursive(true).mode(0o700).create(folder);
        made.map_err(failed(folder))?;
        let mut options = OpenOptions::new();
        let file = options.read(true).append(true).create(true).mode(0o600).open(journal);
        let file = file.map_err(failed(journal))?;
        file.try_lock().map_err(|_| OutputError::InUse(journal.to_owned()))?;
        let (length, last) = read(&file, journal)?;
        file.set_len(length).and_then(|()| file.sync_all()).map_err(failed(journal))?;
        // A new file is there after a crash only when its folder was synced too.
        sync_folder_of(journal).map_err(failed(journal))?;
        let journal = Mutex::new(Journal { file, length });
        Ok((Output { folder: folder.to_owned(), journal }, last))
    }

    /// Puts out a paper. When this returns, it is in the folder and in the journal.
    pub fn put_out(&self, slip: &Slip, document: &Document) -> io::Result<()> {
        self.write_file(slip, document)?;
        let mut line = line(slip, document).to_string();
        line.push('\n');
        let mut journal = self.journal.lock().unwrap_or_else(PoisonError::into_inner);
        journal.append(line.as_bytes())
    }

    fn write_file(&self, slip: &Slip, document: &Document) -> io::Result<()> {
        let extension = document.format.extension();
        let time = slip.at.to_string().replace(':', "");
        let name = format!("{time}-{}", file_name(&slip.ticket.name));
        // Two papers of one name may come out at the same moment.
        for number in 1.. {
            let rest = if number == 1 { String::new() } else { format!("-{number}") };
            let path = self.folder.join(format!("{name}{rest}.{extension}"));
            match File::create_new(path) {
                Ok(mut file) => return file.write_all(&document.bytes),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

impl Journal {
    /// Appends and syncs, or leaves the file as it was.
    fn append(&mut self, line: &[u8]) -> io::Result<()> {
        let written = self.file.write_all(line).and_then(|()| self.file.sync_data());
        match written {
            Ok(()) => {
                self.length += u64::try_from(line.len()).unwrap_or(0);
                Ok(())
            }
            Err(error) => {
                self.file.set_len(self.length)?;
                Err(error)
            }
        }
    }
}

fn line(slip: &Slip, document: &Document) -> Json {
    let hash = Sha256::digest(&document.bytes);
    let hash: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
    let bytes = i64::try_from(document.bytes.len()).unwrap_or(i64::MAX);
    Json::object([
        ("job_id", i64::from(slip.job_id).into()),
        ("job_name", Json::text(&slip.ticket.name)),
        ("format", document.format.media_type().into()),
        ("copies", i64::from(slip.ticket.copies).into()),
        ("bytes", bytes.into()),
        ("sha256", Json::text(hash)),
        ("at", Json::text(slip.at)),
        ("printer", Json::text(slip.printer)),
    ])
}

/// The job's name without what a file's name cannot have.
fn file_name(name: &str) -> String {
    let mut kept = String::new();
    for letter in name.chars() {
        let letter = if letter.is_control() || "/\\".contains(letter) { '_' } else { letter };
        if kept.len() + letter.len_utf8() > NAME_BYTES_MAX {
            break;
        }
        kept.push(letter);
    }
    kept
}

/// Where the last whole line ends, and the highest number of a job.
fn read(file: &File, path: &Path) -> Result<(u64, i32), OutputError> {
    let mut reader = BufReader::new(file);
    let (mut length, mut last, mut number, mut line) = (0, 0, 0, Vec::new());
    loop {
        line.clear();
        let read = reader.read_until(b'\n', &mut line);
        let read = read.map_err(|source| OutputError::Open { path: path.to_owned(), source })?;
        if line.pop() != Some(b'\n') {
            return Ok((length, last));
        }
        number += 1;
        let id = parse(&line).ok().and_then(|line| job_id(&line));
        let id = id.ok_or_else(|| OutputError::Line { path: path.to_owned(), number })?;
        last = last.max(id);
        length += u64::try_from(read).unwrap_or(0);
    }
}

fn job_id(line: &Json) -> Option<i32> {
    let Some(Json::Number(id)) = line.member("job_id") else { return None };
    id.as_integer().and_then(|id| i32::try_from(id).ok())
}

/// Syncs the folder that a file is in.
pub fn sync_folder_of(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}
