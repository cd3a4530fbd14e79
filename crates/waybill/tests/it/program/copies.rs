//! What killed, mistaken and repeated backups and restores leave behind and are told.

use std::path::Path;

use super::backups::{opened, sqlite3, succeed};
use super::{Folder, Server, complaint, run};

fn made(folder: &Path, name: &str) {
    succeed(folder, &["team", "create", "--name", name, "--domain", &format!("{name}.example")]);
}

fn teams(database: &Path) -> String {
    sqlite3(database, "select group_concat(name) from (select name from team order by name)")
}

/// A lock as a program holds it that writes the file.
fn write_lock(path: &Path) -> std::fs::File {
    let file = std::fs::OpenOptions::new().write(true).create(true).truncate(false).open(path);
    let file = file.unwrap();
    file.try_lock().unwrap();
    file
}

#[test]
fn a_leftover_draft_is_replaced_unless_somebody_writes_it() {
    let folder = Folder::new("partial");
    made(&folder.0, "one");
    let partial = folder.0.join("copy.db.partial");
    // As a killed backup leaves it: the beginning of a database, and a journal.
    let whole = std::fs::read(folder.0.join("waybill.db")).unwrap();
    std::fs::write(&partial, &whole[..8192]).unwrap();
    std::fs::write(folder.0.join("copy.db.partial-journal"), "half").unwrap();
    let writer = write_lock(&partial);
    let busy = complaint(&run(&folder.0, &["backup", "copy.db"]));
    assert_eq!(busy, "waybill: copy.db.partial is being written by another program");
    drop(writer);
    succeed(&folder.0, &["backup", "copy.db"]);
    assert_eq!(teams(&folder.0.join("copy.db")), "one\n");
    assert!(!partial.exists() && !folder.0.join("copy.db.partial-journal").exists());
    // SQLite writes the first page last.
    std::fs::write(folder.0.join("early.db.partial"), vec![0; 8192]).unwrap();
    succeed(&folder.0, &["backup", "early.db"]);

    std::fs::write(folder.0.join("mine.db.partial"), "my own notes").unwrap();
    let kept = complaint(&run(&folder.0, &["backup", "mine.db"]));
    assert!(kept.contains("mine.db.partial is there already"), "{kept}");
    assert_eq!(std::fs::read(folder.0.join("mine.db.partial")).unwrap(), b"my own notes");
}

#[test]
fn a_backup_refuses_the_names_of_files_that_sqlite_has_beside_a_database() {
    let folder = Folder::new("reserved");
    made(&folder.0, "one");
    for suffix in ["-journal", "-wal", "-shm"] {
        let name = format!("waybill.db{suffix}");
        let _absent = std::fs::remove_file(folder.0.join(&name));
        let said = complaint(&run(&folder.0, &["backup", &name]));
        assert!(said.contains(&format!("{name} would be taken for a part")), "{said}");
        assert!(!folder.0.join(&name).exists());
    }
    assert!(run(&folder.0, &["check"]).status.success());
}

#[test]
fn a_database_is_not_restored_from_itself() {
    let folder = Folder::new("itself");
    made(&folder.0, "one");
    std::os::unix::fs::symlink("waybill.db", folder.0.join("link.db")).unwrap();
    for name in ["waybill.db", "./waybill.db", "link.db"] {
        let said = complaint(&run(&folder.0, &["restore", name]));
        let expected = format!("waybill: {name} is the database itself: name a copy that");
        assert!(said.starts_with(&expected), "{said}");
    }
    assert_eq!(teams(&folder.0.join("waybill.db")), "one\n");
}

#[tokio::test]
async fn a_restore_through_a_symbolic_link_replaces_the_file_and_keeps_the_link() {
    let folder = Folder::new("restore-link");
    let data = folder.0.join("data");
    std::fs::create_dir(&data).unwrap();
    made(&data, "one");
    succeed(&data, &["backup", "copy.db"]);
    made(&data, "two");
    std::os::unix::fs::symlink("data/waybill.db", folder.0.join("waybill.db")).unwrap();
    let told = succeed(&folder.0, &["restore", "data/copy.db"]);
    assert!(folder.0.join("waybill.db").is_symlink(), "the link is still one");
    assert!(!data.join("waybill.db").is_symlink());
    assert_eq!(teams(&data.join("waybill.db")), "one\n");
    let kept = told.split("kept as ").nth(1).unwrap().split(".\n").next().unwrap();
    assert_eq!(teams(Path::new(kept)), "one,two\n", "{told}");
    assert!(Server::start(&folder.0, &[]).stop());
    assert!(run(&folder.0, &["check"]).status.success());
}

/// What is in the folder of a database, without the names of times.
fn left(folder: &Path) -> Vec<String> {
    let names = std::fs::read_dir(folder).unwrap().map(|it| it.unwrap().file_name());
    let mut names: Vec<String> = names.map(|name| name.into_string().unwrap()).collect();
    names.retain(|name| name.starts_with("waybill.db"));
    names.sort();
    names
}

#[test]
fn a_restore_clears_away_what_a_killed_one_left() {
    let folder = Folder::new("restoring");
    made(&folder.0, "one");
    succeed(&folder.0, &["backup", "copy.db"]);
    let database = folder.0.join("waybill.db");
    let half = std::fs::read(&database).unwrap()[..8192].to_vec();
    // Killed while the copy was written, with and without a database in its place.
    for is_there in [true, false] {
        if !is_there {
            std::fs::remove_file(&database).unwrap();
        }
        std::fs::write(folder.0.join("waybill.db.restoring"), &half).unwrap();
        std::fs::write(folder.0.join("waybill.db.restoring-journal"), "half").unwrap();
        succeed(&folder.0, &["restore", "copy.db"]);
        assert_eq!(teams(&database), "one\n");
        assert!(!left(&folder.0).iter().any(|name| name.contains("restoring")));
    }
    // Killed after the old database got its second name, and after the new one got its name.
    let aside = folder.0.join("waybill.db.replaced-2026-11-16T080000Z");
    std::fs::hard_link(&database, &aside).unwrap();
    std::fs::hard_link(&database, folder.0.join("waybill.db.restoring")).unwrap();
    let start = complaint(&run(&folder.0, &["check"]));
    assert!(start.contains("a second name, "), "{start}");
    made_by_hand(&database);
    succeed(&folder.0, &["restore", "copy.db"]);
    assert!(!aside.exists(), "it was the database itself, and not an older one");
    assert_eq!(teams(&database), "one\n");
    assert!(run(&folder.0, &["check"]).status.success());
}

/// A row that the copy does not have.
fn made_by_hand(database: &Path) {
    sqlite3(database, "update team set name = 'changed'");
    assert_eq!(teams(database), "changed\n");
}

#[tokio::test]
async fn a_restore_takes_a_log_without_database_out_of_the_way() {
    let (folder, mut server, demo) = opened("restore-log");
    demo.book(&server, "A").await;
    succeed(&folder.0, &["backup", "copy.db"]);
    demo.book(&server, "B").await;
    server.child.kill().unwrap();
    server.child.wait().unwrap();
    std::fs::remove_file(folder.0.join("waybill.db")).unwrap();
    let log = std::fs::read(folder.0.join("waybill.db-wal")).unwrap();
    for command in [&["check"][..], &["team", "list"], &["backup", "other.db"]] {
        let said = complaint(&run(&folder.0, command));
        assert!(said.contains("put the database back beside it"), "{command:?}: {said}");
    }
    let told = succeed(&folder.0, &["restore", "copy.db"]);
    assert!(told.contains("The write-ahead log that was there is kept as"), "{told}");
    let aside = left(&folder.0).into_iter().find(|name| name.ends_with("-wal")).unwrap();
    assert!(aside.starts_with("waybill.db.replaced-"), "{aside}");
    assert!(std::fs::read(folder.0.join(aside)).unwrap() == log);
    let server = Server::start(&folder.0, &["--demo"]);
    assert_eq!((demo.count(&server, "A").await, demo.count(&server, "B").await), (1, 0));
    assert!(run(&folder.0, &["check"]).status.success());
}

#[tokio::test]
async fn a_restore_leaves_the_old_database_as_one_file() {
    let folder = Folder::new("restore-shm");
    let mut server = Server::start(&folder.0, &["--demo"]);
    succeed(&folder.0, &["backup", "copy.db"]);
    for has_database in [true, false] {
        if !has_database {
            server = Server::start(&folder.0, &["--demo"]);
        }
        // A killed server leaves its log and the index of it.
        server.child.kill().unwrap();
        server.child.wait().unwrap();
        assert!(folder.0.join("waybill.db-shm").exists());
        if !has_database {
            std::fs::remove_file(folder.0.join("waybill.db")).unwrap();
        }
        succeed(&folder.0, &["restore", "copy.db"]);
        let stray = left(&folder.0);
        assert!(!stray.iter().any(|name| name.ends_with("-shm")), "{stray:?}");
    }
}
