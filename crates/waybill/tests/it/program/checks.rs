//! What `waybill check` and its like say of databases that are not there, and of work that waits.

use waybill_store::testing::{Database, Scratch, fresh};

use super::backups::{Demo, opened, sqlite3, succeed};
use super::{Folder, Server, complaint, run};

const MANY: &str = "SELECT count(*) FROM information_schema.tables WHERE table_schema = 'public'";

/// A PostgreSQL database with nothing of ours in it.
fn empty() -> Scratch {
    let scratch = fresh(Database::Postgres);
    let emptied = scratch.store.blocking_write(|tx| {
        tx.exec("DROP SCHEMA public CASCADE", &[])?;
        tx.exec("CREATE SCHEMA public", &[])?;
        tx.exec("CREATE TABLE public.of_somebody_else (a BIGINT)", &[])
    });
    emptied.map_err(|error: waybill_store::Error| error).unwrap();
    scratch
}

#[test]
fn a_command_that_only_looks_makes_no_database_of_an_empty_one() {
    let (folder, scratch) = (Folder::new("empty-postgresql"), empty());
    std::fs::write(folder.0.join("waybill.key"), format!("{}\n", "ab".repeat(32))).unwrap();
    let uuid = "00000000-0000-7000-8000-000000000000";
    let name = scratch.url.rsplit('/').next().unwrap().split('?').next().unwrap();
    for line in ["check", &format!("why {uuid}"), "reconcile", "team list"] {
        let mut words: Vec<_> = line.split(' ').collect();
        words.extend(["--database", &scratch.url]);
        let told = complaint(&run(&folder.0, &words));
        assert!(told.starts_with("waybill: there is no Waybill database at postgres://"), "{told}");
        assert!(told.ends_with(&format!("/{name}")) && !told.contains('@'), "{told}");
        let count = scratch.store.blocking_read(|tx| tx.one::<i64>(MANY, &[])).unwrap();
        assert_eq!(count, Some(1), "{line} made tables");
    }
    std::fs::write(folder.0.join("empty.db"), "").unwrap();
    let told = complaint(&run(&folder.0, &["check", "--database", "sqlite:empty.db"]));
    assert_eq!(told, "waybill: there is no Waybill database at empty.db");
    assert_eq!(std::fs::read(folder.0.join("empty.db")).unwrap(), b"");
}

#[tokio::test]
async fn work_that_waits_for_a_server_is_late_and_not_broken() {
    let (folder, mut server, demo) = opened("late");
    demo.book(&server, "A").await;
    assert!(server.stop());
    let database = folder.0.join("waybill.db");
    let hour = "SELECT strftime('%s', 'now') * 1000000 - 3600000000";
    sqlite3(&database, &format!("UPDATE job SET run_at = ({hour}) WHERE run_at IS NOT NULL"));
    let checked = run(&folder.0, &["check"]);
    let text = String::from_utf8(checked.stdout).unwrap();
    assert!(checked.status.success(), "{text}");
    assert!(text.contains("\nlate: ") && !text.contains("broken"), "{text}");
    assert!(text.ends_with(", is a server with workers running?\n0 violations\n"), "{text}");

    let far = "SELECT strftime('%s', 'now') * 1000000 + 172800000000";
    let check = "WHERE kind = 'check'";
    sqlite3(&database, &format!("UPDATE job SET run_at = ({far}) {check}"));
    let checked = run(&folder.0, &["check"]);
    let text = String::from_utf8(checked.stdout).unwrap();
    assert!(!checked.status.success(), "{text}");
    assert!(
        text.contains("\nbroken rule: no job is due later than its kind allows (check "),
        "{text}"
    );
    assert!(text.ends_with("\n1 violation\n"), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn check_says_one_thing_of_documents_and_another_of_indexes_and_tables() {
    let (folder, scratch) = (Folder::new("check-bytes"), fresh(Database::Postgres));
    let mut server = Server::start(&folder.0, &["--demo", "--database", &scratch.url]);
    Demo::read(&folder.0).book(&server, "A").await;
    assert!(server.stop());
    let told = succeed(&folder.0, &["check", "--bytes", "--database", &scratch.url]);
    assert!(told.starts_with("indexes and tables were not looked into: "), "{told}");
    let read = "\nthe bytes of documents were compared with their hashes: ";
    assert!(told.contains(read) && !told.contains("files"), "{told}");
    let told = succeed(&folder.0, &["check", "--database", &scratch.url]);
    assert!(!told.contains("documents"), "{told}");
}
