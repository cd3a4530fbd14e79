//! An agent that is removed.

use std::time::Duration;

use tokio::time::Instant;

use super::AgentTest;
use crate::harness::{Database, databases};

databases! {
    an_agent_that_is_removed_is_locked_out_and_its_jobs_come_to_an_end
    a_job_that_is_made_while_its_agent_is_removed_fails
    what_was_removed_long_ago_and_no_job_names_goes
    a_team_is_not_deleted_before_its_print_jobs_are_over
}

async fn a_team_is_not_deleted_before_its_print_jobs_are_over(database: Database) {
    let test = AgentTest::new(database).await;
    let app = test.app();
    let held = test.held().await;
    let path = app.path("?domain=shop.example.com");
    let refused = app.delete(&path).admin().send().await.expect(409);
    assert!(refused.at("/message").as_str().unwrap().contains(&held));
    assert_eq!(test.report(&held, 2, "printed").await, "taken");
    let begun = Instant::now();
    let waiting = test.agent.claim(app, 10, 20);
    let deleting = async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        app.delete(&path).admin().send().await.expect(204)
    };
    let (ended, _) = tokio::join!(waiting, deleting);
    ended.expect(401);
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
}

async fn an_agent_that_is_removed_is_locked_out_and_its_jobs_come_to_an_end(database: Database) {
    let test = AgentTest::new(database).await;
    let app = test.app();
    let held = test.held().await;
    let begun = Instant::now();
    let waiting = test.agent.claim(app, 10, 20);
    let path = format!("/print-agents/{}", test.agent.uuid);
    let removing = async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        test.delete(&path).await.expect(204)
    };
    let (ended, _) = tokio::join!(waiting, removing);
    // Whoever waits is told at once.
    ended.expect(401);
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    test.agent.try_open(app, serde_json::json!([])).await.expect(401);
    test.agent.file(app, &held).await.expect(401);
    assert_eq!(test.state(&held).await, "unknown");
    assert!(test.failure(&held).await.contains("was deleted"));
    app.get(&test.beta(&path)).admin().send().await.expect(404);
    let printer = test.beta(&format!("/printers/{}", test.printer));
    app.get(&printer).admin().send().await.expect(404);
    // What nobody had taken fails, and names the printer as it was.
    let refused = test.try_print(Some(&test.printer)).await;
    assert_eq!(refused.problems(), ["printer_uuid"]);
    assert_eq!(test.job(&held).await["printer"]["name"], "Printer zebra");
    assert_eq!(test.told(&held).await, 3);
}

async fn a_job_that_is_made_while_its_agent_is_removed_fails(database: Database) {
    let test = AgentTest::new(database).await;
    let job = test.print().await;
    let id = test.agent.uuid.clone();
    // As if the job had been stored a moment after the agent's own jobs were given up.
    let gone = |tx: &mut waybill_store::Tx<'_>| {
        tx.exec("UPDATE print_agent SET deleted_at = 1, is_online = FALSE", &[])?;
        tx.exec("UPDATE printer SET deleted_at = 1, is_online = FALSE", &[])?;
        tx.exec("UPDATE job SET run_at = 0 WHERE kind = 'print-agent'", &[])
    };
    test.app().app.write(gone).await.unwrap();
    test.app().app.wake_runner();
    test.until(&job, "failed").await;
    assert!(test.failure(&job).await.contains("not there any more"), "{id}");
}

async fn what_was_removed_long_ago_and_no_job_names_goes(database: Database) {
    let test = AgentTest::new(database).await;
    let (app, pending) = (test.app(), test.print().await);
    let other = crate::harness::agent::Agent::ready(app, "Unused").await.0;
    for agent in [&test.agent, &other] {
        test.delete(&format!("/print-agents/{}", agent.uuid)).await.expect(204);
    }
    assert_eq!(test.state(&pending).await, "failed");
    let before = app.app.now().plus(Duration::from_secs(1));
    let gone = app.app.write(move |tx| {
        let printers = waybill_store::printers::any_delete_removed(tx, before, 10)?;
        let agents = waybill_store::print_agents::any_delete_removed(tx, before, 10)?;
        Ok::<_, waybill_store::Error>((printers, agents))
    });
    assert_eq!(gone.await.unwrap(), (1, 1));
    assert_eq!(test.job(&pending).await["printer"]["name"], "Printer zebra");
}
