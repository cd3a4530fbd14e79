//! Printers and print jobs, with a printer on a socket whose papers are lines in a journal.

mod agents;
mod jobs;
mod limits;
mod numbers;
mod printers;
mod reported;
mod secured;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::net::TcpListener;
use waybill_engine::clock::SystemClock;
use waybill_sandbox_printer::{PrinterOptions, prepare};

use crate::harness::fixture::{Fixture, order};
use crate::harness::{Database, Reply};

/// A service that books, and a printer.
pub struct Printing {
    pub fixture: Fixture,
    address: String,
    folder: PathBuf,
    printer: tokio::task::JoinHandle<()>,
}

impl Drop for Printing {
    fn drop(&mut self) {
        self.printer.abort();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

impl Printing {
    pub async fn new(database: Database) -> Printing {
        let fixture = Fixture::new(database).await;
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let name = format!("waybill-printed-{}-{}", std::process::id(), fixture.app.team);
        let folder = std::env::temp_dir().join(name);
        let journal = folder.join("journal.jsonl");
        let options = PrinterOptions {
            folder: folder.clone(),
            journal,
            clock: Arc::new(SystemClock::start()),
        };
        std::fs::create_dir_all(&folder).unwrap();
        let printer = tokio::spawn(prepare(listener, options, std::future::pending()).unwrap());
        Printing { fixture, address, folder, printer }
    }

    fn beta(&self, rest: &str) -> String {
        format!("/beta/teams/{}{rest}", self.fixture.app.team)
    }

    /// Where the printer is, which fares as the scenario says.
    pub fn uri(&self, scenario: &str) -> String {
        format!("ipp://{}/ipp/print{scenario}", self.address)
    }

    /// Adds the printer, which fares as the scenario says.
    pub async fn add(&self, name: &str, scenario: &str) -> Reply {
        let body = json!({"name": name, "uri": self.uri(scenario)}).to_string();
        let path = self.beta("/printers");
        self.fixture.app.post(&path).admin().json(&body).send().await
    }

    /// A printer, by its id.
    async fn printer(&self, scenario: &str) -> String {
        text(&self.add("Packing table", scenario).await.expect(201), "/data/uuid")
    }

    /// A booked shipment.
    async fn book(&self, reference: &str) -> Reply {
        self.fixture.book(&order(reference)).await.expect(201)
    }

    async fn print(&self, document: &str, printer: Option<&str>, more: Value) -> Reply {
        let mut body = json!({"document_uuid": document, "printer_uuid": printer});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let path = self.beta("/print-jobs");
        self.fixture.app.post(&path).admin().json(&body.to_string()).send().await
    }

    async fn cancel(&self, id: &str) -> Reply {
        let path = self.beta(&format!("/print-jobs/{id}/cancel"));
        self.fixture.app.post(&path).admin().send().await
    }

    async fn job(&self, id: &str) -> Reply {
        let path = self.beta(&format!("/print-jobs/{id}"));
        self.fixture.app.get(&path).admin().send().await.expect(200)
    }

    async fn document(&self, id: &str) -> Reply {
        let path = self.beta(&format!("/documents/{id}"));
        self.fixture.app.get(&path).admin().send().await.expect(200)
    }

    /// Waits until the job is in this state. Time passes faster than it does.
    async fn until(&self, id: &str, state: &str) -> Reply {
        for _ in 0..300 {
            let job = self.job(id).await;
            if job.at("/data/state") == json!(state) {
                return job;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
            self.fixture.advance(Duration::from_millis(500)).await;
        }
        panic!("never {state}: {}", self.job(id).await.json());
    }

    /// What came out of the printer.
    fn papers(&self) -> Vec<Value> {
        let journal = std::fs::read_to_string(self.folder.join("journal.jsonl"));
        let journal = journal.unwrap_or_default();
        journal.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

fn text(reply: &Reply, pointer: &str) -> String {
    reply.at(pointer).as_str().unwrap_or_else(|| panic!("{pointer}: {}", reply.json())).to_owned()
}
