//! Paths at which a database must not be opened: its write-ahead log, which is named after the
//! path, is somewhere else, and with it what was acknowledged.

use std::path::Path;

use super::backups::opened;
use super::{Folder, Server, complaint, run};

/// Every command that opens a database, with its arguments.
const COMMANDS: [&str; 14] = [
    "serve --listen 127.0.0.1:0",
    "backup copy.db",
    "check",
    "reconcile --since 2026-01-01T00:00:00Z",
    "why A",
    "user create --name Ada --email ada@x.example",
    "user list",
    "team create --name X --domain x.example",
    "team list",
    "token create --email admin@demo.example.com",
    "token list --email admin@demo.example.com",
    "import service-points points.csv",
    "import rates rates.csv --team demo.example.com",
    "key rewrap --secret-key-file waybill.key",
];

/// Runs every command on the database at this path, and tells what each complains about.
fn refusals(folder: &Path, database: &str) -> Vec<(&'static str, String)> {
    std::fs::write(folder.join("points.csv"), "carrier\n").unwrap();
    std::fs::write(folder.join("rates.csv"), "service_code\n").unwrap();
    let refuse = |line: &'static str| {
        let url = format!("sqlite:{database}");
        let words: Vec<&str> = line.split(' ').chain(["--database", &url]).collect();
        let output = run(folder, &words);
        assert!(!output.status.success(), "{line} worked");
        (line, complaint(&output))
    };
    // Some wait for a while, so they wait together.
    std::thread::scope(|scope| {
        let running = COMMANDS.map(|line| scope.spawn(move || refuse(line)));
        running.map(|one| one.join().unwrap()).into()
    })
}

fn names(folder: &Path) -> Vec<String> {
    let names = std::fs::read_dir(folder).unwrap().map(|it| it.unwrap().file_name());
    let mut names: Vec<String> = names.map(|name| name.into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn every_command_refuses_a_folder_by_that_name() {
    let folder = Folder::new("a-folder");
    assert!(Server::start(&folder.0, &[]).stop());
    std::fs::create_dir(folder.0.join("inside")).unwrap();
    for (line, said) in refusals(&folder.0, "inside") {
        assert!(said.contains("inside: this is a folder, and a file is needed"), "{line}: {said}");
    }
}

#[tokio::test]
async fn every_command_refuses_a_hard_link_of_a_database() {
    let (folder, server, demo) = opened("hard-link");
    demo.book(&server, "A").await;
    let elsewhere = folder.0.join("elsewhere");
    std::fs::create_dir(&elsewhere).unwrap();
    std::fs::hard_link(folder.0.join("waybill.db"), elsewhere.join("hard.db")).unwrap();
    for (line, said) in refusals(&folder.0, "elsewhere/hard.db") {
        let expected = if line.starts_with("serve") { "another server" } else { "a second name" };
        assert!(said.contains(expected) && said.contains("hard.db"), "{line}: {said}");
    }
    assert_eq!(names(&elsewhere), ["hard.db"], "nothing was made beside it");
    assert!(!folder.0.join("copy.db").exists());
    // Also by the first name, and without a server: nobody knows which of the two has the log.
    drop(server);
    let start = run(&folder.0, &["serve", "--listen", "127.0.0.1:0"]);
    assert!(complaint(&start).contains("waybill.db has a second name (a hard link)"));
    std::fs::rename(elsewhere.join("hard.db"), folder.0.join("other.db")).unwrap();
    let named = complaint(&run(&folder.0, &["check"]));
    assert!(named.contains("has a second name, ") && named.contains("other.db"), "{named}");
    std::fs::remove_file(folder.0.join("other.db")).unwrap();
    let server = Server::start(&folder.0, &["--demo"]);
    assert_eq!(demo.count(&server, "A").await, 1);
}

#[tokio::test]
async fn every_command_refuses_a_database_whose_log_is_in_use_under_another_path() {
    let (folder, server, demo) = opened("log-elsewhere");
    demo.book(&server, "A").await;
    // As a single file that is mounted into a container: the same file, and no log beside it.
    let elsewhere = folder.0.join("elsewhere");
    std::fs::create_dir(&elsewhere).unwrap();
    let moved = elsewhere.join("waybill.db");
    std::fs::rename(folder.0.join("waybill.db"), &moved).unwrap();
    for (line, said) in refusals(&folder.0, "elsewhere/waybill.db") {
        let expected = if line.starts_with("serve") { "another server" } else { "another path" };
        assert!(said.contains(expected) && said.contains("waybill.db"), "{line}: {said}");
    }
    assert_eq!(names(&elsewhere), ["waybill.db"], "nothing was made beside it");
    std::fs::rename(&moved, folder.0.join("waybill.db")).unwrap();
    assert!(run(&folder.0, &["check"]).status.success());
    demo.book(&server, "B").await;
}

#[tokio::test]
async fn a_log_without_its_database_is_neither_deleted_nor_ignored() {
    let (folder, mut server, demo) = opened("log-alone");
    demo.book(&server, "A").await;
    server.child.kill().unwrap();
    server.child.wait().unwrap();
    let (database, log) = (folder.0.join("waybill.db"), folder.0.join("waybill.db-wal"));
    let before = std::fs::read(&log).unwrap();
    assert!(!before.is_empty());
    std::fs::rename(&database, folder.0.join("away.db")).unwrap();
    for is_empty in [false, true] {
        if is_empty {
            std::fs::write(&database, "").unwrap();
        }
        for line in ["serve --listen 127.0.0.1:0", "user create --name A --email a@x.example"] {
            let said = complaint(&run(&folder.0, &line.split(' ').collect::<Vec<_>>()));
            assert!(said.contains("waybill.db-wal is there"), "{line}: {said}");
            assert!(std::fs::read(&log).unwrap() == before, "{line} changed the log");
            assert_eq!(database.exists(), is_empty, "{line}");
        }
    }
    std::fs::rename(folder.0.join("away.db"), &database).unwrap();
    let server = Server::start(&folder.0, &["--demo"]);
    assert_eq!(demo.count(&server, "A").await, 1);
}

#[test]
fn the_database_of_another_program_is_refused_and_not_changed() {
    let folder = Folder::new("foreign");
    let foreign = folder.0.join("notes.db");
    let make = "create table note (id integer primary key, text); insert into note values (1, 'x')";
    let made = std::process::Command::new("sqlite3").arg(&foreign).arg(make).status();
    assert!(made.unwrap().success());
    let before = std::fs::read(&foreign).unwrap();
    let own_migrations = folder.0.join("shop.db");
    let make = "create table schema_migration (version text); create table orders (id)";
    let made = std::process::Command::new("sqlite3").arg(&own_migrations).arg(make).status();
    assert!(made.unwrap().success());
    for line in ["serve --listen 127.0.0.1:0", "team create --name X --domain x.example", "check"] {
        for name in ["notes.db", "shop.db"] {
            let database = format!("sqlite:{name}");
            let words: Vec<&str> = line.split(' ').chain(["--database", &database]).collect();
            let said = complaint(&run(&folder.0, &words));
            let expected = format!("{name} is the database of another program");
            assert!(said.contains(&expected), "{line}: {said}");
        }
    }
    assert!(std::fs::read(&foreign).unwrap() == before, "it was changed");
    assert_eq!(names(&folder.0), ["notes.db", "shop.db"]);
}
