//! The other end: the carrier's own service, over TLS, with what it was asked for.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::header::AUTHORIZATION;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use rustls::RootCertStore;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

use crate::harness::tls::certified;

/// What the carrier has, and how it behaves.
#[derive(Default)]
pub struct State {
    /// Every request: method and path.
    pub asked: Vec<String>,
    /// The tokens that are good.
    pub tokens: Vec<String>,
    /// Whether credentials are refused.
    pub is_closed: bool,
    /// So many bookings are answered with a broken connection after they were made.
    pub drops: usize,
    /// Bookings by reference.
    pub booked: HashMap<String, Value>,
    /// What is said of numbers.
    pub tracked: HashMap<String, Value>,
    /// The keys that bookings were voided with.
    pub voided: Vec<String>,
}

impl State {
    /// How often this was asked for.
    pub fn count(&self, what: &str) -> usize {
        self.asked.iter().filter(|asked| asked.starts_with(what)).count()
    }
}

/// A carrier that runs.
pub struct Service {
    pub port: u16,
    pub roots: RootCertStore,
    state: Arc<Mutex<State>>,
}

impl Service {
    pub fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    pub async fn start() -> Service {
        let (acceptor, roots) = certified("heron.example");
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let state = Arc::new(Mutex::new(State::default()));
        tokio::spawn(accept(listener, acceptor, state.clone()));
        Service { port, roots, state }
    }
}

async fn accept(listener: TcpListener, acceptor: TlsAcceptor, state: Arc<Mutex<State>>) {
    while let Ok((stream, _)) = listener.accept().await {
        let (acceptor, state) = (acceptor.clone(), state.clone());
        tokio::spawn(async move {
            let Ok(stream) = acceptor.accept(stream).await else { return };
            let service = service_fn(move |request| answer(state.clone(), request));
            let _ended =
                http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
        });
    }
}

async fn answer(
    state: Arc<Mutex<State>>,
    request: Request<Incoming>,
) -> Result<Response<Full<Bytes>>, &'static str> {
    let path = request.uri().path_and_query().unwrap().as_str().to_owned();
    let what = format!("{} {path}", request.method());
    let token = request.headers().get(AUTHORIZATION).map(|it| it.to_str().unwrap()[7..].to_owned());
    let body = request.into_body().collect().await.unwrap().to_bytes();
    let body: Value = serde_json::from_slice(&body).unwrap_or(Value::Null);
    let mut state = state.lock().unwrap();
    state.asked.push(what.clone());
    let (status, reply) = respond(&mut state, &what, token.as_deref(), &body).ok_or("dropped")?;
    let mut response = Response::new(Full::new(Bytes::from(reply.to_string())));
    *response.status_mut() = status.try_into().unwrap();
    Ok(response)
}

/// None breaks the connection.
fn respond(
    state: &mut State,
    what: &str,
    token: Option<&str>,
    body: &Value,
) -> Option<(u16, Value)> {
    if what == "POST /token" {
        if state.is_closed || body["client_secret"] != json!("hush") {
            return Some((401, json!({"error": "The client is not known."})));
        }
        let token = format!("token-{}", state.asked.len());
        state.tokens.push(token.clone());
        return Some((200, json!({"access_token": token, "expires_in": "3600"})));
    }
    if !token.is_some_and(|token| state.tokens.iter().any(|it| it == token)) {
        return Some((401, json!({"error": "The token is not good."})));
    }
    if what == "POST /shipments" {
        return book(state, body);
    }
    if let Some(reference) = what.strip_prefix("GET /shipments?reference=") {
        let absent = || (404, json!({"reference": reference, "error": "There is none."}));
        return Some(state.booked.get(reference).map_or_else(absent, |it| (200, it.clone())));
    }
    if let Some(rest) = what.strip_prefix("DELETE /shipments/") {
        state.voided.push(rest.split_once("?key=")?.1.to_owned());
        return Some((204, Value::Null));
    }
    let number = what.strip_prefix("GET /track/")?;
    let said = state.tracked.get(number).cloned();
    Some(said.map_or((404, json!({"error": "unknown"})), |said| (200, said)))
}

fn book(state: &mut State, body: &Value) -> Option<(u16, Value)> {
    let reference = body["reference"].as_str()?.to_owned();
    let first = state.booked.len() * 100;
    let parcels = body["grams"].as_array()?.iter().enumerate().map(|(place, _)| {
        let number = format!("HR{:09}", first + place);
        let label = format!("^XA^PW800^LL1200^FO50,50^A0N,40,40^FD{number}^FS^XZ");
        json!({"number": number, "label": STANDARD.encode(label)})
    });
    let parcels: Vec<Value> = parcels.collect();
    let booking = json!({"id": format!("B{first}"), "reference": reference,
        "parcels": parcels, "void_key": format!("void-{first}")});
    assert!(state.booked.insert(reference, booking.clone()).is_none(), "booked twice");
    if state.drops > 0 {
        state.drops -= 1;
        return None;
    }
    Some((201, booking))
}
