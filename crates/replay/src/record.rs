//! Records conversations: a program that takes us for the carrier is led on to the carrier itself,
//! and what both said is written as exchanges that can be replayed.
//!
//! What lets somebody in is written nowhere: a place for anything stands for it in requests, and a
//! word in answers. All files are written again when a secret is heard of that was not known.

mod error;
mod forward;
mod links;
mod names;
mod redact;
mod render;
mod write;

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Incoming;
use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;
use tokio::task::{JoinHandle, JoinSet};
use waybill_domain::time::Time;
use waybill_outbound::{Network, Secrets};

pub use error::RecordError;
use forward::{Asked, Forward};
pub use links::Upstream;
use write::Tape;

/// The largest request: files that a carrier is sent.
const REQUEST_BYTES_MAX: usize = 24 * 1024 * 1024;

/// How a conversation is recorded.
pub struct RecordOptions {
    /// Where it listens.
    pub listen: String,
    /// The folder that it is written to.
    pub to: PathBuf,
    /// Whether exchanges that are there go away.
    pub overwrites: bool,
    /// Where the carrier is.
    pub upstream: Upstream,
    /// What is known to let somebody in. More is found out by names.
    pub secrets: Secrets,
    /// When it begins: days close to it are no part of what a request must be.
    pub now: Time,
}

/// A recorder that runs until this is dropped.
pub struct Recorder {
    url: String,
    tape: Arc<Mutex<Tape>>,
    running: JoinHandle<()>,
}

impl Recorder {
    /// Begins. The folder is there from then on.
    pub async fn start(network: Network, options: RecordOptions) -> Result<Recorder, RecordError> {
        let RecordOptions { listen, to, overwrites, upstream, secrets, now } = options;
        let listener = TcpListener::bind(&listen).await.map_err(RecordError::NoPort)?;
        let address = listener.local_addr().map_err(RecordError::NoPort)?;
        let url = format!("http://{address}");
        let tape = Tape::begin(to, overwrites, &url, (secrets, now))?;
        let tape = Arc::new(Mutex::new(tape));
        let forward = Arc::new(Forward::new(network, upstream, url.clone()));
        let running = tokio::spawn(accept(listener, forward, tape.clone()));
        Ok(Recorder { url, tape, running })
    }

    /// What the program is to take for the carrier.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// How many exchanges were written.
    pub fn count(&self) -> usize {
        self.tape.lock().unwrap_or_else(PoisonError::into_inner).count()
    }
}

impl Drop for Recorder {
    fn drop(&mut self) {
        self.running.abort();
    }
}

async fn accept(listener: TcpListener, forward: Arc<Forward>, tape: Arc<Mutex<Tape>>) {
    let mut connections = JoinSet::new();
    while let Ok((stream, _)) = listener.accept().await {
        while connections.try_join_next().is_some() {}
        let (forward, tape) = (forward.clone(), tape.clone());
        connections.spawn(async move {
            let service = service_fn(move |request| answer(forward.clone(), tape.clone(), request));
            // Whoever asked may go away.
            let _ended =
                http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
        });
    }
}

/// Leads one request on, and writes down what came of it. What the carrier did not answer is not
/// written: there is nothing to replay.
async fn answer(
    forward: Arc<Forward>,
    tape: Arc<Mutex<Tape>>,
    request: Request<Incoming>,
) -> Result<Response<Full<Bytes>>, std::convert::Infallible> {
    let (head, body) = request.into_parts();
    let Ok(body) = Limited::new(body, REQUEST_BYTES_MAX).collect().await else {
        return Ok(failed("the request cannot be read, or is too long"));
    };
    let (method, uri) = (head.method, head.uri);
    let asked = Asked { method, uri, headers: head.headers, body: body.to_bytes() };
    let number = tape.lock().unwrap_or_else(PoisonError::into_inner).next_number();
    let answered = match forward.send(&asked).await {
        Ok(answered) => answered,
        Err(error) => {
            // The path may have a secret in it.
            tracing::warn!(method = %asked.method, %error, "not recorded");
            return Ok(failed(&error.to_string()));
        }
    };
    let response = forward.response(&answered);
    let written = tokio::task::spawn_blocking(move || {
        let mut tape = tape.lock().unwrap_or_else(PoisonError::into_inner);
        tape.record(number, asked, answered)
    });
    match written.await {
        Ok(Ok(name)) => tracing::info!(exchange = name, "recorded"),
        Ok(Err(error)) => tracing::error!(%error, "not recorded"),
        Err(error) => tracing::error!(%error, "not recorded"),
    }
    Ok(response)
}

fn failed(words: &str) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(Bytes::from(words.to_owned())));
    *response.status_mut() = StatusCode::BAD_GATEWAY;
    let plain = HeaderValue::from_static("text/plain; charset=utf-8");
    response.headers_mut().insert(CONTENT_TYPE, plain);
    response
}
