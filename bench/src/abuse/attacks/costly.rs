//! What a team may ask for and costs much.

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::{Target, connect, exchange, expect, head};
use crate::crash::load::order;

/// About as many rows as a body holds.
const RATES: usize = 5_000;

/// The longest table of rates that is read.
pub async fn rates(to: Target) -> std::io::Result<()> {
    let weight = |value: usize| json!({"value": value, "unit": "g"});
    let row = |number: usize| {
        json!({"service_code": "sandbox:home", "zone": format!("DK:{}", 1000 + number),
               "from_weight": weight(0), "to_weight": weight(9),
               "price": {"value": number, "currency": "DKK"}})
    };
    let body = json!({"data": (0..RATES).map(row).collect::<Vec<_>>()}).to_string();
    expect(&exchange(&to, &format!("PUT {}/rates", to.team), &body).await?, "200")
}

/// What could be booked, priced by that table.
pub async fn options(to: Target) -> std::io::Result<()> {
    let order: Value = serde_json::from_str(&order("x", "sandbox:home"))?;
    let address = json!({"address_lines": ["Vestergade 1"], "postal_code": "1456",
                         "city": "København K", "country": "DK"});
    let merchant = json!({"contact": {"name": "Shop"}, "address": address});
    let parties = json!({"merchant": merchant, "customer": order["parties"]["customer"]});
    let body = json!({"parties": parties, "parcels": order["parcels"]}).to_string();
    let line = format!("POST {}/delivery-options", to.team);
    expect(&exchange(&to, &line, &body).await?, "200")
}

/// A batch with as many members as are taken at once, each with many parcels.
pub async fn batches(to: Target) -> std::io::Result<()> {
    let mut member: Value = serde_json::from_str(&order("member", "sandbox:home"))?;
    member["parcels"] = vec![member["parcels"][0].clone(); 50].into();
    let made = exchange(&to, &format!("POST {}/booking-batches", to.team), "{}").await?;
    let made = String::from_utf8_lossy(&made).into_owned();
    let Some((_, id)) = made.split_once("\"uuid\":\"") else { return Ok(()) };
    let line = format!("POST {}/booking-batches/{}/shipments", to.team, &id[..36]);
    let body = json!({"data": vec![member; 100]}).to_string();
    exchange(&to, &line, &body).await?;
    let line = format!("DELETE {}/booking-batches/{}", to.team, &id[..36]);
    exchange(&to, &line, "").await.map(drop)
}

/// A body in chunks of one byte.
pub async fn tiny_chunks(to: Target) -> std::io::Result<()> {
    let line = format!("POST {}/shipments", to.team);
    let head = head(&to, &line, 0).replace("Content-Length: 0", "Transfer-Encoding: chunked");
    let mut stream = connect(&to).await?;
    stream.write_all(head.as_bytes()).await?;
    stream.write_all(&b"1\r\n \r\n".repeat(1024 * 1024)).await?;
    stream.read_u8().await.map(drop)
}

/// Pings of HTTP/2 without end.
pub async fn pings(to: Target) -> std::io::Result<()> {
    let mut stream = connect(&to).await?;
    stream.write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0").await?;
    let pings = [0, 0, 8, 6, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8].repeat(1000);
    let (mut answers, mut stream) = stream.split();
    let mut nowhere = tokio::io::sink();
    tokio::select! {
        ended = tokio::io::copy(&mut answers, &mut nowhere) => ended.map(drop),
        ended = async { loop { stream.write_all(&pings).await? } } => ended,
    }
}
