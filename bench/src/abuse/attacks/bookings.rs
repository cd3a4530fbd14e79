//! What a team does with bookings of its own.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpSocket;

use super::{Target, crowd, exchange, expect};
use crate::crash::load::order;

/// More webhooks than a team may have.
const WEBHOOKS: usize = 110;
/// As many parcels as a shipment may have.
const PARCELS: usize = 99;

/// Makes the team ready to book.
pub async fn seed(to: &Target) -> std::io::Result<()> {
    let account = json!({"carrier_code": "sandbox", "name": "Sandbox"}).to_string();
    let sender = json!({"sender_address": {"contact": {"name": "Nordic Books"},
        "address": {"address_lines": ["Vestergade 1"], "postal_code": "1456",
        "city": "København K", "country": "DK"}}});
    let line = format!("POST {}/carrier-accounts", to.team);
    expect(&exchange(to, &line, &account).await?, "201")?;
    let line = format!("PATCH {}/settings", to.team);
    expect(&exchange(to, &line, &sender.to_string()).await?, "200")
}

async fn book(to: &Target, body: &str) -> std::io::Result<Vec<u8>> {
    let answer = exchange(to, &format!("POST {}/shipments", to.team), body).await?;
    if !answer.starts_with(b"HTTP/1.1 202") {
        expect(&answer, "201")?;
    }
    Ok(answer)
}

/// Very many webhooks at which nobody answers, and parcels with news every second.
pub async fn closed_webhooks(to: Target) {
    let _told = seed(&to).await;
    let body = json!({"url": "http://127.0.0.1:1/", "events":
        ["shipment.booked", "tracking.updated"]});
    for _ in 0..WEBHOOKS {
        let line = format!("POST {}/webhooks", to.team);
        let answer = exchange(&to, &line, &body.to_string()).await.unwrap_or_default();
        if !answer.starts_with(b"HTTP/1.1 409") {
            let _told = expect(&answer, "201");
        }
    }
    crowd(to, 20, |to| async move {
        let mut body: Value = serde_json::from_str(&order("sim:track=1s", "sandbox:home"))?;
        body["parcels"] = vec![body["parcels"][0].clone(); 20].into();
        book(&to, &body.to_string()).await.map(drop)
    })
    .await;
}

/// Bookings that keep their callers waiting. Who is told that there are too many comes back after a
/// second: how many may ask is tried elsewhere.
pub async fn waiting_bookings(to: Target) {
    let _told = seed(&to).await;
    crowd(to, 1000, |to| async move {
        let booked = book(&to, &order("slow sim:delay=9s", "sandbox:home")).await;
        tokio::time::sleep(Duration::from_secs(1)).await;
        booked.map(drop)
    })
    .await;
}

/// A large file that very many ask for and hardly read.
pub async fn slow_readers(to: Target) {
    let _told = seed(&to).await;
    let Ok(path) = large_file(&to).await else { return };
    let path: Arc<str> = path.into();
    crowd(to, 1500, move |to| {
        let path = path.clone();
        async move { read_slowly(&to, &path).await }
    })
    .await;
}

/// Books as large a shipment as there may be: the path of its labels.
async fn large_file(to: &Target) -> std::io::Result<String> {
    let mut body: Value = serde_json::from_str(&order("large", "sandbox:home"))?;
    body["parcels"] = vec![body["parcels"][0].clone(); PARCELS].into();
    let answer = book(to, &body.to_string()).await?;
    let text = String::from_utf8_lossy(&answer).into_owned();
    let (_, path) = text.split_once("/files/").ok_or(std::io::ErrorKind::NotFound)?;
    let (path, _) = path.split_once('"').ok_or(std::io::ErrorKind::NotFound)?;
    Ok(format!("/files/{path}"))
}

async fn read_slowly(to: &Target, path: &str) -> std::io::Result<()> {
    let socket = TcpSocket::new_v4()?;
    socket.set_recv_buffer_size(2048)?;
    let mut stream = socket.connect(to.at).await?;
    stream.write_all(format!("GET {path} HTTP/1.1\r\nHost: x\r\n\r\n").as_bytes()).await?;
    let mut first = [0; 10];
    stream.read_exact(&mut first).await?;
    tokio::time::sleep(Duration::from_secs(25)).await;
    Ok(())
}
