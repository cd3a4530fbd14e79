//! What opens, what does not, and with which words.

use waybill_store::testing::{Database, Scratch, fresh, fresh_with};
use waybill_store::{Error, OpenError, Options, Store, users};

use crate::fixtures::{block_on, count_users, user};

const SERVER: Options =
    Options { readers: 2, connections: 2, exclusive: true, must_exist: false, group_max: 64 };

fn refusal(url: &str, options: Options) -> String {
    match Store::open(url, options) {
        Ok(_) => panic!("it opened"),
        Err(error) => error.to_string(),
    }
}

fn path(scratch: &Scratch) -> &str {
    scratch.url.strip_prefix("sqlite:").unwrap()
}

both! {
    async fn a_database_of_a_newer_release_is_refused(store, url) {
        let insert = store.write(|tx| {
            tx.exec("INSERT INTO schema_migration VALUES (9999, 'later', 'x', 0)", &[])
        });
        insert.await.unwrap();
        let opened = Store::open(&url, Options::default());
        assert!(matches!(opened, Err(OpenError::Newer { version: 9999, known: 2.. })));
        let undo = store.write(|tx| {
            tx.exec("DELETE FROM schema_migration WHERE version = 9999", &[])
        });
        undo.await.unwrap();
    }

    async fn a_migration_that_was_changed_is_refused(store, url) {
        let sum = store.write(|tx| {
            let sum = tx.one::<String>(
                "SELECT checksum FROM schema_migration WHERE version = 1",
                &[],
            );
            tx.exec("UPDATE schema_migration SET checksum = 'x' WHERE version = 1", &[])?;
            sum.map(Option::unwrap)
        });
        let sum = sum.await.unwrap();
        assert!(matches!(Store::open(&url, Options::default()), Err(OpenError::Changed(1))));
        let undo = store.write(move |tx| {
            tx.exec("UPDATE schema_migration SET checksum = $1 WHERE version = 1", &[(&sum).into()])
        });
        undo.await.unwrap();
    }

    async fn two_stores_share_a_database(store, url) {
        let other = Store::open(&url, Options::default()).unwrap();
        store.write(|tx| users::insert(tx, &user(1))).await.unwrap();
        other.write(|tx| users::insert(tx, &user(2))).await.unwrap();
        assert_eq!((count_users(&store).await, count_users(&other).await), (2, 2));
        other.close().await;
        assert_eq!(count_users(&store).await, 2);
    }

    async fn migrations_are_recorded_with_the_time(store) {
        let recorded = store.read(|tx| {
            tx.all::<(i64, String, i64)>(
                "SELECT version, name, applied_at FROM schema_migration ORDER BY version",
                &[],
            )
        });
        let recorded = recorded.await.unwrap();
        assert_eq!((recorded[0].0, recorded[0].1.as_str()), (1, "0001_teams"));
        assert!(recorded.iter().all(|(_, _, at)| *at > 1_577_836_800_000_000));
    }
}

#[test]
fn a_second_server_on_the_same_file_is_refused_and_the_command_line_is_not() {
    let scratch = fresh_with(Database::Sqlite, SERVER);
    let second = refusal(&scratch.url, SERVER);
    assert_eq!(second, format!("another server is using {}", path(&scratch)));
    let beside = Store::open(&scratch.url, Options::default()).unwrap();
    block_on(async {
        beside.write(|tx| users::insert(tx, &user(1))).await.unwrap();
        scratch.store.write(|tx| users::insert(tx, &user(2))).await.unwrap();
        scratch.store.clone().close().await;
    });
    Store::open(&scratch.url, SERVER).unwrap();
}

#[test]
fn a_url_that_names_no_database_is_refused_in_one_line() {
    let start = "the database must be sqlite:PATH or postgres://USER@HOST/NAME: ";
    for url in
        ["", "sqlite:", "sqlite::memory:", "mysql://u:secret@h/d", "postgres://u:secret@h:x/d"]
    {
        let why = refusal(url, Options::default());
        assert!(why.starts_with(start), "{why}");
        assert!(!why.contains("secret") && !why.contains('\n'), "{why}");
    }
}

#[test]
fn a_database_that_cannot_be_reached_is_refused_in_one_line() {
    let urls = ["sqlite:/nowhere/at/all.db", "postgres://u:secret@127.0.0.1:1/d"];
    for (url, why) in urls.map(|url| (url, refusal(url, Options::default()))) {
        assert!(why.starts_with("the database cannot be opened: "), "{url}: {why}");
        assert!(!why.contains("secret") && !why.contains('\n'), "{why}");
    }
}

#[test]
fn a_file_that_is_no_database_is_refused() {
    let scratch = fresh(Database::Sqlite);
    let stray = format!("{}.txt", path(&scratch));
    std::fs::write(&stray, "x".repeat(9999)).unwrap();
    let why = refusal(&format!("sqlite:{stray}"), Options::default());
    assert!(why.contains("not a database"), "{why}");
}

#[test]
fn only_the_owner_may_read_the_file() {
    use std::os::unix::fs::PermissionsExt;
    let scratch = fresh(Database::Sqlite);
    scratch.store.blocking_write(|tx| users::insert(tx, &user(1))).unwrap();
    for file in [path(&scratch).to_owned(), format!("{}-wal", path(&scratch))] {
        let mode = std::fs::metadata(&file).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{file}");
    }
}

#[test]
fn a_store_opens_inside_a_runtime() {
    for database in [Database::Sqlite, Database::Postgres] {
        let scratch = fresh(database);
        block_on(async {
            let other = Store::open(&scratch.url, Options::default()).unwrap();
            other.ping().await.unwrap();
            let sync = other.read(|tx| match tx.one::<i64>("PRAGMA synchronous", &[]) {
                Ok(level) => Ok(level),
                Err(_) => Err(Error::Broken("not SQLite".to_owned())),
            });
            assert_eq!(sync.await.ok(), (!other.is_shared()).then_some(Some(2)));
        });
    }
}

#[test]
fn several_that_open_a_new_database_at_once_take_turns() {
    let scratch = fresh(Database::Sqlite);
    let url = format!("{}.new", scratch.url);
    let openers: Vec<_> = (0..8)
        .map(|_| {
            let url = url.clone();
            std::thread::spawn(move || Store::open(&url, Options::default()).map(drop))
        })
        .collect();
    for opener in openers {
        opener.join().unwrap().unwrap();
    }
}

#[test]
fn a_store_that_was_closed_leaves_one_file() {
    for _ in 0..20 {
        let scratch = fresh(Database::Sqlite);
        let url = format!("{}.closed", scratch.url);
        let options = Options { readers: 8, ..Options::default() };
        drop(Store::open(&url, options).unwrap());
        let path = url.strip_prefix("sqlite:").unwrap();
        assert!(std::path::Path::new(path).exists());
        assert!(!std::path::Path::new(&format!("{path}-wal")).exists());
    }
}
