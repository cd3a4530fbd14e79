//! Agent and server are killed at any moment. Nothing comes out twice, and every job ends as what
//! became of it.

use std::time::Duration;

use super::{Program, Site};

const KILLS: u64 = 9;

/// Numbers that are the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn agents_and_servers_that_are_killed_print_nothing_twice_and_lose_nothing() {
    let mut site = Site::on_sqlite("kills").await;
    let uris = ["", "slow=300ms", "lose-create", "lose-send"].map(|words| site.printer(words));
    let names = ["A", "B", "C", "D"];
    let printers: Vec<(&str, &str)> =
        names.into_iter().zip(uris.iter().map(String::as_str)).collect();
    let mut agent: Program = site.register(&printers).await;
    let mut known = Vec::new();
    for name in names {
        known.push(site.online(name).await);
    }
    let (mut dice, mut jobs) = (Dice(7), Vec::new());
    for kill in 0..KILLS {
        for printer in &known {
            jobs.push(site.print(printer).await);
        }
        tokio::time::sleep(Duration::from_millis(dice.below(1200))).await;
        let (kills_agent, kills_server) =
            [(true, false), (false, true), (true, true)][usize::try_from(kill % 3).unwrap()];
        if kills_agent {
            agent.kill();
        }
        if kills_server {
            site.restart_server();
        }
        if kills_agent {
            agent = site.agent(&printers);
        }
    }
    let mut printed = 0;
    for job in &jobs {
        let done = site.until(job, &["printed", "failed", "unknown"]).await;
        // What nobody knows may still be told.
        let papers = site.papers().get(job).copied().unwrap_or(0);
        assert!(papers <= 1, "{papers} papers: {done:#}");
        match done["state"].as_str().unwrap() {
            "printed" => {
                printed += 1;
                assert_eq!(papers, 1, "{done:#}");
            }
            "failed" => assert_eq!(papers, 0, "{done:#}"),
            _ => {}
        }
    }
    println!("{printed} of {} jobs are printed for certain", jobs.len());
    assert!(printed * 2 > jobs.len(), "{printed} of {}", jobs.len());
    assert_eq!(agent.stop().await, Some(0));
    site.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_that_is_told_to_stop_ends_what_it_has_in_hand() {
    let site = Site::on_sqlite("stop").await;
    let uri = site.printer("slow=400ms");
    let mut agent = site.register(&[("Table", &uri)]).await;
    let printer = site.online("Table").await;
    let mut jobs = Vec::new();
    for _ in 0..6 {
        jobs.push(site.print(&printer).await);
    }
    site.until(&jobs[0], &["printing", "printed"]).await;
    let begun = tokio::time::Instant::now();
    assert_eq!(agent.stop().await, Some(0));
    assert!(begun.elapsed() < Duration::from_secs(14));
    let mut agent = site.agent(&[("Table", &uri)]);
    for job in &jobs {
        site.until(job, &["printed"]).await;
    }
    assert_eq!(site.papers(), jobs.iter().map(|job| (job.clone(), 1)).collect());
    assert_eq!(agent.stop().await, Some(0));
    site.end().await;
}
