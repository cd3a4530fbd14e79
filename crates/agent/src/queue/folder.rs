//! A folder as a printer: each copy becomes a file of its own, whole or not at all.
//!
//! The files are written under hidden names before the commit, and renamed after it. So whoever
//! finds a job that somebody was sending sees at every file whether it came out, also when somebody
//! has taken it out of the folder by then: a hidden name that is left never came out.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use bytes::Bytes;
use tokio::task::spawn_blocking;
use waybill_domain::document::Format;
use waybill_domain::printing::{Abilities, COPIES_MAX};
use waybill_printing::queue::QueueJob;

use super::device::{Device, Sent};
use super::error::DeviceError;

/// A folder as a printer.
pub struct Folder {
    /// The folder.
    pub path: PathBuf,
}

/// Where the copies of a job are written, each with where it comes out.
fn places(folder: &Path, job: &QueueJob) -> Vec<(PathBuf, PathBuf)> {
    let place = |copy: i64| {
        let number = if copy == 1 { String::new() } else { format!("-{copy}") };
        let name = format!("{}{number}.{}", job.id, job.format);
        (folder.join(format!(".{name}.part")), folder.join(name))
    };
    (1..=job.copies).map(place).collect()
}

fn write(folder: &Path, job: &QueueJob, bytes: &[u8]) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    for (hidden, _) in places(folder, job) {
        let mut options = OpenOptions::new();
        let file = options.write(true).create(true).truncate(true).mode(0o600).open(hidden);
        let mut file = file?;
        file.write_all(bytes)?;
        file.sync_all()?;
    }
    File::open(folder)?.sync_all()
}

/// Puts out what has not come out yet.
fn put_out(folder: &Path, job: &QueueJob) -> io::Result<()> {
    for (hidden, shown) in places(folder, job) {
        match fs::rename(hidden, shown) {
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            renamed => renamed?,
        }
    }
    File::open(folder)?.sync_all()
}

fn remove(folder: &Path, job: &QueueJob) -> io::Result<()> {
    for (hidden, _) in places(folder, job) {
        match fs::remove_file(hidden) {
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            removed => removed?,
        }
    }
    Ok(())
}

impl Folder {
    /// Does something with files on a thread of its own.
    async fn run<F>(&self, work: F) -> Result<(), DeviceError>
    where
        F: FnOnce(&Path) -> io::Result<()> + Send + 'static,
    {
        let path = self.path.clone();
        let working = move || work(&path).map_err(|source| DeviceError::Folder { path, source });
        spawn_blocking(working).await.unwrap_or(Err(DeviceError::BrokenOff))
    }

    async fn finish(&self, job: &QueueJob) -> Sent {
        let job = job.clone();
        match self.run(move |folder| put_out(folder, &job)).await {
            Ok(()) => Sent::Whole,
            Err(why) => Sent::Unclear(why.to_string()),
        }
    }
}

impl Device for Folder {
    type Open = ();

    fn abilities(&self) -> Abilities {
        let types = Format::ALL.iter().map(|format| format.media_type().to_owned());
        Abilities { types: types.collect(), copies_max: Some(COPIES_MAX), ..Abilities::default() }
    }

    async fn probe(&self) -> Result<(), DeviceError> {
        self.run(|folder| {
            DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
            fs::read_dir(folder).map(drop)
        })
        .await
    }

    async fn prepare(&self, job: &QueueJob, bytes: &Bytes) -> Result<(), DeviceError> {
        let (job, bytes) = (job.clone(), bytes.clone());
        self.run(move |folder| write(folder, &job, &bytes)).await
    }

    async fn send(&self, (): (), job: &QueueJob, _bytes: Bytes) -> Sent {
        self.finish(job).await
    }

    async fn clean_up(&self, job: &QueueJob) -> Result<(), DeviceError> {
        let job = job.clone();
        self.run(move |folder| remove(folder, &job)).await
    }

    async fn resolve(&self, job: &QueueJob) -> Sent {
        self.finish(job).await
    }
}
