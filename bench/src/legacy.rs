//! The older API against the newer one: the same pickup points by both, in turns within one run, and
//! a hundred labels as one file.

use std::time::Duration;

use serde_json::Value;
use waybill_engine::points::Intake;

use crate::booking::fixture::{Fixture, HOME};
use crate::booking::report::megabytes;
use crate::load::{self, Connection, Target};
use crate::measure::{self, Failure, Ratio};
use crate::points::point;
use crate::store::Database;

/// Points of the carrier in the country.
const POINTS: u64 = 5_000;
/// Labels in one file.
const LABELS: usize = 100;

/// The goals.
const SHARE: f64 = 0.5;
const COMBINE: Duration = Duration::from_secs(1);
const GROWTH: f64 = 100.0;

const SETTINGS: &str = r#"{"sender_address": {"contact": {"name": "Bench Shop"}, "address":
    {"address_lines": ["Vestergade 1"], "postal_code": "1456", "city": "København K",
    "country": "DK"}}, "documents": {"label": {"formats": ["pdf"]}}}"#;

/// Runs the benchmark.
pub fn run(database: &Database) -> Result<(), Failure> {
    let fixture = Fixture::open_with(database, Default::default(), SETTINGS)?;
    fill(&fixture)?;
    let team = fixture.account.team;
    let website = "/api/v1/website/bench.example.com/agents";
    let points = format!("/v2/teams/{team}/service-points");
    for (what, older, newer) in [
        (
            "points of a country, 15 of them",
            format!("{website}/carrier/gls/country/DE?page=7"),
            format!("{points}?carrier=gls&country=DE&per_page=15"),
        ),
        (
            "closest to a postal code, 15 of them",
            format!("{website}/closest/carrier/gls/country/DE/postalcode/10290"),
            format!("{points}/closest?carrier=gls&country=DE&postal_code=10290&limit=15"),
        ),
    ] {
        println!("\n{what}");
        let (older, newer) = (target(&fixture, &older)?, target(&fixture, &newer)?);
        let ratio = measure::duel(["older", "newer"], Ratio::Rate, |time| {
            measure::in_turns(time, |turn| load::run(&older, turn), |turn| load::run(&newer, turn))
        })?;
        println!("{ratio:.2} of the newer API; the goal of {SHARE} is {}", verdict(ratio >= SHARE));
    }
    combine(&fixture)?;
    fixture.close()
}

fn verdict(is_reached: bool) -> &'static str {
    if is_reached { "reached" } else { "missed" }
}

fn fill(fixture: &Fixture) -> Result<(), Failure> {
    let app = &fixture.app;
    let mut intake = Intake::new(app.store().clone(), app.ids().clone(), app.now());
    for number in 0..POINTS {
        intake.add(point("gls", "DE", number)?)?;
    }
    intake.finish(true)?;
    Ok(())
}

fn request(fixture: &Fixture, method: &str, path: &str, body: &str) -> Vec<u8> {
    let (token, address, length) = (&fixture.account.token, fixture.address, body.len());
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\n\
         Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
    );
    [head.as_bytes(), body.as_bytes()].concat()
}

/// A path as a target of load. Until all positions are read, a server may ask for patience.
fn target(fixture: &Fixture, path: &str) -> Result<Target, Failure> {
    let request = request(fixture, "GET", path, "");
    let body_length = fixture.runtime.block_on(async {
        let mut connection = Connection::open(fixture.address).await?;
        for _ in 0..20 {
            let answer = connection.ask(&request).await?;
            match answer.status {
                200 => return Ok(answer.body.len()),
                503 => {}
                status => return Err(format!("GET {path}: {status}").into()),
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        Err::<usize, Failure>(format!("no answer to GET {path}").into())
    })?;
    Ok(Target { address: fixture.address, request, body_length })
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
