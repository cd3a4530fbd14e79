//! A hundred labels as one file, by the older API. How fast it shows pickup points is measured
//! beside those of the newer one, in `points`.

use std::time::Duration;

use serde_json::Value;

use crate::booking::fixture::{Fixture, HOME};
use crate::booking::report::megabytes;
use crate::load::Connection;
use crate::measure::{self, Failure};
use crate::store::Database;

/// Labels in one file.
const LABELS: usize = 100;

/// The goals.
const COMBINE: Duration = Duration::from_secs(1);
const GROWTH: f64 = 100.0;

const SETTINGS: &str = r#"{"sender_address": {"contact": {"name": "Bench Shop"}, "address":
    {"address_lines": ["Vestergade 1"], "postal_code": "1456", "city": "København K",
    "country": "DK"}}, "documents": {"label": {"formats": ["pdf"]}}}"#;

/// Runs the benchmark.
pub fn run(database: &Database) -> Result<(), Failure> {
    let fixture = Fixture::open_with(database, Default::default(), SETTINGS)?;
    combine(&fixture)?;
    fixture.close()
}

fn verdict(is_reached: bool) -> &'static str {
    if is_reached { "reached" } else { "missed" }
}

fn request(fixture: &Fixture, method: &str, path: &str, body: &str) -> Vec<u8> {
    let (token, address, length) = (&fixture.account.token, fixture.address, body.len());
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\n\
         Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
    );
    [head.as_bytes(), body.as_bytes()].concat()
}

/// Books a hundred shipments and asks for all of their labels as one file.
fn combine(fixture: &Fixture) -> Result<(), Failure> {
    let runtime = &fixture.runtime;
    let shipments = runtime.block_on(async {
        let mut connection = Connection::open(fixture.address).await?;
        let mut ids = Vec::with_capacity(LABELS);
        for _ in 0..LABELS {
            let answer = connection.ask(&fixture.order_with(HOME)).await?;
            let booked: Value = serde_json::from_slice(answer.body)?;
            let id = booked["data"]["uuid"].as_str().ok_or_else(|| booked.to_string())?;
            ids.push(serde_json::json!({ "shipment_id": id }));
        }
        Ok::<_, Failure>(ids)
    })?;
    let body = serde_json::json!({ "shipments": shipments }).to_string();
    let path = "/api/v1/website/bench.example.com/shipments/labels/combine";
    let request = request(fixture, "POST", path, &body);
    let before = megabytes("VmRSS:")?;
    // From here on the highest is that of the file.
    std::fs::write("/proc/self/clear_refs", "5")?;
    let started = measure::now();
    let size = runtime.block_on(async {
        let mut connection = Connection::open(fixture.address).await?;
        let answer = connection.ask(&request).await?;
        match answer.status {
            200 => Ok(answer.body.len()),
            status => Err::<usize, Failure>(format!("POST {path}: {status}").into()),
        }
    })?;
    let took = started.elapsed();
    let grown = megabytes("VmHWM:")? - before;
    println!(
        "\n{LABELS} labels as one file: {size} bytes in {took:.2?}, the goal of {COMBINE:?} is {}; \
         memory grew by {grown:.0} MB, the goal of {GROWTH} MB is {}",
        verdict(took < COMBINE),
        verdict(grown < GROWTH)
    );
    Ok(())
}
