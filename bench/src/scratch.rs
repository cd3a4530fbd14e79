//! What a benchmark needs and leaves no trace of: a directory, a team with a token, a busy disk.

use std::fs::File;
use std::io::{Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread::JoinHandle;

use waybill_carriers::CarrierUrls;
use waybill_carriers::registry::CARRIERS;
use waybill_domain::access::{Role, Scopes};
use waybill_domain::ids::{IdSource, TeamId, TokenId, UserId};
use waybill_domain::language::Language;
use waybill_domain::settings::Settings;
use waybill_domain::time::{Clock, Time};
use waybill_domain::token;
use waybill_engine::app::AppBuilder;
use waybill_engine::files::Files;
use waybill_engine::keys::Keys;
use waybill_outbound::{Network, Outbound};
use waybill_store::{Error, Store, members, teams, tokens, users};

use crate::measure::Failure;

/// What the busy disk writes at once.
const CHUNK: usize = 1024 * 1024;
/// The busy disk's file starts over at this size.
const FILE_MAX: u64 = 64 * 1024 * 1024;

/// A directory of our own, removed in the end.
pub struct Scratch {
    path: PathBuf,
}

impl Scratch {
    /// A fresh directory.
    pub fn new() -> Result<Scratch, Failure> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("waybill-bench-{}-{count}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir(&path)?;
        Ok(Scratch { path })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The URL of a database in it.
    pub fn database(&self, name: &str) -> String {
        format!("sqlite:{}", self.path.join(name).display())
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if let Err(error) = std::fs::remove_dir_all(&self.path) {
            eprintln!("{} stays behind: {error}", self.path.display());
        }
    }
}

/// A team, and a token of its administrator.
#[derive(Clone)]
pub struct Account {
    /// The team.
    pub team: TeamId,
    /// The token, for the `Authorization` header.
    pub token: String,
}

impl Account {
    /// Adds the team to an empty database. One that holds a team may be somebody's: it is refused.
    pub fn create(store: &Store, now: Time, ids: &dyn IdSource) -> Result<Account, Failure> {
        let (team, user) = (TeamId(ids.uuid()), UserId(ids.uuid()));
        let secret = token::generate(ids).expose().clone();
        let hash = token::hash(&secret).ok_or("our own token is malformed")?;
        let token = tokens::Token {
            id: TokenId(ids.uuid()),
            user,
            team: None,
            name: "bench".to_owned(),
            scopes: Scopes::all().to_string(),
            expires_at: None,
            created_at: now,
            last_used_at: None,
            revoked_at: None,
        };
        let is_empty = store.blocking_write(move |tx| {
            if !teams::any_list(tx)?.is_empty() {
                return Ok::<_, Error>(false);
            }
            users::insert(tx, &admin(user, now))?;
            let settings = Settings::new(Language::En).to_json().to_string();
            teams::insert(tx, &shop(team, now), &settings)?;
            members::insert(tx, team, user, Role::Admin, now)?;
            tokens::insert(tx, &token, &hash)?;
            Ok(true)
        })?;
        match is_empty {
            true => Ok(Account { team, token: secret }),
            false => Err("the database is not empty: give one of its own".into()),
        }
    }
}

fn admin(id: UserId, now: Time) -> users::User {
    users::User {
        id,
        name: "Bench Shop admin".to_owned(),
        email: "admin@bench.example.com".to_owned(),
        language: "en".to_owned(),
        is_operator: false,
        created_at: now,
    }
}

fn shop(id: TeamId, now: Time) -> teams::Team {
    teams::Team {
        id,
        name: "Bench Shop".to_owned(),
        domain: "bench.example.com".to_owned(),
        language: "en".to_owned(),
        created_at: now,
        updated_at: now,
    }
}

/// A neighbour that writes and syncs a file until it is dropped.
pub struct BusyDisk {
    is_done: Arc<AtomicBool>,
    thread: Option<JoinHandle<std::io::Result<()>>>,
}

impl BusyDisk {
    /// Starts to write in this directory.
    pub fn start(scratch: &Scratch) -> Result<BusyDisk, Failure> {
        let file = File::create(scratch.path().join("busy"))?;
        let is_done = Arc::new(AtomicBool::new(false));
        let is_seen = is_done.clone();
        let thread = std::thread::spawn(move || keep_busy(file, &is_seen));
        Ok(BusyDisk { is_done, thread: Some(thread) })
    }
}

impl Drop for BusyDisk {
    fn drop(&mut self) {
        self.is_done.store(true, Ordering::Relaxed);
        match self.thread.take().map(JoinHandle::join) {
            Some(Ok(Ok(()))) | None => {}
            Some(_) => eprintln!("the disk was not kept busy all the time"),
        }
    }
}

fn keep_busy(mut file: File, is_done: &AtomicBool) -> std::io::Result<()> {
    let chunk = vec![0x5a; CHUNK];
    while !is_done.load(Ordering::Relaxed) {
        file.write_all(&chunk)?;
        file.sync_all()?;
        if file.stream_position()? >= FILE_MAX {
            file.rewind()?;
        }
    }
    Ok(())
}

/// What the services of benchmarks are made of: no limits, no carrier, bytes in the database.
pub fn app_builder(
    store: Store,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn IdSource>,
    keys: Keys,
) -> Result<AppBuilder, Failure> {
    Ok(AppBuilder {
        store,
        clock,
        ids,
        keys,
        files: Files::default(),
        base_url: "http://127.0.0.1".to_owned(),
        registry: CARRIERS,
        carrier_urls: CarrierUrls::default(),
        outbound: Outbound::new(Network::new()?, false),
        batches_at_once: 10,
        quotas: waybill_domain::quota::Quotas::default(),
        retention: waybill_domain::retention::Retention::default(),
        printer_networks: waybill_printing::PrinterNetworks::default(),
        virtual_printer: None,
        print_jobs_expire: std::time::Duration::from_hours(12),
        program: std::env::current_exe()?.with_file_name("waybill"),
    })
}
