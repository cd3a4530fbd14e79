//! What an agent is offered, and for how long it waits for that.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::Instant;

use super::AgentTest;
use crate::harness::agent::{Agent, printer, text};
use crate::harness::fixture::order;
use crate::harness::{Database, databases};

databases! {
    an_agent_that_waits_is_told_as_soon_as_there_is_something
    an_agent_that_waits_in_vain_gets_nothing_when_its_time_is_over
    an_agent_that_waits_is_answered_at_once_when_the_server_stops
    a_job_is_offered_again_until_it_is_stored_and_never_after
    jobs_are_offered_in_their_order_and_not_more_than_are_wanted
    jobs_of_a_printer_that_is_offline_wait_until_it_is_online
    an_agent_is_offered_its_own_jobs_alone
    a_job_that_nobody_took_in_time_expires
    what_is_cancelled_before_it_is_stored_is_not_printed
    rules_and_automatic_printing_choose_an_agents_printer
    a_file_comes_whole_or_in_parts_while_it_is_the_agents
    everything_that_is_wrong_with_a_claim_is_told_at_once
}

async fn an_agent_that_waits_is_told_as_soon_as_there_is_something(database: Database) {
    let test = AgentTest::new(database).await;
    let mut took = Vec::new();
    for _ in 0..5 {
        let waiting = test.agent.claim(test.app(), 10, 20);
        let printing = async {
            tokio::time::sleep(Duration::from_millis(200)).await;
            let job = test.print().await;
            (job, Instant::now())
        };
        let ended = async { (waiting.await, Instant::now()) };
        let ((offers, at), (job, printed_at)) = tokio::join!(ended, printing);
        assert_eq!(offers.expect(200).at("/data/0/uuid"), json!(job));
        took.push(at.saturating_duration_since(printed_at));
        assert_eq!(test.report(&job, 1, "stored").await, "taken");
    }
    // A machine that is busy may be late now and then.
    took.sort();
    assert!(took[1] < Duration::from_millis(300), "{took:?}");
}

async fn an_agent_that_waits_in_vain_gets_nothing_when_its_time_is_over(database: Database) {
    let test = AgentTest::new(database).await;
    let begun = Instant::now();
    let offers = test.agent.claim(test.app(), 10, 1).await.expect(200);
    assert_eq!(offers.at("/data"), json!([]));
    assert!(begun.elapsed() >= Duration::from_secs(1));
}

async fn an_agent_that_waits_is_answered_at_once_when_the_server_stops(database: Database) {
    let test = AgentTest::new(database).await;
    let begun = Instant::now();
    let waiting = test.agent.claim(test.app(), 10, 20);
    let stopping = async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        test.app().app.stop();
    };
    let (offers, ()) = tokio::join!(waiting, stopping);
    assert_eq!(offers.expect(200).at("/data"), json!([]));
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    // And nobody waits from then on.
    let begun = Instant::now();
    test.agent.claim(test.app(), 10, 20).await.expect(200);
    assert!(begun.elapsed() < Duration::from_secs(5));
}

async fn a_job_is_offered_again_until_it_is_stored_and_never_after(database: Database) {
    let mut test = AgentTest::new(database).await;
    let job = test.print().await;
    for _ in 0..3 {
        assert_eq!(test.offers().await, [job.as_str()]);
        assert_eq!(test.state(&job).await, "pending");
    }
    assert_eq!(test.told(&job).await, 1);
    let (other, _) = Agent::ready(test.app(), "Another").await;
    for (sequence, state) in
        (1..).zip(["stored", "printing", "unknown", "queued", "failed", "printed"])
    {
        assert_eq!(test.report(&job, sequence, state).await, "taken");
        assert_eq!(test.offers().await, [""; 0]);
        assert_eq!(other.offers(test.app()).await, [""; 0]);
        test.agent.open(&test.fixture.app, json!([])).await;
        assert_eq!(test.offers().await, [""; 0]);
    }
    assert_eq!(test.state(&job).await, "printed");
}

async fn jobs_are_offered_in_their_order_and_not_more_than_are_wanted(database: Database) {
    let test = AgentTest::new(database).await;
    let mut jobs = Vec::new();
    for _ in 0..5 {
        jobs.push(test.print().await);
    }
    assert_eq!(test.offers().await, jobs);
    let three = test.agent.claim(test.app(), 3, 0).await.expect(200).at("/data");
    let three: Vec<&str> =
        three.as_array().unwrap().iter().map(|one| one["uuid"].as_str().unwrap()).collect();
    assert_eq!(three, jobs[..3]);
    assert_eq!(test.report(&jobs[1], 1, "stored").await, "taken");
    jobs.remove(1);
    assert_eq!(test.offers().await, jobs);
}

async fn jobs_of_a_printer_that_is_offline_wait_until_it_is_online(database: Database) {
    let test = AgentTest::new(database).await;
    let app = test.app();
    let mut stopped = printer("zebra");
    stopped["state"] = json!("offline");
    test.agent.put_printers(app, json!([stopped, printer("office")])).await.expect(200);
    // To print on a printer that is offline is no mistake.
    let job = test.print().await;
    assert_eq!(test.offers().await, [""; 0]);
    let begun = Instant::now();
    let waiting = test.agent.claim(app, 10, 20);
    let starting = async {
        tokio::time::sleep(Duration::from_millis(200)).await;
        test.agent.put_printers(app, json!([printer("zebra")])).await.expect(200);
    };
    let (offers, ()) = tokio::join!(waiting, starting);
    assert_eq!(offers.expect(200).at("/data/0/uuid"), json!(job));
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    test.agent.put_printers(app, json!([])).await.expect(200);
    assert_eq!(test.offers().await, [""; 0]);
}

async fn an_agent_is_offered_its_own_jobs_alone(database: Database) {
    let test = AgentTest::new(database).await;
    let app = test.app();
    let (other, others_printer) = Agent::ready(app, "Another").await;
    let own = test.print().await;
    let others = test.try_print(Some(&others_printer)).await.expect(201);
    let others = text(others.at("/data/uuid"));
    assert_eq!(test.offers().await, [own.as_str()]);
    assert_eq!(other.offers(app).await, [others.as_str()]);
    assert_eq!(test.report(&others, 1, "stored").await, "refused");
    assert_eq!(other.report(app, &others, 1, "stored").await, "taken");
    assert_eq!(test.report(&others, 2, "printed").await, "refused");
    test.agent.file(app, &others).await.expect(404);
    assert_eq!(test.state(&others).await, "queued");
}

async fn a_job_that_nobody_took_in_time_expires(database: Database) {
    let test = AgentTest::new(database).await;
    let (late, other) = (test.print().await, test.print().await);
    let expires_at = test.agent.claim(test.app(), 1, 0).await.expect(200).at("/data/0/expires_at");
    assert!(expires_at.is_string());
    // It is told in the moment of its report, before anybody has looked.
    test.app().clock.advance(Duration::from_secs(12 * 3600));
    assert_eq!(test.report(&late, 1, "stored").await, "refused");
    assert_eq!(test.state(&late).await, "failed");
    assert!(test.failure(&late).await.contains("expired"));
    assert_eq!(test.offers().await, [""; 0]);
    // And by itself, though the agent never asks.
    test.fixture.advance(Duration::from_secs(60)).await;
    test.until(&other, "failed").await;
    assert_eq!(test.told(&other).await, 2);
    assert_eq!(test.report(&other, 1, "stored").await, "refused");
}

async fn what_is_cancelled_before_it_is_stored_is_not_printed(database: Database) {
    let test = AgentTest::new(database).await;
    let (job, held) = (test.print().await, test.held().await);
    assert_eq!(test.offers().await, [job.as_str()]);
    test.cancel(&job).await.expect(200);
    test.cancel(&job).await.expect(200);
    assert_eq!(test.offers().await, [""; 0]);
    assert_eq!(test.report(&job, 1, "stored").await, "refused");
    assert_eq!(test.state(&job).await, "failed");
    // What the agent has is not ours to cancel.
    test.cancel(&held).await.expect(409);
    test.agent.file(test.app(), &job).await.expect(404);
    // A shipment that is cancelled takes its jobs with it.
    let booked = test.fixture.book(&order("CANCELLED")).await.expect(201);
    let body = json!({"document_uuid": booked.at("/data/documents/0/uuid"),
        "printer_uuid": test.printer})
    .to_string();
    let made = test.app().post(&test.beta("/print-jobs")).admin().json(&body).send().await;
    let waiting = text(made.expect(201).at("/data/uuid"));
    test.fixture.act(&booked, "cancel").await.expect(200);
    test.until(&waiting, "failed").await;
    assert_eq!(test.offers().await, [""; 0]);
    assert_eq!(test.report(&waiting, 1, "stored").await, "refused");
}

async fn rules_and_automatic_printing_choose_an_agents_printer(database: Database) {
    let test = AgentTest::new(database).await;
    let rules = json!({"printing": {"automatic": true, "rules": [
        {"format": "pdf", "printer_uuid": test.printer, "copies": 2}]}});
    let settings = test.app().path("/settings");
    test.app().patch(&settings).admin().json(&rules.to_string()).send().await.expect(200);
    let chosen = text(test.try_print(None).await.expect(201).at("/data/uuid"));
    assert_eq!(test.report(&chosen, 1, "stored").await, "taken");
    let waiting = test.agent.claim(test.app(), 10, 20);
    let order = order("SELF");
    let booking = test.fixture.book(&order);
    let begun = Instant::now();
    let (offers, booked) = tokio::join!(waiting, booking);
    let offer = offers.expect(200).at("/data/0");
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    assert_eq!(offer["copies"], json!(2));
    assert_eq!(offer["document"]["uuid"], booked.expect(201).at("/data/documents/0/uuid"));
    let job = test.job(&text(offer["uuid"].clone())).await;
    assert_eq!((&job["source"], &job["state"]), (&json!("booking"), &json!("pending")));
}

async fn a_file_comes_whole_or_in_parts_while_it_is_the_agents(database: Database) {
    let test = AgentTest::new(database).await;
    let (app, job) = (test.app(), test.print().await);
    let path = format!("/jobs/{job}/file");
    let ask = || test.agent.ask(app, "GET", &path);
    let whole = ask().send().await.expect(200);
    assert_eq!(whole.header("content-type"), Some("application/pdf"));
    let part = ask().header("range", "bytes=10-19").send().await.expect(206);
    assert_eq!(part.bytes, whole.bytes[10..20]);
    let rest = ask().header("range", "bytes=10-").send().await.expect(206);
    assert_eq!(rest.bytes, whole.bytes[10..]);
    ask().header("range", "bytes=99999999-").send().await.expect(416);
    let etag = whole.header("etag").unwrap().to_owned();
    ask().header("if-none-match", &etag).send().await.expect(304);
    let mended = ask().header("range", "bytes=0-1").header("if-range", "\"other\"").send().await;
    assert_eq!(mended.expect(200).bytes, whole.bytes);
    assert_eq!(test.report(&job, 1, "stored").await, "taken");
    ask().send().await.expect(200);
    assert_eq!(test.report(&job, 2, "failed").await, "taken");
    ask().send().await.expect(404);
    let (_, stranger) = app.team("other.example.com").await;
    app.get(&test.agent.path(&path)).token(&stranger).send().await.expect(404);
    app.get(&test.agent.path(&path)).admin().send().await.expect(403);
}

async fn everything_that_is_wrong_with_a_claim_is_told_at_once(database: Database) {
    let test = AgentTest::new(database).await;
    let claim = |body: Value| {
        test.agent.ask(test.app(), "POST", "/jobs/claim").json(&body.to_string()).send()
    };
    let reply = claim(json!({"session": 1, "limit": 51, "wait_seconds": 21, "x": 1})).await;
    assert_eq!(reply.problems(), ["limit", "session", "wait_seconds", "x"]);
    assert_eq!(claim(json!({})).await.problems(), ["limit", "session", "wait_seconds"]);
}
