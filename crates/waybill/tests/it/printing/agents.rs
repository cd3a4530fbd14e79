//! Print agents, as the other end of the line sees them. The rules are numbered in the files below.

mod claims;
mod printers;
mod registration;
mod removal;
mod reports;
mod servers;
mod sessions;
mod silence;

use std::time::Duration;

use serde_json::{Value, json};
use waybill_domain::ids::PrintJobId;
use waybill_store::events;

use super::text;
use crate::harness::agent::{Agent, report};
use crate::harness::fixture::{Fixture, order};
use crate::harness::{Database, Reply, TestApp, databases};

databases! {
    a_document_is_printed_by_an_agent
}

/// A service that books, an agent with one printer, and a document.
struct AgentTest {
    fixture: Fixture,
    agent: Agent,
    printer: String,
    document: String,
}

impl AgentTest {
    async fn new(database: Database) -> AgentTest {
        let fixture = Fixture::new(database).await;
        let (agent, printer) = Agent::ready(&fixture.app, "Warehouse").await;
        let booked = fixture.book(&order("AGENT")).await.expect(201);
        let document = text(&booked, "/data/documents/0/uuid");
        AgentTest { fixture, agent, printer, document }
    }

    fn app(&self) -> &TestApp {
        &self.fixture.app
    }

    fn beta(&self, rest: &str) -> String {
        format!("/beta/teams/{}{rest}", self.fixture.app.team)
    }

    async fn get(&self, rest: &str) -> Reply {
        self.fixture.app.get(&self.beta(rest)).admin().send().await.expect(200)
    }

    async fn delete(&self, rest: &str) -> Reply {
        self.fixture.app.delete(&self.beta(rest)).admin().send().await
    }

    /// How it is with the agent, and with its printer.
    async fn states(&self) -> (String, String) {
        let agent = self.get(&format!("/print-agents/{}", self.agent.uuid)).await;
        let printer = self.get(&format!("/printers/{}", self.printer)).await;
        (text(&agent, "/data/state"), text(&printer, "/data/state"))
    }

    async fn try_print(&self, printer: Option<&str>) -> Reply {
        let body = json!({"document_uuid": self.document, "printer_uuid": printer});
        let path = self.beta("/print-jobs");
        self.fixture.app.post(&path).admin().json(&body.to_string()).send().await
    }

    /// A job for the document at the agent's printer.
    async fn print(&self) -> String {
        text(&self.try_print(Some(&self.printer)).await.expect(201), "/data/uuid")
    }

    /// A job that the agent has.
    async fn held(&self) -> String {
        let job = self.print().await;
        assert_eq!(self.report(&job, 1, "stored").await, "taken");
        job
    }

    async fn job(&self, id: &str) -> Value {
        self.get(&format!("/print-jobs/{id}")).await.at("/data")
    }

    async fn state(&self, id: &str) -> String {
        self.job(id).await["state"].as_str().unwrap().to_owned()
    }

    /// What is said of a job that failed or of which not all is known.
    async fn failure(&self, id: &str) -> String {
        self.job(id).await["failure"]["message"].as_str().unwrap().to_owned()
    }

    async fn cancel(&self, id: &str) -> Reply {
        let path = self.beta(&format!("/print-jobs/{id}/cancel"));
        self.fixture.app.post(&path).admin().send().await
    }

    async fn report(&self, job: &str, sequence: i64, state: &str) -> String {
        self.agent.report(self.app(), job, sequence, state).await
    }

    async fn offers(&self) -> Vec<String> {
        self.agent.offers(self.app()).await
    }

    /// Waits until the job is in this state.
    async fn until(&self, job: &str, state: &str) {
        for _ in 0..300 {
            if self.state(job).await == state {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("never {state}: {}", self.job(job).await);
    }

    /// How often everybody was told of the job.
    async fn told(&self, job: &str) -> usize {
        let (team, id) = (self.app().team, PrintJobId::parse(job).unwrap());
        let read = self.app().app.read(move |tx| events::list_of(tx, team, id.into()));
        let told = read.await.unwrap();
        told.iter().filter(|event| event.kind == "print_job.updated").count()
    }
}

async fn a_document_is_printed_by_an_agent(database: Database) {
    let test = AgentTest::new(database).await;
    let app = test.app();
    let shown = test.get(&format!("/printers/{}", test.printer)).await;
    assert_eq!(shown.at("/data/provider"), json!("agent"));
    assert_eq!(shown.at("/data/state"), json!("online"));
    assert_eq!(shown.at("/data/formats"), json!(["pdf", "zpl"]));
    let job = test.print().await;
    let offer = test.agent.claim(app, 10, 5).await.expect(200).at("/data/0");
    assert_eq!((&offer["uuid"], &offer["printer_key"]), (&json!(job), &json!("zebra")));
    assert_eq!(test.state(&job).await, "pending");
    let file = test.agent.file(app, &job).await.expect(200);
    assert_eq!(json!(file.bytes.len()), offer["document"]["size_bytes"]);
    let hash = offer["document"]["sha256"].as_str().unwrap();
    assert_eq!(file.header("etag"), Some(format!("\"{hash}\"").as_str()));
    assert_eq!(test.report(&job, 1, "stored").await, "taken");
    assert_eq!(test.state(&job).await, "queued");
    assert_eq!(test.offers().await, [""; 0]);
    assert_eq!(test.report(&job, 1, "stored").await, "known");
    assert_eq!(test.report(&job, 2, "printing").await, "taken");
    assert_eq!(test.state(&job).await, "printing");
    let printed = report(app, &job, 3, "printed");
    test.agent.try_report(app, json!([printed])).await.expect(200);
    let done = test.job(&job).await;
    assert_eq!((&done["state"], &done["printed_at"]), (&json!("printed"), &printed["at"]));
    test.agent.file(app, &job).await.expect(404);
    let document = test.get(&format!("/documents/{}", test.document)).await;
    assert_eq!(document.at("/data/print_status"), json!("printed"));
    assert_eq!(test.told(&job).await, 4);
}
