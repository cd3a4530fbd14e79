//! The other end: the carrier's own service, over TLS, with what it was asked for.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::header::{AUTHORIZATION, LOCATION};
use hyper::server::conn::{http1, http2};
use hyper::service::service_fn;
use hyper::{Request, Response, Version};
use hyper_util::rt::{TokioExecutor, TokioIo};
use rustls::RootCertStore;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use waybill_outbound::line::LABEL_BYTES_MAX;

use crate::harness::tls::certified_speaking;

/// The names of its hosts.
const NAMES: &[&str] = &["heron.example", "files.heron.example"];

/// What the carrier has, and how it behaves.
#[derive(Default)]
pub struct State {
    /// Every request: method and path.
    pub asked: Vec<String>,
    /// In which versions of HTTP they came.
    pub versions: Vec<Version>,
    /// The tokens that are good.
    pub tokens: Vec<String>,
    /// Whether credentials are refused.
    pub is_closed: bool,
    /// So many bookings are answered with a broken connection after they were made.
    pub drops: usize,
    /// Bookings by reference.
    pub booked: HashMap<String, Value>,
    /// What was closed, by reference.
    pub closed: HashMap<String, Value>,
    /// Whether no day is closed.
    pub refuses_to_close: bool,
    /// The local times that bookings were told.
    pub local_times: Vec<String>,
    /// What is said of numbers.
    pub tracked: HashMap<String, Value>,
    /// Numbers whose question is never answered: the connection breaks.
    pub breaking: HashSet<String>,
    /// Numbers that nothing can be said of now.
    pub busy: HashSet<String>,
    /// The keys that bookings were voided with.
    pub voided: Vec<String>,
    /// The files that were fetched, each with the token that came along.
    pub files: Vec<(String, Option<String>)>,
    /// Where its files are.
    pub files_url: String,
    /// So many bytes of its files say nothing.
    pub padding: usize,
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

    /// A carrier that speaks these protocols, the best first.
    pub async fn start(protocols: &[&[u8]]) -> Service {
        let (acceptor, roots) = certified_speaking(NAMES, protocols);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let files_url = format!("https://heron.example:{port}/files");
        let state = Arc::new(Mutex::new(State { files_url, ..State::default() }));
        tokio::spawn(accept(listener, acceptor, state.clone()));
        Service { port, roots, state }
    }
}

async fn accept(listener: TcpListener, acceptor: TlsAcceptor, state: Arc<Mutex<State>>) {
    while let Ok((stream, _)) = listener.accept().await {
        let (acceptor, state) = (acceptor.clone(), state.clone());
        tokio::spawn(async move {
            let Ok(stream) = acceptor.accept(stream).await else { return };
            let is_http2 = stream.get_ref().1.alpn_protocol() == Some(b"h2");
            let service = service_fn(move |request| answer(state.clone(), request));
            let stream = TokioIo::new(stream);
            let _ended = match is_http2 {
                true => {
                    let builder = http2::Builder::new(TokioExecutor::new());
                    builder.serve_connection(stream, service).await
                }
                false => http1::Builder::new().serve_connection(stream, service).await,
            };
        });
    }
}

async fn answer(
    state: Arc<Mutex<State>>,
    request: Request<Incoming>,
) -> Result<Response<Full<Bytes>>, &'static str> {
    let path = request.uri().path_and_query().unwrap().as_str().to_owned();
    let (what, version) = (format!("{} {path}", request.method()), request.version());
    let token = request.headers().get(AUTHORIZATION).map(|it| it.to_str().unwrap()[7..].to_owned());
    let body = request.into_body().collect().await.unwrap().to_bytes();
    let body: Value = serde_json::from_slice(&body).unwrap_or(Value::Null);
    let mut state = state.lock().unwrap();
    state.asked.push(what.clone());
    state.versions.push(version);
    if let Some(file) = fetch(&mut state, &what, token.as_deref()) {
        return Ok(file);
    }
    let (status, reply) = respond(&mut state, &what, token.as_deref(), &body).ok_or("dropped")?;
    let mut response = Response::new(Full::new(Bytes::from(reply.to_string())));
    *response.status_mut() = status.try_into().unwrap();
    Ok(response)
}

/// What anybody may fetch: files, what leads on to them, and what is no label.
fn fetch(state: &mut State, what: &str, token: Option<&str>) -> Option<Response<Full<Bytes>>> {
    let path = what.strip_prefix("GET ")?;
    let response = Response::builder();
    if let Some(name) = path.strip_prefix("/files/") {
        state.files.push((name.to_owned(), token.map(str::to_owned)));
        return response.body(Full::new(padded(name, state.padding).into())).ok();
    }
    if let Some(place) = path.strip_prefix("/to?") {
        return response.status(302).header(LOCATION, place).body(Full::default()).ok();
    }
    match path {
        "/to" => response.status(302).body(Full::default()).ok(),
        "/huge" => response.body(Full::new(vec![b'x'; LABEL_BYTES_MAX + 1].into())).ok(),
        "/nothing" => response.status(404).body(Full::default()).ok(),
        _ => None,
    }
}

fn label(number: &str) -> String {
    format!("^XA^PW800^LL1200^FO50,50^A0N,40,40^FD{number}^FS^XZ")
}

/// A label with a remark of so many bytes in it, which is not printed.
fn padded(number: &str, bytes: usize) -> String {
    match bytes {
        0 => label(number),
        bytes => label(number).replace("^XZ", &format!("^FX{}^FS^XZ", "x".repeat(bytes))),
    }
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
    if what == "POST /close" {
        return close(state, body);
    }
    if let Some(reference) = what.strip_prefix("GET /shipments?reference=") {
        let absent = || (404, json!({"reference": reference, "error": "There is none."}));
        return Some(state.booked.get(reference).map_or_else(absent, |it| (200, it.clone())));
    }
    if let Some(id) = what.strip_prefix("GET /shipments/").and_then(|it| it.strip_suffix("/labels"))
    {
        let booking = state.booked.values().find(|booking| booking["id"] == id)?;
        let link = |parcel: &Value| {
            json!({"label_url": format!("{}/{}", state.files_url, parcel["number"].as_str()?)})
                .into()
        };
        let links: Option<Vec<Value>> = booking["parcels"].as_array()?.iter().map(link).collect();
        return Some((200, json!({"parcels": links?})));
    }
    if let Some(rest) = what.strip_prefix("DELETE /shipments/") {
        state.voided.push(rest.split_once("?key=")?.1.to_owned());
        return Some((204, Value::Null));
    }
    let number = what.strip_prefix("GET /track/").filter(|it| !state.breaking.contains(*it))?;
    if state.busy.contains(number) {
        return Some((429, json!({"error": "Not now."})));
    }
    let said = state.tracked.get(number).cloned();
    Some(said.map_or((404, json!({"error": "unknown"})), |said| (200, said)))
}

fn book(state: &mut State, body: &Value) -> Option<(u16, Value)> {
    let reference = body["reference"].as_str()?.to_owned();
    state.local_times.push(body["local_time"].as_str()?.to_owned());
    let first = state.booked.len() * 100;
    let parcels = body["grams"].as_array()?.iter().enumerate().map(|(place, _)| {
        let number = format!("HR{:09}", first + place);
        match body["service"] == "heron:link" {
            true => json!({"number": number}),
            false => json!({"number": number, "label": STANDARD.encode(label(&number))}),
        }
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

/// What was closed under this reference is closed once.
fn close(state: &mut State, body: &Value) -> Option<(u16, Value)> {
    if state.refuses_to_close {
        return Some((422, json!({"error": "The depot is closed."})));
    }
    let reference = body["reference"].as_str()?.to_owned();
    let before = state.closed.insert(reference, body.clone());
    assert!(before.is_none_or(|before| before == *body), "another day under the same reference");
    if state.drops > 0 {
        state.drops -= 1;
        return None;
    }
    Some((200, json!({"paper": STANDARD.encode(label("CLOSED"))})))
}
