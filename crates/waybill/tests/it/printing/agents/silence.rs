//! An agent that is not heard.

use std::time::Duration;

use serde_json::json;

use super::AgentTest;
use crate::harness::{Database, databases};

databases! {
    after_45_seconds_of_silence_nothing_is_known_of_what_an_agent_has
    a_silent_agents_word_counts_again_as_soon_as_it_is_heard
    an_agent_that_calls_is_never_silent
    a_session_tells_what_became_of_jobs_meanwhile
}

async fn silent(test: &AgentTest) {
    test.fixture.advance(Duration::from_secs(46)).await;
    for _ in 0..300 {
        if test.states().await.0 == "offline" {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("it is never offline: {:?}", test.states().await);
}

fn both(state: &str) -> (String, String) {
    (state.to_owned(), state.to_owned())
}

async fn after_45_seconds_of_silence_nothing_is_known_of_what_an_agent_has(database: Database) {
    let test = AgentTest::new(database).await;
    let (queued, printing, waiting) = (test.held().await, test.held().await, test.print().await);
    assert_eq!(test.report(&printing, 2, "printing").await, "taken");
    let printed = test.held().await;
    assert_eq!(test.report(&printed, 2, "printed").await, "taken");
    assert_eq!(test.states().await, both("online"));
    silent(&test).await;
    assert_eq!(test.states().await, both("offline"));
    for job in [&queued, &printing] {
        test.until(job, "unknown").await;
        assert!(test.failure(job).await.contains("not heard since"));
    }
    assert_eq!(test.state(&waiting).await, "pending");
    assert_eq!(test.state(&printed).await, "printed");
    assert_eq!((test.told(&queued).await, test.told(&printing).await), (3, 4));
    // A printer of an agent that is silent is no mistake either.
    test.print().await;
}

async fn a_silent_agents_word_counts_again_as_soon_as_it_is_heard(database: Database) {
    let test = AgentTest::new(database).await;
    let (first, second) = (test.held().await, test.held().await);
    silent(&test).await;
    test.until(&second, "unknown").await;
    // Any call will do.
    assert_eq!(test.offers().await, [""; 0]);
    assert_eq!(test.states().await, both("online"));
    assert_eq!(test.state(&first).await, "unknown");
    assert_eq!(test.report(&first, 2, "queued").await, "taken");
    assert_eq!(test.report(&second, 2, "printed").await, "taken");
    assert_eq!(
        (test.state(&first).await, test.state(&second).await),
        ("queued".to_owned(), "printed".to_owned())
    );
    // And it can fall silent again.
    silent(&test).await;
    test.until(&first, "unknown").await;
}

async fn an_agent_that_calls_is_never_silent(database: Database) {
    let test = AgentTest::new(database).await;
    let job = test.held().await;
    for call in 0..4 {
        test.fixture.advance(Duration::from_secs(30)).await;
        match call % 2 {
            0 => drop(test.offers().await),
            _ => drop(test.agent.file(test.app(), &job).await.expect(200)),
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
        assert_eq!(test.states().await, both("online"));
    }
    assert_eq!(test.state(&job).await, "queued");
}

async fn a_session_tells_what_became_of_jobs_meanwhile(database: Database) {
    let mut test = AgentTest::new(database).await;
    let (first, second) = (test.held().await, test.held().await);
    silent(&test).await;
    test.until(&second, "unknown").await;
    let held = json!([
        {"job_uuid": first, "state": "printing", "sequence": 2},
        {"job_uuid": second, "state": "stored", "sequence": 1},
    ]);
    let opened = test.agent.open(&test.fixture.app, held).await;
    assert_eq!(opened.at("/data/forget"), json!([]));
    assert_eq!(test.states().await, both("online"));
    assert_eq!(
        (test.state(&first).await, test.state(&second).await),
        ("printing".to_owned(), "queued".to_owned())
    );
    // What was not reported is reported still.
    assert_eq!(test.report(&first, 2, "printing").await, "taken");
    assert_eq!(test.report(&first, 3, "printed").await, "taken");
    assert_eq!(test.state(&first).await, "printed");
}
