//! A closure commits on `Ok` and leaves nothing on anything else.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Duration;

use waybill_store::testing::{Database, fresh_with};
use waybill_store::{Error, Options, users};

use crate::fixtures::{block_on, count_users, is_broken, is_unavailable, seconds, user, user_id};

/// An error of a caller, as handlers have.
#[derive(PartialEq, Debug)]
enum Refusal {
    Rule,
    Store(Error),
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Refusal {
        Refusal::Store(error)
    }
}

/// Another user with the address of the first.
fn twin() -> users::User {
    users::User { id: user_id(9), ..user(1) }
}

both! {
    async fn a_closure_that_fails_leaves_nothing(store) {
        let refused = store.write(|tx| {
            users::insert(tx, &user(1))?;
            Err::<(), _>(Refusal::Rule)
        });
        assert_eq!(refused.await, Err(Refusal::Rule));
        assert_eq!(count_users(&store).await, 0);
    }

    async fn what_follows_a_commit_follows_it_once_and_before_the_answer(store) {
        let followed = Arc::new(AtomicU32::new(0));
        let (count, runs) = (followed.clone(), Arc::new(AtomicU32::new(0)));
        let ran = runs.clone();
        let written = store.write(move |tx| {
            ran.fetch_add(1, Ordering::SeqCst);
            let count = count.clone();
            tx.after_commit(move || {
                count.fetch_add(1, Ordering::SeqCst);
            });
            // Nobody has this id: on PostgreSQL the closure runs once more.
            let nobody = [user_id(99).into()];
            let changed = tx.exec_one("UPDATE app_user SET name = 'x' WHERE id = $1", &nobody)?;
            users::insert(tx, &user(1))?;
            Ok::<_, Error>(changed)
        });
        assert_eq!(written.await, Ok(0));
        assert_eq!(runs.load(Ordering::SeqCst), if store.is_shared() { 2 } else { 1 });
        assert_eq!(followed.load(Ordering::SeqCst), 1);
        let count = followed.clone();
        let refused = store.write(move |tx| {
            let count = count.clone();
            tx.after_commit(move || {
                count.fetch_add(1, Ordering::SeqCst);
            });
            Err::<(), _>(Refusal::Rule)
        });
        assert_eq!(refused.await, Err(Refusal::Rule));
        assert_eq!(followed.load(Ordering::SeqCst), 1, "it was undone");
    }

    async fn an_answer_means_that_all_others_see_it(store) {
        for number in 1..=20 {
            store.write(move |tx| users::insert(tx, &user(number))).await.unwrap();
            assert_eq!(count_users(&store).await, usize::try_from(number).unwrap());
        }
    }

    async fn many_writers_at_once_all_commit(store) {
        let writers: Vec<_> = (1..=200)
            .map(|number| {
                let store = store.clone();
                tokio::spawn(async move {
                    store.write(move |tx| users::insert(tx, &user(number))).await
                })
            })
            .collect();
        for writer in writers {
            writer.await.unwrap().unwrap();
        }
        assert_eq!(count_users(&store).await, 200);
    }

    async fn a_panic_is_rolled_back_and_answered_and_the_thread_lives_on(store) {
        for _ in 0..20 {
            let panicked = store.write(|tx| {
                users::insert(tx, &user(1))?;
                if count(tx)? == 1 {
                    panic!("a test's panic");
                }
                Ok::<_, Error>(())
            });
            let Err(Error::Broken(why)) = panicked.await else { panic!("it was answered") };
            assert!(why.contains("a test's panic"), "{why}");
            let read = store.read(|_| -> Result<(), Error> { panic!("another") }).await;
            assert!(is_broken(&read));
        }
        assert_eq!(count_users(&store).await, 0);
        store.write(|tx| users::insert(tx, &user(1))).await.unwrap();
    }

    async fn a_failed_statement_that_was_ignored_is_not_committed(store) {
        store.write(|tx| users::insert(tx, &user(1))).await.unwrap();
        let ignored = store.write(|tx| {
            users::insert(tx, &user(2))?;
            let _ = users::insert(tx, &twin());
            Ok::<_, Error>(())
        });
        assert_eq!(ignored.await, Err(Error::Conflict("app_user_email".to_owned())));
        assert_eq!(count_users(&store).await, 1);
    }

    async fn after_a_failed_statement_every_further_one_fails_alike(store) {
        store.write(|tx| users::insert(tx, &user(1))).await.unwrap();
        let further = store.write(|tx| {
            let first = users::insert(tx, &twin());
            assert_eq!(first, users::insert(tx, &user(2)));
            Err::<(), Error>(users::any_list(tx).unwrap_err())
        });
        assert_eq!(further.await, Err(Error::Conflict("app_user_email".to_owned())));
    }

    async fn a_read_cannot_write(store) {
        let written = store.read(|tx| users::insert(tx, &user(1))).await;
        assert!(is_broken(&written), "{written:?}");
        assert_eq!(count_users(&store).await, 0);
    }

    async fn all_statements_of_a_read_see_one_snapshot(store) {
        let (reading, is_reading) = mpsc::channel();
        let (written, is_written) = mpsc::channel::<()>();
        let reader = store.clone();
        let read = tokio::spawn(async move {
            reader.read(move |tx| {
                let before = count(tx)?;
                reading.send(()).unwrap();
                is_written.recv_timeout(seconds(60)).unwrap();
                Ok::<_, Error>((before, count(tx)?))
            }).await
        });
        tokio::task::spawn_blocking(move || is_reading.recv().unwrap()).await.unwrap();
        store.write(|tx| users::insert(tx, &user(1))).await.unwrap();
        written.send(()).unwrap();
        assert_eq!(read.await.unwrap().unwrap(), (0, 0));
    }

    async fn work_whose_caller_went_away_is_done_all_the_same(store) {
        let (start, is_started) = mpsc::channel::<()>();
        let writer = store.clone();
        let caller = tokio::spawn(async move {
            writer.write(move |tx| {
                is_started.recv_timeout(seconds(60)).unwrap();
                users::insert(tx, &user(1))
            }).await
        });
        tokio::time::sleep(Duration::from_millis(50)).await;
        caller.abort();
        assert!(caller.await.unwrap_err().is_cancelled());
        start.send(()).unwrap();
        store.clone().close().await;
    }

    async fn a_read_whose_caller_went_away_before_its_turn_is_not_done(store) {
        let (start, is_started) = mpsc::channel::<()>();
        let is_started = std::sync::Arc::new(std::sync::Mutex::new(is_started));
        // As many as there are who read, and more.
        let busy: Vec<_> = (0..16).map(|_| {
            let (reader, is_started) = (store.clone(), is_started.clone());
            tokio::spawn(async move {
                reader.read(move |_| {
                    is_started.lock().unwrap().recv_timeout(seconds(60)).unwrap();
                    Ok::<_, Error>(())
                }).await
            })
        }).collect();
        tokio::time::sleep(Duration::from_millis(200)).await;
        let (done, is_done) = mpsc::channel::<()>();
        let reader = store.clone();
        let caller = tokio::spawn(async move {
            reader.read(move |_| {
                done.send(()).unwrap();
                Ok::<_, Error>(())
            }).await
        });
        tokio::time::sleep(Duration::from_millis(50)).await;
        caller.abort();
        assert!(caller.await.unwrap_err().is_cancelled());
        for _ in &busy {
            start.send(()).unwrap();
        }
        for one in busy {
            one.await.unwrap().unwrap();
        }
        store.clone().close().await;
        assert!(is_done.try_recv().is_err());
    }

    async fn closing_finishes_what_was_accepted_and_refuses_the_rest(store) {
        let (done, is_done) = mpsc::channel();
        for number in 1..=50 {
            let (store, done) = (store.clone(), done.clone());
            tokio::spawn(async move {
                let written = store.write(move |tx| {
                    std::thread::sleep(Duration::from_millis(2));
                    users::insert(tx, &user(number))
                });
                done.send(written.await).unwrap();
            });
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
        store.clone().close().await;
        let answers: Vec<_> = (0..50).map(|_| is_done.recv_timeout(seconds(60)).unwrap()).collect();
        assert!(answers.iter().all(|answer| answer.is_ok() || is_unavailable(answer)));
        assert!(is_unavailable(&store.write(|tx| users::insert(tx, &user(99))).await));
        assert!(is_unavailable(&store.ping().await));
    }

    async fn the_last_clone_may_end_inside_a_closure(store, url) {
        drop(store);
        let only = waybill_store::Store::open(&url, Options::default()).unwrap();
        let captured = only.clone();
        let writing = tokio::spawn(async move {
            only.write(move |_| {
                let _ = &captured;
                std::thread::sleep(Duration::from_millis(50));
                Ok::<_, Error>(())
            }).await
        });
        tokio::time::sleep(Duration::from_millis(20)).await;
        writing.abort();
    }

    async fn the_database_answers_a_ping(store) {
        store.ping().await.unwrap();
    }
}

fn count(tx: &mut waybill_store::Tx<'_>) -> Result<i64, Error> {
    tx.one("SELECT count(*) FROM app_user", &[]).map(|count| count.unwrap_or(0))
}

#[test]
fn the_command_line_needs_no_runtime() {
    let scratch = fresh_with(Database::Sqlite, Options::default());
    scratch.store.blocking_write(|tx| users::insert(tx, &user(1))).unwrap();
    let found = scratch.store.blocking_read(users::any_list).unwrap();
    assert_eq!(found, [user(1)]);
}

#[test]
fn a_deadlock_is_run_again_unnoticed() {
    let scratch = fresh_with(Database::Postgres, Options::default());
    let runs = Arc::new(AtomicU32::new(0));
    let lock_both = |first: u128, second: u128| {
        let runs = Arc::clone(&runs);
        scratch.store.write(move |tx| {
            for number in [first, second] {
                let row = user_id(number);
                tx.exec("UPDATE app_user SET name = name WHERE id = $1", &[row.into()])?;
                // Both hold their first row before either wants the other's.
                if runs.fetch_add(1, Ordering::SeqCst) < 2 {
                    std::thread::sleep(Duration::from_millis(300));
                }
            }
            Ok::<_, Error>(())
        })
    };
    block_on(async {
        for number in 1..=2 {
            scratch.store.write(move |tx| users::insert(tx, &user(number))).await.unwrap();
        }
        let (one, two) = tokio::join!(lock_both(1, 2), lock_both(2, 1));
        one.and(two).unwrap();
    });
    assert!(runs.load(Ordering::SeqCst) > 4, "the two collided");
}

#[test]
fn a_closure_that_always_collides_is_given_up() {
    let scratch = fresh_with(Database::Postgres, Options::default());
    let runs = Arc::new(AtomicU32::new(0));
    let counted = Arc::clone(&runs);
    let result = block_on(scratch.store.write(move |tx| {
        counted.fetch_add(1, Ordering::SeqCst);
        tx.exec("DO $$BEGIN RAISE EXCEPTION 'collision' USING ERRCODE = '40001'; END$$", &[])
    }));
    assert!(is_unavailable(&result), "{result:?}");
    assert_eq!(runs.load(Ordering::SeqCst), 6);
}

#[test]
fn each_statement_is_prepared_once() {
    let options = Options { connections: 1, ..Options::default() };
    let scratch = fresh_with(Database::Postgres, options);
    block_on(async {
        for number in 1..=20 {
            scratch.store.write(move |tx| users::insert(tx, &user(number))).await.unwrap();
        }
        let prepared = scratch.store.read(|tx| {
            tx.one::<i64>(
                "SELECT count(*) FROM pg_prepared_statements
                  WHERE statement LIKE 'INSERT INTO app%'",
                &[],
            )
        });
        assert_eq!(prepared.await.unwrap(), Some(1));
    });
}
