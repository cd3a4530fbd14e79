//! What our own code costs: the real server against a bare handler that returns the same bytes,
//! both behind the same accept loop, in one process on the loopback.
//!
//! The server keeps its data in SQLite as in production. Rate limits and logs are off, counting is
//! on.

mod shipment;
mod signin;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::http::{HeaderValue, header};
use axum::routing::get;
use bytes::Bytes;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use waybill_api::dispatch;
use waybill_api::limits::Limits;
use waybill_api::listen::{self, Timeouts};
use waybill_api::state::Api;
use waybill_domain::ids::IdSource;
use waybill_domain::json::{Json, parse};
use waybill_domain::time::Clock;
use waybill_engine::app::App;
use waybill_engine::clock::SystemClock;
use waybill_engine::ids::SystemIds;
use waybill_engine::keys::Keys;
use waybill_store::{Options, Store};

use crate::load::{self, CONNECTIONS, Connection, Target};
use crate::measure::{self, Failure, Ratio};
use crate::scratch::{Account, Scratch, app_builder};
use crate::start;

/// The part of a bare handler's speed that reading a template must reach.
const GOAL: f64 = 0.40;
/// How long one request may take before the measuring starts.
const PATIENCE: Duration = Duration::from_secs(10);
const TEMPLATE: &str = r#"{"title": "Books to a parcel shop",
    "description": "Up to three books in the standard box",
    "shipment": {"currency": "DKK", "weight_unit": "g", "dimension_unit": "cm",
        "delivery": {"service_code": "sandbox:pickup_point"},
        "parcels": [{"gross_weight": 1200, "length": 30, "width": 20, "height": 10}]}}"#;

/// Runs the benchmark: of bare requests, or of what has to do with who is calling.
pub fn run(is_signin: bool) -> Result<(), Failure> {
    let scratch = Scratch::new()?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let (app, account) = prepare(&scratch)?;
    let server = Server::start(
        &runtime,
        app.clone(),
        dispatch::router(Api::new(app.clone(), Limits::new(0, 0))),
    )?;
    if is_signin {
        signin::tokens(&runtime, &app, &server, &account)?;
        signin::beside_sign_ins(&runtime, &app, &server, &account)?;
        server.stop(&runtime)?;
        runtime.block_on(app.store().clone().close());
        return Ok(());
    }
    let templates = format!("/v2/teams/{}/shipment-templates", account.team);
    let template = create(&runtime, server.address, &templates, &account.token)?;
    println!("{CONNECTIONS} kept connections; the load shares the processors with the servers,");
    println!("but its processor time does not count");

    let mut ratios = Vec::new();
    for path in ["/v2/me".to_owned(), format!("{templates}/{template}")] {
        println!("\nGET {path}");
        ratios.push(compare(&runtime, &app, server.address, &path, &account.token)?);
    }
    println!("\nGET /v2/me: {:.1} % of a bare handler", 100.0 * ratios[0]);
    let verdict = if ratios[1] >= GOAL { "reached" } else { "missed" };
    let (share, goal) = (100.0 * ratios[1], 100.0 * GOAL);
    println!(
        "GET a template: {share:.1} % of a bare handler; the goal of {goal:.0} % is {verdict}"
    );
    server.stop(&runtime)?;
    runtime.block_on(app.store().clone().close());
    shipment::run()?;
    start::run()
}

/// The parts of the server as `waybill serve` puts them together, and a team to call it.
pub fn prepare(scratch: &Scratch) -> Result<(App, Account), Failure> {
    let clock: Arc<dyn Clock> = Arc::new(SystemClock::start());
    let ids: Arc<dyn IdSource> = Arc::new(SystemIds::new(clock.clone()));
    let options = Options { exclusive: true, ..Options::default() };
    let store = Store::open(&scratch.database("waybill.db"), options)?;
    let keys = Keys::load_or_create(&scratch.path().join("waybill.key"), ids.as_ref())?;
    let account = Account::create(&store, clock.now(), ids.as_ref())?;
    // Nothing is booked here, so no carrier listens.
    let app_builder = app_builder(store, clock, ids, keys)?;
    Ok((app_builder.build()?, account))
}

/// Makes a template through the API and returns its id.
fn create(
    runtime: &Runtime,
    address: SocketAddr,
    path: &str,
    token: &str,
) -> Result<String, Failure> {
    let request = format!(
        "POST {path} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{TEMPLATE}",
        TEMPLATE.len()
    );
    let (status, _, body) = ask_once(runtime, address, request.as_bytes())?;
    let made = parse(&body).map_err(|_| "the answer is no JSON")?;
    match made.member("data").and_then(|data| data.member("uuid")) {
        Some(Json::Text(id)) if status == 201 => Ok(id.clone()),
        _ => Err(format!("no template was made: {status}").into()),
    }
}

/// The ratio of our requests per second to those of a bare handler with the same answer.
fn compare(
    runtime: &Runtime,
    app: &App,
    address: SocketAddr,
    path: &str,
    token: &str,
) -> Result<f64, Failure> {
    let request = |address: SocketAddr| {
        let head =
            format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nAccept: application/json\r\n");
        format!("{head}Authorization: Bearer {token}\r\n\r\n").into_bytes()
    };
    let (status, content_type, body) = ask_once(runtime, address, &request(address))?;
    if status != 200 {
        return Err(format!("GET {path}: {status}").into());
    }
    let body_length = body.len();
    let bare = Server::start(runtime, app.clone(), bare(path, &content_type, body)?)?;
    let target = |address| Target { address, request: request(address), body_length };
    let (ours, theirs) = (target(address), target(bare.address));
    let ratio = measure::duel(["waybill", "bare"], Ratio::Rate, |time| {
        measure::in_turns(time, |turn| load::run(&ours, turn), |turn| load::run(&theirs, turn))
    })?;
    bare.stop(runtime)?;
    Ok(ratio)
}

/// A handler that does nothing but answer.
fn bare(path: &str, content_type: &str, body: Bytes) -> Result<Router, Failure> {
    let content_type = HeaderValue::from_str(content_type)?;
    let answer = move || async move { ([(header::CONTENT_TYPE, content_type)], body) };
    Ok(Router::new().route(path, get(answer)))
}

/// Status, content type and body of one answer.
fn ask_once(
    runtime: &Runtime,
    address: SocketAddr,
    request: &[u8],
) -> Result<(u16, String, Bytes), Failure> {
    let ask = async {
        let mut connection = Connection::open(address).await?;
        let answer = connection.ask(request).await?;
        let body = Bytes::copy_from_slice(answer.body);
        Ok::<_, Failure>((answer.status, answer.content_type.to_owned(), body))
    };
    runtime.block_on(async { tokio::time::timeout(PATIENCE, ask).await })?
}

/// A server on a port of its own.
pub struct Server {
    /// Where it listens.
    pub address: SocketAddr,
    stop: oneshot::Sender<()>,
    task: JoinHandle<()>,
}

impl Server {
    /// Starts it.
    pub fn start(runtime: &Runtime, app: App, router: Router) -> Result<Server, Failure> {
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0"))?;
        let address = listener.local_addr()?;
        let (stop, stopped) = oneshot::channel();
        let timeouts = Timeouts::default();
        let task = runtime.spawn(listen::serve(app, router, listener, timeouts, stopped));
        Ok(Server { address, stop, task })
    }

    /// Stops it, and waits until it has.
    pub fn stop(self, runtime: &Runtime) -> Result<(), Failure> {
        // A server that is gone has stopped too; its task tells why.
        let _gone = self.stop.send(());
        Ok(runtime.block_on(self.task)?)
    }
}
