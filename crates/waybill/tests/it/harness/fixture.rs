//! A service that books for real: a sandbox carrier on a socket, its journal, and a runner.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::net::TcpListener;
use waybill_domain::ids::ShipmentId;
use waybill_engine::clock::SystemClock;
use waybill_engine::files::Files;
use waybill_sandbox::{ServiceOptions, serve};
use waybill_store::events;
use waybill_store::shipments::{self, Shipment};
use waybill_worker::runner;

use super::{CountingIds, Database, Reply, TestApp};

pub struct Fixture {
    pub app: TestApp,
    journal: PathBuf,
    tasks: Vec<tokio::task::JoinHandle<()>>,
}

impl Fixture {
    pub async fn new(database: Database) -> Fixture {
        Fixture::keeping(database, Files::default()).await
    }

    /// With the bytes of its documents there.
    pub async fn keeping(database: Database, files: Files) -> Fixture {
        Fixture::reached(database, files, |carrier| format!("http://{carrier}")).await
    }

    /// With a carrier that is reached at this address, by way of something else perhaps.
    pub async fn reached(
        database: Database,
        files: Files,
        url: impl FnOnce(SocketAddr) -> String,
    ) -> Fixture {
        Fixture::hiding(database, files, url, Duration::ZERO).await
    }

    /// With a carrier whose bookings are found only after a while.
    pub async fn hiding(
        database: Database,
        files: Files,
        url: impl FnOnce(SocketAddr) -> String,
        visible_after: Duration,
    ) -> Fixture {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = url(listener.local_addr().unwrap());
        let app = TestApp::keeping(database, url, files).await;
        let journal = std::env::temp_dir().join(format!("waybill-journal-{}", app.team));
        let journal = journal.with_extension(format!("{}", std::process::id()));
        let options = ServiceOptions {
            journal: Some(journal.clone()),
            visible_after,
            points: 100,
            clock: Arc::new(SystemClock::start()),
            ids: Arc::new(CountingIds::starting_at(1 << 50)),
        };
        let carrier = tokio::spawn(async move {
            serve(listener, options, std::future::pending()).await.unwrap();
        });
        let worker = tokio::spawn(runner::run(app.worker.clone(), std::future::pending::<()>()));
        while !app.app.handoff().is_open() {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        let fixture = Fixture { app, journal, tasks: vec![carrier, worker] };
        seed(&fixture.app).await;
        fixture
    }

    pub async fn book(&self, body: &Value) -> Reply {
        let path = self.app.path("/shipments");
        self.app.post(&path).admin().json(&body.to_string()).send().await
    }

    pub async fn read(&self, reply: &Reply) -> Reply {
        let id = reply.at("/data/uuid").as_str().unwrap().to_owned();
        let path = self.app.path(&format!("/shipments/{id}"));
        self.app.get(&path).admin().send().await.expect(200)
    }

    /// Moves the time on, for the service and for what it has set alarms for: on PostgreSQL the
    /// database's clock decides what is due, and that one does not move when told.
    pub async fn advance(&self, by: Duration) {
        self.app.clock.advance(by);
        let micros = i64::try_from(by.as_micros()).unwrap();
        // Agents first: that waits for whoever looks after one now, and then his alarm moves too.
        let earlier = move |tx: &mut waybill_store::Tx<'_>| {
            tx.exec("UPDATE print_agent SET seen_at = seen_at - $1", &[micros.into()])?;
            let sooner = "UPDATE job SET wanted_at = wanted_at - $1,
                                 run_at = CASE WHEN due_at IS NULL THEN run_at - $1 ELSE run_at END
                           WHERE due_at IS NULL OR wanted_at IS NOT NULL";
            tx.exec(sooner, &[micros.into()])
        };
        if self.app.app.store().is_shared() {
            self.app.app.write(earlier).await.unwrap();
        }
        self.app.app.wake_runner();
    }

    /// The same, for the clock that never jumps too: what is kept for a time grows old by it.
    pub async fn pass(&self, by: Duration) {
        self.app.clock.age(by);
        self.advance(by).await;
    }

    /// Reads until the shipment is in this state.
    pub async fn until(&self, reply: &Reply, state: &str) -> Reply {
        for _ in 0..600 {
            let now = self.read(reply).await;
            if now.at("/data/state") == json!(state) {
                return now;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("never {state}: {}", self.read(reply).await.json());
    }

    /// Waits until nothing is under way.
    pub async fn settled(&self) {
        let path = self.app.path("/shipments?state=processing&per_page=1");
        for _ in 0..600 {
            let list = self.app.get(&path).admin().send().await.expect(200);
            if list.at("/data") == json!([]) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        let left = self.app.app.read(|tx| {
            tx.all::<(String, i64, Option<i64>, Option<i64>, Option<String>)>(
                "SELECT step, tries, run_at, due_at, note FROM shipment
                   LEFT JOIN job ON job.subject = shipment.id WHERE state = 'processing'",
                &[],
            )
        });
        panic!("bookings are still under way: {:?}", left.await.unwrap());
    }

    /// Reads until this holds.
    pub async fn until_it(&self, reply: &Reply, is_so: impl Fn(&Reply) -> bool) -> Reply {
        for _ in 0..600 {
            let now = self.read(reply).await;
            if is_so(&now) {
                return now;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("never: {}", self.read(reply).await.json());
    }

    /// Asks for something to be done with the shipment: `cancel` or `documents`.
    pub async fn act(&self, reply: &Reply, action: &str) -> Reply {
        let id = reply.at("/data/uuid").as_str().unwrap().to_owned();
        let path = self.app.path(&format!("/shipments/{id}/{action}"));
        self.app.post(&path).admin().send().await
    }

    /// Tries to delete the shipment.
    pub async fn delete(&self, reply: &Reply) -> Reply {
        let id = reply.at("/data/uuid").as_str().unwrap().to_owned();
        self.app.delete(&self.app.path(&format!("/shipments/{id}"))).admin().send().await
    }

    /// The row of the shipment.
    pub async fn row(&self, reply: &Reply) -> Shipment {
        let id = ShipmentId::parse(reply.at("/data/uuid").as_str().unwrap()).unwrap();
        self.row_of(id).await
    }

    /// The row of a shipment.
    pub async fn row_of(&self, id: ShipmentId) -> Shipment {
        let team = self.app.team;
        let read = self.app.app.read(move |tx| shipments::find(tx, team, id));
        read.await.unwrap().unwrap()
    }

    /// What was told of the shipment, in order: the kind of each event and when it happened.
    pub async fn told(&self, reply: &Reply) -> Vec<(String, String)> {
        let id = ShipmentId::parse(reply.at("/data/uuid").as_str().unwrap()).unwrap();
        let team = self.app.team;
        let read = self.app.app.read(move |tx| events::list_of(tx, team, id.into()));
        let told = read.await.unwrap().into_iter();
        told.map(|event| (event.kind, event.occurred_at.to_string())).collect()
    }

    /// The bookings that the carrier has with this customer reference.
    pub fn bookings(&self, reference: &str) -> usize {
        self.journal(|line| line["type"] == "booked" && line["customer_reference"] == reference)
    }

    /// The cancellations that the carrier has of this customer reference.
    pub fn cancellations_of(&self, reference: &str) -> usize {
        self.journal(|line| line["type"] == "cancelled" && line["customer_reference"] == reference)
    }

    /// How many cancellations the carrier has.
    pub fn cancellations(&self) -> usize {
        self.journal(|line| line["type"] == "cancelled")
    }

    fn journal(&self, is_meant: impl Fn(&Value) -> bool) -> usize {
        let text = std::fs::read_to_string(&self.journal).unwrap_or_default();
        let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        lines.filter(is_meant).count()
    }
}

impl Drop for Fixture {
    fn drop(&mut self) {
        self.tasks.iter().for_each(|task| task.abort());
        let _gone = std::fs::remove_file(&self.journal);
    }
}

/// Opens an account, and says where parcels come from.
pub async fn seed(app: &TestApp) {
    let account = json!({"carrier_code": "sandbox", "name": "Sandbox"}).to_string();
    let accounts = app.path("/carrier-accounts");
    app.post(&accounts).admin().json(&account).send().await.expect(201);
    let sender = json!({"sender_address": {"contact": {"name": "Nordic Books"},
        "address": {"address_lines": ["Vestergade 1"], "postal_code": "1456",
        "city": "København K", "country": "DK"}}});
    let settings = app.path("/settings");
    app.patch(&settings).admin().json(&sender.to_string()).send().await.expect(200);
}

/// A booking that nothing is wrong with.
pub fn order(reference: &str) -> Value {
    json!({
        "reference": reference,
        "parties": {"customer": {
            "contact": {"name": "Ada Jensen", "email": "ada@example.com", "phone": "+4530274735"},
            "address": {"address_lines": ["Islands Brygge 39"], "postal_code": "2300",
                        "city": "København S", "country": "DK"}}},
        "delivery": {"service_code": "sandbox:home"},
        "parcels": [{"gross_weight": {"value": 1200, "unit": "g"}}],
    })
}

/// The same with a merge patch applied.
pub fn order_with(reference: &str, patch: Value) -> Value {
    let mut order = waybill_domain::json::parse(order(reference).to_string().as_bytes()).unwrap();
    order.merge(&waybill_domain::json::parse(patch.to_string().as_bytes()).unwrap());
    serde_json::from_str(&order.to_string()).unwrap()
}
