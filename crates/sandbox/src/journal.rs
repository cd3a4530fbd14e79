//! The journal: JSON lines in a file, synced before anybody is told. One thread writes; the lines
//! of all who wait are appended together, synced once, and then every one of them is answered.
//!
//! What a crash left half-written at the end was acknowledged to nobody, and is cut off.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
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
    done: oneshot::Sender<Result<(), String>>,
}

impl Journal {
    /// Opens the file, makes it if there is none, and tells every line that is in it.
    pub fn open(
        path: &Path,
        mut tell: impl FnMut(Json, Span) -> Result<(), String>,
    ) -> Result<(Journal, JoinHandle<()>), String> {
        let failed = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        let file = OpenOptions::new().read(true).append(true).create(true).mode(0o600).open(path);
        let file = file.map_err(|error| failed(&error))?;
        file.try_lock().map_err(|_| failed(&"another process writes to this journal"))?;
        sync_folder(path).map_err(|error| failed(&error))?;
        let length = read(&file, &mut tell).map_err(|error| failed(&error))?;
        file.set_len(length).and_then(|()| file.sync_all()).map_err(|error| failed(&error))?;
        let file = Arc::new(file);
        let (entries, queue) = channel();
        let writer = Writer { file: Arc::clone(&file), length, is_broken: false };
        let thread = std::thread::Builder::new().name("sandbox-journal".to_owned());
        let thread = thread.spawn(move || writer.run(&queue)).map_err(|error| failed(&error))?;
        Ok((Journal { file, entries }, thread))
    }

    /// Appends a line. Returns when it is on disk and `safe` was called.
    pub async fn append(
        &self,
        line: String,
        safe: impl FnOnce(Span) + Send + 'static,
    ) -> Result<(), String> {
        let (done, answer) = oneshot::channel();
        let gone = || "the journal is closed".to_owned();
        self.entries.send(Entry { line, safe: Box::new(safe), done }).map_err(|_| gone())?;
        answer.await.map_err(|_| gone())?
    }

    /// Reads a line again.
    pub fn line(&self, span: Span) -> Result<String, String> {
        let mut bytes = vec![0; usize::try_from(span.length).unwrap_or(0)];
        self.file.read_exact_at(&mut bytes, span.offset).map_err(|error| error.to_string())?;
        String::from_utf8(bytes).map_err(|error| error.to_string())
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
    file: &File,
    tell: &mut impl FnMut(Json, Span) -> Result<(), String>,
) -> Result<u64, String> {
    let mut reader = BufReader::with_capacity(1 << 20, file);
    let (mut offset, mut number, mut line) = (0, 0, Vec::new());
    loop {
        line.clear();
        let bytes = reader.read_until(b'\n', &mut line).map_err(|error| error.to_string())?;
        if line.pop() != Some(b'\n') {
            return Ok(offset);
        }
        number += 1;
        let broken = |words: &str| format!("line {number} {words}");
        let json = parse(&line).map_err(|_| broken("is not JSON"))?;
        let length = u32::try_from(line.len()).map_err(|_| broken("is too long"))?;
        tell(json, Span { offset, length }).map_err(|words| broken(&words))?;
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
    fn append(&mut self, bytes: &[u8]) -> Result<(), String> {
        if self.is_broken {
            return Err("the journal could not be written before".to_owned());
        }
        let written = (&*self.file).write_all(bytes).and_then(|()| self.file.sync_data());
        written.map_err(|error| {
            let undone = self.file.set_len(self.length).and_then(|()| self.file.sync_all());
            self.is_broken = undone.is_err();
            format!("the journal could not be written: {error}")
        })
    }
}
