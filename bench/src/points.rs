//! The closest of a million service points, in the index and over HTTP, and delivery options over
//! forty services without carriers' quotes.

mod legacy;
mod options;

use std::sync::Arc;
use std::time::Duration;

use uuid::Uuid;
use waybill_api::dispatch;
use waybill_api::limits::Limits;
use waybill_api::state::Api;
use waybill_domain::country::Country;
use waybill_domain::json::{Json, Number, parse};
use waybill_domain::point::{Builder, Point, Position};
use waybill_domain::time::Clock;
use waybill_engine::app::App;
use waybill_engine::points::Intake;

use crate::http::{Server, prepare};
use crate::load::Connection;
use crate::measure::{self, Failure, Round};
use crate::scratch::{Account, Scratch};

const POINTS: usize = 1_000_000;
const SEARCHES: usize = 20_000;
const REQUESTS: usize = 5_000;
/// Points of each carrier in the country that parcels go to.
const FEW: u64 = 500;
/// Towns that the points lie around.
const TOWNS: u64 = 3_000;

/// The goals.
const INDEX_GOAL: Duration = Duration::from_millis(1);
const HTTP_GOAL: Duration = Duration::from_millis(5);
const BYTES_GOAL: usize = 150;

/// Runs the benchmark.
pub fn run() -> Result<(), Failure> {
    index();
    let scratch = Scratch::new()?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let (mut app, account) = prepare(&scratch)?;
    let services = options::stock(&mut app)?;
    fill(&app)?;
    let server = Server::start(
        &runtime,
        app.clone(),
        dispatch::router(Api::new(app.clone(), Limits::new(0, 0))),
    )?;
    let connection = runtime.block_on(Connection::open(server.address))?;
    runtime.block_on(over_http(connection, &account))?;
    runtime.block_on(legacy::run(server.address, &account))?;
    let (points, bytes) = app.points().size();
    println!("the server holds {points} points in {} bytes each", bytes / points.max(1));
    runtime.block_on(options::run(&app, server.address, &account, services))?;
    server.stop(&runtime)
}

/// Numbers that look random and are the same in every run.
fn mixed(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}

/// A number between two others.
fn between(number: u64, low: f64, high: f64) -> f64 {
    low + (high - low) * (mixed(number) >> 11) as f64 / (1u64 << 53) as f64
}

/// A place near one of the towns of a country as large as Germany.
fn place(number: u64) -> (u64, f64, f64) {
    let town = mixed(number) % TOWNS;
    let (north, east) = (between(town * 2, 47.3, 55.0), between(town * 2 + 1, 6.0, 15.0));
    let (up, right) = (between(number * 3, -0.1, 0.1), between(number * 3 + 1, -0.15, 0.15));
    (town, north + up, east + right)
}

fn position(number: u64) -> Position {
    let (_, latitude, longitude) = place(number);
    Position::new(latitude, longitude).unwrap_or(Position { latitude: 0, longitude: 0 })
}

fn postal_code(town: u64) -> String {
    format!("{:05}", 10_000 + town * 29)
}

fn index() {
    let mut builder = Builder::default();
    for number in 0..POINTS as u64 {
        let (town, ..) = place(number);
        let id = Uuid::from_u128(u128::from(number));
        let named = (id, &*number.to_string());
        builder.add(named, position(number), &postal_code(town), &format!("town {town}"));
    }
    let started = measure::now();
    let region = builder.build();
    let built = started.elapsed();
    let mut latencies = Vec::with_capacity(SEARCHES);
    let started = measure::now();
    for number in 0..SEARCHES as u64 {
        let from = position(u64::MAX / 2 + number);
        let asked = measure::now();
        let found = region.closest(from, 10);
        latencies.push(asked.elapsed());
        assert_eq!(found.len(), 10);
    }
    let [p50, p99] = Round::new(latencies, started.elapsed()).percentiles();
    let bytes = region.bytes() / region.count();
    println!("index of {} points, built in {built:?}, {bytes} bytes a point", region.count());
    println!("closest 10: p50 {p50:?}, p99 {p99:?}; {}", verdict(p99 < INDEX_GOAL));
    println!("memory under {BYTES_GOAL} bytes a point: {}", verdict(bytes < BYTES_GOAL));
}

fn verdict(is_good: bool) -> &'static str {
    if is_good { "the goal is reached" } else { "the goal is missed" }
}

/// Takes a million points of one carrier in one country in, as an import does.
fn fill(app: &App) -> Result<(), Failure> {
    let clock: &Arc<dyn Clock> = app.clock();
    let mut intake = Intake::new(app.store().clone(), app.ids().clone(), clock.now());
    let started = measure::now();
    for number in 0..POINTS as u64 {
        intake.add(point("gls", "DE", number)?)?;
    }
    intake.finish(true)?;
    let took = started.elapsed();
    let rate = POINTS as f64 / took.as_secs_f64();
    println!("import of {POINTS} points into SQLite: {took:.1?}, {rate:.0} points/s");
    // Delivery options show the closest of each carrier.
    let mut intake = Intake::new(app.store().clone(), app.ids().clone(), clock.now());
    for carrier in &app.catalog().carriers {
        for number in 0..FEW {
            intake.add(point(&carrier.code, "DK", number)?)?;
        }
    }
    intake.finish(true)?;
    Ok(())
}

fn point(carrier: &str, country: &str, number: u64) -> Result<Point, Failure> {
    let (town, ..) = place(number);
    let hours = r#"{"regular": [{"weekday": "monday", "periods":
        [{"opens": "07:00", "closes": "22:00"}]}], "special": []}"#;
    let address = Json::object([
        ("address_lines", Json::list([format!("Hauptstraße {}", number % 200).into()])),
        ("postal_code", postal_code(town).into()),
        ("city", format!("Town {town}").into()),
        ("country", country.into()),
    ]);
    let at = position(number);
    let degrees = |millionths: i32| Json::Number(Number::from_millionths(millionths.into()));
    let json = Json::object([
        ("carrier", carrier.into()),
        ("code", format!("{country}-{number}").into()),
        ("name", format!("Paketshop {number}").into()),
        ("type", "parcel_shop".into()),
        ("address", address),
        (
            "coordinates",
            Json::object([
                ("latitude", degrees(at.latitude)),
                ("longitude", degrees(at.longitude)),
            ]),
        ),
        ("opening_hours", parse(hours.as_bytes()).map_err(|_| "our own hours are no JSON")?),
    ]);
    Point::parse(&json).map_err(|errors| format!("our own point is bad: {errors:?}").into())
}

async fn over_http(mut connection: Connection, account: &Account) -> Result<(), Failure> {
    let germany = Country::parse("DE").ok_or("there is no Germany")?;
    let (team, token) = (account.team, &account.token);
    let request = |number: u64| {
        let (_, latitude, longitude) = place(u64::MAX / 3 + number);
        format!(
            "GET /v2/teams/{team}/service-points/closest?carrier=gls&country={germany}&\
             latitude={latitude:.5}&longitude={longitude:.5} HTTP/1.1\r\nHost: bench\r\n\
             Authorization: Bearer {token}\r\n\r\n"
        )
    };
    let started = measure::now();
    expect(&mut connection, request(0).as_bytes()).await?;
    println!("the first search, which reads all positions: {:?}", started.elapsed());
    let mut latencies = Vec::with_capacity(REQUESTS);
    for number in 0..REQUESTS as u64 {
        let request = request(number);
        let asked = measure::now();
        expect(&mut connection, request.as_bytes()).await?;
        latencies.push(asked.elapsed());
    }
    let [p50, p99] = Round::new(latencies, started.elapsed()).percentiles();
    println!("closest 10 over HTTP: p50 {p50:?}, p99 {p99:?}; {}", verdict(p99 < HTTP_GOAL));
    Ok(())
}

/// Asks until the answer is one: while positions are read, a server may ask for patience.
async fn expect(connection: &mut Connection, request: &[u8]) -> Result<(), Failure> {
    for _ in 0..20 {
        match connection.ask(request).await?.status {
            200 => return Ok(()),
            503 => {}
            status => return Err(format!("an answer with status {status}").into()),
        }
    }
    Err("no answer after many tries".into())
}
