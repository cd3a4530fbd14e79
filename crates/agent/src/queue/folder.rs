//! A folder as a printer: each copy becomes a file of its own, whole or not at all.
//!
//! The files are written under hidden names before the commit, and renamed after it. So whoever
//! finds a job that somebody was sending sees at every file whether it came out: a hidden name that
//! is left never did. Of a copy that is there under neither name nobody knows: somebody has taken
//! it away, or this is another folder than before.

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
        match fs::rename(hidden, &shown) {
            Err(error) if error.kind() == ErrorKind::NotFound && shown.try_exists()? => {}
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

    /// Whether it can be used, or made when there is none yet. Nothing is made.
    pub async fn look(&self) -> Result<(), DeviceError> {
        self.run(|folder| match fs::read_dir(folder) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
            read => read.map(drop),
        })
        .await
    }

    async fn finish(&self, job: &QueueJob) -> Sent {
        let job = job.clone();
        match self.run(move |folder| put_out(folder, &job)).await {
            Ok(()) => Sent::Whole,
            Err(why) => Sent::Unclear(format!("The folder could not be written: {why}.")),
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

#[cfg(test)]
mod tests {
    use uuid::Uuid;
    use waybill_domain::printing::{PrintState, PrintStep, Printing};
    use waybill_domain::time::Time;

    use super::*;

    fn job() -> QueueJob {
        let printing = Printing {
            state: PrintState::Pending,
            step: PrintStep::Sending,
            tries: 0,
            size: 3,
            expires_at: Time(0),
            sent_at: Some(Time(0)),
            is_answered: false,
            silent_since: None,
        };
        QueueJob {
            id: Uuid::from_u128(7),
            document: Uuid::from_u128(8),
            document_name: "Label".to_owned(),
            format: "zpl".to_owned(),
            is_label: true,
            copies: 2,
            printing,
            submission: 1,
            printer_job: None,
        }
    }

    #[tokio::test]
    async fn a_look_makes_no_folder() {
        let path = std::env::temp_dir().join(format!("waybill-look-{}", std::process::id()));
        let folder = Folder { path: path.join("deeper") };
        folder.look().await.unwrap();
        assert!(!path.exists());
        fs::write(&path, "a file").unwrap();
        let looked = folder.look().await;
        fs::remove_file(&path).unwrap();
        assert!(looked.is_err());
    }

    #[tokio::test]
    async fn only_a_copy_that_is_seen_has_come_out() {
        let path = std::env::temp_dir().join(format!("waybill-folder-{}", std::process::id()));
        let (folder, job) = (Folder { path: path.clone() }, job());
        let bytes = Bytes::from_static(b"^XA");
        folder.prepare(&job, &bytes).await.unwrap();
        // Killed after the first copy: what is left comes out now.
        let all = places(&path, &job);
        fs::rename(&all[0].0, &all[0].1).unwrap();
        assert!(matches!(folder.resolve(&job).await, Sent::Whole));
        assert!(all.iter().all(|(hidden, shown)| shown.exists() && !hidden.exists()));
        // Another folder under the same name has nothing of it.
        fs::remove_dir_all(&path).unwrap();
        folder.probe().await.unwrap();
        assert!(matches!(folder.resolve(&job).await, Sent::Unclear(_)));
        fs::remove_dir_all(&path).unwrap();
    }
}
