//! What is asked of a database that fills up.

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use waybill_domain::time::Time;
use waybill_store::check::{Violation, check, check_recent};
use waybill_store::{Error, Tx};

use super::super::fixture::{Fixture, LETTER};
use super::super::report;
use super::year::Year;
use crate::load::Connection;
use crate::measure::{self, Failure, Round};

/// Each is measured so often, and the middle one counts: the machine has other things to do too.
const ROUNDS: usize = 3;
/// Shipments on each manifest that is made.
const CLOSED: usize = 10;

/// Something to do over and over.
pub struct Task {
    /// What it is called.
    pub name: &'static str,
    /// How often a round does it.
    times: usize,
    /// Whether it may not take longer when more is stored.
    pub is_held: bool,
}

const fn task(name: &'static str, times: usize) -> Task {
    Task { name, times, is_held: true }
}

/// All of them.
pub const TASKS: [Task; 9] = [
    task("booking", 400),
    task("GET", 2000),
    task("list", 400),
    task("sync page", 400),
    task("feed page", 400),
    task("manifest", 40),
    task("report of a day", 10),
    task("check of a minute", 40),
    // It looks at every row, so it takes longer with more of them.
    Task { name: "whole check", times: 1, is_held: false },
];

/// For each task what half, and what nearly all of its runs took at most.
pub type Figures = Vec<[Duration; 2]>;

/// Measures all of them.
pub async fn measure(fixture: &Arc<Fixture>, year: &Year) -> Result<Figures, Failure> {
    let mut runner = Runner {
        fixture,
        year,
        connection: Connection::open(fixture.address).await?,
        cursor: None,
    };
    let mut figures = Figures::new();
    for (number, task) in TASKS.iter().enumerate() {
        let mut rounds = Vec::new();
        for _ in 0..if task.times > 1 { ROUNDS } else { 1 } {
            let (started, mut latencies) = (measure::now(), Vec::new());
            for time in 0..task.times {
                latencies.push(runner.run(number, time).await?);
            }
            rounds.push(Round::new(latencies, started.elapsed()).percentiles());
        }
        rounds.sort_by_key(|[_, p99]| *p99);
        figures.push(rounds[rounds.len() / 2]);
    }
    Ok(figures)
}

struct Runner<'a> {
    fixture: &'a Arc<Fixture>,
    year: &'a Year,
    connection: Connection,
    /// Where the reader of the feed is.
    cursor: Option<String>,
}

impl Runner<'_> {
    async fn run(&mut self, task: usize, time: usize) -> Result<Duration, Failure> {
        match TASKS[task].name {
            "booking" => {
                self.ask(&self.fixture.order_with(LETTER), 201).await.map(|(took, _)| took)
            }
            "GET" => self.get(&format!("/shipments/{}", self.year.any(time))).await,
            "list" => self.get(["/shipments?per_page=25", BOOKED][time % 2]).await,
            "sync page" => self.get(&self.sync(time)).await,
            "feed page" => self.read_feed().await,
            "manifest" => self.close_day().await,
            "report of a day" => self.report().await,
            "check of a minute" => self.check(check_recent).await,
            _ => self.check(check).await,
        }
    }

    async fn ask(&mut self, request: &[u8], status: u16) -> Result<(Duration, Value), Failure> {
        let asked = measure::now();
        let answer = self.connection.ask(request).await?;
        let took = asked.elapsed();
        if answer.status != status {
            let body = String::from_utf8_lossy(answer.body).into_owned();
            return Err(format!("not what was expected: {} {body}", answer.status).into());
        }
        Ok((took, serde_json::from_slice(answer.body)?))
    }

    async fn get(&mut self, path: &str) -> Result<Duration, Failure> {
        let request = self.fixture.request("GET", path, "", "");
        self.ask(&request, 200).await.map(|(took, _)| took)
    }

    /// A page of what has changed since some moment of the year.
    fn sync(&self, time: usize) -> String {
        let since = self.year.moment(time);
        format!("/shipments?per_page=100&sort=updated_at&updated_since={since}")
    }

    /// The next page, and again from the beginning after the last.
    async fn read_feed(&mut self) -> Result<Duration, Failure> {
        let cursor = self.cursor.take().map(|cursor| format!("&cursor={cursor}"));
        let path = format!("/tracking/events?per_page=100{}", cursor.unwrap_or_default());
        let request = self.fixture.request("GET", &path, "", "");
        let (took, page) = self.ask(&request, 200).await?;
        self.cursor = page["meta"]["next_cursor"].as_str().map(str::to_owned);
        Ok(took)
    }

    /// Books a few, and closes the day with the carrier.
    async fn close_day(&mut self) -> Result<Duration, Failure> {
        for _ in 0..CLOSED {
            let order = self.fixture.order_with(LETTER);
            self.ask(&order, 201).await?;
        }
        let body = r#"{"carrier_code":"sandbox","shipment_uuids":null}"#;
        let request = self.fixture.request_beta("POST", "/manifests", body);
        self.ask(&request, 201).await.map(|(took, _)| took)
    }

    /// From the request to the end of its job.
    async fn report(&self) -> Result<Duration, Failure> {
        let started = measure::now();
        report::make(self.fixture, self.year.day()).await?;
        Ok(started.elapsed())
    }

    async fn check(
        &self,
        check: fn(&mut Tx<'_>, Time) -> Result<Vec<Violation>, Error>,
    ) -> Result<Duration, Failure> {
        let (now, started) = (self.fixture.app.now(), measure::now());
        let found = self.fixture.app.read(move |tx| check(tx, now)).await?;
        let took = started.elapsed();
        // A busy machine is late.
        match found.into_iter().find(|violation| !violation.is_late) {
            None => Ok(took),
            Some(violation) => Err(format!("broken: {violation:?}").into()),
        }
    }
}

const BOOKED: &str = "/shipments?per_page=25&state=booked";
