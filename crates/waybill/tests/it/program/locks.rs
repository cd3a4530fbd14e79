//! SQLite's locks on a live server, seen from other processes: they keep every other program from
//! deleting the write-ahead log that the server writes into.

use std::os::unix::fs::MetadataExt;
use std::path::Path;

use super::backups::sqlite3;
use super::{Folder, Server, complaint, json, run};
use crate::harness::fixture::order;

/// The byte ranges that SQLite's documentation names: a connection in WAL mode holds a shared lock
/// on the database for as long as it is open, and one on the "dead man's switch" of the index.
const SHARED: &str = "1073741826 1073742335";
const DEAD_MAN_SWITCH: &str = "128 128";

/// The locks that this process holds on the file, as `READ 128 128`.
fn locks(process: u32, file: &Path) -> Vec<String> {
    let inode = file.metadata().unwrap().ino().to_string();
    let all = std::fs::read_to_string("/proc/locks").unwrap();
    let of_file = all.lines().filter_map(|line| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let [_, "POSIX", _, kind, owner, place, from, to] = fields[..] else { return None };
        let is_ours = owner == process.to_string() && place.ends_with(&format!(":{inode}"));
        is_ours.then(|| format!("{kind} {from} {to}"))
    });
    of_file.collect()
}

/// Fails when another program could believe that nobody uses the database.
fn assert_locked(server: &Server, database: &Path, after: &str) {
    let held = locks(server.child.id(), database);
    assert!(held.contains(&format!("READ {SHARED}")), "after {after}: {held:?}");
    let index = database.with_extension("db-shm");
    let held = locks(server.child.id(), &index);
    assert!(held.contains(&format!("READ {DEAD_MAN_SWITCH}")), "after {after}: {held:?}");
}

#[tokio::test]
async fn the_locks_of_a_live_server_outlast_every_other_program() {
    let folder = Folder::new("locks");
    let database = folder.0.join("waybill.db");
    let mut server = Server::start(&folder.0, &[]);
    assert_locked(&server, &database, "the start");
    for command in ["select 1", ".backup copy.db", "vacuum into 'vacuumed.db'"] {
        let command = command.replace("copy.db", folder.0.join("copy.db").to_str().unwrap());
        let command = command.replace("vacuumed.db", folder.0.join("v.db").to_str().unwrap());
        sqlite3(&database, &command);
        assert_locked(&server, &database, &command);
    }
    sqlite3(&database, "pragma wal_checkpoint(truncate)");
    assert_locked(&server, &database, "a checkpoint");
    let points = folder.0.join("points.csv");
    std::fs::write(&points, "carrier,country,code,name,type\n").unwrap();
    let domain = "shop.example.com";
    let commands: [&[&str]; 9] = [
        &["team", "create", "--name", "Shop", "--domain", domain],
        &["team", "list"],
        &["user", "create", "--name", "Ada", "--email", "ada@shop.example.com"],
        &["user", "list"],
        &["token", "list", "--email", "ada@shop.example.com"],
        &["token", "create", "--email", "ada@shop.example.com"],
        &["import", "service-points", "points.csv"],
        &["check"],
        &["why", "01890000-0000-7000-8000-000000000000"],
    ];
    for command in commands {
        run(&folder.0, command);
        assert_locked(&server, &database, &command.join(" "));
    }
    assert!(server.stop());
    let server = Server::start(&folder.0, &[]);
    assert_locked(&server, &database, "a second start");
}

#[tokio::test]
async fn what_is_booked_after_a_backup_survives_a_kill() {
    let folder = Folder::new("backup-kill");
    let database = folder.0.join("waybill.db");
    let mut server = Server::start(&folder.0, &["--demo"]);
    let demo: serde_json::Value =
        serde_json::from_slice(&std::fs::read(folder.0.join("demo.json")).unwrap()).unwrap();
    let token = demo["token"].as_str().unwrap();
    let shipments = format!("/v2/teams/{}/shipments", demo["team_uuid"].as_str().unwrap());
    server.post(&shipments, token, order("BEFORE")).await;
    sqlite3(&database, &format!(".backup {}", folder.0.join("copy.db").display()));
    let after = server.post(&shipments, token, order("AFTER")).await;
    server.child.kill().unwrap();
    server.child.wait().unwrap();

    let server = Server::start(&folder.0, &["--demo"]);
    let found = format!("{shipments}/{}", after["data"]["uuid"].as_str().unwrap());
    server.get(&found, token).await.expect(200);
    assert_eq!(sqlite3(&database, "pragma integrity_check"), "ok\n");
}

#[test]
fn a_second_server_is_refused_however_the_path_is_spelled() {
    let folder = Folder::new("spelled");
    let _server = Server::start(&folder.0, &[]);
    std::os::unix::fs::symlink("waybill.db", folder.0.join("link.db")).unwrap();
    std::fs::hard_link(folder.0.join("waybill.db"), folder.0.join("hard.db")).unwrap();
    let _absent = std::fs::remove_file(folder.0.join("waybill.db.lock"));
    let absolute = format!("sqlite:{}", folder.0.join("waybill.db").display());
    let spelled =
        ["sqlite:waybill.db", "sqlite:./waybill.db", "sqlite:link.db", "sqlite:hard.db", &absolute];
    for database in spelled {
        let second = run(&folder.0, &["serve", "--listen", "127.0.0.1:0", "--database", database]);
        let path = database.strip_prefix("sqlite:").unwrap();
        assert_eq!(complaint(&second), format!("waybill: another server is using {path}"));
    }
}

#[tokio::test]
async fn nothing_is_written_or_acknowledged_once_a_file_was_removed_or_replaced() {
    let folder = Folder::new("replaced");
    let database = folder.0.join("waybill.db");
    let server = Server::start(&folder.0, &[]);
    let create = ["team", "create", "--name", "Shop", "--domain", "shop.example.com", "--json"];
    let team = json(&run(&folder.0, &create));
    let token = team["token"].as_str().unwrap();
    let templates = format!("/v2/teams/{}/shipment-templates", team["team_uuid"].as_str().unwrap());
    let template = serde_json::json!({"title": "Books", "shipment": {}});
    server.post(&templates, token, template.clone()).await;
    let moved = folder.0.join("moved");
    for suffix in ["db", "db-wal", "db-shm"] {
        for is_linked in [false, true] {
            let file = database.with_extension(suffix);
            std::fs::rename(&file, &moved).unwrap();
            if is_linked {
                std::os::unix::fs::symlink(&moved, &file).unwrap();
            }
            server.ask("POST", &templates, token, &template.to_string()).await.expect(503);
            server.get("/readyz", "").await.expect(503);
            std::fs::rename(&moved, &file).unwrap();
        }
    }
    server.post(&templates, token, template).await;
    let all = server.get(&templates, token).await.expect(200).json();
    assert_eq!(all["meta"]["total"], 2, "what was refused was not written");
}
