//! A receiver of webhooks on loopback: it writes down what it gets and answers as it is told, also
//! in ways that no good receiver does.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpListener;

use super::contract::validate_webhook;

/// How a receiver answers.
#[derive(Clone, Debug)]
pub enum Reaction {
    /// With a status and nothing else.
    Status(u16),
    /// With these bytes, and then it closes.
    Raw(Vec<u8>),
    /// Never.
    Silence,
    /// One byte a second, forever.
    Drip,
    /// As fast as it can, forever.
    Flood,
    /// By breaking the connection.
    Reset,
}

/// One request.
#[derive(Clone, Debug)]
pub struct Received {
    pub path: String,
    pub headers: HashMap<String, String>,
    pub body: String,
}

impl Received {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).expect("a JSON body")
    }
}

#[derive(Default)]
struct Log {
    received: Mutex<Vec<Received>>,
    connections: AtomicUsize,
}

pub struct Receiver {
    pub port: u16,
    log: Arc<Log>,
    task: tokio::task::JoinHandle<()>,
}

impl Receiver {
    /// Answers the n-th request, counted from 0, as `react` says.
    pub async fn start(react: impl Fn(usize) -> Reaction + Send + Sync + 'static) -> Receiver {
        Receiver::on("127.0.0.1:0", react).await
    }

    pub async fn on(
        address: &str,
        react: impl Fn(usize) -> Reaction + Send + Sync + 'static,
    ) -> Receiver {
        let listener = TcpListener::bind(address).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let (log, react) = (Arc::new(Log::default()), Arc::new(react));
        let seen = log.clone();
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                seen.connections.fetch_add(1, Ordering::SeqCst);
                let (seen, react) = (seen.clone(), react.clone());
                tokio::spawn(async move { converse(stream, &seen, react.as_ref()).await });
            }
        });
        Receiver { port, log, task }
    }

    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}/hook", self.port)
    }

    /// What came so far, each held against the contract.
    #[track_caller]
    pub fn received(&self) -> Vec<Received> {
        let received = self.log.received.lock().unwrap().clone();
        received.iter().for_each(|one| validate_webhook(&one.headers, &one.json()));
        received
    }

    /// How many requests came, whatever was in them.
    pub fn requests(&self) -> usize {
        self.log.received.lock().unwrap().len()
    }

    /// How often somebody connected.
    pub fn connections(&self) -> usize {
        self.log.connections.load(Ordering::SeqCst)
    }

    /// Waits until so many requests came.
    pub async fn until(&self, count: usize) -> Vec<Received> {
        for _ in 0..600 {
            let received = self.received();
            if received.len() >= count {
                return received;
            }
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
        panic!("{} of {count} requests came", self.received().len());
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Reads requests and answers them until the connection ends.
async fn converse<S>(mut stream: S, log: &Log, react: &(dyn Fn(usize) -> Reaction + Send + Sync))
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let mut bytes = Vec::new();
    while let Some(request) = read(&mut stream, &mut bytes).await {
        let number = {
            let mut received = log.received.lock().unwrap();
            received.push(request);
            received.len() - 1
        };
        match react(number) {
            Reaction::Status(status) => {
                let answer = format!("HTTP/1.1 {status} X\r\ncontent-length: 0\r\n\r\n");
                if stream.write_all(answer.as_bytes()).await.is_err() {
                    return;
                }
            }
            Reaction::Raw(bytes) => {
                let _gone = stream.write_all(&bytes).await;
                let _gone = stream.shutdown().await;
                return;
            }
            Reaction::Silence => std::future::pending().await,
            Reaction::Drip => pour(&mut stream, b"x", Duration::from_secs(1)).await,
            Reaction::Flood => pour(&mut stream, &[b'x'; 65536], Duration::ZERO).await,
            Reaction::Reset => return,
        }
    }
}

/// An answer whose body never ends.
async fn pour<S: AsyncWrite + Unpin>(stream: &mut S, chunk: &[u8], pause: Duration) {
    let _gone = stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await;
    while stream.write_all(chunk).await.is_ok() {
        tokio::time::sleep(pause).await;
    }
}

async fn read<S: AsyncRead + Unpin>(stream: &mut S, bytes: &mut Vec<u8>) -> Option<Received> {
    let head = loop {
        if let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            break end + 4;
        }
        fill(stream, bytes).await?;
    };
    let text = String::from_utf8(bytes[..head].to_vec()).ok()?;
    let mut lines = text.lines();
    let path = lines.next()?.split(' ').nth(1)?.to_owned();
    let headers: HashMap<String, String> = lines
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_lowercase(), value.to_owned()))
        .collect();
    let length: usize = headers.get("content-length")?.parse().ok()?;
    while bytes.len() < head + length {
        fill(stream, bytes).await?;
    }
    let body = String::from_utf8(bytes[head..head + length].to_vec()).ok()?;
    bytes.drain(..head + length);
    Some(Received { path, headers, body })
}

async fn fill<S: AsyncRead + Unpin>(stream: &mut S, bytes: &mut Vec<u8>) -> Option<()> {
    let mut chunk = [0; 4096];
    let count = stream.read(&mut chunk).await.ok().filter(|count| *count > 0)?;
    bytes.extend(&chunk[..count]);
    Some(())
}
