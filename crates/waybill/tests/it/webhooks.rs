//! Webhooks: managing them, delivering to them, and everything that may go wrong on the way.

mod addresses;
mod manage;
mod poison;
mod schedule;
mod sending;
pub mod signatures;
mod tls;

use std::time::Duration;

use serde_json::{Value, json};
use uuid::Uuid;
use waybill_domain::event::{Event, EventKind};
use waybill_domain::ids::EventId;
use waybill_domain::time::Clock;
use waybill_store::events;
use waybill_worker::runner;

use crate::harness::{Reply, TestApp};

/// Makes a webhook for reports, whose events need no shipment.
async fn webhook(app: &TestApp, url: &str) -> Reply {
    let body = json!({"url": url, "events": ["report.ready", "report.failed"]}).to_string();
    app.post(&app.path("/webhooks")).admin().json(&body).send().await.expect(201)
}

/// The path of a webhook, from the answer that shows it.
fn path_of(app: &TestApp, webhook: &Reply) -> String {
    app.path(&format!("/webhooks/{}", webhook.at("/data/uuid").as_str().unwrap()))
}

/// Lets something happen: a report is ready.
pub async fn happen(app: &TestApp) -> Uuid {
    let id = app.app.new_uuid();
    let about = ("report_uuid", app.app.new_uuid());
    let event = Event::new(EventId(id), EventKind::ReportReady, app.clock.now(), about);
    let team = app.team;
    app.app.write(move |tx| events::append(tx, team, &event)).await.unwrap();
    app.app.wake_runner();
    id
}

/// Runs what is due. On PostgreSQL the database's clock decides that, and it does not move when
/// told: every alarm is brought forward, and queues find out what is due by the test's clock.
async fn work(app: &TestApp) {
    let all = |tx: &mut waybill_store::Tx<'_>| {
        tx.exec("UPDATE job SET run_at = 0 WHERE run_at IS NOT NULL AND kind = 'deliver'", &[])
    };
    app.app.write(all).await.unwrap();
    runner::run_due(&app.worker).await.unwrap();
}

async fn advance(app: &TestApp, by: Duration) {
    app.clock.advance(by);
    work(app).await;
}

/// The deliveries of a webhook, newest first.
async fn deliveries(app: &TestApp, webhook: &Reply) -> Vec<Value> {
    let path = format!("{}/deliveries?per_page=1000", path_of(app, webhook));
    let reply = app.get(&path).admin().send().await.expect(200);
    reply.at("/data").as_array().unwrap().clone()
}
