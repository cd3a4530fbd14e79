//! Older contents that come back by other ways than `waybill restore`: each is noticed, or refused.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::backups::{Demo, sqlite3, succeed};
use super::{Folder, Server, complaint, run};
use crate::harness::fixture::order;

fn cp(arguments: &[&str], folder: &Path) {
    let done = Command::new("cp").args(arguments).current_dir(folder).status().unwrap();
    assert!(done.success(), "cp {arguments:?}");
}

fn restores(database: &Path) -> String {
    sqlite3(database, "select count(*) from epoch where lost_after is not null")
}

/// A server that has booked, was stopped and copied, and has booked once more.
async fn copied(name: &str) -> (Folder, PathBuf) {
    let folder = Folder::new(name);
    for reference in ["A", "B"] {
        let mut server = Server::start(&folder.0, &["--demo"]);
        Demo::read(&folder.0).book(&server, reference).await;
        assert!(server.stop());
        if reference == "A" {
            cp(&["-a", "waybill.db", "old.db"], &folder.0);
        }
    }
    let database = folder.0.join("waybill.db");
    assert_eq!(restores(&database), "0\n");
    (folder, database)
}

#[tokio::test]
async fn a_copy_that_keeps_attributes_is_a_restore_too() {
    let (folder, database) = copied("older-attributes").await;
    cp(&["-a", "old.db", "waybill.db"], &folder.0);
    for _ in 0..2 {
        assert!(Server::start(&folder.0, &["--demo"]).stop());
    }
    assert_eq!(restores(&database), "1\n");
}

#[test]
fn older_contents_are_noticed_also_when_only_tokens_were_revoked_since() {
    let folder = Folder::new("older-tokens");
    assert!(Server::start(&folder.0, &["--demo"]).stop());
    cp(&["waybill.db", "old.db"], &folder.0);
    let mut server = Server::start(&folder.0, &["--demo"]);
    let who = ["--email", "admin@demo.example.com"];
    let tokens = succeed(&folder.0, &["token", "list", who[0], who[1], "--json"]);
    let tokens: serde_json::Value = serde_json::from_str(&tokens).unwrap();
    let token = tokens[0]["token_uuid"].as_str().unwrap();
    succeed(&folder.0, &["token", "revoke", "--uuid", token]);
    assert!(server.stop());
    cp(&["old.db", "waybill.db"], &folder.0);
    assert!(Server::start(&folder.0, &["--demo"]).stop());
    assert_eq!(restores(&folder.0.join("waybill.db")), "1\n");
}

#[tokio::test]
async fn an_older_file_that_is_moved_back_is_a_restore_too() {
    let folder = Folder::new("older-moved");
    let database = folder.0.join("waybill.db");
    let mut server = Server::start(&folder.0, &["--demo"]);
    let demo = Demo::read(&folder.0);
    demo.book(&server, "A").await;
    assert!(server.stop());
    succeed(&folder.0, &["backup", "copy.db"]);
    succeed(&folder.0, &["restore", "copy.db"]);
    let mut server = Server::start(&folder.0, &["--demo"]);
    demo.book(&server, "B").await;
    assert!(server.stop());
    assert_eq!(restores(&database), "1\n");
    // The one that the restore replaced: it knows nothing of B, nor of the restore.
    let mut files = std::fs::read_dir(&folder.0).unwrap().flatten().map(|entry| entry.path());
    let is_database = |path: &PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        name.starts_with("waybill.db.replaced-") && name.ends_with('Z')
    };
    std::fs::rename(files.find(is_database).unwrap(), &database).unwrap();
    let server = Server::start(&folder.0, &["--demo"]);
    assert_eq!(restores(&database), "1\n");
    assert_eq!(demo.count(&server, "B").await, 0);
}

#[tokio::test]
async fn a_copy_from_before_the_first_start_is_a_restore_too() {
    let folder = Folder::new("older-unstarted");
    let database = folder.0.join("waybill.db");
    let create = ["team", "create", "--name", "Shop", "--domain", "shop.example.com"];
    succeed(&folder.0, &create);
    succeed(&folder.0, &["backup", "copy.db"]);
    assert!(Server::start(&folder.0, &[]).stop());
    assert_eq!(restores(&database), "0\n");
    succeed(&folder.0, &["restore", "copy.db"]);
    assert!(Server::start(&folder.0, &[]).stop());
    assert_eq!(restores(&database), "1\n");
}

#[tokio::test]
async fn a_new_database_under_an_old_name_was_not_restored() {
    let (folder, database) = copied("older-new").await;
    std::fs::remove_file(&database).unwrap();
    for _ in 0..2 {
        assert!(Server::start(&folder.0, &["--demo"]).stop());
    }
    assert_eq!(restores(&database), "0\n");
}

#[tokio::test]
async fn nothing_is_accepted_after_older_contents_came_beneath_a_running_server() {
    let folder = Folder::new("older-beneath");
    let database = folder.0.join("waybill.db");
    let mut server = Server::start(&folder.0, &["--demo"]);
    let demo = Demo::read(&folder.0);
    demo.book(&server, "A").await;
    succeed(&folder.0, &["backup", "copy.db"]);
    demo.book(&server, "B").await;
    sqlite3(&database, &format!(".restore {}", folder.0.join("copy.db").display()));
    let body = order("C").to_string();
    server.ask("POST", &demo.path("shipments"), &demo.token, &body).await.expect(503);
    server.get("/readyz", "").await.expect(503);
    server.get(&demo.path("shipments"), &demo.token).await.expect(503);
    let is_said = |line: &serde_json::Value| {
        let error = line["error"].as_str().unwrap_or_default();
        error.contains("was overwritten with older contents beneath the running server")
    };
    server.logged(is_said).await;
    assert!(server.stop());

    let server = Server::start(&folder.0, &["--demo"]);
    assert_eq!(restores(&database), "1\n");
    demo.book(&server, "C").await;
    assert_eq!(demo.count(&server, "B").await, 0);
}

#[tokio::test]
async fn a_log_of_small_changes_is_not_taken_for_that_of_an_older_copy() {
    let folder = Folder::new("older-small-log");
    let database = folder.0.join("waybill.db");
    let server = Server::start(&folder.0, &["--demo"]);
    let demo = Demo::read(&folder.0);
    succeed(&folder.0, &["backup", "copy.db"]);
    for reference in ["B1", "B2", "C1"] {
        demo.book(&server, reference).await;
    }
    // Readers and a writer may be at work.
    assert!(sqlite3(&database, "pragma wal_checkpoint(restart)").starts_with("0|"));
    let language = r#"{"language": "da"}"#;
    server.ask("PATCH", &demo.path("settings"), &demo.token, language).await.expect(200);
    drop(server);
    tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    cp(&["copy.db", "waybill.db"], &folder.0);
    let serve = ["serve", "--demo", "--listen", "127.0.0.1:0"];
    for command in [&serve[..], &["check"], &["team", "list"]] {
        let said = complaint(&run(&folder.0, command));
        assert!(said.contains("do not belong together"), "{command:?}: {said}");
    }
    succeed(&folder.0, &["restore", "copy.db"]);
    let server = Server::start(&folder.0, &["--demo"]);
    let settings = server.get(&demo.path("settings"), &demo.token).await.expect(200).json();
    assert_eq!(settings["data"]["language"], "en", "{settings}");
}

/// Removes the database and what SQLite puts beside it.
fn remove(folder: &Path) {
    for suffix in ["", "-wal", "-shm"] {
        let _absent = std::fs::remove_file(folder.join(format!("waybill.db{suffix}")));
    }
}

#[tokio::test]
async fn an_older_database_with_its_own_log_is_a_restore_and_can_be_replaced() {
    let folder = Folder::new("older-pair");
    let server = Server::start(&folder.0, &["--demo"]);
    let demo = Demo::read(&folder.0);
    demo.book(&server, "A").await;
    succeed(&folder.0, &["backup", "good.db"]);
    drop(server);
    std::fs::create_dir(folder.0.join("old")).unwrap();
    cp(&["-a", "waybill.db", "waybill.db-wal", "waybill.db-shm", "old"], &folder.0);
    let mut server = Server::start(&folder.0, &["--demo"]);
    demo.book(&server, "B").await;
    assert!(server.stop());
    let put_back = || {
        remove(&folder.0);
        cp(&["-a", "old/waybill.db", "old/waybill.db-wal", "old/waybill.db-shm", "."], &folder.0);
    };
    put_back();
    succeed(&folder.0, &["restore", "good.db"]);
    put_back();
    let server = Server::start(&folder.0, &["--demo"]);
    assert_eq!(restores(&folder.0.join("waybill.db")), "1\n");
    assert_eq!((demo.count(&server, "A").await, demo.count(&server, "B").await), (1, 0));
}

#[tokio::test]
async fn a_copy_beside_the_log_of_a_killed_server_is_refused_and_the_log_stays() {
    let folder = Folder::new("older-log");
    let database = folder.0.join("waybill.db");
    let server = Server::start(&folder.0, &["--demo"]);
    let demo = Demo::read(&folder.0);
    demo.book(&server, "A").await;
    succeed(&folder.0, &["backup", "copy.db"]);
    for number in 0..25 {
        demo.book(&server, &format!("B-{number}")).await;
    }
    // A log that was never begun anew holds all that the copy lacks, and would be whole with it.
    assert_eq!(sqlite3(&database, "pragma wal_checkpoint(truncate)"), "0|0|0\n");
    for number in 0..4 {
        demo.book(&server, &format!("C-{number}")).await;
    }
    drop(server);
    let log = std::fs::read(folder.0.join("waybill.db-wal")).unwrap();
    assert!(!log.is_empty());
    tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    std::fs::rename(&database, folder.0.join("mine.db")).unwrap();
    let serve = ["serve", "--demo", "--listen", "127.0.0.1:0"];
    for how in ["copy.db waybill.db", "copy.db waybill.db", "-p copy.db waybill.db"] {
        cp(&how.split(' ').collect::<Vec<_>>(), &folder.0);
        for command in [&serve[..], &["check"], &["backup", "other.db"], &["team", "list"]] {
            let said = complaint(&run(&folder.0, command));
            assert!(said.contains("do not belong together"), "{command:?}: {said}");
            assert!(said.contains("use `waybill restore COPY`"), "{said}");
            assert_eq!(std::fs::read(folder.0.join("waybill.db-wal")).unwrap(), log);
        }
    }
    succeed(&folder.0, &["restore", "copy.db"]);
    // The log is kept, and with the database that it is of it is whole.
    let kept = std::fs::read_dir(&folder.0).unwrap().flatten().map(|entry| entry.path());
    let is_log = |path: &PathBuf| path.to_string_lossy().contains("waybill.db.log-");
    let kept: Vec<PathBuf> = kept.filter(is_log).collect();
    assert_eq!(std::fs::read(&kept[0]).unwrap(), log);
    std::fs::rename(&kept[0], folder.0.join("mine.db-wal")).unwrap();
    let mine = sqlite3(&folder.0.join("mine.db"), "select count(*) from shipment");
    assert_eq!(mine, "30\n");
    let server = Server::start(&folder.0, &["--demo"]);
    assert_eq!(demo.count(&server, "A").await, 1);
    assert!(run(&folder.0, &["check"]).status.success());
}
