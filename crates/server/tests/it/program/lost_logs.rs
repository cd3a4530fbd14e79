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
