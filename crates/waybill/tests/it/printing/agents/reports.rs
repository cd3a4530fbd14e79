//! What an agent tells of jobs, and what that changes.

use std::time::Duration;

use serde_json::{Value, json};
use waybill_domain::time::Time;

use super::AgentTest;
use crate::harness::agent::{report, text};
use crate::harness::{Database, databases};

databases! {
    the_same_report_many_times_at_once_counts_once
    reports_of_one_call_are_taken_in_the_order_of_their_numbers
    printed_is_final_failed_takes_only_that_and_unknown_takes_any_news
    what_an_agent_says_of_a_job_is_quoted
    a_time_that_cannot_be_is_not_the_time_of_printing
    everybody_is_told_of_each_state_once
    what_a_restored_server_has_forgotten_is_not_offered_again
    everything_that_is_wrong_with_reports_is_told_at_once_and_nothing_is_taken
}

async fn the_same_report_many_times_at_once_counts_once(database: Database) {
    let test = AgentTest::new(database).await;
    let job = test.print().await;
    for (sequence, state) in [(1, "stored"), (2, "printing"), (3, "printed")] {
        let all = (0..20).map(|_| test.report(&job, sequence, state));
        let all = futures_util::future::join_all(all).await;
        assert_eq!(all.iter().filter(|result| *result == "taken").count(), 1, "{all:?}");
        assert_eq!(all.iter().filter(|result| *result == "known").count(), 19, "{all:?}");
    }
    assert_eq!(test.state(&job).await, "printed");
    assert_eq!(test.told(&job).await, 4);
}

async fn reports_of_one_call_are_taken_in_the_order_of_their_numbers(database: Database) {
    let test = AgentTest::new(database).await;
    let (app, first, second) = (test.app(), test.print().await, test.print().await);
    let reports = json!([
        report(app, &second, 3, "printed"),
        report(app, &first, 1, "stored"),
        report(app, &second, 1, "stored"),
        report(app, &first, 2, "printing"),
        report(app, &second, 2, "printing"),
        report(app, &first, 1, "stored"),
    ]);
    let results = test.agent.try_report(app, reports).await.expect(200).at("/data");
    let results = results.as_array().unwrap().iter();
    let results: Vec<(Value, Value, Value)> = results
        .map(|one| (one["job_uuid"].clone(), one["sequence"].clone(), one["result"].clone()))
        .collect();
    let expected = [
        (&second, 3, "taken"),
        (&first, 1, "taken"),
        (&second, 1, "taken"),
        (&first, 2, "taken"),
        (&second, 2, "taken"),
        (&first, 1, "known"),
    ];
    assert_eq!(results, expected.map(|(job, n, result)| (json!(job), json!(n), json!(result))));
    assert_eq!(test.state(&first).await, "printing");
    assert_eq!(test.state(&second).await, "printed");
    // One that was left out is not missed, and one that comes late is known.
    assert_eq!(test.report(&first, 9, "printed").await, "taken");
    assert_eq!(test.report(&first, 5, "failed").await, "known");
    assert_eq!(test.state(&first).await, "printed");
}

async fn printed_is_final_failed_takes_only_that_and_unknown_takes_any_news(database: Database) {
    let test = AgentTest::new(database).await;
    let job = test.held().await;
    let news = [
        ("queued", "queued"),
        ("printing", "printing"),
        ("queued", "printing"),
        ("unknown", "unknown"),
        ("queued", "queued"),
        ("unknown", "unknown"),
        ("failed", "failed"),
        ("printing", "failed"),
        ("unknown", "failed"),
        ("printed", "printed"),
        ("failed", "printed"),
        ("stored", "printed"),
    ];
    for (sequence, (said, expected)) in (2..).zip(news) {
        assert_eq!(test.report(&job, sequence, said).await, "taken");
        assert_eq!(test.state(&job).await, expected, "{sequence}: {said}");
        let document = test.get(&format!("/documents/{}", test.document)).await;
        assert_eq!(document.at("/data/print_status"), json!(expected));
    }
    let done = test.job(&job).await;
    assert!(done["queued_at"].is_string() && done["printed_at"].is_string());
    assert_eq!(done["failure"], Value::Null);
}

async fn what_an_agent_says_of_a_job_is_quoted(database: Database) {
    let test = AgentTest::new(database).await;
    let (app, job) = (test.app(), test.held().await);
    let mut unsure = report(app, &job, 2, "unknown");
    unsure["message"] = json!("Ribbon out");
    test.agent.try_report(app, json!([unsure])).await.expect(200);
    let said = test.failure(&job).await;
    assert!(said.contains("Ribbon out") && said.contains("does not know"), "{said}");
    let mut failed = report(app, &job, 3, "failed");
    failed["message"] = json!("x".repeat(2000));
    test.agent.try_report(app, json!([failed])).await.expect(200);
    assert!(test.failure(&job).await.ends_with(&"x".repeat(500)));
    let path = test.beta(&format!("/print-jobs/{job}"));
    let ask = app.get(&path).admin().header("accept-language", "de");
    let german = text(ask.send().await.expect(200).at("/data/failure/message"));
    assert!(german.starts_with("Der Druckagent"), "{german}");
}

async fn a_time_that_cannot_be_is_not_the_time_of_printing(database: Database) {
    let test = AgentTest::new(database).await;
    let app = test.app();
    let (hour, minute) = (Duration::from_secs(3600), Duration::from_secs(60));
    let printed_at = async |at: Option<Time>| {
        let job = test.held().await;
        let created = Time::parse(test.job(&job).await["created_at"].as_str().unwrap()).unwrap();
        test.fixture.advance(minute / 2).await;
        let mut done = report(app, &job, 2, "printed");
        done["at"] = json!(at.unwrap_or(created.plus(minute / 6)).to_string());
        let before = app.app.now();
        test.agent.try_report(app, json!([done])).await.expect(200);
        let shown = test.job(&job).await;
        let shown = Time::parse(shown["printed_at"].as_str().unwrap()).unwrap();
        (created, before, shown)
    };
    let (created, _, shown) = printed_at(None).await;
    assert_eq!(shown, created.plus(minute / 6));
    for wrong in [app.app.now().plus(hour), app.app.now().minus(hour)] {
        let (_, before, shown) = printed_at(Some(wrong)).await;
        assert!(shown >= before && shown <= app.app.now());
    }
}

async fn everybody_is_told_of_each_state_once(database: Database) {
    let test = AgentTest::new(database).await;
    let job = test.print().await;
    let mut told = 1;
    let states = ["stored", "queued", "printing", "printing", "unknown", "printing", "printed"];
    let changes = [1, 0, 1, 0, 1, 1, 1];
    for ((sequence, state), changes) in (1..).zip(states).zip(changes) {
        let before = test.job(&job).await["updated_at"].clone();
        assert_eq!(test.report(&job, sequence, state).await, "taken");
        told += changes;
        assert_eq!(test.told(&job).await, told, "{state}");
        let is_moved = test.job(&job).await["updated_at"] != before;
        assert_eq!(is_moved, changes == 1, "{state}");
    }
}

async fn what_a_restored_server_has_forgotten_is_not_offered_again(database: Database) {
    let test = AgentTest::new(database).await;
    let (printed, printing) = (test.print().await, test.print().await);
    // Nobody reports twice of a job that nobody gave away.
    assert_eq!(test.report(&printed, 3, "printed").await, "taken");
    assert_eq!(test.report(&printing, 2, "printing").await, "taken");
    assert_eq!(test.offers().await, [""; 0]);
    assert_eq!(test.state(&printed).await, "printed");
    assert_eq!(test.state(&printing).await, "printing");
    assert_eq!(test.told(&printed).await, 2);
}

async fn everything_that_is_wrong_with_reports_is_told_at_once_and_nothing_is_taken(
    database: Database,
) {
    let test = AgentTest::new(database).await;
    let (app, job) = (test.app(), test.print().await);
    let wrong = json!([
        report(app, &job, 1, "stored"),
        {"job_uuid": "x", "sequence": 0, "state": "pending", "at": "yesterday", "message": 1},
        {"job_uuid": job, "sequence": 1, "state": "stored", "x": 1},
    ]);
    assert_eq!(
        test.agent.try_report(app, wrong).await.problems(),
        [
            "reports.1.at",
            "reports.1.job_uuid",
            "reports.1.message",
            "reports.1.sequence",
            "reports.1.state",
            "reports.2.at",
            "reports.2.x",
        ]
    );
    assert_eq!(test.state(&job).await, "pending");
    assert_eq!(test.agent.try_report(app, json!([])).await.problems(), ["reports"]);
    let many: Vec<Value> = (1..=101).map(|n| report(app, &job, n, "stored")).collect();
    assert_eq!(test.agent.try_report(app, json!(many)).await.problems(), ["reports"]);
    let nobody = "0199a1b2-3c4d-7e5f-8a6b-7c8d9e0f1a2b";
    assert_eq!(test.report(nobody, 1, "stored").await, "refused");
    // Nothing is printed before it was said that it may be.
    assert_eq!(test.report(&job, 1, "printed").await, "refused");
    assert_eq!(test.state(&job).await, "pending");
}
