//! Clients of a warehouse that do not give up: the same request again after every silence, at one
//! server after the other.

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::task::JoinSet;
use tokio::time::Instant;

use super::stock::{one_location, one_sku};
use crate::crash::http::{Answer, Caller, Request};
use crate::crash::load::Dice;
use crate::crash::site::Site;

/// A client waits this long for an answer before it asks again.
const PATIENCE: Duration = Duration::from_millis(1500);
/// It asks for one thing this long in all.
const PERSISTENCE: Duration = Duration::from_secs(30);

/// What the clients were told.
#[derive(Default)]
pub struct Told {
    /// The adjustments that answers named, by the reason that only one has.
    pub adjustments: BTreeMap<String, BTreeSet<String>>,
    /// Reasons of adjustments that were refused: there is too little.
    pub refused_adjustments: BTreeSet<String>,
    /// The requests that answers named, by their reference.
    pub requests: BTreeMap<String, BTreeSet<String>>,
    /// The states that a request was said to be in, by its reference.
    pub states: BTreeMap<String, BTreeSet<String>>,
    /// What was answered as nothing should be.
    pub refused: Vec<String>,
}

/// The running clients.
pub struct Clients {
    told: Arc<Mutex<Told>>,
    is_over: Arc<AtomicBool>,
    running: JoinSet<()>,
}

impl Clients {
    /// Starts them; each asks the servers in turn.
    pub fn start(site: &Site, servers: &[SocketAddr], count: u64) -> Clients {
        let (told, is_over) = (Arc::default(), Arc::new(AtomicBool::new(false)));
        let mut running = JoinSet::new();
        for number in 0..count {
            let client = Client {
                number,
                servers: servers.to_vec(),
                team: site.beta(),
                tokens: site.tokens.clone(),
                caller: site.caller.clone(),
                told: Arc::clone(&told),
            };
            running.spawn(client.run(Arc::clone(&is_over)));
        }
        Clients { told, is_over, running }
    }

    /// Waits until that many requests were acknowledged, so long at most.
    pub async fn until_told(&self, count: usize, patience: Duration) {
        let begun = Instant::now();
        let told = || self.told.lock().unwrap_or_else(PoisonError::into_inner).requests.len();
        while told() < count && begun.elapsed() < patience {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// Lets every client finish what it began, and tells what they were told.
    pub async fn finish(mut self) -> Told {
        self.is_over.store(true, Ordering::Relaxed);
        while self.running.join_next().await.is_some() {}
        std::mem::take(&mut *self.told.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

pub(super) struct Client {
    pub(super) number: u64,
    servers: Vec<SocketAddr>,
    team: String,
    tokens: [String; 2],
    caller: Caller,
    told: Arc<Mutex<Told>>,
}

impl Client {
    async fn run(self, is_over: Arc<AtomicBool>) {
        let mut dice = Dice::new(self.number);
        let mut count = 0;
        while !is_over.load(Ordering::Relaxed) {
            count += 1;
            match dice.below(4) {
                0 => {
                    // As much goes as comes, so that it is always scarce.
                    let much = 1 + i64::try_from(dice.below(6)).unwrap_or(0);
                    let delta = if dice.below(2) == 0 { much } else { -much };
                    let (sku, location) = (one_sku(&mut dice), one_location(&mut dice));
                    self.adjust(&format!("{}-{count}", self.number), sku, location, delta).await;
                }
                _ => self.send(&mut dice, count).await,
            }
        }
    }

    pub(super) fn note<T>(&self, note: impl FnOnce(&mut Told) -> T) -> T {
        note(&mut self.told.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Notes an answer that should not be.
    pub(super) fn complain(&self, what: &str, answer: &Answer) {
        let words = format!("{what}: {} {}", answer.status, answer.body);
        self.note(|told| told.refused.push(words));
    }

    /// Brings or takes some, once.
    pub(super) async fn adjust(&self, name: &str, sku: &str, location: &str, delta: i64) {
        let reason = format!("adjust-{name}");
        let body = json!({"sku": sku, "location": location, "delta": delta, "reason": reason});
        let key = format!("wms-of-adjustment-{name}");
        let path = "/wms/inventory-adjustments";
        let answer = self.insist("POST", path, &key, &body.to_string(), &[503]).await;
        let Some(answer) = answer else { return };
        match (answer.status, answer.body["data"]["uuid"].as_str()) {
            (201, Some(id)) => self.note(|told| {
                told.adjustments.entry(reason).or_default().insert(id.to_owned());
            }),
            // There is too little, or the same request is still being answered.
            (409, _) if delta < 0 && answer.retry_after.is_none() => {
                self.note(|told| told.refused_adjustments.insert(reason));
            }
            _ => self.complain(&reason, &answer),
        }
    }

    /// Asks one server after the other until there is an answer other than these.
    pub(super) async fn insist(
        &self,
        method: &str,
        path: &str,
        key: &str,
        body: &str,
        again: &[u16],
    ) -> Option<Answer> {
        let (started, path) = (Instant::now(), format!("{}{path}", self.team));
        let mut tries = usize::try_from(self.number).unwrap_or(0);
        while started.elapsed() < PERSISTENCE {
            tries += 1;
            let server = *self.servers.get(tries % self.servers.len())?;
            let token = &self.tokens[tries % 2];
            let request = Request { method, path: &path, token, key, body };
            match self.caller.ask(server, &request, PATIENCE).await {
                Some(answer) if !is_again(&answer, again) => return Some(answer),
                _ => tokio::time::sleep(Duration::from_millis(25)).await,
            }
        }
        eprintln!("{path} {key}: no answer in {} s", PERSISTENCE.as_secs());
        None
    }
}

/// Whether the answer says only that another one comes: these statuses, or that the same request is
/// still being answered.
fn is_again(answer: &Answer, again: &[u16]) -> bool {
    let is_processing = answer.status == 409 && answer.retry_after.is_some();
    is_processing || again.contains(&answer.status)
}

/// The state that an answer tells of a request.
pub(super) fn state_of(body: &Value) -> Option<&str> {
    body["data"]["state"].as_str()
}
