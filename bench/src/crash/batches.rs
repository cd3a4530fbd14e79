//! Batches whose servers are killed while their members are booked one at a time. At every read the
//! counts must add up; in the end each member was booked once, in order, and never beside another.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::Instant;
use waybill_store::{Options, Store, Tx};

use super::Failure;
use super::http::{Caller, Request};
use super::kill::{Fleet, KILL_INTERVAL_MAX_MS};
use super::load::{Dice, order};
use super::site::{Database, Site};
use super::verdict::bookings;

/// Batches that are not over by then never will be.
const OVER_MAX: Duration = Duration::from_secs(600);
const PATIENCE: Duration = Duration::from_secs(5);

/// A run.
pub struct Batches {
    /// How many batches there are.
    pub count: usize,
    /// How many members each has.
    pub members: usize,
    /// How often a server is killed.
    pub kills: usize,
    /// Its program.
    pub server: PathBuf,
    /// Where its database is.
    pub database: Database,
}

/// What a run found.
#[derive(Default, Debug)]
pub struct Findings {
    reads: usize,
    wrong_counts: usize,
    booked: usize,
    failed: usize,
    twice: usize,
    out_of_order: usize,
    overlaps: usize,
    missing: usize,
    broken_rules: usize,
    undeclared: usize,
}

impl Findings {
    /// Whether nothing was wrong, and most of it was booked: else nothing was tried.
    pub fn is_good(&self) -> bool {
        let wrong = self.wrong_counts + self.twice + self.out_of_order + self.overlaps;
        let wrong = wrong + self.missing + self.broken_rules + self.undeclared;
        wrong == 0 && self.reads > 0 && self.booked > self.failed
    }
}

impl std::fmt::Display for Findings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Findings { reads, wrong_counts, booked, failed, twice, .. } = self;
        let Findings { out_of_order, overlaps, missing, broken_rules, undeclared, .. } = self;
        write!(
            f,
            "{booked} booked, {failed} failed, {reads} reads; wrong counts {wrong_counts} \
             twice {twice} out of order {out_of_order} overlaps {overlaps} missing {missing} \
             broken rules {broken_rules} undeclared answers {undeclared}"
        )
    }
}

impl Batches {
    /// Makes the run. The files of one that found something stay, to be looked at.
    pub fn run(self) -> Result<Findings, Failure> {
        let site = Site::new(&self.server, &self.database, None)?;
        let runtime = tokio::runtime::Runtime::new()?;
        let findings = runtime.block_on(self.crash(&site))?;
        match findings.is_good() {
            true => site.remove()?,
            false => eprintln!("see {}", site.folder().display()),
        }
        Ok(findings)
    }

    async fn crash(&self, site: &Site) -> Result<Findings, Failure> {
        let mut fleet = Fleet::start(site, &self.database).await?;
        site.seed(fleet.addresses[0]).await?;
        let client = Arc::new(Client {
            servers: fleet.addresses.clone(),
            team: site.team.clone(),
            token: site.tokens[0].clone(),
            caller: site.caller.clone(),
        });
        let batches = self.fill(&client).await?;
        let is_over = Arc::new(AtomicBool::new(false));
        let watch = tokio::spawn(watch(client.clone(), batches.clone(), is_over.clone()));
        let mut dice = Dice::new(0);
        for _ in 0..self.kills {
            tokio::time::sleep(Duration::from_millis(dice.below(KILL_INTERVAL_MAX_MS))).await;
            fleet.kill_one(site, &mut dice).await?;
        }
        let started = Instant::now();
        while !are_over(site).await? && started.elapsed() < OVER_MAX {
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
        is_over.store(true, Ordering::Relaxed);
        let mut findings = watch.await?;
        drop(fleet);
        self.check(site, &batches, &mut findings).await?;
        Ok(findings)
    }

    /// Makes the batches, fills and starts them; every request is repeated until it is answered.
    async fn fill(&self, client: &Client) -> Result<Vec<String>, Failure> {
        let mut batches = Vec::new();
        for batch in 0..self.count {
            let key = format!("crash-of-batch-{batch:04}");
            let made = client.insist("POST", "/booking-batches", &key, "{}").await?;
            let id = made["data"]["uuid"].as_str().ok_or("no batch was made")?.to_owned();
            for first in (0..self.members).step_by(100) {
                let some = first..self.members.min(first + 100);
                let some: Vec<Value> = some.map(|member| wish(batch, member)).collect();
                let path = format!("/booking-batches/{id}/shipments");
                let body = json!({"data": some}).to_string();
                client.insist("POST", &path, &format!("{key}-{first}"), &body).await?;
            }
            batches.push(id);
        }
        for id in &batches {
            let path = format!("/booking-batches/{id}/start");
            client.insist("POST", &path, &format!("start-{id}"), "").await?;
        }
        Ok(batches)
    }

    async fn check(
        &self,
        site: &Site,
        batches: &[String],
        findings: &mut Findings,
    ) -> Result<(), Failure> {
        let booked = bookings(site)?;
        findings.twice = booked.iter().filter(|(_, count)| **count > 1).count();
        let store = Store::open(&site.url, Options::default())?;
        let calls = store.read(calls).await?;
        store.close().await;
        let mut members: BTreeMap<String, usize> = BTreeMap::new();
        let mut last: BTreeMap<&str, (i64, i64)> = BTreeMap::new();
        for Member { batch, position, state, begun, ended } in &calls {
            *members.entry(batch.clone()).or_default() += 1;
            match state.as_str() {
                "booked" => findings.booked += 1,
                _ => findings.failed += 1,
            }
            let Some((begun, ended)) = begun.zip(*ended) else { continue };
            if let Some((before, until)) = last.insert(batch, (*position, ended)) {
                findings.out_of_order += usize::from(before >= *position);
                if begun < until {
                    eprintln!(
                        "batch {batch}: member {position} began {} µs before {before} ended",
                        until - begun
                    );
                    findings.overlaps += 1;
                }
            }
        }
        let whole = |id: &&String| members.get(*id) != Some(&self.members);
        findings.missing = batches.iter().filter(whole).count();
        findings.broken_rules = site.complaints()?.len();
        let undeclared = site.caller.undeclared();
        undeclared.iter().take(5).for_each(|problem| eprintln!("{problem}"));
        findings.undeclared = undeclared.len();
        Ok(())
    }
}

/// A member with the time from its first call to the last answer.
struct Member {
    batch: String,
    position: i64,
    state: String,
    begun: Option<i64>,
    ended: Option<i64>,
}

impl waybill_store::FromRow for Member {
    fn from_row(row: &mut waybill_store::Row<'_>) -> Result<Member, waybill_store::Error> {
        let batch: uuid::Uuid = row.next()?;
        Ok(Member {
            batch: batch.to_string(),
            position: row.next()?,
            state: row.next()?,
            begun: row.next()?,
            ended: row.next()?,
        })
    }
}

/// The members in the order in which they were first called.
fn calls(tx: &mut Tx<'_>) -> Result<Vec<Member>, waybill_store::Error> {
    tx.all(
        "SELECT batch, batch_position, state,
                (SELECT min(started_at) FROM carrier_call
                  WHERE carrier_call.team = shipment.team AND shipment = shipment.id) AS begun,
                (SELECT max(ended_at) FROM carrier_call
                  WHERE carrier_call.team = shipment.team AND shipment = shipment.id)
           FROM shipment WHERE batch IS NOT NULL ORDER BY batch, begun",
        &[],
    )
}

async fn are_over(site: &Site) -> Result<bool, Failure> {
    let store = Store::open(&site.url, Options::default())?;
    let left: Option<i64> = store
        .read(|tx| {
            tx.one("SELECT count(*) FROM batch WHERE state NOT IN ('completed', 'stopped')", &[])
        })
        .await?;
    store.close().await;
    Ok(left == Some(0))
}

/// Reads batches again and again; counts that do not add up are wrong, and so is going back.
async fn watch(client: Arc<Client>, batches: Vec<String>, is_over: Arc<AtomicBool>) -> Findings {
    let mut findings = Findings::default();
    let mut done: BTreeMap<String, i64> = BTreeMap::new();
    let mut dice = Dice::new(1);
    while !is_over.load(Ordering::Relaxed) {
        let index = usize::try_from(dice.below(batches.len() as u64)).unwrap_or(0);
        let path = format!("/booking-batches/{}", batches[index]);
        let Some(answer) = client.ask("GET", &path, "", "").await else { continue };
        if answer.0 != 200 {
            continue;
        }
        let data = &answer.1["data"];
        let count = |name: &str| data[format!("{name}_count")].as_i64().unwrap_or(-1);
        let completed = count("booked") + count("failed") + count("cancelled");
        let total = count("pending") + count("processing") + completed;
        let before = done.insert(batches[index].clone(), completed).unwrap_or(0);
        let is_wrong = count("completed") != completed
            || count("total") != total
            || count("processing") > 1
            || completed < before;
        findings.reads += 1;
        if is_wrong {
            eprintln!("wrong counts: {data}");
            findings.wrong_counts += 1;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    findings
}

fn wish(batch: usize, member: usize) -> Value {
    let words = match member % 25 {
        3 => " sim:reject",
        7 => " sim:delay=30ms",
        11 => " sim:garbage",
        17 => " sim:drop",
        21 => " sim:documents=fail-once",
        _ => "",
    };
    let order = order(&format!("B{batch}-{member}{words}"), "sandbox:home");
    serde_json::from_str(&order).unwrap_or(Value::Null)
}

struct Client {
    servers: Vec<std::net::SocketAddr>,
    team: String,
    token: String,
    caller: Caller,
}

impl Client {
    async fn ask(&self, method: &str, path: &str, key: &str, body: &str) -> Option<(u16, Value)> {
        static TURN: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
        let turn = TURN.fetch_add(1, Ordering::Relaxed);
        let server = self.servers[turn % self.servers.len()];
        let path = format!("{}{path}", self.team);
        let request = Request { method, path: &path, token: &self.token, key, body };
        let answer = self.caller.ask(server, &request, PATIENCE).await;
        if answer.is_none() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        answer.map(|answer| (answer.status, answer.body))
    }

    /// Asks until it is answered with success.
    async fn insist(
        &self,
        method: &str,
        path: &str,
        key: &str,
        body: &str,
    ) -> Result<Value, Failure> {
        let mut last = None;
        for _ in 0..200 {
            match self.ask(method, path, key, body).await {
                Some((200..300, body)) => return Ok(body),
                other => last = other,
            }
        }
        Err(format!("{method} {path}: {last:?}").into())
    }
}
