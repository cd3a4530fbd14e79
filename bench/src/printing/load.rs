//! Printers, each a process of its own, and jobs for them at a steady pace.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::time::Duration;

use bench::crash::{PrinterHost, Site, order};
use serde_json::{Value, json};
use tokio::task::JoinSet;
use tokio::time::Instant;
use waybill_domain::time::Time;

use crate::load::Connection;
use crate::measure::Failure;

/// Connections over which jobs are made.
const SENDERS: u64 = 10;
/// What is not printed by then is missing.
const MISSING_AFTER: Duration = Duration::from_secs(15);
/// Bookings that are printed by themselves are, within this time.
const PRINTED_MAX: Duration = Duration::from_secs(300);
/// The longest pause between two jobs that are made one at a time: some find the connection to the
/// printer open, and some closed.
const PAUSE_MAX_MS: usize = 500;

/// How long jobs took.
#[derive(Default)]
pub struct Waits {
    /// From the answer to the paper.
    pub times: Vec<Duration>,
    /// Jobs without a paper.
    pub missing: usize,
}

impl Waits {
    /// These and those.
    pub fn extend(&mut self, more: Waits) {
        self.times.extend(more.times);
        self.missing += more.missing;
    }
}

/// The jobs that were told of, and when.
type Told = BTreeMap<String, Time>;

/// The printers, and who prints there.
pub struct PrintLoad<'a> {
    site: &'a Site,
    server: SocketAddr,
    document: String,
    hosts: Vec<PrinterHost>,
    /// The ids of the printers.
    pub printers: Vec<String>,
}

impl<'a> PrintLoad<'a> {
    /// Starts so many printers, tells the team of them, and books what is printed.
    pub async fn open(
        site: &'a Site,
        server: SocketAddr,
        count: usize,
    ) -> Result<PrintLoad<'a>, Failure> {
        let body = order("PRINTED", "sandbox:home");
        let booked = site.ask(server, "POST", "/shipments", &body).await;
        let booked = booked.ok_or("nothing was booked")?.body;
        let document = booked["data"]["documents"][0]["uuid"].as_str();
        let document = document.ok_or("there is nothing to print")?.to_owned();
        let (hosts, printers) = (Vec::new(), Vec::new());
        let mut load = PrintLoad { site, server, document, hosts, printers };
        for number in 0..count {
            let host = PrinterHost::start(site, &format!("printer-{number}")).await?;
            let printer = load.add(&host, &format!("Printer {number}")).await?;
            load.hosts.push(host);
            load.printers.push(printer);
        }
        Ok(load)
    }

    /// Tells the team of a printer, and gives its id.
    pub async fn add(&self, host: &PrinterHost, name: &str) -> Result<String, Failure> {
        let uri = format!("ipp://{}/ipp/print", host.at);
        let body = json!({"name": name, "uri": uri}).to_string();
        let answer = self.site.ask_beta(self.server, "POST", "/printers", &body).await;
        let answer = answer.ok_or("no answer to a new printer")?;
        let id = answer.body["data"]["uuid"].as_str();
        id.map(str::to_owned).ok_or_else(|| format!("no printer: {}", answer.body).into())
    }

    /// Makes so many jobs a second for this long at all printers in turn. Those that are lost get
    /// as many as each of the others, and nobody waits for them.
    pub async fn print(
        &self,
        rate: u64,
        time: Duration,
        lost: &[String],
    ) -> Result<Waits, Failure> {
        let (begun, mut senders) = (Instant::now(), JoinSet::new());
        let gap = Duration::from_micros(1_000_000 * SENDERS / rate);
        for number in 0..SENDERS {
            let start = begun + gap * u32::try_from(number)? / u32::try_from(SENDERS)?;
            let requests = self.requests(&self.printers, usize::try_from(number)?);
            senders.spawn(send(self.server, requests, start, gap, time));
        }
        let gap = gap * u32::try_from(self.printers.len())? / u32::try_from(SENDERS)?;
        let mut others = JoinSet::new();
        for printer in lost {
            let requests = self.requests(std::slice::from_ref(printer), 0);
            others.spawn(send(self.server, requests, begun, gap, time));
        }
        let mut told = Told::new();
        while let Some(sent) = senders.join_next().await {
            told.extend(sent??);
        }
        while let Some(sent) = others.join_next().await {
            sent??;
        }
        self.wait_for(told).await
    }

    /// Makes jobs one at a time, each when the one before it is printed and a while after.
    pub async fn one_at_a_time(&self, count: usize) -> Result<Waits, Failure> {
        let mut waits = Waits::default();
        for number in 0..count {
            let request = self.requests(&self.printers, number).swap_remove(0);
            let (mut connection, mut told) = (Connection::open(self.server).await?, Told::new());
            let (job, at) = make(&mut connection, &request).await?;
            told.insert(job, at);
            waits.extend(self.wait_for(told).await?);
            let pause = 97 * number % PAUSE_MAX_MS;
            tokio::time::sleep(Duration::from_millis(u64::try_from(pause)?)).await;
        }
        Ok(waits)
    }

    /// Waits until the printers have put out all of these, or do not any more.
    async fn wait_for(&self, told: Told) -> Result<Waits, Failure> {
        let started = Instant::now();
        loop {
            let mut waits = Waits::default();
            let mut papers = BTreeMap::new();
            for host in &self.hosts {
                papers.extend(host.papers()?.into_iter().map(|paper| (paper.job, paper.at)));
            }
            for (job, at) in &told {
                match papers.get(job).and_then(|at| Time::parse(at)) {
                    // It may be printed before the answer is read.
                    Some(printed) => waits.times.push(printed.since(*at)),
                    None => waits.missing += 1,
                }
            }
            if waits.missing == 0 || started.elapsed() > MISSING_AFTER {
                return Ok(waits);
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// Waits until no job waits at the first printer. Tells how many did at once, up to a page.
    pub async fn until_nothing_waits(&self) -> Result<usize, Failure> {
        let (started, mut most) = (Instant::now(), 0);
        loop {
            let path = format!("/print-jobs?printer_uuid={}&state=pending", self.printers[0]);
            let list = self.site.ask_beta(self.server, "GET", &path, "").await;
            let waiting =
                list.ok_or("no list of jobs")?.body["data"].as_array().map_or(0, Vec::len);
            most = most.max(waiting);
            if waiting == 0 {
                return Ok(most);
            }
            if started.elapsed() > PRINTED_MAX {
                return Err("what was booked is not printed".into());
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    /// What to ask for at each of these printers, from this one on.
    fn requests(&self, printers: &[String], first: usize) -> Vec<Vec<u8>> {
        let places = (0..printers.len()).map(|place| (first + place) % printers.len());
        let (team, token) = (self.site.beta(), &self.site.tokens[0]);
        let request = |place: usize| {
            let body = json!({"document_uuid": self.document, "printer_uuid": printers[place]});
            let body = body.to_string();
            let (server, length) = (self.server, body.len());
            let head = format!(
                "POST {team}/print-jobs HTTP/1.1\r\nHost: {server}\r\n\
                 Authorization: Bearer {token}\r\nContent-Type: application/json\r\n\
                 Content-Length: {length}\r\n\r\n"
            );
            [head.as_bytes(), body.as_bytes()].concat()
        };
        places.map(request).collect()
    }
}

/// Sends these requests in turn, one after each gap, for this long.
async fn send(
    server: SocketAddr,
    requests: Vec<Vec<u8>>,
    start: Instant,
    gap: Duration,
    time: Duration,
) -> Result<Told, Failure> {
    let (mut connection, mut told) = (Connection::open(server).await?, Told::new());
    let mut at = start;
    for request in requests.iter().cycle() {
        if at.duration_since(start) >= time {
            break;
        }
        tokio::time::sleep_until(at).await;
        let (job, answered) = make(&mut connection, request).await?;
        told.insert(job, answered);
        at += gap;
    }
    Ok(told)
}

/// Makes a job: its id, and when that was answered.
async fn make(connection: &mut Connection, request: &[u8]) -> Result<(String, Time), Failure> {
    let answer = connection.ask(request).await?;
    let micros = std::time::UNIX_EPOCH.elapsed()?.as_micros();
    let body: Value = serde_json::from_slice(answer.body)?;
    let job = body["data"]["uuid"].as_str().filter(|_| answer.status == 201);
    let job = job.ok_or_else(|| format!("no job: {} {body}", answer.status))?;
    Ok((job.to_owned(), Time(i64::try_from(micros)?)))
}
