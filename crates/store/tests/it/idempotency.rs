//! A request is accepted once, however often and however concurrently it arrives.

use std::sync::mpsc;

use uuid::Uuid;
use waybill_domain::time::Time;
use waybill_store::idempotency::{KeyClaim, KeyState, any_delete_expired, claim, find};
use waybill_store::testing::{Database, fresh};
use waybill_store::{Error, meta};

use crate::fixtures::{NOW, block_on, id, seconds, seed, team_id};

fn request(key: &str) -> KeyClaim {
    KeyClaim {
        method: "POST".to_owned(),
        path: "/shipments".to_owned(),
        key: key.to_owned(),
        fingerprint: [7; 32],
    }
}

/// What most of them make.
const MADE: (Uuid, u16) = (Uuid::from_u128(5), 201);

fn taken(fingerprint_matches: bool) -> KeyState {
    KeyState::Taken { fingerprint_matches, resource: Some(id(5)), status: 201, accepted_at: NOW }
}

both! {
    async fn a_repeated_request_is_told_what_the_first_made(store) {
        seed(&store).await;
        let first = store.write(|tx| {
            claim(tx, team_id(1), &request("a"), MADE, NOW)
        });
        assert_eq!(first.await.unwrap(), KeyState::New);
        let later = Time(NOW.0 + 9);
        let second = store.write(move |tx| claim(tx, team_id(1), &request("a"), MADE, later)).await;
        assert_eq!(second.unwrap(), taken(true));
        let mut other = request("a");
        other.fingerprint = [8; 32];
        let third = store.write(move |tx| claim(tx, team_id(1), &other, MADE, later)).await;
        assert_eq!(third.unwrap(), taken(false));
    }

    async fn a_key_counts_per_team_method_and_path(store) {
        seed(&store).await;
        let claimed = store.write(|tx| {
            let mut put = request("a");
            put.method = "PUT".to_owned();
            let mut templates = request("a");
            templates.path = "/templates".to_owned();
            let mut take = |team, request: &KeyClaim| {
                claim(tx, team_id(team), request, MADE, NOW)
            };
            let all = [
                take(1, &request("a"))?,
                take(2, &request("a"))?,
                take(1, &put)?,
                take(1, &templates)?,
                take(1, &request("b"))?,
            ];
            Ok::<_, Error>(all)
        });
        assert!(claimed.await.unwrap().iter().all(|claimed| *claimed == KeyState::New));
    }

    async fn a_key_whose_request_failed_is_free(store) {
        seed(&store).await;
        let failed = store.write(|tx| {
            claim(tx, team_id(1), &request("a"), MADE, NOW)?;
            Err::<(), _>(Error::Broken("the rest failed".to_owned()))
        });
        assert!(failed.await.is_err());
        let second = store.write(|tx| {
            claim(tx, team_id(1), &request("a"), MADE, NOW)
        });
        assert_eq!(second.await.unwrap(), KeyState::New);
    }

    async fn expired_keys_are_freed_oldest_first(store) {
        seed(&store).await;
        let freed = store.write(|tx| {
            for (key, age) in [("a", 3), ("b", 1), ("c", 2), ("d", 0)] {
                claim(tx, team_id(1), &request(key), MADE, Time(NOW.0 - age))?;
            }
            let freed = (any_delete_expired(tx, NOW, 2)?, any_delete_expired(tx, NOW, 9)?);
            let left = tx.all::<String>("SELECT key FROM idempotency", &[])?;
            Ok::<_, Error>((freed, left))
        });
        assert_eq!(freed.await.unwrap(), ((2, 1), vec!["d".to_owned()]));
    }

    async fn of_many_at_once_exactly_one_is_new(store) {
        seed(&store).await;
        let tasks: Vec<_> = (0..64)
            .map(|number| {
                let store = store.clone();
                tokio::spawn(async move {
                    store.write(move |tx| {
                        let made = (id(number), 201);
                        let claimed = claim(tx, team_id(1), &request("a"), made, NOW)?;
                        Ok::<_, Error>((number, claimed))
                    }).await.unwrap()
                })
            })
            .collect();
        let (mut new, mut made) = (Vec::new(), Vec::new());
        for task in tasks {
            match task.await.unwrap() {
                (number, KeyState::New) => new.push(id(number)),
                (_, KeyState::Taken { resource, .. }) => made.push(resource.unwrap()),
                (_, KeyState::Busy) => panic!("nobody holds the key for that long"),
            }
        }
        assert_eq!((new.len(), made.len()), (1, 63));
        assert!(made.iter().all(|resource| *resource == new[0]));
    }
}

#[test]
fn while_a_request_is_being_accepted_its_repeat_is_told_so_and_may_go_on() {
    let scratch = fresh(Database::Postgres);
    let (claimed, is_claimed) = mpsc::channel();
    let (go_on, may_go_on) = mpsc::channel::<()>();
    block_on(async {
        seed(&scratch.store).await;
        let store = scratch.store.clone();
        let first = tokio::spawn(async move {
            let accepting = store.write(move |tx| {
                let claim = claim(tx, team_id(1), &request("a"), MADE, NOW)?;
                // Who reads has sent what it wrote.
                assert!(find(tx, team_id(1), &request("a"))?.is_some());
                claimed.send(()).unwrap();
                may_go_on.recv_timeout(seconds(60)).unwrap();
                Ok::<_, Error>(claim)
            });
            accepting.await
        });
        tokio::task::spawn_blocking(move || is_claimed.recv().unwrap()).await.unwrap();
        let repeat = scratch.store.write(|tx| {
            tx.exec("SET LOCAL lock_timeout = '50ms'", &[])?;
            let claimed = claim(tx, team_id(1), &request("a"), MADE, NOW)?;
            meta::insert_if_absent(tx, "after", "it")?;
            Ok::<_, Error>(claimed)
        });
        assert_eq!(repeat.await.unwrap(), KeyState::Busy);
        let after = scratch.store.read(|tx| meta::find(tx, "after")).await.unwrap();
        assert_eq!(after, Some("it".to_owned()));
        go_on.send(()).unwrap();
        assert_eq!(first.await.unwrap().unwrap(), KeyState::New);
    });
}
