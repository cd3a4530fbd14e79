//! Receivers that mean no good, or are broken: each costs its own queue a bounded time, and nobody
//! else anything.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::http::HeaderMap;
use serde_json::json;
use waybill_domain::event::{Event, EventKind};
use waybill_domain::ids::{EventId, TeamId};
use waybill_domain::time::Clock;
use waybill_outbound::{Failure, Network, Outbound, SystemResolver};
use waybill_store::{Error, Tx, events};
use waybill_worker::runner;

use super::{deliveries, happen, webhook};
use crate::harness::receiver::{Reaction, Receiver};
use crate::harness::{Database, TestApp, both};

/// The most that an attempt may take, with some room for a busy machine.
const ATTEMPT: Duration = Duration::from_secs(17);

async fn post(reaction: Reaction) -> (Result<(u16, usize), Failure>, Duration, usize) {
    let receiver = Receiver::start(move |_| reaction.clone()).await;
    let line = Outbound::new(Network::new().unwrap(), true).converse();
    let (answer, took) = line.post(&receiver.url(), HeaderMap::new(), "{}".into()).await;
    (answer.map(|answer| (answer.status, answer.body.len())), took, receiver.requests())
}

#[tokio::test(flavor = "multi_thread")]
async fn no_receiver_costs_more_than_fifteen_seconds_and_sixteen_kibibytes() {
    let headers = (0..10_000).map(|n| format!("x-{n}: y\r\n")).collect::<String>();
    let headers = format!("HTTP/1.1 200 OK\r\n{headers}\r\n").into_bytes();
    let redirect = b"HTTP/1.1 301 Moved\r\nlocation: /hook\r\ncontent-length: 0\r\n\r\n".to_vec();
    let huge = [b"HTTP/1.1 200 OK\r\ncontent-length: 99999\r\n\r\n", &[b'x'; 99_999][..]].concat();
    let short = b"HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\nx".to_vec();
    let endless_head = [b"HTTP/1.1 200 ", &[b'x'; 300_000][..]].concat();
    let cases = [
        ("silence", Reaction::Silence, Err(Failure::TooSlow)),
        ("a drip", Reaction::Drip, Err(Failure::TooSlow)),
        ("a flood", Reaction::Flood, Ok((200, 16 * 1024))),
        ("a huge answer", Reaction::Raw(huge), Ok((200, 16 * 1024))),
        ("a reset", Reaction::Reset, Err(Failure::Broken)),
        ("garbage", Reaction::Raw(b"\x16\x03\x01 no http".to_vec()), Err(Failure::Broken)),
        ("half an answer", Reaction::Raw(short), Err(Failure::Broken)),
        ("10,000 headers", Reaction::Raw(headers), Err(Failure::Broken)),
        ("an endless head", Reaction::Raw(endless_head), Err(Failure::Broken)),
        ("a redirect", Reaction::Raw(redirect), Ok((301, 0))),
    ];
    let all = cases.map(|(name, reaction, expected)| async move {
        let (answer, took, count) = post(reaction).await;
        assert_eq!(answer, expected, "{name}");
        assert!(took < ATTEMPT, "{name} took {took:?}");
        assert_eq!(count, 1, "{name}: nothing is sent twice and no redirect is followed");
    });
    futures_util::future::join_all(all).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn names_that_are_never_resolved_delay_no_delivery_to_others() {
    let resolver = SystemResolver::looking_up(|name| {
        while name.starts_with("slow") {
            std::thread::park();
        }
        Ok(vec![IpAddr::from([127, 0, 0, 1])])
    });
    let outbound = Outbound::new(Network::new().unwrap().resolving_with(Arc::new(resolver)), true);
    let app = TestApp::sending(Database::Sqlite, outbound).await;
    let receiver = Receiver::start(|_| Reaction::Status(200)).await;
    let good = receiver.url().replace("127.0.0.1", "good.example.com");
    webhook(&app, &good).await;
    let worker = tokio::spawn(runner::run(app.worker.clone(), std::future::pending::<()>()));
    happen(&app).await;
    receiver.until(1).await;
    for number in 0..20 {
        webhook(&app, &format!("http://slow{number}.example.com/hook")).await;
    }
    for round in 2..=10 {
        happen(&app).await;
        let told = receiver.until(round);
        tokio::time::timeout(Duration::from_secs(5), told).await.expect("at once");
    }
    worker.abort();
}

/// Lets so much happen to a team at once.
async fn flood(app: &TestApp, team: TeamId, count: usize) {
    let (ids, now) = (app.app.ids().clone(), app.clock.now());
    let write = move |tx: &mut Tx<'_>| {
        for _ in 0..count {
            let about = ("report_uuid", ids.uuid());
            let event = Event::new(EventId(ids.uuid()), EventKind::ReportReady, now, about);
            events::append(tx, team, &event)?;
        }
        Ok::<_, Error>(())
    };
    app.app.write(write).await.unwrap();
}

/// How many deliveries a team has, once their number has not changed for a while.
async fn settled_deliveries(app: &TestApp, team: TeamId) -> i64 {
    let mut before = -1;
    for _ in 0..60 {
        let sql = "SELECT count(*) FROM delivery WHERE team = $1";
        let count = app.app.read(move |tx: &mut Tx<'_>| tx.one::<i64>(sql, &[team.into()]));
        let count = count.await.unwrap().unwrap_or(0);
        if count == before {
            return count;
        }
        before = count;
        tokio::time::sleep(Duration::from_millis(1500)).await;
    }
    panic!("the deliveries of the team do not end: {before}");
}

both! {
    async fn a_receiver_that_never_answers_delays_nobody_and_has_few_attempts_at_once(app) {
        let silent = Receiver::start(|_| Reaction::Silence).await;
        let mut healthy = Vec::new();
        for _ in 0..20 {
            let receiver = Receiver::start(|_| Reaction::Status(200)).await;
            webhook(&app, &receiver.url()).await;
            healthy.push(receiver);
        }
        webhook(&app, &silent.url()).await;
        let worker = tokio::spawn(runner::run(app.worker.clone(), std::future::pending::<()>()));
        for round in 1..=10 {
            happen(&app).await;
            let told = healthy.iter().map(|receiver| receiver.until(round));
            let told = futures_util::future::join_all(told);
            tokio::time::timeout(Duration::from_secs(5), told).await.expect("at once");
        }
        assert!((1..=4).contains(&silent.received().len()), "{}", silent.received().len());
        assert!(silent.connections() <= 4);
        worker.abort();
    }

    async fn a_team_with_many_silent_receivers_leaves_slots_for_the_others(app) {
        let silent = Receiver::start(|_| Reaction::Silence).await;
        for _ in 0..80 {
            webhook(&app, &silent.url()).await;
        }
        let worker = tokio::spawn(runner::run(app.worker.clone(), std::future::pending::<()>()));
        happen(&app).await;
        silent.until(64).await;
        // The others wait until one of these ends, which takes fifteen seconds.
        tokio::time::sleep(Duration::from_secs(1)).await;
        assert_eq!(silent.received().len(), 64);
        worker.abort();
    }

    async fn many_teams_with_silent_receivers_leave_slots_for_one_who_comes(app) {
        let silent = Receiver::start(|_| Reaction::Silence).await;
        let body = json!({"url": silent.url(), "events": ["report.ready"]}).to_string();
        for number in 0..5 {
            let (team, token) = app.team(&format!("silent{number}.example.com")).await;
            for _ in 0..70 {
                let path = format!("/v2/teams/{team}/webhooks");
                app.post(&path).token(&token).json(&body).send().await.expect(201);
            }
            flood(&app, team, 1).await;
        }
        let worker = tokio::spawn(runner::run(app.worker.clone(), std::future::pending::<()>()));
        silent.until(200).await;
        let receiver = Receiver::start(|_| Reaction::Status(200)).await;
        webhook(&app, &receiver.url()).await;
        happen(&app).await;
        let told = receiver.until(1);
        tokio::time::timeout(Duration::from_secs(8), told).await.expect("before those time out");
        worker.abort();
    }

    async fn what_happens_to_one_team_waits_behind_the_events_of_no_other(app) {
        let (flooded, token) = app.team("flood.example.com").await;
        let body = r#"{"url": "http://127.0.0.1:1/", "events": ["report.ready"]}"#;
        for _ in 0..60 {
            let path = format!("/v2/teams/{flooded}/webhooks");
            app.post(&path).token(&token).json(body).send().await.expect(201);
        }
        let receiver = Receiver::start(|_| Reaction::Status(200)).await;
        webhook(&app, &receiver.url()).await;
        flood(&app, flooded, 5000).await;
        let worker = tokio::spawn(runner::run(app.worker.clone(), std::future::pending::<()>()));
        happen(&app).await;
        let told = receiver.until(1);
        tokio::time::timeout(Duration::from_secs(5), told).await.expect("at once");
        // Its receivers fail. It rests after each event, and others may write meanwhile.
        let early = settled_deliveries(&app, flooded).await;
        app.clock.advance(Duration::from_secs(1));
        app.app.wake_runner();
        assert_eq!(settled_deliveries(&app, flooded).await - early, 60);
        worker.abort();
    }

    async fn a_slow_answer_holds_up_no_other_event_of_the_same_webhook(app) {
        let slow = |n| if n == 0 { Reaction::Silence } else { Reaction::Status(200) };
        let receiver = Receiver::start(slow).await;
        let made = webhook(&app, &receiver.url()).await;
        let worker = tokio::spawn(runner::run(app.worker.clone(), std::future::pending::<()>()));
        for round in 1..=10 {
            happen(&app).await;
            receiver.until(round).await;
        }
        for _ in 0..200 {
            let all = deliveries(&app, &made).await;
            if all.iter().filter(|one| one["state"] == "delivered").count() == 9 {
                worker.abort();
                return;
            }
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
        panic!("{:?}", deliveries(&app, &made).await);
    }
}
