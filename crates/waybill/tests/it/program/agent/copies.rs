//! A spool that was copied or lost, one that is full, and clocks that are wrong.

use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use waybill_agent::spool::Limits;
use waybill_agent::{AgentOptions, NamedPrinter, ServerUrl, Sources};
use waybill_domain::time::{Clock, Time};
use waybill_engine::clock::SystemClock;
use waybill_engine::ids::SystemIds;
use waybill_outbound::Network;

use super::{Program, Site};

fn copy(site: &Site, from: &str, to: &str) {
    let status = Command::new("cp").args(["-r", from, to]).current_dir(site.path()).status();
    assert!(status.unwrap().success());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_copied_spool_prints_nothing_of_what_the_first_one_holds() {
    let site = Site::on_sqlite("copied").await;
    let uri = site.printer("busy=6s");
    let mut agent = site.register(&[("Table", &uri)]).await;
    let printer = site.online("Table").await;
    let job = site.print(&printer).await;
    site.until(&job, &["queued", "printing"]).await;
    agent.kill();
    copy(&site, "waybill-agent", "copy");
    let uri = site.printer("");
    let mut other = Program::start(site.command(&[("Table", &uri)], &["--spool", "copy"]), None);
    other.said("a session has begun").await;
    let lost = site.until(&job, &["unknown", "printed"]).await;
    assert_eq!(lost["state"], "unknown", "{lost:#}");
    // The first one comes back: its session ends the other's, and the job is not its own any more.
    let mut agent = site.agent(&[("Table", &uri)]);
    agent.said("a session has begun").await;
    assert_eq!(other.ended().await, Some(1));
    assert!(other.has_said("another program has begun a session as this agent"));
    let next = site.print(&site.online("Table").await).await;
    site.until(&next, &["printed"]).await;
    assert!(site.papers().get(&job).copied().unwrap_or(0) <= 1, "{:?}", site.papers());
    assert_eq!(agent.stop().await, Some(0));
    site.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_spool_that_was_lost_leaves_its_jobs_unknown() {
    let site = Site::on_sqlite("lost").await;
    let uri = site.printer("stopped");
    let busy = site.printer("busy=60s");
    let mut agent = site.register(&[("Table", &busy), ("Stopped", &uri)]).await;
    let printer = site.online("Table").await;
    let job = site.print(&printer).await;
    site.until(&job, &["queued"]).await;
    agent.kill();
    std::fs::remove_dir_all(site.spool()).unwrap();
    let path = site.beta(&format!("print-agents/{}/registration-code", site.agent_id));
    let code = site.server().ask("POST", &path, &site.demo.token, "").await.expect(200);
    let code = super::text(&code.at("/data/registration_code"));
    let command = site.command(&[("Table", &busy)], &["--server", &site.line.url]);
    let mut agent = Program::start(command, Some(&code));
    agent.said("a session has begun").await;
    assert_eq!(site.until(&job, &["unknown", "failed"]).await["state"], "unknown");
    assert!(site.papers().is_empty());
    assert_eq!(agent.stop().await, Some(0));
    site.end().await;
}

/// A clock that is set wrong by so many seconds.
struct Wrong(SystemClock, i64);

impl Clock for Wrong {
    fn now(&self) -> Time {
        Time(self.0.now().0 + self.1 * 1_000_000)
    }
    fn monotonic(&self) -> Duration {
        self.0.monotonic()
    }
}

/// An agent inside the test, and what tells it to stop.
fn inside(
    site: &Site,
    uri: &str,
    (limits, seconds): (Limits, i64),
) -> (tokio::task::JoinHandle<bool>, tokio::sync::oneshot::Sender<()>) {
    let clock: Arc<dyn Clock> = Arc::new(Wrong(SystemClock::start(), seconds));
    let printers = NamedPrinter::read_all(&[format!("Table={uri}")]).unwrap();
    let options = AgentOptions {
        server: Some(ServerUrl::parse(&site.line.url, false).unwrap()),
        code: Some(site.code.clone()),
        spool: site.spool(),
        sources: Sources { printers, ..Sources::default() },
        network: Network::new().unwrap(),
        limits,
        hostname: "inside".to_owned(),
        ids: Arc::new(SystemIds::new(Arc::clone(&clock))),
        clock,
    };
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let running = tokio::spawn(async move {
        let stopped = async {
            let _told = stopped.await;
        };
        waybill_agent::run(options, stopped).await.is_ok()
    });
    (running, stop)
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_whose_clock_is_wrong_prints_and_the_server_believes_its_own_clock() {
    for seconds in [-400 * 86_400, 400 * 86_400] {
        let site = Site::on_sqlite(&format!("clock{seconds}")).await;
        let uri = site.printer("");
        let (running, stop) = inside(&site, &uri, (Limits::default(), seconds));
        let printer = site.online("Table").await;
        let job = site.print(&printer).await;
        let done = site.until(&job, &["printed", "failed", "unknown"]).await;
        assert_eq!(done["state"], "printed", "{done:#}");
        let (created, printed) = (done["created_at"].as_str(), done["printed_at"].as_str());
        let now = SystemClock::start().now().to_string();
        assert!(created <= printed && printed <= Some(now.as_str()), "{done:#}");
        stop.send(()).unwrap();
        assert!(running.await.unwrap());
        site.end().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_spool_claims_nothing_and_says_so_until_there_is_room() {
    let site = Site::on_sqlite("full").await;
    let uri = site.printer("slow=2s");
    let limits = Limits { jobs: 2, ..Limits::default() };
    let (running, stop) = inside(&site, &uri, (limits, 0));
    let printer = site.online("Table").await;
    let mut jobs = Vec::new();
    for _ in 0..4 {
        jobs.push(site.print(&printer).await);
    }
    site.until(&jobs[1], &["queued", "printing", "printed"]).await;
    let mut has_said = false;
    for _ in 0..40 {
        let status = site.status();
        assert!(status["held_jobs"].as_u64() <= Some(2), "{status:#}");
        has_said |= status["full"].as_str().is_some_and(|full| full.contains("2 jobs"));
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!(has_said, "{:#}", site.status());
    assert_eq!(site.job(&jobs[3]).await["state"], "pending");
    for job in &jobs {
        site.until(job, &["printed"]).await;
    }
    stop.send(()).unwrap();
    assert!(running.await.unwrap());
    assert_eq!(site.papers(), jobs.iter().map(|job| (job.clone(), 1)).collect());
    site.end().await;
}
