//! A booked shipment, read again: the request that integrations send most.

use waybill_domain::json::{Json, parse};

use super::{ask_once, compare};
use crate::booking::fixture::Fixture;
use crate::measure::Failure;
use crate::store::Database;

/// The part of a bare handler's speed that reading a shipment must reach.
const GOAL: f64 = 0.55;

/// Books one and compares.
pub fn run() -> Result<(), Failure> {
    let fixture = Fixture::open(&Database::Sqlite)?;
    let path = format!("/v2/teams/{}/shipments/{}", fixture.account.team, book(&fixture)?);
    println!("\nGET a booked shipment");
    let (runtime, token) = (&fixture.runtime, &fixture.account.token);
    let ratio = compare(runtime, &fixture.app, fixture.address, &path, token)?;
    let verdict = if ratio >= GOAL { "reached" } else { "missed" };
    println!(
        "GET a shipment: {:.1} % of a bare handler; the goal of {:.0} % is {verdict}",
        100.0 * ratio,
        100.0 * GOAL
    );
    fixture.close()
}

fn book(fixture: &Fixture) -> Result<String, Failure> {
    let (status, _, body) = ask_once(&fixture.runtime, fixture.address, &fixture.order())?;
    let booked = parse(&body).map_err(|_| "the answer is not JSON")?;
    match booked.member("data").and_then(|data| data.member("uuid")) {
        Some(Json::Text(id)) if status == 201 => Ok(id.clone()),
        _ => Err(format!("not booked: {status}").into()),
    }
}
