//! The journal: JSON lines in a file, synced before anybody is told. One thread writes; the lines
//! of all who wait are appended together, synced once, and then every one of them is answered.
//!
//! What a crash left half-written at the end was acknowledged to nobody, and is cut off.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Write};
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::string::FromUtf8Error;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

use tokio::sync::oneshot;
use waybill_domain::json::{Json, parse};

/// So many lines are synced together at most.
const BATCH_MAX: usize = 4096;

/// Where a line is in the file, without its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Span {
    offset: u64,
    length: u32,
}

/// Why the journal cannot be opened, written or read.
#[derive(Clone, Debug, thiserror::Error)]
pub enum JournalError {
    /// The file or its folder cannot be used, or there is no thread to write it.
    #[error("{}: {source}", path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: Arc<io::Error>,
    },
    /// It has a writer already.
    #[error("{}: another process writes to this journal", .0.display())]
    InUse(PathBuf),
    /// A whole line of it is not one that we write.
    #[error("{}: line {number} {source}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from one.
        number: usize,
        /// What is wrong with it.
        source: LineError,
    },
    /// The writer has ended.
    #[error("the journal is closed")]
    Closed,
    /// Nothing was written.
    #[error("the journal could not be written: {0}")]
    Write(#[source] Arc<io::Error>),
    /// What failed before could not be undone, so that nothing is written any more.
    #[error("the journal could not be written before")]
    WriteBefore,
    /// A line that was written cannot be read again.
    #[error("{0}")]
    Read(#[source] Arc<io::Error>),
    /// A line that was written is not text any more.
    #[error("{0}")]
    NotText(#[source] FromUtf8Error),
}

/// What is wrong with a line of the journal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LineError {
    /// It is not JSON.
    #[error("is not JSON")]
    NotJson,
    /// It is longer than any line of ours.
    #[error("is too long")]
    TooLong,
    /// It lacks what every line of ours has.
    #[error("is no line of this journal")]
    NotOurs,
    /// It tells neither a booking nor a cancellation.
    #[error("has a type that this journal does not have")]
    UnknownType,
}

/// The journal, open for appending. The writer ends when this is dropped.
pub struct Journal {
    file: Arc<File>,
    entries: Sender<Entry>,
}

/// A line to be written, and what to do when it is safe. That is done on the writer's thread, so it
/// happens also when the one who asked has gone away.
struct Entry {
    line: String,
    safe: Box<dyn FnOnce(Span) + Send>,
    done: oneshot::Sender<Result<(), JournalError>>,
}

impl Journal {
    /// Opens the file, makes it if there is none, and tells every line that is in it.
    pub fn open(
        path: &Path,
        mut tell: impl FnMut(Json, Span) -> Result<(), LineError>,
    ) -> Result<(Journal, JoinHandle<()>), JournalError> {
        let failed = |error| JournalError::Open { path: path.to_owned(), source: Arc::new(error) };
        let file = OpenOptions::new().read(true).append(true).create(true).mode(0o600).open(path);
        let file = file.map_err(failed)?;
        file.try_lock().map_err(|_| JournalError::InUse(path.to_owned()))?;
        sync_folder(path).map_err(failed)?;
        let length = read(path, &file, &mut tell)?;
        file.set_len(length).and_then(|()| file.sync_all()).map_err(failed)?;
        let file = Arc::new(file);
        let (entries, queue) = channel();
        let writer = Writer { file: Arc::clone(&file), length, is_broken: false };
        let thread = std::thread::Builder::new().name("sandbox-journal".to_owned());
        let thread = thread.spawn(move || writer.run(&queue)).map_err(failed)?;
        Ok((Journal { file, entries }, thread))
    }

    /// Appends a line. Returns when it is on disk and `safe` was called.
    pub async fn append(
        &self,
        line: String,
        safe: impl FnOnce(Span) + Send + 'static,
    ) -> Result<(), JournalError> {
        let (done, answer) = oneshot::channel();
        let sent = self.entries.send(Entry { line, safe: Box::new(safe), done });
        sent.map_err(|_| JournalError::Closed)?;
        answer.await.map_err(|_| JournalError::Closed)?
    }

    /// Reads a line again.
    pub fn line(&self, span: Span) -> Result<String, JournalError> {
        let mut bytes = vec![0; usize::try_from(span.length).unwrap_or(0)];
        let read = self.file.read_exact_at(&mut bytes, span.offset);
        read.map_err(|error| JournalError::Read(Arc::new(error)))?;
        String::from_utf8(bytes).map_err(JournalError::NotText)
    }
}

/// A new file is there after a crash only when its folder was synced too.
fn sync_folder(path: &Path) -> std::io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.map_or_else(|| PathBuf::from("."), Path::to_path_buf);
    File::open(folder)?.sync_all()
}

/// Tells every whole line and returns where the last one ends.
fn read(
    path: &Path,
    file: &File,
    tell: &mut impl FnMut(Json, Span) -> Result<(), LineError>,
) -> Result<u64, JournalError> {
    let failed = |error| JournalError::Open { path: path.to_owned(), source: Arc::new(error) };
    let mut reader = BufReader::with_capacity(1 << 20, file);
    let (mut offset, mut number, mut line) = (0, 0, Vec::new());
    loop {
        line.clear();
        let bytes = reader.read_until(b'\n', &mut line).map_err(failed)?;
        if line.pop() != Some(b'\n') {
            return Ok(offset);
        }
        number += 1;
        let broken = |source| JournalError::Line { path: path.to_owned(), number, source };
        let json = parse(&line).map_err(|_| broken(LineError::NotJson))?;
        let length = u32::try_from(line.len()).map_err(|_| broken(LineError::TooLong))?;
        tell(json, Span { offset, length }).map_err(broken)?;
        offset += u64::try_from(bytes).unwrap_or(0);
    }
}

struct Writer {
    file: Arc<File>,
    length: u64,
    /// The file's end is not what we think: nothing can be promised any more.
    is_broken: bool,
}

impl Writer {
    fn run(mut self, queue: &Receiver<Entry>) {
        while let Ok(first) = queue.recv() {
            let mut batch = vec![first];
            batch.extend(queue.try_iter().take(BATCH_MAX - 1));
            self.write(batch);
        }
    }

    fn write(&mut self, batch: Vec<Entry>) {
        let mut bytes = Vec::new();
        for entry in &batch {
            bytes.extend_from_slice(entry.line.as_bytes());
            bytes.push(b'\n');
        }
        let result = self.append(&bytes);
        let mut offset = self.length;
        for entry in batch {
            if result.is_ok() {
                let length = entry.line.len();
                let span = Span { offset, length: u32::try_from(length).unwrap_or(0) };
                offset += u64::try_from(length + 1).unwrap_or(0);
                (entry.safe)(span);
            }
            // Who asked may have gone away.
            let _ = entry.done.send(result.clone());
        }
        self.length = offset;
    }

    /// Appends and syncs, or leaves the file as it was.
    fn append(&mut self, bytes: &[u8]) -> Result<(), JournalError> {
        if self.is_broken {
            return Err(JournalError::WriteBefore);
        }
        let written = (&*self.file).write_all(bytes).and_then(|()| self.file.sync_data());
        written.map_err(|error| {
            let undone = self.file.set_len(self.length).and_then(|()| self.file.sync_all());
            self.is_broken = undone.is_err();
            JournalError::Write(Arc::new(error))
        })
    }
}
