//! The bytes of documents: in the database, in a folder, or in a bucket.
//!
//! Outside the database an object is durable before the row that names it is written, under the
//! hash of its bytes; what no row names is swept away later (`worker/orphans.rs`). A row names its
//! place in full, so a document stays readable when new ones go elsewhere. What is read is compared
//! with its hash.

mod drafts;
mod error;
mod file_store;
mod home;
#[cfg(feature = "s3")]
mod s3;
mod urls;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use sha2::{Digest, Sha256};
use waybill_outbound::proxy;
use waybill_store::documents::Content;

pub use error::{FilesError, HomeError, ReadError};
pub use file_store::{FileStore, Shelf, StoredFile};
pub use home::Home;
pub use urls::{PREVIEW, Signer, Verdict};

/// Variables of the environment by name, for what is set there and nowhere else.
pub type Environment = Vec<(String, String)>;

/// The variables by which the region, endpoint and keys of S3 are given, and the way to it.
pub fn environment() -> Environment {
    let all = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
    let is_read = |name: &str| name.starts_with("AWS_") || proxy::VARIABLES.contains(&name);
    all.filter(|(name, _)| is_read(name)).collect()
}

/// Where bytes are kept.
#[derive(Default)]
pub struct Files {
    /// Where new ones go; to the database when there is none.
    home: Option<Arc<FileStore>>,
    /// Where older ones may be.
    others: Mutex<HashMap<String, Arc<FileStore>>>,
    environment: Environment,
}

impl Files {
    /// New bytes go to the database.
    pub fn in_database(environment: Environment) -> Files {
        Files { environment, ..Files::default() }
    }

    /// Fails when nothing can be kept there. A database that is yet to be made owns no place. What
    /// is tried leaves nothing behind but the folder.
    pub async fn probe(
        home: &Home,
        environment: &Environment,
        is_new_database: bool,
    ) -> Result<(), FilesError> {
        if *home == Home::Database {
            return Ok(());
        }
        let explain = |error: FilesError| error.at(home);
        let store = FileStore::make(home, environment).map_err(explain)?;
        store.probe(is_new_database).await.map_err(explain)
    }

    /// Fails when a place that was claimed before has lost its owner: its disk is not mounted, or
    /// somebody has emptied it. New bytes would hide beneath the mount.
    pub async fn verify_claimed(home: &Home, environment: &Environment) -> Result<(), FilesError> {
        if *home == Home::Database {
            return Ok(());
        }
        let explain = |error: FilesError| error.at(home);
        let store = FileStore::reach(home, environment).map_err(explain)?;
        store.verify_claimed().await.map_err(explain)
    }

    /// New bytes go there. Fails when nothing can be written there, or when the place belongs to
    /// another database: its sweep would take ours for orphans.
    pub async fn open(
        home: &Home,
        environment: Environment,
        owner: &str,
    ) -> Result<Files, FilesError> {
        if *home == Home::Database {
            return Ok(Files::in_database(environment));
        }
        let explain = |error: FilesError| error.at(home);
        let store = FileStore::make(home, &environment).map_err(explain)?;
        store.claim(owner).await.map_err(explain)?;
        let files = Files::in_database(environment);
        Ok(Files { home: Some(Arc::new(store)), ..files })
    }

    /// Where new bytes go, unless that is the database.
    pub fn home(&self) -> Option<&FileStore> {
        self.home.as_deref()
    }

    /// Puts bytes where they belong. When this is done they are durable, or still in hand for the
    /// transaction that writes their row.
    pub async fn put(&self, hash: &[u8], content: Content) -> Result<Content, FilesError> {
        match (&self.home, content) {
            (Some(home), Content::Here(bytes)) => {
                home.put(Shelf::Kept, hash, bytes).await?;
                Ok(Content::At(home.name().to_owned()))
            }
            (_, content) => Ok(content),
        }
    }

    /// The bytes with this hash.
    pub async fn read(&self, hash: &[u8], content: Content) -> Result<Vec<u8>, ReadError> {
        let (bytes, place) = match content {
            Content::Here(bytes) => (bytes, "the database".to_owned()),
            Content::At(place) => {
                let Some(bytes) = self.store(&place)?.get(hash).await? else {
                    return Err(ReadError::Missing { key: file_store::key(hash), place });
                };
                (bytes, place)
            }
        };
        if Sha256::digest(&bytes).as_slice() == hash {
            return Ok(bytes);
        }
        Err(ReadError::Altered { key: file_store::key(hash), place })
    }

    fn store(&self, name: &str) -> Result<Arc<FileStore>, FilesError> {
        if let Some(home) = self.home.as_ref().filter(|home| home.name() == name) {
            return Ok(home.clone());
        }
        let mut others = self.others.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = others.get(name) {
            return Ok(known.clone());
        }
        let store = Arc::new(FileStore::reach(&Home::parse(name)?, &self.environment)?);
        others.insert(name.to_owned(), store.clone());
        Ok(store)
    }
}
