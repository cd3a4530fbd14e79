//! Full disks and lost connections: callers are told to try again, and the store heals by itself.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use waybill_store::testing::{Database, Scratch, fresh, fresh_with};
use waybill_store::{Options, Store, users};

use crate::fixtures::{block_on, count_users, is_unavailable, user};

#[test]
fn a_full_disk_is_told_and_harms_nothing_that_was_there() {
    let scratch = fresh(Database::Sqlite);
    block_on(async {
        let limit = |pages: &'static str| scratch.store.write(move |tx| tx.one::<i64>(pages, &[]));
        scratch.store.write(|tx| users::insert(tx, &user(1))).await.unwrap();
        limit("PRAGMA max_page_count = 1").await.unwrap();
        let filled = scratch.store.write(|tx| {
            let name = "x".repeat(100_000);
            users::insert(tx, &users::User { name, ..user(2) })
        });
        let filled = filled.await;
        assert!(is_unavailable(&filled), "{filled:?}");
        assert_eq!(count_users(&scratch.store).await, 1);
        limit("PRAGMA max_page_count = 4294967294").await.unwrap();
        scratch.store.write(|tx| users::insert(tx, &user(2))).await.unwrap();
        let intact = scratch.store.read(|tx| tx.one::<String>("PRAGMA integrity_check", &[]));
        assert_eq!(intact.await.unwrap(), Some("ok".to_owned()));
    });
}

/// Ends every connection of the store, as a restart of the server does.
fn kill_connections(scratch: &Scratch) {
    let url = scratch.url.clone();
    let kill = std::thread::spawn(move || {
        let mut client = postgres::Client::connect(&url, postgres::NoTls).unwrap();
        let killed = client.query(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
              WHERE datname = current_database() AND pid <> pg_backend_pid()",
            &[],
        );
        assert!(!killed.unwrap().is_empty());
    });
    kill.join().unwrap();
}

#[test]
fn connections_that_died_while_idle_are_replaced_unnoticed() {
    let scratch = fresh(Database::Postgres);
    block_on(async {
        for number in 1..=20 {
            if number % 5 == 0 {
                kill_connections(&scratch);
            }
            scratch.store.write(move |tx| users::insert(tx, &user(number))).await.unwrap();
        }
        assert_eq!(count_users(&scratch.store).await, 20);
    });
}

#[test]
fn a_server_that_hangs_in_a_transaction_loses_it_before_those_who_wait_give_up() {
    let scratch = fresh(Database::Postgres);
    let (holds, is_held) = std::sync::mpsc::channel();
    block_on(async {
        scratch.store.write(|tx| users::insert(tx, &user(1))).await.unwrap();
        let rename = "UPDATE app_user SET name = $1";
        let store = scratch.store.clone();
        let hanging = tokio::spawn(async move {
            let hang = move |tx: &mut waybill_store::Tx<'_>| {
                tx.exec(rename, &["late".into()])?;
                let _first = holds.send(());
                std::thread::sleep(Duration::from_secs(6));
                tx.exec(rename, &["late".into()])
            };
            store.write(hang).await
        });
        tokio::task::spawn_blocking(move || is_held.recv()).await.unwrap().unwrap();
        scratch.store.write(move |tx| tx.exec(rename, &["other".into()])).await.unwrap();
        let hung = hanging.await.unwrap();
        assert!(is_unavailable(&hung), "{hung:?}");
        let name = scratch.store.read(|tx| tx.one::<String>("SELECT name FROM app_user", &[]));
        assert_eq!(name.await.unwrap().as_deref(), Some("other"));
    });
}

#[test]
fn a_connection_lost_inside_a_transaction_is_told_and_replaced() {
    let scratch = fresh_with(Database::Postgres, Options { connections: 1, ..Options::default() });
    block_on(async {
        let killed = scratch.store.write(|tx| {
            users::insert(tx, &user(1))?;
            tx.one::<bool>("SELECT pg_terminate_backend(pg_backend_pid())", &[])?;
            users::insert(tx, &user(2))
        });
        let killed = killed.await;
        assert!(is_unavailable(&killed), "{killed:?}");
        assert_eq!(count_users(&scratch.store).await, 0);
        scratch.store.write(|tx| users::insert(tx, &user(1))).await.unwrap();
    });
}

#[test]
fn a_lock_held_for_too_long_is_told_and_the_connection_kept() {
    let scratch = fresh(Database::Postgres);
    block_on(async {
        let locked = scratch.store.write(|tx| {
            tx.exec("SET LOCAL lock_timeout = '1ms'", &[])?;
            tx.exec("DO $$BEGIN RAISE EXCEPTION 'lock' USING ERRCODE = '55P03'; END$$", &[])
        });
        assert!(is_unavailable(&locked.await));
        scratch.store.ping().await.unwrap();
    });
}

/// A road to the server that can be closed and opened again.
struct Road {
    open: Arc<AtomicBool>,
    travellers: Arc<Mutex<Vec<TcpStream>>>,
    port: u16,
}

impl Road {
    fn build(server: String) -> Road {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let open = Arc::new(AtomicBool::new(true));
        let travellers = Arc::new(Mutex::new(Vec::new()));
        let (is_open, list) = (Arc::clone(&open), Arc::clone(&travellers));
        std::thread::spawn(move || {
            for near in listener.incoming().map_while(Result::ok) {
                if !is_open.load(Ordering::SeqCst) {
                    continue;
                }
                let far = TcpStream::connect(&server).unwrap();
                for (from, to) in [(&near, &far), (&far, &near)] {
                    let (mut from, mut to) = (from.try_clone().unwrap(), to.try_clone().unwrap());
                    std::thread::spawn(move || copy(&mut from, &mut to));
                }
                list.lock().unwrap().extend([near, far]);
            }
        });
        Road { open, travellers, port }
    }

    fn close(&self) {
        self.open.store(false, Ordering::SeqCst);
        for traveller in self.travellers.lock().unwrap().drain(..) {
            let _ = traveller.shutdown(Shutdown::Both);
        }
    }
}

fn copy(from: &mut TcpStream, to: &mut TcpStream) {
    let mut buffer = [0; 8192];
    while let Ok(count @ 1..) = from.read(&mut buffer) {
        if to.write_all(&buffer[..count]).is_err() {
            break;
        }
    }
    let _ = to.shutdown(Shutdown::Both);
}

#[test]
fn a_server_that_is_away_is_unavailable_and_found_again() {
    let scratch = fresh(Database::Postgres);
    let config: postgres::Config = scratch.url.parse().unwrap();
    let port = config.get_ports()[0];
    let road = Road::build(format!("127.0.0.1:{port}"));
    let url = scratch.url.replace(&format!(":{port}/"), &format!(":{}/", road.port));
    let store = Store::open(&url, Options { connections: 2, ..Options::default() }).unwrap();
    block_on(async {
        store.write(|tx| users::insert(tx, &user(1))).await.unwrap();
        road.close();
        for number in 2..=20 {
            let away = store.write(move |tx| users::insert(tx, &user(number))).await;
            assert!(is_unavailable(&away), "{away:?}");
        }
        road.open.store(true, Ordering::SeqCst);
        // Each connection finds out by itself, so one may be well before the other is.
        let mut patience = 100;
        let users = loop {
            let users = store.read(|tx| users::any_list(tx).map(|users| users.len())).await;
            if let Ok(users) = users {
                break users;
            }
            assert!(is_unavailable(&users), "{users:?}");
            patience -= 1;
            assert!(patience > 0, "it never came back");
            tokio::time::sleep(Duration::from_millis(50)).await;
        };
        assert_eq!(users, 1);
    });
}
