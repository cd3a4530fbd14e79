//! The abuses, each a future that goes on until it is dropped.

mod bookings;
mod costly;

pub use bookings::seed;

use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use axum::body::Body;
use axum::http::Request;
use hyper::client::conn::http2;
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::task::JoinSet;

/// Whom it meets.
#[derive(Clone)]
pub struct Target {
    /// The server.
    pub at: SocketAddr,
    /// The path of the abuser's own team.
    pub team: String,
    /// Its token.
    pub token: String,
}

/// What is done to a server, until it is told to stop.
pub type Attack = fn(Target) -> Pin<Box<dyn Future<Output = ()> + Send>>;

/// All of them.
pub const ATTACKS: &[(&str, Attack)] = &[
    ("invented methods", |to| Box::pin(crowd(to, 8, invented_methods))),
    ("streams without room", |to| Box::pin(crowd(to, 12, streams_without_room))),
    ("huge merge patches", |to| Box::pin(merge_patches(to, 60_000))),
    ("largest merge patches", |to| Box::pin(merge_patches(to, 12_400))),
    ("half-sent bodies", |to| Box::pin(crowd(to, 110, half_sent_body))),
    ("unread answers", |to| Box::pin(crowd(to, 200, unread_answers))),
    ("silent connections", |to| Box::pin(crowd(to, 1500, silent))),
    ("dripped heads", |to| Box::pin(crowd(to, 500, dripped_head))),
    ("9,000 from everywhere", |to| Box::pin(everywhere(to, 8000, 1000))),
    ("all slots taken", |to| Box::pin(everywhere(to, 11_000, 0))),
    ("strangers", |to| Box::pin(crowd(to, 8, strangers))),
    ("probes", |to| Box::pin(crowd(to, 8, probes))),
    ("wide bodies", |to| Box::pin(wide_bodies(to, 80_000))),
    ("widest bodies", |to| Box::pin(wide_bodies(to, 24_900))),
    ("reports", |to| Box::pin(crowd(to, 4, reports))),
    ("templates and long lists", |to| Box::pin(crowd(to, 8, long_lists))),
    ("long tables of rates", |to| Box::pin(crowd(to, 4, costly::rates))),
    ("delivery options", |to| Box::pin(crowd(to, 8, costly::options))),
    ("large batches", |to| Box::pin(crowd(to, 4, costly::batches))),
    ("chunks of one byte", |to| Box::pin(crowd(to, 8, costly::tiny_chunks))),
    ("pings", |to| Box::pin(crowd(to, 8, costly::pings))),
    ("slow readers of a file", |to| Box::pin(bookings::slow_readers(to))),
    ("waiting bookings", |to| Box::pin(bookings::waiting_bookings(to))),
    ("closed webhooks", |to| Box::pin(bookings::closed_webhooks(to))),
];

/// So many at once, each over and over.
async fn crowd<F>(to: Target, count: usize, one: impl Fn(Target) -> F + Clone + Send + 'static)
where
    F: Future<Output = std::io::Result<()>> + Send + 'static,
{
    let mut all = JoinSet::new();
    for _ in 0..count {
        let (to, one) = (to.clone(), one.clone());
        all.spawn(async move {
            loop {
                // Whoever is refused comes again.
                let _refused = one(to.clone()).await;
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        });
    }
    while all.join_next().await.is_some() {}
}

/// Idle and slow connections from many addresses, so that the bound for one does not hold them off.
async fn everywhere(to: Target, idle: usize, slow: usize) {
    tokio::join!(crowd(to.clone(), idle, silent_from_anywhere), crowd(to, slow, dripped_head));
}

async fn silent_from_anywhere(to: Target) -> std::io::Result<()> {
    static NUMBER: AtomicU8 = AtomicU8::new(0);
    let socket = TcpSocket::new_v4()?;
    let last = NUMBER.fetch_add(1, Ordering::Relaxed) % 200 + 2;
    socket.bind(SocketAddr::from(([127, 0, 0, last], 0)))?;
    let mut stream = socket.connect(to.at).await?;
    // Whoever is sent away comes again.
    stream.read_u8().await.map(drop)
}

async fn connect(to: &Target) -> std::io::Result<TcpStream> {
    TcpStream::connect(to.at).await
}

/// A request with this head and body, and the whole answer.
async fn exchange(to: &Target, line: &str, body: &str) -> std::io::Result<Vec<u8>> {
    let mut stream = connect(to).await?;
    stream.write_all(head(to, line, body.len()).as_bytes()).await?;
    stream.write_all(body.as_bytes()).await?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await?;
    Ok(answer)
}

/// A request that is refused for its contents costs little: then this run shows nothing. That there
/// are too many is another matter.
fn expect(answer: &[u8], status: &str) -> std::io::Result<()> {
    let got = answer.get(9..12).unwrap_or_default();
    if [status.as_bytes(), b"429", b"503"].contains(&got) {
        return Ok(());
    }
    let text = String::from_utf8_lossy(answer).into_owned();
    eprintln!("an abuse was refused: {}", &text[..text.len().min(1500)]);
    Err(std::io::Error::other("refused"))
}

fn head(to: &Target, line: &str, length: usize) -> String {
    format!(
        "{line} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {}\r\nConnection: close\r\n\
         Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n",
        to.token
    )
}

/// Methods of 60 KB that nobody has.
async fn invented_methods(to: Target) -> std::io::Result<()> {
    let letter = char::from(b'A' + u8::try_from(to.at.port() % 26).unwrap_or(0));
    let method = letter.to_string().repeat(60_000);
    exchange(&to, &format!("{method} /v2/me"), "").await.map(drop)
}

/// A connection of HTTP/2 that asks for large answers, has no room for them and answers pings.
async fn streams_without_room(to: Target) -> std::io::Result<()> {
    let stream = TokioIo::new(connect(&to).await?);
    let mut builder = http2::Builder::new(TokioExecutor::new());
    builder.initial_stream_window_size(0);
    let shaken = builder.handshake::<_, Body>(stream).await;
    let (mut sender, connection) = shaken.map_err(std::io::Error::other)?;
    let connection = tokio::spawn(connection);
    let mut answers = Vec::new();
    for _ in 0..90 {
        let url = format!("http://{}/docs/rapidoc-min.js", to.at);
        let request = Request::get(url).body(Body::empty()).map_err(std::io::Error::other)?;
        if let Ok(answer) = sender.send_request(request).await {
            answers.push(answer);
        }
    }
    tokio::time::sleep(Duration::from_mins(1)).await;
    connection.abort();
    Ok(())
}

/// Patches of settings with so many members of two values each. 25,000 values are read.
async fn merge_patches(to: Target, members: usize) {
    let members: Vec<String> = (0..members).map(|n| format!("\"k{n}\":{{\"a\":1}}")).collect();
    let body = format!("{{\"sender_address\":{{{}}}}}", members.join(","));
    same_body(to, 4, "PATCH", "settings", &body).await;
}

/// The same body over and over, by so many at once.
async fn same_body(to: Target, count: usize, method: &str, resource: &str, body: &str) {
    let line: Arc<str> = format!("{method} {}/{resource}", to.team).into();
    let body: Arc<str> = body.into();
    crowd(to, count, move |to| {
        let (line, body) = (line.clone(), body.clone());
        async move { exchange(&to, &line, &body).await.map(drop) }
    })
    .await;
}

/// A body of eight megabytes whose end never comes.
async fn half_sent_body(to: Target) -> std::io::Result<()> {
    let mut stream = connect(&to).await?;
    let line = format!("POST {}/booking-batches/x/shipments", to.team);
    stream.write_all(head(&to, &line, 8 * 1024 * 1024 - 1).as_bytes()).await?;
    let part = vec![b' '; 64 * 1024];
    for _ in 0..120 {
        stream.write_all(&part).await?;
    }
    tokio::time::sleep(Duration::from_mins(1)).await;
    Ok(())
}

/// Answers of megabytes that are asked for and not read.
async fn unread_answers(to: Target) -> std::io::Result<()> {
    let mut stream = connect(&to).await?;
    stream.write_all(head(&to, "GET /docs/rapidoc-min.js", 0).as_bytes()).await?;
    tokio::time::sleep(Duration::from_mins(1)).await;
    Ok(())
}

async fn silent(to: Target) -> std::io::Result<()> {
    let _stream = connect(&to).await?;
    tokio::time::sleep(Duration::from_mins(1)).await;
    Ok(())
}

async fn dripped_head(to: Target) -> std::io::Result<()> {
    let mut stream = connect(&to).await?;
    for byte in b"GET /v2/me HTTP/1.1\r\nX-Slow: yes, very slow".iter().cycle().take(200) {
        stream.write_all(&[*byte]).await?;
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    Ok(())
}

/// Tokens that are none.
async fn strangers(to: Target) -> std::io::Result<()> {
    let to = Target { token: "junk".to_owned(), ..to };
    exchange(&to, "GET /v2/me", "").await.map(drop)
}

async fn probes(to: Target) -> std::io::Result<()> {
    exchange(&to, "GET /metrics", "").await.map(drop)
}

/// Bodies with so many members.
async fn wide_bodies(to: Target, members: usize) {
    let members: Vec<String> = (0..members).map(|n| format!("\"k{n}\":{n}")).collect();
    same_body(to, 8, "POST", "shipments", &format!("{{{}}}", members.join(","))).await;
}

async fn reports(to: Target) -> std::io::Result<()> {
    let body = r#"{"type": "shipments", "from": "2020-01-01T00:00:00Z",
        "to": "2030-01-01T00:00:00Z", "formats": ["xlsx", "pdf"]}"#;
    exchange(&to, &format!("POST {}/reports", to.team), body).await.map(drop)
}

/// Makes things and lists them all, in the largest pages.
async fn long_lists(to: Target) -> std::io::Result<()> {
    let text = "x".repeat(100);
    let body = format!(r#"{{"title": "{text}", "shipment": {{"currency": "DKK"}}}}"#);
    exchange(&to, &format!("POST {}/shipment-templates", to.team), &body).await?;
    exchange(&to, &format!("GET {}/shipment-templates?per_page=1000", to.team), "").await.map(drop)
}
