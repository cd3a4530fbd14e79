//! Clients that book at several servers in turn.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use bench::crash::{Site, order};
use tokio::runtime::Runtime;
use tokio::task::JoinSet;

use crate::load::Connection;
use crate::measure::{self, Failure};

/// Beyond their time, clients wait this long for their last answers.
const GRACE: Duration = Duration::from_secs(20);

/// Orders of one team.
#[derive(Clone)]
pub struct Load {
    team: String,
    token: String,
    service: &'static str,
    count: Arc<AtomicU64>,
}

/// What clients saw.
#[derive(Default)]
pub struct Booked {
    /// How long each booking took.
    pub latencies: Vec<Duration>,
    /// Answers that were no booking.
    pub refused: usize,
    took: Duration,
}

impl Booked {
    /// Bookings a second.
    pub fn rate(&self) -> f64 {
        self.latencies.len() as f64 / self.took.as_secs_f64().max(f64::MIN_POSITIVE)
    }

    /// What half, and what nearly all of them took at most.
    pub fn percentiles(&self) -> [Duration; 2] {
        measure::Round::new(self.latencies.clone(), self.took).percentiles()
    }

    /// The slowest.
    pub fn slowest(&self) -> Duration {
        self.latencies.iter().max().copied().unwrap_or_default()
    }

    /// These and those, one after the other.
    pub fn extend(&mut self, more: Booked) {
        self.latencies.extend(more.latencies);
        self.refused += more.refused;
        self.took += more.took;
    }
}

impl Load {
    /// Orders of the site's team with this service.
    pub fn new(site: &Site, service: &'static str) -> Load {
        let (team, [token, _]) = (site.team.clone(), site.tokens.clone());
        Load { team, token, service, count: Arc::default() }
    }

    /// Books for this long from so many clients. Each has a connection to every server.
    pub fn book(
        &self,
        runtime: &Runtime,
        servers: &[SocketAddr],
        clients: usize,
        time: Duration,
    ) -> Result<Booked, Failure> {
        let started = measure::now();
        let mut running = self.start(runtime, servers, clients, time);
        let mut booked = Booked::default();
        let gather = async {
            while let Some(client) = running.join_next().await {
                booked.extend(client??);
            }
            Ok::<_, Failure>(())
        };
        runtime.block_on(async { tokio::time::timeout(time + GRACE, gather).await })??;
        booked.took = started.elapsed();
        Ok(booked)
    }

    /// Starts the clients. They end by themselves, or with what is returned.
    pub fn start(
        &self,
        runtime: &Runtime,
        servers: &[SocketAddr],
        clients: usize,
        time: Duration,
    ) -> JoinSet<Result<Booked, Failure>> {
        let mut running = JoinSet::new();
        for number in 0..clients {
            let client = self.clone().client(servers.to_vec(), number, time);
            running.spawn_on(client, runtime.handle());
        }
        running
    }

    async fn client(
        self,
        servers: Vec<SocketAddr>,
        first: usize,
        time: Duration,
    ) -> Result<Booked, Failure> {
        let mut connections = Vec::new();
        for server in &servers {
            connections.push(Connection::open(*server).await?);
        }
        let (started, mut booked) = (measure::now(), Booked::default());
        for turn in first.. {
            if started.elapsed() >= time {
                break;
            }
            let server = turn % servers.len();
            let request = self.request(servers[server]);
            let asked = measure::now();
            match connections[server].ask(&request).await?.status {
                201 => booked.latencies.push(asked.elapsed()),
                _ => booked.refused += 1,
            }
        }
        Ok(booked)
    }

    /// The next order, as it goes to this server.
    pub fn request(&self, server: SocketAddr) -> Vec<u8> {
        let number = self.count.fetch_add(1, Ordering::Relaxed);
        let body = order(&format!("FLEET-{number}"), self.service);
        let head = format!(
            "POST {}/shipments HTTP/1.1\r\nHost: {server}\r\n\
             Authorization: Bearer {}\r\nContent-Type: application/json\r\n\
             Idempotency-Key: fleet-{number:016}\r\nContent-Length: {}\r\n\r\n",
            self.team,
            self.token,
            body.len()
        );
        [head.as_bytes(), body.as_bytes()].concat()
    }

    /// A request to read what stands behind the team's address.
    pub fn read(&self, server: SocketAddr, path: &str) -> Vec<u8> {
        let (team, token) = (&self.team, &self.token);
        let head = format!("GET {team}/{path} HTTP/1.1\r\nHost: {server}\r\n");
        format!("{head}Authorization: Bearer {token}\r\n\r\n").into_bytes()
    }
}
