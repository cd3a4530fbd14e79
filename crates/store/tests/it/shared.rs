//! Transactions of PostgreSQL that many share, and statements that are put off: together in time,
//! apart in everything else.

use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Duration;

use tokio::task::JoinHandle;
use waybill_store::testing::{Database, Scratch, fresh_with};
use waybill_store::{Error, Options, Store, Tx, meta, users};

use crate::fixtures::{block_on, count_users, is_broken, seconds, user, user_id};

type Answer<T> = JoinHandle<Result<T, Error>>;
type Work<T = ()> = Box<dyn FnMut(&mut Tx<'_>) -> Result<T, Error> + Send>;

fn one_connection() -> Scratch {
    fresh_with(Database::Postgres, Options { connections: 1, ..Options::default() })
}

/// Submits the closures while the only connection is busy, and tells the transaction of each.
async fn as_group(store: &Store, works: Vec<Work>) -> Vec<Result<i64, Error>> {
    let tells = |mut work: Work| -> Work<i64> {
        Box::new(move |tx| {
            work(tx)?;
            transaction(tx)
        })
    };
    at_once(store, works.into_iter().map(tells).collect()).await
}

/// Submits the closures while the only connection is busy: they share its next transaction.
async fn at_once<T: Send + 'static>(store: &Store, works: Vec<Work<T>>) -> Vec<Result<T, Error>> {
    let (release, is_released) = mpsc::channel();
    let (hold, is_held) = mpsc::channel();
    let holder = store.clone();
    let held = tokio::spawn(async move {
        let work = move |_: &mut Tx<'_>| {
            hold.send(()).unwrap();
            is_released.recv_timeout(seconds(60)).unwrap();
            Ok::<_, Error>(())
        };
        holder.write(work).await
    });
    tokio::task::spawn_blocking(move || is_held.recv().unwrap()).await.unwrap();
    let mut pending: Vec<Answer<T>> = Vec::new();
    for work in works {
        let store = store.clone();
        pending.push(tokio::spawn(async move { store.write_grouped(work).await }));
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    release.send(()).unwrap();
    held.await.unwrap().unwrap();
    let mut answers = Vec::new();
    for answer in pending {
        answers.push(answer.await.unwrap());
    }
    answers
}

/// The number of the transaction.
fn transaction(tx: &mut Tx<'_>) -> Result<i64, Error> {
    let number = tx.one("SELECT CAST(CAST(pg_current_xact_id() AS TEXT) AS BIGINT)", &[])?;
    Ok(number.unwrap_or(0))
}

fn insert(number: u128) -> Work {
    Box::new(move |tx| users::insert(tx, &user(number)))
}

/// Changes the name of a user who is taken to be there, and tells whether that was so.
fn rename(tx: &mut Tx<'_>, number: u128) -> Result<bool, Error> {
    let renamed =
        tx.exec_one("UPDATE app_user SET name = 'Grace' WHERE id = $1", &[user_id(number).into()])?;
    Ok(renamed == 1)
}

#[test]
fn what_may_share_a_transaction_shares_one() {
    let scratch = one_connection();
    block_on(async {
        let answers = as_group(&scratch.store, (1..=5).map(insert).collect()).await;
        let transactions: HashSet<i64> = answers.into_iter().map(Result::unwrap).collect();
        assert_eq!(transactions.len(), 1);
        assert_eq!(count_users(&scratch.store).await, 5);
    });
}

#[test]
fn a_closure_that_fails_or_panics_does_not_disturb_those_it_shares_with() {
    let scratch = one_connection();
    block_on(async {
        let fails: Work = Box::new(|tx| {
            users::insert(tx, &user(2))?;
            users::insert(tx, &users::User { id: user_id(9), ..user(1) })
        });
        let refuses: Work = Box::new(|tx| {
            users::insert(tx, &user(6))?;
            Err(Error::Broken("changed its mind".to_owned()))
        });
        let runs = Arc::new(AtomicUsize::new(0));
        let counted = runs.clone();
        let panics: Work = Box::new(move |tx| {
            users::insert(tx, &user(3))?;
            counted.fetch_add(1, Ordering::SeqCst);
            panic!("a test's panic");
        });
        let works = vec![insert(1), panics, fails, insert(4), refuses, insert(5)];
        let answers = as_group(&scratch.store, works).await;
        assert!(answers[0].is_ok() && answers[3].is_ok() && answers[5].is_ok());
        assert!(is_broken(&answers[1]));
        assert_eq!(answers[2], Err(Error::Conflict("app_user_email".to_owned())));
        assert_eq!(answers[4], Err(Error::Broken("changed its mind".to_owned())));
        assert_eq!(runs.load(Ordering::SeqCst), 1, "what panicked does not run again");
        let ids = scratch.store.read(users::any_list).await.unwrap();
        let ids: Vec<_> = ids.into_iter().map(|user| user.id).collect();
        assert_eq!(ids, [user_id(1), user_id(4), user_id(5)]);
    });
}

#[test]
fn a_closure_that_refuses_before_it_writes_costs_the_others_nothing() {
    let scratch = one_connection();
    block_on(async {
        let refuses: Work = Box::new(|tx| {
            meta::find(tx, "nothing")?;
            Err(Error::Broken("not today".to_owned()))
        });
        let answers = as_group(&scratch.store, vec![insert(1), refuses, insert(2)]).await;
        assert_eq!(answers[1], Err(Error::Broken("not today".to_owned())));
        assert_eq!(answers[0], answers[2], "they still share a transaction");
        assert_eq!(count_users(&scratch.store).await, 2);
    });
}

#[test]
fn a_closure_is_told_in_the_end_that_it_changed_no_row() {
    let scratch = one_connection();
    block_on(async {
        let work = |tx: &mut Tx<'_>| {
            let note = if rename(tx, 7)? { "renamed" } else { "nobody" };
            meta::insert_if_absent(tx, "end", note)
        };
        scratch.store.write(work).await.unwrap();
        let note = scratch.store.read(|tx| meta::find(tx, "end")).await.unwrap();
        assert_eq!(note, Some("nobody".to_owned()));
    });
}

#[test]
fn who_took_too_much_for_granted_does_not_disturb_those_it_shares_with() {
    let scratch = one_connection();
    block_on(async {
        let mistaken: Work = Box::new(|tx| match rename(tx, 7)? {
            true => Ok(()),
            false => meta::insert_if_absent(tx, "end", "nobody").map(drop),
        });
        let renamed: Work = Box::new(|tx| rename(tx, 1).map(|is_renamed| assert!(is_renamed)));
        let answers = as_group(&scratch.store, vec![insert(1), mistaken, renamed]).await;
        assert!(answers.iter().all(Result::is_ok), "{answers:?}");
        let note = scratch.store.read(|tx| meta::find(tx, "end")).await.unwrap();
        assert_eq!(note, Some("nobody".to_owned()));
        let users = scratch.store.read(users::any_list).await.unwrap();
        assert_eq!(users[0].name, "Grace");
    });
}

#[test]
fn what_was_put_off_is_seen_by_whoever_reads_in_the_same_transaction() {
    let scratch = one_connection();
    block_on(async {
        let work = |tx: &mut Tx<'_>| {
            users::insert(tx, &user(1))?;
            assert!(rename(tx, 1)?);
            users::any_list(tx)
        };
        let users = scratch.store.write(work).await.unwrap();
        assert_eq!(users[0].name, "Grace");
    });
}

#[test]
fn a_refusal_that_rests_on_what_is_not_so_is_not_believed() {
    let scratch = one_connection();
    block_on(async {
        let refuse = |tx: &mut Tx<'_>| match rename(tx, 7)? {
            true => Err(Error::Broken("renamed, and changed its mind".to_owned())),
            false => Ok("nobody"),
        };
        assert_eq!(scratch.store.write(refuse).await, Ok("nobody"));
        let panics = |tx: &mut Tx<'_>| {
            assert!(!rename(tx, 7)?, "nobody is there");
            Ok::<_, Error>("nobody")
        };
        assert_eq!(scratch.store.write(panics).await, Ok("nobody"));
    });
}

/// Notes this under a key that is taken to be free, and changes the note.
fn note_and_change(key: &'static str) -> Work<bool> {
    Box::new(move |tx| {
        let noted = tx.exec_one(
            "INSERT INTO meta (name, value) VALUES ($1, 'noted') ON CONFLICT (name) DO NOTHING",
            &[key.into()],
        )?;
        let change = "UPDATE meta SET value = 'changed by ' || $1 WHERE name = $1";
        Ok(noted == 1 && tx.exec_one(change, &[key.into()])? == 1)
    })
}

#[test]
fn rows_that_many_closures_insert_travel_in_one_statement_and_before_what_changes_them() {
    let scratch = one_connection();
    block_on(async {
        let works = ["a", "b", "c"].map(note_and_change).into();
        let answers = at_once(&scratch.store, works).await;
        assert_eq!(answers, [Ok(true), Ok(true), Ok(true)]);
        for key in ["a", "b", "c"] {
            let note = scratch.store.read(move |tx| meta::find(tx, key)).await.unwrap();
            assert_eq!(note, Some(format!("changed by {key}")));
        }
        // The first statement of the transaction inserted all, and three more changed them.
        let commands = "SELECT CAST(max(CAST(CAST(cmin AS TEXT) AS BIGINT)) AS BIGINT) FROM meta
                         WHERE value LIKE 'changed by %'";
        let last = scratch.store.read(move |tx| tx.one::<i64>(commands, &[])).await;
        assert_eq!(last, Ok(Some(3)));
    });
}

#[test]
fn of_two_closures_that_insert_the_same_row_one_is_told_so() {
    let scratch = one_connection();
    block_on(async {
        let works = ["a", "b", "a", "c"].map(note_and_change).into();
        let answers = at_once(&scratch.store, works).await;
        assert_eq!(answers, [Ok(true), Ok(true), Ok(false), Ok(true)]);
    });
}

/// Groups that are under way until they are released, each in a transaction of its own.
struct HeldGroups {
    release: Vec<mpsc::Sender<()>>,
    held: Vec<JoinHandle<Result<(), Error>>>,
}

impl HeldGroups {
    async fn begin(store: &Store, count: usize) -> HeldGroups {
        let mut groups = HeldGroups { release: Vec::new(), held: Vec::new() };
        for _ in 0..count {
            let (release, is_released) = mpsc::channel();
            let (begun, has_begun) = mpsc::channel();
            let work = move |_: &mut Tx<'_>| {
                begun.send(()).unwrap();
                is_released.recv_timeout(seconds(60)).unwrap();
                Ok::<_, Error>(())
            };
            let store = store.clone();
            groups.held.push(tokio::spawn(async move { store.write_grouped(work).await }));
            tokio::task::spawn_blocking(move || has_begun.recv().unwrap()).await.unwrap();
            groups.release.push(release);
        }
        groups
    }

    async fn end(self) {
        self.release.iter().for_each(|release| release.send(()).unwrap());
        for held in self.held {
            held.await.unwrap().unwrap();
        }
    }
}

fn eight_connections() -> Scratch {
    fresh_with(Database::Postgres, Options { connections: 8, ..Options::default() })
}

#[test]
fn nobody_waits_for_groups_that_are_held_up_while_connections_are_idle() {
    let scratch = eight_connections();
    block_on(async {
        let groups = HeldGroups::begin(&scratch.store, 2).await;
        let read = scratch.store.read_grouped(|tx| meta::find(tx, "nothing"));
        let read = tokio::time::timeout(seconds(5), read).await.expect("a connection is idle");
        assert_eq!(read, Ok(None));
        let write = scratch.store.write_grouped(|tx| meta::insert_if_absent(tx, "new", "note"));
        let written = tokio::time::timeout(seconds(5), write).await.expect("and another");
        assert_eq!(written, Ok(true));
        groups.end().await;
    });
}

#[test]
fn a_store_that_is_closed_while_groups_are_under_way_ends_with_them() {
    let scratch = eight_connections();
    block_on(async {
        let groups = HeldGroups::begin(&scratch.store, 2).await;
        let waiting: Vec<_> = (0..40)
            .map(|number| {
                let store = scratch.store.clone();
                let work = move |tx: &mut Tx<'_>| users::insert(tx, &user(number));
                tokio::spawn(async move { store.write_grouped(work).await })
            })
            .collect();
        tokio::time::sleep(Duration::from_millis(20)).await;
        let closing = tokio::spawn(scratch.store.clone().close());
        tokio::time::sleep(Duration::from_millis(20)).await;
        groups.end().await;
        tokio::time::timeout(seconds(20), closing).await.expect("every worker ends").unwrap();
        for waiting in waiting {
            waiting.await.unwrap().unwrap();
        }
    });
}

#[test]
fn what_may_share_waits_a_moment_for_groups_that_are_under_way_and_what_goes_alone_does_not() {
    let scratch = eight_connections();
    block_on(async {
        let groups = HeldGroups::begin(&scratch.store, 2).await;
        let (begun, has_begun) = mpsc::channel();
        let says = |what: &'static str| {
            let begun = begun.clone();
            move |_: &mut Tx<'_>| {
                begun.send(what).unwrap();
                Ok::<_, Error>(())
            }
        };
        let (store, third) = (scratch.store.clone(), says("third"));
        let third = tokio::spawn(async move { store.write_grouped(third).await });
        tokio::time::sleep(Duration::from_millis(5)).await;
        scratch.store.write(says("alone")).await.unwrap();
        third.await.unwrap().unwrap();
        groups.end().await;
        assert_eq!(has_begun.try_iter().collect::<Vec<_>>(), ["alone", "third"]);
    });
}
