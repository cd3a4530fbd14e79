//! A write-ahead log that somebody puts beside a database that was stopped: it is refused, and one
//! that a program has left behind is not.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use super::backups::{Demo, opened, sqlite3, succeed};
use super::{Folder, Server, complaint, run};

const SERVE: [&str; 4] = ["serve", "--demo", "--listen", "127.0.0.1:0"];

fn cp(arguments: &[&str], folder: &Path) {
    let done = Command::new("cp").args(arguments).current_dir(folder).status().unwrap();
    assert!(done.success(), "cp {arguments:?}");
}

/// A shell that has run this, and is killed.
fn killed_shell(database: &Path, sql: &str) {
    let mut shell = Command::new("sqlite3");
    shell.arg(database).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut shell = shell.spawn().unwrap();
    let mut input = shell.stdin.take().unwrap();
    writeln!(input, "{sql};\nselect 'done';").unwrap();
    let lines = BufReader::new(shell.stdout.take().unwrap()).lines();
    assert!(lines.map_while(Result::ok).any(|line| line == "done"));
    shell.kill().unwrap();
    shell.wait().unwrap();
}

/// A stopped server, with logs in `logs/`: an older one of its own database, one of another
/// database of ours, and one of a database of another program.
async fn stopped(name: &str) -> (Folder, Demo) {
    let (folder, mut server, demo) = opened(name);
    std::fs::create_dir(folder.0.join("logs")).unwrap();
    demo.book(&server, "A").await;
    cp(&["waybill.db-wal", "logs/older"], &folder.0);
    cp(&["waybill.db-shm", "logs/older-shm"], &folder.0);
    demo.book(&server, "B").await;
    assert!(server.stop());

    let (other, server, _demo) = opened(&format!("{name}-other"));
    std::fs::copy(other.0.join("waybill.db-wal"), folder.0.join("logs/ours")).unwrap();
    drop(server);
    let foreign = other.0.join("foreign.db");
    killed_shell(&foreign, "pragma journal_mode=wal; create table a (b); insert into a values (1)");
    std::fs::copy(other.0.join("foreign.db-wal"), folder.0.join("logs/foreign")).unwrap();
    (folder, demo)
}

#[tokio::test]
async fn a_log_that_is_put_beside_a_stopped_database_is_refused_and_both_stay() {
    let (folder, demo) = stopped("stray-log").await;
    let file = |name: &str| folder.0.join(name);
    let before = std::fs::read(file("waybill.db")).unwrap();
    let shipment = "01890000-0000-7000-8000-000000000000";
    for log in ["older", "ours", "foreign", "older with its index"] {
        let name = log.split(' ').next().unwrap();
        cp(&[&format!("logs/{name}"), "waybill.db-wal"], &folder.0);
        if name != log {
            cp(&["logs/older-shm", "waybill.db-shm"], &folder.0);
        }
        let put = std::fs::read(file("waybill.db-wal")).unwrap();
        for command in
            [&SERVE[..], &["check"], &["why", shipment], &["backup", "c.db"], &["team", "list"]]
        {
            let said = complaint(&run(&folder.0, command));
            assert!(said.contains("waybill.db-wal is not of"), "{log}, {command:?}: {said}");
            assert!(said.contains("move the log away"), "{said}");
            assert!(std::fs::read(file("waybill.db-wal")).unwrap() == put, "{log}, {command:?}");
            assert!(std::fs::read(file("waybill.db")).unwrap() == before, "{log}, {command:?}");
        }
        std::fs::remove_file(file("waybill.db-wal")).unwrap();
        let _absent = std::fs::remove_file(file("waybill.db-shm"));
    }
    succeed(&folder.0, &["check"]);
    cp(&["logs/older", "waybill.db-wal"], &folder.0);
    let said = complaint(&run(&folder.0, &["check"]));
    assert!(said.contains("waybill.db-wal is not of"), "also after a command: {said}");
    std::fs::remove_file(file("waybill.db-wal")).unwrap();
    let server = Server::start(&folder.0, &["--demo"]);
    assert_eq!((demo.count(&server, "A").await, demo.count(&server, "B").await), (1, 1));
}

#[tokio::test]
async fn a_log_that_a_command_has_taken_in_is_refused_when_it_is_put_back() {
    let (folder, server, demo) = opened("stray-taken-in");
    demo.book(&server, "A").await;
    drop(server);
    cp(&["waybill.db-wal", "log"], &folder.0);
    succeed(&folder.0, &["check"]);
    assert!(!folder.0.join("waybill.db-wal").exists());
    succeed(&folder.0, &["team", "create", "--name", "New", "--domain", "new.example.com"]);
    cp(&["log", "waybill.db-wal"], &folder.0);
    for command in [&SERVE[..], &["check"], &["team", "list"]] {
        let said = complaint(&run(&folder.0, command));
        assert!(said.contains("waybill.db-wal is not of"), "{command:?}: {said}");
    }
}

#[tokio::test]
async fn a_restore_moves_a_stray_log_aside_and_refuses_one_beside_a_restored_database() {
    let (folder, _demo) = stopped("stray-restore").await;
    succeed(&folder.0, &["backup", "copy.db"]);
    let older = std::fs::read(folder.0.join("logs/older")).unwrap();
    cp(&["logs/older", "waybill.db-wal"], &folder.0);
    let told = succeed(&folder.0, &["restore", "copy.db"]);
    assert!(told.contains("The write-ahead log that was there is kept as"), "{told}");
    let names = std::fs::read_dir(&folder.0).unwrap().map(|it| it.unwrap().path());
    let is_log = |path: &std::path::PathBuf| path.to_string_lossy().contains("waybill.db.log-");
    let kept = names.into_iter().find(is_log).unwrap();
    assert!(std::fs::read(kept).unwrap() == older);
    let count = sqlite3(&folder.0.join("waybill.db"), "select count(*) from shipment");
    assert_eq!(count, "2\n");

    succeed(&folder.0, &["restore", "copy.db"]);
    cp(&["logs/older", "waybill.db-wal"], &folder.0);
    let said = complaint(&run(&folder.0, &["check"]));
    assert!(said.contains("waybill.db-wal is not of"), "{said}");
}

#[tokio::test]
async fn what_another_program_wrote_before_it_was_killed_is_taken_in() {
    for change in ["update team set name = 'Renamed'", "create table extra (a)"] {
        let (folder, mut server, demo) = opened("stray-shell");
        demo.book(&server, "A").await;
        assert!(server.stop());
        let database = folder.0.join("waybill.db");
        killed_shell(&database, change);
        assert!(folder.0.join("waybill.db-wal").metadata().unwrap().len() > 32);
        succeed(&folder.0, &["team", "list"]);
        assert!(!folder.0.join("waybill.db-wal").exists());
        let changed = "select (select count(*) from team where name = 'Renamed')
                            + (select count(*) from sqlite_schema where name = 'extra')";
        assert_eq!(sqlite3(&database, changed), "1\n", "{change}");
    }
}

#[tokio::test]
async fn the_files_of_a_killed_server_are_taken_in_also_over_those_of_a_stopped_one() {
    for how in ["-a", "-f"] {
        let (folder, mut server, demo) = opened("stray-copied");
        assert!(server.stop());
        std::fs::create_dir(folder.0.join("other")).unwrap();
        cp(&["-a", "waybill.db", "waybill.key", "demo.json", "other"], &folder.0);
        assert!(Server::start(&folder.0.join("other"), &["--demo"]).stop());
        let server = Server::start(&folder.0, &["--demo"]);
        demo.book(&server, "A").await;
        drop(server);
        cp(&[how, "waybill.db", "waybill.db-wal", "waybill.db-shm", "other"], &folder.0);
        for place in [folder.0.clone(), folder.0.join("other")] {
            let server = Server::start(&place, &["--demo"]);
            assert_eq!(demo.count(&server, "A").await, 1, "cp {how}: {}", place.display());
        }
    }
}
