//! What a database that was restored, or failed over, still promises: followers are told, and
//! nothing is booked that the lost database may have booked.

use std::path::Path;

use serde_json::{Value, json};
use waybill_store::testing::{Database, Scratch, fresh};

use super::backups::{Demo, documented, opened, shell, sqlite3, succeed};
use super::{Folder, Server};
use crate::harness::fixture::order;

/// A new database on PostgreSQL.
async fn on_postgresql() -> Scratch {
    tokio::task::spawn_blocking(|| fresh(Database::Postgres)).await.unwrap()
}

#[tokio::test]
async fn a_cursor_from_the_lost_future_is_gone_and_one_from_the_past_goes_on() {
    let (folder, mut server, demo) = opened("lost-future");
    demo.book(&server, "A sim:track=10ms").await;
    let (read, past) = demo.wait_for_feed(&server, 5).await;
    succeed(&folder.0, &["backup", "copy.db"]);
    demo.book(&server, "B sim:track=10ms").await;
    demo.book(&server, "C sim:track=10ms").await;
    let (_, future) = demo.wait_for_feed(&server, 15).await;
    assert!(server.stop());

    let told = succeed(&folder.0, &["restore", "copy.db"]);
    assert!(told.contains("is kept as waybill.db.replaced-"), "{told}");
    let server = Server::start(&folder.0, &["--demo"]);
    let feed = |cursor: &str| demo.path(&format!("tracking/events?cursor={cursor}"));
    server.get(&feed(&future), &demo.token).await.expect(410);
    server.get(&feed(&past), &demo.token).await.expect(200);
    // Positions are given again, past the one that the lost database had told.
    for reference in ["D sim:track=10ms", "E sim:track=10ms", "F sim:track=10ms"] {
        demo.book(&server, reference).await;
    }
    demo.wait_for_feed(&server, 20).await;
    server.get(&feed(&future), &demo.token).await.expect(410);
    // Parcels go on moving: what is read first is part of what is read second.
    let (all, _) = demo.read_feed(&server, None).await;
    let (after, _) = demo.read_feed(&server, Some(&past)).await;
    assert!(read + after.len() >= all.len() && after.len() > 10, "{read}, {}", after.len());
}

#[tokio::test]
async fn the_contents_of_an_old_copy_in_the_same_file_are_a_restore_too() {
    let (folder, mut server, demo) = opened("copied-over");
    demo.book(&server, "A").await;
    let database = folder.0.join("waybill.db");
    assert_eq!(sqlite3(&database, &format!(".backup {}", folder.0.join("copy.db").display())), "");
    demo.book(&server, "B").await;
    let list = demo.path("shipments?sort=updated_at");
    let synced = server.get(&list, &demo.token).await.expect(200).json();
    let boundary = synced["meta"]["sync_until"].as_str().unwrap().to_owned();
    let since = demo.path(&format!("shipments?sort=updated_at&updated_since={boundary}"));
    assert!(server.stop());
    std::fs::copy(folder.0.join("copy.db"), &database).unwrap();

    for _ in 0..2 {
        let mut server = Server::start(&folder.0, &["--demo"]);
        server.get(&since, &demo.token).await.expect(410);
        assert!(server.stop());
    }
    let restores = "select count(*) from epoch where lost_after is not null";
    assert_eq!(sqlite3(&database, restores), "1\n");
}

#[tokio::test]
async fn a_sync_and_a_replay_from_the_lost_time_are_told_so() {
    let folder = Folder::new("lost-sync");
    let mut server = Server::start(&folder.0, &["--demo", "--allow-private-webhooks"]);
    let demo = Demo::read(&folder.0);
    demo.book(&server, "A").await;
    succeed(&folder.0, &["backup", "copy.db"]);
    demo.book(&server, "B").await;
    let list = demo.path("shipments?sort=updated_at");
    let synced = server.get(&list, &demo.token).await.expect(200).json();
    let boundary = synced["meta"]["sync_until"].as_str().unwrap().to_owned();
    assert!(server.stop());
    succeed(&folder.0, &["restore", "copy.db"]);

    let server = Server::start(&folder.0, &["--demo", "--allow-private-webhooks"]);
    let since = |time: &str| demo.path(&format!("shipments?sort=updated_at&updated_since={time}"));
    let gone = server.get(&since(&boundary), &demo.token).await.expect(410).json();
    assert!(gone["message"].as_str().unwrap().contains("restored"), "{gone}");
    server.get(&since("2026-01-01T00:00:00Z"), &demo.token).await.expect(200);
    let anew = server.get(&list, &demo.token).await.expect(200).json();
    let boundary_now = anew["meta"]["sync_until"].as_str().unwrap();
    server.get(&since(boundary_now), &demo.token).await.expect(200);

    let webhook = json!({"url": "http://127.0.0.1:9/", "events": ["shipment.booked"]});
    let webhook = server.post(&demo.path("webhooks"), &demo.token, webhook).await;
    let uuid = webhook["data"]["uuid"].as_str().unwrap();
    let replay = demo.path(&format!("webhooks/{uuid}/replay"));
    let body = |since: &str| json!({"since": since}).to_string();
    server.ask("POST", &replay, &demo.token, &body(&boundary)).await.expect(410);
    server.ask("POST", &replay, &demo.token, &body("2026-01-01T00:00:00Z")).await.expect(202);
    server.ask("POST", &replay, &demo.token, &body(boundary_now)).await.expect(202);
}

#[tokio::test]
async fn a_restart_without_a_restore_breaks_no_cursor_and_no_sync() {
    let (folder, mut server, demo) = opened("restart");
    demo.book(&server, "A sim:track=10ms").await;
    let (_, cursor) = demo.wait_for_feed(&server, 5).await;
    let list = demo.path("shipments?sort=updated_at");
    let synced = server.get(&list, &demo.token).await.expect(200).json();
    let boundary = synced["meta"]["sync_until"].as_str().unwrap().to_owned();
    server.child.kill().unwrap();
    server.child.wait().unwrap();
    let server = Server::start(&folder.0, &["--demo"]);
    let feed = demo.path(&format!("tracking/events?cursor={cursor}"));
    server.get(&feed, &demo.token).await.expect(200);
    let since = demo.path(&format!("shipments?sort=updated_at&updated_since={boundary}"));
    server.get(&since, &demo.token).await.expect(200);
}

#[tokio::test]
async fn the_documented_backup_of_postgresql_restores_and_followers_are_told() {
    let folder = Folder::new("pg-dump");
    let scratch = on_postgresql().await;
    let url = scratch.url.clone();
    let arguments = ["--demo", "--database", url.as_str()];
    let mut server = Server::start(&folder.0, &arguments);
    let demo = Demo::read(&folder.0);
    demo.book(&server, "A sim:track=10ms").await;
    let (_, past) = demo.wait_for_feed(&server, 5).await;
    shell(&folder.0, &documented("pg_dump"), &url);
    demo.book(&server, "B sim:track=10ms").await;
    let (_, future) = demo.wait_for_feed(&server, 10).await;
    let synced = server.get(&demo.path("shipments?sort=updated_at"), &demo.token).await;
    let boundary = synced.expect(200).json()["meta"]["sync_until"].as_str().unwrap().to_owned();
    assert!(server.stop());

    shell(&folder.0, &documented("pg_restore"), &url);
    let server = Server::start(&folder.0, &arguments);
    for reference in ["C sim:track=10ms", "D sim:track=10ms"] {
        demo.book(&server, reference).await;
    }
    demo.wait_for_feed(&server, 15).await;
    let feed = |cursor: &str| demo.path(&format!("tracking/events?cursor={cursor}"));
    server.get(&feed(&future), &demo.token).await.expect(410);
    server.get(&feed(&past), &demo.token).await.expect(200);
    let since = demo.path(&format!("shipments?sort=updated_at&updated_since={boundary}"));
    server.get(&since, &demo.token).await.expect(410);
    tokio::task::spawn_blocking(move || drop(scratch)).await.unwrap();
}

/// How often the carrier has booked this reference.
fn booked_times(folder: &Path, reference: &str) -> usize {
    let journal = std::fs::read_to_string(folder.join("sandbox-carrier.jsonl")).unwrap();
    let lines = journal.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    lines.filter(|line| line["type"] == "booked" && line["customer_reference"] == reference).count()
}

#[tokio::test]
async fn a_restored_database_books_nothing_that_the_lost_one_may_have_booked() {
    let (folder, mut server, demo) = opened("held-back");
    assert!(server.stop());
    // Nobody works: what is accepted waits.
    let mut server = Server::start(&folder.0, &["--demo", "--role", "api"]);
    let shipments = demo.path("shipments");
    let order_text = |reference: &str| order(reference).to_string();
    let body = order_text("WAITS");
    // It would wait for ten seconds; a caller who hangs up changes nothing.
    let asked = server.ask("POST", &shipments, &demo.token, &body);
    assert!(tokio::time::timeout(std::time::Duration::from_secs(2), asked).await.is_err());
    let listed = server.get(&format!("{shipments}?reference=WAITS"), &demo.token).await;
    let waiting = listed.expect(200).json()["data"][0]["uuid"].as_str().unwrap().to_owned();
    let batch = server.post(&demo.path("booking-batches"), &demo.token, json!({})).await;
    let batch = demo.path(&format!("booking-batches/{}", batch["data"]["uuid"].as_str().unwrap()));
    let members = json!({"data": [order("MEMBER-1"), order("MEMBER-2")]});
    server.post(&format!("{batch}/shipments"), &demo.token, members).await;
    server.ask("POST", &format!("{batch}/start"), &demo.token, "").await.expect(202);
    succeed(&folder.0, &["backup", "copy.db"]);
    assert!(server.stop());

    let mut server = Server::start(&folder.0, &["--demo"]);
    let all = ["WAITS", "MEMBER-1", "MEMBER-2"];
    for _ in 0..600 {
        if all.iter().all(|reference| booked_times(&folder.0, reference) == 1) {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    assert!(server.stop());
    succeed(&folder.0, &["restore", "copy.db"]);

    let server = Server::start(&folder.0, &["--demo"]);
    let path = format!("{shipments}/{waiting}");
    let mut shipment = Value::Null;
    for _ in 0..600 {
        shipment = server.get(&path, &demo.token).await.expect(200).json()["data"].clone();
        if shipment["state"] != "processing" {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    assert_eq!(shipment["state"], "failed", "{shipment}");
    let said = shipment["failure"]["details"][0]["message"].as_str().unwrap();
    assert!(said.contains("restored from a copy"), "{said}");
    server.ask("DELETE", &path, &demo.token, "").await.expect(409);
    let state = &server.get(&batch, &demo.token).await.expect(200).json()["data"]["state"];
    assert_eq!(state, "stopped");
    let members = server.get(&format!("{batch}/shipments"), &demo.token).await.expect(200).json();
    for member in members["data"].as_array().unwrap() {
        assert_eq!(member["state"], "failed", "{member}");
        let said = member["failure"]["details"][0]["message"].as_str().unwrap();
        assert!(said.contains("restored from a copy"), "{said}");
    }
    for reference in all {
        assert_eq!(booked_times(&folder.0, reference), 1, "{reference}");
    }
    assert!(succeed(&folder.0, &["check"]).ends_with("\n0 violations\n"));
}

#[tokio::test]
async fn a_cursor_at_a_batch_member_that_was_lost_is_gone_and_the_open_batch_is_stopped() {
    let (folder, mut server, demo) = opened("lost-members");
    let batch = server.post(&demo.path("booking-batches"), &demo.token, json!({})).await;
    let batch = demo.path(&format!("booking-batches/{}", batch["data"]["uuid"].as_str().unwrap()));
    let members = format!("{batch}/shipments");
    let add = |references: [&str; 2]| json!({"data": references.map(order)});
    server.post(&members, &demo.token, add(["KEPT-1", "KEPT-2"])).await;
    succeed(&folder.0, &["backup", "copy.db"]);
    server.post(&members, &demo.token, add(["LOST-1", "LOST-2"])).await;
    let mut cursors = Vec::new();
    for per_page in [1, 3] {
        let path = format!("{members}?per_page={per_page}");
        let page = server.get(&path, &demo.token).await.expect(200).json();
        let cursor = page["meta"]["next_cursor"].as_str().unwrap().to_owned();
        cursors.push(format!("{path}&cursor={cursor}"));
    }
    assert!(server.stop());
    succeed(&folder.0, &["restore", "copy.db"]);

    let server = Server::start(&folder.0, &["--demo"]);
    server.get(&cursors[0], &demo.token).await.expect(200);
    let gone = server.get(&cursors[1], &demo.token).await.expect(410).json();
    assert!(gone["message"].as_str().unwrap().contains("restored"), "{gone}");
    // The lost database may have started it.
    let state = &server.get(&batch, &demo.token).await.expect(200).json()["data"]["state"];
    assert_eq!(state, "stopped");
}

/// A server on PostgreSQL that has told a boundary of a sync, and the path that goes on from there.
/// Then the database becomes another copy than the one that the server has begun on.
async fn move_database(folder: &Folder, url: &str, how: &str) -> (Server, Demo, String) {
    let server = Server::start(&folder.0, &["--demo", "--database", url]);
    let demo = Demo::read(&folder.0);
    demo.book(&server, "A").await;
    let synced = server.get(&demo.path("shipments?sort=updated_at"), &demo.token).await;
    let boundary = synced.expect(200).json()["meta"]["sync_until"].as_str().unwrap().to_owned();
    let since = demo.path(&format!("shipments?sort=updated_at&updated_since={boundary}"));
    server.get(&since, &demo.token).await.expect(200);
    shell(&folder.0, &format!("psql -qc \"{how}\" $DATABASE_URL"), url);
    (server, demo, since)
}

/// As a dump that was restored, or a replica that took over, finds the row.
const ANOTHER_COPY: &str = "UPDATE epoch SET copy = 'the primary of before'";
/// Connections do not outlive a fail-over.
const ALL_END: &str = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                        WHERE datname = current_database() AND pid <> pg_backend_pid()";

#[tokio::test]
async fn a_fail_over_is_noticed_before_anything_is_read_or_written() {
    let folder = Folder::new("fail-over");
    let scratch = on_postgresql().await;
    let how = format!("{ANOTHER_COPY}; {ALL_END}");
    let (server, demo, since) = move_database(&folder, &scratch.url, &how).await;
    server.get(&since, &demo.token).await.expect(410);
    drop(server);
    tokio::task::spawn_blocking(move || drop(scratch)).await.unwrap();
}

#[tokio::test]
async fn a_primary_of_before_that_takes_over_again_is_noticed() {
    let folder = Folder::new("fail-back");
    let scratch = on_postgresql().await;
    // It says of itself what it always said, and lacks the epoch that was begun elsewhere.
    let how = format!("UPDATE epoch SET id = gen_random_uuid(); {ALL_END}");
    let (server, demo, since) = move_database(&folder, &scratch.url, &how).await;
    server.get(&since, &demo.token).await.expect(410);
    let epochs = "psql -Atc 'SELECT count(*) FROM epoch WHERE lost_after IS NOT NULL'";
    demo.book(&server, "B").await;
    tokio::time::sleep(std::time::Duration::from_secs(6)).await;
    demo.book(&server, "C").await;
    let told = shell(&folder.0, &format!("{epochs} $DATABASE_URL"), &scratch.url);
    assert_eq!(told.trim(), "1", "it is noticed once");
    drop(server);
    tokio::task::spawn_blocking(move || drop(scratch)).await.unwrap();
}

#[tokio::test]
async fn a_database_that_was_made_from_a_template_is_another_copy() {
    let folder = Folder::new("template");
    let scratch = on_postgresql().await;
    let (place, name) = scratch.url.rsplit_once('/').unwrap();
    let name = name.split('?').next().unwrap();
    let ask = |database: &str, sql: &str| {
        shell(&folder.0, &format!("psql -qc '{sql}' $DATABASE_URL"), &format!("{place}/{database}"))
    };
    let url = format!("{place}/{name}_live");
    ask("postgres", &format!("CREATE DATABASE {name}_live"));
    let mut server = Server::start(&folder.0, &["--demo", "--database", &url]);
    Demo::read(&folder.0).book(&server, "A").await;
    assert!(server.stop());
    ask("postgres", &format!("CREATE DATABASE {name}_copy TEMPLATE {name}_live"));
    ask("postgres", &format!("DROP DATABASE {name}_live"));
    ask("postgres", &format!("ALTER DATABASE {name}_copy RENAME TO {name}_live"));
    let mut server = Server::start(&folder.0, &["--demo", "--database", &url]);
    server.logged(|line: &Value| line["lost_after"].is_string()).await;
    assert!(server.stop());
    ask("postgres", &format!("DROP DATABASE {name}_live"));
    drop(server);
    tokio::task::spawn_blocking(move || drop(scratch)).await.unwrap();
}

#[tokio::test]
async fn a_dump_restored_beneath_a_running_server_is_noticed_within_seconds() {
    let folder = Folder::new("restored-beneath");
    let scratch = on_postgresql().await;
    let (server, demo, since) = move_database(&folder, &scratch.url, ANOTHER_COPY).await;
    let begun = tokio::time::Instant::now();
    while server.get(&since, &demo.token).await.status != 410 {
        assert!(begun.elapsed() < std::time::Duration::from_secs(30), "nobody noticed");
        tokio::time::sleep(std::time::Duration::from_millis(200)).await;
    }
    drop(server);
    tokio::task::spawn_blocking(move || drop(scratch)).await.unwrap();
}

#[tokio::test]
async fn the_lost_time_begins_with_the_dump_also_when_a_running_server_has_booked_since() {
    let folder = Folder::new("booked-beneath");
    let scratch = on_postgresql().await;
    let url = scratch.url.clone();
    let server = Server::start(&folder.0, &["--demo", "--database", &url]);
    let demo = Demo::read(&folder.0);
    demo.book(&server, "A").await;
    shell(&folder.0, &documented("pg_dump"), &url);
    tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    let lost = demo.book(&server, "LOST").await["created_at"].as_str().unwrap().to_owned();
    shell(&folder.0, &documented("pg_restore"), &url);
    // By connections that nobody has asked yet where they lead to.
    let body = order("SINCE").to_string();
    server.ask("POST", &demo.path("shipments"), &demo.token, &body).await.expect(201);
    let said = |line: &Value| line["lost_after"].is_string();
    let noticed = server.logged(said).await;
    let after = noticed["lost_after"].as_str().unwrap();
    let time = |text: &str| waybill_domain::time::Time::parse(text).unwrap();
    assert!(time(after) < time(&lost), "{after}, and {lost} was lost");
    assert!(time(after).plus(std::time::Duration::from_secs(10)) > time(&lost), "{after}");
    drop(server);
    tokio::task::spawn_blocking(move || drop(scratch)).await.unwrap();
}

#[test]
fn the_documented_restore_leaves_out_extensions_that_an_owner_may_not_make() {
    let folder = Folder::new("pg-extensions");
    let scratch = fresh(Database::Postgres);
    let (server, _) = scratch.url.rsplit_once('/').unwrap();
    let (_, host) = server.rsplit_once('@').unwrap();
    let name = format!("owner_{}", std::process::id());
    let url = format!("postgres://{name}:x@{host}/{name}");
    let ask = |url: &str, sql: &str| {
        shell(&folder.0, &format!("psql -qc \"{sql}\" \"$DATABASE_URL\""), url);
    };
    ask(&scratch.url, &format!("CREATE ROLE {name} LOGIN PASSWORD 'x'"));
    ask(&scratch.url, &format!("CREATE DATABASE {name} OWNER {name}"));
    ask(&format!("{server}/{name}"), "CREATE EXTENSION amcheck");
    let make = |domain: &str| {
        let team = ["team", "create", "--name", "A", "--domain", domain, "--database", &url];
        succeed(&folder.0, &team)
    };
    make("kept.example");
    shell(&folder.0, &documented("pg_dump"), &url);
    make("lost.example");
    shell(&folder.0, &documented("pg_restore --list"), &url);
    let restore = "pg_restore --clean --if-exists --no-owner --single-transaction --use-list=";
    shell(&folder.0, &documented(&format!("{restore}waybill.list")), &url);
    assert!(succeed(&folder.0, &["check", "--database", &url]).ends_with("\n0 violations\n"));
    make("lost.example");
    ask(&scratch.url, &format!("DROP DATABASE {name} WITH (FORCE)"));
    ask(&scratch.url, &format!("DROP ROLE {name}"));
}
