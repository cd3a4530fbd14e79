//! Clocks that are wrong for a while: nobody is kept out or waits until the time has caught up.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use waybill_api::dispatch;
use waybill_api::limits::Limits;
use waybill_domain::job::JobKind;
use waybill_domain::time::{Clock, Time};
use waybill_engine::clock::SystemClock;
use waybill_engine::files::Files;
use waybill_store::Tx;
use waybill_store::testing::fresh;
use waybill_worker::forget::{Forgotten, forget};
use waybill_worker::runner;

use crate::harness::answers::send;
use crate::harness::fixture::{Fixture, order};
use crate::harness::{Database, FakeClock, TestApp, both};

const JUMPS: [Duration; 2] = [Duration::from_hours(1), Duration::from_hours(48)];

/// The statuses of some requests at once, by one of the servers.
async fn statuses(app: &TestApp, router: &axum::Router, count: usize) -> Vec<u16> {
    let mut statuses = Vec::new();
    for _ in 0..count {
        let request = axum::http::Request::builder().uri(app.path("/shipment-templates"));
        let request = request.header("authorization", format!("Bearer {}", app.admin));
        let request = request.body(axum::body::Body::empty()).unwrap();
        statuses.push(send(router, request).await.status);
    }
    statuses
}

async fn nobody_is_locked_out(database: Database) {
    for jump in JUMPS {
        let app = TestApp::with_limits(database, 600, 600).await;
        assert!(statuses(&app, &app.router, 30).await.iter().all(|status| *status == 200));
        app.clock.advance(jump);
        assert!(statuses(&app, &app.router, 30).await.contains(&200));
        app.clock.set_back(jump);
        // An empty bucket at the worst: a request in a tenth of a second.
        let mut allowed = 0;
        for _ in 0..10 {
            app.clock.advance(Duration::from_millis(101));
            tokio::time::sleep(Duration::from_millis(101)).await;
            let got = statuses(&app, &app.router, 1).await;
            allowed += got.iter().filter(|status| **status == 200).count();
        }
        assert!(allowed >= 8, "{allowed} of 10 after {jump:?}");
    }
}

mod a_clock_that_jumps_and_is_set_back_locks_no_team_out {
    use super::*;

    #[tokio::test(flavor = "multi_thread")]
    async fn sqlite() {
        nobody_is_locked_out(Database::Sqlite).await;
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn postgres() {
        nobody_is_locked_out(Database::Postgres).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_ahead_uses_up_no_more_than_its_share_of_a_shared_bucket() {
    for jump in JUMPS {
        let app = TestApp::with_limits(Database::Postgres, 600, 600).await;
        let ahead = FakeClock::default();
        ahead.advance(jump);
        let other = dispatch::router(app.beside_at(Limits::new(600, 600), ahead.into()));
        assert!(statuses(&app, &other, 20).await.iter().all(|status| *status == 200));
        let here = statuses(&app, &app.router, 20).await;
        assert!(here.iter().all(|status| *status == 200), "{here:?} beside {jump:?}");
    }
}

both! {
    async fn jobs_that_a_clock_put_off_run_when_it_is_set_back(app) {
        for jump in JUMPS {
            runner::schedule_recurring(&app.app).await.unwrap();
            let all = JobKind::RECURRING;
            assert_eq!(runner::run_due(&app.worker).await.unwrap(), all.len());
            // As a clock that was ahead has left them: on PostgreSQL it was the database's.
            let ahead = i64::try_from(jump.as_micros()).unwrap();
            let put_off = move |tx: &mut Tx<'_>| {
                tx.exec("UPDATE job SET run_at = run_at + $1", &[ahead.into()])
            };
            app.app.write(put_off).await.unwrap();
            // An hour is nothing to those that look once in some hours.
            let expected = all.iter().filter(|kind| kind.wait_max() < jump).count();
            assert_eq!(expected, if jump == JUMPS[0] { 3 } else { all.len() });
            assert_eq!(runner::run_due(&app.worker).await.unwrap(), expected);
            let all = |tx: &mut Tx<'_>| tx.exec("DELETE FROM job", &[]);
            app.app.write(all).await.unwrap();
        }
    }
}

/// The carrier finds a booking only after most of a second. A clock that is set a minute ahead
/// meanwhile makes it look as if that time had passed.
#[tokio::test(flavor = "multi_thread")]
async fn a_miss_proves_nothing_when_the_clock_was_set_since_the_call() {
    let url = |address| format!("http://{address}");
    let hidden = Duration::from_millis(900);
    let fixture = Fixture::hiding(Database::Sqlite, Files::default(), url, hidden).await;
    let known = fixture.book(&order("CLOCK-1")).await.expect(201);
    fixture.until(&known, "booked").await;
    fixture.app.clock.pass(Duration::from_mins(1));
    tokio::time::sleep(hidden).await;
    let body = order("CLOCK-2 sim:drop");
    let set_ahead = async {
        while fixture.bookings("CLOCK-2 sim:drop") == 0 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        fixture.app.clock.set_ahead(Duration::from_mins(1));
        fixture.app.app.wake_runner();
    };
    let (reply, ()) = tokio::join!(fixture.book(&body), set_ahead);
    fixture.until(&reply, "booked").await;
    assert_eq!(fixture.bookings("CLOCK-2 sim:drop"), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_on_a_shared_database_does_not_follow_its_own_clock() {
    let scratch = tokio::task::spawn_blocking(|| fresh(Database::Postgres)).await.unwrap();
    let (system, jump) = (SystemClock::start(), Arc::new(AtomicI64::new(0)));
    let jumped = jump.clone();
    let wrong = SystemClock::reading(move || {
        (Time(system.now().0 + jumped.load(Ordering::SeqCst)), system.monotonic())
    });
    wrong.begin_with(&scratch.store).await.unwrap();
    for micros in [172_800_000_000, -172_800_000_000] {
        jump.store(micros, Ordering::SeqCst);
        let theirs = scratch.store.read(|tx| tx.now(Time(0))).await.unwrap();
        let apart = wrong.now().0.abs_diff(theirs.0).max(wrong.wall().0.abs_diff(theirs.0));
        assert!(apart < 2_000_000, "{apart} µs apart, {micros} wrong");
    }
    tokio::task::spawn_blocking(move || drop(scratch)).await.unwrap();
}

both! {
    async fn the_time_of_forgetting_begins_once_however_many_ask_for_it_first(app) {
        let first = async |_| forget(&app.worker, Forgotten::Keys).await;
        futures_util::future::join_all((0..20).map(first)).await;
        let rows = app.app.read(|tx| {
            tx.one::<i64>("SELECT count(*) FROM retention", &[])
        });
        assert_eq!(rows.await.unwrap(), Some(1));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn servers_that_share_a_database_tell_its_time() {
    let scratch = tokio::task::spawn_blocking(|| fresh(Database::Postgres)).await.unwrap();
    for micros in [172_800_000_000, 3_600_000_000, -3_600_000_000, -172_800_000_000_i64] {
        let system = SystemClock::start();
        let wrong =
            SystemClock::reading(move || (Time(system.now().0 + micros), system.monotonic()));
        let told = wrong.now();
        wrong.begin_with(&scratch.store).await.unwrap();
        let theirs = scratch.store.read(|tx| tx.now(Time(0))).await.unwrap();
        let apart = wrong.now().0.abs_diff(theirs.0);
        assert!(apart < 2_000_000, "{apart} µs apart, {micros} wrong, {told} told before");
    }
    tokio::task::spawn_blocking(move || drop(scratch)).await.unwrap();
}
