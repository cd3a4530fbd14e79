//! What can go wrong with a start is found here, before anything is written: a start that fails
//! leaves no database, key or folder behind that was not there before.

use std::io;
use std::path::{Path, PathBuf};

use tokio::net::{TcpListener, TcpSocket, lookup_host};
use waybill_carriers::Carriers;
use waybill_carriers::registry::CARRIERS;
use waybill_engine::files::{self, Files, Home};
use waybill_engine::keys::Keys;
use waybill_outbound::Outbound;
use waybill_store::sqlite_path;

use super::error::ServeError;
use crate::cli::error::CliError;
use crate::cli::key::KeyError;
use crate::cli::network::network;
use crate::config::Config;

/// Connections that may wait to be accepted.
const BACKLOG: u32 = 1024;

/// What a start needs and has.
pub struct Prepared {
    /// The port, which nobody else can take now. Who comes before the server is ready waits.
    pub listener: Option<TcpListener>,
    /// The port for those who watch, likewise.
    pub metrics: Option<TcpListener>,
    /// The way to addresses that others gave us.
    pub outbound: Outbound,
    /// The keys of the file; none when it is yet to be made, which is possible.
    pub keys: Option<Keys>,
    /// Folders that were made on the way.
    pub folders: NewFolders,
}

impl Prepared {
    /// Takes the port and tries everything else.
    pub async fn new(config: &Config) -> Result<Prepared, CliError> {
        // A process that only works in the background takes no port.
        let listener = match config.is_api {
            true => Some(listen(&config.places.of("listen"), &config.listen).await?),
            false => None,
        };
        let metrics = match &config.metrics_listen {
            Some(address) => Some(listen(&config.places.of("metrics-listen"), address).await?),
            None => None,
        };
        let outbound = Outbound::new(network()?, config.is_private_allowed);
        let carriers = Carriers::open(CARRIERS, outbound.network(), &config.carrier_urls);
        let place = || config.places.of("carrier-url");
        carriers.map_err(|source| ServeError::Carriers { place: place(), source })?;
        let database = sqlite_path(&config.database);
        if let Some(file) = database {
            check_file(file)?;
        }
        let keys = Keys::find(&config.secret_key_file).map_err(KeyError::File)?;
        let folders = NewFolders::on_the_way_to(&config.files);
        let is_new = database.is_some_and(|file| !file.exists());
        let probed = Files::probe(&config.files, &files::environment(), is_new).await;
        let place = || config.places.of("files");
        probed.map_err(|why| ServeError::FilesPlace { place: place(), why: Box::new(why) })?;
        Ok(Prepared { listener, metrics, outbound, keys, folders })
    }
}

fn check_file(file: &Path) -> Result<(), ServeError> {
    if file.is_dir() {
        return Err(ServeError::DatabaseIsFolder(file.to_owned()));
    }
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    match folder.filter(|folder| !folder.is_dir()) {
        Some(folder) => {
            Err(ServeError::NoFolder { file: file.to_owned(), folder: folder.to_owned() })
        }
        None => Ok(()),
    }
}

/// Takes the port and listens: two may share a port that is only bound, and the second of them
/// would learn of it when it has made its files.
async fn listen(place: &str, listen: &str) -> Result<TcpListener, ServeError> {
    let named = || (place.to_owned(), listen.to_owned());
    let explain = |source: io::Error| {
        let (place, address) = named();
        ServeError::Listen { place, address, source }
    };
    let (place, address) = named();
    let mut last = ServeError::NoAddress { place, address };
    for address in lookup_host(listen).await.map_err(explain)? {
        let made = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() };
        let listening = made.and_then(|socket| {
            socket.set_reuseaddr(true)?;
            socket.bind(address)?;
            socket.listen(BACKLOG)
        });
        match listening {
            Ok(listener) => return Ok(listener),
            Err(error) => last = explain(error),
        }
    }
    Err(last)
}

/// The folders that a place for files needs and that were not there. They go away with this, unless
/// something is in them.
pub struct NewFolders(Vec<PathBuf>);

impl NewFolders {
    fn on_the_way_to(home: &Home) -> NewFolders {
        let Home::Folder(folder) = home else { return NewFolders(Vec::new()) };
        let missing = folder.ancestors().take_while(|folder| !folder.exists());
        NewFolders(missing.map(Path::to_owned).collect())
    }

    /// They are needed from now on.
    pub fn keep(mut self) {
        self.0.clear();
    }
}

impl Drop for NewFolders {
    fn drop(&mut self) {
        for folder in &self.0 {
            // What is not empty stays, and so does what was not made after all.
            let _stays = std::fs::remove_dir(folder);
        }
    }
}
