//! Writes of SQLite that share a commit: together in time, apart in everything else.

use std::sync::mpsc;
use std::time::Duration;

use tokio::task::JoinHandle;
use waybill_store::testing::{Database, Scratch, fresh, fresh_with};
use waybill_store::{Error, Options, Store, Tx, users};

use crate::fixtures::{block_on, count_users, is_broken, is_unavailable, seconds, user, user_id};

type Answer = JoinHandle<Result<(), Error>>;

/// Holds the writer thread until it is dropped, so that what is written meanwhile forms a group.
struct Held {
    release: mpsc::Sender<()>,
    answer: Answer,
}

async fn hold(store: &Store) -> Held {
    let (release, is_released) = mpsc::channel();
    let (hold, is_held) = mpsc::channel();
    let answer = submit(store, move |_| {
        hold.send(()).unwrap();
        is_released.recv_timeout(seconds(60)).unwrap();
        Ok(())
    });
    tokio::task::spawn_blocking(move || is_held.recv().unwrap()).await.unwrap();
    Held { release, answer }
}

impl Held {
    async fn release(self) {
        self.release.send(()).unwrap();
        self.answer.await.unwrap().unwrap();
    }
}

fn submit(
    store: &Store,
    work: impl FnMut(&mut Tx<'_>) -> Result<(), Error> + Send + 'static,
) -> Answer {
    let store = store.clone();
    tokio::spawn(async move { store.write(work).await })
}

/// Submits the closures in this order while the writer is held.
async fn submit_in_order(store: &Store, works: Vec<Work>) -> Vec<Answer> {
    let mut answers = Vec::new();
    for work in works {
        answers.push(submit(store, work));
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    answers
}

type Work = Box<dyn FnMut(&mut Tx<'_>) -> Result<(), Error> + Send>;

fn insert(number: u128) -> Work {
    Box::new(move |tx| users::insert(tx, &user(number)))
}

async fn answers(pending: Vec<Answer>) -> Vec<Result<(), Error>> {
    let mut answers = Vec::new();
    for answer in pending {
        answers.push(answer.await.unwrap());
    }
    answers
}

/// Runs the closures as one group and gives their answers.
async fn as_group(scratch: &Scratch, works: Vec<Work>) -> Vec<Result<(), Error>> {
    let held = hold(&scratch.store).await;
    let pending = submit_in_order(&scratch.store, works).await;
    held.release().await;
    answers(pending).await
}

#[test]
fn a_closure_of_a_group_is_answered_only_after_the_commit() {
    let scratch = fresh(Database::Sqlite);
    block_on(async {
        let held = hold(&scratch.store).await;
        let (release, is_released) = mpsc::channel::<()>();
        let slow: Work = Box::new(move |_| {
            is_released.recv_timeout(seconds(60)).unwrap();
            Ok(())
        });
        let mut pending = submit_in_order(&scratch.store, vec![insert(1), slow]).await;
        held.release().await;
        let early = tokio::time::timeout(Duration::from_millis(100), &mut pending[0]).await;
        assert!(early.is_err(), "its group is not committed yet");
        assert_eq!(count_users(&scratch.store).await, 0);
        release.send(()).unwrap();
        assert_eq!(answers(pending).await, [Ok(()), Ok(())]);
        assert_eq!(count_users(&scratch.store).await, 1);
    });
}

#[test]
fn without_grouping_each_closure_is_answered_alone() {
    let scratch = fresh_with(Database::Sqlite, Options { group_max: 1, ..Options::default() });
    block_on(async {
        let held = hold(&scratch.store).await;
        let (release, is_released) = mpsc::channel::<()>();
        let slow: Work = Box::new(move |_| {
            is_released.recv_timeout(seconds(60)).unwrap();
            Ok(())
        });
        let mut pending = submit_in_order(&scratch.store, vec![insert(1), slow]).await;
        held.release().await;
        pending.remove(0).await.unwrap().unwrap();
        release.send(()).unwrap();
        assert_eq!(answers(pending).await, [Ok(())]);
    });
}

#[test]
fn a_closure_that_fails_or_panics_does_not_disturb_its_group() {
    let scratch = fresh(Database::Sqlite);
    block_on(async {
        let fails: Work = Box::new(|tx| {
            users::insert(tx, &user(2))?;
            users::insert(tx, &users::User { id: user_id(9), ..user(1) })
        });
        let panics: Work = Box::new(|tx| {
            users::insert(tx, &user(3))?;
            panic!("a test's panic");
        });
        let works = vec![insert(1), fails, insert(4), panics, insert(5)];
        let answers = as_group(&scratch, works).await;
        assert_eq!((&answers[0], &answers[2], &answers[4]), (&Ok(()), &Ok(()), &Ok(())));
        assert_eq!(answers[1], Err(Error::Conflict("app_user_email".to_owned())));
        assert!(is_broken(&answers[3]));
        let ids = scratch.store.read(users::any_list).await.unwrap();
        let ids: Vec<_> = ids.into_iter().map(|user| user.id).collect();
        assert_eq!(ids, [user_id(1), user_id(4), user_id(5)]);
    });
}

#[test]
fn when_the_whole_transaction_is_lost_nobody_of_the_group_is_acknowledged() {
    let scratch = fresh(Database::Sqlite);
    block_on(async {
        // What SQLite does by itself when the disk fails in the middle of a statement.
        let lost: Work = Box::new(|tx| tx.exec("ROLLBACK", &[]).map(drop));
        let answers = as_group(&scratch, vec![insert(1), lost, insert(2)]).await;
        assert!(answers.iter().all(is_unavailable), "{answers:?}");
        assert_eq!(count_users(&scratch.store).await, 0);
        scratch.store.write(|tx| users::insert(tx, &user(1))).await.unwrap();
    });
}

#[test]
fn when_the_commit_fails_nobody_of_the_group_is_acknowledged() {
    let scratch = fresh(Database::Sqlite);
    block_on(async {
        let breaks_the_commit: Work = Box::new(|tx| {
            tx.exec("PRAGMA defer_foreign_keys = ON", &[])?;
            let token = crate::fixtures::token(1, 99);
            waybill_store::tokens::insert(tx, &token, &[1; 32])
        });
        let answers = as_group(&scratch, vec![insert(1), breaks_the_commit, insert(2)]).await;
        assert!(answers.iter().all(is_unavailable), "{answers:?}");
        assert_eq!(count_users(&scratch.store).await, 0);
        scratch.store.write(|tx| users::insert(tx, &user(1))).await.unwrap();
    });
}

#[test]
fn when_the_transaction_cannot_begin_no_closure_runs() {
    let scratch = fresh(Database::Sqlite);
    block_on(async {
        let impatient = scratch.store.write(|tx| tx.one::<i64>("PRAGMA busy_timeout = 50", &[]));
        impatient.await.unwrap();
        let path = scratch.url.strip_prefix("sqlite:").unwrap();
        let other = rusqlite::Connection::open(path).unwrap();
        other.execute_batch("BEGIN IMMEDIATE").unwrap();
        let ran = scratch.store.write(|_| -> Result<(), Error> { panic!("it ran") }).await;
        assert!(is_unavailable(&ran), "{ran:?}");
        assert_eq!(count_users(&scratch.store).await, 0);
        other.execute_batch("ROLLBACK").unwrap();
        scratch.store.write(|tx| users::insert(tx, &user(1))).await.unwrap();
    });
}

#[test]
fn a_full_queue_answers_at_once() {
    let scratch = fresh(Database::Sqlite);
    block_on(async {
        let held = hold(&scratch.store).await;
        let waiting: Vec<_> = (1..=4096).map(|_| submit(&scratch.store, |_| Ok(()))).collect();
        tokio::time::sleep(Duration::from_millis(200)).await;
        let refused = tokio::time::timeout(seconds(10), submit(&scratch.store, |_| Ok(()))).await;
        assert!(is_unavailable(&refused.unwrap().unwrap()));
        held.release().await;
        assert!(answers(waiting).await.iter().all(Result::is_ok));
    });
}
