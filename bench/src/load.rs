//! The load: a small HTTP/1.1 client that keeps its connections and asks again as soon as it has
//! its answer. It knows no more of HTTP than our answers need, so that most of the time is the
//! server's.
//!
//! It runs on threads of its own, beside those of the server. An answer that is not the expected
//! one ends the benchmark.

use std::net::SocketAddr;
use std::sync::Barrier;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::measure::{self, Failure, Round};

/// Open connections.
pub const CONNECTIONS: usize = 32;
/// Threads that share them.
const THREADS: usize = 2;
/// Beyond its time, a round may take this long to get its last answers.
const GRACE: Duration = Duration::from_secs(10);

/// What is asked, and how long the right answer is.
pub struct Target {
    /// Where the server listens.
    pub address: SocketAddr,
    /// The whole request.
    pub request: Vec<u8>,
    /// The length of the body that must come back.
    pub body_length: usize,
}

/// An answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer<'a> {
    /// The status.
    pub status: u16,
    /// What kind of body it has.
    pub content_type: &'a str,
    /// What it says about how long its parts took.
    pub server_timing: &'a str,
    /// The body.
    pub body: &'a [u8],
}

impl Answer<'_> {
    /// How long the server took without the carrier's part of it.
    pub fn own_part(&self) -> Result<Duration, Failure> {
        let part = |name: &str| -> Result<f64, Failure> {
            let entry = self.server_timing.split(", ").find(|entry| entry.starts_with(name));
            let millis = entry.and_then(|entry| entry.split("dur=").nth(1));
            Ok(millis.ok_or_else(|| format!("no {name} in Server-Timing"))?.parse()?)
        };
        let millis = part("total")? - part("carrier")?;
        Ok(Duration::from_secs_f64(millis.max(0.0) / 1e3))
    }
}

/// A kept connection.
pub struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl Connection {
    /// Connects.
    pub async fn open(address: SocketAddr) -> Result<Connection, Failure> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Connection { stream, buffer: Vec::with_capacity(16 * 1024) })
    }

    /// Sends a request and waits for its answer.
    pub async fn ask(&mut self, request: &[u8]) -> Result<Answer<'_>, Failure> {
        self.stream.write_all(request).await?;
        self.buffer.clear();
        loop {
            if self.stream.read_buf(&mut self.buffer).await? == 0 {
                return Err("the server closed the connection".into());
            }
            // Parsed again below: the borrow of an answer that is returned from a loop is too long.
            if parse(&self.buffer)?.is_some() {
                break;
            }
        }
        parse(&self.buffer)?.ok_or_else(|| "half an answer".into())
    }
}

/// The answer in these bytes, once it is complete.
fn parse(bytes: &[u8]) -> Result<Option<Answer<'_>>, Failure> {
    let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") else {
        return Ok(None);
    };
    let head = std::str::from_utf8(&bytes[..end])?;
    let mut lines = head.split("\r\n");
    let status =
        lines.next().and_then(|line| line.split(' ').nth(1)).unwrap_or_default().parse()?;
    let (mut length, mut content_type, mut server_timing) = (None, "", "");
    for (name, value) in lines.filter_map(|line| line.split_once(": ")) {
        if name.eq_ignore_ascii_case("content-length") {
            length = Some(value.parse::<usize>()?);
        } else if name.eq_ignore_ascii_case("content-type") {
            content_type = value;
        } else if name.eq_ignore_ascii_case("server-timing") {
            server_timing = value;
        }
    }
    let (body, length) = (&bytes[end + 4..], length.ok_or("an answer without Content-Length")?);
    match body.len() {
        given if given < length => Ok(None),
        given if given == length => Ok(Some(Answer { status, content_type, server_timing, body })),
        _ => Err("more than was asked for".into()),
    }
}

/// Asks over and over on all connections for this long.
pub fn run(target: &Target, time: Duration) -> Result<Round, Failure> {
    let barrier = Barrier::new(THREADS);
    let parts = std::thread::scope(|scope| {
        let threads: Vec<_> =
            (0..THREADS).map(|_| scope.spawn(|| ask_for(target, time, &barrier))).collect();
        let join = |thread: std::thread::ScopedJoinHandle<'_, _>| {
            thread.join().unwrap_or_else(|_| Err("a thread of the load panicked".into()))
        };
        threads.into_iter().map(join).collect::<Result<Vec<_>, Failure>>()
    })?;
    let took = parts.iter().map(|(_, took)| *took).max().unwrap_or_default();
    Ok(Round::new(parts.into_iter().flat_map(|(latencies, _)| latencies).collect(), took))
}

type Part = (Vec<Duration>, Duration);

/// One thread's share of the connections.
fn ask_for(target: &Target, time: Duration, barrier: &Barrier) -> Result<Part, Failure> {
    let prepare = || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let connections = runtime.block_on(async {
            let mut open = Vec::new();
            for _ in 0..CONNECTIONS / THREADS {
                open.push(Connection::open(target.address).await?);
            }
            Ok::<_, Failure>(open)
        })?;
        Ok::<_, Failure>((runtime, connections))
    };
    let prepared = prepare();
    // Also after a failure: the other threads wait for us.
    barrier.wait();
    let (runtime, connections) = prepared?;
    let started = measure::now();
    let tasks: Vec<_> = connections
        .into_iter()
        .map(|mut connection| {
            let (request, body_length) = (target.request.clone(), target.body_length);
            runtime.spawn(async move {
                let mut latencies = Vec::new();
                while started.elapsed() < time {
                    let asked = measure::now();
                    let answer = connection.ask(&request).await?;
                    if answer.status != 200 || answer.body.len() != body_length {
                        return Err(format!("not the expected answer: {}", answer.status).into());
                    }
                    latencies.push(asked.elapsed());
                }
                Ok::<_, Failure>(latencies)
            })
        })
        .collect();
    let mut latencies = Vec::new();
    let collect = async {
        for task in tasks {
            latencies.extend(task.await??);
        }
        Ok::<_, Failure>(())
    };
    runtime.block_on(async { tokio::time::timeout(time + GRACE, collect).await })??;
    Ok((latencies, started.elapsed()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_complete_with_the_last_byte_of_its_body() {
        let whole = b"HTTP/1.1 200 OK\r\nContent-Type: a/b\r\ncontent-length: 2\r\n\r\n{}";
        for end in 0..whole.len() {
            assert_eq!(parse(&whole[..end]).unwrap(), None);
        }
        let answer = Answer { status: 200, content_type: "a/b", server_timing: "", body: b"{}" };
        assert_eq!(parse(whole).unwrap(), Some(answer));
    }

    #[test]
    fn an_answer_without_a_length_is_refused() {
        assert!(parse(b"HTTP/1.1 200 OK\r\n\r\n").is_err());
    }
}
