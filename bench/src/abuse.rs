//! Abuse: what one caller at its worst costs the server in memory, and other teams in time. Each
//! abuse runs for a while beside three teams that book; their bookings are timed before and during
//! it.

mod attacks;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Arg, ArgMatches, Command};
use tokio::runtime::{Builder, Runtime};
use tokio::time::Instant;

use crate::crash::http::Request;
use crate::crash::load::order;
use crate::crash::process::{Process, free_address};
use crate::crash::site::Site;
use crate::crash::{Database, Failure};
use attacks::{ATTACKS, Attack, Target};

/// The most that the server may hold, in MiB.
const MEMORY_MAX: u64 = 300;
/// The most that an abuse may slow the slowest bookings of another team by.
const RATIO_MAX: f64 = 2.0;
/// A booking so often stays within the limits that every team has.
const PACE: Duration = Duration::from_millis(52);
/// How often a measurement is made that says more about the machine than about the server.
const TRIES_MAX: usize = 3;
/// The part of the processors' time that others on the same host may take before that is so.
const STOLEN_MAX: f64 = 0.01;
/// The lowest urgency of a thread.
const NICE: i32 = 19;
/// How long a booking may take at all.
const PATIENCE: Duration = Duration::from_secs(20);

/// `bench abuse`.
pub fn command() -> Command {
    let option = |name: &'static str, value: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name(value).help(help)
    };
    Command::new("abuse")
        .about("What one caller at its worst costs in memory, and another team in time")
        .arg(option(
            "bookings",
            "N",
            "How many bookings of each of three teams are timed, twice for each [default: 100]",
        ))
        .arg(option("only", "NAME", "Only this abuse"))
        .arg(option("database", "URL", "sqlite [default], or a PostgreSQL superuser's URL"))
        .arg(option("server", "FILE", "The waybill program [default: beside this one]"))
}

/// Runs the command.
pub fn run(matches: &ArgMatches) -> Result<(), Failure> {
    let text = |name: &str| matches.get_one::<String>(name).cloned();
    let bookings = text("bookings").map_or(Ok(100), |text| text.parse())?;
    let beside = || Ok::<_, Failure>(std::env::current_exe()?.with_file_name("waybill"));
    let server = text("server").map_or_else(beside, |path| Ok(PathBuf::from(path)))?;
    let database = Database::parse(text("database").as_deref())?;
    let findings = Abuses { server, database, bookings, only: text("only") }.run()?;
    for finding in &findings {
        println!("{finding}");
    }
    match findings.iter().all(Finding::is_good) {
        true => Ok(()),
        false => Err("a bound is broken".into()),
    }
}

/// A run.
pub struct Abuses {
    /// The server's program.
    pub server: PathBuf,
    /// Where its database is.
    pub database: Database,
    /// How many bookings are timed before each abuse, and during it.
    pub bookings: usize,
    /// The only abuse, by name.
    pub only: Option<String>,
}

/// What an abuse did.
pub struct Finding {
    name: &'static str,
    before: Duration,
    during: Duration,
    failed: usize,
    memory: u64,
    /// Write transactions that held up others for long.
    slow_writes: u64,
    /// The part of the processors' time that others on the same host took meanwhile.
    stolen: f64,
}

impl Finding {
    fn ratio(&self) -> f64 {
        self.during.as_secs_f64() / self.before.as_secs_f64().max(f64::MIN_POSITIVE)
    }

    /// Whether the server kept within its memory.
    pub fn is_within_memory(&self) -> bool {
        self.memory < MEMORY_MAX
    }

    /// Whether nothing was broken.
    pub fn is_good(&self) -> bool {
        let is_fast = self.ratio() <= RATIO_MAX;
        self.failed == 0 && self.slow_writes == 0 && is_fast && self.is_within_memory()
    }
}

impl std::fmt::Display for Finding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Finding { name, before, during, failed, memory, slow_writes, stolen } = self;
        write!(
            f,
            "{name:24} {memory:4} MiB  p99 {:7.1} ms alone {:7.1} ms beside it ({:.1} x), \
             {failed} failed, {slow_writes} slow writes, {:.0} % stolen{}",
            before.as_secs_f64() * 1e3,
            during.as_secs_f64() * 1e3,
            self.ratio(),
            stolen * 100.0,
            if self.is_good() { "" } else { "  BROKEN" }
        )
    }
}

impl Abuses {
    /// Makes the run.
    pub fn run(self) -> Result<Vec<Finding>, Failure> {
        let site = Site::new(&self.server, &self.database, None)?;
        let (path, token) = site.another_team("abuser.example.com")?;
        let at = free_address()?;
        let mut command = site.server(at)?;
        // Nothing but this machine is called.
        command.arg("--allow-private-webhooks");
        let mut server = Process(command.spawn()?);
        let runtime = Runtime::new()?;
        let findings = runtime.block_on(async {
            site.until_ready(at, &mut server).await?;
            site.seed(at).await?;
            let victims = victims(&site, at).await?;
            let target = Target { at, team: path, token };
            let mut findings = Vec::new();
            let chosen = |name: &str| self.only.as_deref().is_none_or(|only| only == name);
            for (name, attack) in ATTACKS.iter().filter(|(name, _)| chosen(name)) {
                let abuse = Abuse { name, attack: *attack, target: &target, victims: &victims };
                let mut quickest = Duration::MAX;
                for tries in 1.. {
                    let mut finding = self.measure(&site, &abuse, server.0.id()).await?;
                    // What a try has left to do may slow down the bookings before the next.
                    quickest = quickest.min(finding.before);
                    finding.before = quickest;
                    // When somebody else had our processors, the times are theirs.
                    let is_ours = finding.is_good() || finding.stolen < STOLEN_MAX;
                    eprintln!("{finding}");
                    if is_ours || tries == TRIES_MAX {
                        findings.push(finding);
                        break;
                    }
                }
            }
            Ok::<_, Failure>(findings)
        })?;
        server.kill();
        site.remove()?;
        Ok(findings)
    }

    /// Times bookings before an abuse and during it.
    async fn measure(
        &self,
        site: &Site,
        abuse: &Abuse<'_>,
        process: u32,
    ) -> Result<Finding, Failure> {
        let Abuse { name, attack, target, victims } = *abuse;
        let processors = Processors::now();
        let (before, _) = self.book(site, victims).await;
        let slow_before = slow_writes(site, target.at).await?;
        let attacking = abusers()?;
        attacking.spawn(attack(target.clone()));
        tokio::time::sleep(Duration::from_secs(1)).await;
        let (during, failed) = self.book(site, victims).await;
        let memory = resident(process);
        let stolen = Processors::now().stolen_since(&processors);
        attacking.shutdown_background();
        tokio::time::sleep(Duration::from_secs(2)).await;
        let slow_writes = slow_writes(site, target.at).await?.saturating_sub(slow_before);
        Ok(Finding { name, before, during, failed, memory, slow_writes, stolen })
    }

    /// Books for all teams at once: how long the slowest of a hundred took, and how many failed.
    async fn book(&self, site: &Site, victims: &[Target; 3]) -> (Duration, usize) {
        let [first, second, third] = victims;
        let (first, second, third) = tokio::join!(
            self.book_for(site, first),
            self.book_for(site, second),
            self.book_for(site, third)
        );
        let failed = first.1 + second.1 + third.1;
        let mut took = [first.0, second.0, third.0].concat();
        took.sort();
        let slowest = took.len().saturating_sub(1).min(took.len() * 99 / 100);
        (took.get(slowest).copied().unwrap_or_default(), failed)
    }

    /// Books in turn for one team: how long each took, and how many failed.
    async fn book_for(&self, site: &Site, victim: &Target) -> (Vec<Duration>, usize) {
        let (mut took, mut failed) = (Vec::new(), 0);
        for number in 0..self.bookings {
            let body = order(&format!("victim-{number}"), "sandbox:home");
            let path = format!("{}/shipments", victim.team);
            let (method, token) = ("POST", victim.token.as_str());
            let request = Request { method, path: &path, token, key: "", body: &body };
            let began = Instant::now();
            let answer = site.caller.ask(victim.at, &request, PATIENCE).await;
            took.push(began.elapsed());
            tokio::time::sleep(PACE.saturating_sub(began.elapsed())).await;
            failed += usize::from(answer.is_none_or(|answer| answer.status != 201));
        }
        (took, failed)
    }
}

/// An abuse, and who is there meanwhile.
struct Abuse<'a> {
    name: &'static str,
    attack: Attack,
    target: &'a Target,
    victims: &'a [Target; 3],
}

/// The teams that book: the site's own, and two others.
async fn victims(site: &Site, at: SocketAddr) -> Result<[Target; 3], Failure> {
    let own = Target { at, team: site.team.clone(), token: site.tokens[0].clone() };
    let mut others = Vec::new();
    for domain in ["second.example.com", "third.example.com"] {
        let (team, token) = site.another_team(domain)?;
        let other = Target { at, team, token };
        attacks::seed(&other).await?;
        others.push(other);
    }
    let [second, third] = <[Target; 2]>::try_from(others).map_err(|_| "there are two others")?;
    Ok([own, second, third])
}

/// Those who abuse have machines of their own. Here they share one with the server: they get what
/// it leaves, so that what is measured is its work and not theirs.
fn abusers() -> std::io::Result<Runtime> {
    let last = || {
        // Without it they only get more.
        let _lowered = rustix::process::nice(NICE);
    };
    Builder::new_multi_thread().enable_all().on_thread_start(last).build()
}

/// What the processors did so far, in ticks.
struct Processors {
    all: u64,
    stolen: u64,
}

impl Processors {
    fn now() -> Processors {
        let text = std::fs::read_to_string("/proc/stat").unwrap_or_default();
        let first = text.lines().next().unwrap_or_default();
        let ticks: Vec<u64> = first.split(' ').filter_map(|text| text.parse().ok()).collect();
        // The first eight are all there is; the eighth was somebody else's.
        Processors { all: ticks.iter().take(8).sum(), stolen: ticks.get(7).copied().unwrap_or(0) }
    }

    fn stolen_since(&self, earlier: &Processors) -> f64 {
        let all = self.all.saturating_sub(earlier.all).max(1);
        self.stolen.saturating_sub(earlier.stolen) as f64 / all as f64
    }
}

/// How many write transactions took over 100 ms so far, as the server tells.
async fn slow_writes(site: &Site, at: SocketAddr) -> Result<u64, Failure> {
    for _ in 0..20 {
        // Too many questions of ours may have been asked just now.
        let Some(text) = site.caller.text(at, "/metrics").await else {
            tokio::time::sleep(Duration::from_millis(500)).await;
            continue;
        };
        let name = "waybill_store_slow_writes_total ";
        let count = text.lines().find_map(|line| line.strip_prefix(name)?.parse().ok());
        return Ok(count.unwrap_or(0));
    }
    Err("the server tells no metrics".into())
}

/// The most memory that a process has held so far, in MiB; it is measured anew afterwards.
fn resident(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let peak = peak.and_then(|text| text.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    let _kept = std::fs::write(format!("/proc/{process}/clear_refs"), "5");
    peak.unwrap_or(0) / 1024
}
