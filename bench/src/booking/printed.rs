//! A printer in this process, and a team whose labels are printed there by themselves.

use std::sync::Arc;

use serde_json::{Value, json};
use tokio::net::TcpListener;
use waybill_engine::clock::SystemClock;
use waybill_sandbox_printer::{PrinterOptions, prepare};

use super::fixture::Fixture;
use crate::load::Connection;
use crate::measure::Failure;

/// Starts the printer, and prints there from now on.
pub fn begin(fixture: &Fixture) -> Result<(), Failure> {
    let folder = fixture.folder().join("printed");
    std::fs::create_dir_all(&folder)?;
    fixture.runtime.block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let uri = format!("ipp://{}/ipp/print", listener.local_addr()?);
        let journal = folder.join("journal.jsonl");
        let options = PrinterOptions { folder, journal, clock: Arc::new(SystemClock::start()) };
        tokio::spawn(prepare(listener, options, std::future::pending())?);
        let body = json!({"name": "Printer", "uri": uri}).to_string();
        let added = ask(fixture, fixture.request_beta("POST", "/printers", &body), 201).await?;
        let rule = json!({"format": "zpl", "printer_uuid": added["data"]["uuid"], "copies": 1});
        let body = json!({"printing": {"automatic": true, "rules": [rule]}}).to_string();
        ask(fixture, fixture.request("PATCH", "/settings", "", &body), 200).await.map(drop)
    })
}

async fn ask(fixture: &Fixture, request: Vec<u8>, status: u16) -> Result<Value, Failure> {
    let mut connection = Connection::open(fixture.address).await?;
    let answer = connection.ask(&request).await?;
    let body: Value = serde_json::from_slice(answer.body)?;
    match answer.status == status {
        true => Ok(body),
        false => Err(format!("{} {body}", answer.status).into()),
    }
}
