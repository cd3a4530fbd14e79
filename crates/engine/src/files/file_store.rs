//! A folder or a bucket with objects under their hashes: `ab/cdef…`.
//!
//! An orphan is first laid aside, under `aside/`, and removed from there a day later: bytes that a
//! row comes to name at the very moment of a sweep are found there and brought back, so that none
//! are ever lost.

use std::fmt::Write as _;
use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{Error, ObjectMeta, ObjectStore, ObjectStoreExt, PutPayload};
use waybill_domain::time::Time;

use super::{Environment, FilesError, Home, drafts};

/// The object that says whose place it is.
const OWNER: &str = "waybill-owner";
/// An object that shows for a moment that the place can be written.
const PROBE: &str = "waybill-probe";
const ASIDE: &str = "aside";
/// Well under the lease of a job, which waits for it.
const TIMEOUT: Duration = Duration::from_secs(15);

/// A folder or a bucket.
pub struct FileStore {
    name: String,
    objects: Arc<dyn ObjectStore>,
    folder: Option<PathBuf>,
}

/// Where in the place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shelf {
    /// Where objects belong.
    Kept,
    /// Where those go that no row names.
    Aside,
}

/// An object that is there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredFile {
    /// The hash of its bytes.
    pub hash: Vec<u8>,
    /// When it was written.
    pub written_at: Time,
}

/// The name of an object: its hash, with a folder for the first two digits.
pub fn key(hash: &[u8]) -> String {
    let mut key = String::with_capacity(2 * hash.len() + 1);
    for (index, byte) in hash.iter().enumerate() {
        // Writing to a string does not fail.
        let _ = write!(key, "{byte:02x}");
        if index == 0 {
            key.push('/');
        }
    }
    key
}

fn path(shelf: Shelf, hash: &[u8]) -> Path {
    match shelf {
        Shelf::Kept => Path::from(key(hash)),
        Shelf::Aside => Path::from(format!("{ASIDE}/{}", key(hash))),
    }
}

/// The hash in the name of an object, when it is one of ours on that shelf.
fn read_key(shelf: Shelf, path: &Path) -> Option<Vec<u8>> {
    let text = path.as_ref();
    let text = match shelf {
        Shelf::Kept => text,
        Shelf::Aside => text.strip_prefix(ASIDE)?.strip_prefix('/')?,
    };
    let (first, rest) = text.split_once('/')?;
    let digits = format!("{first}{rest}");
    let is_hash = first.len() == 2
        && digits.len() == 64
        && digits.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    let byte = |index: usize| u8::from_str_radix(&digits[2 * index..2 * index + 2], 16).ok();
    if is_hash { (0..32).map(byte).collect() } else { None }
}

impl FileStore {
    /// The place, made when it is a folder that is not there yet.
    pub fn make(home: &Home, environment: &Environment) -> Result<FileStore, FilesError> {
        if let Home::Folder(folder) = home {
            let made = DirBuilder::new().recursive(true).mode(0o700).create(folder);
            made.map_err(FilesError::Folder)?;
        }
        FileStore::reach(home, environment)
    }

    /// The place as it is.
    pub fn reach(home: &Home, environment: &Environment) -> Result<FileStore, FilesError> {
        let objects: Arc<dyn ObjectStore> = match home {
            Home::Database => return Err(FilesError::Database),
            Home::Folder(folder) => {
                let folder = LocalFileSystem::new_with_prefix(folder);
                Arc::new(folder.map_err(FilesError::Open)?.with_fsync(true))
            }
            #[cfg(feature = "s3")]
            Home::Bucket { bucket, prefix } => super::s3::reach(bucket, prefix, environment)?,
            #[cfg(not(feature = "s3"))]
            Home::Bucket { .. } => {
                let _unused = environment;
                return Err(FilesError::WithoutS3);
            }
        };
        let folder = match home {
            Home::Folder(folder) => Some(folder.clone()),
            Home::Database | Home::Bucket { .. } => None,
        };
        Ok(FileStore { name: home.to_string(), objects, folder })
    }

    /// As rows name it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Writes an object and removes it. Fails when that cannot be done, or when a database that is
    /// yet to be made would find the files of another.
    pub async fn probe(&self, is_new_database: bool) -> Result<(), FilesError> {
        if is_new_database && self.fetch(&Path::from(OWNER)).await?.is_some() {
            return Err(FilesError::OfAnother);
        }
        let path = Path::from(PROBE);
        self.bounded(self.objects.put(&path, PutPayload::from_static(b"\n"))).await?;
        self.bounded(found(self.objects.delete(&path))).await.map(drop)
    }

    /// Fails when nobody owns it.
    pub async fn verify_claimed(&self) -> Result<(), FilesError> {
        match self.fetch(&Path::from(OWNER)).await? {
            Some(_) => Ok(()),
            None => Err(FilesError::Gone),
        }
    }

    /// Writes whose place it is, which also shows that it can be written. Fails when it is somebody
    /// else's.
    pub async fn claim(&self, owner: &str) -> Result<(), FilesError> {
        let path = Path::from(OWNER);
        if let Some(bytes) = self.fetch(&path).await?
            && bytes.trim_ascii() != owner.as_bytes()
        {
            return Err(FilesError::OfAnother);
        }
        let text = format!("{owner}\n").into_bytes();
        self.bounded(self.objects.put(&path, PutPayload::from(text))).await.map(drop)
    }

    /// Writes an object. When this is done it is durable. One that is there is written anew, which
    /// makes it young again: a sweep leaves it alone.
    pub async fn put(&self, shelf: Shelf, hash: &[u8], bytes: Vec<u8>) -> Result<(), FilesError> {
        let path = path(shelf, hash);
        self.bounded(self.objects.put(&path, PutPayload::from(bytes))).await.map(drop)
    }

    /// The bytes of an object, wherever it lies.
    pub async fn get(&self, hash: &[u8]) -> Result<Option<Vec<u8>>, FilesError> {
        match self.fetch(&path(Shelf::Kept, hash)).await? {
            Some(bytes) => Ok(Some(bytes)),
            None => self.fetch(&path(Shelf::Aside, hash)).await,
        }
    }

    /// Brings an object from one shelf to the other. At every moment it is on one of them.
    pub async fn bring(&self, from: Shelf, to: Shelf, hash: &[u8]) -> Result<(), FilesError> {
        if let Some(bytes) = self.fetch(&path(from, hash)).await? {
            self.put(to, hash, bytes).await?;
            self.remove(from, hash).await?;
        }
        Ok(())
    }

    /// Removes an object. It may be gone.
    pub async fn remove(&self, shelf: Shelf, hash: &[u8]) -> Result<(), FilesError> {
        let path = path(shelf, hash);
        let removed = self.bounded(found(self.objects.delete(&path))).await;
        removed.map(drop)
    }

    /// When the object was written, if it is there.
    pub async fn written_at(&self, shelf: Shelf, hash: &[u8]) -> Result<Option<Time>, FilesError> {
        let path = path(shelf, hash);
        let meta = self.bounded(found(self.objects.head(&path))).await?;
        Ok(meta.as_ref().map(time))
    }

    /// Everything on a shelf, in no order.
    pub fn list(&self, shelf: Shelf) -> BoxStream<'static, Result<StoredFile, FilesError>> {
        let name = self.name.clone();
        let prefix = (shelf == Shelf::Aside).then(|| Path::from(ASIDE));
        let all = self.objects.list(prefix.as_ref());
        let ours = all.filter_map(move |meta| {
            let found = match meta {
                Ok(meta) => read_key(shelf, &meta.location)
                    .map(|hash| Ok(StoredFile { hash, written_at: time(&meta) })),
                Err(source) => Some(Err(FilesError::Object { place: name.clone(), source })),
            };
            std::future::ready(found)
        });
        ours.boxed()
    }

    /// Removes what was never finished and is older than this, and tells how many.
    pub async fn clear_drafts(&self, before: Time) -> Result<usize, FilesError> {
        // A bucket shows what is complete, and nothing else.
        let Some(folder) = self.folder.clone() else { return Ok(0) };
        let clear = move || {
            let cleared = drafts::clear(&folder, before);
            cleared.map_err(|source| FilesError::Drafts { folder, source })
        };
        tokio::task::spawn_blocking(clear).await?
    }

    async fn fetch(&self, path: &Path) -> Result<Option<Vec<u8>>, FilesError> {
        let get = async {
            let Some(result) = found(self.objects.get(path)).await? else { return Ok(None) };
            // A folder opens the file above and reads it here; it may be gone in between.
            found(async { result.bytes().await.map(Vec::from) }).await
        };
        self.bounded(get).await
    }

    async fn bounded<T>(
        &self,
        work: impl Future<Output = Result<T, Error>>,
    ) -> Result<T, FilesError> {
        match tokio::time::timeout(TIMEOUT, work).await {
            Ok(done) => {
                done.map_err(|source| FilesError::Object { place: self.name.clone(), source })
            }
            Err(_) => {
                let (place, seconds) = (self.name.clone(), TIMEOUT.as_secs());
                Err(FilesError::TooSlow { place, seconds })
            }
        }
    }
}

/// None where there is no such object.
async fn found<T>(work: impl Future<Output = Result<T, Error>>) -> Result<Option<T>, Error> {
    match work.await {
        Ok(value) => Ok(Some(value)),
        Err(Error::NotFound { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

fn time(meta: &ObjectMeta) -> Time {
    Time(meta.last_modified.timestamp_micros())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_read_back_and_nothing_else_is_taken_for_one() {
        let hash: Vec<u8> = (0..32).collect();
        assert_eq!(&key(&hash)[..8], "00/01020");
        for shelf in [Shelf::Kept, Shelf::Aside] {
            assert_eq!(read_key(shelf, &path(shelf, &hash)), Some(hash.clone()));
        }
        assert_eq!(read_key(Shelf::Kept, &path(Shelf::Aside, &hash)), None);
        assert_eq!(read_key(Shelf::Aside, &path(Shelf::Kept, &hash)), None);
        let upper = key(&[0xab; 32]).to_uppercase();
        for other in [OWNER, "00/01", "photos/cat.png", &upper, &key(&[1; 33])] {
            assert_eq!(read_key(Shelf::Kept, &Path::from(other)), None, "{other}");
        }
    }
}
