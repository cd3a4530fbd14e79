//! What an agent prints, and what it says of itself meanwhile.

use std::time::Duration;

use serde_json::json;

use super::{Site, run};
use crate::harness::{Database, databases};

databases! {
    a_label_is_printed_by_an_agent_and_its_end_is_told
}

async fn a_label_is_printed_by_an_agent_and_its_end_is_told(database: Database) {
    let site = Site::new("prints", database).await;
    let printers = [("Table 1", site.printer("")), ("Table 2", site.printer("slow=500ms"))];
    let printers = printers.each_ref().map(|(name, uri)| (*name, uri.as_str()));
    let mut agent = site.register(&printers).await;
    let shown = site.get(&format!("print-agents/{}", site.agent_id)).await;
    assert_eq!((&shown["name"], &shown["state"]), (&json!("Warehouse"), &json!("online")));
    let (one, two) = (site.online("Table 1").await, site.online("Table 2").await);
    let quick = site.print(&one).await;
    let slow = site.print_copies(&two, 2).await;
    for job in [&quick, &slow] {
        let done = site.until(job, &["printed", "failed", "unknown"]).await;
        assert_eq!(done["state"], "printed", "{done:#}");
        assert!(done["printed_at"].as_str() >= done["created_at"].as_str(), "{done:#}");
    }
    assert_eq!(site.papers(), [(quick.clone(), 1), (slow.clone(), 1)].into());
    // What is told and over leaves nothing behind but its id.
    for _ in 0..100 {
        if site.status()["held_jobs"] == 0 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let status = site.status();
    assert_eq!((&status["held_jobs"], &status["unreported"]), (&json!(0), &json!(0)), "{status:#}");
    assert_eq!(
        (&status["running"], &status["printers"][0]["key"]),
        (&json!(true), &json!("uri:Table 1"))
    );
    assert_eq!(agent.stop().await, Some(0));
    assert_eq!(site.status()["running"], false);
    // Started again it needs neither server nor code.
    let mut agent = site.agent(&printers);
    agent.said("a session has begun").await;
    let again = site.print(&one).await;
    site.until(&again, &["printed"]).await;
    assert_eq!(agent.stop().await, Some(0));
    site.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_that_follows_another_is_claimed_once() {
    let site = Site::on_sqlite("follows").await;
    let uri = site.printer("");
    let mut agent = site.register(&[("Zebra", &uri)]).await;
    let printer = site.online("Zebra").await;
    let before = site.claims().await;
    for _ in 0..10 {
        let job = site.print(&printer).await;
        site.until(&job, &["printed"]).await;
    }
    // A job that is claimed again is answered after a pause, and the next one waits for that.
    let claims = site.claims().await - before;
    assert!((10..=15).contains(&claims), "{claims} claims for ten jobs");
    assert_eq!(agent.stop().await, Some(0));
    site.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_idle_agent_is_small_and_its_status_is_readable() {
    let site = Site::on_sqlite("idle").await;
    let uri = site.printer("");
    let mut agent = site.register(&[("Zebra", &uri)]).await;
    site.online("Zebra").await;
    let memory = std::fs::read_to_string(format!("/proc/{}/status", agent.child.id())).unwrap();
    let line = memory.lines().find(|line| line.starts_with("VmRSS")).unwrap();
    let kilobytes: u64 = line.split_whitespace().nth(1).unwrap().parse().unwrap();
    println!("an idle agent has {kilobytes} kB");
    // A build without optimisation is larger than what is installed.
    assert!(kilobytes < 60_000, "{line}");
    let memory = std::fs::read_to_string(format!("/proc/{}/smaps_rollup", agent.child.id()));
    let memory = memory.unwrap();
    // Pages of 2 MB hold more than is used. Two are taken before a line of ours runs.
    let large = memory.lines().find(|line| line.starts_with("AnonHugePages:")).unwrap();
    let kilobytes: u64 = large.split_whitespace().nth(1).unwrap().parse().unwrap();
    assert!(kilobytes <= 4096, "{memory}");
    let page = run(site.path(), &["agent", "status"]);
    let page = String::from_utf8(page.stdout).unwrap();
    for words in
        ["Agent     Warehouse (", "Running   yes", "online    uri:Zebra  \"Zebra\"", "0 jobs held"]
    {
        assert!(page.contains(words), "{words} is not in\n{page}");
    }
    let mode = |path| {
        let found = std::fs::metadata(path).unwrap();
        std::os::unix::fs::PermissionsExt::mode(&found.permissions()) & 0o777
    };
    assert_eq!(mode(site.spool()), 0o700);
    for file in ["agent.db", "agent.db-wal"] {
        assert_eq!(mode(site.spool().join(file)), 0o600, "{file}");
    }
    let token = site.spool().join("agent.db");
    assert!(token.is_file());
    assert_eq!(agent.stop().await, Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_printers_of_an_agent_are_shown_without_registering() {
    let site = Site::on_sqlite("survey").await;
    let uri = site.printer("");
    let arguments = ["agent", "printers", "--cups", "none", "--printer"];
    let out = run(
        site.path(),
        &[&arguments[..], &[&format!("Zebra={uri}"), "--printer", "out=file:out"]].concat(),
    );
    assert!(out.status.success());
    let shown = String::from_utf8(out.stdout).unwrap();
    assert!(shown.contains("online   uri:Zebra") && shown.contains("pdf, png, zpl"), "{shown}");
    assert!(shown.contains("online   uri:out"), "{shown}");
    let dead = "dead=socket://127.0.0.1:9";
    let out = run(site.path(), &[&arguments[..], &[dead]].concat());
    assert!(String::from_utf8(out.stdout).unwrap().contains("offline  uri:dead"));
    assert!(!site.spool().exists(), "nothing is made by looking");
}
