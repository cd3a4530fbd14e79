//! A receiver of webhooks on threads of its own: it notes which event came to which path and when,
//! and answers 204. The first path can be told never to answer.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use uuid::Uuid;
use waybill_domain::ids::TeamId;

use crate::measure::{self, Failure};

const ANSWER: &[u8] = b"HTTP/1.1 204 No Content\r\n\r\n";
const LOOK: Duration = Duration::from_millis(5);

/// An event that came.
#[derive(Clone, Copy)]
pub struct Arrival {
    /// Which.
    pub event: Uuid,
    /// At which path.
    pub path: usize,
    /// When.
    pub at: Instant,
}

#[derive(Default)]
struct Shared {
    arrivals: Mutex<Vec<Arrival>>,
    is_silent: AtomicBool,
}

/// The receiver.
pub struct Receiver {
    /// Where it listens.
    pub port: u16,
    shared: Arc<Shared>,
    _runtime: tokio::runtime::Runtime,
}

impl Receiver {
    /// Starts to listen.
    pub fn start() -> Result<Receiver, Failure> {
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0"))?;
        let port = listener.local_addr()?.port();
        let shared = Arc::new(Shared::default());
        let seen = shared.clone();
        runtime.spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(converse(stream, seen.clone()));
            }
        });
        Ok(Receiver { port, shared, _runtime: runtime })
    }

    /// Whether the first path goes without an answer from now on.
    pub fn set_silent(&self, is_silent: bool) {
        self.shared.is_silent.store(is_silent, Ordering::SeqCst);
    }

    /// Waits until so much has come, and takes it.
    pub fn take(&self, count: usize, patience: Duration) -> Result<Vec<Arrival>, Failure> {
        self.wait(patience, |arrivals| arrivals.len() >= count)
    }

    /// Waits until all events that were committed have come to every path but the first.
    pub fn take_healthy(
        &self,
        count: usize,
        commits: &HashMap<Uuid, Instant>,
        teams: &[TeamId],
        patience: Duration,
    ) -> Result<Vec<Arrival>, Failure> {
        // The first path belongs to the first team, which has its share of the events.
        let share = commits.len().div_ceil(teams.len());
        let healthy = |arrivals: &[Arrival]| {
            arrivals.iter().filter(|one| one.path != 0 && commits.contains_key(&one.event)).count()
        };
        let mut all = self.wait(patience, |all| healthy(all) + share >= count)?;
        all.retain(|one| one.path != 0 && commits.contains_key(&one.event));
        Ok(all)
    }

    fn wait(
        &self,
        patience: Duration,
        is_enough: impl Fn(&[Arrival]) -> bool,
    ) -> Result<Vec<Arrival>, Failure> {
        let started = measure::now();
        loop {
            {
                let mut all = self.shared.arrivals.lock().unwrap_or_else(PoisonError::into_inner);
                if is_enough(&all) {
                    return Ok(std::mem::take(&mut all));
                }
                if started.elapsed() > patience {
                    return Err(format!("only {} deliveries came", all.len()).into());
                }
            }
            std::thread::sleep(LOOK);
        }
    }
}

/// Takes requests from one connection until it ends.
async fn converse(mut stream: TcpStream, shared: Arc<Shared>) {
    let mut bytes = Vec::with_capacity(4096);
    loop {
        let (head, arrival) = match read_head(&bytes) {
            Some(found) => found,
            None => match stream.read_buf(&mut bytes).await {
                Ok(count) if count > 0 => continue,
                _ => return,
            },
        };
        while bytes.len() < head {
            if !matches!(stream.read_buf(&mut bytes).await, Ok(count) if count > 0) {
                return;
            }
        }
        bytes.drain(..head);
        if arrival.path == 0 && shared.is_silent.load(Ordering::SeqCst) {
            return std::future::pending().await;
        }
        shared.arrivals.lock().unwrap_or_else(PoisonError::into_inner).push(arrival);
        if stream.write_all(ANSWER).await.is_err() {
            return;
        }
    }
}

/// The length of the first request with its body, and what it is about.
fn read_head(bytes: &[u8]) -> Option<(usize, Arrival)> {
    let end = bytes.windows(4).position(|window| window == b"\r\n\r\n")? + 4;
    let text = std::str::from_utf8(&bytes[..end]).ok()?;
    let header = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name));
        line.map(str::trim)
    };
    let path = text.split(' ').nth(1)?.trim_start_matches('/').parse().ok()?;
    let length: usize = header("content-length:")?.parse().ok()?;
    let event = header("webhook-id:")?.parse().ok()?;
    Some((end + length, Arrival { event, path, at: measure::now() }))
}
