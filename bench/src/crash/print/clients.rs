//! Clients that want documents printed and do not give up: the same key again after every silence.
//! Each has a printer of its own, so that a slow one is not given more than it prints.

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::task::JoinSet;
use tokio::time::Instant;

use super::printers::Known;
use crate::crash::Failure;
use crate::crash::http::{Answer, Caller, Request};
use crate::crash::load::{Dice, order};
use crate::crash::site::Site;

/// A client waits this long for an answer before it asks again.
const PATIENCE: Duration = Duration::from_millis(1500);
/// It asks for one thing this long in all.
const PERSISTENCE: Duration = Duration::from_secs(30);
/// One of so many jobs is not wanted any more as soon as it is there.
const CANCEL_EVERY: u64 = 12;

/// A file to print.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct File {
    /// The document's id.
    pub id: String,
    /// How long it is.
    pub bytes: u64,
}

/// What the clients were told.
#[derive(Default)]
pub struct Told {
    /// The jobs that answers named, by key; more than one is a violation.
    pub jobs: BTreeMap<String, BTreeSet<String>>,
    /// Jobs that were said to be cancelled.
    pub cancelled: BTreeSet<String>,
    /// Keys whose job was refused, although nothing is wrong with it.
    pub refused: Vec<String>,
}

/// Books shipments, and tells what there is to print.
pub async fn files(site: &Site, server: SocketAddr) -> Result<Vec<File>, Failure> {
    let mut files = Vec::new();
    for number in 0..4 {
        let body = order(&format!("PRINT-{number}"), "sandbox:home");
        let booked = site.ask(server, "POST", "/shipments", &body).await;
        let booked = booked.map(|answer| answer.body).unwrap_or_default();
        for document in booked["data"]["documents"].as_array().into_iter().flatten() {
            let id = document["uuid"].as_str().ok_or("a document without an id")?.to_owned();
            let found = site.ask_beta(server, "GET", &format!("/documents/{id}"), "").await;
            let bytes = found.and_then(|found| found.body["data"]["size_bytes"].as_u64());
            files.push(File { id, bytes: bytes.ok_or("a document without a size")? });
        }
    }
    if files.is_empty() { Err("nothing to print was booked".into()) } else { Ok(files) }
}

/// The running clients.
pub struct Clients {
    told: Arc<Mutex<Told>>,
    is_over: Arc<AtomicBool>,
    running: JoinSet<()>,
}

impl Clients {
    /// Starts one for each printer; each asks the servers in turn.
    pub fn start(site: &Site, servers: &[SocketAddr], known: &[Known], files: &[File]) -> Clients {
        let (told, is_over) = (Arc::default(), Arc::new(AtomicBool::new(false)));
        let mut running = JoinSet::new();
        for (number, printer) in known.iter().enumerate() {
            let client = Client {
                number,
                printer: printer.clone(),
                files: files.to_vec(),
                servers: servers.to_vec(),
                team: site.beta(),
                token: site.tokens[0].clone(),
                caller: site.caller.clone(),
                told: Arc::clone(&told),
            };
            running.spawn(client.run(Arc::clone(&is_over)));
        }
        Clients { told, is_over, running }
    }

    /// Waits until that many jobs were acknowledged, so long at most.
    pub async fn until_told(&self, count: usize, patience: Duration) {
        let begun = Instant::now();
        let told = || self.told.lock().unwrap_or_else(PoisonError::into_inner).jobs.len();
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

struct Client {
    number: usize,
    printer: Known,
    files: Vec<File>,
    servers: Vec<SocketAddr>,
    team: String,
    token: String,
    caller: Caller,
    told: Arc<Mutex<Told>>,
}

impl Client {
    async fn run(self, is_over: Arc<AtomicBool>) {
        let mut dice = Dice::new(u64::try_from(self.number).unwrap_or(0));
        let mut count = 0;
        while !is_over.load(Ordering::Relaxed) {
            let pause = dice.below(2 * self.printer.kind.pace);
            tokio::time::sleep(Duration::from_millis(pause)).await;
            count += 1;
            let key = format!("print-{:04}-{count:08}", self.number);
            let file = usize::try_from(dice.below(self.files.len() as u64)).unwrap_or(0);
            let copies = if dice.below(8) == 0 { 2 } else { 1 };
            let body = json!({"document_uuid": self.files[file].id,
                "printer_uuid": self.printer.id, "copies": copies});
            let Some(job) = self.print(&key, &body).await else { continue };
            if dice.below(CANCEL_EVERY) == 0 {
                self.cancel(&job).await;
            }
        }
    }

    fn note<T>(&self, note: impl FnOnce(&mut Told) -> T) -> T {
        note(&mut self.told.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Asks until the job is known to be there.
    async fn print(&self, key: &str, body: &Value) -> Option<String> {
        let answer = self.insist("/print-jobs", key, &body.to_string(), &[409, 503]).await?;
        match (answer.status, answer.body["data"]["uuid"].as_str()) {
            (201, Some(job)) => {
                let job = job.to_owned();
                self.note(|told| {
                    told.jobs.entry(key.to_owned()).or_default().insert(job.clone());
                });
                Some(job)
            }
            (status, _) => {
                eprintln!("{key}: {status} {}", answer.body);
                self.note(|told| told.refused.push(key.to_owned()));
                None
            }
        }
    }

    /// Cancels it, unless it may have left already.
    async fn cancel(&self, job: &str) {
        let answer = self.insist(&format!("/print-jobs/{job}/cancel"), "", "", &[503]).await;
        match answer.map(|answer| answer.status) {
            Some(200) => {
                self.note(|told| told.cancelled.insert(job.to_owned()));
            }
            Some(409) | None => {}
            Some(other) => eprintln!("{job}: to cancel it gives {other}"),
        }
    }

    /// Asks one server after the other until there is an answer other than these.
    async fn insist(&self, path: &str, key: &str, body: &str, again: &[u16]) -> Option<Answer> {
        let (started, path) = (Instant::now(), format!("{}{path}", self.team));
        let request = Request { method: "POST", path: &path, token: &self.token, key, body };
        let mut tries = self.number;
        while started.elapsed() < PERSISTENCE {
            tries += 1;
            let server = self.servers[tries % self.servers.len()];
            let answer = self.caller.ask(server, &request, PATIENCE).await;
            match answer {
                Some(answer) if !again.contains(&answer.status) => return Some(answer),
                _ => tokio::time::sleep(Duration::from_millis(25)).await,
            }
        }
        eprintln!("{path} {key}: no answer in {} s", PERSISTENCE.as_secs());
        None
    }
}
