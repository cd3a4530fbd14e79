//! The line between agent and server is down, or loses what it carries.

use std::sync::atomic::Ordering;
use std::time::Duration;

use serde_json::json;

use super::{Mood, Site};

#[tokio::test(flavor = "multi_thread")]
async fn what_is_taken_is_printed_while_the_line_is_down_and_told_later_in_order() {
    let site = Site::on_sqlite("down").await;
    let uri = site.printer("slow=700ms");
    let mut agent = site.register(&[("Table", &uri)]).await;
    let printer = site.online("Table").await;
    let mut jobs = Vec::new();
    for _ in 0..4 {
        jobs.push(site.print(&printer).await);
    }
    for job in &jobs {
        site.until(job, &["queued", "printing", "printed"]).await;
    }
    site.line.set(Mood::Down);
    for _ in 0..400 {
        if site.papers().len() == jobs.len() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(site.papers(), jobs.iter().map(|job| (job.clone(), 1)).collect());
    // The printer says so a moment later.
    tokio::time::sleep(Duration::from_secs(3)).await;
    assert_ne!(site.job(&jobs[3]).await["state"], "printed", "nobody could tell");
    let status = site.status();
    assert!(status["trouble"].is_string() && status["unreported"].as_u64() > Some(0), "{status:#}");
    let later = tokio::time::Instant::now();
    site.line.set(Mood::Up);
    let mut ends = Vec::new();
    for job in &jobs {
        let done = site.until(job, &["printed"]).await;
        ends.push(done["printed_at"].as_str().unwrap().to_owned());
    }
    println!("told {:?} after the line was up", later.elapsed());
    assert!(ends.is_sorted(), "{ends:?}");
    assert_eq!(agent.stop().await, Some(0));
    site.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_that_starts_without_a_server_prints_what_it_has() {
    let mut site = Site::on_sqlite("alone").await;
    // Busy for long enough to have nothing by the time at which the agent is killed.
    let uri = site.printer("busy=4s");
    let mut agent = site.register(&[("Table", &uri)]).await;
    let printer = site.online("Table").await;
    let job = site.print(&printer).await;
    site.until(&job, &["queued", "printing"]).await;
    agent.kill();
    site.line.set(Mood::Down);
    let mut agent = site.agent(&[("Table", &uri)]);
    for _ in 0..400 {
        if site.papers().len() == 1 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(site.papers(), [(job.clone(), 1)].into());
    site.restart_server();
    site.until(&job, &["printed"]).await;
    assert_eq!(agent.stop().await, Some(0));
    site.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_line_that_loses_requests_and_answers_loses_no_job_and_prints_none_twice() {
    let site = Site::on_sqlite("lossy").await;
    let uri = site.printer("");
    let mut agent = site.register(&[("Table", &uri)]).await;
    let printer = site.online("Table").await;
    site.line.set(Mood::Lossy);
    let mut jobs = Vec::new();
    for _ in 0..10 {
        jobs.push(site.print(&printer).await);
        tokio::time::sleep(Duration::from_millis(300)).await;
    }
    for _ in 0..120 {
        tokio::time::sleep(Duration::from_millis(500)).await;
        if site.papers().len() == jobs.len() {
            break;
        }
    }
    let lost = site.line.lost.load(Ordering::SeqCst);
    assert!(lost > 1, "{lost} were lost");
    site.line.set(Mood::Up);
    for job in &jobs {
        let done = site.until(job, &["printed", "failed"]).await;
        assert_eq!(done["state"], json!("printed"), "{done:#}");
    }
    assert_eq!(site.papers(), jobs.iter().map(|job| (job.clone(), 1)).collect());
    assert_eq!(agent.stop().await, Some(0));
    site.end().await;
}
