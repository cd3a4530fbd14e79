//! Fresh databases for tests. Each is migrated, belongs to one test and is removed when dropped.
//!
//! PostgreSQL is found through `TEST_POSTGRES_URL`, the URL of a superuser; `./pg run` sets it.
//! Without it these tests fail: a test that did not run must not look like one that passed.

use std::hash::BuildHasher;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

use postgres::{Client, Config, NoTls};

use crate::migrate::{MIGRATIONS, fingerprint};
use crate::{Options, Store};

/// Which database a test runs on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Database {
    /// A file in a directory of its own.
    Sqlite,
    /// A database of its own, on the server of `TEST_POSTGRES_URL`.
    Postgres,
}

/// A store on a database that nobody else uses.
pub struct Scratch {
    /// The store.
    pub store: Store,
    /// Its URL, for a second store on the same database.
    pub url: String,
    home: Home,
}

enum Home {
    Directory(PathBuf),
    Database(String),
}

/// A fresh, migrated database.
pub fn fresh(database: Database) -> Scratch {
    fresh_with(database, Options::default())
}

/// A fresh, migrated database, opened with these options.
pub fn fresh_with(database: Database, options: Options) -> Scratch {
    let (url, home) = match database {
        Database::Sqlite => make_directory(),
        Database::Postgres => aside(clone_database),
    };
    let store = Store::open(&url, options).expect("a fresh database opens");
    Scratch { store, url, home }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        self.store.shut_down();
        match &self.home {
            Home::Directory(path) => {
                let _ = std::fs::remove_dir_all(path);
            }
            Home::Database(name) => {
                let drop = format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)");
                aside(|| administer(&mut connect(), &drop));
            }
        }
    }
}

fn make_directory() -> (String, Home) {
    let path = std::env::temp_dir().join(unique_name("waybill"));
    std::fs::create_dir_all(&path).expect("the temporary directory can be written");
    let url = format!("sqlite:{}", path.join("waybill.db").display());
    (url, Home::Directory(path))
}

/// Copies the migrated template, which is some milliseconds instead of a migration per test.
fn clone_database() -> (String, Home) {
    let template = format!("waybill_template_{}", fingerprint(MIGRATIONS));
    let mut client = connect();
    // Tests are processes of their own: the lock lets the first make the template.
    administer(&mut client, "SELECT pg_advisory_lock(6023)");
    if !exists(&mut client, &template) {
        let building = format!("{template}_building");
        administer(&mut client, &format!("DROP DATABASE IF EXISTS {building} WITH (FORCE)"));
        administer(&mut client, &format!("CREATE DATABASE {building}"));
        Store::open(&url_of(&building), Options::default()).expect("migrations apply").shut_down();
        administer(&mut client, &format!("ALTER DATABASE {building} RENAME TO {template}"));
    }
    let name = unique_name("waybill_test");
    administer(&mut client, &format!("CREATE DATABASE {name} TEMPLATE {template}"));
    (url_of(&name), Home::Database(name))
}

fn exists(client: &mut Client, database: &str) -> bool {
    let found = client.query_opt("SELECT 1 FROM pg_database WHERE datname = $1", &[&database]);
    found.expect("the list of databases can be read").is_some()
}

fn connect() -> Client {
    superuser().connect(NoTls).expect("the server of TEST_POSTGRES_URL answers")
}

fn administer(client: &mut Client, sql: &str) {
    client.batch_execute(sql).unwrap_or_else(|error| panic!("{sql}: {error:?}"));
}

fn superuser() -> Config {
    superuser_url().parse().expect("TEST_POSTGRES_URL is a PostgreSQL URL")
}

fn superuser_url() -> String {
    std::env::var("TEST_POSTGRES_URL")
        .expect("TEST_POSTGRES_URL is not set: run the tests with `./pg run cargo nextest run`")
}

/// The server's URL with another database in its path.
fn url_of(database: &str) -> String {
    let url = superuser_url();
    let (base, query) = url.split_once('?').unwrap_or((&url, ""));
    let scheme_end = base.find("://").map_or(0, |at| at + 3);
    let path = base[scheme_end..].find('/').map_or(base.len(), |at| scheme_end + at);
    format!("{}/{database}?{query}", &base[..path])
}

/// Runs on a thread of its own, because the PostgreSQL client may not run inside a runtime.
fn aside<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| scope.spawn(work).join())
        .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// Unique across the threads, processes and earlier runs that share a server or directory.
pub fn unique_name(prefix: &str) -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let random = std::hash::RandomState::new().hash_one(count);
    format!("{prefix}_{}_{count}_{random:x}", std::process::id())
}
