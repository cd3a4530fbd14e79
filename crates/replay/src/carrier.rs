//! The carrier itself: a port, and what was asked of it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use http_body_util::BodyExt;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio::time::sleep;
use tokio_rustls::TlsAcceptor;

use crate::compare::Asked;
use crate::error::ReplayError;
use crate::fault::Fault;
use crate::file::Exchanges;
use crate::history::History;
use crate::pattern::Captures;
use crate::respond::{Dropped, Sent, filled, plain, spoiled};

/// How a carrier is served.
#[derive(Clone, Default)]
pub struct Options {
    /// Where it listens; a free port of this machine alone when this is left out.
    pub listen: Option<String>,
    /// Its TLS, and the name that it proves.
    pub tls: Option<(TlsAcceptor, String)>,
}

/// A carrier that runs until this is dropped.
pub struct Replay {
    shared: Arc<Shared>,
    running: JoinHandle<()>,
}

struct Shared {
    exchanges: Exchanges,
    history: Mutex<History>,
    url: String,
}

impl Shared {
    fn history(&self) -> MutexGuard<'_, History> {
        self.history.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Replay {
    /// Serves these exchanges.
    pub async fn start(exchanges: Exchanges, options: Options) -> Result<Replay, ReplayError> {
        let address = options.listen.as_deref().unwrap_or("127.0.0.1:0");
        let listener = TcpListener::bind(address).await.map_err(ReplayError::NoPort)?;
        let address = listener.local_addr().map_err(ReplayError::NoPort)?;
        let url = match &options.tls {
            Some((_, name)) => format!("https://{name}:{}", address.port()),
            None => format!("http://{address}"),
        };
        let shared = Arc::new(Shared { exchanges, history: Mutex::default(), url });
        let acceptor = options.tls.map(|(acceptor, _)| acceptor);
        let running = tokio::spawn(accept(listener, acceptor, shared.clone()));
        Ok(Replay { shared, running })
    }

    /// Where it is.
    pub fn url(&self) -> &str {
        &self.shared.url
    }

    /// How often an exchange was answered, or done without an answer.
    pub fn hits(&self, name: &str) -> usize {
        self.shared.history().hits(name).len()
    }

    /// What was kept under a name each time that an exchange was answered.
    pub fn kept(&self, exchange: &str, name: &str) -> Vec<String> {
        let history = self.shared.history();
        let kept = history.hits(exchange).iter().filter_map(|captures| captures.get(name));
        kept.map(str::to_owned).collect()
    }

    /// The same of each entry of a list.
    pub fn kept_of_each(&self, exchange: &str, list: &str, name: &str) -> Vec<Vec<String>> {
        let history = self.shared.history();
        let of_one = |captures: &Captures| {
            let entries = captures.list(list).unwrap_or_default().iter();
            entries.filter_map(|entry| entry.get(name)).map(str::to_owned).collect()
        };
        history.hits(exchange).iter().map(of_one).collect()
    }

    /// The bookings that were made, by the names that their exchanges give them.
    pub fn bookings(&self) -> Vec<String> {
        self.shared.history().bookings().to_vec()
    }

    /// What no exchange fitted, each with the nearest one and what is different about it.
    pub fn unmatched(&self) -> Vec<String> {
        self.shared.history().unmatched().to_vec()
    }

    /// The next time that this exchange would be answered, this goes wrong instead. Said again, it
    /// is for the time after that.
    pub fn fail(&self, exchange: &str, fault: Fault) {
        self.shared.history().fail(exchange, fault);
    }
}

impl Drop for Replay {
    fn drop(&mut self) {
        self.running.abort();
    }
}

async fn accept(listener: TcpListener, acceptor: Option<TlsAcceptor>, shared: Arc<Shared>) {
    // Those that are open go with the carrier.
    let mut connections = tokio::task::JoinSet::new();
    while let Ok((stream, _)) = listener.accept().await {
        while connections.try_join_next().is_some() {}
        let (acceptor, shared) = (acceptor.clone(), shared.clone());
        connections.spawn(async move {
            match acceptor {
                None => serve(stream, shared).await,
                Some(acceptor) => {
                    if let Ok(stream) = acceptor.accept(stream).await {
                        serve(stream, shared).await;
                    }
                }
            }
        });
    }
}

async fn serve(stream: impl AsyncRead + AsyncWrite + Unpin, shared: Arc<Shared>) {
    let service = service_fn(move |request| answer(shared.clone(), request));
    // It ends with an error when it is dropped on purpose.
    let _ended = http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
}

async fn answer(
    shared: Arc<Shared>,
    request: Request<Incoming>,
) -> Result<Response<Sent>, Dropped> {
    let (head, body) = request.into_parts();
    let body = body.collect().await.map_err(|_| Dropped)?.to_bytes();
    let query = head.uri.query().unwrap_or_default();
    let asked = Asked {
        method: head.method,
        path: head.uri.path().to_owned(),
        query: form_urlencoded::parse(query.as_bytes()).into_owned().collect(),
        headers: head.headers,
        body,
    };
    let chosen = shared.history().choose(&shared.exchanges, &asked);
    let mut chosen = match chosen {
        Ok(chosen) => chosen,
        Err(complaint) => {
            tracing::warn!("{complaint}");
            return Ok(unmatched(complaint.to_string()));
        }
    };
    chosen.captures.keep("url", &shared.url);
    let answered = filled(&chosen.exchange.answer, &chosen.captures);
    let (response, body) = match answered {
        Ok(answered) => answered,
        Err(unkept) => {
            let words = format!("the answer of \"{}\": {unkept}", chosen.exchange.name);
            shared.history().complain(words.clone());
            return Ok(unmatched(words));
        }
    };
    let fault = chosen.fault.as_ref().map(|fault| &fault.kind);
    tracing::info!(exchange = chosen.exchange.name, ?fault, "answered");
    sleep(chosen.exchange.answer.delay).await;
    match chosen.fault {
        Some(fault) => spoiled(fault.kind, response, body).await,
        None => Ok(response),
    }
}

fn unmatched(complaint: String) -> Response<Sent> {
    plain(StatusCode::NOT_IMPLEMENTED, "text/plain; charset=utf-8", Bytes::from(complaint))
}
