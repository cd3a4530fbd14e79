//! Sessions: one of an agent at a time, and what an agent is to forget.

use std::time::Duration;

use serde_json::{Value, json};

use super::AgentTest;
use crate::harness::agent::{Agent, printer, text};
use crate::harness::{Database, databases};

databases! {
    a_session_speaks_the_highest_protocol_that_both_know
    a_new_session_ends_the_old_one_in_all_its_calls
    of_two_sessions_that_begin_at_once_one_may_call
    a_call_that_waits_ends_with_its_session
    another_spool_leaves_what_the_old_one_held_unknown_and_to_be_forgotten
    a_spool_that_was_set_back_forgets_what_it_has_told_since
    what_is_not_the_agents_is_to_be_forgotten
    a_session_that_begins_again_loses_nothing
    everything_that_is_wrong_with_a_session_is_told_at_once
}

fn held(job: &str, state: &str, sequence: i64) -> Value {
    json!({"job_uuid": job, "state": state, "sequence": sequence})
}

async fn a_session_speaks_the_highest_protocol_that_both_know(database: Database) {
    let test = AgentTest::new(database).await;
    let open = |protocol: Value| {
        let body = json!({"protocol": protocol, "instance": test.agent.instance,
            "version": "0.2.0", "hostname": "pack-2", "held": []});
        test.agent.ask(test.app(), "POST", "/sessions").json(&body.to_string()).send()
    };
    let opened = open(json!([7, 1, 3])).await.expect(201);
    assert_eq!(opened.at("/data/protocol"), json!(1));
    assert_eq!(opened.at("/data/wait_seconds"), json!(20));
    assert_eq!(opened.at("/data/silence_seconds"), json!(45));
    assert_eq!(opened.at("/data/forget"), json!([]));
    let refused = open(json!([2])).await;
    assert_eq!(refused.problems(), ["protocol"]);
    assert!(text(refused.at("/errors/protocol/0")).contains("install version"));
    assert_eq!(open(json!([])).await.problems(), ["protocol"]);
    let shown = test.get(&format!("/print-agents/{}", test.agent.uuid)).await;
    assert_eq!(shown.at("/data/hostname"), json!("pack-2"));
    assert_eq!(shown.at("/data/version"), json!("0.2.0"));
}

async fn a_new_session_ends_the_old_one_in_all_its_calls(database: Database) {
    let test = AgentTest::new(database).await;
    let (app, old) = (test.app(), test.agent.clone());
    let mut new = old.clone();
    new.open(app, json!([])).await;
    let job = test.print().await;
    old.claim(app, 10, 0).await.expect(409);
    old.put_printers(app, json!([])).await.expect(409);
    let report = crate::harness::agent::report(app, &job, 1, "stored");
    let refused = old.try_report(app, json!([report])).await.expect(409);
    assert!(text(refused.at("/message")).contains("stop printing"));
    assert_eq!(refused.header("retry-after"), None);
    assert_eq!(test.state(&job).await, "pending");
    assert_eq!(new.report(app, &job, 1, "stored").await, "taken");
    let printer = test.get(&format!("/printers/{}", test.printer)).await;
    assert_eq!(printer.at("/data/state"), json!("online"));
}

async fn of_two_sessions_that_begin_at_once_one_may_call(database: Database) {
    let test = AgentTest::new(database).await;
    let app = test.app();
    let all = (0..8).map(|_| test.agent.try_open(app, json!([])));
    let all = futures_util::future::join_all(all).await;
    let mut good = 0;
    for opened in all {
        let session = text(opened.expect(201).at("/data/session"));
        let agent = Agent { session, ..test.agent.clone() };
        let reply = agent.claim(app, 1, 0).await;
        assert!(matches!(reply.status, 200 | 409));
        good += u32::from(reply.status == 200);
    }
    assert_eq!(good, 1);
}

async fn a_call_that_waits_ends_with_its_session(database: Database) {
    let test = AgentTest::new(database).await;
    let (app, mut new) = (test.app(), test.agent.clone());
    let begun = tokio::time::Instant::now();
    let waiting = test.agent.claim(app, 10, 20);
    let ending = async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        new.open(app, json!([])).await;
    };
    let (ended, ()) = tokio::join!(waiting, ending);
    ended.expect(409);
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
}

async fn another_spool_leaves_what_the_old_one_held_unknown_and_to_be_forgotten(
    database: Database,
) {
    let test = AgentTest::new(database).await;
    let app = test.app();
    let (queued, printing, waiting) = (test.held().await, test.held().await, test.print().await);
    assert_eq!(test.report(&printing, 2, "printing").await, "taken");
    let printed = test.held().await;
    assert_eq!(test.report(&printed, 2, "printed").await, "taken");
    let mut new = Agent { instance: "another disk".to_owned(), ..test.agent.clone() };
    let opened = new.open(app, json!([])).await;
    let mut forget: Vec<String> = serde_json::from_value(opened.at("/data/forget")).unwrap();
    forget.sort();
    let mut lost = vec![queued.clone(), printing.clone()];
    lost.sort();
    assert_eq!(forget, lost);
    for job in [&queued, &printing] {
        assert_eq!(test.state(job).await, "unknown");
        assert!(test.failure(job).await.contains("began anew"));
        // It is nobody's who calls now.
        assert_eq!(new.report(app, job, 9, "printed").await, "refused");
    }
    assert_eq!(
        (test.state(&printed).await, test.state(&waiting).await),
        ("printed".to_owned(), "pending".to_owned())
    );
    // The printers of the other machine are not this one's, until it says so.
    let shown = test.get(&format!("/printers/{}", test.printer)).await;
    assert_eq!(shown.at("/data/state"), json!("offline"));
    assert_eq!(new.offers(app).await, [""; 0]);
    new.put_printers(app, json!([printer("zebra")])).await.expect(200);
    assert_eq!(new.offers(app).await, [waiting.as_str()]);
    assert_eq!(new.report(app, &waiting, 1, "stored").await, "taken");
    // The first disk comes back: what it held is not printed any more.
    let mut old = test.agent.clone();
    let still = json!([held(&queued, "queued", 1), held(&printing, "printing", 2)]);
    let opened = old.open(app, still).await;
    assert_eq!(opened.at("/data/forget"), json!([waiting]));
    assert_eq!(test.state(&waiting).await, "unknown");
    // What the first disk knows of its own jobs counts.
    assert_eq!(old.report(app, &printing, 3, "printed").await, "taken");
    assert_eq!(test.state(&printing).await, "printed");
}

async fn a_spool_that_was_set_back_forgets_what_it_has_told_since(database: Database) {
    let test = AgentTest::new(database).await;
    let app = test.app();
    let (same, printing, printed) = (test.held().await, test.held().await, test.held().await);
    assert_eq!(test.report(&printing, 2, "printing").await, "taken");
    assert_eq!(test.report(&printed, 2, "printed").await, "taken");
    // All of them wait in the older spool.
    let all = [&same, &printing, &printed].map(|job| held(job, "stored", 1));
    let opened = test.agent.clone().open(app, json!(all)).await;
    let mut forget: Vec<String> = serde_json::from_value(opened.at("/data/forget")).unwrap();
    forget.sort();
    let mut lost = vec![printing.clone(), printed.clone()];
    lost.sort();
    assert_eq!(forget, lost);
    assert_eq!(test.state(&same).await, "queued");
    assert_eq!(test.state(&printing).await, "unknown");
    assert!(test.failure(&printing).await.contains("began anew"));
    assert_eq!(test.state(&printed).await, "printed");
}

async fn what_is_not_the_agents_is_to_be_forgotten(database: Database) {
    let test = AgentTest::new(database).await;
    let app = test.app();
    let (mut other, _) = Agent::ready(app, "Another").await;
    let (own, cancelled, waiting) = (test.held().await, test.print().await, test.print().await);
    test.cancel(&cancelled).await.expect(200);
    let nobody = "0199a1b2-3c4d-7e5f-8a6b-7c8d9e0f1a2b";
    let all = [&own, &cancelled, &waiting, nobody];
    let claimed: Vec<Value> = all.iter().map(|job| held(job, "stored", 1)).collect();
    let mut agent = test.agent.clone();
    let opened = agent.open(app, json!(claimed)).await;
    let forget: Vec<String> = serde_json::from_value(opened.at("/data/forget")).unwrap();
    assert_eq!(forget.len(), 2);
    assert!(forget.contains(&cancelled) && forget.contains(&nobody.to_owned()));
    // Another agent of the team has none of them.
    let opened = other.open(app, json!(claimed)).await;
    assert_eq!(opened.at("/data/forget").as_array().unwrap().len(), 4);
    assert_eq!(test.state(&own).await, "queued");
}

async fn a_session_that_begins_again_loses_nothing(database: Database) {
    let test = AgentTest::new(database).await;
    let (app, job) = (test.app(), test.held().await);
    let mut agent = test.agent.clone();
    for _ in 0..3 {
        let opened = agent.open(app, json!([held(&job, "stored", 1)])).await;
        assert_eq!(opened.at("/data/forget"), json!([]));
        assert_eq!(test.state(&job).await, "queued");
        assert_eq!(test.states().await, ("online".to_owned(), "online".to_owned()));
    }
    assert_eq!(agent.report(app, &job, 1, "stored").await, "known");
    assert_eq!(agent.report(app, &job, 2, "printed").await, "taken");
    assert_eq!(test.told(&job).await, 3);
}

async fn everything_that_is_wrong_with_a_session_is_told_at_once(database: Database) {
    let test = AgentTest::new(database).await;
    let body = json!({"protocol": ["1"], "instance": "", "hostname": 1, "held": [
        {"job_uuid": "x", "state": "pending", "sequence": -1}, 7], "helt": []});
    let reply = test.agent.ask(test.app(), "POST", "/sessions").json(&body.to_string()).send();
    assert_eq!(
        reply.await.problems(),
        [
            "held.0.job_uuid",
            "held.0.sequence",
            "held.0.state",
            "held.1",
            "helt",
            "hostname",
            "instance",
            "protocol.0",
            "version",
        ]
    );
}
