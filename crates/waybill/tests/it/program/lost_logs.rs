//! A write-ahead log that is taken away from its database: what it held is missed, not forgotten.

use std::path::PathBuf;

use super::backups::{opened, sqlite3, succeed};
use super::{Folder, Server, complaint, run};

/// A database whose server was killed, and its log.
struct Killed {
    folder: Folder,
    log: PathBuf,
}

/// Kills a server that has booked this many parcels since its database was last one file.
async fn killed(name: &str, is_young: bool, bookings: usize) -> Killed {
    let (folder, mut server, demo) = opened(name);
    if !is_young {
        demo.book(&server, "BEFORE").await;
        assert!(server.stop());
        server = Server::start(&folder.0, &["--demo"]);
    }
    for number in 0..bookings {
        demo.book(&server, &format!("A-{number}")).await;
    }
    drop(server);
    let log = folder.0.join("waybill.db-wal");
    assert!(log.metadata().unwrap().len() > 0);
    Killed { folder, log }
}

const SERVE: [&str; 4] = ["serve", "--demo", "--listen", "127.0.0.1:0"];

#[tokio::test]
async fn a_database_whose_log_was_taken_away_is_refused_until_the_log_is_back() {
    for (is_young, bookings) in [(true, 0), (true, 2), (false, 2)] {
        let Killed { folder, log } = killed("lost-log", is_young, bookings).await;
        let aside = folder.0.join("aside");
        std::fs::rename(&log, &aside).unwrap();
        let _absent = std::fs::remove_file(folder.0.join("waybill.db-shm"));
        for command in [&SERVE[..], &SERVE, &["check"], &["backup", "c.db"], &["team", "list"]] {
            let said = complaint(&run(&folder.0, command));
            assert!(said.contains("waybill.db-wal is missing"), "{command:?}: {said}");
            assert!(said.contains("Put the log back"), "{said}");
            assert!(log.metadata().map_or(true, |log| log.len() == 0), "{command:?}");
        }
        std::fs::rename(&aside, &log).unwrap();
        let mut server = Server::start(&folder.0, &["--demo"]);
        assert!(server.stop());
        let count = sqlite3(&folder.0.join("waybill.db"), "select count(*) from shipment");
        assert_eq!(count, format!("{}\n", bookings + usize::from(!is_young)));
        assert!(run(&folder.0, &["check"]).status.success());
    }
}

#[tokio::test]
async fn what_is_left_without_its_log_can_be_replaced_by_a_copy_or_by_itself() {
    let Killed { folder, log } = killed("lost-log-replaced", false, 2).await;
    std::fs::remove_file(&log).unwrap();
    std::fs::copy(folder.0.join("waybill.db"), folder.0.join("rest.db")).unwrap();
    succeed(&folder.0, &["restore", "rest.db"]);
    assert!(Server::start(&folder.0, &["--demo"]).stop());
    let database = folder.0.join("waybill.db");
    let restores = "select count(*) from epoch where lost_after is not null";
    assert_eq!(sqlite3(&database, restores), "1\n");
    assert_eq!(sqlite3(&database, "select count(*) from shipment"), "1\n");
}

#[tokio::test]
async fn a_log_whose_contents_are_in_the_database_is_not_missed() {
    let (folder, mut server, demo) = opened("log-not-missed");
    demo.book(&server, "A").await;
    assert!(server.stop());
    for suffix in ["-wal", "-shm"] {
        let _absent = std::fs::remove_file(folder.0.join(format!("waybill.db{suffix}")));
    }
    server = Server::start(&folder.0, &["--demo"]);
    demo.book(&server, "B").await;
    drop(server);
    // Whoever closes a database last writes its log into it, and removes the log.
    assert_eq!(sqlite3(&folder.0.join("waybill.db"), "select count(*) from shipment"), "2\n");
    assert!(!folder.0.join("waybill.db-wal").exists());
    let server = Server::start(&folder.0, &["--demo"]);
    assert_eq!((demo.count(&server, "A").await, demo.count(&server, "B").await), (1, 1));
}

#[tokio::test]
async fn a_log_that_was_cut_off_is_refused_before_anything_is_taken_from_it() {
    let Killed { folder, log } = killed("cut-log", false, 3).await;
    let whole = std::fs::read(&log).unwrap();
    let database = folder.0.join("waybill.db");
    let before = std::fs::read(&database).unwrap();
    // In the middle of a frame, which has a page of 4096 bytes.
    std::fs::write(&log, &whole[..32 + 4120 * 3 + 2000]).unwrap();
    for command in [&["check"][..], &SERVE, &["check"], &["backup", "c.db"], &["team", "list"]] {
        let said = complaint(&run(&folder.0, command));
        assert!(said.contains("waybill.db-wal is cut off"), "{command:?}: {said}");
        assert!(said.contains("Put the whole log back"), "{said}");
        assert!(std::fs::read(&database).unwrap() == before, "{command:?}");
    }
    // What is left can be gone on with, as with any older copy.
    std::fs::create_dir(folder.0.join("rest")).unwrap();
    for name in ["waybill.db", "waybill.db-wal"] {
        std::fs::copy(folder.0.join(name), folder.0.join("rest").join(name)).unwrap();
    }
    succeed(&folder.0, &["restore", "rest/waybill.db"]);
    succeed(&folder.0, &["check"]);
    assert!(Server::start(&folder.0, &["--demo"]).stop());
    assert_eq!(sqlite3(&database, "select count(*) from shipment"), "1\n");
}

#[tokio::test]
async fn a_log_that_lacks_nothing_but_the_end_of_an_unfinished_frame_is_taken_in() {
    let Killed { folder, log } = killed("torn-log", false, 2).await;
    // As a server leaves it that is killed while it writes.
    let whole = std::fs::read(&log).unwrap();
    std::fs::write(&log, [&whole[..], &whole[32..1000]].concat()).unwrap();
    for _ in 0..2 {
        succeed(&folder.0, &["check"]);
    }
    let count = sqlite3(&folder.0.join("waybill.db"), "select count(*) from shipment");
    assert_eq!(count, "3\n");
}

#[tokio::test]
async fn what_was_moved_away_beneath_a_running_server_is_named_by_every_command() {
    let (folder, server, demo) = opened("moved-beneath");
    demo.book(&server, "A").await;
    for (suffix, words) in [
        ("-wal", "waybill.db-wal, the write-ahead log, was moved or removed beneath a running"),
        ("-shm", "waybill.db-shm was moved or removed beneath a running server, move it back"),
    ] {
        let (file, aside) = (folder.0.join(format!("waybill.db{suffix}")), folder.0.join("aside"));
        std::fs::rename(&file, &aside).unwrap();
        for command in [&["check"][..], &["backup", "c.db"]] {
            let said = complaint(&run(&folder.0, command));
            assert!(said.contains(words) && said.contains("start it again"), "{said}");
            assert!(!file.exists(), "{command:?} makes another");
        }
        server.get("/readyz", "").await.expect(503);
        std::fs::rename(&aside, &file).unwrap();
        demo.book(&server, suffix).await;
    }
}
