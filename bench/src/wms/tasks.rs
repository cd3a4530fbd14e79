//! What is asked of a warehouse over and over.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};

use crate::booking::fixture::{Fixture, LETTER};
use crate::load::Connection;
use crate::measure::{self, Failure, Round};

/// Lines of a request.
const LINES: i64 = 10;

/// Something to do over and over: how often, and how long nearly all of it may take at most, in
/// milliseconds, on SQLite and on PostgreSQL.
struct Task {
    name: &'static str,
    times: i64,
    goals: [f64; 2],
}

const fn task(name: &'static str, times: i64, goals: [f64; 2]) -> Task {
    Task { name, times, goals }
}

/// A page of a list.
const PAGE: [f64; 2] = [15.0, 15.0];
const TASKS: [Task; 8] = [
    task("allocate 10 lines", 300, [10.0, 25.0]),
    task("levels", 300, PAGE),
    task("levels of a SKU", 300, PAGE),
    task("levels at a place", 300, PAGE),
    task("items", 300, PAGE),
    task("item by SKU", 300, PAGE),
    task("ledger", 300, PAGE),
    task("requests", 300, PAGE),
];

/// For each task what half, and what nearly all of its runs took at most.
pub type Figures = Vec<[Duration; 2]>;

/// Somebody who works in the warehouse.
pub struct Clerk {
    fixture: Arc<Fixture>,
    connection: Connection,
    /// Where it is in each list.
    cursor: Option<String>,
}

/// Measures all tasks with so many items.
pub async fn measure(fixture: &Arc<Fixture>, items: i64) -> Result<Figures, Failure> {
    let mut clerk = Clerk::new(fixture).await?;
    let mut figures = Figures::new();
    for task in &TASKS {
        clerk.cursor = None;
        // The first ones prepare statements.
        for time in 0..10 {
            clerk.run(task, time, items).await?;
        }
        let (started, mut latencies) = (measure::now(), Vec::new());
        for time in 0..task.times {
            latencies.push(clerk.run(task, time, items).await?);
        }
        figures.push(Round::new(latencies, started.elapsed()).percentiles());
    }
    Ok(figures)
}

/// Prints what they took, against the goals and what they took with few items.
pub fn print(figures: &Figures, first: Option<&Figures>, is_shared: bool) {
    println!("{:>18} {:>10} {:>10} {:>7}  goal", "", "p50 ms", "p99 ms", "ratio");
    let millis = |time: Duration| time.as_secs_f64() * 1e3;
    for (number, task) in TASKS.iter().enumerate() {
        let [p50, p99] = figures[number].map(millis);
        let ratio = first.map(|first| p50 / millis(first[number][0]));
        let ratio = ratio.map(|ratio| format!("{ratio:.2}")).unwrap_or_default();
        let goal = task.goals[usize::from(is_shared)];
        let verdict = if p99 < goal { "reached" } else { "missed" };
        println!("{:>18} {p50:>10.2} {p99:>10.2} {ratio:>7}  {goal} ms {verdict}", task.name);
    }
}

impl Clerk {
    pub async fn new(fixture: &Arc<Fixture>) -> Result<Clerk, Failure> {
        let connection = Connection::open(fixture.address).await?;
        Ok(Clerk { fixture: fixture.clone(), connection, cursor: None })
    }

    /// Calls an operation of the warehouse, and expects this status.
    pub async fn call(
        &mut self,
        (method, path): (&str, &str),
        body: &str,
        status: u16,
    ) -> Result<(Duration, Value), Failure> {
        let request = self.fixture.request_beta(method, &format!("/wms{path}"), body);
        let asked = measure::now();
        let answer = self.connection.ask(&request).await?;
        let took = asked.elapsed();
        if answer.status != status {
            let body = String::from_utf8_lossy(answer.body).into_owned();
            return Err(format!("not what was expected: {} {body}", answer.status).into());
        }
        Ok((took, serde_json::from_slice(answer.body)?))
    }

    /// Makes a request for these items, and gives its path.
    pub async fn ask_for(&mut self, lines: &[(String, i64)]) -> Result<String, Failure> {
        let (_, shipment) = self.fixture.wish(LETTER);
        let shipment: Value = serde_json::from_str(&shipment)?;
        let lines = lines.iter().map(|(sku, quantity)| json!({"sku": sku, "quantity": quantity}));
        let lines: Vec<Value> = lines.collect();
        let body = json!({"lines": lines, "shipment": shipment}).to_string();
        let (_, made) = self.call(("POST", "/fulfilment-requests"), &body, 201).await?;
        let id = made["data"]["uuid"].as_str().ok_or("a request without uuid")?;
        Ok(format!("/fulfilment-requests/{id}"))
    }

    /// Allocates, and tells how long that took and what came of it.
    pub async fn allocate(&mut self, request: &str) -> Result<(Duration, String), Failure> {
        let path = format!("{request}/allocate");
        let (took, answer) = self.call(("POST", &path), "{}", 200).await?;
        let state = answer["data"]["state"].as_str().ok_or("a request without state")?;
        Ok((took, state.to_owned()))
    }

    async fn run(&mut self, task: &Task, time: i64, items: i64) -> Result<Duration, Failure> {
        let any = (time * 7919 + 13) % items + 1;
        match task.name {
            "allocate 10 lines" => self.allocate_lines(any, items).await,
            "levels" => self.next_page("/inventory-levels?per_page=100").await,
            "levels of a SKU" => self.page(&format!("/inventory-levels?sku=SKU-{any}")).await,
            "levels at a place" => {
                self.next_page("/inventory-levels?location=A-0&per_page=100").await
            }
            "items" => self.next_page("/catalog-items?per_page=100").await,
            "item by SKU" => self.page(&format!("/catalog-items?sku=SKU-{any}")).await,
            "ledger" => self.next_page("/inventory-adjustments?per_page=100").await,
            _ => self.page("/fulfilment-requests?state=cancelled&per_page=25").await,
        }
    }

    async fn allocate_lines(&mut self, any: i64, items: i64) -> Result<Duration, Failure> {
        let step = (items / LINES).max(1);
        let skus = (0..LINES).map(|line| (any + line * step - 1) % items + 1);
        let lines: Vec<_> = skus.map(|number| (format!("SKU-{number}"), 3)).collect();
        let request = self.ask_for(&lines).await?;
        let (took, state) = self.allocate(&request).await?;
        if state != "allocated" {
            return Err(format!("{request} is {state}").into());
        }
        self.call(("POST", &format!("{request}/cancel")), "{}", 200).await?;
        Ok(took)
    }

    async fn page(&mut self, path: &str) -> Result<Duration, Failure> {
        self.call(("GET", path), "", 200).await.map(|(took, _)| took)
    }

    /// The next page of a list, and again from the beginning after the last.
    async fn next_page(&mut self, path: &str) -> Result<Duration, Failure> {
        let cursor = self.cursor.take().map(|cursor| format!("&cursor={cursor}"));
        let path = format!("{path}{}", cursor.unwrap_or_default());
        let (took, page) = self.call(("GET", &path), "", 200).await?;
        self.cursor = page["meta"]["next_cursor"].as_str().map(str::to_owned);
        Ok(took)
    }
}
