//! Two servers on one PostgreSQL, and one agent that asks both.

use std::time::Duration;

use serde_json::{Value, json};
use waybill_api::dispatch;

use super::AgentTest;
use crate::harness::agent::{report, text};
use crate::harness::{Database, Reply};

fn offered(reply: &Reply) -> Vec<String> {
    let offers = reply.at("/data");
    offers.as_array().unwrap().iter().map(|offer| text(offer["uuid"].clone())).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_one_server_gave_away_no_server_offers_again() {
    let test = AgentTest::new(Database::Postgres).await;
    let (app, jobs) = (test.app(), 12);
    let routers = [app.router.clone(), dispatch::router(app.beside(0, 0))];
    for _ in 0..jobs {
        test.print().await;
    }
    let claim = |place: usize| {
        let body = json!({"limit": 50, "wait_seconds": 0});
        test.agent.say_to(&routers[place % 2], "/jobs/claim", body)
    };
    let (routers, agent, claim) = (&routers, &test.agent, &claim);
    // Four ask and store at once, at both servers; each believes what it is told.
    let work = |worker: usize| async move {
        let mut taken = Vec::new();
        for round in 0.. {
            let offers = offered(&claim(worker + round).await.expect(200));
            if offers.is_empty() {
                return taken;
            }
            let job = &offers[(worker * 3) % offers.len()];
            let reports = json!({"reports": [report(app, job, 1, "stored")]});
            let router = &routers[(worker + round + 1) % 2];
            let told = agent.say_to(router, "/jobs/reports", reports).await.expect(200);
            let result: Value = told.at("/data/0/result");
            assert!(result == "taken" || result == "known", "{result}");
            if result == "taken" {
                taken.push(job.clone());
            }
            // From here on nobody offers it.
            for server in 0..2 {
                assert!(!offered(&claim(server).await.expect(200)).contains(job));
            }
        }
        taken
    };
    let all = tokio::join!(work(0), work(1), work(2), work(3));
    let mut taken: Vec<String> = [all.0, all.1, all.2, all.3].concat();
    taken.sort();
    let count = taken.len();
    taken.dedup();
    assert_eq!((count, taken.len()), (jobs, jobs));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_at_one_server_ends_the_one_at_another() {
    let test = AgentTest::new(Database::Postgres).await;
    let app = test.app();
    let other = dispatch::router(app.beside(0, 0));
    let mut new = test.agent.clone();
    let body = || json!({"limit": 1, "wait_seconds": 20});
    let waiting = test.agent.say_to(&other, "/jobs/claim", body());
    let opening = async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        new.open(app, json!([])).await;
    };
    // It was not told, and looks for itself.
    let (ended, ()) = tokio::join!(waiting, opening);
    ended.expect(409);
    let job = test.print().await;
    let reports = json!({"reports": [report(app, &job, 1, "stored")]});
    test.agent.say_to(&other, "/jobs/reports", reports.clone()).await.expect(409);
    assert_eq!(test.state(&job).await, "pending");
    let taken = new.say_to(&other, "/jobs/reports", reports).await.expect(200);
    assert_eq!(taken.at("/data/0/result"), json!("taken"));
}
