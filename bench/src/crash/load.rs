//! Clients that want parcels booked and do not give up: the same key again after every silence, now
//! with one token of the team and then with the other, at whichever server answers.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{BuildHasher, RandomState};
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::json;
use tokio::task::JoinSet;
use tokio::time::Instant;

use super::afterwards::Afterwards;
use super::http::{Answer, Caller, Request};
use super::site::Site;

/// How many clients there are in a run by hand.
pub const CLIENTS: u64 = 16;
/// A client waits this long for an answer before it asks again.
pub(super) const PATIENCE: Duration = Duration::from_millis(1500);
/// A client asks for one parcel this long in all.
const PERSISTENCE: Duration = Duration::from_secs(20);

/// What the clients were told, by the reference of their shipments.
#[derive(Default)]
pub struct Told {
    /// The shipments that answers named; more than one is a violation.
    pub shipments: BTreeMap<String, BTreeSet<String>>,
    /// References whose shipment was deleted for them, although it is not to be.
    pub deleted: BTreeSet<String>,
    /// References whose shipment somebody asked to cancel.
    pub cancelling: BTreeSet<String>,
    /// References whose shipment was said to be cancelled.
    pub cancelled: BTreeSet<String>,
    /// References whose booking was refused, although nothing is wrong with it.
    pub refused: Vec<String>,
}

/// Numbers that look random.
pub struct Dice(u64);

impl Dice {
    /// Different in each run.
    pub fn new(salt: u64) -> Dice {
        Dice(RandomState::new().hash_one(salt) | 1)
    }

    /// A number below `limit`.
    pub fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit.max(1)
    }
}

/// An order that nothing is wrong with.
pub fn order(reference: &str, service_code: &str) -> String {
    let parcel = json!({"gross_weight": {"value": 1200, "unit": "g"}});
    // A part of one parcel is nothing.
    let count = if reference.contains("sim:partial") { 2 } else { 1 };
    json!({
        "reference": reference,
        "parties": {"customer": {
            "contact": {"name": "Ada Jensen", "email": "ada@example.com", "phone": "+4530274735"},
            "address": {"address_lines": ["Islands Brygge 39"], "postal_code": "2300",
                        "city": "København S", "country": "DK"}}},
        "delivery": {"service_code": service_code},
        "parcels": vec![parcel; count],
    })
    .to_string()
}

/// The running clients.
pub struct Load {
    told: Arc<Mutex<Told>>,
    is_over: Arc<AtomicBool>,
    clients: JoinSet<()>,
}

impl Load {
    /// Starts the clients; each asks the servers in turn.
    pub fn start(site: &Site, servers: &[SocketAddr], count: u64) -> Load {
        let (told, is_over) = (Arc::default(), Arc::new(AtomicBool::new(false)));
        let mut clients = JoinSet::new();
        for number in 0..count {
            let client = Client {
                number,
                servers: servers.to_vec(),
                team: site.team.clone(),
                tokens: site.tokens.clone(),
                told: Arc::clone(&told),
                caller: site.caller.clone(),
            };
            clients.spawn(client.run(Arc::clone(&is_over)));
        }
        Load { told, is_over, clients }
    }

    /// How many shipments were accepted so far.
    pub fn accepted(&self) -> usize {
        self.told.lock().unwrap_or_else(PoisonError::into_inner).shipments.len()
    }

    /// Waits until that many shipments were accepted, so long at most.
    pub async fn until_accepted(&self, count: usize, patience: Duration) {
        let begun = Instant::now();
        while self.accepted() < count && begun.elapsed() < patience {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// Lets every client finish what it began, and tells what they were told.
    pub async fn finish(mut self) -> Told {
        self.is_over.store(true, Ordering::Relaxed);
        while self.clients.join_next().await.is_some() {}
        std::mem::take(&mut *self.told.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

pub(super) struct Client {
    pub(super) number: u64,
    servers: Vec<SocketAddr>,
    pub(super) team: String,
    pub(super) tokens: [String; 2],
    told: Arc<Mutex<Told>>,
    caller: Caller,
}

/// What is asked for.
struct Order {
    /// The scenario.
    words: String,
    service: &'static str,
    /// Whether somebody tries to delete it meanwhile.
    is_deleting: bool,
    afterwards: Afterwards,
}

impl Order {
    fn new(words: impl Into<String>) -> Order {
        let (words, afterwards) = (words.into(), Afterwards::Nothing);
        Order { words, service: "sandbox:home", is_deleting: false, afterwards }
    }

    fn then(words: &str, afterwards: Afterwards) -> Order {
        Order { afterwards, ..Order::new(words) }
    }
}

fn wish(dice: &mut Dice) -> Order {
    let delay = 20 + dice.below(280);
    let words = match dice.below(100) {
        0..4 => return Order::then("", Afterwards::Cancel),
        4..7 => return Order::then(" sim:cancel=drop", Afterwards::Cancel),
        7..9 => return Order::then(" sim:partial", Afterwards::Cancel),
        9 => return Order::then(" sim:partial sim:cancel=drop", Afterwards::Cancel),
        10 => return slow_wish(dice),
        11..36 => String::new(),
        36..41 => return Order { service: "sandbox:idempotent", ..Order::new("") },
        41..44 => return Order { service: "sandbox:idempotent", ..Order::new(" sim:drop") },
        44..46 => {
            let words = format!(" sim:delay={delay}ms");
            return Order { service: "sandbox:idempotent", ..Order::new(words) };
        }
        46..61 => format!(" sim:delay={delay}ms"),
        61..69 => " sim:drop".to_owned(),
        69..75 => " sim:garbage".to_owned(),
        75..83 => " sim:documents=fail-once".to_owned(),
        83..84 => " sim:error=500".to_owned(),
        84..92 => return Order { is_deleting: true, ..Order::new(" sim:delay=200ms") },
        92..96 => return Order { service: "sandbox:no_lookup", ..Order::new("") },
        _ => {
            let words = format!(" sim:delay={delay}ms");
            return Order { service: "sandbox:no_lookup", ..Order::new(words) };
        }
    };
    Order::new(words)
}

/// Documents that fail so often that it is told take some seconds.
fn slow_wish(dice: &mut Dice) -> Order {
    match dice.below(4) {
        0 => Order::then(" sim:documents=fail", Afterwards::Cancel),
        1 => Order::then(" sim:documents=fail sim:cancel=drop", Afterwards::Both),
        2 => Order::then(" sim:documents=9s", Afterwards::Both),
        _ => Order::then(" sim:documents=9s", Afterwards::Recover),
    }
}

impl Client {
    async fn run(self, is_over: Arc<AtomicBool>) {
        let mut dice = Dice::new(self.number);
        let mut count = 0;
        while !is_over.load(Ordering::Relaxed) {
            let Order { words, service, is_deleting, afterwards } = wish(&mut dice);
            let reference = format!("C{}-{count}{words}", self.number);
            let key = format!("crash-{:04}-{count:08}", self.number);
            count += 1;
            let body = order(&reference, service);
            if is_deleting {
                self.post(&key, &body, 0, Duration::from_millis(60)).await;
                self.delete(&reference).await;
            }
            let shipment = self.book(&reference, &key, &body).await;
            if let Some(shipment) = shipment {
                self.follow_up(&reference, &shipment, afterwards).await;
            }
        }
    }

    pub(super) fn note<T>(&self, note: impl FnOnce(&mut Told) -> T) -> T {
        note(&mut self.told.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Asks until the shipment is known to be accepted.
    async fn book(&self, reference: &str, key: &str, body: &str) -> Option<String> {
        let started = Instant::now();
        let mut tries = usize::try_from(self.number).unwrap_or(0);
        while started.elapsed() < PERSISTENCE {
            tries += 1;
            let answer = self.post(key, body, tries, PATIENCE).await;
            let Some(answer) = answer else {
                tokio::time::sleep(Duration::from_millis(15)).await;
                continue;
            };
            if let Some(shipment) = answer.shipment() {
                let known = shipment.clone();
                self.note(|told| {
                    told.shipments.entry(reference.to_owned()).or_default().insert(known)
                });
                return Some(shipment);
            }
            if !matches!(answer.status, 409 | 503) {
                eprintln!("{reference}: {} {}", answer.status, answer.body);
                self.note(|told| told.refused.push(reference.to_owned()));
                return None;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        eprintln!("{reference}: no answer in {} s", PERSISTENCE.as_secs());
        None
    }

    async fn post(&self, key: &str, body: &str, tries: usize, time: Duration) -> Option<Answer> {
        let path = format!("{}/shipments", self.team);
        let token = &self.tokens[tries % 2];
        self.ask(tries, &Request { method: "POST", path: &path, token, key, body }, time).await
    }

    pub(super) async fn ask(
        &self,
        tries: usize,
        request: &Request<'_>,
        time: Duration,
    ) -> Option<Answer> {
        let server = self.servers.get(tries % self.servers.len())?;
        self.caller.ask(*server, request, time).await
    }

    /// Tries to delete a shipment that is being booked. It must be refused.
    async fn delete(&self, reference: &str) -> Option<()> {
        let wanted = reference.replace(':', "%3A").replace('=', "%3D").replace(' ', "%20");
        let list = format!("{}/shipments?reference={wanted}", self.team);
        let token = &self.tokens[0];
        let find = Request { method: "GET", path: &list, token, key: "", body: "" };
        let found = self.ask(0, &find, PATIENCE).await?;
        let shipment = found.body["data"][0]["uuid"].as_str()?;
        let path = format!("{}/shipments/{shipment}", self.team);
        let delete = Request { method: "DELETE", path: &path, token, key: "", body: "" };
        if self.ask(0, &delete, PATIENCE).await?.status == 204 {
            self.note(|told| told.deleted.insert(reference.to_owned()));
        }
        Some(())
    }
}
