//! A report of 100,000 shipments, and how much memory making it takes.

use std::sync::Arc;
use std::time::Duration;

use waybill_domain::time::Time;

use super::ceiling::Sample;
use super::fixture::Fixture;
use crate::load::Connection;
use crate::measure::{self, Failure};

const SHIPMENTS: usize = 100_000;
/// The most that memory may grow, in megabytes.
const GOAL: f64 = 100.0;
const PATIENCE: Duration = Duration::from_mins(5);

/// Runs the benchmark.
pub fn run(fixture: &Arc<Fixture>, sample: &Sample) -> Result<(), Failure> {
    sample.multiply(fixture, SHIPMENTS)?;
    let before = megabytes("VmRSS:")?;
    // From here on the highest is the report's.
    std::fs::write("/proc/self/clear_refs", "5")?;
    let started = measure::now();
    let (now, day) = (fixture.app.now(), Duration::from_hours(24));
    let size = fixture.runtime.block_on(make(fixture, [now.minus(day), now.plus(day)]))?;
    let grown = megabytes("VmHWM:")? - before;
    let verdict = if grown < GOAL { "reached" } else { "missed" };
    println!(
        "{SHIPMENTS} shipments: {size} bytes in {:.1} s; memory grew from {before:.0} MB by \
         {grown:.0} MB; the goal of {GOAL} MB is {verdict}",
        started.elapsed().as_secs_f64()
    );
    Ok(())
}

/// Asks for a report of this time, waits for it, and tells how many bytes it has.
pub async fn make(fixture: &Arc<Fixture>, [from, to]: [Time; 2]) -> Result<u64, Failure> {
    let mut connection = Connection::open(fixture.address).await?;
    let body =
        format!(r#"{{"type":"shipments","from":"{from}","to":"{to}","formats":["xlsx","pdf"]}}"#);
    let asked = connection.ask(&fixture.request_beta("POST", "/reports", &body)).await?;
    let made: serde_json::Value = serde_json::from_slice(asked.body)?;
    let id = made["data"]["uuid"].as_str().ok_or_else(|| made.to_string())?.to_owned();
    let started = measure::now();
    while started.elapsed() < PATIENCE {
        let path = format!("/reports/{id}");
        let answer = connection.ask(&fixture.request_beta("GET", &path, "")).await?;
        let report: serde_json::Value = serde_json::from_slice(answer.body)?;
        match report["data"]["state"].as_str() {
            Some("ready") => {
                let files = report["data"]["documents"].as_array().cloned().unwrap_or_default();
                return Ok(files.iter().filter_map(|file| file["size_bytes"].as_u64()).sum());
            }
            Some("pending") => tokio::time::sleep(Duration::from_millis(5)).await,
            _ => return Err(report.to_string().into()),
        }
    }
    Err("the report is not ready".into())
}

pub fn megabytes(name: &str) -> Result<f64, Failure> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix(name)).ok_or("no such line")?;
    let kilobytes: f64 = line.trim().trim_end_matches("kB").trim().parse()?;
    Ok(kilobytes / 1024.0)
}
